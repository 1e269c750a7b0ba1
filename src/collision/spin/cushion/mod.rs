//! A disc that spins meets a cushion: models of the rebound, by name.
//!
//! A cushion touches a ball above its middle, with its nose, so that it pushes down as well as away, and its friction
//! turns the ball about every axis: topspin and side change where it goes. A flat disc meets a vertical wall.
//!
//! All models end a hit with the ball on the cloth: what they give it as vertical velocity is dropped, as the slate
//! takes it. Where a ball is pressed down so steeply that it would still move into the cushion, it stops there: the
//! slate does not let it pass under the nose.

use bevy::{
    math::{DVec2, DVec3},
    prelude::*,
};
use serde::{Deserialize, Serialize};

use super::{Body, Motion, Shape};
use crate::components::InvalidValue;

mod half_space;
mod han;
mod mathavan;
mod mirror;
mod stronge;
#[cfg(test)]
mod tests;

/// How a cushion throws back what hits it.
#[derive(Reflect, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Default, Debug, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct Cushion {
    /// The model of the rebound. Default: half space.
    pub model: CushionModel,
    /// Height of the nose above the cloth as a share of the ball's diameter. Default: 0.635, in the middle of what
    /// pool's rules allow (0.625 to 0.645); carom has 0.6 (37 mm of 61.5 mm). At 0.5 the cushion is a vertical wall.
    /// Only 0.5 to 0.9 is of use: a nose lower or higher acts as one at that height.
    pub nose_height: f32,
    /// Coefficient of friction between ball and nose, 0 to 10. Default: 0.2. [`CushionModel::Han`] has its own.
    pub friction: f32,
    /// Coefficient of friction between ball and cloth, 0 to 10, which matters while a nose presses the ball down.
    /// Default: 0.2. [`CushionModel::Mathavan`] alone knows it.
    pub cloth_friction: f32,
    /// Restitution along the line from nose to centre. Default: 0.85 at every speed.
    pub restitution: CushionRestitution,
}

impl Default for Cushion {
    fn default() -> Self {
        Self {
            model: CushionModel::default(),
            nose_height: 0.635,
            friction: 0.2,
            cloth_friction: 0.2,
            restitution: CushionRestitution::default(),
        }
    }
}

impl Cushion {
    /// Whether every value lies in its range.
    ///
    /// # Errors
    /// The first field that does not, with the range.
    pub fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check(
            "cushion.nose_height",
            self.nose_height,
            [0.0, 1.0],
            "set it from 0 to 1 of the ball's diameter",
        )?;
        InvalidValue::check("cushion.friction", self.friction, [0.0, 10.0], "set it from 0 to 10")?;
        InvalidValue::check("cushion.cloth_friction", self.cloth_friction, [0.0, 10.0], "set it from 0 to 10")?;
        match self.restitution {
            CushionRestitution::Constant(e) => {
                InvalidValue::check("cushion.restitution", e, [0.0, 1.0], "set it from 0 to 1")
            }
            CushionRestitution::Han => Ok(()),
        }
    }

    /// Sine of the angle by which the line from a ball's centre to the nose rises: height of the nose over the centre,
    /// in radii.
    fn elevation(&self, shape: Shape) -> f64 {
        match shape {
            Shape::Ball if self.nose_height >= LOWEST => 2.0 * f64::from(self.nose_height.min(HIGHEST)) - 1.0,
            _ => 0.0,
        }
    }
}

/// A nose at the height of the centre: below it would lift the ball.
const LOWEST: f32 = 0.5;

/// A nose higher than this hardly holds a ball. Those of tables have 0.6 to 0.75.
const HIGHEST: f32 = 0.9;

/// How a rebound comes about.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Default, Debug, PartialEq)]
pub enum CushionModel {
    /// A smooth vertical wall: the velocity is mirrored, less the restitution, and spin stays.
    Mirror,
    /// A rigid inclined plane with friction, one impulse. The simplest that knows spin.
    #[default]
    HalfSpace,
    /// As half space, with a contact that gives way along the nose too, and springs back: a slip that is slow is
    /// reversed.
    Stronge,
    /// The nose and the cloth rub at once, over the course of the impact. Integrated, so the slowest.
    Mathavan,
    /// As half space, with a friction that falls the more the ball grazes.
    Han,
}

impl CushionModel {
    /// All of them, with the words that people read.
    pub const ALL: [(Self, &str); 5] = [
        (Self::Mirror, "mirror"),
        (Self::HalfSpace, "half space"),
        (Self::Stronge, "Stronge"),
        (Self::Mathavan, "Mathavan"),
        (Self::Han, "Han"),
    ];
}

/// Coefficient of restitution of a cushion.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Default, Debug, PartialEq)]
pub enum CushionRestitution {
    /// The same at every speed, 0 to 1.
    Constant(f32),
    /// By the speed `v` towards the cushion in m/s: `0.39 + 0.257 v - 0.044 v²`, and from where that is largest (0.765
    /// at 2.92 m/s) the same. I. Han, "Dynamics in Carom and Three Cushion Billiards", Journal of Mechanical Science
    /// and Technology 19 (2005), 976.
    Han,
}

impl Default for CushionRestitution {
    fn default() -> Self {
        Self::Constant(0.85)
    }
}

impl CushionRestitution {
    /// The restitution at a speed towards the cushion (m/s).
    #[must_use]
    pub fn at(self, approach: f64) -> f64 {
        match self {
            Self::Constant(e) => f64::from(e),
            Self::Han => han::restitution(approach),
        }
    }
}

/// What a hit on a cushion does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CushionHit {
    /// How fast it came towards the cushion, m/s.
    pub approach: f64,
    /// What the cushion gave it along the normal, N s.
    pub impulse: f64,
    /// Motion afterwards.
    pub after: Motion,
}

/// How fast something comes towards a cushion, m/s, `normal` being the horizontal unit vector from the cushion to it;
/// negative where it leaves.
#[must_use]
pub fn approach(motion: &Motion, normal: DVec2) -> f64 {
    -motion.velocity.dot(normal)
}

/// The rebound of what touches a cushion, `normal` being the horizontal unit vector from the cushion to it; nothing
/// where it does not come towards it.
///
/// `e`, from 0 to 1, is what counts as restitution: the cushion's own would be `cushion.restitution.at(approach)` (see
/// [`approach`]).
#[must_use]
pub fn rebound(cushion: &Cushion, body: &Body, motion: &Motion, normal: DVec2, e: f64) -> Option<CushionHit> {
    let approach = approach(motion, normal);
    if !(approach > 0.0) {
        return None;
    }
    let frame = Frame::new(normal);
    let impact = Impact::new(frame, body, motion, cushion.elevation(body.shape));
    let friction = f64::from(cushion.friction).max(0.0);
    let rebound = match (cushion.model, body.shape) {
        (CushionModel::Mirror, _) => mirror::rebound(impact, e),
        // On a vertical wall nothing presses on the cloth.
        (CushionModel::HalfSpace, _) | (CushionModel::Mathavan, Shape::Flat) => {
            half_space::rebound(impact, e, friction)
        }
        (CushionModel::Han, _) => half_space::rebound(impact, e, han::friction(impact.velocity)),
        (CushionModel::Stronge, _) => stronge::rebound(impact, e, friction),
        (CushionModel::Mathavan, Shape::Ball) => {
            mathavan::rebound(impact, e, friction, f64::from(cushion.cloth_friction).max(0.0), mathavan::STEPS)
        }
    }
    .held_by_the_slate();
    let [velocity, spin] = [rebound.velocity - impact.velocity, rebound.spin - impact.spin];
    Some(CushionHit {
        approach,
        impulse: -velocity.x * body.mass,
        after: Motion {
            velocity: motion.velocity + frame.on_table(velocity.truncate()),
            angular_velocity: motion.angular_velocity
                + (frame.on_table(spin.truncate()) / body.radius).extend(spin.z / body.radius),
        },
    })
}

/// The frame of a cushion: x into it, y along it, to the left of x, z up.
#[derive(Clone, Copy)]
struct Frame {
    x: DVec2,
    y: DVec2,
}

impl Frame {
    fn new(normal: DVec2) -> Self {
        Self { x: -normal, y: (-normal).perp() }
    }

    fn local(self, vector: DVec2) -> DVec2 {
        DVec2::new(vector.dot(self.x), vector.dot(self.y))
    }

    fn on_table(self, vector: DVec2) -> DVec2 {
        self.x * vector.x + self.y * vector.y
    }
}

/// A ball at the nose of a cushion, in the frame of that cushion; impulses are per mass, so in m/s.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Impact {
    /// Velocity, m/s.
    velocity: DVec3,
    /// Angular velocity times the radius, m/s.
    spin: DVec3,
    /// Sine of the elevation of the nose over the centre.
    sin: f64,
    /// Its cosine.
    cos: f64,
    /// Moment of inertia in units of `m r²`.
    inertia: f64,
}

impl Impact {
    fn new(frame: Frame, body: &Body, motion: &Motion, sin: f64) -> Self {
        let spin = motion.angular_velocity * body.radius;
        let spin = match body.shape {
            Shape::Ball => frame.local(spin.truncate()).extend(spin.z),
            Shape::Flat => DVec3::Z * spin.z,
        };
        Self {
            velocity: frame.local(motion.velocity).extend(0.0),
            spin,
            sin,
            cos: (1.0 - sin * sin).sqrt(),
            inertia: body.shape.inertia_factor(),
        }
    }

    /// How fast the ball comes towards the nose, m/s.
    fn approach(&self) -> f64 {
        self.velocity.x * self.cos + self.velocity.z * self.sin
    }

    /// The velocity of the ball's surface at the nose, across the line to the centre, m/s: x up the ball's surface
    /// (that is, down along the nose and into the cushion), y along the cushion.
    fn slip(&self) -> DVec2 {
        let (v, w) = (self.velocity, self.spin);
        DVec2::new(v.x * self.sin - v.z * self.cos + w.y, v.y + w.z * self.cos - w.x * self.sin)
    }

    /// By how much an impulse of 1 m/s across that line changes the slip.
    fn slip_response(&self) -> f64 {
        1.0 + self.inertia.recip()
    }

    /// The ball after an impulse from the nose towards its centre and one of friction against `slip`.
    #[must_use]
    fn pushed(self, normal: f64, friction: DVec2) -> Self {
        let (sin, cos) = (self.sin, self.cos);
        let lever = self.inertia.recip();
        let push = DVec3::new(normal * cos + friction.x * sin, friction.y, normal * sin - friction.x * cos);
        let turn = DVec3::new(-friction.y * sin, friction.x, friction.y * cos) * lever;
        Self { velocity: self.velocity - push, spin: self.spin - turn, ..self }
    }

    /// The ball once the slate has taken what of its velocity is vertical, and does not let it pass under the nose.
    #[must_use]
    fn held_by_the_slate(self) -> Self {
        Self { velocity: DVec3::new(self.velocity.x.min(0.0), self.velocity.y, 0.0), ..self }
    }
}
