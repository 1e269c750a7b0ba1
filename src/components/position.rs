//! Where discs and pieces of terrain are, and how they move.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    description::{Described, Description, EntityKinds},
    frame::Frame,
    invalid::InvalidValue,
};
use crate::notice::mark;

/// The centre of a disc, or the origin of a piece of [`Terrain`](super::Terrain), in metres.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct Position(pub Vec2);

impl Described for Position {
    const DESCRIPTION: Description = Description::new(mark("position")).rejecting(EntityKinds::ALL);

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_coordinates("", self.0)
    }
}

/// The angle by which a piece of terrain is rotated about its [`Position`], in radians, counter-clockwise.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct Rotation(pub f32);

impl Described for Rotation {
    const DESCRIPTION: Description = Description::new(mark("angle")).rejecting(EntityKinds::TERRAIN);

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_angle(self.0)
    }
}

impl Rotation {
    /// Rotates a vector by this angle, with the same bits on every platform.
    #[must_use]
    pub fn turn(self, vector: Vec2) -> Vec2 {
        Frame { angle: self.0, ..default() }.turn(vector)
    }
}

/// The velocity of a disc or a piece of terrain, in metres per second.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct Velocity(pub Vec2);

impl Described for Velocity {
    const DESCRIPTION: Description = Description::new(mark("velocity"))
        .offered(
            mark("Velocity"),
            mark("Velocity, m/s: to the right, upward. Terrain hits discs as a moving wall."),
            " m/s",
        )
        .rejecting(EntityKinds::ALL);

    fn first(_: EntityRef, is_terrain: bool) -> Option<Self> {
        is_terrain.then_some(Self::default())
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_components("", self.0, "m/s")
    }

    fn put_at(&mut self, frame: Frame) {
        self.0 = frame.turn(self.0);
    }
}
