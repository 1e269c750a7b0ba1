//! Joints: a spring, a rod or a rope between two discs, or between a disc and a point.
//!
//! A joint is an entity of its own, or one more component of a disc. The tick reads it as it reads discs; what it does
//! is in `collision/joints`.

use bevy::{
    ecs::entity::{EntityMapper, MapEntities},
    prelude::*,
};
use serde::{Deserialize, Serialize};

use super::{
    StableId,
    description::{Described, Description},
    invalid::{InvalidValue, LIMIT},
};
use crate::notice::mark;

/// Holds the centres of two discs, or of a disc and a point, together.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn spawn(mut commands: Commands) {
///     let bob = commands.spawn((Disc, Position(vec2(2.0, 0.0)), Mass(10.0))).id();
///     // A pendulum of 2 m.
///     commands.spawn(Joint::rod(bob, Vec2::ZERO, 2.0));
///     let trailer = commands.spawn((Disc, Position(vec2(4.0, 0.0)))).id();
///     commands.spawn(Joint::rope(bob, trailer, 2.5));
///     let [a, b] = [6.0, 8.0].map(|x| commands.spawn((Disc, Position(vec2(x, 0.0)))).id());
///     commands.spawn(Joint::spring(a, b, 1.5, 200.0).damped(3.0));
/// }
/// ```
///
/// It acts in both modes, in every prediction, and on any number of joints at once: chains, nets and loops are allowed.
/// Impulses at its two ends are equal and opposite, so momentum is kept, and so is angular momentum. Its two discs meet
/// each other as any two do, unless they [ignore](super::IgnoredPairs) each other. A
/// [`Kinematic`](super::Kinematic) end leads the other and feels nothing.
///
/// An end that is [`Inactive`](super::Inactive), in a pocket or rejected leaves the joint without effect until it
/// is back. If an end is despawned, the joint is taken off its entity by the next tick. A joint with a value that makes
/// no sense has no effect, with one line in the log.
///
/// Restitution, friction and sleeping do not know of joints: a hit is one of its two discs alone, and what it leaves of
/// a speed along a rod or a rope that is taut is taken where the tick (in the stepped mode the substep) ends, as by a
/// hit without restitution. So hits of what hangs on rods and ropes lose energy, and gain none.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Debug, PartialEq)]
#[require(StableId)]
pub struct Joint {
    /// What it holds.
    #[entities]
    pub ends: [JointEnd; 2],
    /// How it holds them.
    pub kind: JointKind,
}

impl Described for Joint {
    const DESCRIPTION: Description = Description::new(mark("joint"));

    fn check(&self) -> Result<(), InvalidValue> {
        self.kind.check()
    }
}

/// What a [`Joint`] holds at one of its ends.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Debug, PartialEq)]
pub enum JointEnd {
    /// The centre of a disc.
    Disc(Entity),
    /// A point that stands, metres.
    Point(Vec2),
}

impl From<Entity> for JointEnd {
    fn from(disc: Entity) -> Self {
        Self::Disc(disc)
    }
}

impl From<Vec2> for JointEnd {
    fn from(point: Vec2) -> Self {
        Self::Point(point)
    }
}

impl MapEntities for JointEnd {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        if let Self::Disc(entity) = self {
            *entity = mapper.get_mapped(*entity);
        }
    }
}

/// How a [`Joint`] holds its two ends.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Debug, PartialEq)]
#[serde(deny_unknown_fields)]
pub enum JointKind {
    /// Pulls and pushes along the line between its ends with the force `stiffness (distance - length) + damping (speed
    /// at which they part)`.
    ///
    /// It acts by the velocity Verlet method, so without damping its energy swings within a share of about `(ω h)² / 4`
    /// and does not drift, for its angular frequency `ω = sqrt(stiffness / reduced mass)` and the time `h` of a tick
    /// (in the stepped mode: a substep); its period is short by `(ω h)² / 24`. The damper acts exactly. A spring is
    /// never stiffer than the step can carry: where the springs of a disc together reach `ω h = 1`, they act as softer
    /// ones, so that no spring explodes.
    Spring {
        /// At which it rests, metres; zero or more.
        length: f32,
        /// Force per length, N/m; zero or more.
        stiffness: f32,
        /// Force per speed, N s/m; zero or more. Default: 0.
        #[serde(default)]
        damping: f32,
    },
    /// Keeps its ends at a distance, without mass or play.
    ///
    /// By the method RATTLE (Andersen 1983): its speed along the rod is zero where a tick (or substep) ends, its length
    /// right to rounding. Without hits its energy does not drift: alone it swings within a share of about `(ω h)² / 4`
    /// for its angular velocity `ω`; several that hang together take small steps where they turn far, and keep it.
    Rod {
        /// The distance, metres; above zero.
        length: f32,
    },
    /// Keeps its ends from getting farther apart than its length, and does nothing while it is slack.
    ///
    /// Where it gets taut it takes the speed at which its ends part, or turns it around by its restitution. Momentum
    /// and angular momentum are kept; the energy that is left is exact to rounding.
    Rope {
        /// The longest distance, metres; above zero.
        length: f32,
        /// What is left of the speed along it, in the other direction, as it gets taut, from 0 to 1. Default: 0.
        #[serde(default)]
        restitution: f32,
    },
}

impl JointKind {
    /// The length at rest or the longest, metres.
    #[must_use]
    pub fn length(&self) -> f32 {
        let (Self::Spring { length, .. } | Self::Rod { length } | Self::Rope { length, .. }) = *self;
        length
    }

    /// Whether every value lies in its range.
    ///
    /// # Errors
    /// The first that does not.
    pub fn check(&self) -> Result<(), InvalidValue> {
        let positive = |field: &'static str, value: f32| {
            InvalidValue::check(field, value, [1.0 / LIMIT, LIMIT], "set it above zero, from 1e-12 to 1e12 m")
        };
        let within = |field: &'static str, value: f32, most: f32, range: &'static str| {
            InvalidValue::check(field, value, [0.0, most], range)
        };
        match *self {
            Self::Spring { length, stiffness, damping } => {
                within("length", length, LIMIT, "set it from 0 to 1e12 m")?;
                within("stiffness", stiffness, LIMIT, "set it from 0 to 1e12 N/m")?;
                within("damping", damping, LIMIT, "set it from 0 to 1e12 N s/m")
            }
            Self::Rod { length } => positive("length", length),
            Self::Rope { length, restitution } => {
                positive("length", length)?;
                within("restitution", restitution, 1.0, "set it from 0 to 1")
            }
        }
    }
}

impl Joint {
    /// A joint of this kind.
    #[must_use]
    pub fn new(a: impl Into<JointEnd>, b: impl Into<JointEnd>, kind: JointKind) -> Self {
        Self { ends: [a.into(), b.into()], kind }
    }

    /// A spring without damping: its length at rest (metres) and its stiffness (N/m).
    #[must_use]
    pub fn spring(a: impl Into<JointEnd>, b: impl Into<JointEnd>, length: f32, stiffness: f32) -> Self {
        Self::new(a, b, JointKind::Spring { length, stiffness, damping: 0.0 })
    }

    /// A rod of this length, metres.
    #[must_use]
    pub fn rod(a: impl Into<JointEnd>, b: impl Into<JointEnd>, length: f32) -> Self {
        Self::new(a, b, JointKind::Rod { length })
    }

    /// A rope of this length (metres) without restitution.
    #[must_use]
    pub fn rope(a: impl Into<JointEnd>, b: impl Into<JointEnd>, length: f32) -> Self {
        Self::new(a, b, JointKind::Rope { length, restitution: 0.0 })
    }

    /// The same with this damping, N s/m, if it is a spring.
    #[must_use]
    pub fn damped(mut self, per_speed: f32) -> Self {
        if let JointKind::Spring { damping, .. } = &mut self.kind {
            *damping = per_speed;
        }
        self
    }

    /// The discs that it holds.
    pub fn discs(&self) -> impl Iterator<Item = Entity> + use<> {
        self.ends.into_iter().filter_map(|end| match end {
            JointEnd::Disc(disc) => Some(disc),
            JointEnd::Point(_) => None,
        })
    }
}
