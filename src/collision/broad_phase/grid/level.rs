//! A level of a grid: the size of its cells, and the cell of a position.

use bevy::prelude::*;
use core::ops::Range;

use crate::collision::{
    shape::rounding::{CELL_PADDED, PADDED},
    simd::{max, min},
};

/// A uniform grid for the discs of one size class.
#[derive(Clone, Debug)]
pub(super) struct Level {
    /// The side of a cell, metres.
    pub(super) side: f64,
    /// Cells per metre.
    pub(super) per_metre: f64,
    /// The middle of the first cell, metres.
    pub(super) low: [f64; 2],
    pub(super) columns: i64,
    pub(super) rows: i64,
    /// Its range of discs in `sorted`.
    pub(super) discs: Range<usize>,
    /// The start of its cells in `cell_starts`; `None` if it has no table.
    pub(super) table: Option<usize>,
    /// Whether its cells hold so many discs that four places per run are not enough.
    pub(super) crowded: bool,
}

/// Upper bound of the number of rows and of columns, so that both fit into one [`key`].
const MAX_CELLS: f64 = (1_u32 << 30) as f64;

/// Row and column as one number, so that cells are ordered by row.
pub(super) fn key(row: i64, column: i64) -> u64 {
    ((row as u64) << 32) | column as u64
}

/// The nearest integer; of two, the even one. (Added to 1.5 · 2⁵², a number has its integer part in its lowest bits.)
fn nearest(value: f64) -> i64 {
    (value + ROUND - ROUND) as i64
}

/// 1.5 · 2⁵²: adding it to a number smaller than 2⁵¹ leaves the nearest integer in the lowest bits.
pub(super) const ROUND: f64 = 6_755_399_441_055_744.0;

/// The low and high corner of the box around some boxes, each given by its corners. NaN is ignored, as positions of
/// discs in pockets are NaN.
pub(super) fn box_around(boxes: impl Iterator<Item = [Vec2; 2]>) -> [Vec2; 2] {
    boxes.fold([Vec2::INFINITY, Vec2::NEG_INFINITY], |[low, high], [other_low, other_high]| {
        // Unlike those of `Vec2`, these keep the first number if the second is NaN.
        let low = Vec2::new(min(low.x, other_low.x), min(low.y, other_low.y));
        [low, Vec2::new(max(high.x, other_high.x), max(high.y, other_high.y))]
    })
}

/// The farthest column or row. Discs farther out share it, so that its neighbours can be counted.
const FARTHEST: f64 = (1_u64 << 40) as f64;

impl Level {
    /// A level whose discs reach at most `reach` metres and whose centres are in `low..=high`.
    pub(super) fn new(reach: f32, low: Vec2, high: Vec2) -> Self {
        // If all positions are NaN, there are no bounds.
        let (low, high) = if low.cmple(high).all() { (low, high) } else { (Vec2::ZERO, Vec2::ZERO) };
        let low = [f64::from(low.x), f64::from(low.y)];
        let extent = (f64::from(high.x) - low[0]).max(f64::from(high.y) - low[1]);
        // Slightly more than the discs need, so that no rounding puts neighbours two cells apart.
        let side = (2.0 * f64::from(reach) * CELL_PADDED).max(extent / MAX_CELLS);
        let mut level =
            Self { side, per_metre: 0.0, low, columns: 0, rows: 0, discs: 0..0, table: None, crowded: false };
        level.divide(side, high);
        level
    }

    fn divide(&mut self, side: f64, high: Vec2) {
        self.side = side;
        self.per_metre = 1.0 / side;
        self.columns = self.column(high.x) + 1;
        self.rows = self.row(high.y) + 1;
    }

    /// The column of a coordinate; outside the level it is negative or beyond the last one. It never decreases as `x`
    /// increases, despite rounding.
    pub(super) fn column(&self, x: f32) -> i64 {
        self.cell(x, self.low[0])
    }

    pub(super) fn row(&self, y: f32) -> i64 {
        self.cell(y, self.low[1])
    }

    fn cell(&self, at: f32, low: f64) -> i64 {
        nearest(((f64::from(at) - low) * self.per_metre).clamp(-FARTHEST, FARTHEST))
    }

    /// The greatest distance of a disc of this level from a circle that it overlaps, metres along each axis.
    pub(super) fn margin(&self, reach: f32) -> f32 {
        (f64::from(reach) + 0.5 * self.side) as f32 * PADDED
    }

    /// The number of cells in a row of the table. It includes an empty one on either side, so that every cell has
    /// neighbours.
    pub(super) fn width(&self) -> i64 {
        self.columns + 2
    }

    pub(super) fn table_size(&self) -> i64 {
        self.width() * (self.rows + 2)
    }

    /// Enlarges the cells so that a table has at most `most` of them.
    pub(super) fn coarsen(&mut self, high: Vec2, most: i64) {
        while self.table_size() > most {
            self.divide(self.side * (self.table_size() as f64 / most as f64).sqrt().clamp(1.05, 1e6), high);
        }
    }
}
