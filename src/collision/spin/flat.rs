//! A flat disc on the cloth, with even pressure on its face. Friction and its torque depend on the ratio of sliding
//! speed to rim speed. So a spinning disc glides farther, and both motions end at the same moment, with `v = 0.653 R w`
//! (Farkas, Bartels, Unger, Wolf, *Frictional Coupling between Sliding and Spinning Motion*, Phys. Rev. Lett. 90,
//! 248302, 2003). The path is straight, as the friction of even pressure is opposite to the velocity.

use bevy::math::{DVec2, DVec3};
use std::f64::consts::PI;

use super::{Cloth, Motion};

/// The number of steps that a time is divided into.
const STEPS: u32 = 8;

/// A flat disc after `time` seconds on the cloth, if it hits nothing: its motion then, and its displacement, metres.
///
/// Without spin or without velocity it is exact. With both, the equations are integrated in eight steps of the midpoint
/// rule.
#[must_use]
pub fn after(motion: &Motion, radius: f64, cloth: &Cloth, time: f64) -> (Motion, DVec2) {
    let Motion { velocity, angular_velocity: DVec3 { z, .. }, .. } = *motion;
    let deceleration = cloth.sliding_deceleration();
    let mut speeds = [velocity.length(), radius * z.abs()];
    if deceleration == 0.0 || speeds == [0.0; 2] {
        return (Motion { velocity, angular_velocity: DVec3::Z * z, vertical: 0.0 }, velocity * time);
    }
    let along = if speeds[0] > 0.0 { velocity / speeds[0] } else { DVec2::ZERO };
    let (step, mut way) = (time / f64::from(STEPS), 0.0);
    for _ in 0..STEPS {
        let middle = slowed(speeds, speeds, deceleration * step * 0.5);
        // A disc that stops within the step has half of its speed in the middle of its path.
        let middle = [middle[0].max(0.5 * speeds[0]), middle[1].max(0.5 * speeds[1])];
        let next = slowed(speeds, middle, deceleration * step);
        let share = if next[0] > 0.0 { 1.0 } else { stopping_share(speeds, middle, deceleration * step) };
        way += 0.5 * (speeds[0] + next[0]) * step * share;
        speeds = next;
        if speeds == [0.0; 2] {
            break;
        }
    }
    let after = Motion {
        velocity: along * speeds[0],
        angular_velocity: DVec3::Z * (speeds[1] / radius).copysign(z),
        vertical: 0.0,
    };
    (after, along * way)
}

/// Reduces speed and rim speed at the rates at `at`, where a sliding disc without spin would lose `lost` (m/s).
fn slowed(speeds: [f64; 2], at: [f64; 2], lost: f64) -> [f64; 2] {
    let (force, torque) = friction(at);
    [(speeds[0] - lost * force).max(0.0), (speeds[1] - 2.0 * lost * torque).max(0.0)]
}

/// The share of a step after which a disc stops, if it does within it.
fn stopping_share(speeds: [f64; 2], at: [f64; 2], lost: f64) -> f64 {
    let force = friction(at).0;
    if force > 0.0 { (speeds[0] / (lost * force)).min(1.0) } else { 1.0 }
}

/// The friction as a share of the friction of a disc without spin, and its torque as a share of the former times the
/// radius, by speed and rim speed.
fn friction([speed, rim]: [f64; 2]) -> (f64, f64) {
    if rim == 0.0 {
        return (if speed > 0.0 { 1.0 } else { 0.0 }, 0.0);
    }
    let e = speed / rim;
    if e < 1e-4 {
        return (e, 2.0 / 3.0);
    }
    if e > 1e3 {
        return (1.0, 0.25 / e);
    }
    let square = e * e;
    if e <= 1.0 {
        let (k, e_of) = elliptic(square);
        let force = 4.0 / (3.0 * PI) * ((square + 1.0) * e_of + (square - 1.0) * k) / e;
        let torque = 4.0 / (9.0 * PI) * ((4.0 - 2.0 * square) * e_of + (square - 1.0) * k);
        (force, torque)
    } else {
        let (k, e_of) = elliptic(1.0 / square);
        let force = 4.0 / (3.0 * PI) * ((square + 1.0) * e_of - (square - 1.0) * k);
        let torque = 4.0 / (9.0 * PI) * e * ((4.0 - 2.0 * square) * e_of + (2.0 * square - 5.0 + 3.0 / square) * k);
        (force, torque)
    }
}

/// The complete elliptic integrals K and E of this parameter (0 to 1), by the arithmetic-geometric mean (Abramowitz and
/// Stegun, 17.6).
fn elliptic(m: f64) -> (f64, f64) {
    // At 1, K is infinite, but its factor is zero.
    let m = m.min(1.0 - 1e-15);
    let (mut a, mut b, mut sum, mut power) = (1.0, (1.0 - m).sqrt(), 0.5 * m, 1.0);
    for _ in 0..7 {
        let c = 0.5 * (a - b);
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
        sum += power * c * c;
        power *= 2.0;
    }
    let k = PI / (2.0 * a);
    (k, k * (1.0 - sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disc(speed: f64, turn: f64) -> Motion {
        Motion { velocity: DVec2::X * speed, angular_velocity: DVec3::Z * turn, vertical: 0.0 }
    }

    #[test]
    fn friction_and_torque_are_what_integrating_over_the_face_gives() {
        for ratio in [0.05, 0.3, 0.653, 0.9, 1.0, 1.2, 2.0, 5.0, 500.0] {
            let (mut force, mut torque) = (0.0, 0.0);
            let n = 400;
            for i in 0..n {
                for j in 0..2 * n {
                    let r = (f64::from(i) + 0.5) / f64::from(n);
                    let angle = (f64::from(j) + 0.5) * PI / f64::from(n);
                    let (x, y) = (r * angle.cos(), r * angle.sin());
                    let slip = DVec2::new(ratio - y, x);
                    let area = r / f64::from(n * n);
                    force += slip.x / slip.length() * area;
                    torque += (x * slip.y - y * slip.x) / slip.length() * area;
                }
            }
            let (f, t) = friction([ratio, 1.0]);
            assert!((f - force).abs() < 1e-5 && (t - torque).abs() < 1e-5, "{ratio}: {f} {force}, {t} {torque}");
        }
    }

    #[test]
    fn alone_each_motion_dies_at_the_rate_of_its_closed_form() {
        let cloth = Cloth { sliding: 0.25, gravity: 10.0, ..Cloth::default() };
        let (then, way) = after(&disc(2.0, 0.0), 0.1, &cloth, 0.4);
        assert!((then.velocity.x - 1.0).abs() < 1e-12 && (way.x - 0.6).abs() < 1e-12);
        let (rest, way) = after(&disc(2.0, 0.0), 0.1, &cloth, 1.0);
        assert!(rest.velocity == DVec2::ZERO && (way.x - 0.8).abs() < 1e-12);
        // 4 mu g / (3 R).
        let (then, _) = after(&disc(0.0, 50.0), 0.1, &cloth, 1.0);
        assert!((then.angular_velocity.z - (50.0 - 4.0 * 2.5 / 0.3)).abs() < 1e-9);
    }

    #[test]
    fn both_end_together_at_the_published_ratio_and_a_turn_carries_farther() {
        let cloth = Cloth::default();
        for (speed, turn) in [(1.0, 30.0), (1.0, 5.0), (0.2, -50.0)] {
            let (mut motion, mut way, mut ratio) = (disc(speed, turn), 0.0, 0.0);
            // Shorter and shorter steps, as they slow down.
            loop {
                let (speed, rim) = (motion.velocity.x, 0.05 * motion.angular_velocity.z.abs());
                if speed + rim < 1e-8 {
                    break;
                }
                ratio = speed / rim;
                let (next, step) = after(&motion, 0.05, &cloth, 0.05 * (speed + rim) / cloth.sliding_deceleration());
                (motion, way) = (next, way + step.x);
            }
            assert!((ratio - 0.653).abs() < 0.002, "{speed} m/s, {turn} rad/s: {ratio}");
            assert!(way > after(&disc(speed, 0.0), 0.05, &cloth, 10.0).1.x);
        }
    }

    #[test]
    fn long_steps_come_to_much_the_same() {
        let cloth = Cloth::default();
        let mut motion = disc(1.5, 40.0);
        let (long, way) = after(&motion, 0.05, &cloth, 1.0 / 60.0);
        let mut sum = 0.0;
        for _ in 0..1000 {
            let (next, step) = after(&motion, 0.05, &cloth, 1.0 / 60_000.0);
            (motion, sum) = (next, sum + step.x);
        }
        assert!((motion.velocity - long.velocity).length() < 1e-8 && (sum - way.x).abs() < 1e-9);
    }
}
