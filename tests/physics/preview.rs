//! The preview is the shot, wherever that is.

use bevy::{ecs::system::SystemState, prelude::*};
use carom::{
    collision::Discs,
    prelude::*,
    timeline::Prediction,
};

use crate::support;

const R: f32 = 0.028_575;

fn begin_prediction(app: &mut App, seconds: f32) -> Prediction {
    let mut state = SystemState::<Predictor>::new(app.world_mut());
    state.get(app.world()).expect("it can be predicted").predict(Horizon { seconds, ..Horizon::default() })
}

/// A rack of smooth pool balls in a box around a place, and one that is shot at them.
fn racked(at: Vec2, velocity: Vec2, restitution: f32) -> App {
    let mut app = support::app_in((Mode::Continuous, 1));
    app.insert_resource(MotionSettings { friction: 0.6, ..default() });
    support::settings(&mut app, |s| (s.restitution, s.wall_restitution) = (restitution, 0.8));
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

/// `f32` knows places to a 15th of a micrometre at the origin, and to 30 micrometres a kilometre from it, a thousandth of a ball's radius.
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
