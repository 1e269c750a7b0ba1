//! The index for queries between ticks, built for the first query after a tick: a [`Grid`] of the discs, and the walls
//! of moving terrain at their current places. The grid of the broad phase does not help here, as it holds the discs at
//! the places where candidates were searched for. The index is dropped when a step or a force may have moved something.

use bevy::{math::DVec2, prelude::*};

use super::across::Images;
use crate::collision::{
    broad_phase::grid::Grid,
    discs::Discs,
    shape::{FixedCircle, Wall, rounding::padded},
    simd::{Kernel, SimdWidth},
    space::PhysicsSpace,
    terrain::{
        TerrainView,
        index::{Pieces, TerrainArrays, TerrainIndex},
    },
};

/// Discs and moving terrain by their places.
#[derive(Clone, Debug, Default)]
pub struct QueryIndex {
    pub(super) grid: Grid,
    /// The low and high corner of the box around all discs, metres; `None` without discs.
    pub(super) bounds: Option<[DVec2; 2]>,
    /// The disc of each entry, if periodic edges add images.
    pub(super) owner: Option<Vec<u32>>,
    moving: PlacedTerrain,
}

/// Moving terrain at its current place.
#[derive(Clone, Debug, Default)]
struct PlacedTerrain {
    walls: Vec<Wall>,
    fixed_circles: Vec<FixedCircle>,
    index: TerrainIndex,
}

impl PlacedTerrain {
    fn of(space: &PhysicsSpace) -> Self {
        let mut placed = Self::default();
        if !space.moving.is_empty() {
            let Self { walls, fixed_circles, index } = &mut placed;
            (*walls, *fixed_circles) = space.moving.placed();
            Pieces::from_loose(walls, fixed_circles).weld(&mut TerrainArrays { walls, fixed_circles, index });
        }
        placed
    }
}

impl QueryIndex {
    fn of(space: &PhysicsSpace) -> Self {
        let mut grid = Grid::default();
        let images = space.cell.map(|cell| Images::of(&space.discs, &cell));
        let discs = images.as_ref().map_or(&space.discs, |images| &images.discs);
        if !discs.is_empty() {
            grid.fill_exhaustive(discs, 0.0, space.compute.simd, space.compute.threads);
        }
        let Discs { position, radius, .. } = discs;
        let boxes =
            position.iter().zip(radius).filter(|(position, _)| position.is_finite()).map(|(position, radius)| {
                let (centre, reach) = (position.as_dvec2(), f64::from(*radius));
                [centre - reach, centre + reach]
            });
        let bounds = boxes.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
        Self { grid, bounds, owner: images.map(|images| images.owner), moving: PlacedTerrain::of(space) }
    }
}

impl PhysicsSpace {
    /// Makes queries see the current positions of discs. The first query after a step of the tick, and after each
    /// [`ForceLaw`](crate::motion::ForceLaw), indexes all discs, and later queries use that index. Call this in a force
    /// or a system that moves, adds or removes discs and then queries again.
    pub fn refresh_queries(&mut self) {
        self.query_index.take();
    }

    /// The ends of the walls of moving terrain at their current places, metres. Curved walls are divided into short
    /// straight pieces.
    #[cfg(feature = "view")]
    pub(crate) fn moving_walls(&self) -> Vec<[Vec2; 2]> {
        if self.moving.is_empty() {
            return Vec::new();
        }
        self.query_index().moving.walls.iter().flat_map(Wall::pieces).collect()
    }

    /// The centres and radii of moving circles at their current places, metres.
    #[cfg(feature = "view")]
    pub(crate) fn moving_circles(&self) -> Vec<(Vec2, f32)> {
        if self.moving.is_empty() {
            return Vec::new();
        }
        let circles = self.query_index().moving.fixed_circles.iter();
        circles.filter(|circle| circle.radius > 0.0).map(|circle| (circle.centre, circle.radius)).collect()
    }

    /// The current index.
    pub(crate) fn query_index(&self) -> &QueryIndex {
        self.query_index.get_or_init(|| QueryIndex::of(self).into())
    }

    /// All terrain between ticks, static and moving.
    pub(crate) fn terrains(&self) -> impl Iterator<Item = TerrainView<'_>> {
        let standing = self.terrain.view();
        let moving = (!self.moving.is_empty()).then(|| {
            let PlacedTerrain { walls, fixed_circles, index } = &self.query_index().moving;
            TerrainView { walls, fixed_circles, index }
        });
        [standing].into_iter().chain(moving)
    }

    /// Lists the discs whose rims are within `reach` metres of a point, as indexed, and possibly some farther away, in
    /// no order. Discs in pockets are not listed.
    pub(crate) fn list_discs_near(&self, centre: DVec2, reach: f64, found: &mut Vec<u32>) {
        let index = self.query_index();
        let at = centre.as_vec2();
        let reach = padded(reach as f32, at);
        let first = found.len();
        self.compute.simd.run(ListNear { grid: &index.grid, centre: at, reach, found });
        let mut at = first;
        while at < found.len() {
            if self.filed(found[at]).0.is_finite() {
                at += 1;
            } else {
                found.swap_remove(at);
            }
        }
    }
}

/// Lists discs near a point, compiled for each SIMD level.
struct ListNear<'a> {
    grid: &'a Grid,
    centre: Vec2,
    reach: f32,
    found: &'a mut Vec<u32>,
}

impl Kernel for ListNear<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: SimdWidth>(self, simd: W) {
        self.grid.list_overlapping(simd, self.centre, self.reach, self.found);
    }
}
