//! Two balls, through whole ticks: cases 7 to 12 and 30.

use bevy::{math::DVec2, prelude::*};
use carom::collision::{PhysicsSpace, spin::BallState};

use crate::support::*;

/// Runs until both balls roll or rest after their hit, and returns their velocities.
fn until_both_roll(space: &mut PhysicsSpace, e: f32, rate: f32) -> [DVec2; 2] {
    let mut hit = false;
    for _ in 0..(5.0 * rate) as u32 {
        tick(space, &continuous(e), &frictionless(), rate);
        hit |= !space.report.hits.is_empty();
        if hit && (0..2).all(|i| BallState::of(&motion(space, i), f64::from(R)) != BallState::Sliding) {
            return [0, 1].map(|i| motion(space, i).velocity);
        }
    }
    panic!("they do not meet and roll");
}

/// A ball that moves along +x and has just reached another at this cut angle (degrees). The object ball leaves along
/// the line of centres.
fn about_to_hit(velocity: f32, top: f32, cut: f64) -> PhysicsSpace {
    let line = DVec2::from_angle(-cut.to_radians()) * f64::from(2.0 * R) * (1.0 + 1e-6);
    space([ball(0, Vec2::ZERO, Vec2::X * velocity, Vec3::Y * top), ball(1, line.as_vec2(), Vec2::ZERO, Vec3::ZERO)])
}

#[test]
fn cases_7_and_8_follow_and_draw_after_a_full_hit() {
    for rate in [60.0, 120.0, 240.0] {
        for (top, e, cue_rolls, cue_way) in
            [(2.0, 1.0, 0.571429, 1.747488), (-2.0, 1.0, -0.571429, -1.747488), (-2.0, 0.95, -0.535714, f64::NAN)]
        {
            let mut space = about_to_hit(2.0, top, 0.0);
            let [cue, _] = until_both_roll(&mut space, e, rate);
            // It may already have rolled for a tick.
            near(cue.x, cue_rolls, 0.0981 / f64::from(rate) * 60.0 * 0.6);
            run_to_rest(&mut space, &continuous(e), &frictionless(), rate);
            if e == 1.0 {
                near(f64::from(space.discs.position[0].x), cue_way, 1e-4);
                near(f64::from(space.discs.position[1].x - 2.0 * R), 10.900996, 2e-4);
            }
        }
    }
}

#[test]
fn cases_9_to_12_the_direction_of_the_cue_ball_after_a_cut() {
    for rate in [60.0, 120.0, 240.0] {
        for (top, cut, angle, speed) in [
            (2.0, 30.0, 33.6705, 1.115750),
            (2.0, 28.126, 33.749, f64::NAN),
            (2.0, 14.478, 27.626, f64::NAN),
            (2.0, 48.590, 27.267, f64::NAN),
            (0.0, 30.0, 60.0, 0.714286),
            (-2.0, 30.0, 109.107, 0.654654),
        ] {
            let mut space = about_to_hit(2.0, top, cut);
            let [cue, _] = until_both_roll(&mut space, 1.0, rate);
            near(degrees(cue), angle, 0.01);
            if speed.is_finite() {
                // While the object ball starts to roll, rolling friction slows the cue ball a little.
                assert!(cue.length() <= speed + 1e-4 && cue.length() > speed - 0.04, "{}", cue.length());
            }
        }
    }
}

#[test]
fn case_30_the_hit_of_the_thirty_degree_rule() {
    for rate in [60.0, 120.0, 240.0] {
        // v0 = 3.529423 m/s, rolling from the start; half-ball hit.
        let (speed, cut) = (3.529423_f32, 30.0_f64.to_radians());
        let (cue, object) = (DVec2::new(2.5, 1.5), DVec2::new(2.5, 3.0));
        // Aimed so that the line of centres at the hit is turned by the cut.
        let distance = (object - cue).length();
        let aim = (f64::from(2.0 * R) * cut.sin() / distance).asin();
        let direction = DVec2::from_angle(std::f64::consts::FRAC_PI_2 + aim);
        let mut space = space([
            rolling(0, cue.as_vec2(), (direction * f64::from(speed)).as_vec2()),
            ball(1, object.as_vec2(), Vec2::ZERO, Vec3::ZERO),
        ]);
        let mut time = None;
        for k in 0..(rate as u32) {
            tick(&mut space, &continuous(1.0), &frictionless(), rate);
            if let Some(hit) = space.report.hits.first() {
                time = Some(f64::from(k) / f64::from(rate) + f64::from(hit.time));
                break;
            }
        }
        near(time.unwrap(), 0.413272, 1e-4);
        let [cue, _] = until_both_roll_after(&mut space, rate);
        let turned = cue.angle_to(direction).abs();
        near(turned, 0.587676, 1e-4);
    }
}

/// Like [`until_both_roll`], for balls that have already collided.
fn until_both_roll_after(space: &mut PhysicsSpace, rate: f32) -> [DVec2; 2] {
    for _ in 0..(5.0 * rate) as u32 {
        tick(space, &continuous(1.0), &frictionless(), rate);
        if (0..2).all(|i| BallState::of(&motion(space, i), f64::from(R)) != BallState::Sliding) {
            return [0, 1].map(|i| motion(space, i).velocity);
        }
    }
    panic!("they do not roll");
}
