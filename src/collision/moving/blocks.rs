//! The state of blocks in a tick. Blocks are the bodies of a small rigid-body engine without friction: polygons,
//! circles and segments with mass and moment of inertia, impacts at their exact times, and resting contacts.
//!
//! The path of a block is a substep, or a tick of the continuous mode. Its velocity and spin are constant from one
//! impact to the next; its bounds and its next impact are found again after each.
//!
//! Limits: each block has a budget of work for a tick ([`Block::charge`]). Only events of that block are charged, so
//! nothing out of reach changes it. A block whose budget is spent stops at its next impact until its path ends: see
//! [`MovingPiece::wait`]. There are no joints on blocks, no friction, and no arcs with mass.

use bevy::{math::DVec2, prelude::*};
use core::ops::Range;

use super::{
    MovingPiece, MovingTerrain,
    block_impacts::{BlockImpact, OtherBody},
    motion::{PieceMotion, Twist},
};
use crate::collision::{shape::Bounds, terrain::index::Piece};

/// The state of a block in a tick.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its index among the pieces.
    pub piece: u32,
    /// The numbers of its parts.
    parts: Range<u32>,
    /// Its extent from its pivot, metres.
    pub reach: f64,
    /// The box around everything that it may sweep on its current path.
    pub bounds: Bounds,
    /// The stamp of the piece for which the box is valid.
    stamp: u32,
    /// Its next impact, among those that are searched from its side; the outer `None` means unknown.
    #[expect(clippy::option_option, reason = "unknown is not none")]
    pub next: Option<Option<BlockImpact>>,
    /// The number of impacts with other pieces and with terrain on this path.
    pub impacts: u32,
    /// The used part of its budget in this tick, in the unit of [`Work::price`].
    used: u32,
    /// The motion at the start of its current path, minus what gravity adds on that path.
    began: Twist,
    /// Whether a driven piece or a kinematic disc has pushed it on this path, directly or through other blocks.
    is_driven: bool,
}

/// The budget of a block for a tick as a multiple of the impact budget of a disc, dimensionless. A block can be hit by
/// many discs in a tick.
const BUDGET_PER_DISC_BUDGET: u32 = 16;

/// An event of a block that is charged to its budget.
#[derive(Clone, Copy, Debug)]
pub enum Work {
    /// A disc bounces off it.
    DiscBounces,
    /// A disc presses on it, and so on its island.
    DiscPresses,
    /// It bounces off another piece.
    Bounces,
    /// A driven piece or a kinematic disc has hit it. Between that and a wall, such impacts are endless.
    Driven,
    /// It does not bounce, and its island is resolved; or the impact changed nothing.
    Rests,
    /// A driven piece squeezes its island against something fixed: costs all of its budget.
    Jams,
    /// The search for its next impact took this many steps.
    Looks(u32),
}

impl Work {
    /// The cost in the budget. The unit is the bounce of a disc. The prices are estimates of the computing time.
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
            began: Twist::ZERO,
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

    /// Charges work to its budget.
    pub fn charge(&mut self, work: Work) {
        self.used = self.used.saturating_add(work.price());
    }

    /// Whether its budget for the tick is spent; `impact_budget` is the budget of a disc.
    fn is_spent(&self, impact_budget: u32) -> bool {
        self.used > impact_budget.saturating_mul(BUDGET_PER_DISC_BUDGET)
    }

    /// Whether it may be in a box on its current path.
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

    /// The number of times that the motion of the piece of a part has changed.
    #[inline(always)]
    pub fn stamp(&self, part: u32) -> u32 {
        self.parts.get(part as usize).map_or(0, |&(piece, _)| self.pieces[piece as usize].stamp)
    }

    /// Calls `visit` with the parts of blocks that a disc may touch in a box.
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

    /// The box around everything that a block may sweep on its current path.
    pub fn bounds_of_block(&self, piece: u32) -> Option<Bounds> {
        self.blocks.iter().find(|block| block.piece == piece).map(|block| block.bounds)
    }

    /// Starts the paths of blocks, from one time of the tick to another, with their current velocities. Those are the
    /// mean velocities under `acceleration`, and `gravity` has caused them; both m/s².
    pub fn begin_ways(&mut self, [from, until]: [f64; 2], acceleration: DVec2, gravity: DVec2) {
        (self.way, self.acceleration, self.gravity) = ([from, until], acceleration, gravity);
        self.are_under_way = true;
        for block in &mut self.blocks {
            let piece = &mut self.pieces[block.piece as usize];
            piece.since = from;
            (block.impacts, block.is_driven) = (0, false);
            block.began = piece.motion.twist() - piece.change_by_gravity(gravity * (until - from));
            block.find_bounds(piece, until);
        }
    }

    /// Ends the paths of blocks.
    pub fn end_ways(&mut self) {
        let [_, until] = self.way;
        // From now on their velocities are the true ones.
        self.acceleration = DVec2::ZERO;
        self.are_under_way = false;
        for piece in self.blocks_mut() {
            piece.rebase(until);
            if let Some(Twist { velocity, spin }) = piece.waits.take() {
                piece.set_motion(velocity, spin);
            }
        }
    }

    /// Charges the work of a hit by a disc to a block, and stops the block if its budget is spent.
    pub fn charge_hit(&mut self, piece: u32, time: f64, work: Work, impact_budget: u32) {
        if let Some(at) = self.blocks.iter().position(|block| block.piece == piece) {
            self.blocks[at].charge(work);
            self.stop_if_spent(at, time, impact_budget);
        }
    }

    /// The same for an impact with an obstacle.
    pub fn charge_impact(&mut self, impact: BlockImpact, work: Work, impact_budget: u32) {
        let BlockImpact { time, pair } = impact;
        let is_driving = self.is_driving(pair.obstacle);
        let work = if is_driving && matches!(work, Work::Bounces) { Work::Driven } else { work };
        let involved = || core::iter::once(pair.block).chain(pair.other_piece());
        if is_driving || self.is_driven(involved()) {
            self.mark_driven(involved());
        }
        for at in 0..self.blocks.len() {
            if pair.involves(self.blocks[at].piece) {
                self.blocks[at].charge(work);
                self.stop_if_spent(at, time, impact_budget);
            }
        }
    }

    /// Whether a driven piece or a kinematic disc has pushed one of these blocks on its current path.
    pub fn is_driven(&self, mut blocks: impl Iterator<Item = u32>) -> bool {
        blocks.any(|piece| self.blocks.iter().any(|block| block.piece == piece && block.is_driven))
    }

    /// Records that a driven piece or a kinematic disc has pushed these blocks.
    pub fn mark_driven(&mut self, blocks: impl Iterator<Item = u32>) {
        for piece in blocks {
            if let Some(block) = self.blocks.iter_mut().find(|block| block.piece == piece) {
                block.is_driven = true;
            }
        }
    }

    /// Whether the game moves an obstacle in this tick.
    pub fn is_driving(&self, obstacle: OtherBody) -> bool {
        match obstacle {
            OtherBody::Static(_) => false,
            OtherBody::Moving(other) => {
                let other = &self.pieces[other as usize];
                !other.is_block() && other.motion.twist() != Twist::ZERO
            }
            OtherBody::Kinematic(disc) => self.kinematic_discs[disc as usize].velocity != DVec2::ZERO,
        }
    }

    fn stop_if_spent(&mut self, at: usize, time: f64, impact_budget: u32) {
        let block = &self.blocks[at];
        // Between paths it does not move.
        if !block.is_spent(impact_budget) || !self.are_under_way {
            return;
        }
        let piece = &mut self.pieces[block.piece as usize];
        // While it waits, it does not fall.
        let before_fall = piece.motion.twist() - piece.change_by_gravity(self.gravity * (self.way[1] - time));
        // A squeezed block gained its speed from the squeeze.
        piece.wait(time, if block.is_driven { block.began } else { before_fall });
    }

    /// Changes the velocities of all blocks that fall, m/s.
    pub fn change_falling(&mut self, change: Vec2) {
        if change != Vec2::ZERO {
            for piece in self.blocks_mut().filter(|piece| piece.falling() != 0.0) {
                let PieceMotion { velocity, spin, .. } = piece.motion;
                piece.set_motion(velocity + change.as_dvec2() * piece.falling(), spin);
            }
        }
    }

    /// The difference between the true and the mean velocity of a falling block at a time of the current path, m/s.
    pub fn ahead_at(&self, time: f64) -> DVec2 {
        let [from, until] = self.way;
        self.acceleration * (time - 0.5 * (from + until))
    }

    /// The next block whose motion has changed since it was last returned here. Updates its box, and discards the next
    /// impacts of blocks nearby.
    pub fn take_changed(&mut self) -> Option<u32> {
        let Self { pieces, blocks, way: [_, until], .. } = self;
        let at = blocks.iter().position(|block| block.stamp != pieces[block.piece as usize].stamp)?;
        let piece = blocks[at].piece;
        blocks[at].find_bounds(&pieces[piece as usize], *until);
        let bounds = blocks[at].bounds;
        for block in &mut *blocks {
            let hits_it = block.next.flatten().is_some_and(|next| next.pair.involves(piece));
            if hits_it || block.may_be_in(bounds) {
                block.next = None;
            }
        }
        Some(piece)
    }
}

impl MovingPiece {
    /// Its gravity scale; zero for pinned blocks and other pieces.
    pub fn falling(&self) -> f64 {
        self.body.map_or(0.0, |body| body.falling())
    }

    /// Moves it at once, not along its path.
    pub fn shift(&mut self, by: DVec2) {
        self.origin += by;
        self.frame.origin += by;
    }
}
