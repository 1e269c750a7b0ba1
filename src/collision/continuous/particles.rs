//! A disc of a continuous tick, what it can meet, and an impact of the two.

use bevy::math::DVec2;

use super::collapse::ImpactsUsed;
use crate::{
    collision::{discs::Discs, terrain::index::Piece},
    disc::LIMIT,
};

/// A disc on its way through the tick: where it was at its last impact, and the straight path since. In f64, so that
/// ten thousand impacts within a tick leave no trace of rounding; f32 begins and ends the tick.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Particle {
    /// Where it was at `time`, metres.
    pub(super) position: DVec2,
    /// Metres per second.
    pub(super) velocity: DVec2,
    /// When its path began, seconds from the start of the tick.
    pub(super) time: f64,
    pub(super) radius: f64,
    pub(super) mass: f64,
    /// Counts its impacts, so that an impact that was predicted before the last of them is known to be stale.
    pub(super) stamp: u32,
    /// How much of its budget of impacts it has used.
    pub(super) impacts_used: ImpactsUsed,
}

impl Particle {
    /// Where it is at a time of the tick.
    #[inline(always)]
    pub(super) fn position_at(&self, time: f64) -> DVec2 {
        self.position + self.velocity * (time - self.time)
    }

    /// Whether somebody else's hand moves it.
    #[inline(always)]
    pub(super) fn is_kinematic(&self) -> bool {
        self.impacts_used.is_kinematic()
    }

    /// A bound of its speed that takes no root.
    pub(super) fn speed(&self) -> f64 {
        self.velocity.x.abs() + self.velocity.y.abs()
    }
}

/// What a disc meets: another disc by its index, a piece of terrain, a pocket, or a part of terrain that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Partner(pub(super) u32);

impl Partner {
    const WALL: u32 = 1 << 31;
    const FIXED_CIRCLE: u32 = 3 << 30;
    const POCKET: u32 = 7 << 29;
    const MOVING: u32 = 15 << 28;
    const CROSSING: u32 = 31 << 27;
    /// Nothing.
    pub(super) const NONE: Self = Self(u32::MAX);

    pub(super) fn disc(self) -> Option<u32> {
        (self.0 < Self::WALL).then_some(self.0)
    }

    /// The piece of terrain that stands, of one that is neither a disc nor a pocket, nor a part of terrain that moves.
    pub(super) fn piece(self) -> Piece {
        let index = self.0 & !Self::FIXED_CIRCLE;
        if self.0 < Self::FIXED_CIRCLE { Piece::Wall(index) } else { Piece::FixedCircle(index) }
    }

    pub(super) fn of_pocket(index: u32) -> Self {
        Self(Self::POCKET | index)
    }

    pub(super) fn pocket(self) -> Option<u32> {
        (self.0 >= Self::POCKET && self.0 < Self::MOVING).then_some(self.0 & !Self::POCKET)
    }

    pub(super) fn of_moving(part: u32) -> Self {
        Self(Self::MOVING | part)
    }

    /// The part of terrain that moves.
    #[inline(always)]
    pub(super) fn moving(self) -> Option<u32> {
        (self.0 >= Self::MOVING && self.0 < Self::CROSSING).then_some(self.0 & !Self::MOVING)
    }

    /// That a disc leaves its cell of a periodic space, along an axis, forward or backward.
    pub(super) fn of_crossing(axis: usize, forward: bool) -> Self {
        Self(Self::CROSSING | (axis as u32) << 1 | u32::from(forward))
    }

    /// Along which axis a disc leaves its cell, and in which direction: 1 or -1.
    #[inline(always)]
    pub(super) fn crossing(self) -> Option<(usize, i32)> {
        let is_one = self.0 >= Self::CROSSING && self != Self::NONE;
        is_one.then_some(((self.0 >> 1 & 1) as usize, if self.0 & 1 == 1 { 1 } else { -1 }))
    }
}

impl From<Piece> for Partner {
    fn from(piece: Piece) -> Self {
        match piece {
            Piece::Wall(index) => Self(Self::WALL | index),
            Piece::FixedCircle(index) => Self(Self::FIXED_CIRCLE | index),
        }
    }
}

/// An impact that is predicted. Impacts are resolved by time, and at the same time by disc and partner; of two discs
/// the one with the lower [`StableId`](crate::disc::StableId) counts as the disc. Terrain comes after discs, walls
/// before corners, then pockets, and terrain that moves last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Impact {
    pub(super) time: f64,
    pub(super) disc: u32,
    pub(super) partner: Partner,
}

/// Whether place and velocity of a disc are numbers that the solver can work with.
#[inline(always)]
pub(super) fn is_valid(discs: &Discs, i: usize) -> bool {
    let fits = |value: f32| value.abs() <= LIMIT;
    let (position, velocity) = (discs.position[i], discs.velocity[i]);
    fits(position.x) & fits(position.y) & fits(velocity.x) & fits(velocity.y)
}
