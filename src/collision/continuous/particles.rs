//! A disc of a continuous tick, what it can hit, and an impact of the two.

use bevy::math::DVec2;

use super::budgets::ImpactsUsed;
use crate::{
    collision::{discs::Discs, terrain::index::Piece},
    components::LIMIT,
};

/// A disc on its path through the tick: its position at its last impact, and the straight path since. It is in f64, so
/// that ten thousand impacts within a tick leave no visible rounding error; the tick starts and ends in f32.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Particle {
    /// Its position at `time`, metres.
    pub(super) position: DVec2,
    /// Metres per second.
    pub(super) velocity: DVec2,
    /// The start of its path, seconds from the start of the tick.
    pub(super) time: f64,
    pub(super) radius: f64,
    pub(super) mass: f64,
    /// The number of its impacts, which shows that an earlier prediction is stale.
    pub(super) stamp: u32,
    /// The used part of its impact budget.
    pub(super) impacts_used: ImpactsUsed,
}

impl Particle {
    /// Its position at a time of the tick.
    #[inline(always)]
    pub(super) fn position_at(&self, time: f64) -> DVec2 {
        self.position + self.velocity * (time - self.time)
    }

    /// Whether it is kinematic.
    #[inline(always)]
    pub(super) fn is_kinematic(&self) -> bool {
        self.impacts_used.is_kinematic()
    }

    /// An upper bound of its speed, without a square root.
    pub(super) fn speed(&self) -> f64 {
        self.velocity.x.abs() + self.velocity.y.abs()
    }
}

/// What a disc hits, in four bytes, so that events are small: see [`Partner::meets`]. Ordered as [`Meets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Partner(u32);

/// What a disc hits, by its index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Meets {
    /// Another disc.
    Disc(u32),
    /// Static terrain.
    Piece(Piece),
    /// A pocket.
    Pocket(u32),
    /// A part of moving terrain.
    Moving(u32),
    /// The edge of its cell in a periodic space.
    Edge(Crossing),
    /// The cloth or a rail: what supports a ball above the cloth changes, as when it lands.
    Support,
    /// Nothing.
    Nothing,
}

/// A disc that leaves its cell in a periodic space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Crossing {
    /// The axis.
    pub(super) axis: usize,
    /// The direction: 1 or -1.
    pub(super) step: i32,
}

impl Partner {
    const WALL: u32 = 1 << 31;
    const FIXED_CIRCLE: u32 = 3 << 30;
    const POCKET: u32 = 7 << 29;
    const MOVING: u32 = 15 << 28;
    const EDGE: u32 = 31 << 27;
    /// What supports a ball.
    pub(super) const SUPPORT: Self = Self(63 << 26);
    /// Nothing.
    pub(super) const NONE: Self = Self(u32::MAX);

    /// The unpacked value.
    #[inline(always)]
    pub(super) fn meets(self) -> Meets {
        match self.0 {
            disc @ ..Self::WALL => Meets::Disc(disc),
            wall @ Self::WALL..Self::FIXED_CIRCLE => Meets::Piece(Piece::Wall(wall & !Self::WALL)),
            circle @ Self::FIXED_CIRCLE..Self::POCKET => Meets::Piece(Piece::FixedCircle(circle & !Self::FIXED_CIRCLE)),
            pocket @ Self::POCKET..Self::MOVING => Meets::Pocket(pocket & !Self::POCKET),
            part @ Self::MOVING..Self::EDGE => Meets::Moving(part & !Self::MOVING),
            cloth if cloth == Self::SUPPORT.0 => Meets::Support,
            u32::MAX => Meets::Nothing,
            edge => {
                let step = if edge & 1 == 1 { 1 } else { -1 };
                Meets::Edge(Crossing { axis: (edge >> 1 & 1) as usize, step })
            }
        }
    }

    pub(super) fn of_disc(index: u32) -> Self {
        Self(index)
    }

    pub(super) fn of_pocket(index: u32) -> Self {
        Self(Self::POCKET | index)
    }

    pub(super) fn of_moving(part: u32) -> Self {
        Self(Self::MOVING | part)
    }

    /// A disc that leaves its cell in a periodic space, along an axis, forward or backward.
    pub(super) fn of_edge(axis: usize, forward: bool) -> Self {
        Self(Self::EDGE | (axis as u32) << 1 | u32::from(forward))
    }

    /// The other disc, if it is one.
    #[inline(always)]
    pub(super) fn disc(self) -> Option<u32> {
        (self.0 < Self::WALL).then_some(self.0)
    }

    /// The part of moving terrain, if it is one.
    #[inline(always)]
    pub(super) fn moving(self) -> Option<u32> {
        (self.0 >= Self::MOVING && self.0 < Self::EDGE).then_some(self.0 & !Self::MOVING)
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

/// A predicted impact. Impacts are resolved by time, at equal times by disc and partner; of two discs, the one with the
/// lower [`StableId`](crate::components::StableId) counts as the disc. Discs come before terrain, walls before corners,
/// then pockets, moving terrain, and what supports a ball last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Impact {
    pub(super) time: f64,
    pub(super) disc: u32,
    pub(super) partner: Partner,
}

/// Whether the solver can use the position and velocity of a disc.
#[inline(always)]
pub(super) fn is_valid(discs: &Discs, i: usize) -> bool {
    let fits = |value: f32| value.abs() <= LIMIT;
    let (position, velocity) = (discs.position[i], discs.velocity[i]);
    fits(position.x) & fits(position.y) & fits(velocity.x) & fits(velocity.y)
}
