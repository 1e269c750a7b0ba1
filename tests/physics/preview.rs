//! The preview is the shot, at any place; and it takes no longer than allowed.

use std::time::Duration;

use bevy::{ecs::system::SystemState, prelude::*};
use carom::{
    collision::{Discs, measure},
    prelude::*,
    timeline::Prediction,
};

use crate::support;

const R: f32 = 0.028_575;

fn begin_prediction(app: &mut App, seconds: f32) -> Prediction {
    let mut state = SystemState::<Predictor>::new(app.world_mut());
    state.get(app.world()).expect("it can be predicted").predict(Horizon { seconds, ..Horizon::default() })
}

/// A rack of smooth pool balls in a box around a position, and one that is shot at them.
fn racked(at: Vec2, velocity: Vec2, restitution: f32) -> App {
    let mut app = support::app_in((SolverMode::Continuous, 1));
    app.insert_resource(MotionSettings { friction: 0.6, ..default() });
    support::settings(&mut app, |s| (s.restitution, s.terrain_restitution) = (restitution, 0.8));
    app.world_mut().spawn((Terrain::Arena { half_size: vec2(1.27, 0.635) }, Position(at)));
    let mut ball = |place: Vec2, velocity: Vec2| {
        app.world_mut().spawn((Disc, Position(at + place), Velocity(velocity), Radius(R), Mass(0.17)));
    };
    ball(vec2(-0.6, 0.0), velocity);
    for row in 0..5 {
        for k in 0..=row {
            ball(vec2(0.6 + 1.7321 * R * row as f32, R * (2 * k - row) as f32), Vec2::ZERO);
        }
    }
    app
}

/// `f32` resolves positions to a 15th of a micrometre near the origin, and to 30 micrometres a kilometre away, a
/// thousandth of the radius of a ball.
#[test]
fn a_shot_is_as_it_was_predicted_however_far_from_the_origin() {
    for at in [vec2(60.0, 45.0), vec2(-200.0, 130.0), vec2(1000.0, 700.0)] {
        let mut impacts = 0;
        for (velocity, e) in [(vec2(9.0, 0.05), 0.95), (vec2(6.0, -0.1), 0.7), (vec2(4.0, 0.02), 0.0)] {
            let mut app = racked(at, velocity, e);
            let mut prediction = begin_prediction(&mut app, 12.0);
            while !prediction.is_done() {
                prediction.tick();
                support::ticks(&mut app, 1);
                let (now, tick) = (Discs::of(app.world_mut()), prediction.ticks());
                assert_eq!(prediction.discs().position, now.position, "at {at}, {velocity}, e {e}, tick {tick}");
                assert_eq!(prediction.discs().velocity, now.velocity, "at {at}, {velocity}, e {e}, tick {tick}");
            }
            impacts += prediction.impacts().len();
        }
        assert!(impacts > 60, "at {at}: {impacts} impacts");
    }
}

/// A single disc, and a force that takes three milliseconds per tick from a given time on, seconds.
fn slow_from(time: f64) -> App {
    let mut app = support::app();
    app.add_force(move |space: &mut PhysicsSpace| {
        if space.elapsed() > time {
            std::thread::sleep(Duration::from_millis(3));
        }
    });
    support::disc(&mut app, Vec2::ZERO, Vec2::X);
    app
}

#[test]
fn no_look_takes_much_longer_than_it_may_where_ticks_are_long() {
    let mut prediction = begin_prediction(&mut slow_from(-1.0), 9.0);
    for looks in 1..=3 {
        assert!(!prediction.run_for(Duration::from_millis(2)));
        assert_eq!(prediction.ticks(), looks, "each tick is longer than the time");
    }
    // Nor after many short ones.
    let mut prediction = begin_prediction(&mut slow_from(2.0), 9.0);
    while prediction.seconds() < 2.1 {
        prediction.run_for(Duration::from_micros(50));
    }
    let before = prediction.ticks();
    prediction.run_for(Duration::from_millis(2));
    assert_eq!(prediction.ticks(), before + 1);
}

#[test]
fn what_is_seen_does_not_depend_on_the_looks() {
    let mut app = racked(Vec2::ZERO, vec2(7.0, 0.1), 0.9);
    let whole = begin_prediction(&mut app, 3.0).finished();
    for microseconds in [0, 5, 100, 2000] {
        let mut prediction = begin_prediction(&mut app, 3.0);
        while !prediction.run_for(Duration::from_micros(microseconds)) {}
        assert_eq!(prediction.ticks(), whole.ticks());
        assert_eq!(measure::state_hash(prediction.discs()), measure::state_hash(whole.discs()));
        assert_eq!(prediction.impacts(), whole.impacts());
    }
}
