//! Queries across periodic edges: the images of discs are filed beside them, and a way goes on at the other side where
//! it leaves the cell.

use bevy::math::DVec2;

use super::{
    SpatialQueryFilter,
    cast::{Met, Way},
};
use crate::collision::{discs::Discs, periodic::Cell, shape::Bounds, space::PhysicsSpace};

/// A way crosses no more edges: one without end that meets nothing has to end.
const MOST_CROSSINGS: usize = 1024;

/// The discs and their images within half a period of the cell.
#[derive(Default)]
pub(super) struct Images {
    pub(super) discs: Discs,
    /// The disc that each is.
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

/// Something that is met on a way across edges.
pub(super) struct MetAcross<'a> {
    /// The part of the way on which it is met, and how far along that, metres.
    pub(super) way: Way,
    pub(super) along: f64,
    /// How far along the whole way, metres.
    pub(super) distance: f64,
    pub(super) met: Met<'a>,
}

impl PhysicsSpace {
    /// The centre and the radius of a disc as it is filed: of one, or of an image of one.
    pub(crate) fn filed(&self, j: u32) -> (DVec2, f64) {
        // Not from the arrays: since it was filed, a force may have moved it or taken it out.
        let (centre, radius) = self.query_index().grid.circles();
        (centre[j as usize].as_dvec2(), f64::from(radius[j as usize]))
    }

    /// The disc that is filed there, or whose image is.
    pub(crate) fn owner(&self, j: u32) -> u32 {
        self.query_index().owner.as_ref().map_or(j, |owner| owner[j as usize])
    }

    /// A place within the cell that is the same as this one.
    pub(super) fn wrapped_exactly(&self, at: DVec2) -> DVec2 {
        self.cell.map_or(at, |cell| cell.wrapped_exactly(at))
    }

    /// Calls `look` with the parts of a way from edge to edge, how far they begin along it, and how long they are,
    /// until it gives something or the way ends.
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

    /// What is met first, across periodic edges.
    pub(super) fn first_met_across(&self, way: &Way, limit: f64, filter: &SpatialQueryFilter) -> Option<MetAcross<'_>> {
        self.for_each_part(way, limit, |part, come, length| {
            let (along, met) = self.first_met(part, length, filter)?;
            Some(MetAcross { way: *part, along, distance: come + along, met })
        })
    }
}
