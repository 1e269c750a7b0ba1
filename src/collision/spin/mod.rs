//! Spinning discs: how cloth, other discs and cushions change velocity and angular velocity.
//!
//! A disc with an [`AngularVelocity`](crate::components::AngularVelocity) is a billiard ball if it is a
//! [`Ball`](crate::components::Ball), otherwise a flat disc that turns about its centre. Without a [`TablePhysics`],
//! none of this acts. A force in the list sets it (see [`billiards`](crate::billiards)), as
//! [`motion::gravity`](crate::motion::gravity) sets the gravity. Discs without an angular velocity are smooth in all
//! hits. In the stepped mode they move and bounce off terrain as they do without a table.
//!
//! | module | contents |
//! |---|---|
//! | [`cloth`] | sliding, rolling and spinning on the cloth, in closed form |
//! | [`flat`] | a flat disc on the cloth |
//! | [`slate`] | a ball that lands on the slate, or is pushed into it |
//! | [`pair`] | hits of two discs: restitution and friction |
//! | [`rails`] | rails that a ball climbs, clears, or lies on, and the edge where it leaves the table |
//! | [`cushion`] | a ball and a cushion: one file per model |
//!
//! # Frame
//! x and y are in the plane of the cloth, z points up from it, right-handed; angular velocities are in radians per
//! second. A ball that rolls along +x has a positive y component; positive z is counter-clockwise seen from above.
//!
//! # Combination with other forces
//! Where discs spin on a table, gravity in the plane (a tilted table) and other forces change the velocities before and
//! after the discs move, as usual. But the continuous mode does not hold resting groups under gravity as it does
//! elsewhere, and the springs of piles ignore spin. The `friction` of [`MotionSettings`](crate::motion::MotionSettings)
//! slows balls in addition to the cloth: leave it at zero.
//!
//! # Accuracy
//! Between impacts, velocity, angular velocity and the position at the end of a tick follow from closed forms, for
//! ticks of any length. Within a tick the path is the straight line to that position. So an impact within it is at most
//! `a h² / 8` beside the curved path, where `a` is the deceleration by friction and `h` the length of the tick. For
//! balls that slide at 0.2 g that is 0.07 mm at 60 Hz and 0.017 mm at 120 Hz. The velocity and spin at the impact are
//! those of the curved path.

use bevy::{
    math::{DVec2, DVec3},
    prelude::*,
};
use serde::{Deserialize, Serialize};

pub mod cloth;
pub mod cushion;
pub mod flat;
pub mod pair;
pub mod rails;
pub mod slate;

pub use cloth::{BallState, Cloth};
pub use rails::Rails;
pub use slate::FlightPhysics;

use crate::{
    collision::settings::SolverMode,
    components::{Height, InvalidValue, check_ranges},
};
use cushion::Cushion;
use pair::PairFriction;

/// The mass distribution of a spinning disc.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Default, Debug, PartialEq)]
pub enum Shape {
    /// A solid ball, `2/5 m r²`, that can turn about all three axes.
    #[default]
    Ball,
    /// A flat disc, `1/2 m r²`, that turns about z only. Its rim is a vertical wall.
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

/// The properties of a spinning disc that a hit needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Mass, kg; above 0.
    pub mass: f64,
    /// Radius, m; above 0.
    pub radius: f64,
    /// Its mass distribution.
    pub shape: Shape,
}

/// The motion of a spinning disc.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Velocity on the table, m/s.
    pub velocity: DVec2,
    /// Angular velocity, rad/s; z points up from the cloth, right-handed. Of a flat disc only z counts.
    pub angular_velocity: DVec3,
    /// Vertical velocity, m/s, positive up. Zero for every disc that stays on the cloth.
    pub vertical: f64,
}

impl Motion {
    /// Kinetic energy of a body with this motion, J: `m v²/2 + I w²/2`.
    #[must_use]
    pub fn kinetic_energy(&self, body: &Body) -> f64 {
        let squared = match body.shape {
            Shape::Ball => self.angular_velocity.length_squared(),
            Shape::Flat => self.angular_velocity.z * self.angular_velocity.z,
        };
        let rim = body.shape.inertia_factor() * body.radius * body.radius * squared;
        0.5 * body.mass * (self.velocity.length_squared() + rim + self.vertical * self.vertical)
    }

    /// Whether the disc is at rest.
    #[inline]
    #[must_use]
    pub fn is_rest(&self) -> bool {
        let Self { velocity, angular_velocity, vertical } = self;
        let numbers = [velocity.x, velocity.y, angular_velocity.x, angular_velocity.y, angular_velocity.z, *vertical];
        // All at once; the shift removes the sign of a zero.
        numbers.iter().fold(0, |bits, number| bits | number.to_bits()) << 1 == 0
    }

    /// The height of a ball with this motion, whose lowest point is at a height above the cloth (metres). `None` if the
    /// ball is on the cloth and stays there.
    #[must_use]
    pub fn height_at(&self, height: f32) -> Option<Height> {
        let speed = self.vertical as f32;
        (height != 0.0 || speed != 0.0).then_some(Height { height, speed })
    }

    /// The same without its vertical velocity, which the slate absorbs where no ball flies.
    #[must_use]
    pub const fn on_the_cloth(self) -> Self {
        Self { vertical: 0.0, ..self }
    }
}

/// The angular velocity and shape of a disc, as stored in [`Discs`](crate::collision::Discs).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spin {
    /// Radians per second, z up from the cloth.
    pub angular_velocity: Vec3,
    /// Its shape, which decides how its mass is distributed.
    pub shape: Shape,
}

/// The physics of a table: how cloth, balls and cushions act on spinning discs. In an app with
/// [`BilliardsPlugin`](crate::billiards::BilliardsPlugin) it is a resource. Change it at any time: the next tick reads
/// it.
#[derive(Resource, Reflect, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Resource, Default, Debug, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct TablePhysics {
    /// Friction of the cloth.
    pub cloth: Cloth,
    /// Friction between two discs. Their restitution is in [`CollisionSettings`](crate::collision::CollisionSettings).
    /// Default: Alciatore's, for billiard balls.
    pub balls: PairFriction,
    /// How balls rebound from cushions.
    pub cushion: Cushion,
    /// How balls leave the cloth and land on it, in the continuous mode. Default: `None`, every ball stays on the
    /// cloth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flight: Option<FlightPhysics>,
    /// The rails that a flying ball can climb, clear and land on. Default: `None`, it hits static terrain at any
    /// height.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rails: Option<Rails>,
}

impl Default for TablePhysics {
    fn default() -> Self {
        Self {
            cloth: Cloth::default(),
            balls: PairFriction::Alciatore,
            cushion: Cushion::default(),
            flight: None,
            rails: None,
        }
    }
}

impl TablePhysics {
    /// These values as a mode applies them: balls leave the cloth only in the continuous mode.
    #[must_use]
    pub fn in_mode(&self, mode: SolverMode) -> Self {
        Self { flight: self.flight.filter(|_| mode == SolverMode::Continuous), ..self.clone() }
    }

    /// These values, with each part that has a value out of range replaced by its default.
    #[must_use]
    pub fn in_range(&self) -> Self {
        Self {
            cloth: if check_ranges(&self.cloth).is_ok() { self.cloth } else { Cloth::default() },
            balls: if check_ranges(&self.balls).is_ok() { self.balls } else { Self::default().balls },
            cushion: if check_ranges(&self.cushion).is_ok() { self.cushion.clone() } else { Cushion::default() },
            flight: self
                .flight
                .map(|flight| if check_ranges(&flight).is_ok() { flight } else { FlightPhysics::default() }),
            rails: self.rails.filter(|rails| check_ranges(rails).is_ok()),
        }
    }

    /// Whether every value is in range.
    ///
    /// # Errors
    /// The first field out of range, with the range.
    pub fn check(&self) -> Result<(), InvalidValue> {
        check_ranges(self)
    }
}
