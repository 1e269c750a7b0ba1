//! The grid of the broad phase: discs in the order of their cells, so that whatever is near in space is near in memory.
//!
//! Discs are divided into levels by how far they reach, a factor of four each, so that a few large discs do not make
//! the cells of many small ones large. A level is a uniform grid whose cells are as wide as its largest disc reaches
//! from side to side: what a disc can meet lies in its own cell and the eight around. Cells are numbered row by row, so
//! the three neighbours in a row lie one behind the other in memory and are tested as one run, four at a time, with
//! four of another run (see [`SimdLevel`](crate::collision::SimdLevel)).
//!
//! A level keeps a table of its cells, of at most four cells a disc. Where that is not enough the cells are made
//! larger; if the discs then crowd into a few of them, the world is vast and lumpy, and the level keeps a sorted list
//! of the occupied cells instead. So the memory follows the number of discs, however far apart they are.

use bevy::prelude::*;
use core::ops::Range;

mod across;
mod counting_sort;
mod level;
mod pairs;
mod placement;
mod query;
mod refile;

pub use across::PairsAcross;
use level::{Level, key};
pub use pairs::MAX_PARTNERS;
pub use placement::{Lookahead, cut_short};
pub use refile::NewCircle;
use refile::Refiled;

/// The discs by cell, and how far each may reach. Its order is by level (largest
/// discs first), row, column, and index of the disc; no result depends on it.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    levels: Vec<Level>,
    /// For each cell of every table its first disc in `sorted`, and one past the end.
    cell_starts: Vec<u32>,
    sorted: Sorted,
    /// Where each disc is looked for, by its index, metres.
    centre: Vec<Vec2>,
    /// How far from there it may reach, by its index, metres.
    reach: Vec<f32>,
    /// Where in `cell_starts` the cell of each disc is, by its index.
    cell: Vec<u32>,
    /// Row and column of a disc and its index, for a level without a table.
    keyed: Vec<(u64, u32)>,
    /// How far each may reach, if that is the same for all, metres.
    same_reach: Option<f32>,
    /// The pairs of each task but the first, until they are put together.
    found: Vec<Vec<[u32; 2]>>,
    /// The discs by level, where there are several.
    by_level: Vec<u32>,
    /// The circles of the discs that have left their first ones.
    refiled: Refiled,
    /// Whether a disc may have any number of partners, as the continuous mode needs it.
    exhaustive: bool,
}

/// What a pair test reads, in the order of the cells, each array with [`BEYOND`] more values at its end.
#[derive(Clone, Debug, Default)]
struct Sorted {
    centre: Vec<Vec2>,
    reach: Vec<f32>,
    /// The disc, and where in `cell_starts` its cell is.
    disc: Vec<[u32; 2]>,
    /// The cells of levels without a table; elsewhere nothing useful.
    key: Vec<u64>,
}

/// How many values follow the last disc, so that eight can be read from any index.
const BEYOND: usize = 8;

impl Grid {
    /// Where the discs of columns `left..=right` of a row are.
    #[inline(always)]
    fn run(&self, level: &Level, row: i64, left: i64, right: i64) -> Range<usize> {
        let (left, right) = (left.max(0), right.min(level.columns - 1));
        if !(0..level.rows).contains(&row) || left > right {
            return 0..0;
        }
        if let Some(first) = level.table {
            let row = first + ((row + 1) * level.width() + 1) as usize;
            return self.cell_starts[row + left as usize] as usize..self.cell_starts[row + right as usize + 1] as usize;
        }
        let keys = &self.sorted.key[level.discs.clone()];
        let start = keys.partition_point(|&k| k < key(row, left));
        let end = start + keys[start..].partition_point(|&k| k <= key(row, right));
        level.discs.start + start..level.discs.start + end
    }

    /// The row after this one; without a table the next that holds a disc.
    #[inline(always)]
    fn next_row(&self, level: &Level, row: i64) -> i64 {
        if level.table.is_some() {
            return row + 1;
        }
        let keys = &self.sorted.key[level.discs.clone()];
        let next = keys.partition_point(|&k| k < key(row + 1, 0));
        keys.get(next).map_or(i64::MAX, |&k| (k >> 32) as i64)
    }

    /// Where each disc is looked for, metres, and how far from there it may reach, metres.
    pub(crate) fn circles(&self) -> (&[Vec2], &[f32]) {
        (&self.centre, &self.reach)
    }

    /// The occupied cells, the largest first: the corner with the smallest coordinates and the side of each, metres,
    /// and how many discs it holds.
    pub fn cells(&self) -> impl Iterator<Item = (Vec2, f32, usize)> + '_ {
        self.levels.iter().flat_map(move |level| {
            let mut at = level.discs.start;
            std::iter::from_fn(move || {
                if at == level.discs.end {
                    return None;
                }
                let centre = self.sorted.centre[at];
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

impl Sorted {
    fn resize(&mut self, count: usize) {
        self.centre.resize(count + BEYOND, Vec2::ZERO);
        self.reach.resize(count + BEYOND, 0.0);
        self.disc.resize(count, [0; 2]);
    }
}
