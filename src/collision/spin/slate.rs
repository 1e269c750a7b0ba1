//! A ball that lands on the slate, or is pushed into it by a cue or another ball. It gets one impulse along the normal,
//! and one of Coulomb friction against the slip of its lowest point. Formulas and check values (F1 to F28) are in
//! section 1 and 2 of `docs/src/flight.md`.
//!
//! The restitution is a constant: no source gives a dependence on speed. The friction is that of sliding on the cloth.
//! So as long as a ball slips, it loses the same speed whether it bounces or stays down. Air is left out.

use bevy::{math::DVec2, prelude::*};
use serde::{Deserialize, Serialize};

use super::{Body, Cloth, Motion, cloth::slip};
use crate::components::ValueRange;

/// How balls leave the cloth and land on it. Only balls fly, and only in the continuous mode.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Default, Debug, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct FlightPhysics {
    /// Coefficient of restitution between a ball and the slate, 0 to 1. Default: 0.5 (Alciatore, *physical properties*;
    /// also pooltool).
    #[reflect(@ValueRange::new(0.0, 1.0, ""))]
    pub slate_restitution: f32,
    /// The lowest speed at which a ball leaves the cloth, m/s, 0.001 to 10. A ball that would be slower stays down.
    /// Default: 0.1, which is a flight 0.5 mm high.
    #[reflect(@ValueRange::new(1e-3, 10.0, "m/s"))]
    pub least_take_off: f32,
}

impl Default for FlightPhysics {
    fn default() -> Self {
        Self { slate_restitution: 0.5, least_take_off: 0.1 }
    }
}

impl FlightPhysics {
    /// The restitution of a landing at a speed (m/s): zero if the ball would take off too slowly.
    fn restitution_at(self, speed: f64) -> f64 {
        let e = f64::from(self.slate_restitution);
        if e * speed < f64::from(self.least_take_off) { 0.0 } else { e }
    }

    /// Whether a ball on the cloth with this vertical velocity (m/s) leaves it.
    #[must_use]
    pub fn takes_off(&self, vertical: f64) -> bool {
        vertical >= f64::from(self.least_take_off)
    }
}

/// A ball on the cloth after a hit: a vertical velocity below [`FlightPhysics::least_take_off`], up or down, is
/// absorbed by the slate, as where no ball flies. A faster push down is a landing.
#[must_use]
pub fn held(flight: &FlightPhysics, cloth: &Cloth, body: &Body, motion: &Motion) -> Motion {
    if flight.takes_off(motion.vertical) {
        *motion
    } else if flight.takes_off(-motion.vertical) {
        land(flight, cloth, body, motion).map_or(*motion, |landing| landing.after)
    } else {
        motion.on_the_cloth()
    }
}

/// The landing of a ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landing {
    /// The speed towards the slate, m/s.
    pub approach: f64,
    /// The impulse of the slate along its normal, N s.
    pub impulse: f64,
    /// Motion afterwards.
    pub after: Motion,
}

/// The landing of a ball whose lowest point touches the cloth; `None` if it does not move down.
///
/// With `N = (1 + e) (-v_z)` and the slip `u` of the lowest point, friction takes `min(μ N, 2/7 u)` from the velocity
/// against the slip. It changes neither `5 v + 2 R w × k` nor the spin about the vertical axis.
#[must_use]
pub fn land(flight: &FlightPhysics, cloth: &Cloth, body: &Body, motion: &Motion) -> Option<Landing> {
    let approach = -motion.vertical;
    if !(approach > 0.0) {
        return None;
    }
    let e = flight.restitution_at(approach);
    let normal = (1.0 + e) * approach;
    let slip = slip(motion, body.radius);
    let speed = slip.length();
    // An impulse at the lowest point changes the slip by this factor.
    let response = 1.0 + body.shape.inertia_factor().recip();
    let size = (f64::from(cloth.sliding) * normal).min(speed / response);
    let friction = if speed > 0.0 { slip * (size / speed) } else { DVec2::ZERO };
    let turn = friction.perp() / (body.shape.inertia_factor() * body.radius);
    let after = Motion {
        velocity: motion.velocity - friction,
        angular_velocity: motion.angular_velocity + turn.extend(0.0),
        vertical: e * approach,
    };
    Some(Landing { approach, impulse: body.mass * normal, after })
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;
    use proptest::prelude::*;

    use super::*;
    use crate::collision::spin::Shape;

    const R: f64 = 0.028575;
    const POOL: Body = Body { mass: 0.170097, radius: R, shape: Shape::Ball };

    /// The coefficients are `f32`, so that a published 0.2 is 0.2 to 1.5e-8; the values have six decimals.
    const TOLERANCE: f64 = 1e-6;

    fn moving(velocity: [f64; 3], surface: [f64; 3]) -> Motion {
        let [x, y, vertical] = velocity;
        Motion { velocity: DVec2::new(x, y), angular_velocity: DVec3::from(surface) / R, vertical }
    }

    fn landed(motion: Motion) -> Motion {
        land(&FlightPhysics::default(), &Cloth::default(), &POOL, &motion).expect("a landing").after
    }

    fn close(motion: Motion, velocity: [f64; 3], surface: [f64; 3]) {
        let (v, w) = (motion.velocity.extend(motion.vertical), motion.angular_velocity * R);
        let off = (v - DVec3::from(velocity)).abs().max((w - DVec3::from(surface)).abs()).max_element();
        assert!(off <= TOLERANCE, "{v} and {w} instead of {velocity:?} and {surface:?}");
    }

    #[test]
    fn f1_to_f9_a_landing_slips_or_grips() {
        for (velocity, surface, after, after_surface) in [
            ([0.0, 0.0, -1.400714], [0.0; 3], [0.0, 0.0, 0.700357], [0.0; 3]),
            ([2.0, 0.0, -1.0], [0.0; 3], [1.7, 0.0, 0.5], [0.0, 0.75, 0.0]),
            ([2.0, 0.0, -1.0], [0.0, 2.0, 0.0], [2.0, 0.0, 0.5], [0.0, 2.0, 0.0]),
            ([2.0, 0.0, -1.0], [0.0, -2.0, 0.0], [1.7, 0.0, 0.5], [0.0, -1.25, 0.0]),
            ([0.5, 0.0, -1.0], [0.0; 3], [0.357143, 0.0, 0.5], [0.0, 0.357143, 0.0]),
            ([2.0, 0.0, -1.0], [1.0, -0.5, 1.5], [1.721457, -0.111417, 0.5], [0.721457, 0.196358, 1.5]),
            ([1.0, 1.0, -2.0], [0.0; 3], [0.714286, 0.714286, 1.0], [-0.714286, 0.714286, 0.0]),
            ([0.5, 0.0, -2.307674], [0.0; 3], [0.357143, 0.0, 1.153837], [0.0, 0.357143, 0.0]),
            ([0.0, 0.5, -5.0], [0.0; 3], [0.0, 0.357143, 2.5], [-0.357143, 0.0, 0.0]),
        ] {
            close(landed(moving(velocity, surface)), after, after_surface);
        }
        let rising = moving([1.0, 0.0, 0.5], [0.0; 3]);
        assert_eq!(land(&FlightPhysics::default(), &Cloth::default(), &POOL, &rising), None);
    }

    /// The flights after a landing: their number and time, the speed of the last landing, and the motion and way
    /// (metres) at its end.
    fn train(mut motion: Motion) -> (u32, f64, f64, Motion, DVec2) {
        let gravity = f64::from(Cloth::default().gravity);
        let (mut flights, mut time, mut way) = (0, 0.0, DVec2::ZERO);
        loop {
            let speed = -motion.vertical;
            motion = landed(motion);
            if motion.vertical == 0.0 {
                return (flights, time, speed, motion, way);
            }
            let flight = 2.0 * motion.vertical / gravity;
            (flights, time, way) = (flights + 1, time + flight, way + motion.velocity * flight);
            motion.vertical = -motion.vertical;
        }
    }

    #[test]
    fn f13_to_f16_a_train_of_bounces_ends_at_the_threshold() {
        for (speed, flights, time, last) in [
            (2.0, 4, 0.382263, 0.125),
            (1.400714, 3, 0.249873, 0.175089),
            (0.5, 2, 0.076453, 0.125),
            (0.15, 0, 0.0, 0.15),
        ] {
            let (number, took, slowest, ..) = train(moving([0.0, 0.0, -speed], [0.0; 3]));
            assert_eq!(number, flights);
            assert!((took - time).abs() < TOLERANCE && (slowest - last).abs() < TOLERANCE, "{took}, {slowest}");
        }
    }

    #[test]
    fn f11_and_f12_a_bouncing_ball_slides_as_far_as_a_ball_that_is_held() {
        let cloth = Cloth::default();
        for (velocity, spin, time, far, speed) in
            [([5.0, 0.0, -1.0], 0.0, 0.203874, 0.937819, 4.4), ([3.0, 0.0, -0.8], -1.0, 0.163099, 0.437105, 2.52)]
        {
            let start = moving(velocity, [0.0, spin, 0.0]);
            // All flights together take `2 e V / (g (1 - e))`.
            let all = -2.0 * start.vertical / f64::from(cloth.gravity);
            assert!((all - time).abs() < TOLERANCE);
            // The last flights below the threshold are slid instead.
            let (_, took, _, bounced, way) = train(start);
            let (bounced, rest) = super::super::cloth::after(&bounced, R, &cloth, all - took);
            let dead = FlightPhysics { slate_restitution: 0.0, ..default() };
            let held = land(&dead, &cloth, &POOL, &start).unwrap().after;
            let (held, slid) = super::super::cloth::after(&held, R, &cloth, all);
            for (way, motion) in [(way + rest, bounced), (slid, held)] {
                assert!((way.x - far).abs() < TOLERANCE && (motion.velocity.x - speed).abs() < TOLERANCE, "{way}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn a_landing_adds_no_energy_and_keeps_the_final_roll(
            v in prop::array::uniform3(-1.0..1.0_f64),
            w in prop::array::uniform3(-2.0..2.0_f64),
            e in 0.0..=1.0_f32,
            sliding in 0.0..2.0_f32,
            threshold in 1e-3..0.5_f32,
        ) {
            let before = moving([v[0], v[1], -v[2].abs() - 1e-9], w);
            let flight = FlightPhysics { slate_restitution: e, least_take_off: threshold };
            let hit = land(&flight, &Cloth { sliding, ..default() }, &POOL, &before).unwrap();
            prop_assert!(hit.after.kinetic_energy(&POOL) <= before.kinetic_energy(&POOL) * (1.0 + 1e-14));
            prop_assert!(hit.after.vertical == 0.0 || flight.takes_off(hit.after.vertical));
            prop_assert_eq!(hit.after.angular_velocity.z, before.angular_velocity.z);
            let roll = |motion: &Motion| 5.0 * motion.velocity - 2.0 * R * motion.angular_velocity.truncate().perp();
            // Friction at the lowest point has no torque about it.
            prop_assert!((roll(&hit.after) - roll(&before)).length() < 1e-14 * 20.0);
            let mirrored = |motion: &Motion| {
                let (v, w) = (motion.velocity, motion.angular_velocity);
                Motion {
                    velocity: DVec2::new(v.x, -v.y),
                    angular_velocity: DVec3::new(-w.x, w.y, -w.z),
                    vertical: motion.vertical,
                }
            };
            let seen = land(&flight, &Cloth { sliding, ..default() }, &POOL, &mirrored(&before)).unwrap();
            prop_assert_eq!(seen.after, mirrored(&hit.after));
        }
    }
}
