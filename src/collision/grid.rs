//! The grid of the broad phase: discs in the order of their cells, so that whatever is near in space is near in memory.
//!
//! Discs are divided into levels by how far they reach, a factor of four each, so that a few large discs do not make the
//! cells of many small ones large. A level is a uniform grid whose cells are as wide as its largest disc reaches from side to
//! side: what a disc can meet lies in its own cell and the eight around. Cells are numbered row by row, so the three
//! neighbours in a row lie one behind the other in memory and are tested as one run, sixteen at a time (see [`Lanes`]).
//!
//! A level keeps a table of its cells, of at most four cells a disc. Where that is not enough the cells are made larger; if
//! the discs then crowd into a few of them, the world is vast and lumpy, and the level keeps a sorted list of the occupied
//! cells instead. So the memory follows the number of discs, however far apart they are.

use bevy::prelude::*;
use core::ops::Range;

use super::{
    lanes::{Job, Lanes, Sixteen, TwoEights, less, more},
    space::Bodies,
    threads::{self, Threads},
};

/// The discs by cell, and how far each may reach. Its order is that in which contacts are resolved: by level (largest
/// discs first), row, column, and index of the disc; so it follows from the state of the discs alone.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    levels: Vec<Level>,
    /// For each cell of every table its first disc in `sorted`, and one past the end.
    starts: Vec<u32>,
    sorted: Sorted,
    /// Where each disc is looked for, by its index, metres.
    centre: Vec<Vec2>,
    /// How far from there it may reach, by its index, metres.
    reach: Vec<f32>,
    /// Where in `starts` the cell of each disc is, by its index.
    cell: Vec<u32>,
    /// Row and column of a disc and its index, for a level without a table.
    keyed: Vec<(u64, u32)>,
    /// How far each may reach, if that is the same for all, metres.
    same_reach: Option<f32>,
    /// The largest radius, metres.
    pub(super) largest_radius: f32,
    /// The highest speed, m/s.
    pub(super) fastest: f32,
    /// The pairs of each job but the first, until they are put together.
    found: Vec<Vec<[u32; 2]>>,
    /// The discs by level, where there are several.
    by_level: Vec<u32>,
}

/// What a pair test reads, in the order of the cells, each array with [`BEYOND`] more values at its end.
#[derive(Clone, Debug, Default)]
struct Sorted {
    x: Vec<f32>,
    y: Vec<f32>,
    reach: Vec<f32>,
    /// The disc, and where in `starts` its cell is.
    disc: Vec<[u32; 2]>,
    /// The cells of levels without a table; elsewhere nothing useful.
    key: Vec<u64>,
}

/// Sixteen values can be read from any place on.
const BEYOND: usize = 16;

/// A uniform grid for the discs of one size class.
#[derive(Clone, Debug)]
struct Level {
    /// The side of a cell, metres.
    side: f64,
    /// Cells per metre.
    per_metre: f64,
    /// The middle of the first cell, metres.
    low: [f64; 2],
    columns: i64,
    rows: i64,
    /// Its discs in `sorted`.
    discs: Range<usize>,
    /// Where its cells begin in `starts`; `None` if it has no table.
    table: Option<usize>,
}

/// More rows or columns than this are never told apart.
const MOST_CELLS: f64 = (1_u32 << 30) as f64;

/// If no disc reaches less than this share of the farthest, one level holds them all; and so much differ the levels.
const RATIO: f32 = 0.25;

/// More levels than this make no sense; the last takes what is left.
const MOST_LEVELS: usize = 12;

/// After so many pairs no more are looked for with one disc. Discs that do not overlap much never get near it; of a heap of
/// thousands in one spot, it is enough to part them over some ticks.
const MOST_PARTNERS: usize = 64;

/// How many cells a table may have for `discs` discs.
fn most_cells(discs: usize) -> i64 {
    4 * discs as i64 + 64
}

/// Row and column as one number, so that cells are ordered by row.
fn key(row: i64, column: i64) -> u64 {
    ((row as u64) << 32) | column as u64
}

impl Level {
    /// A level whose discs reach `reach` metres at most and whose centres lie in `low..=high`.
    fn new(reach: f32, low: Vec2, high: Vec2) -> Self {
        let low = [f64::from(low.x), f64::from(low.y)];
        let extent = (f64::from(high.x) - low[0]).max(f64::from(high.y) - low[1]);
        // A little more than the discs need, so that no rounding puts neighbours two cells apart.
        let side = (2.0 * f64::from(reach) * 1.0001).max(extent / MOST_CELLS);
        let mut level = Self { side, per_metre: 0.0, low, columns: 0, rows: 0, discs: 0..0, table: None };
        level.divide(side, high);
        level
    }

    fn divide(&mut self, side: f64, high: Vec2) {
        self.side = side;
        self.per_metre = 1.0 / side;
        self.columns = self.column(high.x) + 1;
        self.rows = self.row(high.y) + 1;
    }

    /// The column of a coordinate; negative or past the last one outside of the level. It never falls while `x` rises,
    /// whatever the rounding.
    fn column(&self, x: f32) -> i64 {
        nearest((f64::from(x) - self.low[0]) * self.per_metre)
    }

    fn row(&self, y: f32) -> i64 {
        nearest((f64::from(y) - self.low[1]) * self.per_metre)
    }

    /// How many cells a row of the table has: an empty one on either side saves asking whether there is a neighbour.
    fn width(&self) -> i64 {
        self.columns + 2
    }

    fn table_size(&self) -> i64 {
        self.width() * (self.rows + 2)
    }

    /// Makes the cells large enough for a table of `most` cells.
    fn coarsen(&mut self, high: Vec2, most: i64) {
        while self.table_size() > most {
            self.divide(self.side * (self.table_size() as f64 / most as f64).sqrt().clamp(1.05, 1e6), high);
        }
    }
}

/// The nearest whole number; of two, the even one. (Added to 1.5 · 2⁵², a number has its whole part in its lowest bits.)
fn nearest(value: f64) -> i64 {
    (value + ROUND - ROUND) as i64
}

/// 1.5 · 2⁵².
const ROUND: f64 = 6_755_399_441_055_744.0;

/// What the discs have in common.
struct Extent {
    low: Vec2,
    high: Vec2,
    smallest: f32,
    largest: f32,
}

impl Grid {
    /// Sorts the discs into cells by where they are after the first substep.
    ///
    /// Each disc reaches as far as its radius and, with several substeps, as far as its present speed takes it in the rest
    /// of the tick.
    pub(super) fn fill(&mut self, bodies: &Bodies, [time_step, substep]: [f32; 2], lanes: Lanes, threads: Threads) {
        self.levels.clear();
        let extent = self.place(bodies, [substep, time_step - substep], lanes, threads);
        self.same_reach = (extent.smallest == extent.largest).then_some(extent.largest);
        let count = bodies.len();
        self.cell.resize(count, 0);
        self.sorted.resize(count);
        self.starts.clear();
        if extent.smallest >= RATIO * extent.largest {
            let level = Level::new(extent.largest, extent.low, extent.high);
            self.add_level(level, None, extent.high, 0, lanes, threads);
            return;
        }
        let mut by_level = std::mem::take(&mut self.by_level);
        let sizes = self.divide_into_levels(extent.largest, &mut by_level);
        let mut at = 0;
        for size in sizes.into_iter().filter(|&size| size > 0) {
            let discs = &by_level[at..at + size];
            let (mut reach, mut low, mut high) = (0.0_f32, Vec2::INFINITY, Vec2::NEG_INFINITY);
            for &i in discs {
                let centre = self.centre[i as usize];
                (low, high) = (low.min(centre), high.max(centre));
                reach = more(reach, self.reach[i as usize]);
            }
            self.add_level(Level::new(reach, low, high), Some(discs), high, at, lanes, threads);
            at += size;
        }
        self.by_level = by_level;
    }

    /// Sorts the discs by level, in order within each, and tells how many each level has.
    fn divide_into_levels(&self, largest: f32, by_level: &mut Vec<u32>) -> [usize; MOST_LEVELS] {
        // The exponent of a share below 1 is -1 or less; every second one begins a level.
        let per_largest = 1.0 / (largest * (1.0 + f32::EPSILON));
        let level = |reach: f32| {
            let exponent = ((reach * per_largest).to_bits() >> 23) as usize;
            (126_usize.saturating_sub(exponent) / 2).min(MOST_LEVELS - 1)
        };
        let mut sizes = [0; MOST_LEVELS];
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

    /// Files `discs` (all, if `None`) under their cells in `level`, from place `at` on.
    fn add_level(
        &mut self,
        mut level: Level,
        discs: Option<&[u32]>,
        high: Vec2,
        at: usize,
        lanes: Lanes,
        threads: Threads,
    ) {
        let count = discs.map_or(self.cell.len(), <[u32]>::len);
        level.discs = at..at + count;
        let most = most_cells(self.cell.len());
        let spacious = level.clone();
        level.coarsen(high, most);
        let coarsened = level.side > spacious.side;
        let same_reach = self.same_reach;
        let first = self.starts.len();
        level.table = Some(first);
        match discs {
            None => self.number_all(&level, lanes, threads),
            Some(discs) => self.number(&level, discs),
        }
        // With the table's own end, so that levels do not share a boundary.
        let size = level.table_size() as usize + 1;
        self.starts.resize(first + size, 0);
        let shelves = threads::parts(size, threads.jobs(count, 2));
        let (cell, sorted) = (&self.cell[..], &mut self.sorted);
        let pieces = threads::cut(&mut self.starts[first..], &shelves);
        let mut shelves: Vec<Shelf> = (shelves.iter().zip(pieces))
            .map(|(cells, starts)| Shelf { first: (first + cells.start) as u32, starts, cell, discs, end: 0, tests: 0 })
            .collect();
        threads::run(shelves.iter_mut().map(|shelf| || shelf.tally()).collect());
        if coarsened && shelves.iter().map(|shelf| shelf.tests).sum::<u64>() > 32 * count as u64 {
            self.starts.truncate(first);
            self.sort_by_key(Level { table: None, discs: level.discs, ..spacious }, discs);
            return;
        }
        let mut places = sorted.slices(same_reach);
        places.take(at);
        let (centre, reach) = (&self.centre[..], &self.reach[..]);
        let mut before = at as u32;
        let mut jobs = Vec::with_capacity(shelves.len());
        for shelf in shelves {
            let (start, count) = (before, shelf.end);
            let places = places.take(count as usize);
            jobs.push(move || shelf.file(start, places, centre, reach));
            before += count;
        }
        threads::run(jobs);
        self.levels.push(level);
    }

    /// The cells of some discs.
    fn number(&mut self, level: &Level, discs: &[u32]) {
        let first = level.table.unwrap_or(0) as i64;
        for &i in discs {
            let centre = self.centre[i as usize];
            let cell = (level.row(centre.y) + 1) * level.width() + level.column(centre.x) + 1;
            self.cell[i as usize] = (first + cell) as u32;
        }
    }

    /// Files the discs of a level that has no table.
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

    /// Where the discs of columns `left..=right` of a row are.
    fn run(&self, level: &Level, row: i64, left: i64, right: i64) -> Range<usize> {
        let (left, right) = (left.max(0), right.min(level.columns - 1));
        if !(0..level.rows).contains(&row) || left > right {
            return 0..0;
        }
        if let Some(first) = level.table {
            let row = first + ((row + 1) * level.width() + 1) as usize;
            return self.starts[row + left as usize] as usize..self.starts[row + right as usize + 1] as usize;
        }
        let keys = &self.sorted.key[level.discs.clone()];
        let start = keys.partition_point(|&k| k < key(row, left));
        let end = start + keys[start..].partition_point(|&k| k <= key(row, right));
        level.discs.start + start..level.discs.start + end
    }

    /// Every pair of discs whose reaches meet, each once, smaller index first, in the order of the cells.
    pub(super) fn pairs(&mut self, lanes: Lanes, threads: Threads, pairs: &mut Vec<[u32; 2]>) {
        pairs.clear();
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
            let job = |(places, pairs)| move || lanes.run(FindPairs { grid, level, places, pairs });
            threads::run(ranges.into_iter().zip(outputs).map(job).collect());
            for more in &found {
                pairs.extend_from_slice(more);
            }
        }
        self.found = found;
    }

    /// Where a disc was filed, metres.
    pub(super) fn centre(&self, disc: usize) -> Vec2 {
        self.centre[disc]
    }

    /// Calls `visit` with every disc that is filed in a cell within `margin` of the segment from `a` to `b`, and perhaps
    /// with some more.
    pub(super) fn discs_near(&self, a: Vec2, b: Vec2, margin: Vec2, mut visit: impl FnMut(u32)) {
        let (low, high) = (a.min(b) - margin, a.max(b) + margin);
        for level in &self.levels {
            let (left, right) = (level.column(low.x), level.column(high.x));
            let (bottom, top) = (level.row(low.y).max(0), level.row(high.y).min(level.rows - 1));
            let mut row = bottom;
            while row <= top {
                let (left, right) = level.columns_near(row, a, b, margin).unwrap_or((left, right));
                for &[disc, _] in &self.sorted.disc[self.run(level, row, left, right)] {
                    visit(disc);
                }
                row += 1;
                if level.table.is_none() {
                    // Straight to the next row that holds a disc.
                    let keys = &self.sorted.key[level.discs.clone()];
                    let next = keys.partition_point(|&k| k < key(row, 0));
                    row = keys.get(next).map_or(i64::MAX, |&k| (k >> 32) as i64);
                }
            }
        }
    }

    /// The occupied cells, the largest first: the corner with the smallest coordinates and the side of each, metres, and how
    /// many discs it holds.
    pub fn cells(&self) -> impl Iterator<Item = (Vec2, f32, usize)> + '_ {
        self.levels.iter().flat_map(move |level| {
            let mut at = level.discs.start;
            std::iter::from_fn(move || {
                if at == level.discs.end {
                    return None;
                }
                let centre = Vec2::new(self.sorted.x[at], self.sorted.y[at]);
                let (column, row) = (level.column(centre.x), level.row(centre.y));
                let held = self.run(level, row, column, column);
                at = held.end;
                let corner = Vec2::new(
                    (level.low[0] + (column as f64 - 0.5) * level.side) as f32,
                    (level.low[1] + (row as f64 - 0.5) * level.side) as f32,
                );
                Some((corner, level.side as f32, held.len()))
            })
        })
    }
}

impl Level {
    /// The columns of a row that come within `margin` of a segment; `None` if it hardly slants and its whole width counts.
    fn columns_near(&self, row: i64, a: Vec2, b: Vec2, margin: Vec2) -> Option<(i64, i64)> {
        let (a, b, margin) = (a.as_dvec2(), b.as_dvec2(), margin.as_dvec2());
        let rise = b.y - a.y;
        if rise.abs() <= self.side || (b.x - a.x).abs() <= self.side {
            return None;
        }
        let bottom = self.low[1] + (row as f64 - 0.5) * self.side - margin.y;
        let top = bottom + self.side + 2.0 * margin.y;
        let at = |y: f64| a.x + (b.x - a.x) * ((y - a.y) / rise).clamp(0.0, 1.0);
        // A cell more on either side covers the rounding.
        let (x, x2) = (at(bottom), at(top));
        let column = |x: f64| nearest((x - self.low[0]) * self.per_metre);
        Some((column(x.min(x2) - margin.x) - 1, column(x.max(x2) + margin.x) + 1))
    }
}

impl Sorted {
    fn resize(&mut self, count: usize) {
        for values in [&mut self.x, &mut self.y, &mut self.reach] {
            values.resize(count + BEYOND, 0.0);
        }
        self.disc.resize(count, [0; 2]);
    }

    /// Its arrays, to be filled; `reach` is none of them if it is the `same` for all discs.
    fn slices(&mut self, same: Option<f32>) -> SortedSlices<'_> {
        let Self { x, y, reach, disc, .. } = self;
        if let Some(same) = same {
            reach.fill(same);
        }
        SortedSlices { x, y, reach: if same.is_some() { &mut [] } else { reach }, disc }
    }
}

/// The arrays of [`Sorted`] while they are filled.
struct SortedSlices<'a> {
    x: &'a mut [f32],
    y: &'a mut [f32],
    reach: &'a mut [f32],
    disc: &'a mut [[u32; 2]],
}

impl SortedSlices<'_> {
    fn set(&mut self, at: usize, centre: Vec2, reach: f32, disc: u32) {
        (self.x[at], self.y[at], self.disc[at]) = (centre.x, centre.y, [disc, 0]);
        if let Some(its) = self.reach.get_mut(at) {
            *its = reach;
        }
    }

    /// The first `count` places; the rest stays.
    fn take(&mut self, count: usize) -> Self {
        let reaches = if self.reach.is_empty() { 0 } else { count };
        Self {
            x: threads::take(&mut self.x, count),
            y: threads::take(&mut self.y, count),
            reach: threads::take(&mut self.reach, reaches),
            disc: threads::take(&mut self.disc, count),
        }
    }
}

/// A run of the cells of a table, and the discs of a level, of which those in its cells are filed.
struct Shelf<'a> {
    /// The number of its first cell.
    first: u32,
    /// How many discs each of its cells has; then the first place past them; then their first place.
    starts: &'a mut [u32],
    /// The cell of every disc.
    cell: &'a [u32],
    /// The discs of the level, if those are not all.
    discs: Option<&'a [u32]>,
    /// How many discs it has.
    end: u32,
    /// The sum of the squares of how many discs its cells have: half of the pairs within a cell, and within two neighbours,
    /// is what a disc is tested against.
    tests: u64,
}

impl Shelf<'_> {
    fn tally(&mut self) {
        let Self { first, starts, cell, discs, end, tests } = self;
        let mut count = |cell: u32| {
            if let Some(count) = starts.get_mut(cell.wrapping_sub(*first) as usize) {
                *count += 1;
            }
        };
        match discs {
            None => cell.iter().copied().for_each(&mut count),
            Some(discs) => discs.iter().for_each(|&i| count(cell[i as usize])),
        }
        for start in &mut **starts {
            *tests += u64::from(*start) * u64::from(*start);
            *end += *start;
            *start = *end;
        }
    }

    /// Puts each disc into the last free place of its cell; `before` places are in front of this shelf.
    fn file(mut self, before: u32, mut places: SortedSlices, centre: &[Vec2], reach: &[f32]) {
        // From behind, so that every cell's end becomes its start and its discs stay in order.
        match self.discs {
            None => self.put((0..self.cell.len()).rev(), &mut places, centre, reach),
            Some(discs) => self.put(discs.iter().rev().map(|&i| i as usize), &mut places, centre, reach),
        }
        for start in self.starts {
            *start += before;
        }
    }

    fn put(&mut self, discs: impl Iterator<Item = usize>, places: &mut SortedSlices, centre: &[Vec2], reach: &[f32]) {
        let (starts, cell, first) = (&mut *self.starts, self.cell, self.first);
        let SortedSlices { x, y, reach: reaches, disc } = places;
        let count = x.len();
        let (x, y, disc) = (&mut x[..count], &mut y[..count], &mut disc[..count]);
        let (centre, varied) = (&centre[..cell.len()], !reaches.is_empty());
        for i in discs {
            let cell = cell[i];
            if let Some(start) = starts.get_mut(cell.wrapping_sub(first) as usize) {
                *start -= 1;
                let at = *start as usize;
                (x[at], y[at], disc[at]) = (centre[i].x, centre[i].y, [i as u32, cell]);
                if varied {
                    reaches[at] = reach[i];
                }
            }
        }
    }
}

impl Grid {
    /// Notes where each disc is looked for and how far it reaches, and finds what they have in common.
    fn place(&mut self, bodies: &Bodies, [substep, rest]: [f32; 2], lanes: Lanes, threads: Threads) -> Extent {
        self.largest_radius = lanes.run(Greatest(&bodies.radius));
        self.centre.resize(bodies.len(), Vec2::ZERO);
        self.reach.resize(bodies.len(), 0.0);
        let ranges = threads.divide(bodies.len(), 1);
        let pieces = threads::cut(&mut self.centre, &ranges).into_iter().zip(threads::cut(&mut self.reach, &ranges));
        let cap = self.largest_radius;
        let job = |(range, (centre, reach)): (Range<usize>, (_, _))| {
            let Bodies { position, velocity, radius, .. } = bodies;
            let (position, velocity) = (&position[range.clone()], &velocity[range.clone()]);
            let radius = &radius[range];
            move || lanes.run(Place { position, velocity, radius, centre, reach, substep, rest, cap })
        };
        let mut bounds = Bounds::NONE;
        for part in threads::run(ranges.iter().cloned().zip(pieces).map(job).collect()) {
            bounds.merge(&part);
        }
        self.fastest = greatest(&bounds.fastest).sqrt();
        let corner = |bounds: [f32; 16], pick: fn(f32, f32) -> f32| {
            let axis = |axis: usize| (0..8).map(|k| bounds[2 * k + axis]).fold(bounds[axis], pick);
            Vec2::new(axis(0), axis(1))
        };
        Extent {
            low: corner(bounds.low, less),
            high: corner(bounds.high, more),
            smallest: bounds.smallest,
            largest: bounds.largest,
        }
    }

    /// Notes the cell of every disc, where one level holds them all.
    fn number_all(&mut self, level: &Level, lanes: Lanes, threads: Threads) {
        let ranges = threads.divide(self.centre.len(), 1);
        let pieces = threads::cut(&mut self.cell, &ranges);
        let centre = &self.centre;
        let job = |(range, cell): (&Range<usize>, _)| {
            let centre = &centre[range.clone()];
            move || lanes.run(Number { centre, cell, level })
        };
        threads::run(ranges.iter().zip(pieces).map(job).collect());
    }
}

/// Notes where some discs are looked for and how far they reach.
struct Place<'a> {
    position: &'a [Vec2],
    velocity: &'a [Vec2],
    radius: &'a [f32],
    centre: &'a mut [Vec2],
    reach: &'a mut [f32],
    substep: f32,
    /// How much of the tick is left after the first substep, seconds.
    rest: f32,
    /// How far a disc may get in that, metres. More than one radius a tick is beyond what the stepped mode resolves; the cap
    /// keeps one very fast disc from putting everybody else into one cell.
    cap: f32,
}

impl Job for Place<'_> {
    type Output = Bounds;

    #[inline(always)]
    fn run<L: Sixteen>(self, _: L) -> Bounds {
        let Self { position, velocity, radius, centre, reach, substep, rest, cap } = self;
        reach.copy_from_slice(radius);
        if rest > 0.0 {
            for (reach, velocity) in reach.iter_mut().zip(velocity) {
                *reach += less((velocity.x * velocity.x + velocity.y * velocity.y).sqrt() * rest, cap);
            }
        }
        let mut bounds = Bounds::NONE;
        bounds.smallest = -greatest_of(reach, |r| -r);
        bounds.largest = greatest(reach);
        let (centres, last_centres) = centre.as_chunks_mut::<8>();
        let (positions, last_positions) = position.as_chunks::<8>();
        let (velocities, last_velocities) = velocity.as_chunks::<8>();
        for ((centre, position), velocity) in centres.iter_mut().zip(positions).zip(velocities) {
            *centre = bounds.take(position, velocity, substep);
        }
        for ((centre, position), velocity) in last_centres.iter_mut().zip(last_positions).zip(last_velocities) {
            *centre = bounds.take(&[*position; 8], &[*velocity; 8], substep)[0];
        }
        bounds
    }
}

/// What some discs have in common, eight side by side.
struct Bounds {
    /// How far they reach, metres.
    smallest: f32,
    largest: f32,
    /// x and y in turn.
    low: [f32; 16],
    high: [f32; 16],
    /// The square of the speed.
    fastest: [f32; 8],
}

impl Bounds {
    const NONE: Self = Self {
        smallest: f32::INFINITY,
        largest: 0.0,
        low: [f32::INFINITY; 16],
        high: [f32::NEG_INFINITY; 16],
        fastest: [0.0; 8],
    };

    fn merge(&mut self, other: &Self) {
        self.smallest = less(self.smallest, other.smallest);
        self.largest = more(self.largest, other.largest);
        for k in 0..16 {
            self.low[k] = less(self.low[k], other.low[k]);
            self.high[k] = more(self.high[k], other.high[k]);
        }
        for k in 0..8 {
            self.fastest[k] = more(self.fastest[k], other.fastest[k]);
        }
    }

    /// Eight discs after the first substep.
    #[inline(always)]
    fn take(&mut self, position: &[Vec2; 8], velocity: &[Vec2; 8], substep: f32) -> [Vec2; 8] {
        let mut moved = [0.0; 16];
        for k in 0..8 {
            moved[2 * k] = position[k].x + velocity[k].x * substep;
            moved[2 * k + 1] = position[k].y + velocity[k].y * substep;
            let squared = velocity[k].x * velocity[k].x + velocity[k].y * velocity[k].y;
            self.fastest[k] = more(self.fastest[k], squared);
        }
        for k in 0..16 {
            self.low[k] = less(self.low[k], moved[k]);
            self.high[k] = more(self.high[k], moved[k]);
        }
        std::array::from_fn(|k| Vec2::new(moved[2 * k], moved[2 * k + 1]))
    }
}

#[inline(always)]
fn greatest(values: &[f32]) -> f32 {
    greatest_of(values, |value| value)
}

#[inline(always)]
fn greatest_of(values: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut best = [f32::NEG_INFINITY; 16];
    let mut sixteens = values.chunks_exact(16);
    for sixteen in &mut sixteens {
        for k in 0..16 {
            best[k] = more(best[k], of(sixteen[k]));
        }
    }
    sixteens.remainder().iter().map(|&value| of(value)).chain(best).fold(f32::NEG_INFINITY, more)
}

/// The greatest of many numbers.
struct Greatest<'a>(&'a [f32]);

impl Job for Greatest<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<L: Sixteen>(self, _: L) -> f32 {
        greatest(self.0)
    }
}

/// Notes the cells of some discs in a level with a table.
struct Number<'a> {
    centre: &'a [Vec2],
    cell: &'a mut [u32],
    level: &'a Level,
}

impl Job for Number<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Sixteen>(self, _: L) {
        let Self { centre, cell, level } = self;
        let [low_x, low_y] = level.low;
        let (per_metre, width) = (level.per_metre, level.width() as u32);
        let first = level.table.unwrap_or(0) as u32 + width + 1;
        for (cell, centre) in cell.iter_mut().zip(centre) {
            // As `nearest` does; none lies below the level's low corner.
            let column = ((f64::from(centre.x) - low_x) * per_metre + ROUND).to_bits() as u32;
            let row = ((f64::from(centre.y) - low_y) * per_metre + ROUND).to_bits() as u32;
            *cell = first + row * width + column;
        }
    }
}

/// Finds the pairs of a level whose second disc comes later in it or lies in a level of larger discs, for the first discs
/// `places`.
struct FindPairs<'a> {
    grid: &'a Grid,
    level: usize,
    places: Range<usize>,
    pairs: &'a mut Vec<[u32; 2]>,
}

impl Job for FindPairs<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Sixteen>(self, lanes: L) {
        let Self { grid, level, places, pairs } = self;
        if level == 0 && grid.levels[0].table.is_some() {
            let mut finds = [Find::default(); BLOCK];
            for start in places.clone().step_by(BLOCK) {
                grid.test_one_level(lanes, start..places.end.min(start + BLOCK), &mut finds, pairs);
            }
        } else {
            grid.test_all_levels(lanes, level, places, pairs);
        }
    }
}

/// A disc that has something within reach.
#[derive(Clone, Copy, Default)]
struct Find {
    place: u32,
    /// Bit `k` for the `k`th disc after it; bit `8 + k` for the `k`th disc in the three cells above; [`Find::MANY`].
    near: u32,
}

impl Find {
    /// There are eight candidates or more in one of the runs.
    const MANY: u32 = 1 << 31;
}

/// So many discs are tested before the pairs among them are written down.
const BLOCK: usize = 512;

impl Grid {
    /// Tests some discs of a table against what follows in the cell and the cell to the right, and the three cells above.
    ///
    /// Few have anything within reach, and nobody can guess which; so the first loop goes without branches.
    #[inline(always)]
    fn test_one_level<L: Sixteen>(
        &self,
        lanes: L,
        places: Range<usize>,
        finds: &mut [Find; BLOCK],
        pairs: &mut Vec<[u32; 2]>,
    ) {
        let before_width = (self.levels[0].width() - 1) as u32 as usize;
        let Sorted { x, y, reach, disc, .. } = &self.sorted;
        let all = x.len();
        let (x, y, reach) = (&x[..all], &y[..all], &reach[..all]);
        let (starts, discs) = (&self.starts[..], &disc[places.clone()]);
        let runs = |place: usize, cell: u32| {
            let starts = &starts[cell as usize..cell as usize + before_width + 4];
            [place + 1..starts[2] as usize, starts[before_width] as usize..starts[before_width + 3] as usize]
        };
        let mut found = 0;
        let own = x[places.clone()].iter().zip(&y[places.clone()]).zip(&reach[places.clone()]);
        for ((place, &[_, cell]), ((&own_x, &own_y), &own_reach)) in places.clone().zip(discs).zip(own) {
            let [right, above] = runs(place, cell);
            let count = right.end.wrapping_sub(right.start);
            let more = above.end.wrapping_sub(above.start);
            let (at, next) = (right.start, above.start);
            let near = lanes.near(
                [own_x, own_y],
                own_reach,
                eights(x, at, next),
                eights(y, at, next),
                eights(reach, at, next),
            );
            // With eight or more in a run, whatever these bits say, the disc is looked at again.
            let bits = |count: usize| 1_u32.wrapping_shl(count as u32).wrapping_sub(1) & 0xff;
            let many = u32::from((count | more) > 7) << 31;
            let near = (near & (bits(count) | bits(more) << 8)) | many;
            finds[found % BLOCK] = Find { place: place as u32, near };
            found += usize::from(near != 0);
        }
        for &Find { place, mut near } in &finds[..found] {
            let place = place as usize;
            let [right, above] = runs(place, disc[place][1]);
            if near >= Find::MANY {
                self.test(lanes, place, [right, above], pairs, pairs.len() + MOST_PARTNERS);
                continue;
            }
            while near != 0 {
                let k = near.trailing_zeros() as usize;
                near &= near - 1;
                let other = if k < 8 { right.start + k } else { above.start + k - 8 };
                let ([a, _], [b, _]) = (disc[place], disc[other]);
                pairs.push([a.min(b), a.max(b)]);
            }
        }
    }

    /// Tests some discs of a level against the rest of it and against all levels of larger discs.
    #[inline(always)]
    fn test_all_levels<L: Sixteen>(&self, lanes: L, level: usize, places: Range<usize>, pairs: &mut Vec<[u32; 2]>) {
        let (coarser, level) = (&self.levels[..level], &self.levels[level]);
        let mut cursor = Cursor::new(self, level);
        for place in places {
            let most = pairs.len() + MOST_PARTNERS;
            let (x, y) = (self.sorted.x[place], self.sorted.y[place]);
            let runs = match level.table {
                Some(_) => {
                    let (column, row) = (level.column(x), level.row(y));
                    let right = self.run(level, row, column, column + 1).end;
                    [place + 1..right, self.run(level, row + 1, column - 1, column + 1)]
                }
                None => cursor.around(place),
            };
            self.test(lanes, place, runs, pairs, most);
            for level in coarser {
                let (column, row) = (level.column(x), level.row(y));
                let run = |row| self.run(level, row, column - 1, column + 1);
                self.test(lanes, place, [run(row - 1), run(row)], pairs, most);
                self.test(lanes, place, [run(row + 1), 0..0], pairs, most);
            }
        }
    }

    /// Tests one disc against two runs of others, until there are `most` pairs.
    #[inline(always)]
    fn test<L: Sixteen>(
        &self,
        lanes: L,
        place: usize,
        mut runs: [Range<usize>; 2],
        pairs: &mut Vec<[u32; 2]>,
        most: usize,
    ) {
        let Sorted { x, y, reach, disc, .. } = &self.sorted;
        while pairs.len() < most && !(runs[0].is_empty() && runs[1].is_empty()) {
            let [at, next] = [runs[0].start, runs[1].start];
            let [count, more] = [runs[0].len(), runs[1].len()];
            let near = lanes.near(
                [x[place], y[place]],
                reach[place],
                eights(x, at, next),
                eights(y, at, next),
                eights(reach, at, next),
            );
            let mut near = near & (first_bits(count) | first_bits(more) << 8);
            while near != 0 {
                let k = near.trailing_zeros() as usize;
                near &= near - 1;
                let other = if k < 8 { at + k } else { next + k - 8 };
                let ([a, _], [b, _]) = (disc[place], disc[other]);
                pairs.push([a.min(b), a.max(b)]);
            }
            runs[0].start += count.min(8);
            runs[1].start += more.min(8);
        }
    }
}

/// The lowest `count` bits of eight.
#[inline(always)]
fn first_bits(count: usize) -> u32 {
    0xff >> (8 - count.min(8))
}

/// Eight values from each of two places.
#[inline(always)]
fn eights(values: &[f32], at: usize, next: usize) -> TwoEights<'_> {
    let eight = |at: usize| values[at..at + 8].first_chunk().expect("they are eight");
    [eight(at), eight(next)]
}

/// Walks along the occupied cells of a level without a table.
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

    /// What follows in the cell of the disc at `place` and the cell to the right, and the three cells above. Places must
    /// come in order.
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
