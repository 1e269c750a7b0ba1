//! Candidate pairs of a grid: the discs that reach each other. Runs of neighbouring cells, and the kernel that tests
//! them.

use bevy::math::Vec2;
use core::ops::Range;

use super::{
    Grid, Sorted,
    level::{Level, key},
};
use crate::collision::{
    simd::{Kernel, SimdLevel, SimdWidth, TwoFours},
    threads::{self, Threads},
};

/// The largest number of pairs listed for one disc. Discs that do not overlap deeply stay below it: fewer than a
/// hundred fit around a disc four times as large, each reaching twice its radius. For thousands of discs in one spot,
/// it is enough to separate them over several ticks.
pub const MAX_PARTNERS: usize = 128;

/// The largest average number of pairs per disc in an exhaustive search: ten times that of discs without overlap. See
/// [`Grid::most_pairs`].
const MAX_PAIRS_PER_DISC: usize = 512;

/// The number of pairs that is always allowed, however few the discs: a list of 32 MB, filled in a few milliseconds.
const ALWAYS_ALLOWED_PAIRS: usize = 1 << 22;

impl Grid {
    /// Every pair of discs whose reaches overlap, each once, the smaller index first, in the order of the cells.
    /// Returns whether any disc has more than [`HEAPED_PARTNERS`] others near it.
    pub(crate) fn pairs(&mut self, simd: SimdLevel, threads: Threads, pairs: &mut Vec<[u32; 2]>) -> bool {
        pairs.clear();
        let mut heaped = false;
        let mut found = std::mem::take(&mut self.found);
        for level in 0..self.levels.len() {
            let discs = &self.levels[level].discs;
            let mut ranges = threads.divide(discs.len(), 5);
            for range in &mut ranges {
                *range = discs.start + range.start..discs.start + range.end;
            }
            found.resize_with(found.len().max(ranges.len() - 1), Vec::new);
            found.iter_mut().for_each(Vec::clear);
            let grid = &*self;
            let outputs = std::iter::once(&mut *pairs).chain(&mut found);
            let task = |(places, pairs)| move || simd.run(FindPairs { grid, level, places, pairs });
            heaped |= threads::run(ranges.into_iter().zip(outputs).map(task).collect()).contains(&true);
            for more in &found {
                pairs.extend_from_slice(more);
            }
        }
        self.found = found;
        heaped
    }
}

/// A disc with more partners than this among the discs after it counts as part of a heap. By area, fewer than 18 discs
/// of one size fit within reach without overlap. A disc much larger than the others counts, too.
const HEAPED_PARTNERS: usize = 32;

/// Finds the pairs of a level whose second disc comes later in it or is in a level of larger discs, for the first discs
/// `places`.
struct FindPairs<'a> {
    grid: &'a Grid,
    level: usize,
    places: Range<usize>,
    pairs: &'a mut Vec<[u32; 2]>,
}

impl Kernel for FindPairs<'_> {
    /// Whether a disc has more than [`HEAPED_PARTNERS`] partners among those after it.
    type Output = bool;

    #[inline(always)]
    fn run<W: SimdWidth>(self, simd: W) -> bool {
        let Self { grid, level, places, pairs } = self;
        let mut heaped = false;
        if level == 0 && grid.levels[0].table.is_some() {
            let mut finds = [Find::default(); BLOCK];
            for start in places.clone().step_by(BLOCK) {
                let places = start..places.end.min(start + BLOCK);
                heaped |= match (grid.same_reach.is_some(), grid.levels[0].crowded) {
                    (true, false) => grid.test_one_level::<W, true, 4>(simd, places, &mut finds, pairs),
                    (true, true) => grid.test_one_level::<W, true, 8>(simd, places, &mut finds, pairs),
                    (false, false) => grid.test_one_level::<W, false, 4>(simd, places, &mut finds, pairs),
                    (false, true) => grid.test_one_level::<W, false, 8>(simd, places, &mut finds, pairs),
                };
            }
        } else {
            heaped = grid.test_all_levels(simd, level, places, pairs);
        }
        heaped
    }
}

/// A disc with something within reach.
#[derive(Clone, Copy, Default)]
struct Find {
    place: u32,
    /// Bit `k` for the `k`th disc after it; bit `4 + k` for the `k`th disc in the three cells above; from bit 8 on
    /// those that follow them; [`Find::MANY`].
    mask: u32,
}

impl Find {
    /// One of the runs has more candidates than were tested.
    const MANY: u32 = 1 << 31;
}

/// The number of discs tested before their pairs are written: their results, 4 kB, stay in the first-level cache.
const BLOCK: usize = 512;

impl Grid {
    /// Tests some discs of a table against the following ones in their cells and the cells to the right, and against
    /// the three cells above.
    ///
    /// Few discs have anything within reach, and which ones is unpredictable, so the first loop is branch-free. It
    /// tests `MOST` of each run, four or eight. If all reaches are equal, it does not read them.
    #[inline(always)]
    fn test_one_level<W: SimdWidth, const SAME_REACH: bool, const MOST: usize>(
        &self,
        simd: W,
        places: Range<usize>,
        finds: &mut [Find; BLOCK],
        pairs: &mut Vec<[u32; 2]>,
    ) -> bool {
        let before_width = (self.levels[0].width() - 1) as u32 as usize;
        let Sorted { centre, reach, disc, .. } = &self.sorted;
        let (centre, reach) = (&centre[..], &reach[..centre.len()]);
        let (cell_starts, discs) = (&self.cell_starts[..], &disc[places.clone()]);
        let runs = |place: usize, cell: u32| {
            let cell_starts = &cell_starts[cell as usize..cell as usize + before_width + 4];
            [
                place + 1..cell_starts[2] as usize,
                cell_starts[before_width] as usize..cell_starts[before_width + 3] as usize,
            ]
        };
        let limit = self.same_reach.map_or(0.0, |reach| (2.0 * reach) * (2.0 * reach));
        let test = TwoRuns::<W, SAME_REACH> { simd, centre, reach, limit };
        let mut found = 0;
        let own = centre[places.clone()].iter().zip(&reach[places.clone()]);
        for ((place, &[_, cell]), (&own, &own_reach)) in places.clone().zip(discs).zip(own) {
            let [right, above] = runs(place, cell);
            let count = right.end.wrapping_sub(right.start);
            let above_count = above.end.wrapping_sub(above.start);
            let (at, next) = (right.start, above.start);
            let mut mask = test.mask(own, own_reach, [at, next]) & two_first_bits(count, above_count);
            if MOST > 4 {
                let more = test.mask(own, own_reach, [at + 4, next + 4]);
                mask |= (more & two_first_bits(count.saturating_sub(4), above_count.saturating_sub(4))) << 8;
            }
            if count.max(above_count) > MOST {
                // Whatever these bits are, the disc is tested again.
                mask |= Find::MANY;
            }
            finds[found % BLOCK] = Find { place: place as u32, mask };
            found += usize::from(mask != 0);
        }
        let mut heaped = false;
        for &Find { place, mask } in &finds[..found] {
            let place = place as usize;
            let [right, above] = runs(place, disc[place][1]);
            if mask >= Find::MANY {
                let before = pairs.len();
                self.test(simd, place, [right, above], pairs, self.max_pairs(pairs));
                heaped |= pairs.len() - before > HEAPED_PARTNERS;
            } else {
                self.record_pairs(place, mask, [right.start, above.start], pairs);
            }
        }
        heaped
    }

    /// The number of pairs to search for in an exhaustive search. Discs that do not overlap have a few dozen each at
    /// most, even if some reach far. More occur only if thousands are in one spot, where time and memory for all pairs
    /// would grow with the square of their number.
    fn most_pairs(&self) -> usize {
        (MAX_PAIRS_PER_DISC * self.centre.len()).max(ALWAYS_ALLOWED_PAIRS)
    }

    /// Whether there are so many pairs that some may be missing in spite of an exhaustive search.
    pub(crate) fn may_miss(&self, pairs: &[[u32; 2]]) -> bool {
        self.exhaustive && pairs.len() >= self.most_pairs()
    }

    /// From now on limits the pairs of a disc as in the stepped mode.
    pub(crate) fn bound_partners(&mut self) {
        self.exhaustive = false;
    }

    /// The largest number of pairs after the next disc.
    fn max_pairs(&self, pairs: &[[u32; 2]]) -> usize {
        if self.exhaustive { self.most_pairs() } else { pairs.len() + MAX_PARTNERS }
    }

    /// Writes the pairs of one disc with those whose bit is set: of each eight, four from one place and four from the
    /// other.
    #[inline(always)]
    fn record_pairs(&self, place: usize, mut mask: u32, [at, next]: [usize; 2], pairs: &mut Vec<[u32; 2]>) {
        let disc = &self.sorted.disc;
        while mask != 0 {
            let k = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            let other = if k & 4 == 0 { at } else { next } + (k & 3) + (k >> 3) * 4;
            let ([a, _], [b, _]) = (disc[place], disc[other]);
            pairs.push([a.min(b), a.max(b)]);
        }
    }

    /// Tests some discs of a level against the rest of it and against all levels of larger discs.
    #[inline(always)]
    fn test_all_levels<W: SimdWidth>(
        &self,
        simd: W,
        level: usize,
        places: Range<usize>,
        pairs: &mut Vec<[u32; 2]>,
    ) -> bool {
        let mut heaped = false;
        let (coarser, level) = (&self.levels[..level], &self.levels[level]);
        let mut cursor = Cursor::new(self, level);
        for place in places {
            let (before, most) = (pairs.len(), self.max_pairs(pairs));
            let Vec2 { x, y } = self.sorted.centre[place];
            let runs = match level.table {
                Some(_) => {
                    let (column, row) = (level.column(x), level.row(y));
                    let right = self.run(level, row, column, column + 1).end;
                    [place + 1..right, self.run(level, row + 1, column - 1, column + 1)]
                }
                None => cursor.around(place),
            };
            self.test(simd, place, runs, pairs, most);
            for level in coarser {
                let (column, row) = (level.column(x), level.row(y));
                let run = |row| self.run(level, row, column - 1, column + 1);
                self.test(simd, place, [run(row - 1), run(row)], pairs, most);
                self.test(simd, place, [run(row + 1), 0..0], pairs, most);
            }
            heaped |= pairs.len() - before > HEAPED_PARTNERS;
        }
        heaped
    }

    /// Tests one disc against two runs of others, until there are `most` pairs.
    #[inline(always)]
    fn test<W: SimdWidth>(
        &self,
        simd: W,
        place: usize,
        mut runs: [Range<usize>; 2],
        pairs: &mut Vec<[u32; 2]>,
        most: usize,
    ) {
        let Sorted { centre, reach, .. } = &self.sorted;
        while pairs.len() < most && !(runs[0].is_empty() && runs[1].is_empty()) {
            let [at, next] = [runs[0].start, runs[1].start];
            let [count, above_count] = [runs[0].len().min(4), runs[1].len().min(4)];
            let (centres, reaches) = (two_fours(centre, at, next), two_fours(reach, at, next));
            let mask = simd.overlap_mask(centre[place], reach[place], centres, reaches);
            self.record_pairs(place, mask & two_first_bits(count, above_count), [at, next], pairs);
            runs[0].start += count;
            runs[1].start += above_count;
        }
    }
}

/// The lowest `count` bits of four, and the lowest `next` bits of four more; arbitrary if those exceed 31.
#[inline(always)]
pub(super) fn two_first_bits(count: usize, next: usize) -> u32 {
    let first_bits = |count: usize| 1_u32.wrapping_shl(count as u32).wrapping_sub(1) & 0xf;
    first_bits(count) | first_bits(next) << 4
}

/// The circles that a run of discs is tested against.
struct TwoRuns<'a, W, const SAME_REACH: bool> {
    simd: W,
    centre: &'a [Vec2],
    reach: &'a [f32],
    /// The square of twice the common reach.
    limit: f32,
}

impl<W: SimdWidth, const SAME_REACH: bool> TwoRuns<'_, W, SAME_REACH> {
    /// The circles that overlap this one, of four from either place on, as bits.
    #[inline(always)]
    fn mask(&self, centre: Vec2, reach: f32, [at, next]: [usize; 2]) -> u32 {
        let centres = two_fours(self.centre, at, next);
        if SAME_REACH {
            self.simd.overlap_mask_of_equals(centre, self.limit, centres)
        } else {
            self.simd.overlap_mask(centre, reach, centres, two_fours(self.reach, at, next))
        }
    }
}

/// Four values from each of two places.
#[inline(always)]
pub(super) fn two_fours<T>(values: &[T], at: usize, next: usize) -> TwoFours<'_, T> {
    let four = |at: usize| values[at..at + 4].first_chunk().expect("they are four");
    [four(at), four(next)]
}

/// Steps through the occupied cells of a level without a table.
struct Cursor<'a> {
    keys: &'a [u64],
    offset: usize,
    right: usize,
    first: usize,
    last: usize,
}

impl<'a> Cursor<'a> {
    fn new(grid: &'a Grid, level: &Level) -> Self {
        let keys = if level.table.is_some() { &[] } else { &grid.sorted.key[level.discs.clone()] };
        Self { keys, offset: level.discs.start, right: 0, first: 0, last: 0 }
    }

    /// The discs after the one at `place` in its cell and the cell to the right, and those in the three cells above.
    /// Places must be given in order.
    fn around(&mut self, place: usize) -> [Range<usize>; 2] {
        let keys = self.keys;
        let own = keys[place - self.offset];
        let (row, column) = ((own >> 32) as i64, (own & 0xffff_ffff) as i64);
        let walk = |from: &mut usize, past: u64| {
            while keys.get(*from).is_some_and(|&k| k < past) {
                *from += 1;
            }
            self.offset + *from
        };
        let right = walk(&mut self.right, key(row, column + 2));
        let first = walk(&mut self.first, key(row + 1, (column - 1).max(0)));
        let last = walk(&mut self.last, key(row + 1, column + 2));
        [place + 1..right, first..last]
    }
}
