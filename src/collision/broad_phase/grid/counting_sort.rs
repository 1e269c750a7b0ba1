//! Fills a grid. Discs are divided into levels, and sorted by their cells with a counting sort. Its parts are a
//! histogram of the cells, its prefix sum, and the scatter of the discs to their places.

use bevy::prelude::*;
use core::ops::Range;

use super::{
    Grid, Lookahead, Sorted,
    level::{Level, box_around, key},
};
use crate::collision::{
    discs::Discs,
    simd::{SimdLevel, max},
    threads::{self, Threads},
};

/// The ratio of the reaches of neighbouring levels. If no disc reaches less than this share of the farthest, one level
/// holds them all. A power of four, since a level covers two exponents of the reach.
const LEVEL_RATIO: f32 = 0.25;

/// Upper bound of the number of levels; the last holds everything smaller. Their reaches span a factor of 4¹¹, four
/// million.
const MAX_LEVELS: usize = 12;

/// A level with more discs per cell than this, as seen by a disc and including it, is tested in runs of eight instead
/// of four. Above it, three neighbouring cells often hold more than four. Chosen by hand; no measurement was kept.
const CROWDED_CELL: f32 = 1.6;

/// The largest number of cells in a table for `discs` discs.
fn max_cells(discs: usize) -> i64 {
    4 * discs as i64 + 64
}

impl Grid {
    /// Sorts the discs into cells by their positions in the middle of `time` seconds. Each disc reaches as far as its
    /// speed takes it until then, however fast it is. All pairs are found, unless thousands of discs are in one spot
    /// (see [`Grid::may_miss`]).
    pub(crate) fn fill_exhaustive(&mut self, discs: &Discs, time: f32, simd: SimdLevel, threads: Threads) {
        let half = 0.5 * time;
        self.exhaustive = true;
        let lookahead = Lookahead {
            first: half,
            rest: time - half,
            slack: 0.0,
            radius_scale: 1.0,
            most: f32::INFINITY,
            holds_present: false,
        };
        self.fill_all(discs, lookahead, simd, threads);
    }

    /// Sorts the discs into cells by their search positions. If many discs are in one spot, not all of their pairs are
    /// found.
    pub(crate) fn fill(&mut self, discs: &Discs, lookahead: Lookahead, simd: SimdLevel, threads: Threads) {
        self.exhaustive = false;
        self.fill_all(discs, lookahead, simd, threads);
    }

    fn fill_all(&mut self, discs: &Discs, lookahead: Lookahead, simd: SimdLevel, threads: Threads) {
        self.levels.clear();
        self.refiled.clear();
        let extent = self.place_discs(discs, lookahead, simd, threads);
        self.same_reach = (extent.smallest == extent.largest).then_some(extent.largest);
        let count = discs.len();
        self.cell.resize(count, 0);
        self.sorted.resize(count);
        self.cell_starts.clear();
        if extent.smallest >= LEVEL_RATIO * extent.largest {
            let level = Level::new(extent.largest, extent.low, extent.high);
            self.add_level(level, None, extent.high, 0, simd, threads);
            return;
        }
        let mut by_level = std::mem::take(&mut self.by_level);
        let sizes = self.divide_into_levels(extent.largest, &mut by_level);
        let mut at = 0;
        for size in sizes.into_iter().filter(|&size| size > 0) {
            let discs = &by_level[at..at + size];
            let reach = discs.iter().fold(0.0, |reach, &i| max(reach, self.reach[i as usize]));
            let [low, high] = box_around(discs.iter().map(|&i| [self.centre[i as usize]; 2]));
            self.add_level(Level::new(reach, low, high), Some(discs), high, at, simd, threads);
            at += size;
        }
        self.by_level = by_level;
    }

    /// Sorts the discs by level, in order within each, and returns the number of discs per level.
    fn divide_into_levels(&self, largest: f32, by_level: &mut Vec<u32>) -> [usize; MAX_LEVELS] {
        // The exponent of a share below 1 is -1 or less; every second one starts a level.
        let per_largest = 1.0 / (largest * (1.0 + f32::EPSILON));
        let level = |reach: f32| {
            let exponent = ((reach * per_largest).to_bits() >> 23) as usize;
            (126_usize.saturating_sub(exponent) / 2).min(MAX_LEVELS - 1)
        };
        let mut sizes = [0; MAX_LEVELS];
        for &reach in &self.reach {
            sizes[level(reach)] += 1;
        }
        let mut next = sizes;
        next.iter_mut().fold(0, |start, size| std::mem::replace(size, start) + start);
        by_level.resize(self.reach.len(), 0);
        for (i, &reach) in self.reach.iter().enumerate() {
            let place = &mut next[level(reach)];
            by_level[*place] = i as u32;
            *place += 1;
        }
        sizes
    }

    /// Adds `discs` (all, if `None`) to their cells in `level`, from place `at` on.
    fn add_level(
        &mut self,
        mut level: Level,
        discs: Option<&[u32]>,
        high: Vec2,
        at: usize,
        simd: SimdLevel,
        threads: Threads,
    ) {
        let count = discs.map_or(self.cell.len(), <[u32]>::len);
        level.discs = at..at + count;
        let most = max_cells(self.cell.len());
        let spacious = level.clone();
        level.coarsen(high, most);
        let coarsened = level.side > spacious.side;
        let first = self.cell_starts.len();
        level.table = Some(first);
        match discs {
            None => self.assign_all_cells(&level, simd, threads),
            Some(discs) => self.assign_cells(&level, discs),
        }
        // With an end for each table, so that levels do not share a boundary.
        let size = level.table_size() as usize + 1;
        self.cell_starts.resize(first + size, 0);
        let cells = &mut self.cell_starts[first..];
        let histograms = CellHistogram::of_runs(cells, first, &self.cell, discs, threads.tasks(count, 2));
        let tests = histograms.iter().map(|histogram| histogram.tests).sum::<u64>();
        level.crowded = tests as f32 > CROWDED_CELL * count as f32;
        if coarsened && tests > 32 * count as u64 {
            self.cell_starts.truncate(first);
            self.sort_by_key(Level { table: None, discs: level.discs, ..spacious }, discs);
            return;
        }
        let mut places = self.sorted.slices(self.same_reach);
        places.take(at);
        let (centre, reach) = (&self.centre[..], &self.reach[..]);
        let mut before = at as u32;
        let mut tasks = Vec::with_capacity(histograms.len());
        for histogram in histograms {
            let (start, count) = (before, histogram.end);
            let places = places.take(count as usize);
            tasks.push(move || histogram.scatter(start, places, centre, reach));
            before += count;
        }
        threads::run(tasks);
        self.levels.push(level);
    }

    /// The cells of some discs.
    fn assign_cells(&mut self, level: &Level, discs: &[u32]) {
        let first = level.table.unwrap_or(0) as i64;
        for &i in discs {
            let centre = self.centre[i as usize];
            let cell = (level.row(centre.y) + 1) * level.width() + level.column(centre.x) + 1;
            self.cell[i as usize] = (first + cell) as u32;
        }
    }

    /// Sorts the discs of a level without a table.
    fn sort_by_key(&mut self, level: Level, discs: Option<&[u32]>) {
        let mut keyed = std::mem::take(&mut self.keyed);
        keyed.clear();
        let keyed_disc = |i: u32| {
            let centre = self.centre[i as usize];
            (key(level.row(centre.y), level.column(centre.x)), i)
        };
        match discs {
            None => keyed.extend((0..self.cell.len() as u32).map(keyed_disc)),
            Some(discs) => keyed.extend(discs.iter().copied().map(keyed_disc)),
        }
        keyed.sort_unstable();
        self.sorted.key.resize(self.cell.len(), 0);
        for (at, &(key, i)) in level.discs.clone().zip(&keyed) {
            self.sorted.slices(None).set(at, self.centre[i as usize], self.reach[i as usize], i);
            self.sorted.key[at] = key;
        }
        self.keyed = keyed;
        self.levels.push(level);
    }
}

impl Sorted {
    /// The arrays to fill; without `reach` if it is the `same` for all discs.
    fn slices(&mut self, same: Option<f32>) -> SortedSlices<'_> {
        let Self { centre, reach, disc, .. } = self;
        if let Some(same) = same {
            reach.fill(same);
        }
        SortedSlices { centre, reach: if same.is_some() { &mut [] } else { reach }, disc }
    }
}

/// The arrays of [`Sorted`] while they are being filled.
struct SortedSlices<'a> {
    centre: &'a mut [Vec2],
    reach: &'a mut [f32],
    disc: &'a mut [[u32; 2]],
}

impl SortedSlices<'_> {
    fn set(&mut self, at: usize, centre: Vec2, reach: f32, disc: u32) {
        (self.centre[at], self.disc[at]) = (centre, [disc, 0]);
        if let Some(its) = self.reach.get_mut(at) {
            *its = reach;
        }
    }

    /// Takes the first `count` places; the rest remains.
    fn take(&mut self, count: usize) -> Self {
        let reaches = if self.reach.is_empty() { 0 } else { count };
        Self {
            centre: threads::take(&mut self.centre, count),
            reach: threads::take(&mut self.reach, reaches),
            disc: threads::take(&mut self.disc, count),
        }
    }
}

/// A run of the cells of a table, with the discs of a level. Only the discs in these cells are placed.
struct CellHistogram<'a> {
    /// The number of its first cell.
    first: u32,
    /// In turn: the number of discs in each cell (the histogram), the first place after them (the prefix sum), and
    /// their first place (after the scatter).
    cell_starts: &'a mut [u32],
    /// The cell of every disc.
    cell: &'a [u32],
    /// The discs of the level, unless those are all.
    discs: Option<&'a [u32]>,
    /// The number of its discs.
    end: u32,
    /// The sum of the squares of the numbers of discs in its cells: a measure of the number of pair tests.
    tests: u64,
}

impl<'a> CellHistogram<'a> {
    /// Counts and sums the discs of a level, in as many runs of its cells as there are tasks; `first` is the number of
    /// the first cell.
    fn of_runs(
        cells: &'a mut [u32],
        first: usize,
        cell: &'a [u32],
        discs: Option<&'a [u32]>,
        tasks: usize,
    ) -> Vec<Self> {
        let runs = threads::parts(cells.len(), tasks);
        let pieces = threads::cut(cells, &runs);
        let histogram = |(run, cell_starts): (&Range<usize>, _)| {
            let first = (first + run.start) as u32;
            Self { first, cell_starts, cell, discs, end: 0, tests: 0 }
        };
        let mut histograms: Vec<Self> = runs.iter().zip(pieces).map(histogram).collect();
        threads::run(histograms.iter_mut().map(|histogram| || histogram.count_and_sum()).collect());
        histograms
    }

    fn count_and_sum(&mut self) {
        let Self { first, cell_starts, cell, discs, end, tests } = self;
        let mut count = |cell: u32| {
            if let Some(count) = cell_starts.get_mut(cell.wrapping_sub(*first) as usize) {
                *count += 1;
            }
        };
        match discs {
            None => cell.iter().copied().for_each(&mut count),
            Some(discs) => discs.iter().for_each(|&i| count(cell[i as usize])),
        }
        for start in &mut **cell_starts {
            *tests += u64::from(*start) * u64::from(*start);
            *end += *start;
            *start = *end;
        }
    }

    /// Puts each disc into the last free place of its cell; `before` places precede this histogram.
    fn scatter(mut self, before: u32, mut places: SortedSlices, centre: &[Vec2], reach: &[f32]) {
        // Backward, so that the end of every cell becomes its start, and its discs stay in order.
        match self.discs {
            None => self.scatter_discs((0..self.cell.len()).rev(), &mut places, centre, reach),
            Some(discs) => self.scatter_discs(discs.iter().rev().map(|&i| i as usize), &mut places, centre, reach),
        }
        for start in self.cell_starts {
            *start += before;
        }
    }

    fn scatter_discs(
        &mut self,
        discs: impl Iterator<Item = usize>,
        places: &mut SortedSlices,
        centre: &[Vec2],
        reach: &[f32],
    ) {
        let (cell_starts, cell, first) = (&mut *self.cell_starts, self.cell, self.first);
        let SortedSlices { centre: centres, reach: reaches, disc } = places;
        let count = centres.len();
        let (centres, disc) = (&mut centres[..count], &mut disc[..count]);
        let (centre, varied) = (&centre[..cell.len()], !reaches.is_empty());
        for i in discs {
            let cell = cell[i];
            if let Some(start) = cell_starts.get_mut(cell.wrapping_sub(first) as usize) {
                *start -= 1;
                let at = *start as usize;
                (centres[at], disc[at]) = (centre[i], [i as u32, cell]);
                if varied {
                    reaches[at] = reach[i];
                }
            }
        }
    }
}
