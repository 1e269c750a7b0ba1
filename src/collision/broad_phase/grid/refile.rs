//! Discs that have left the circles with which a grid was filled, inserted again at the cells of their current
//! positions.
//!
//! The sorted discs stay unchanged. Beside them, every cell has a chain of later discs. So the time to find the
//! neighbours of one of them does not depend on how many others have left their circles.

use bevy::prelude::*;
use core::ops::Range;

use super::{
    Grid, MAX_PARTNERS, Sorted,
    level::Level,
    pairs::{two_first_bits, two_fours},
};
use crate::collision::{broad_phase::circles::Circles, shape::rounding::HALF_CELL_PADDED, simd::SimdWidth};

/// The new circle of a disc.
#[derive(Clone, Copy, Debug)]
pub struct NewCircle {
    pub disc: u32,
    /// Metres.
    pub centre: Vec2,
    /// Metres.
    pub reach: f32,
}

/// The circles added after the grid was filled. A disc may have several; outdated ones do no harm.
#[derive(Clone, Debug, Default)]
pub(super) struct Refiled {
    /// For each cell of every table, one past the last of its circles in `chained`; 0 if it has none.
    heads: Vec<u32>,
    chained: Vec<Chained>,
    /// The circles outside all cells, and their discs.
    overflow_circles: Circles,
    overflow: Vec<u32>,
    /// The neighbours of the current disc.
    neighbours: Vec<u32>,
}

/// A circle in the chain of its cell.
#[derive(Clone, Copy, Debug)]
struct Chained {
    circle: NewCircle,
    cell: u32,
    /// One past the previous one in its cell; 0 if there is none.
    before: u32,
}

/// The sorted discs in the nine cells around that overlap a circle.
#[derive(Clone, Copy, Debug, Default)]
struct Near {
    /// The middle cell; 0 if the circle belongs to none.
    cell: u32,
    /// Bits 0 to 3 for the first discs of the three cells below, 4 to 7 for those beside it, 8 to 11 for those above;
    /// [`Near::MANY`].
    mask: u32,
}

impl Near {
    /// One of the runs has more discs than were tested.
    const MANY: u32 = 1 << 31;
}

/// The number of circles tested before their pairs are written: their results, 1 kB, stay in the first-level cache.
const BLOCK: usize = 128;

/// The number of pairs collected on the stack before they are appended to the list.
const COLLECTED_PAIRS: usize = 512;

impl Refiled {
    /// Removes all circles.
    pub(super) fn clear(&mut self) {
        for chained in &self.chained {
            self.heads[chained.cell as usize] = 0;
        }
        self.chained.clear();
        self.overflow.clear();
        self.overflow_circles.clear(0);
    }

    /// Makes room for the chains of this many cells.
    pub(super) fn make_room(&mut self, cells: usize) {
        if self.heads.len() < cells {
            self.heads.resize(cells, 0);
        }
    }

    fn file(&mut self, circle: NewCircle, cell: Option<u32>) {
        if let Some(cell) = cell {
            let head = &mut self.heads[cell as usize];
            self.chained.push(Chained { circle, cell, before: *head });
            *head = self.chained.len() as u32;
        } else {
            self.overflow_circles.put(self.overflow.len(), circle.centre, circle.reach);
            self.overflow.push(circle.disc);
        }
    }

    /// Whether any of the nine cells has a chain; `width` is the width of a row of the table.
    #[inline(always)]
    fn is_any_around(&self, cell: u32, width: usize) -> bool {
        let heads = &self.heads[cell as usize - width - 1..][..2 * width + 3];
        let any_of_three = |at: usize| heads[at] | heads[at + 1] | heads[at + 2];
        any_of_three(0) | any_of_three(width) | any_of_three(2 * width) != 0
    }

    /// Records the pairs of a circle with the chains of some neighbouring cells, up to `most`.
    fn record_chained(&self, cells: Range<usize>, circle: NewCircle, pairs: &mut Vec<[u32; 2]>, most: usize) {
        for &head in &self.heads[cells] {
            let mut next = head;
            while let Some(&Chained { circle: other, before, .. }) = self.chained.get((next as usize).wrapping_sub(1))
                && pairs.len() < most
            {
                let sum = circle.reach + other.reach;
                if circle.centre.distance_squared(other.centre) <= sum * sum && circle.disc != other.disc {
                    pairs.push(pair(circle.disc, other.disc));
                }
                next = before;
            }
        }
    }
}

impl Grid {
    /// Gives some discs new circles, and adds their pairs with all discs whose circles overlap these, some more than
    /// once. Returns whether a disc has so many that not all were found.
    #[inline(always)]
    pub(crate) fn refile<W: SimdWidth>(&mut self, simd: W, circles: &[NewCircle], pairs: &mut Vec<[u32; 2]>) -> bool {
        let mut refiled = std::mem::take(&mut self.refiled);
        refiled.make_room(self.cell_starts.len());
        for circle in circles {
            self.centre[circle.disc as usize] = circle.centre;
            self.reach[circle.disc as usize] = circle.reach;
        }
        let mut heaped = false;
        if let [level] = &self.levels[..]
            && level.table.is_some()
        {
            for circles in circles.chunks(BLOCK) {
                heaped |= self.refile_in_one_level(simd, level, circles, &mut refiled, pairs);
            }
        } else {
            let mut neighbours = std::mem::take(&mut refiled.neighbours);
            for &circle in circles {
                heaped |= self.record_all(simd, circle, &refiled, &mut neighbours, pairs);
                refiled.file(circle, self.cell_in_its_level(circle));
            }
            refiled.neighbours = neighbours;
        }
        self.refiled = refiled;
        heaped
    }

    /// Whether filling the grid again is faster than continuing.
    pub(crate) fn has_too_many_refiled(&self) -> bool {
        let count = self.centre.len();
        // All of the overflow is tested each time.
        self.refiled.overflow.len() > 64 + 4 * count.isqrt() || self.refiled.chained.len() > 64 + count / 2
    }

    #[inline(always)]
    fn refile_in_one_level<W: SimdWidth>(
        &self,
        simd: W,
        level: &Level,
        circles: &[NewCircle],
        refiled: &mut Refiled,
        pairs: &mut Vec<[u32; 2]>,
    ) -> bool {
        let width = level.width() as usize;
        // Overlaps are unpredictable, so this pass is branch-free.
        let mut all_near = [Near::default(); BLOCK];
        for (near, circle) in all_near.iter_mut().zip(circles) {
            *near = self.test_nine_cells(simd, level, circle);
        }
        let mut heaped = false;
        let mut neighbours = std::mem::take(&mut refiled.neighbours);
        let (mut found, mut block) = (0, [[0; 2]; COLLECTED_PAIRS]);
        for (&Near { cell, mut mask }, &circle) in all_near.iter().zip(circles) {
            if cell == 0 || mask >= Near::MANY || !refiled.overflow.is_empty() {
                heaped |= self.record_all(simd, circle, refiled, &mut neighbours, pairs);
                refiled.file(circle, (cell != 0).then_some(cell));
                continue;
            }
            if found + 16 > COLLECTED_PAIRS {
                pairs.extend_from_slice(&block[..found]);
                found = 0;
            }
            let first = cell as usize - width - 1;
            while mask != 0 {
                let k = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                let place = self.cell_starts[first + (k >> 2) * width] as usize + (k & 3);
                let [other, _] = self.sorted.disc[place];
                block[found % COLLECTED_PAIRS] = pair(circle.disc, other);
                // The old circle of the disc itself is among them.
                found += usize::from(other != circle.disc);
            }
            if refiled.is_any_around(cell, width) {
                let most = pairs.len() + MAX_PARTNERS;
                for row in 0..3 {
                    refiled.record_chained(first + row * width..first + row * width + 3, circle, pairs, most);
                }
                heaped |= pairs.len() == most;
            }
            refiled.file(circle, Some(cell));
        }
        pairs.extend_from_slice(&block[..found]);
        refiled.neighbours = neighbours;
        heaped
    }

    /// Tests a circle against the first four sorted discs of each of the three runs around its cell.
    #[inline(always)]
    fn test_nine_cells<W: SimdWidth>(&self, simd: W, level: &Level, circle: &NewCircle) -> Near {
        let Some(cell) = level.cell_for(circle.centre, circle.reach) else { return Near::default() };
        let (width, middle) = (level.width() as usize, cell as usize);
        let starts = &self.cell_starts[middle - width - 1..][..2 * width + 4];
        let (below, below_end) = (starts[0] as usize, starts[3] as usize);
        let (beside, beside_end) = (starts[width] as usize, starts[width + 3] as usize);
        let (above, above_end) = (starts[2 * width] as usize, starts[2 * width + 3] as usize);
        let Sorted { centre, reach, .. } = &self.sorted;
        let &NewCircle { centre: own_centre, reach: own_reach, .. } = circle;
        let [below_count, beside_count, above_count] = [below_end - below, beside_end - beside, above_end - above];
        let first =
            simd.overlap_mask(own_centre, own_reach, two_fours(centre, below, beside), two_fours(reach, below, beside));
        let second =
            simd.overlap_mask(own_centre, own_reach, two_fours(centre, above, above), two_fours(reach, above, above));
        let mut mask = first & two_first_bits(below_count, beside_count);
        mask |= (second & two_first_bits(above_count, 0)) << 8;
        if below_count.max(beside_count).max(above_count) > 4 {
            mask = Near::MANY;
        }
        Near { cell, mask }
    }

    /// Records the pairs of a circle with all others, at all levels.
    #[inline(always)]
    pub(super) fn record_all<W: SimdWidth>(
        &self,
        simd: W,
        circle: NewCircle,
        refiled: &Refiled,
        neighbours: &mut Vec<u32>,
        pairs: &mut Vec<[u32; 2]>,
    ) -> bool {
        let NewCircle { disc, centre, reach } = circle;
        let most = pairs.len() + 2 * MAX_PARTNERS;
        neighbours.clear();
        self.list_overlapping(simd, centre, reach, neighbours);
        refiled.overflow_circles.for_each_overlapping(simd, centre, reach, |at| neighbours.push(refiled.overflow[at]));
        let many = neighbours.len() > 2 * MAX_PARTNERS;
        neighbours.truncate(2 * MAX_PARTNERS);
        pairs.extend(neighbours.iter().filter(|&&other| other != disc).map(|&other| pair(disc, other)));
        for level in &self.levels {
            let Some(first) = level.table else { continue };
            let margin = level.margin(reach);
            let (left, right) = (level.column(centre.x - margin), level.column(centre.x + margin));
            let (left, right) = (left.max(0), right.min(level.columns - 1));
            let (bottom, top) = (level.row(centre.y - margin).max(0), level.row(centre.y + margin).min(level.rows - 1));
            if left > right {
                continue;
            }
            for row in bottom..=top {
                let start = first + ((row + 1) * level.width() + 1) as usize;
                refiled.record_chained(start + left as usize..start + right as usize + 1, circle, pairs, most);
            }
        }
        many || pairs.len() >= most
    }

    /// The cell for a new circle in the level of its disc, if all levels have tables.
    fn cell_in_its_level(&self, circle: NewCircle) -> Option<u32> {
        if self.levels.iter().any(|level| level.table.is_none()) {
            return None;
        }
        let cell = self.cell[circle.disc as usize] as usize;
        let level = self.levels.iter().rfind(|level| level.table.is_some_and(|first| first <= cell))?;
        level.cell_for(circle.centre, circle.reach)
    }
}

impl Level {
    /// The cell of the table for a circle, if its centre is within the level and it overlaps nothing of the level
    /// beyond the eight cells around.
    #[inline(always)]
    fn cell_for(&self, centre: Vec2, reach: f32) -> Option<u32> {
        let (column, row) = (self.column(centre.x), self.row(centre.y));
        let is_within = (0..self.columns).contains(&column) & (0..self.rows).contains(&row);
        let is_small = f64::from(reach) * 2.0 * HALF_CELL_PADDED <= self.side;
        let first = self.table?;
        (is_within & is_small).then(|| first as u32 + ((row + 1) * self.width() + column + 1) as u32)
    }
}

fn pair(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::{
        discs::{DiscState, Discs},
        simd::SimdLevel,
        space::PhysicsSpace,
    };
    use std::collections::HashSet;

    /// Pseudorandom numbers in 0..1.
    fn numbers() -> impl FnMut() -> f32 {
        let mut state = 1_u64;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1 << 24) as f32
        }
    }

    /// A gas whose discs are moved at random, some at a time, with a query for all overlapping pairs each time; the
    /// first disc may be elsewhere.
    fn none_is_missing(count: usize, extent: f32, first: Option<Vec2>, scale: impl Fn(usize) -> f32) {
        for simd in SimdLevel::available() {
            let mut number = numbers();
            let mut place = move || Vec2::new(number(), number()) * extent;
            let mut space = PhysicsSpace::default();
            (space.clock.time_step, space.compute.simd) = (1.0 / 60.0, simd);
            space.discs = (0..count)
                .map(|i| DiscState {
                    id: i as u64,
                    position: first.filter(|_| i == 0).unwrap_or_else(&mut place),
                    velocity: (place() - 0.5 * extent) / extent * 40.0,
                    radius: 0.3 * scale(i),
                    ..DiscState::default()
                })
                .collect();
            space.find_pairs(0.0, 1.0);
            let generation = space.broad_phase.candidates.generation;
            for round in 0..10 {
                for disc in (round..count).step_by(count / 12) {
                    // Far away and near; some outside all cells.
                    let step = if round % 3 == 0 { place() - 0.5 * extent } else { (place() - 0.5 * extent) / extent };
                    space.discs.position[disc] += step;
                }
                let PhysicsSpace { discs, broad_phase, .. } = &mut space;
                broad_phase.candidates.outside.clear();
                (0..count as u32).for_each(|disc| broad_phase.pushed(disc, discs));
                let sought = space.compute.sought(&space.discs, &space.clock, space.cell);
                space.broad_phase.update_pairs(sought);
                let Discs { position, radius, .. } = &space.discs;
                let known: HashSet<[u32; 2]> = space.pairs().iter().copied().collect();
                for b in 0..count {
                    assert!(!known.contains(&[b as u32; 2]), "a disc is not its own partner");
                    for a in 0..b {
                        let overlap = position[a].distance(position[b]) < radius[a] + radius[b];
                        assert!(!overlap || known.contains(&[a as u32, b as u32]), "{a} and {b}, round {round}");
                    }
                }
            }
            assert_eq!(space.broad_phase.candidates.generation, generation, "only those that moved were found again");
        }
    }

    #[test]
    fn discs_that_leave_their_circles_are_found_again() {
        none_is_missing(600, 20.0, None, |_| 1.0);
        none_is_missing(600, 20.0, None, |i| 1.0 + 0.1 * (i % 7) as f32);
    }

    #[test]
    fn discs_of_all_sizes_are_found_again() {
        none_is_missing(600, 30.0, None, |i| if i % 50 == 0 { 8.0 } else { 1.0 });
        none_is_missing(600, 30.0, None, |i| if i % 50 == 1 { 0.02 } else { 1.0 });
    }

    #[test]
    fn discs_in_a_crowd_are_found_again() {
        none_is_missing(600, 8.0, None, |_| 1.0);
    }

    #[test]
    fn discs_of_a_vast_world_are_found_again() {
        none_is_missing(600, 20.0, Some(Vec2::splat(1e6)), |_| 1.0);
    }
}
