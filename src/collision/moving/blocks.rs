//! The blocks in the course of a tick: where each may get to on its present way, and what it meets next. A way lasts for a substep, or for a tick of the continuous
//! mode, and begins anew with every hit.

use bevy::{math::DVec2, prelude::*};
use core::ops::Range;

use super::{MovingPiece, MovingTerrain, block_impacts::BlockImpact, motion::Motion};
use crate::collision::broad_phase::terrain_index::{Bounds, Piece};

/// A piece that has a mass, in a tick.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Its index among the pieces.
    pub(super) piece: u32,
    /// The numbers of its parts.
    parts: Range<u32>,
    /// How far it reaches from the point about which it turns, metres.
    pub(super) reach: f64,
    /// The box around all that it may sweep on its present way: left, bottom, right, top, metres.
    pub(super) bounds: Bounds,
    /// The stamp of the piece for which that holds.
    stamp: u32,
    /// What it meets next, as far as that is looked for from its side; unknown where it has to be looked for anew.
    #[expect(clippy::option_option, reason = "unknown is not none")]
    pub(super) next: Option<Option<BlockImpact>>,
    /// How many impacts with other pieces and with terrain it has had on this way.
    pub(super) impacts: u32,
}

impl Block {
    /// Numbers the parts of a piece.
    pub(super) fn new(piece: &MovingPiece, at: u32, parts: &mut Vec<(u32, Piece)>, until: f64) -> Self {
        let first = parts.len() as u32;
        let (walls, circles) = (piece.shape.walls.len() as u32, piece.shape.circles.len() as u32);
        parts.extend((0..walls).map(|wall| (at, Piece::Wall(wall))));
        parts.extend((0..circles).map(|circle| (at, Piece::FixedCircle(circle))));
        let reach = piece.capsules().map(|capsule| capsule.reach()).fold(0.0, f64::max);
        let parts = first..parts.len() as u32;
        let mut block = Self { piece: at, parts, reach, bounds: [0.0; 4], stamp: 0, next: None, impacts: 0 };
        block.find_bounds(piece, until);
        block
    }

    fn find_bounds(&mut self, piece: &MovingPiece, until: f64) {
        let (from, to) = (piece.origin, piece.origin_at(until));
        let margin = self.reach * 1.001 + 1e-6 * (from.abs().max(to.abs()).max_element() + self.reach);
        let (low, high) = ((from.min(to) - margin).as_vec2(), (from.max(to) + margin).as_vec2());
        self.bounds = [low.x, low.y, high.x, high.y];
        self.stamp = piece.stamp;
        self.next = None;
    }

    /// Whether it may be in a box on its present way.
    #[inline(always)]
    pub(super) fn may_be_in(&self, [left, bottom, right, top]: Bounds) -> bool {
        let [own_left, own_bottom, own_right, own_top] = self.bounds;
        left <= own_right && bottom <= own_top && right >= own_left && top >= own_bottom
    }
}

impl MovingTerrain {
    /// Whether any piece has a mass.
    #[inline(always)]
    pub(in crate::collision) fn has_blocks(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// The piece with a mass that a part belongs to.
    #[inline(always)]
    pub(in crate::collision) fn block_of(&self, part: u32) -> Option<u32> {
        let &(piece, _) = self.parts.get(part as usize)?;
        self.pieces[piece as usize].is_block().then_some(piece)
    }

    /// How often the motion of the piece has changed that a part belongs to.
    #[inline(always)]
    pub(in crate::collision) fn stamp(&self, part: u32) -> u32 {
        self.parts.get(part as usize).map_or(0, |&(piece, _)| self.pieces[piece as usize].stamp)
    }

    /// Calls `visit` with the parts of blocks that a disc may meet in a box.
    pub(super) fn for_each_block_part_near(&self, disc: usize, bounds: Bounds, mut visit: impl FnMut(u32)) {
        for block in self.blocks.iter().filter(|block| block.may_be_in(bounds)) {
            if !self.passes(block.piece, disc) {
                block.parts.clone().for_each(&mut visit);
            }
        }
    }

    /// The same for the parts of one block.
    pub(in crate::collision) fn for_each_part_of(
        &self,
        piece: u32,
        disc: usize,
        bounds: Bounds,
        visit: impl FnMut(u32),
    ) {
        let near = self.blocks.iter().find(|block| block.piece == piece && block.may_be_in(bounds));
        if let Some(block) = near.filter(|_| !self.passes(piece, disc)) {
            block.parts.clone().for_each(visit);
        }
    }

    /// The box around all that a block may sweep on its present way: left, bottom, right, top, metres.
    pub(in crate::collision) fn bounds_of_block(&self, piece: u32) -> Option<Bounds> {
        self.blocks.iter().find(|block| block.piece == piece).map(|block| block.bounds)
    }

    /// The ways of blocks begin, from one time of the tick to another, with the velocities that they have; `acceleration` is that of which those are the mean, m/s².
    pub(super) fn begin_ways(&mut self, [from, until]: [f64; 2], acceleration: DVec2) {
        (self.way, self.acceleration) = ([from, until], acceleration);
        for block in &mut self.blocks {
            let piece = &mut self.pieces[block.piece as usize];
            piece.since = from;
            block.impacts = 0;
            block.find_bounds(piece, until);
        }
    }

    /// The ways of blocks end.
    pub(super) fn end_ways(&mut self) {
        let [_, until] = self.way;
        // From now on their velocities are the true ones.
        self.acceleration = DVec2::ZERO;
        for piece in self.blocks_mut() {
            piece.rebase(until);
            if let Some((velocity, spin)) = piece.waits.take() {
                piece.set_motion(velocity, spin);
            }
        }
    }

    /// Changes the velocities of all blocks that fall, m/s.
    pub(super) fn change_falling(&mut self, change: Vec2) {
        if change != Vec2::ZERO {
            for piece in self.blocks_mut().filter(|piece| piece.falling() != 0.0) {
                let Motion { velocity, spin, .. } = piece.motion;
                piece.set_motion(velocity + change.as_dvec2() * piece.falling(), spin);
            }
        }
    }

    /// By how much the true velocity of what falls is ahead of the mean one at a time of the present way, m/s.
    pub(super) fn ahead_at(&self, time: f64) -> DVec2 {
        let [from, until] = self.way;
        self.acceleration * (time - 0.5 * (from + until))
    }

    /// A block whose motion has changed since it was last asked: its box is that of its new way, and what others meet that are near is to be looked for.
    pub(in crate::collision) fn take_changed(&mut self) -> Option<u32> {
        let Self { pieces, blocks, way: [_, until], .. } = self;
        let at = blocks.iter().position(|block| block.stamp != pieces[block.piece as usize].stamp)?;
        let piece = blocks[at].piece;
        blocks[at].find_bounds(&pieces[piece as usize], *until);
        let bounds = blocks[at].bounds;
        for block in &mut *blocks {
            let meets_it = block.next.flatten().is_some_and(|next| next.involves(piece));
            if meets_it || block.may_be_in(bounds) {
                block.next = None;
            }
        }
        Some(piece)
    }
}

impl MovingPiece {
    /// By how much more than others gravity makes it fall: zero for what is no block, or pinned.
    pub(super) fn falling(&self) -> f64 {
        self.body.map_or(0.0, |body| body.falling())
    }

    /// Moves it without a way.
    pub(super) fn shift(&mut self, by: DVec2) {
        self.origin += by;
        self.frame.origin += by;
    }
}
