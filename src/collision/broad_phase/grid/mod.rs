//! The grid of the broad phase. Discs are stored in the order of their cells, so neighbours in space are neighbours in
//! memory.
//!
//! Discs are divided into levels by their reach, by a factor of four each, so that a few large discs do not enlarge the
//! cells of many small ones. A level is a uniform grid whose cells are as wide as twice the reach of its largest disc.
//! So everything that a disc can touch is in its own cell and the eight around it. Cells are numbered row by row. The
//! three neighbours in a row are therefore adjacent in memory and tested as one run, four at a time, together with four
//! of another run (see [`SimdLevel`](crate::collision::SimdLevel)).
//!
//! A level has a table of its cells, with at most four cells per disc. If that is not enough, the cells are enlarged.
//! If the discs then crowd into a few of them, because the scene is vast and uneven, the level keeps a sorted list of
//! the occupied cells instead. So memory is proportional to the number of discs, however far apart they are.

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

/// The discs by cell, with the reach of each. The order is by level (largest discs first), row, column, and index of
/// the disc; no result depends on it.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    levels: Vec<Level>,
    /// For each cell of every table, its first disc in `sorted`; one more value at the end.
    cell_starts: Vec<u32>,
    sorted: Sorted,
    /// The search position of each disc, by index, metres.
    centre: Vec<Vec2>,
    /// The reach of each disc around that position, by index, metres.
    reach: Vec<f32>,
    /// The place of the cell of each disc in `cell_starts`, by index.
    cell: Vec<u32>,
    /// Row and column of a disc with its index, for a level without a table.
    keyed: Vec<(u64, u32)>,
    /// The reach, if it is the same for all, metres.
    same_reach: Option<f32>,
    /// The pairs of each task except the first, until they are combined.
    found: Vec<Vec<[u32; 2]>>,
    /// The discs by level, if there are several.
    by_level: Vec<u32>,
    /// The new circles of discs that have left their first ones.
    refiled: Refiled,
    /// Whether a disc may have any number of partners, as the continuous mode requires.
    exhaustive: bool,
}

/// The data of a pair test, in the order of the cells. Each array has [`BEYOND`] more values at its end.
#[derive(Clone, Debug, Default)]
struct Sorted {
    centre: Vec<Vec2>,
    reach: Vec<f32>,
    /// The disc, and the place of its cell in `cell_starts`.
    disc: Vec<[u32; 2]>,
    /// The cells in levels without a table; unused elsewhere.
    key: Vec<u64>,
}

/// The number of values after the last disc, so that eight can be read from any index.
const BEYOND: usize = 8;

impl Grid {
    /// The range of the discs in columns `left..=right` of a row.
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

    /// The next row; without a table, the next one that contains a disc.
    #[inline(always)]
    fn next_row(&self, level: &Level, row: i64) -> i64 {
        if level.table.is_some() {
            return row + 1;
        }
        let keys = &self.sorted.key[level.discs.clone()];
        let next = keys.partition_point(|&k| k < key(row + 1, 0));
        keys.get(next).map_or(i64::MAX, |&k| (k >> 32) as i64)
    }

    /// The search position of each disc and its reach around it, metres.
    pub(crate) fn circles(&self) -> (&[Vec2], &[f32]) {
        (&self.centre, &self.reach)
    }

    /// The occupied cells, the largest first: the lower left corner and the side of each, metres, and the number of
    /// discs in it.
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
