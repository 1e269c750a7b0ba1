//! Broad phase: which discs may touch which discs, walls and corners within the tick.
//!
//! A uniform grid, made once a tick from where the discs will be after the first substep. It is kept as a list of discs
//! sorted by cell, so its memory follows the number of discs, however far apart they are. Each disc reaches as far as its
//! radius and, with several substeps, as far as its present speed takes it in the rest of the tick. A disc that is hit
//! within the tick may get farther than that; what it meets there is found on the next tick.

use bevy::prelude::*;

use super::space::{Bodies, Reach, Space};

/// The discs sorted by cell, and what each may reach.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// The side of a cell, metres. No disc reaches farther than half of it.
    pub cell: f32,
    /// Cells per metre.
    per_metre: f64,
    /// The discs by cell; a cell's discs by index.
    entries: Vec<Entry>,
    /// Key and first entry of every occupied cell in the order of the keys, and a last one past the end.
    runs: Vec<(u64, u32)>,
    /// Where each disc is looked for, by its index.
    places: Vec<Entry>,
    /// How many discs each cell of the box around all has, and then where its next one goes.
    counts: Vec<u32>,
}

/// A disc as the grid sees it.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// The cell: row and then column, so that keys order cells by row.
    key: u64,
    /// Where the disc is after the first substep, metres.
    centre: Vec2,
    /// How far from there it may reach, metres.
    reach: f32,
    /// Index into the bodies.
    disc: u32,
}

/// Column and row of a cell, kept within bounds so that neighbours always exist.
const EDGE: f64 = (1 << 30) as f64;

fn cell_key(column: i64, row: i64) -> u64 {
    (((row + (1 << 31)) as u64) << 32) | ((column + (1 << 31)) as u64)
}

fn row_of(key: u64) -> i64 {
    (key >> 32) as i64 - (1 << 31)
}

fn column_of(key: u64) -> i64 {
    (key & 0xffff_ffff) as i64 - (1 << 31)
}

impl Grid {
    fn index(&self, coordinate: f32) -> i64 {
        // In f64 the quotient is exact enough that neighbours never end up two cells apart.
        let quotient = (f64::from(coordinate) * self.per_metre).clamp(-EDGE, EDGE);
        // `floor`, without the call that it is where the processor's own is not known to be there.
        let toward_zero = quotient as i64;
        toward_zero - i64::from(toward_zero as f64 > quotient)
    }

    /// Sorts the discs into cells.
    fn fill(&mut self, bodies: &Bodies, time_step: f32, substep: f32) {
        let largest = bodies.radius.iter().copied().fold(0.0, f32::max);
        let rest = time_step - substep;
        let mut farthest = 0.0_f32;
        self.places.clear();
        for i in 0..bodies.len() {
            let velocity = bodies.velocity[i];
            // More than one radius a tick is beyond what the stepped mode resolves; the cap keeps one very fast disc from
            // putting everybody else into one cell.
            let travel = if rest > 0.0 { (velocity.length() * rest).min(largest) } else { 0.0 };
            let reach = bodies.radius[i] + travel;
            farthest = farthest.max(reach);
            self.places.push(Entry { key: 0, centre: bodies.position[i] + velocity * substep, reach, disc: i as u32 });
        }
        self.cell = 2.0 * farthest * 1.0001;
        self.per_metre = 1.0 / f64::from(self.cell);

        let (mut low, mut high) = ((i64::MAX, i64::MAX), (i64::MIN, i64::MIN));
        for i in 0..self.places.len() {
            let Entry { centre, .. } = self.places[i];
            let (column, row) = (self.index(centre.x), self.index(centre.y));
            self.places[i].key = cell_key(column, row);
            low = (low.0.min(column), low.1.min(row));
            high = (high.0.max(column), high.1.max(row));
        }
        let (columns, rows) = (high.0 - low.0 + 1, high.1 - low.1 + 1);
        if columns * rows <= 4 * self.places.len() as i64 + 64 {
            self.count_into_cells(low, columns as usize, rows as usize);
        } else {
            // A huge and sparse world: a box of cells around all would be mostly empty.
            self.entries.clone_from(&self.places);
            self.entries.sort_unstable_by_key(|entry| (entry.key, entry.disc));
        }

        self.runs.clear();
        for (at, entry) in self.entries.iter().enumerate() {
            if self.runs.last().is_none_or(|&(last, _)| last != entry.key) {
                self.runs.push((entry.key, at as u32));
            }
        }
        self.runs.push((u64::MAX, self.entries.len() as u32));
    }

    /// A counting sort over the box of cells whose lowest cell is `low`; the same order as sorting by key and disc.
    fn count_into_cells(&mut self, low: (i64, i64), columns: usize, rows: usize) {
        let cell = |key: u64| (row_of(key) - low.1) as usize * columns + (column_of(key) - low.0) as usize;
        self.counts.clear();
        self.counts.resize(columns * rows, 0);
        for place in &self.places {
            self.counts[cell(place.key)] += 1;
        }
        let mut next = 0;
        for count in &mut self.counts {
            (*count, next) = (next, next + *count);
        }
        self.entries.resize(self.places.len(), Entry::default());
        for place in &self.places {
            let slot = &mut self.counts[cell(place.key)];
            self.entries[*slot as usize] = *place;
            *slot += 1;
        }
    }

    fn members(&self, run: usize) -> &[Entry] {
        &self.entries[self.runs[run].1 as usize..self.runs[run + 1].1 as usize]
    }

    /// Every pair of discs whose reaches meet, each once, smaller index first, in the order of the cells.
    fn pairs(&self, pairs: &mut Vec<[u32; 2]>) {
        pairs.clear();
        let (mut above_first, mut above_last) = (0, 0);
        for run in 0..self.runs.len() - 1 {
            let (key, start) = self.runs[run];
            let (column, row) = (column_of(key), row_of(key));
            // What follows in the cell and the cell to the right are neighbours in memory, and so are the three cells above.
            let right = self.runs[run + 1].0 == cell_key(column + 1, row);
            let end = self.runs[run + 1 + usize::from(right)].1 as usize;
            let (first, last) = (cell_key(column - 1, row + 1), cell_key(column + 1, row + 1));
            while self.runs[above_first].0 < first {
                above_first += 1;
            }
            above_last = above_last.max(above_first);
            while self.runs[above_last].0 <= last {
                above_last += 1;
            }
            let above = &self.entries[self.runs[above_first].1 as usize..self.runs[above_last].1 as usize];
            for (k, a) in self.members(run).iter().enumerate() {
                for b in &self.entries[start as usize + k + 1..end] {
                    a.pair_with(b, pairs);
                }
                for b in above {
                    a.pair_with(b, pairs);
                }
            }
        }
    }

    /// Calls `visit` with every disc whose cell meets the box from `low` to `high`.
    fn discs_in(&self, low: Vec2, high: Vec2, mut visit: impl FnMut(u32)) {
        let (left, right) = (self.index(low.x), self.index(high.x));
        let (bottom, top) = (self.index(low.y), self.index(high.y));
        let end = cell_key(right, top);
        let mut run = self.runs.partition_point(|&(key, _)| key < cell_key(left, bottom));
        while self.runs[run].0 <= end {
            let key = self.runs[run].0;
            let (column, row) = (column_of(key), row_of(key));
            if column < left {
                run += self.runs[run..].partition_point(|&(key, _)| key < cell_key(left, row));
            } else if column > right {
                run += self.runs[run..].partition_point(|&(key, _)| key < cell_key(left, row + 1));
            } else {
                for entry in self.members(run) {
                    visit(entry.disc);
                }
                run += 1;
            }
        }
    }

    /// The occupied cells: the corner with the smallest coordinates of each, metres, and how many discs it holds.
    pub fn cells(&self) -> impl Iterator<Item = (Vec2, usize)> + '_ {
        (0..self.runs.len().saturating_sub(1)).map(|run| {
            let key = self.runs[run].0;
            let corner = Vec2::new(column_of(key) as f32, row_of(key) as f32) * self.cell;
            (corner, self.members(run).len())
        })
    }
}

impl Entry {
    fn pair_with(&self, other: &Self, pairs: &mut Vec<[u32; 2]>) {
        let sum = self.reach + other.reach;
        if self.centre.distance_squared(other.centre) <= sum * sum {
            pairs.push([self.disc.min(other.disc), self.disc.max(other.disc)]);
        }
    }
}

impl Space {
    /// The grid of the last broad phase, for looking at.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }
}

/// Finds the candidates of this tick.
pub fn broad_phase(space: &mut Space) {
    let substep = space.substep();
    let Space { bodies, grid, pairs, walls, corners, wall_reach, corner_reach, time_step, .. } = space;
    wall_reach.clear();
    corner_reach.clear();
    pairs.clear();
    if bodies.is_empty() {
        return;
    }
    grid.fill(bodies, *time_step, substep);
    grid.pairs(pairs);

    // Toward terrain a disc reaches along its whole path within the tick, in any direction if it may be turned around, and
    // one radius more, which `PushApart` may shove it.
    let turns = *time_step - substep;
    let swept = |i: usize| -> (Vec2, Vec2) {
        let (from, to) = (bodies.position[i], grid.places[i].centre);
        let turned = if turns > 0.0 { bodies.velocity[i].length() * turns } else { 0.0 };
        let margin = Vec2::splat(2.0 * bodies.radius[i] + turned);
        (from.min(to) - margin, from.max(to) + margin)
    };
    // How far a swept box may stick out from the point by which its disc is filed.
    let mut overhang = Vec2::ZERO;
    for i in 0..bodies.len() {
        let (low, high) = swept(i);
        overhang = overhang.max((grid.places[i].centre - low).max(high - grid.places[i].centre));
    }
    let meets = |low: Vec2, high: Vec2, i: u32| {
        let (disc_low, disc_high) = swept(i as usize);
        low.cmple(disc_high).all() && disc_low.cmple(high).all()
    };
    for (piece, wall) in walls.iter().enumerate() {
        let (low, high) = (wall.a.min(wall.b), wall.a.max(wall.b));
        grid.discs_in(low - overhang, high + overhang, |disc| {
            if meets(low, high, disc) {
                wall_reach.push(Reach { disc, piece: piece as u32 });
            }
        });
    }
    for (piece, corner) in corners.iter().enumerate() {
        let (low, high) = (corner.centre - corner.radius, corner.centre + corner.radius);
        grid.discs_in(low - overhang, high + overhang, |disc| {
            if meets(low, high, disc) {
                corner_reach.push(Reach { disc, piece: piece as u32 });
            }
        });
    }
    wall_reach.sort_unstable();
    corner_reach.sort_unstable();
}
