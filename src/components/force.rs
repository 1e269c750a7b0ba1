//! Forces on single discs. They act beside those of [`MotionSettings`](crate::motion::MotionSettings), or replace them.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    description::{Described, Description, EntityKind, EntityKinds, IS_LED},
    frame::Frame,
    invalid::{InvalidValue, LIMIT},
    spin::{AngularVelocity, Ball},
};
use crate::notice::mark;

/// A constant force on a disc, in newtons: a motor, the pull of a magnet, a jet. Optional. It acts through the centre,
/// in every tick until you change or remove the component, in both modes and in every prediction.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn spawn(mut commands: Commands) {
///     commands.spawn((Disc, Mass(2.0), ConstantForce(vec2(3.0, 0.0)))); // 1.5 m/s²
/// }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct ConstantForce(pub Vec2);

impl Described for ConstantForce {
    const DESCRIPTION: Description = Description::new(mark("force"))
        .in_field("constant_force")
        .offered(mark("Force"), mark("Constant force, N: to the right, upward"), " N")
        .on(EntityKinds::FREE, IS_LED);

    fn first(_: EntityRef, _: bool) -> Option<Self> {
        Some(Self::default())
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_components("", self.0, "N")
    }

    fn put_at(&mut self, frame: Frame) {
        self.0 = frame.turn(self.0);
    }
}

/// A constant torque on a disc about its centre, in N m, counter-clockwise. Optional, like [`ConstantForce`].
///
/// The z component of its [`AngularVelocity`] changes by `torque / moment of inertia` per second. The moment of inertia
/// is `mass radius² / 2` for a flat disc and `2 / 5 mass radius²` for a [`Ball`].
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(AngularVelocity)]
#[serde(transparent)]
pub struct ConstantTorque(pub f32);

impl Described for ConstantTorque {
    const DESCRIPTION: Description = Description::new(mark("torque"))
        .in_field("constant_torque")
        .offered(mark("Torque"), mark("Constant torque, N m, counter-clockwise"), " N m")
        .on(EntityKinds::FREE, IS_LED);

    fn first(_: EntityRef, _: bool) -> Option<Self> {
        Some(Self::default())
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_range("", self.0, -LIMIT..=LIMIT, "N m")
    }
}

/// The factor by which gravity acts on a disc: 1 as on all others, 0 not at all, -1 upward. Optional.
///
/// It scales [`MotionSettings::gravity`](crate::motion::MotionSettings::gravity) and every
/// [`motion::gravity`](crate::motion::gravity), in both modes and in every prediction. Resting contacts use the scaled
/// weight.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct GravityScale(pub f32);

impl Described for GravityScale {
    const DESCRIPTION: Description = Description::new(mark("gravity"))
        .in_field("gravity_scale")
        .offered(mark("Gravity"), mark("Multiplies gravity. 0: none. Below 0, it rises."), " ×")
        .on(EntityKinds::FREE, IS_LED);

    fn first(_: EntityRef, _: bool) -> Option<Self> {
        Some(Self(0.5))
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_range("", self.0, -LIMIT..=LIMIT, "")
    }
}

impl Default for GravityScale {
    fn default() -> Self {
        Self(1.0)
    }
}

/// The drag of one disc, as deceleration per speed in 1/s, zero or more. It replaces
/// [`MotionSettings::drag`](crate::motion::MotionSettings::drag) for this disc. Optional.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct LinearDamping(pub f32);

impl Described for LinearDamping {
    const DESCRIPTION: Description = Description::new(mark("drag"))
        .in_field("linear_damping")
        .offered(mark("Drag"), mark("Drag coefficient instead of the scene's, 1/s"), " 1/s")
        .on(EntityKinds::FREE, IS_LED);

    fn first(_: EntityRef, _: bool) -> Option<Self> {
        Some(Self(0.5))
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_range("", self.0, 0.0..=LIMIT, "1/s")
    }
}

/// The constant deceleration of one disc by the cloth, in m/s², zero or more. It replaces
/// [`MotionSettings::friction`](crate::motion::MotionSettings::friction) for this disc, which stops after `v² / 2a`
/// metres. Optional. For friction at the surface of what a disc hits, see [`Friction`](super::Friction).
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct ClothFriction(pub f32);

impl Described for ClothFriction {
    const DESCRIPTION: Description = Description::new(mark("cloth"))
        .in_field("cloth_friction")
        .offered(mark("Cloth"), mark("Constant deceleration instead of the scene's friction, m/s²"), " m/s²")
        .on(EntityKinds::FREE, IS_LED);

    fn first(entity: EntityRef, _: bool) -> Option<Self> {
        (!entity.contains::<Ball>()).then_some(Self(0.5))
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_range("", self.0, 0.0..=LIMIT, "m/s²")
    }
}

/// The highest speed of one disc, m/s, zero or more. Optional.
///
/// A faster disc is slowed down to this speed and keeps its direction. This happens in every substep, right after the
/// forces of [`MotionSettings`](crate::motion::MotionSettings), and in predictions too. The cause of the speed does not
/// matter: it may be a force, a hit, or a [`Velocity`](super::Velocity) that the game writes. A hit may make the disc
/// faster than the limit until the forces act again. Forces of the game act before the limit, except those of
/// [`Forces::add_last`](crate::motion::Forces::add_last).
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn spawn(mut commands: Commands) {
///     commands.spawn((Disc, Radius(0.1), SpeedLimit(12.0)));
/// }
/// # bevy::ecs::system::assert_is_system(spawn);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct SpeedLimit(pub f32);

impl Default for SpeedLimit {
    /// None.
    fn default() -> Self {
        Self(LIMIT)
    }
}

impl Described for SpeedLimit {
    const DESCRIPTION: Description = Description::new(mark("speed limit"))
        .in_field("speed_limit")
        .offered(mark("Speed limit"), mark("The highest speed that forces leave it, m/s"), " m/s")
        .on(EntityKinds::of(&[EntityKind::Disc]), "it slows discs that move freely; take it off");

    fn first(_: EntityRef, is_terrain: bool) -> Option<Self> {
        (!is_terrain).then_some(Self(10.0))
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_range("", self.0, 0.0..=LIMIT, "m/s")
    }
}
