//! The spatial index of terrain: which walls and fixed circles have a box that overlaps another box, and which corners
//! walls share. Kept between ticks, and changed piece by piece (`changes`); what it holds follows from the pieces
//! alone, whatever has changed in what order.

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
    /// As a number in the tree, this bit is set for a corner.
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

/// Up to this many pieces the empty box is recomputed at every change, which takes one pass over them.
/// Chosen by hand; no measurement was kept.
const MAX_RECOMPUTED: usize = 256;

/// How many times the empty box among many pieces is cut before it is recomputed. Cuts only shrink it. Chosen by hand.
const MAX_CUTS: u32 = 64;

/// The box around every wall and every corner, and one around which there is none.
#[derive(Clone, Debug, Default)]
pub struct TerrainIndex {
    /// Shared with predictions, which work on a copy.
    tree: Arc<Tree>,
    empty_box: Bounds,
    /// How often `empty_box` has been cut since it was found.
    cuts: u32,
    version: u64,
}

impl TerrainIndex {
    /// Calls `visit` with every piece whose box meets this one, in any order, each once.
    #[inline(always)]
    pub fn for_each_overlapping(&self, bounds: Bounds, mut visit: impl FnMut(Piece)) {
        if !bounds.is_strictly_within(self.empty_box) {
            self.tree.for_each_overlapping(bounds, |number| visit(Piece::of_number(number)));
        }
    }

    /// Calls `visit` with every piece whose box has a `key` of no more than `limit`; see [`Tree::for_each_by_key`].
    pub fn for_each_by_key(
        &self,
        limit: &mut f64,
        key: impl Fn(Bounds) -> f64,
        mut visit: impl FnMut(Piece, &mut f64),
    ) {
        self.tree.for_each_by_key(limit, &key, &mut |number, limit| visit(Piece::of_number(number), limit));
    }

    /// A number that is another whenever any wall or fixed circle came, went, moved or changed its index.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// A box without terrain. It is a point until [`PhysicsSpace::finish_terrain`](crate::collision::PhysicsSpace).
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

    /// Adds a piece whose index is its final one.
    fn insert(&mut self, piece: Piece, bounds: Bounds) {
        Arc::make_mut(&mut self.tree).insert(bounds, piece.number());
        if cut(&mut self.empty_box, bounds) {
            self.cuts += 1;
        }
    }

    /// Takes out a piece with the bounds that it was added with.
    fn remove(&mut self, piece: Piece, bounds: Bounds) {
        let found = Arc::make_mut(&mut self.tree).remove(bounds, piece.number());
        debug_assert!(found, "{piece:?} is not where it was");
    }

    /// Gives the pieces other indices.
    fn renumber(&mut self, wall: impl Fn(u32) -> u32, circle: impl Fn(u32) -> u32) {
        Arc::make_mut(&mut self.tree).renumber(|number| match Piece::of_number(number) {
            Piece::Wall(index) => Piece::Wall(wall(index)).number(),
            Piece::FixedCircle(index) => Piece::FixedCircle(circle(index)).number(),
        });
    }

    /// Some pieces have changed.
    fn finish_changes(&mut self, walls: &[Wall], fixed_circles: &[FixedCircle]) {
        if walls.len() + fixed_circles.len() <= MAX_RECOMPUTED || self.cuts > MAX_CUTS {
            self.find_empty_box(walls, fixed_circles);
        }
        self.version += 1;
    }

    /// A box in which there is no terrain, as large as a simple rule finds one: from the box around all of it, whatever
    /// reaches into it is cut off on the side where the least is lost.
    fn find_empty_box(&mut self, walls: &[Wall], fixed_circles: &[FixedCircle]) {
        let pieces = || walls.iter().map(Wall::bounds).chain(fixed_circles.iter().map(FixedCircle::bounds));
        self.cuts = 0;
        self.empty_box = pieces().reduce(Bounds::union).unwrap_or(Bounds::EVERYTHING);
        for piece in pieces() {
            cut(&mut self.empty_box, piece);
        }
    }
}

/// Cuts off the side of an empty box that a piece reaches into, where the least is lost. Returns whether it did.
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
