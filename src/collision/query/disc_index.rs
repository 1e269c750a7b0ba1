//! Where the discs are between ticks: a [`Grid`] of their own places, made when somebody first asks after a tick. The broad phase's is of no
//! use here, as it knows the discs by where they were looked for.

use bevy::{math::DVec2, prelude::*};

use crate::collision::{
    broad_phase::grid::Grid,
    simd::{Kernel, SimdWidth},
    space::Space,
};

/// The discs by their places.
#[derive(Clone, Debug, Default)]
pub(in crate::collision) struct DiscIndex {
    pub(super) grid: Grid,
}

impl DiscIndex {
    fn of(space: &Space) -> Self {
        let mut grid = Grid::default();
        if !space.discs.is_empty() {
            grid.fill_exhaustive(&space.discs, 0.0, space.simd, space.threads);
        }
        Self { grid }
    }
}

impl Space {
    /// Where the discs are now.
    pub(in crate::collision) fn disc_index(&self) -> &DiscIndex {
        self.disc_index.get_or_init(|| DiscIndex::of(self).into())
    }

    /// Lists the discs within `reach` metres of a point, by their rims, and perhaps some farther away; in no order. Those that have fallen are not
    /// among them.
    pub(in crate::collision) fn list_discs_near(&self, centre: DVec2, reach: f64, found: &mut Vec<u32>) {
        let index = self.disc_index();
        let at = centre.as_vec2();
        // No rounding leaves one out.
        let reach = (reach * 1.000_001) as f32 + (at.x.abs() + at.y.abs()) * 1e-6;
        let first = found.len();
        self.simd.run(ListNear { grid: &index.grid, centre: at, reach, found });
        let position = &self.discs.position;
        let mut at = first;
        while at < found.len() {
            if position[found[at] as usize].is_finite() {
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
