//! Queries across periodic edges. The images of discs are indexed too, and a path that leaves the cell continues on the
//! other side.

use bevy::math::DVec2;

use super::{
    SpatialQueryFilter,
    cast::{Met, Way},
};
use crate::collision::{discs::Discs, periodic::Cell, shape::Bounds, space::PhysicsSpace};

/// The most edges that a path crosses, so that an endless path without a hit ends.
const MOST_CROSSINGS: usize = 1024;

/// The discs and their images within half a period of the cell.
#[derive(Default)]
pub(super) struct Images {
    pub(super) discs: Discs,
    /// The disc of each entry.
    pub(super) owner: Vec<u32>,
}

impl Images {
    pub(super) fn of(discs: &Discs, cell: &Cell) -> Self {
        let mut images = Self::default();
        for i in 0..discs.len() {
            let (at, radius) = (discs.position[i], discs.radius[i]);
            if !at.is_finite() {
                continue;
            }
            for shift in cell.images(Bounds::around(at, radius)) {
                images.discs.position.push(at + shift);
                images.discs.radius.push(radius);
                images.owner.push(i as u32);
            }
        }
        images.discs.velocity.resize(images.owner.len(), bevy::math::Vec2::ZERO);
        images
    }
}

/// The first hit on a path across edges.
pub(super) struct MetAcross<'a> {
    /// The part of the path that contains the hit, and the distance along that part, metres.
    pub(super) way: Way,
    pub(super) along: f64,
    /// The distance along the whole path, metres.
    pub(super) distance: f64,
    pub(super) met: Met<'a>,
}

impl PhysicsSpace {
    /// The centre and radius of an indexed disc or image.
    pub(crate) fn filed(&self, j: u32) -> (DVec2, f64) {
        // Not from the arrays: a force may have moved or removed the disc since it was indexed.
        let (centre, radius) = self.query_index().grid.circles();
        (centre[j as usize].as_dvec2(), f64::from(radius[j as usize]))
    }

    /// The disc of an indexed disc or image.
    pub(crate) fn owner(&self, j: u32) -> u32 {
        self.query_index().owner.as_ref().map_or(j, |owner| owner[j as usize])
    }

    /// The equivalent position within the cell.
    pub(super) fn wrapped_exactly(&self, at: DVec2) -> DVec2 {
        self.cell.map_or(at, |cell| cell.wrapped_exactly(at))
    }

    /// Calls `look` with each part of a path from edge to edge, with its start along the path and its length, until
    /// `look` returns a value or the path ends.
    pub(super) fn for_each_part<T>(
        &self,
        way: &Way,
        limit: f64,
        mut look: impl FnMut(&Way, f64, f64) -> Option<T>,
    ) -> Option<T> {
        let Some(cell) = self.cell else { return look(way, 0.0, limit) };
        let mut part = Way { from: cell.wrapped_exactly(way.from), ..*way };
        let mut come = 0.0;
        for _ in 0..MOST_CROSSINGS {
            let (leaves, shift) = cell.leaving(part.from, part.direction);
            let length = leaves.min(limit - come);
            let found = look(&part, come, length);
            come += length;
            if found.is_some() || !(come < limit) {
                return found;
            }
            part.from = part.at(length) + shift;
        }
        None
    }

    /// The first hit, across periodic edges.
    pub(super) fn first_met_across(&self, way: &Way, limit: f64, filter: &SpatialQueryFilter) -> Option<MetAcross<'_>> {
        self.for_each_part(way, limit, |part, come, length| {
            let (along, met) = self.first_met(part, length, filter)?;
            Some(MetAcross { way: *part, along, distance: come + along, met })
        })
    }
}
