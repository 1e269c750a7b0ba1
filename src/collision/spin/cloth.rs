//! A ball on cloth: it slides until it rolls, rolls until it stops, and spins about its vertical axis until that spin
//! decays. The motion is in closed form for any time. While a ball slides, the direction of slip at its lowest point
//! does not change. So its path is an exact parabola (Marlow, *The Physics of Pocket Billiards*, 1995; derivation at
//! <https://ekiefl.github.io/2020/04/24/pooltool-theory/>).

use bevy::{
    math::{DVec2, DVec3},
    prelude::*,
};
use serde::{Deserialize, Serialize};

use super::Motion;
use crate::components::ValueRange;

/// The cloth under balls and flat discs: how it slows them down.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Default, Debug, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct Cloth {
    /// Coefficient of sliding friction, 0 to 10. Default: 0.2.
    #[reflect(@ValueRange::new(0.0, 10.0, ""))]
    pub sliding: f32,
    /// Coefficient of rolling friction, 0 to 10. Default: 0.01.
    #[reflect(@ValueRange::new(0.0, 10.0, ""))]
    pub rolling: f32,
    /// The deceleration of spin about the vertical axis, rad/s², 0 to 1e6. Default: 10.9.
    #[reflect(@ValueRange::new(0.0, 1e6, "rad/s²"))]
    pub spinning: f32,
    /// The acceleration that presses balls on the cloth, m/s², 0 to 1000. Default: 9.81.
    #[reflect(@ValueRange::new(0.0, 1000.0, "m/s²"))]
    pub gravity: f32,
}

/// The values of pool on ordinary cloth, from pooltool (within the ranges given by Alciatore).
impl Default for Cloth {
    fn default() -> Self {
        Self { sliding: 0.2, rolling: 0.01, spinning: 10.9, gravity: 9.81 }
    }
}

impl Cloth {
    /// The deceleration of a sliding ball, m/s².
    #[must_use]
    pub fn sliding_deceleration(&self) -> f64 {
        f64::from(self.sliding) * f64::from(self.gravity)
    }

    /// The deceleration of a rolling ball, m/s².
    #[must_use]
    pub fn rolling_deceleration(&self) -> f64 {
        f64::from(self.rolling) * f64::from(self.gravity)
    }
}

/// The state of a ball on the cloth.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BallState {
    /// Its lowest point slips over the cloth.
    Sliding,
    /// It rolls without slipping.
    Rolling,
    /// It turns about its vertical axis without moving.
    Spinning,
    /// It is at rest.
    Resting,
}

/// A ball rolls if the speed of its lowest point is below this share of its speeds: the rest is rounding.
const SLIP_ROUNDING: f64 = 1e-5;

impl BallState {
    /// The state of a ball of this radius (metres).
    #[must_use]
    pub fn of(motion: &Motion, radius: f64) -> Self {
        let Motion { velocity, angular_velocity: w, .. } = *motion;
        let speeds = velocity.length() + radius * DVec2::new(w.x, w.y).length();
        if slip(motion, radius).length() > SLIP_ROUNDING * speeds {
            Self::Sliding
        } else if speeds > 0.0 {
            Self::Rolling
        } else if w.z != 0.0 {
            Self::Spinning
        } else {
            Self::Resting
        }
    }
}

/// The slip velocity of the lowest point of a ball over the cloth, m/s: `v + R k x w`.
#[must_use]
pub fn slip(motion: &Motion, radius: f64) -> DVec2 {
    let w = motion.angular_velocity;
    motion.velocity + DVec2::new(-w.y, w.x) * radius
}

/// The angular velocity of a rolling ball without the vertical component, rad/s: `(k x v) / R`.
#[must_use]
pub fn rolling_spin(velocity: DVec2, radius: f64) -> DVec2 {
    velocity.perp() / radius
}

/// How long a ball will slide, seconds; infinite without friction, 0 if it does not slide.
#[must_use]
pub fn sliding_time(motion: &Motion, radius: f64, cloth: &Cloth) -> f64 {
    let slip = slip(motion, radius).length();
    if slip == 0.0 { 0.0 } else { 2.0 * slip / (7.0 * cloth.sliding_deceleration()) }
}

/// A ball after `time` seconds on the cloth, if it hits nothing: its motion then, and its displacement, metres.
#[must_use]
pub fn after(motion: &Motion, radius: f64, cloth: &Cloth, time: f64) -> (Motion, DVec2) {
    let Motion { velocity, angular_velocity: w, .. } = *motion;
    let z = wind_down(w.z, f64::from(cloth.spinning) * time);
    let slip = slip(motion, radius);
    let slip_speed = slip.length();
    let deceleration = cloth.sliding_deceleration();
    let sliding = if slip_speed == 0.0 { 0.0 } else { 2.0 * slip_speed / (7.0 * deceleration) };
    if time < sliding {
        let along = slip / slip_speed;
        let lost = deceleration * time;
        let turned = along * (2.5 * lost / radius);
        let after = Motion {
            velocity: velocity - along * lost,
            angular_velocity: DVec3::new(w.x - turned.y, w.y + turned.x, z),
            vertical: 0.0,
        };
        return (after, (velocity - along * (0.5 * lost)) * time);
    }
    let rolls = velocity - slip * (2.0 / 7.0);
    let slid = (velocity + rolls) * (0.5 * sliding);
    let (velocity, rolled) = slow_down(rolls, cloth.rolling_deceleration(), time - sliding);
    let spin = rolling_spin(velocity, radius);
    (Motion { velocity, angular_velocity: DVec3::new(spin.x, spin.y, z), vertical: 0.0 }, slid + rolled)
}

/// A velocity after a constant deceleration (m/s²) for a time (seconds), and the displacement, metres.
fn slow_down(velocity: DVec2, deceleration: f64, time: f64) -> (DVec2, DVec2) {
    let speed = velocity.length();
    let lost = deceleration * time;
    if speed > lost {
        let left = velocity * ((speed - lost) / speed);
        ((left), (velocity + left) * (0.5 * time))
    } else if speed == 0.0 {
        (DVec2::ZERO, DVec2::ZERO)
    } else {
        (DVec2::ZERO, velocity * (0.5 * speed / deceleration))
    }
}

/// Moves a number toward zero by `loss`, but not beyond.
fn wind_down(value: f64, loss: f64) -> f64 {
    if value.abs() <= loss { 0.0 } else { value - loss.copysign(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const R: f64 = 0.028575;

    fn cloth() -> Cloth {
        Cloth::default()
    }

    fn moving(velocity: DVec2, angular_velocity: DVec3) -> Motion {
        Motion { velocity, angular_velocity, vertical: 0.0 }
    }

    fn near(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b} within {tolerance}");
    }

    // The coefficients are f32, so that a published 0.2 is 0.2 to 1.5e-8.
    const TOLERANCE: f64 = 1e-5;

    #[test]
    fn case_1_a_ball_without_spin_slides_until_it_rolls() {
        let start = moving(DVec2::X * 2.0, DVec3::ZERO);
        let time = sliding_time(&start, R, &cloth());
        near(time, 0.291248, TOLERANCE);
        let (rolls, way) = after(&start, R, &cloth(), time);
        near(way.x, 0.499282, TOLERANCE);
        near(rolls.velocity.x, 1.428571, TOLERANCE);
        near(slip(&rolls, R).length(), 0.0, 1e-12);
    }

    #[test]
    fn cases_2_and_3_it_rolls_until_it_stands() {
        let spin = rolling_spin(DVec2::X, R).extend(0.0);
        let (before, _) = after(&moving(DVec2::X, spin), R, &cloth(), 10.1936);
        assert!(before.velocity.x > 0.0);
        let (end, way) = after(&moving(DVec2::X, spin), R, &cloth(), 10.1937);
        assert_eq!((end.velocity, end.angular_velocity), (DVec2::ZERO, DVec3::ZERO));
        near(way.x, 5.096840, TOLERANCE);
        let (end, way) = after(&moving(DVec2::X * 2.0, DVec3::ZERO), R, &cloth(), 14.8537);
        assert_eq!(end.velocity, DVec2::ZERO);
        near(way.x, 10.900996, 1e-4);
    }

    #[test]
    fn case_4_a_ball_that_spins_on_the_spot_winds_down() {
        for (w, time) in [(50.0, 4.587156), (-25.0, 2.293578)] {
            let start = moving(DVec2::ZERO, DVec3::Z * w);
            assert_eq!(BallState::of(&after(&start, R, &cloth(), time - 1e-5).0, R), BallState::Spinning);
            assert_eq!(BallState::of(&after(&start, R, &cloth(), time + 1e-5).0, R), BallState::Resting);
        }
    }

    #[test]
    fn cases_5_and_6_backspin_dies_where_the_closed_form_says() {
        for (back, time, way, speed) in [(2.0, 0.407747, 0.652396, 1.2), (2.5, 0.509684, 0.764526, 1.0)] {
            let start = moving(DVec2::X * 2.0, DVec3::Y * (-back / R));
            let (then, at) = after(&start, R, &cloth(), time);
            near(R * then.angular_velocity.y, 0.0, TOLERANCE);
            near(at.x, way, TOLERANCE);
            near(then.velocity.x, speed, TOLERANCE);
        }
    }

    #[test]
    fn the_way_is_the_same_in_one_step_and_in_many() {
        let start = moving(DVec2::new(1.0, -2.0), DVec3::new(40.0, -90.0, 7.0));
        let (whole, way) = after(&start, R, &cloth(), 3.0);
        let (mut motion, mut sum) = (start, DVec2::ZERO);
        for _ in 0..300 {
            let (next, step) = after(&motion, R, &cloth(), 0.01);
            (motion, sum) = (next, sum + step);
        }
        assert!((sum - way).length() < 1e-12 && (motion.velocity - whole.velocity).length() < 1e-12);
        assert!((motion.angular_velocity - whole.angular_velocity).length() < 1e-9);
    }

    #[test]
    fn without_friction_nothing_changes() {
        let ice = Cloth { sliding: 0.0, rolling: 0.0, spinning: 0.0, ..cloth() };
        for spin in [DVec3::ZERO, DVec3::new(1.0, 2.0, 3.0), rolling_spin(DVec2::X, R).extend(1.0)] {
            let start = moving(DVec2::X, spin);
            let (end, way) = after(&start, R, &ice, 2.0);
            assert_eq!(way, DVec2::X * 2.0);
            assert!((end.velocity - start.velocity).length() < 1e-15);
            assert!((end.angular_velocity - start.angular_velocity).length() < 1e-12);
        }
    }
}
