//! What spins and rubs: impacts with friction, as functions of values.
//!
//! Nothing in here knows of the ECS, of arrays or of time. A hit is a pair of bodies, or a body and a cushion, with their motions before
//! and after. Square roots and the functions of `libm` are all it takes beyond arithmetic, so that results are the same to the bit everywhere.

use bevy::{
    math::{DVec2, DVec3},
    prelude::*,
};
use serde::{Deserialize, Serialize};

pub mod cushion;
pub mod pair;

/// What a hit needs to know of a disc that spins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Mass, kg; above 0.
    pub mass: f64,
    /// Radius, m; above 0.
    pub radius: f64,
    /// How its mass lies around its centre.
    pub shape: Shape,
}

/// How the mass of a disc that spins lies around its centre.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Default, Debug, PartialEq)]
pub enum Shape {
    /// A solid ball, `2/5 m r²`, that turns about all three axes.
    #[default]
    Ball,
    /// A flat disc, `1/2 m r²`, that turns about z alone. Its rim is a vertical wall.
    Flat,
}

impl Shape {
    /// The moment of inertia in units of `m r²`.
    #[must_use]
    pub const fn inertia_factor(self) -> f64 {
        match self {
            Self::Ball => 0.4,
            Self::Flat => 0.5,
        }
    }
}

/// The motion of a disc that spins.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Velocity on the table, m/s.
    pub velocity: DVec2,
    /// Angular velocity, rad/s; z points up from the cloth, right-handed. Of a flat disc z alone counts.
    pub angular_velocity: DVec3,
}

impl Motion {
    /// Kinetic energy of a body that moves so, J: `m v²/2 + I w²/2`.
    #[must_use]
    pub fn kinetic_energy(&self, body: &Body) -> f64 {
        let squared = match body.shape {
            Shape::Ball => self.angular_velocity.length_squared(),
            Shape::Flat => self.angular_velocity.z * self.angular_velocity.z,
        };
        let rim = body.shape.inertia_factor() * body.radius * body.radius * squared;
        0.5 * body.mass * (self.velocity.length_squared() + rim)
    }
}
