//! How discs and pieces of terrain turn, and the balls that turn about any axis.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    description::{Described, Description, EntityKinds},
    disc::Disc,
    invalid::InvalidValue,
};
use crate::notice::mark;

/// The angular velocity of a disc or a piece of terrain, in radians per second; z points up from the table. Optional: a
/// disc without it is smooth.
///
/// A disc spins only where a [`TablePhysics`](crate::collision::spin::TablePhysics) acts; with
/// [`BilliardsPlugin`](crate::billiards::BilliardsPlugin) it is a resource. The cloth then slows the disc down, and
/// hits change its spin. A [`Ball`] can turn about any axis: a ball that rolls along +x has a positive y component. Any
/// other disc turns about z only. A piece of terrain turns by its z component.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct AngularVelocity(pub Vec3);

impl Described for AngularVelocity {
    const DESCRIPTION: Description = Description::new(mark("spin"))
        .offered(
            mark("Rotation speed"),
            mark("Angular velocity, rad/s, counter-clockwise. Terrain turns about its origin."),
            " rad/s",
        )
        .rejecting(EntityKinds::ALL);

    fn first(entity: EntityRef, _: bool) -> Option<Self> {
        (!entity.contains::<Ball>()).then(Self::default)
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_components_3d("", self.0, "rad/s")
    }
}

/// A disc that is a billiard ball: a sphere that slides, rolls and spins.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn spawn(mut commands: Commands) {
///     commands.spawn((Ball, Position(vec2(-0.635, 0.0)), Radius(0.028575), Mass(0.170097)));
/// }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(Disc, AngularVelocity)]
pub struct Ball;

/// The orientation of a ball, for drawing. Optional: collisions ignore it. [`motion`](crate::motion) updates it as the
/// ball moves, by its [`AngularVelocity`] if it has one.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct Orientation {
    /// From the frame of the ball to the world; z points up from the cloth.
    pub turn: Quat,
    /// The position at which `turn` was last updated, metres.
    pub rolled_to: Vec2,
}
