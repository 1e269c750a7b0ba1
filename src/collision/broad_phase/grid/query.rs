//! Queries of a grid: the discs that overlap a circle, and a new circle for a disc whose path has changed.

use bevy::{math::DVec2, prelude::*};

use super::{Grid, Sorted, level::Level, pairs::two_fours};
use crate::collision::{
    shape::rounding::{CELL_PADDED, HALF_CELL, INSIDE_CELL, PADDED, ROUNDING_F64},
    simd::SimdWidth,
};

impl Grid {
    /// Lists every disc whose stored circle overlaps the one around `centre` with radius `reach`, metres.
    #[inline(always)]
    pub(crate) fn list_overlapping<W: SimdWidth>(&self, simd: W, centre: Vec2, reach: f32, found: &mut Vec<u32>) {
        let Sorted { centre: centres, reach: reaches, disc, .. } = &self.sorted;
        for level in &self.levels {
            let margin = level.margin(reach);
            let (left, right) = (level.column(centre.x - margin), level.column(centre.x + margin));
            let (bottom, top) = (level.row(centre.y - margin).max(0), level.row(centre.y + margin).min(level.rows - 1));
            let mut row = bottom;
            while row <= top {
                let mut run = self.run(level, row, left, right);
                while !run.is_empty() {
                    let at = run.start;
                    // The second four are read within the array, even if no more than four are left.
                    let count = run.len().min(8);
                    let next = if count > 4 { at + 4 } else { at };
                    let mut mask =
                        simd.overlap_mask(centre, reach, two_fours(centres, at, next), two_fours(reaches, at, next));
                    mask &= (1_u32 << count) - 1;
                    while mask != 0 {
                        let k = mask.trailing_zeros() as usize;
                        mask &= mask - 1;
                        found.push(disc[at + k][0]);
                    }
                    run.start += count;
                }
                row = self.next_row(level, row);
            }
        }
    }

    /// The side of the smallest cells, metres; zero without discs.
    pub(crate) fn finest_side(&self) -> f64 {
        self.levels.iter().map(|level| level.side).reduce(f64::min).unwrap_or(0.0)
    }

    /// Calls `visit` with every disc that a disc of radius `reach` may touch on a straight path, and with some that it
    /// does not; each once, in no order. All discs must be stored at their positions, as after
    /// [`Grid::fill_exhaustive`] for a time of zero.
    pub(crate) fn for_each_along(&self, [from, to]: [DVec2; 2], reach: f64, mut visit: impl FnMut(u32)) {
        let (low, high) = (from.min(to), from.max(to));
        let path = to - from;
        let rounding = ROUNDING_F64 * (low.abs().max(high.abs()).max_element() + reach);
        for level in &self.levels {
            // The greatest distance from the path at which the centre of a disc of the level can still be touched.
            let margin = reach + HALF_CELL * level.side + rounding;
            let (bottom, top) = level.rows_within([low.y - margin, high.y + margin]);
            let mut row = bottom;
            while row <= top {
                // The part of the path from which the row can be reached.
                let middle = level.low[1] + row as f64 * level.side;
                let band = [-1.0, 1.0].map(|side| middle + side * (HALF_CELL * level.side + margin));
                let at = |y: f64| from.x + path.x * ((y.clamp(low.y, high.y) - from.y) / path.y);
                let [a, b] = if path.y == 0.0 { [from.x, to.x] } else { band.map(at) };
                let column = |x: f64| level.column(x as f32);
                for place in self.run(level, row, column(a.min(b) - margin), column(a.max(b) + margin)) {
                    visit(self.sorted.disc[place][0]);
                }
                row = self.next_row(level, row);
            }
        }
    }

    /// Calls `visit` with every disc that may touch a box, given by its low and high corner, under the conditions of
    /// [`Grid::for_each_along`].
    pub(crate) fn for_each_in_box(&self, [low, high]: [DVec2; 2], mut visit: impl FnMut(u32)) {
        let rounding = ROUNDING_F64 * low.abs().max(high.abs()).max_element();
        for level in &self.levels {
            let margin = HALF_CELL * level.side + rounding;
            let (left, right) = (level.column((low.x - margin) as f32), level.column((high.x + margin) as f32));
            let (bottom, top) = level.rows_within([low.y - margin, high.y + margin]);
            let mut row = bottom;
            while row <= top {
                for place in self.run(level, row, left, right) {
                    visit(self.sorted.disc[place][0]);
                }
                row = self.next_row(level, row);
            }
        }
    }

    /// Replaces the circle of a disc by one that contains the circle around `centre` with radius `reach`, metres. Its
    /// cell stays the same. Returns whether that was possible: the new reach must not exceed the largest of its level
    /// when the grid was filled.
    #[inline(always)]
    pub(crate) fn update_circle(&mut self, disc: u32, centre: Vec2, reach: f32) -> bool {
        let old = self.centre[disc as usize];
        for level in &self.levels {
            let (column, row) = (level.column(old.x), level.row(old.y));
            let run = self.run(level, row, column, column);
            let Some(place) = run.into_iter().find(|&place| self.sorted.disc[place][0] == disc) else { continue };
            let (low, high) = level.cell_bounds(column, row);
            let inside = centre.clamp(low, high);
            let reach = reach + centre.distance_squared(inside).sqrt() * PADDED;
            if reach > level.reach() {
                return false;
            }
            self.sorted.centre[place] = inside;
            self.sorted.reach[place] = reach;
            return true;
        }
        false
    }
}

impl Level {
    /// The rows that have a part between two heights, metres.
    fn rows_within(&self, [bottom, top]: [f64; 2]) -> (i64, i64) {
        (self.row(bottom as f32).max(0), self.row(top as f32).min(self.rows - 1))
    }

    /// The greatest reach of a disc of the level.
    fn reach(&self) -> f32 {
        (0.5 * self.side / CELL_PADDED) as f32
    }

    /// The lower left and upper right corner of a cell, slightly inside it.
    fn cell_bounds(&self, column: i64, row: i64) -> (Vec2, Vec2) {
        let corner = |part: f64| {
            let at = |low: f64, cell: i64| (low + (cell as f64 + part) * self.side) as f32;
            Vec2::new(at(self.low[0], column), at(self.low[1], row))
        };
        (corner(-INSIDE_CELL), corner(INSIDE_CELL))
    }
}
