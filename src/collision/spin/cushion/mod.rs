//! Hits of a spinning disc on a cushion: models of the rebound, by name.
//!
//! The nose of a cushion touches a ball above its centre, so it pushes down as well as away. Its friction turns the
//! ball about every axis: topspin and side change the direction of the rebound. A flat disc hits a vertical wall.
//!
//! On the cloth ([`rebound`]) all models keep the ball down: the resulting vertical velocity is dropped, as the slate
//! absorbs it. A ball that is pressed down so steeply that it would still move into the cushion stops there: the slate
//! does not let it pass under the nose.
//!
//! Above the cloth ([`rebound_in_flight`]) the nose is a horizontal edge at any height beside the ball, and the ball
//! keeps its vertical velocity. Check values (F36 to F41) are in section 4 of `docs/src/flight.md`.

use bevy::{
    math::{DVec2, DVec3},
    prelude::*,
};
use serde::{Deserialize, Serialize};

use super::{Body, Motion, Shape};
use crate::components::ValueRange;

mod half_space;
mod han;
mod mathavan;
mod mirror;
mod stronge;
#[cfg(test)]
mod tests;

/// How balls rebound from a cushion.
#[derive(Reflect, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Default, Debug, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct Cushion {
    /// The model of the rebound. Default: half space.
    pub model: CushionModel,
    /// Height of the nose above the cloth as a share of the diameter of the ball. Default: 0.635, in the middle of the
    /// range in the rules of pool (0.625 to 0.645); carom has 0.6 (37 mm of 61.5 mm). At 0.5 the cushion is a vertical
    /// wall. A value below 0.5 or above 0.9 acts as that limit.
    #[reflect(@ValueRange::new(0.0, 1.0, "of the ball's diameter"))]
    pub nose_height: f32,
    /// Coefficient of friction between ball and nose, 0 to 10. Default: 0.2. [`CushionModel::Han`] uses its own.
    #[reflect(@ValueRange::new(0.0, 10.0, ""))]
    pub friction: f32,
    /// Coefficient of friction between ball and cloth while the nose presses the ball down, 0 to 10. Default: 0.2. Only
    /// [`CushionModel::Mathavan`] uses it.
    #[reflect(@ValueRange::new(0.0, 10.0, ""))]
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
    /// Sine of the elevation of the nose seen from the centre of a ball: the height of the nose above the centre, in
    /// radii.
    fn elevation(&self, shape: Shape) -> f64 {
        match shape {
            Shape::Ball if self.nose_height >= LOWEST => 2.0 * f64::from(self.nose_height.min(HIGHEST)) - 1.0,
            _ => 0.0,
        }
    }
}

/// A nose at the height of the centre: a lower one would lift the ball.
pub(super) const LOWEST: f32 = 0.5;

/// A higher nose hardly holds a ball. Real tables have 0.6 to 0.75.
pub(super) const HIGHEST: f32 = 0.9;

/// The model of a rebound.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Default, Debug, PartialEq)]
pub enum CushionModel {
    /// A smooth vertical wall: the velocity is mirrored, with restitution, and spin does not change. A ball in the air
    /// meets the nose, without friction.
    Mirror,
    /// A rigid inclined plane with friction, one impulse. The simplest model with spin.
    #[default]
    HalfSpace,
    /// As half space, with a contact that is also elastic along the nose: a slow slip is reversed.
    Stronge,
    /// Friction at nose and cloth at once, over the course of the impact. It is integrated, so it is the slowest.
    Mathavan,
    /// As half space, with a friction that decreases the more the ball grazes.
    Han,
}

impl CushionModel {
    /// All models with their displayed names.
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
    /// Constant, 0 to 1.
    Constant(#[reflect(@ValueRange::new(0.0, 1.0, ""))] f32),
    /// By the speed `v` towards the cushion in m/s: `0.39 + 0.257 v - 0.044 v²`, and constant from its maximum on
    /// (0.765 at 2.92 m/s). I. Han, "Dynamics in Carom and Three Cushion Billiards", Journal of Mechanical Science and
    /// Technology 19 (2005), 976.
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

/// The result of a hit on a cushion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CushionHit {
    /// The speed towards the cushion, m/s; of a flying ball, towards its nose.
    pub approach: f64,
    /// The impulse of the cushion along the horizontal normal, N s.
    pub impulse: f64,
    /// Motion afterwards.
    pub after: Motion,
}

/// The speed towards a cushion, m/s; negative if it moves away. `normal` is the horizontal unit vector from the cushion
/// to the disc.
#[must_use]
pub fn approach(motion: &Motion, normal: DVec2) -> f64 {
    -motion.velocity.dot(normal)
}

/// The speed of a flying ball towards the nose of a cushion, m/s; negative if it moves away. See [`rebound_in_flight`].
#[must_use]
pub fn approach_in_flight(motion: &Motion, normal: DVec2, sin: f64) -> f64 {
    approach(motion, normal) * (1.0 - sin * sin).sqrt() + motion.vertical * sin
}

/// The rebound of a disc that touches a cushion; `None` if it does not approach. `normal` is the horizontal unit vector
/// from the cushion to the disc.
///
/// `e`, from 0 to 1, is the restitution; for the cushion itself it is `cushion.restitution.at(approach)` (see
/// [`approach`]).
#[must_use]
pub fn rebound(cushion: &Cushion, body: &Body, motion: &Motion, normal: DVec2, e: f64) -> Option<CushionHit> {
    let approach = approach(motion, normal);
    if !(approach > 0.0) {
        return None;
    }
    let frame = Frame::new(normal);
    let impact = Impact::new(frame, body, &motion.on_the_cloth(), cushion.elevation(body.shape));
    let rebound = push_back(cushion, body, impact, e, cushion.model).held_by_the_slate();
    Some(CushionHit { approach, ..impact.becomes(rebound, frame, body, motion.on_the_cloth()) })
}

/// The rebound of a flying ball that touches the nose of a cushion; `None` if it does not approach the nose. `normal`
/// and `e` are as for [`rebound`]. `sin` is the sine of the [elevation of the nose](nose_elevation) seen from the
/// centre of the ball, -1 to 1: a nose below the centre lifts the ball.
///
/// Nothing presses a flying ball on the cloth, so [`CushionModel::Mathavan`] acts as half space, and
/// [`CushionModel::Mirror`] as one without friction.
#[must_use]
pub fn rebound_in_flight(
    cushion: &Cushion,
    body: &Body,
    motion: &Motion,
    normal: DVec2,
    e: f64,
    sin: f64,
) -> Option<CushionHit> {
    let frame = Frame::new(normal);
    let impact = Impact::new(frame, body, motion, sin);
    if !(impact.approach() > 0.0) {
        return None;
    }
    let rebound = match cushion.model {
        CushionModel::Mirror => half_space::rebound(impact, e, 0.0),
        CushionModel::Mathavan => push_back(cushion, body, impact, e, CushionModel::HalfSpace),
        model => push_back(cushion, body, impact, e, model),
    };
    Some(impact.becomes(rebound, frame, body, *motion))
}

/// The sine of the elevation of a nose at `nose_height` above the cloth, seen from the centre of a ball whose lowest
/// point is at `height`. All lengths in metres. Negative if the nose is below the centre.
#[must_use]
pub fn nose_elevation(nose_height: f64, radius: f64, height: f64) -> f64 {
    (nose_height - radius - height) / radius
}

/// The horizontal distance from the line of the nose at which the centre of a ball touches the edge, metres; `None` if
/// the ball passes over or under it. Lengths as for [`nose_elevation`].
///
/// A ball on the cloth touches at the distance of its radius, as terrain without height does. So the edge lies
/// `R (1 - cos φ₀)` in front of the line, with the elevation `φ₀` seen from the cloth.
#[must_use]
pub fn nose_distance(nose_height: f64, radius: f64, height: f64) -> Option<f64> {
    let sin = nose_elevation(nose_height, radius, height);
    (sin * sin <= 1.0).then(|| overhang(nose_height, radius) + radius * (1.0 - sin * sin).sqrt())
}

/// How far the edge of a nose lies in front of the line that stops a ball on the cloth, metres: `R (1 - cos φ₀)`. Zero
/// for a nose that is not beside the ball.
#[must_use]
pub fn overhang(nose_height: f64, radius: f64) -> f64 {
    let sin = nose_elevation(nose_height, radius, 0.0);
    if sin * sin <= 1.0 { radius * (1.0 - (1.0 - sin * sin).sqrt()) } else { 0.0 }
}

/// A ball after the impulses of a nose, by a model.
fn push_back(cushion: &Cushion, body: &Body, impact: Impact, e: f64, model: CushionModel) -> Impact {
    let friction = f64::from(cushion.friction).max(0.0);
    match (model, body.shape) {
        (CushionModel::Mirror, _) => mirror::rebound(impact, e),
        // At a vertical wall nothing presses on the cloth.
        (CushionModel::HalfSpace, _) | (CushionModel::Mathavan, Shape::Flat) => {
            half_space::rebound(impact, e, friction)
        }
        (CushionModel::Han, _) => half_space::rebound(impact, e, han::friction(impact.velocity)),
        (CushionModel::Stronge, _) => stronge::rebound(impact, e, friction),
        (CushionModel::Mathavan, Shape::Ball) => {
            mathavan::rebound(impact, e, friction, f64::from(cushion.cloth_friction).max(0.0), mathavan::STEPS)
        }
    }
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
    /// Sine of the elevation of the nose above the centre.
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
            velocity: frame.local(motion.velocity).extend(motion.vertical),
            spin,
            sin,
            cos: (1.0 - sin * sin).sqrt(),
            inertia: body.shape.inertia_factor(),
        }
    }

    /// The hit that leads from this impact, of a ball with this motion, to another.
    fn becomes(&self, rebound: Self, frame: Frame, body: &Body, motion: Motion) -> CushionHit {
        let [velocity, spin] = [rebound.velocity - self.velocity, rebound.spin - self.spin];
        CushionHit {
            approach: self.approach(),
            impulse: -velocity.x * body.mass,
            after: Motion {
                velocity: motion.velocity + frame.on_table(velocity.truncate()),
                angular_velocity: motion.angular_velocity
                    + (frame.on_table(spin.truncate()) / body.radius).extend(spin.z / body.radius),
                vertical: motion.vertical + velocity.z,
            },
        }
    }

    /// The speed of the ball towards the nose, m/s.
    fn approach(&self) -> f64 {
        self.velocity.x * self.cos + self.velocity.z * self.sin
    }

    /// The velocity of the surface of the ball at the nose, across the line to the centre, m/s. x points up the surface
    /// of the ball (that is, down along the nose and into the cushion), y along the cushion.
    fn slip(&self) -> DVec2 {
        let (v, w) = (self.velocity, self.spin);
        DVec2::new(v.x * self.sin - v.z * self.cos + w.y, v.y + w.z * self.cos - w.x * self.sin)
    }

    /// The change of the slip by an impulse of 1 m/s across that line.
    fn slip_response(&self) -> f64 {
        1.0 + self.inertia.recip()
    }

    /// The ball after an impulse from the nose towards its centre, and one of friction against `slip`.
    #[must_use]
    fn pushed(self, normal: f64, friction: DVec2) -> Self {
        let (sin, cos) = (self.sin, self.cos);
        let lever = self.inertia.recip();
        let push = DVec3::new(normal * cos + friction.x * sin, friction.y, normal * sin - friction.x * cos);
        let turn = DVec3::new(-friction.y * sin, friction.x, friction.y * cos) * lever;
        Self { velocity: self.velocity - push, spin: self.spin - turn, ..self }
    }

    /// The ball after the slate has absorbed its vertical velocity; it cannot pass under the nose.
    #[must_use]
    fn held_by_the_slate(self) -> Self {
        Self { velocity: DVec3::new(self.velocity.x.min(0.0), self.velocity.y, 0.0), ..self }
    }
}
