//! A ball with side spin at a cushion, through whole ticks, with every model; case 21.

use crate::support::*;
use bevy::{
    math::{DVec2, DVec3},
    prelude::*,
};
use carom::{
    collision::{
        PhysicsSpace,
        path::table_events::TableEventKind,
        spin::{
            Body, Motion, Shape, TablePhysics,
            cushion::{self, Cushion, CushionModel},
        },
    },
    prelude::{Position, Rotation, Terrain},
};

/// A ball hits a cushion along y at 1 m/s, at this angle from the normal (degrees), with its spin given as a speed.
/// Returns its motions before and after.
fn rebound(cushion: &Cushion, incidence: f64, spin: Vec3, rate: f32) -> [Motion; 2] {
    let velocity = DVec2::from_angle(incidence.to_radians()).as_vec2();
    let mut space: PhysicsSpace = space([ball(0, Vec2::ZERO, velocity, spin)]);
    let x = 2.0 * R;
    let nose = Terrain::Segment { a: Vec2::new(x, -3.0), b: Vec2::new(x, 3.0) };
    space.add_terrain(Entity::PLACEHOLDER, &nose, Position::default(), Rotation::default(), None);
    space.finish_terrain();
    space.report.record_events = true;
    let physics = TablePhysics { cushion: cushion.clone(), ..TablePhysics::default() };
    for _ in 0..(2.0 * rate) as u32 {
        tick(&mut space, &continuous(1.0), &physics, rate);
        if let Some(event) = space.report.events.iter().find(|event| matches!(event.kind, TableEventKind::Hit(_))) {
            return [event.before, event.after];
        }
    }
    panic!("it does not get there");
}

/// The angle from the normal at which it leaves, degrees. Negative if it returns to the side that it came from.
fn leaves(motion: &Motion) -> f64 {
    motion.velocity.y.atan2(-motion.velocity.x).to_degrees()
}

/// The spin of a rolling ball with side. Positive is running side here.
fn rolls(incidence: f64, side: f32) -> Vec3 {
    let v = DVec2::from_angle(incidence.to_radians()).as_vec2();
    Vec3::new(-v.y, v.x, -side)
}

#[test]
fn case_21_running_side_widens_and_check_side_narrows_as_published() {
    let cushion = Cushion { nose_height: 0.64, ..Cushion::default() };
    for rate in [60.0, 120.0, 240.0] {
        for (side, angle) in [(0.0, 44.01), (1.0, 51.79), (-1.0, 42.28)] {
            let [_, after] = rebound(&cushion, 45.0, rolls(45.0, side), rate);
            // On the way there the ball rolls and its side spin decays.
            near(leaves(&after), angle, 0.15);
        }
    }
}

/// The rebound angles of a ball with full check side, no side and full running side, degrees.
fn with_side(model: CushionModel, incidence: f64, rate: f32) -> [f64; 3] {
    let cushion = Cushion { model, ..Cushion::default() };
    [-1.25, 0.0, 1.25].map(|side| leaves(&rebound(&cushion, incidence, rolls(incidence, side), rate)[1]))
}

#[test]
fn running_side_widens_and_check_side_narrows_in_every_model_but_the_mirror() {
    for rate in [60.0, 120.0, 240.0] {
        for (model, word) in CushionModel::ALL {
            for incidence in [0.0, 15.0, 30.0, 45.0, 60.0, 75.0] {
                let [check, none, running] = with_side(model, incidence, rate);
                if (15.0..=45.0).contains(&incidence) {
                    assert_eq!(none > incidence, model == CushionModel::Mirror, "{word}, {incidence}: {none}");
                }
                if model == CushionModel::Mirror {
                    assert!((check - none).abs() + (running - none).abs() < 1e-4);
                    continue;
                }
                let words = format!("{word}, {incidence} degrees: {check} {none} {running}");
                assert!(incidence > 60.0 || running > none + 3.0, "{words}");
                assert!(incidence > 45.0 || check < none - 1.5, "{words}");
                // A ball that grazes the cushion slips throughout, with or without side.
                assert!(incidence < 60.0 || (check - none).abs() < 1.0, "{words}");
                assert!(incidence < 75.0 || (running - none).abs() < 2.0, "{words}");
            }
        }
    }
}

#[test]
fn at_thirty_degrees_the_models_differ_as_the_page_says() {
    for (model, angles) in [
        (CushionModel::Mirror, [34.2, 34.2, 34.2]),
        (CushionModel::HalfSpace, [19.6, 26.6, 42.7]),
        (CushionModel::Stronge, [19.6, 26.6, 42.7]),
        (CushionModel::Mathavan, [15.2, 24.1, 42.7]),
        (CushionModel::Han, [3.6, 24.3, 43.2]),
    ] {
        for rate in [60.0, 120.0, 240.0] {
            for (angle, expected) in with_side(model, 30.0, rate).into_iter().zip(angles) {
                near(angle, expected, 0.07);
            }
        }
    }
}

/// Unlike the half-space model, Stronge's reverses a slow slip along the nose instead of stopping it.
#[test]
fn stronge_turns_a_slow_slip_around() {
    let slips = |model| {
        let cushion = Cushion { model, nose_height: 0.5, ..Cushion::default() };
        let [before, after] = rebound(&cushion, 0.0, Vec3::Z * 0.3, 120.0);
        [before, after].map(|motion| motion.velocity.y + motion.angular_velocity.z * f64::from(R))
    };
    let [[before, held], [_, turned]] = [CushionModel::HalfSpace, CushionModel::Stronge].map(slips);
    assert!(before > 0.25 && held.abs() < 1e-9 && turned < -0.05, "{before} {held} {turned}");
}

/// What `docs/src/physics-validation.md` says of a straight shot at the default cushion.
#[test]
fn a_rolling_ball_comes_back_with_half_of_its_speed() {
    let [before, after] = rebound(&Cushion::default(), 0.0, Vec3::Y, 120.0);
    let speed = before.velocity.x;
    near(-after.velocity.x / speed, 0.81, 0.005);
    let rolling = (5.0 * after.velocity.x + 2.0 * f64::from(R) * after.angular_velocity.y) / 7.0;
    near(-rolling / speed, 0.55, 0.005);
}

#[test]
fn whole_ticks_throw_back_what_the_model_says() {
    let body = Body { mass: f64::from(M), radius: f64::from(R), shape: Shape::Ball };
    for rate in [60.0, 120.0, 240.0] {
        for (model, word) in CushionModel::ALL {
            let cushion = Cushion { model, ..Cushion::default() };
            for spin in [Vec3::ZERO, Vec3::new(-0.5, 0.9, 1.2), Vec3::new(0.7, -1.0, -0.4)] {
                let [before, after] = rebound(&cushion, 40.0, spin, rate);
                let hit = cushion::rebound(&cushion, &body, &before, DVec2::NEG_X, 0.85_f32.into()).unwrap();
                assert!((hit.after.velocity - after.velocity).length() < 1e-9, "{word}");
                let turned: DVec3 = hit.after.angular_velocity - after.angular_velocity;
                assert!(turned.length() * f64::from(R) < 1e-9, "{word}");
                assert!(after.kinetic_energy(&body) <= before.kinetic_energy(&body));
            }
        }
    }
}
