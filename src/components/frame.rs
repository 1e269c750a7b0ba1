//! A frame of reference, such as that of a scene which stands within another.

use bevy::prelude::*;

/// Where the origin of a frame is and by how much it is turned.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// Its origin in the world, metres.
    pub origin: Vec2,
    /// The angle by which it is turned, radians, counter-clockwise.
    pub angle: f32,
}

impl Frame {
    /// A direction of the frame, in the world; the same on every platform.
    #[must_use]
    pub fn turn(self, vector: Vec2) -> Vec2 {
        if self.angle == 0.0 {
            return vector;
        }
        let (sin, cos) = bevy::math::ops::sin_cos(self.angle);
        Vec2::new(vector.x * cos - vector.y * sin, vector.x * sin + vector.y * cos)
    }

    /// A point of the frame, in the world, metres.
    #[must_use]
    pub fn place(self, point: Vec2) -> Vec2 {
        self.turn(point) + self.origin
    }
}
