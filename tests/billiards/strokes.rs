//! Strokes of the cue and their results through whole ticks: squirt, swerve, massé (case 29), the stop shot, and
//! decaying draw.

use bevy::{math::DVec2, prelude::*};
use carom::{
    billiards::cue::{Cue, CueStrike, cue_speed, strike},
    collision::{
        PhysicsSpace,
        spin::{BallState, Body, Motion, Shape, TablePhysics},
    },
};

use crate::support::*;

const RATES: [f32; 3] = [60.0, 120.0, 240.0];
const POOL: Body = Body { mass: M as f64, radius: R as f64, shape: Shape::Ball };

/// Elastic and without squirt, as in the published figures.
const ELASTIC: Cue = Cue { mass: 0.567, tip_restitution: 1.0, end_mass: 0.0, miscue_limit: 0.5 };

fn struck(id: u64, motion: &Motion) -> carom::collision::DiscState {
    ball(id, Vec2::ZERO, motion.velocity.as_vec2(), motion.angular_velocity.as_vec3() * R)
}

/// The path of a ball until it rolls, as positions at the ends of ticks, and its velocity then.
fn path(motion: &Motion, rate: f32) -> (Vec<DVec2>, DVec2) {
    let mut space: PhysicsSpace = space([struck(0, motion)]);
    let mut places = vec![DVec2::ZERO];
    while BallState::of(&self::motion(&space, 0), f64::from(R)) == BallState::Sliding {
        tick(&mut space, &continuous(1.0), &TablePhysics::default(), rate);
        places.push(space.discs.position[0].as_dvec2());
    }
    (places, self::motion(&space, 0).velocity)
}

#[test]
fn case_29_a_masse_ends_in_the_direction_of_the_closed_form() {
    for rate in RATES {
        for (side, top, elevation, angle, speed) in [
            (0.3, 0.0, 30.0_f64, 9.8264, 1.646694),
            (0.4, -0.2, 75.0, 81.344, f64::NAN),
            (0.2, -0.3, 80.0, 122.680, f64::NAN),
        ] {
            for hand in [-1.0, 1.0] {
                let aimed =
                    CueStrike { speed: 2.0, side: hand * side, top, elevation: elevation.to_radians(), ..default() };
                let (places, rolls) = path(&strike(&ELASTIC, &POOL, &aimed).unwrap(), rate);
                // Right english curves to the right.
                near(degrees(rolls), -hand * angle, 1e-2);
                assert!(places[1..].iter().all(|place| place.y * hand < 0.0));
                if speed.is_finite() {
                    assert!(rolls.length() <= speed + 1e-5 && rolls.length() > speed - 0.0981 / f64::from(rate) - 1e-5);
                }
            }
        }
    }
}

#[test]
fn a_level_cue_with_side_squirts_and_the_path_stays_straight() {
    for rate in RATES {
        for side in [-0.4, 0.25, 0.5] {
            let motion = strike(&Cue::default(), &POOL, &CueStrike { speed: 2.0, side, ..default() }).unwrap();
            let leaves = motion.velocity.to_angle();
            assert!(leaves * side > 0.0, "right of the middle goes to the left");
            let (places, rolls) = path(&motion, rate);
            near(rolls.to_angle(), leaves, 1e-6);
            assert!(places[1..].iter().all(|place| (place.to_angle() - leaves).abs() < 1e-5));
        }
    }
}

#[test]
fn a_raised_cue_squirts_one_way_and_swerves_the_other() {
    for rate in RATES {
        let aimed = CueStrike { speed: 2.0, side: 0.3, elevation: 10.0_f64.to_radians(), ..default() };
        let motion = strike(&Cue::default(), &POOL, &aimed).unwrap();
        let squirted = motion.velocity.to_angle().to_degrees();
        assert!(squirted > 0.5);
        let (_, rolls) = path(&motion, rate);
        // The closed form is relative to the initial direction.
        let (sin, cos) = aimed.elevation.sin_cos();
        near(degrees(rolls), squirted - (aimed.side * sin).atan2(cos).to_degrees(), 1e-2);
        assert!(degrees(rolls) < -0.5);
    }
}

/// A full hit stops the cue ball dead if its backspin has just decayed: at `(2k/5)(1 - k/5) v²/(μ g)` from its start.
#[test]
fn a_stop_shot_stops_at_the_distance_of_the_closed_form() {
    for rate in RATES {
        for (back, way, left) in [(2.0, 0.652396, 0.0), (2.5, 0.764526, 0.0)] {
            for (off, sign) in [(-0.1, -1.0), (0.0, left), (0.1, 1.0)] {
                let object = Vec2::X * (way + off + 2.0 * R);
                let cue = ball(0, Vec2::ZERO, Vec2::X * 2.0, Vec3::NEG_Y * back);
                let mut space = space([cue, ball(1, object, Vec2::ZERO, Vec3::ZERO)]);
                run_to_rest(&mut space, &continuous(1.0), &frictionless(), rate);
                let follows = f64::from(space.discs.position[0].x - way - off);
                // At a shorter distance the cue ball draws back, at a longer one it follows.
                assert!(
                    if sign == 0.0 { follows.abs() < 1e-3 } else { follows * sign > 0.01 },
                    "{back} {off}: {follows}"
                );
            }
        }
    }
}

/// How far a cue ball at 2 m/s travels after a full hit, with friction: metres, negative backwards. `gap` is the
/// distance to the object ball.
fn goes(top: f64, gap: f32, rate: f32) -> f64 {
    let aimed = CueStrike { top, ..default() };
    let speed = cue_speed(&Cue::default(), &POOL, &aimed, 2.0);
    let cue = strike(&Cue::default(), &POOL, &CueStrike { speed, ..aimed }).unwrap();
    let mut space = space([struck(0, &cue), ball(1, Vec2::X * (gap + 2.0 * R), Vec2::ZERO, Vec3::ZERO)]);
    run_to_rest(&mut space, &continuous(0.95), &TablePhysics::default(), rate);
    f64::from(space.discs.position[0].x - gap)
}

#[test]
fn draw_is_lost_on_the_way() {
    for rate in RATES {
        for (gap, draw, follow) in [(0.1, -0.99, 1.77), (0.5, -0.03, 1.73), (1.0, 0.27, 1.68)] {
            near(goes(-0.4, gap, rate), draw, 0.02);
            near(goes(0.4, gap, rate), follow, 0.02);
        }
    }
}

/// `(2 k² v² / 49 g) (1/μ_s + 1/μ_r)`, forward with follow and backward with draw.
#[test]
fn after_a_full_hit_the_way_goes_with_the_square_of_the_spin() {
    for rate in RATES {
        for k in [-1.25_f32, -0.5, 0.5, 1.0] {
            let mut space = space([
                ball(0, Vec2::ZERO, Vec2::X * 2.0, Vec3::Y * (2.0 * k)),
                ball(1, Vec2::X * (2.0 * R * (1.0 + 1e-6)), Vec2::ZERO, Vec3::ZERO),
            ]);
            run_to_rest(&mut space, &continuous(1.0), &frictionless(), rate);
            let k = f64::from(k);
            let way = 2.0 * k * k * 4.0 / (49.0 * 9.81) * (1.0 / 0.2 + 1.0 / 0.01);
            near(f64::from(space.discs.position[0].x), way.copysign(k), 2e-4);
        }
    }
}
