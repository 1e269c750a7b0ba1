//! The blocks in the course of a tick: where each may get to on its present way, and what it meets next. A way lasts
//! for a substep, or for a tick of the continuous mode, and begins anew with every hit.
//!
//! Each block has a budget of work for a tick ([`Block::charge`]). It is spent on what happens to that block alone, so
//! what it does depends on nothing out of reach. A block whose budget is spent stays where it is at its next impact,
//! until its way ends; see [`MovingPiece::wait`].

use bevy::{math::DVec2, prelude::*};
use core::ops::Range;

use super::{
    MovingPiece, MovingTerrain,
    block_impacts::{BlockImpact, Met},
    motion::Motion,
};
use crate::collision::{shape::Bounds, terrain::index::Piece};

/// A piece that has a mass, in a tick.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its index among the pieces.
    pub piece: u32,
    /// The numbers of its parts.
    parts: Range<u32>,
    /// How far it reaches from the point about which it turns, metres.
    pub reach: f64,
    /// The box around all that it may sweep on its present way.
    pub bounds: Bounds,
    /// The stamp of the piece for which that holds.
    stamp: u32,
    /// What it meets next, as far as that is looked for from its side; unknown where it has to be looked for anew.
    #[expect(clippy::option_option, reason = "unknown is not none")]
    pub next: Option<Option<BlockImpact>>,
    /// How many impacts with other pieces and with terrain it has had on this way.
    pub impacts: u32,
    /// How much of its budget it has used in this tick, in the unit of [`Block::charge`].
    used: u32,
    /// The velocity (m/s) and the spin (rad/s) with which its present way began, without what gravity adds to what
    /// falls on that way.
    began: (DVec2, f64),
    /// Whether something that the game moves has pushed it on this way, itself or by way of other blocks.
    is_driven: bool,
}

/// The budget of a block for a tick, as a multiple of the impact budget of discs: the unit is the hit of a disc that
/// bounces.
const BUDGET: u32 = 16;

/// What happens to a block, and what it takes of its budget.
#[derive(Clone, Copy, Debug)]
pub enum Work {
    /// A disc bounces off it.
    DiscBounces,
    /// A disc presses on it, and it on what it touches.
    DiscPresses,
    /// It bounces off another piece.
    Bounces,
    /// Something that the game moves has hit it: where there is no room between that and a wall, such impacts have no
    /// end.
    Driven,
    /// It does not bounce, and all that it touches is resolved with it; or nothing came of the impact.
    Rests,
    /// What the game moves squeezes it and what it touches against something that does not give way: all of its budget.
    Jams,
    /// So many steps were taken to find what it meets next.
    Looks(u32),
}

impl Work {
    fn price(self) -> u32 {
        match self {
            Self::DiscBounces => 1,
            Self::DiscPresses | Self::Bounces => 4,
            Self::Driven => 32,
            Self::Rests => 64,
            Self::Jams => u32::MAX,
            Self::Looks(steps) => steps / 16,
        }
    }
}

impl Block {
    /// Numbers the parts of a piece.
    pub fn new(piece: &MovingPiece, at: u32, parts: &mut Vec<(u32, Piece)>, until: f64) -> Self {
        let first = parts.len() as u32;
        let (walls, circles) = (piece.shape.walls.len() as u32, piece.shape.circles.len() as u32);
        parts.extend((0..walls).map(|wall| (at, Piece::Wall(wall))));
        parts.extend((0..circles).map(|circle| (at, Piece::FixedCircle(circle))));
        let reach = piece.capsules().map(|capsule| capsule.reach()).fold(0.0, f64::max);
        let parts = first..parts.len() as u32;
        let mut block = Self {
            piece: at,
            parts,
            reach,
            bounds: Bounds::NOTHING,
            stamp: 0,
            next: None,
            impacts: 0,
            used: 0,
            began: (DVec2::ZERO, 0.0),
            is_driven: false,
        };
        block.find_bounds(piece, until);
        block
    }

    fn find_bounds(&mut self, piece: &MovingPiece, until: f64) {
        let (from, to) = (piece.origin, piece.origin_at(until));
        let margin = self.reach * 1.001 + 1e-6 * (from.abs().max(to.abs()).max_element() + self.reach);
        self.bounds = Bounds::new((from.min(to) - margin).as_vec2(), (from.max(to) + margin).as_vec2());
        self.stamp = piece.stamp;
        self.next = None;
    }

    /// Takes work off its budget.
    pub fn charge(&mut self, work: Work) {
        self.used = self.used.saturating_add(work.price());
    }

    /// Whether its budget for the tick is spent, `impact_budget` being that of a disc.
    fn is_spent(&self, impact_budget: u32) -> bool {
        self.used > impact_budget.saturating_mul(BUDGET)
    }

    /// Whether it may be in a box on its present way.
    #[inline(always)]
    pub fn may_be_in(&self, bounds: Bounds) -> bool {
        self.bounds.overlaps(bounds)
    }
}

impl MovingTerrain {
    /// Whether any piece has a mass.
    #[inline(always)]
    pub fn has_blocks(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// The piece with a mass that a part belongs to.
    #[inline(always)]
    pub fn block_of(&self, part: u32) -> Option<u32> {
        let &(piece, _) = self.parts.get(part as usize)?;
        self.pieces[piece as usize].is_block().then_some(piece)
    }

    /// How often the motion of the piece has changed that a part belongs to.
    #[inline(always)]
    pub fn stamp(&self, part: u32) -> u32 {
        self.parts.get(part as usize).map_or(0, |&(piece, _)| self.pieces[piece as usize].stamp)
    }

    /// Calls `visit` with the parts of blocks that a disc may meet in a box.
    pub fn for_each_block_part_near(&self, disc: usize, bounds: Bounds, mut visit: impl FnMut(u32)) {
        for block in self.blocks.iter().filter(|block| block.may_be_in(bounds)) {
            if !self.passes(block.piece, disc) {
                block.parts.clone().for_each(&mut visit);
            }
        }
    }

    /// The same for the parts of one block.
    pub fn for_each_part_of(&self, piece: u32, disc: usize, bounds: Bounds, visit: impl FnMut(u32)) {
        let near = self.blocks.iter().find(|block| block.piece == piece && block.may_be_in(bounds));
        if let Some(block) = near.filter(|_| !self.passes(piece, disc)) {
            block.parts.clone().for_each(visit);
        }
    }

    /// The box around all that a block may sweep on its present way.
    pub fn bounds_of_block(&self, piece: u32) -> Option<Bounds> {
        self.blocks.iter().find(|block| block.piece == piece).map(|block| block.bounds)
    }

    /// The ways of blocks begin, from one time of the tick to another, with the velocities that they have;
    /// `acceleration` is that of which those are the mean, and `gravity` what has given them those, m/s².
    pub fn begin_ways(&mut self, [from, until]: [f64; 2], acceleration: DVec2, gravity: DVec2) {
        (self.way, self.acceleration, self.gravity) = ([from, until], acceleration, gravity);
        self.are_under_way = true;
        for block in &mut self.blocks {
            let piece = &mut self.pieces[block.piece as usize];
            piece.since = from;
            (block.impacts, block.is_driven) = (0, false);
            let Motion { velocity, spin, .. } = piece.motion;
            let (fall, swing) = piece.given_by(gravity * (until - from));
            block.began = (velocity - fall, spin - swing);
            block.find_bounds(piece, until);
        }
    }

    /// The ways of blocks end.
    pub fn end_ways(&mut self) {
        let [_, until] = self.way;
        // From now on their velocities are the true ones.
        self.acceleration = DVec2::ZERO;
        self.are_under_way = false;
        for piece in self.blocks_mut() {
            piece.rebase(until);
            if let Some((velocity, spin)) = piece.waits.take() {
                piece.set_motion(velocity, spin);
            }
        }
    }

    /// Takes the work of a hit by a disc off the budget of a block, and stops the block if that was the last of it.
    pub fn charge_hit(&mut self, piece: u32, (time, work): (f64, Work), impact_budget: u32) {
        if let Some(at) = self.blocks.iter().position(|block| block.piece == piece) {
            self.blocks[at].charge(work);
            self.stop_if_spent(at, time, impact_budget);
        }
    }

    /// The same for an impact with something else.
    pub fn charge_impact(&mut self, impact: BlockImpact, work: Work, impact_budget: u32) {
        let is_driving = self.is_driving(impact.met);
        let work = if is_driving && matches!(work, Work::Bounces) { Work::Driven } else { work };
        let involved = || core::iter::once(impact.piece).chain(impact.other());
        if is_driving || self.is_driven(involved()) {
            self.mark_driven(involved());
        }
        for at in 0..self.blocks.len() {
            if impact.involves(self.blocks[at].piece) {
                self.blocks[at].charge(work);
                self.stop_if_spent(at, impact.time, impact_budget);
            }
        }
    }

    /// Whether something that the game moves has pushed one of these blocks on its present way.
    pub fn is_driven(&self, mut blocks: impl Iterator<Item = u32>) -> bool {
        blocks.any(|piece| self.blocks.iter().any(|block| block.piece == piece && block.is_driven))
    }

    /// Something that the game moves has pushed these blocks.
    pub fn mark_driven(&mut self, blocks: impl Iterator<Item = u32>) {
        for piece in blocks {
            if let Some(block) = self.blocks.iter_mut().find(|block| block.piece == piece) {
                block.is_driven = true;
            }
        }
    }

    /// Whether what a block meets is moved by the game, and moves in this tick.
    pub fn is_driving(&self, met: Met) -> bool {
        let moves = |motion: &Motion| motion.velocity != DVec2::ZERO || motion.spin != 0.0;
        match met {
            Met::Standing(_) => false,
            Met::Moving(other) => {
                let other = &self.pieces[other as usize];
                !other.is_block() && moves(&other.motion)
            }
            Met::Hand(hand) => self.hands[hand as usize].velocity != DVec2::ZERO,
        }
    }

    fn stop_if_spent(&mut self, at: usize, time: f64, impact_budget: u32) {
        let block = &self.blocks[at];
        // Between its ways it goes nowhere.
        if !block.is_spent(impact_budget) || !self.are_under_way {
            return;
        }
        let piece = &mut self.pieces[block.piece as usize];
        let Motion { velocity, spin, .. } = piece.motion;
        // While it stays, gravity gives it nothing.
        let (fall, swing) = piece.given_by(self.gravity * (self.way[1] - time));
        // What is squeezed has got its speed from the squeeze.
        piece.wait(time, if block.is_driven { block.began } else { (velocity - fall, spin - swing) });
    }

    /// Changes the velocities of all blocks that fall, m/s.
    pub fn change_falling(&mut self, change: Vec2) {
        if change != Vec2::ZERO {
            for piece in self.blocks_mut().filter(|piece| piece.falling() != 0.0) {
                let Motion { velocity, spin, .. } = piece.motion;
                piece.set_motion(velocity + change.as_dvec2() * piece.falling(), spin);
            }
        }
    }

    /// By how much the true velocity of what falls is ahead of the mean one at a time of the present way, m/s.
    pub fn ahead_at(&self, time: f64) -> DVec2 {
        let [from, until] = self.way;
        self.acceleration * (time - 0.5 * (from + until))
    }

    /// A block whose motion has changed since it was last asked: its box is that of its new way, and what others meet
    /// that are near is to be looked for.
    pub fn take_changed(&mut self) -> Option<u32> {
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
    pub fn falling(&self) -> f64 {
        self.body.map_or(0.0, |body| body.falling())
    }

    /// Moves it without a way.
    pub fn shift(&mut self, by: DVec2) {
        self.origin += by;
        self.frame.origin += by;
    }
}
