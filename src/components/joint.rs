//! Joints: a spring, a rod or a rope between two discs, or between a disc and a point.
//!
//! A joint is a separate entity, or one more component of a disc. The tick reads it as it reads discs;
//! `collision/joints` holds its physics.

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

/// Connects the centres of two discs, or a disc and a point.
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
/// It acts in both modes and in every prediction. Any number of joints can be connected: chains, nets and loops work.
/// The impulses at the two ends are equal and opposite, so momentum and angular momentum are conserved. The two discs
/// still collide, unless they [ignore](super::IgnoredPairs) each other. A [`Kinematic`](super::Kinematic) end pulls the
/// other end and feels nothing.
///
/// While an end is [`Inactive`](super::Inactive), in a pocket or rejected, the joint has no effect. If an end is
/// despawned, the next tick removes the joint from its entity. A joint with an invalid value has no effect, and one
/// line is logged.
///
/// Restitution, friction and sleeping ignore joints: a hit involves only its two discs. The remaining speed along a rod
/// or a taut rope is removed at the end of the tick, in the stepped mode of the substep. This acts like a hit without
/// restitution. So hits of discs on rods and ropes lose energy and never gain any.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Debug, PartialEq)]
#[require(StableId)]
pub struct Joint {
    /// The two ends.
    #[entities]
    pub ends: [JointEnd; 2],
    /// The kind of connection.
    pub kind: JointKind,
}

impl Described for Joint {
    const DESCRIPTION: Description = Description::new(mark("joint"));

    fn check(&self) -> Result<(), InvalidValue> {
        self.kind.check()
    }
}

/// One end of a [`Joint`].
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Debug, PartialEq)]
pub enum JointEnd {
    /// The centre of a disc.
    Disc(Entity),
    /// A fixed point, metres.
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

/// How a [`Joint`] connects its two ends.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Debug, PartialEq)]
#[serde(deny_unknown_fields)]
pub enum JointKind {
    /// Pulls and pushes along the line between its ends with the force
    /// `stiffness (distance - length) + damping (speed of separation)`.
    ///
    /// It is integrated by the velocity Verlet method. Let `ω = sqrt(stiffness / reduced mass)` be the angular
    /// frequency and `h` the length of a tick (in the stepped mode, of a substep). Without damping the energy
    /// oscillates by a share of about `(ω h)² / 4` and does not drift; the period is too short by a share of
    /// `(ω h)² / 24`. The damper is integrated exactly. If the springs of a disc together exceed `ω h = 1`, they are
    /// softened to that limit, so that no spring explodes.
    Spring {
        /// The length at rest, metres; zero or more.
        length: f32,
        /// Force per length, N/m; zero or more.
        stiffness: f32,
        /// Force per speed, N s/m; zero or more. Default: 0.
        #[serde(default)]
        damping: f32,
    },
    /// Keeps its ends at a fixed distance, without mass or play.
    ///
    /// It uses the method RATTLE (Andersen 1983): at the end of a tick (or substep) the speed along the rod is zero and
    /// the length is correct to rounding. Without hits the energy does not drift. The energy of a single rod oscillates
    /// by a share of about `(ω h)² / 4`, where `ω` is its angular velocity. Connected rods take smaller steps where
    /// they turn far, which conserves their energy.
    Rod {
        /// The distance, metres; above zero.
        length: f32,
    },
    /// Limits the distance between its ends to its length; while it is slack it does nothing.
    ///
    /// When it becomes taut, it removes the speed at which its ends separate, or reverses it by its restitution.
    /// Momentum and angular momentum are conserved; the remaining energy is exact to rounding.
    Rope {
        /// The greatest distance, metres; above zero.
        length: f32,
        /// The share of the speed along it that is reversed when it becomes taut, from 0 to 1. Default: 0.
        #[serde(default)]
        restitution: f32,
    },
}

impl JointKind {
    /// The length at rest, or the greatest length of a rope, metres.
    #[must_use]
    pub fn length(&self) -> f32 {
        let (Self::Spring { length, .. } | Self::Rod { length } | Self::Rope { length, .. }) = *self;
        length
    }

    /// Whether every value is in range.
    ///
    /// # Errors
    /// The first value out of range.
    pub fn check(&self) -> Result<(), InvalidValue> {
        match *self {
            Self::Spring { length, stiffness, damping } => {
                InvalidValue::check_range("length", length, 0.0..=LIMIT, "m")?;
                InvalidValue::check_range("stiffness", stiffness, 0.0..=LIMIT, "N/m")?;
                InvalidValue::check_range("damping", damping, 0.0..=LIMIT, "N s/m")
            }
            Self::Rod { length } => InvalidValue::check_positive("length", length, "m"),
            Self::Rope { length, restitution } => {
                InvalidValue::check_positive("length", length, "m")?;
                InvalidValue::check_range("restitution", restitution, 0.0..=1.0, "")
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

    /// A spring without damping, with its length at rest (metres) and its stiffness (N/m).
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

    /// The same joint with this damping, N s/m, if it is a spring.
    #[must_use]
    pub fn damped(mut self, per_speed: f32) -> Self {
        if let JointKind::Spring { damping, .. } = &mut self.kind {
            *damping = per_speed;
        }
        self
    }

    /// The discs at its ends.
    pub fn discs(&self) -> impl Iterator<Item = Entity> + use<> {
        self.ends.into_iter().filter_map(|end| match end {
            JointEnd::Disc(disc) => Some(disc),
            JointEnd::Point(_) => None,
        })
    }
}
