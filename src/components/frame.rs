//! A frame of reference, such as the frame of a scene within another scene.

use bevy::prelude::*;

/// A frame of reference: its origin and rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// Its origin in the world, metres.
    pub origin: Vec2,
    /// Its rotation, radians, counter-clockwise.
    pub angle: f32,
}

impl Frame {
    /// Transforms a direction from the frame to the world, with the same bits on every platform.
    #[must_use]
    pub fn turn(self, vector: Vec2) -> Vec2 {
        if self.angle == 0.0 {
            return vector;
        }
        let (sin, cos) = bevy::math::ops::sin_cos(self.angle);
        Vec2::new(vector.x * cos - vector.y * sin, vector.x * sin + vector.y * cos)
    }

    /// Transforms a point from the frame to the world, metres.
    #[must_use]
    pub fn place(self, point: Vec2) -> Vec2 {
        self.turn(point) + self.origin
    }
}
