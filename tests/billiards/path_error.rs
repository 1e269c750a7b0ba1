//! Measures the error of straight paths within a tick. The time and place at which balls that slide on a curve collide,
//! at 60, 120 and 240 Hz, are compared with the closed form.

use crate::support::*;
use bevy::{math::DVec2, prelude::*};
use carom::collision::{
    HitTarget, PhysicsSpace,
    path::table_events::TableEventKind,
    spin::{Motion, TablePhysics, cloth::after},
};

/// A cue ball that slides on a curve towards an object ball.
struct Shot {
    cue: Motion,
    object: Vec2,
}

/// Shots at several speeds and with slip in all directions. The balls collide fully or at the rim, at times unrelated
/// to the ticks.
fn shots() -> Vec<Shot> {
    let mut shots = Vec::new();
    for (k, speed) in [0.7_f32, 1.3, 2.0, 3.1, 5.0].into_iter().enumerate() {
        for turn in 0..8_u8 {
            for cut in [-60.0_f64, -35.0, 0.0, 20.0, 50.0] {
                let slip = Vec2::from_angle(0.3 + std::f32::consts::FRAC_PI_4 * f32::from(turn)) * speed;
                let cue = ball(0, Vec2::ZERO, Vec2::X * speed, slip.extend(0.0));
                let cue = motion(&space([cue]), 0);
                let time = 0.0731 + 0.0137 * k as f64 + 0.0023 * f64::from(turn) + cut * 1e-4;
                let (then, place) = on_curve(&cue, time);
                let line = DVec2::from_angle(then.velocity.to_angle() + cut.to_radians());
                shots.push(Shot { cue, object: (place + line * f64::from(2.0 * R)).as_vec2() });
            }
        }
    }
    shots
}

fn on_curve(cue: &Motion, time: f64) -> (Motion, DVec2) {
    after(cue, f64::from(R), &TablePhysics::default().cloth, time)
}

/// The time at which the balls first touch on the curve, seconds.
fn exact_time(shot: &Shot) -> f64 {
    let gap = |time: f64| (on_curve(&shot.cue, time).1 - shot.object.as_dvec2()).length() - f64::from(2.0 * R);
    let step = 1e-4;
    let first = (1..10_000).find(|&k| gap(step * f64::from(k)) <= 0.0).expect("they meet");
    let (mut apart, mut within) = (step * f64::from(first - 1), step * f64::from(first));
    for _ in 0..60 {
        let middle = 0.5 * (apart + within);
        if gap(middle) > 0.0 { apart = middle } else { within = middle }
    }
    within
}

/// The time (s) and position (m) of the cue ball when the balls touch in the simulation, and its motion then.
fn played(shot: &Shot, rate: f32) -> (f64, DVec2, Motion) {
    let cue = ball(0, Vec2::ZERO, shot.cue.velocity.as_vec2(), shot.cue.angular_velocity.as_vec3() * R);
    let mut space: PhysicsSpace = space([cue, ball(1, shot.object, Vec2::ZERO, Vec3::ZERO)]);
    space.report.record_events = true;
    for k in 0..(2.0 * rate) as u32 {
        tick(&mut space, &continuous(1.0), &TablePhysics::default(), rate);
        let hit = |kind| matches!(kind, TableEventKind::Hit(HitTarget::Disc(_)));
        if let Some(event) = space.report.events.iter().find(|event| event.disc == 0 && hit(event.kind)) {
            return (f64::from(k) / f64::from(rate) + event.time, event.position, event.before);
        }
    }
    panic!("they do not meet");
}

/// The largest total effect of rounding the motions of up to fifty ticks to `f32`, m. At 5 m/s each tick rounds by up
/// to 0.5 µm/s.
const ROUNDING: f64 = 1e-6;

/// The errors stated in the documentation, by rate: the worst of two hundred shots. They are the distances from the
/// curve and from the exact place, mm; time, ms; line of centres, degrees.
const WORST: [(f32, [f64; 4]); 3] = [
    (60.0, [0.0685, 0.133, 0.22, 0.133]),
    (120.0, [0.0172, 0.034, 0.046, 0.034]),
    (240.0, [0.0046, 0.0085, 0.0125, 0.0085]),
];

#[test]
fn hits_of_sliding_balls_lie_within_the_bound_beside_the_curve() {
    let deceleration = TablePhysics::default().cloth.sliding_deceleration();
    for (rate, most) in WORST {
        let mut worst = [0.0_f64; 4];
        for shot in shots() {
            let exact = exact_time(&shot);
            let (_, at_exact) = on_curve(&shot.cue, exact);
            let (time, place, motion) = played(&shot, rate);
            let (on_curve_then, on_curve_now) = on_curve(&shot.cue, time);
            let beside = (place - on_curve_now).length();
            let bound = deceleration / f64::from(rate * rate) / 8.0 + ROUNDING;
            assert!(beside <= bound, "{rate} Hz: {beside} m beside the curve, at most {bound}");
            // They collide with the velocity on the curve.
            assert!((motion.velocity - on_curve_then.velocity).length() < 10.0 * ROUNDING);
            let turning = (motion.angular_velocity - on_curve_then.angular_velocity).length() * f64::from(R);
            assert!(turning < 10.0 * ROUNDING);
            let object = shot.object.as_dvec2();
            let turned = (object - place).angle_to(object - at_exact).to_degrees().abs();
            let errors = [beside * 1e3, (place - at_exact).length() * 1e3, (time - exact).abs() * 1e3, turned];
            for (worst, error) in worst.iter_mut().zip(errors) {
                *worst = worst.max(error);
            }
        }
        for (worst, most) in worst.into_iter().zip(most) {
            assert!(worst <= most && worst > 0.9 * most, "{rate} Hz: {worst} instead of {most}");
        }
    }
}

/// The path of a rolling ball is straight, and it decelerates a twentieth as much.
#[test]
fn hits_of_rolling_balls_are_off_by_a_twentieth_of_that() {
    let deceleration = TablePhysics::default().cloth.rolling_deceleration();
    for rate in [60.0, 120.0, 240.0] {
        for speed in [0.3_f32, 1.1, 3.7] {
            let cue = motion(&space([rolling(0, Vec2::ZERO, Vec2::X * speed)]), 0);
            let shot = Shot { cue, object: Vec2::new(0.2137, 0.031) };
            let (time, place, _) = played(&shot, rate);
            let beside = (place - on_curve(&shot.cue, time).1).length();
            assert!(beside <= deceleration / f64::from(rate * rate) / 8.0 + ROUNDING, "{rate} Hz: {beside} m");
        }
    }
}
