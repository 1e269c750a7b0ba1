//! The spatial index of terrain: the walls and fixed circles whose boxes overlap a given box, and the corners shared by
//! walls. It is kept between ticks and updated piece by piece (`changes`). Its content follows from the pieces alone,
//! whatever the order of changes.

use std::sync::Arc;

use bevy::prelude::*;

use crate::collision::shape::{Bounds, FixedCircle, Tree, Wall};

mod changes;
mod corner_tree;
mod pieces;
#[cfg(test)]
mod tests;
mod weld;

pub use pieces::{Pieces, PlacedTerrain, TerrainArrays, TerrainChange, TerrainTables};
pub use weld::{corner_directions, corners_among};

/// A wall or a fixed circle, as an index into [`PhysicsSpace::walls`](crate::collision::PhysicsSpace::walls) or
/// [`PhysicsSpace::fixed_circles`](crate::collision::PhysicsSpace::fixed_circles). Walls come before corners.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Piece {
    Wall(u32),
    FixedCircle(u32),
}

impl Piece {
    /// In a number in the tree, this bit is set for a corner.
    const FIXED_CIRCLE: u32 = 1 << 31;

    fn of_number(number: u32) -> Self {
        if number < Self::FIXED_CIRCLE { Self::Wall(number) } else { Self::FixedCircle(number & !Self::FIXED_CIRCLE) }
    }

    fn number(self) -> u32 {
        match self {
            Self::Wall(index) => index,
            Self::FixedCircle(index) => index | Self::FIXED_CIRCLE,
        }
    }
}

/// Up to this many pieces, the empty box is recomputed at every change, which takes one pass over them. Chosen by hand;
/// no measurement was kept.
const MAX_RECOMPUTED: usize = 256;

/// The number of cuts of the empty box among many pieces before it is recomputed. Cuts only shrink it. Chosen by hand.
const MAX_CUTS: u32 = 64;

/// The bounding boxes of all walls and corners, and a box that contains none.
#[derive(Clone, Debug, Default)]
pub struct TerrainIndex {
    /// Shared with predictions, which use a copy of the space.
    tree: Arc<Tree>,
    empty_box: Bounds,
    /// The number of cuts of `empty_box` since it was found.
    cuts: u32,
    version: u64,
}

impl TerrainIndex {
    /// Calls `visit` with every piece whose box overlaps this one, each once, in any order.
    #[inline(always)]
    pub fn for_each_overlapping(&self, bounds: Bounds, mut visit: impl FnMut(Piece)) {
        if !bounds.is_strictly_within(self.empty_box) {
            self.tree.for_each_overlapping(bounds, |number| visit(Piece::of_number(number)));
        }
    }

    /// Calls `visit` with every piece whose box has a `key` of at most `limit`; see [`Tree::for_each_by_key`].
    pub fn for_each_by_key(
        &self,
        limit: &mut f64,
        key: impl Fn(Bounds) -> f64,
        mut visit: impl FnMut(Piece, &mut f64),
    ) {
        self.tree.for_each_by_key(limit, &key, &mut |number, limit| visit(Piece::of_number(number), limit));
    }

    /// A number that changes whenever a wall or fixed circle is added, removed, moved or renumbered.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Gives it a version after that of the index that it replaces.
    pub fn follow(&mut self, before: &Self) {
        self.version = self.version.max(before.version) + 1;
    }

    /// A box without terrain. It is a single point until
    /// [`PhysicsSpace::finish_terrain`](crate::collision::PhysicsSpace).
    pub fn empty_box(&self) -> Bounds {
        self.empty_box
    }

    /// Rebuilds the index from all terrain.
    fn fill(&mut self, walls: &[Wall], fixed_circles: &[FixedCircle]) {
        let walls_and_bounds = walls.iter().map(Wall::bounds).zip(0..);
        let circles_and_bounds = fixed_circles.iter().map(FixedCircle::bounds).zip(Piece::FIXED_CIRCLE..);
        let mut boxes: Vec<(Bounds, u32)> = walls_and_bounds.chain(circles_and_bounds).collect();
        self.tree = Arc::new(Tree::new(&mut boxes));
        self.find_empty_box(walls, fixed_circles);
        self.version += 1;
    }

    /// Adds a piece with its final index.
    fn insert(&mut self, piece: Piece, bounds: Bounds) {
        Arc::make_mut(&mut self.tree).insert(bounds, piece.number());
        if cut(&mut self.empty_box, bounds) {
            self.cuts += 1;
        }
    }

    /// Removes a piece with the bounds that it was added with.
    fn remove(&mut self, piece: Piece, bounds: Bounds) {
        let found = Arc::make_mut(&mut self.tree).remove(bounds, piece.number());
        debug_assert!(found, "{piece:?} is not where it was");
    }

    /// Renumbers the pieces.
    fn renumber(&mut self, wall: impl Fn(u32) -> u32, circle: impl Fn(u32) -> u32) {
        Arc::make_mut(&mut self.tree).renumber(|number| match Piece::of_number(number) {
            Piece::Wall(index) => Piece::Wall(wall(index)).number(),
            Piece::FixedCircle(index) => Piece::FixedCircle(circle(index)).number(),
        });
    }

    /// Called after some pieces have changed.
    fn finish_changes(&mut self, walls: &[Wall], fixed_circles: &[FixedCircle]) {
        if walls.len() + fixed_circles.len() <= MAX_RECOMPUTED || self.cuts > MAX_CUTS {
            self.find_empty_box(walls, fixed_circles);
        }
        self.version += 1;
    }

    /// A box without terrain, as large as a simple rule finds one. Starting from the box around all terrain, every
    /// piece that reaches into it is cut off on the side where the least is lost.
    fn find_empty_box(&mut self, walls: &[Wall], fixed_circles: &[FixedCircle]) {
        let pieces = || walls.iter().map(Wall::bounds).chain(fixed_circles.iter().map(FixedCircle::bounds));
        self.cuts = 0;
        self.empty_box = pieces().reduce(Bounds::union).unwrap_or(Bounds::EVERYTHING);
        for piece in pieces() {
            cut(&mut self.empty_box, piece);
        }
    }
}

/// Cuts off the part of an empty box that a piece reaches into, on the side where the least is lost. Returns whether it
/// did.
fn cut(Bounds { low, high }: &mut Bounds, Bounds { low: from, high: to }: Bounds) -> bool {
    if !(from.cmplt(*high).all() && low.cmplt(to).all()) {
        return false;
    }
    let size = *high - *low;
    let area = |width: f32, height: f32| width.max(0.0) * height.max(0.0);
    let left = [
        area(high.x - to.x, size.y),
        area(from.x - low.x, size.y),
        area(size.x, high.y - to.y),
        area(size.x, from.y - low.y),
    ];
    let most = (0..4).fold(0, |best, side| if left[side] > left[best] { side } else { best });
    match most {
        0 => low.x = to.x,
        1 => high.x = from.x,
        2 => low.y = to.y,
        _ => high.y = from.y,
    }
    true
}
