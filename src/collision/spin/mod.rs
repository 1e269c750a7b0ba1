//! Discs that spin: what cloth, other discs and cushions make of their velocity and angular velocity.
//!
//! A disc with an [`AngularVelocity`](crate::components::AngularVelocity) is a billiard ball if it is a
//! [`Ball`](crate::components::Ball), else a flat disc that turns about its middle. None of this acts unless a
//! [`TablePhysics`] is there: a force in the list sets it (see [`billiards`](crate::billiards)), as
//! [`motion::gravity`](crate::motion::gravity) sets the gravity. Discs without an angular velocity are smooth, whatever
//! they meet. In the stepped mode they move and bounce off terrain as they do without a table.
//!
//! | module | what it holds |
//! |---|---|
//! | [`cloth`] | sliding, rolling and spinning on the cloth, in closed form |
//! | [`flat`] | a flat disc on the cloth |
//! | [`pair`] | two that meet: restitution and friction |
//! | [`cushion`] | a ball and a cushion: one file a model |
//!
//! # Frame
//! x and y lie in the cloth, z points up from it, right-handed; angular velocities are in radians per second. A ball
//! that rolls along +x has a positive y component; positive z turns counter-clockwise as seen from above.
//!
//! # Beside other forces
//! Where discs spin on a table, gravity in the plane (a tilted table) and other forces change the velocities before and
//! after the discs move, as anywhere; but what lies on each other under gravity is not held together as the continuous
//! mode does elsewhere, and springs of piles know nothing of spin. The `friction` of
//! [`MotionSettings`](crate::motion::MotionSettings) slows balls besides the cloth: leave it at zero.
//!
//! # How exact it is
//! From one impact to the next, velocity, angular velocity and where a disc gets to in a tick follow from closed forms,
//! for ticks of any length. Within a tick the path is the straight one to that place, so an impact within it is met at
//! most `a h² / 8` beside the curved path (`a` being the friction's deceleration and `h` the length of the tick: 0.07
//! mm at 60 Hz and 0.017 mm at 120 Hz for balls that slide at 0.2 g), and what meets there has the velocity and the
//! spin of the curved one.

use bevy::{
    math::{DVec2, DVec3},
    prelude::*,
};
use serde::{Deserialize, Serialize};

pub mod cloth;
pub mod cushion;
pub mod flat;
pub mod pair;

pub use cloth::{BallState, Cloth};

use crate::components::InvalidValue;
use cushion::Cushion;
use pair::PairFriction;

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

/// How fast a disc turns, and what it is made like: its part of [`Discs`](crate::collision::Discs).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spin {
    /// Radians per second, z up from the cloth.
    pub angular_velocity: Vec3,
    /// What it is made like.
    pub shape: Shape,
}

/// The physics of a table: what cloth, balls and cushions do to discs that spin. In an app with
/// [`BilliardsPlugin`](crate::billiards::BilliardsPlugin) it is a resource; change it at any time, and the next tick
/// reads it.
#[derive(Resource, Reflect, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Resource, Default, Debug, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct TablePhysics {
    /// Friction of the cloth.
    pub cloth: Cloth,
    /// Friction between two that meet. Their restitution is that of
    /// [`CollisionSettings`](crate::collision::CollisionSettings). Default: Alciatore's, of billiard balls.
    pub balls: PairFriction,
    /// How balls rebound from cushions.
    pub cushion: Cushion,
}

impl Default for TablePhysics {
    fn default() -> Self {
        Self { cloth: Cloth::default(), balls: PairFriction::Alciatore, cushion: Cushion::default() }
    }
}

impl TablePhysics {
    /// These values, each part of which one is out of its range replaced by its default.
    #[must_use]
    pub fn in_range(&self) -> Self {
        Self {
            cloth: if self.cloth.check().is_ok() { self.cloth } else { Cloth::default() },
            balls: if self.check_balls().is_ok() { self.balls } else { Self::default().balls },
            cushion: if self.cushion.check().is_ok() { self.cushion.clone() } else { Cushion::default() },
        }
    }

    /// Whether every value lies in its range.
    ///
    /// # Errors
    /// The first field that does not, with the range.
    pub fn check(&self) -> Result<(), InvalidValue> {
        self.cloth.check()?;
        self.check_balls()?;
        self.cushion.check()
    }

    fn check_balls(&self) -> Result<(), InvalidValue> {
        let PairFriction::Constant(coefficient) = self.balls else { return Ok(()) };
        InvalidValue::check("balls", coefficient, [0.0, 10.0], "set it to a coefficient from 0 to 10")
    }
}
