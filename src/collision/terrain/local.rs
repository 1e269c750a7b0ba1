//! The terrain near one disc, filtered for that disc: a small copy.

use crate::collision::{
    discs::{DiscFilter, Discs},
    shape::{Circle, FixedCircle, Wall},
    terrain::{
        TerrainView,
        filter::{Seen, TerrainFilter},
        index::Piece,
    },
};
/// A few walls, corners and bumpers, in the order of the originals.
#[derive(Clone, Debug, Default)]
pub struct LocalTerrain {
    walls: Vec<Wall>,
    fixed_circles: Vec<FixedCircle>,
    /// The copies, and the originals.
    pieces: Vec<Piece>,
    sources: Vec<Piece>,
}

impl LocalTerrain {
    /// The pieces that a disc collides with: all of them if nothing is filtered.
    #[inline(always)]
    pub fn met<'a>(
        &'a mut self,
        pieces: &'a [Piece],
        fixed: &TerrainView<'a>,
        filters: Option<Filters>,
        disc: usize,
        start: Circle,
    ) -> Met<'a> {
        let Some(Filters { discs, terrain }) = filters else { return Met { pieces, sources: pieces, fixed: *fixed } };
        self.fill(pieces, fixed, terrain, &Seen { discs, disc, start });
        let fixed = TerrainView { walls: &self.walls, fixed_circles: &self.fixed_circles, index: fixed.index };
        Met { pieces: &self.pieces, sources: &self.sources, fixed }
    }

    /// The same for a disc of the arrays, whose path started at its previous position.
    #[inline(always)]
    pub fn met_by<'a>(
        &'a mut self,
        i: usize,
        discs: &Discs,
        pieces: &'a [Piece],
        fixed: &TerrainView<'a>,
        filter: &TerrainFilter,
    ) -> Met<'a> {
        let start = Circle::of(discs.previous[i], discs.radius[i]);
        self.met(pieces, fixed, Filters::of(&discs.filter, filter), i, start)
    }

    #[inline(never)]
    fn fill(&mut self, pieces: &[Piece], fixed: &TerrainView, filter: &TerrainFilter, seen: &Seen) {
        self.walls.clear();
        self.fixed_circles.clear();
        self.pieces.clear();
        self.sources.clear();
        for &piece in pieces {
            match piece {
                Piece::Wall(at) => {
                    let Some(wall) = filter.wall(seen, at, &fixed.walls[at as usize]) else { continue };
                    self.pieces.push(Piece::Wall(self.walls.len() as u32));
                    self.walls.push(wall);
                }
                Piece::FixedCircle(at) => {
                    let circle = &fixed.fixed_circles[at as usize];
                    let Some(circle) = filter.circle(seen, at, circle, fixed.walls) else { continue };
                    self.pieces.push(Piece::FixedCircle(self.fixed_circles.len() as u32));
                    self.fixed_circles.push(circle.into_owned());
                }
            }
            self.sources.push(piece);
        }
    }
}

/// The collision filters of discs and of terrain.
#[derive(Clone, Copy)]
pub struct Filters<'a> {
    discs: &'a DiscFilter,
    terrain: &'a TerrainFilter,
}

impl<'a> Filters<'a> {
    /// `None` if nothing is filtered.
    #[inline(always)]
    pub fn of(discs: &'a DiscFilter, terrain: &'a TerrainFilter) -> Option<Self> {
        (!discs.is_empty() || !terrain.is_empty()).then_some(Self { discs, terrain })
    }

    /// A disc, as seen at the start of its path.
    pub fn seen(&self, disc: usize, start: Circle) -> (Seen<'a>, &'a TerrainFilter) {
        (Seen { discs: self.discs, disc, start }, self.terrain)
    }
}

/// The terrain that a disc collides with.
pub struct Met<'a> {
    /// The pieces, as indices into `fixed`.
    pub pieces: &'a [Piece],
    /// The originals, as indices into all terrain.
    pub sources: &'a [Piece],
    pub fixed: TerrainView<'a>,
}
