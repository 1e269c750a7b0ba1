//! Broad phase: which discs may touch which discs, walls and corners within the tick.
//!
//! A uniform grid, made once a tick from where the discs will be after the first substep. It is kept as a list of discs
//! sorted by cell, so its memory follows the number of discs, however far apart they are. Each disc reaches as far as its
//! radius and, with several substeps, as far as its present speed takes it in the rest of the tick. A disc that is hit
//! within the tick may get farther than that; what it meets there is found on the next tick.

use bevy::prelude::*;

use super::space::{Reach, Space};

/// The discs sorted by cell, and what each may reach.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// The side of a cell, metres. No disc reaches farther than half of it.
    pub cell: f32,
    /// Cell key and disc, sorted. The key orders cells by row and then by column.
    entries: Vec<(u64, u32)>,
    /// The first entry of every occupied cell, and a last one past the end.
    runs: Vec<(u64, u32)>,
    centre: Vec<Vec2>,
    reach: Vec<f32>,
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
        // Division in f64 is exact enough that neighbours never end up two cells apart.
        (f64::from(coordinate) / f64::from(self.cell)).floor().clamp(-EDGE, EDGE) as i64
    }

    fn key(&self, point: Vec2) -> u64 {
        cell_key(self.index(point.x), self.index(point.y))
    }

    /// Sorts the discs into cells.
    fn fill(&mut self, space_bodies: &super::space::Bodies, time_step: f32, substep: f32) {
        let n = space_bodies.len();
        self.centre.clear();
        self.reach.clear();
        let mut largest = 0.0_f32;
        for &radius in &space_bodies.radius {
            largest = largest.max(radius);
        }
        let mut farthest = 0.0_f32;
        let rest = time_step - substep;
        for i in 0..n {
            let velocity = space_bodies.velocity[i];
            // More than one radius a tick is beyond what the stepped mode resolves; the cap keeps one very fast disc from
            // putting everybody else into one cell.
            let travel = if rest > 0.0 { (velocity.length() * rest).min(largest) } else { 0.0 };
            let reach = space_bodies.radius[i] + travel;
            self.centre.push(space_bodies.position[i] + velocity * substep);
            self.reach.push(reach);
            farthest = farthest.max(reach);
        }
        self.cell = 2.0 * farthest * 1.0001;
        self.entries.clear();
        self.entries.extend((0..n).map(|i| (0, i as u32)));
        for i in 0..n {
            self.entries[i].0 = self.key(self.centre[i]);
        }
        self.entries.sort_unstable();
        self.runs.clear();
        for (at, &(key, _)) in self.entries.iter().enumerate() {
            if self.runs.last().is_none_or(|&(last, _)| last != key) {
                self.runs.push((key, at as u32));
            }
        }
        self.runs.push((u64::MAX, n as u32));
    }

    fn members(&self, run: usize) -> &[(u64, u32)] {
        &self.entries[self.runs[run].1 as usize..self.runs[run + 1].1 as usize]
    }

    /// Every pair of discs whose reaches meet, each once, smaller index first, in the order of the cells.
    fn pairs(&self, pairs: &mut Vec<[u32; 2]>) {
        pairs.clear();
        let cells = self.runs.len() - 1;
        let mut above = 0;
        for run in 0..cells {
            let key = self.runs[run].0;
            let (column, row) = (column_of(key), row_of(key));
            let first = cell_key(column - 1, row + 1);
            let last = cell_key(column + 1, row + 1);
            while self.runs[above].0 < first {
                above += 1;
            }
            let here = self.members(run);
            for (k, &(_, a)) in here.iter().enumerate() {
                for &(_, b) in &here[k + 1..] {
                    self.test(a, b, pairs);
                }
            }
            if self.runs[run + 1].0 == cell_key(column + 1, row) {
                self.test_all(here, self.members(run + 1), pairs);
            }
            let mut other = above;
            while self.runs[other].0 <= last {
                self.test_all(here, self.members(other), pairs);
                other += 1;
            }
        }
    }

    fn test_all(&self, here: &[(u64, u32)], there: &[(u64, u32)], pairs: &mut Vec<[u32; 2]>) {
        for &(_, a) in here {
            for &(_, b) in there {
                self.test(a, b, pairs);
            }
        }
    }

    fn test(&self, a: u32, b: u32, pairs: &mut Vec<[u32; 2]>) {
        let (i, j) = (a as usize, b as usize);
        let sum = self.reach[i] + self.reach[j];
        if self.centre[i].distance_squared(self.centre[j]) <= sum * sum {
            pairs.push([a.min(b), a.max(b)]);
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
                for &(_, disc) in self.members(run) {
                    visit(disc);
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
        let (from, to) = (bodies.position[i], grid.centre[i]);
        let margin = Vec2::splat(2.0 * bodies.radius[i] + bodies.velocity[i].length() * turns);
        (from.min(to) - margin, from.max(to) + margin)
    };
    // How far a swept box may stick out from the point by which its disc is filed.
    let mut overhang = Vec2::ZERO;
    for i in 0..bodies.len() {
        let (low, high) = swept(i);
        overhang = overhang.max((grid.centre[i] - low).max(high - grid.centre[i]));
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
