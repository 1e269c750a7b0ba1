//! A ball on the cloth, tick by tick at 60, 120 and 240 Hz: cases 1 to 6.

use bevy::prelude::*;
use carom::collision::spin::{
    BallState, TablePhysics,
    cloth::{after, slip},
};

use crate::support::*;

const RATES: [f32; 3] = [60.0, 120.0, 240.0];

/// Runs one ball, and passes for each tick the time (s), the position (m), the velocity (m/s) and the spin as a speed
/// (m/s).
fn follow(disc: carom::collision::DiscState, rate: f32, seconds: f64, mut see: impl FnMut(f64, Vec2, Vec2, Vec3)) {
    let mut space = space([disc]);
    for k in 1..=(seconds * f64::from(rate)).ceil() as u32 {
        tick(&mut space, &continuous(1.0), &TablePhysics::default(), rate);
        let spin = space.discs.spin_of(0).unwrap().angular_velocity * R;
        see(f64::from(k) / f64::from(rate), space.discs.position[0], space.discs.velocity[0], spin);
    }
}

#[test]
fn cases_1_5_and_6_every_tick_lies_on_the_closed_form() {
    for rate in RATES {
        for back in [0.0, 2.0, 2.5] {
            let start = ball(0, Vec2::ZERO, Vec2::X * 2.0, Vec3::Y * -back);
            let motion = motion(&space([start]), 0);
            follow(start, rate, 2.0, |time, place, velocity, spin| {
                let (then, way) = after(&motion, f64::from(R), &TablePhysics::default().cloth, time);
                near(f64::from(place.x), way.x, 5e-6);
                near(f64::from(velocity.x), then.velocity.x, 2e-6);
                near(f64::from(spin.y), then.angular_velocity.y * f64::from(R), 4e-6);
            });
        }
    }
}

#[test]
fn cases_2_and_3_it_rolls_as_far_and_as_long_as_the_closed_form_says() {
    for rate in RATES {
        let settings = continuous(1.0);
        for (start, way, time) in [
            (rolling(0, Vec2::ZERO, Vec2::X), 5.096840, 10.193680),
            (ball(0, Vec2::ZERO, Vec2::X * 2.0, Vec3::ZERO), 10.900996, 14.853648),
        ] {
            let mut space = space([start]);
            let ticks = run_to_rest(&mut space, &settings, &TablePhysics::default(), rate);
            near(f64::from(space.discs.position[0].x), way, 2e-5 * way);
            // Exact to the tick in which it stops, apart from rounding of the speed.
            near(f64::from(ticks) / f64::from(rate), time + 0.5 / f64::from(rate), 0.5 / f64::from(rate) + 2e-4);
        }
    }
}

#[test]
fn case_4_a_spin_on_the_spot_winds_down_in_its_time() {
    for rate in RATES {
        for (w, time) in [(50.0, 4.587156), (25.0, 2.293578)] {
            let mut space = space([ball(0, Vec2::ZERO, Vec2::ZERO, Vec3::Z * w * R)]);
            let ticks = run_to_rest(&mut space, &continuous(1.0), &TablePhysics::default(), rate);
            near(f64::from(ticks) / f64::from(rate), time + 0.5 / f64::from(rate), 0.5 / f64::from(rate) + 2e-4);
            assert_eq!(space.discs.position[0], Vec2::ZERO);
        }
    }
}

#[test]
fn a_ball_slides_then_rolls_then_rests() {
    let mut states = Vec::new();
    let mut space = space([ball(0, Vec2::ZERO, Vec2::new(0.3, 0.4), Vec3::new(0.5, 0.0, 0.3))]);
    for _ in 0..900 {
        tick(&mut space, &continuous(1.0), &TablePhysics::default(), 120.0);
        let state = BallState::of(&motion(&space, 0), f64::from(R));
        if states.last() != Some(&state) {
            states.push(state);
        }
    }
    assert_eq!(states, [BallState::Sliding, BallState::Rolling, BallState::Resting]);
    assert_eq!(slip(&motion(&space, 0), f64::from(R)).length(), 0.0);
}

#[test]
fn the_stepped_mode_follows_the_same_curve() {
    let start = ball(0, Vec2::ZERO, Vec2::new(1.0, 0.5), Vec3::new(1.5, -1.0, 0.7));
    let begun = motion(&space([start]), 0);
    let mut space = space([start]);
    let settings = carom::collision::CollisionSettings { substeps: 3, ..Default::default() };
    for k in 1..=120 {
        tick(&mut space, &settings, &TablePhysics::default(), 60.0);
        let (then, way) = after(&begun, f64::from(R), &TablePhysics::default().cloth, f64::from(k) / 60.0);
        assert!((space.discs.position[0].as_dvec2() - way).length() < 1e-5);
        assert!((space.discs.velocity[0].as_dvec2() - then.velocity).length() < 1e-5);
    }
}
