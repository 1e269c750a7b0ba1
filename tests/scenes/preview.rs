//! The preview is the shot: the result of a `Prediction` and the ticks of an app are bit-identical.

use std::time::Duration;

use bevy::{ecs::system::SystemState, prelude::*};
use carom::{
    collision::{DiscState, Discs, measure::state_hash},
    motion::{friction, gravity},
    prelude::*,
    random::Random,
    scene::{CueBall, ScenePlugin, SceneSource, spawn},
    timeline::{Horizon, Prediction, Predictor, advance, run_in_order},
};

fn table() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin));
    run_in_order(&mut app);
    let source = SceneSource::Shipped("break");
    let file = source.load().unwrap();
    spawn(app.world_mut(), source, file).unwrap();
    app
}

fn cue(app: &mut App) -> Entity {
    app.world_mut().query_filtered::<Entity, With<CueBall>>().single(app.world()).unwrap()
}

fn predict(app: &mut App, horizon: Horizon) -> Prediction {
    SystemState::<Predictor>::new(app.world_mut()).get(app.world()).unwrap().predict(horizon)
}

/// Gives the cue ball a velocity, predicts, and plays the shot.
fn predict_and_play(app: &mut App, velocity: Vec2, horizon: Horizon) -> Prediction {
    let cue = cue(app);
    app.world_mut().get_mut::<Velocity>(cue).unwrap().0 = velocity;
    let mut prediction = predict(app, horizon);
    while !prediction.run_for(Duration::from_millis(1)) {}
    advance(app.world_mut(), prediction.ticks());
    prediction
}

#[test]
fn hundreds_of_shots_end_where_they_were_predicted_to_the_bit() {
    let mut random = Random::new(4);
    let (mut shots, mut impacts) = (0, 0);
    for game in 0..30 {
        let mut app = table();
        for shot in 0..10 {
            let velocity = if shot == 0 {
                // The break itself.
                Vec2::new(9.0, random.between(-0.15, 0.15))
            } else {
                random.direction() * random.between(0.3, 6.0)
            };
            let prediction = predict_and_play(&mut app, velocity, Horizon::default());
            let after = Discs::of(app.world_mut());
            assert!(after.velocity.iter().all(|v| *v == Vec2::ZERO), "game {game}, shot {shot}: not at rest");
            assert_eq!(state_hash(prediction.discs()), state_hash(&after), "game {game}, shot {shot}");
            shots += 1;
            impacts += prediction.impacts().len();
        }
    }
    assert_eq!(shots, 300);
    assert!(impacts > 5000, "{impacts}");
}

#[test]
fn every_tick_of_the_break_is_as_it_was_predicted() {
    let mut app = table();
    let cue = cue(&mut app);
    app.world_mut().get_mut::<Velocity>(cue).unwrap().0 = Vec2::new(9.5, 0.03);
    let mut prediction = predict(&mut app, Horizon::default());
    while !prediction.is_done() {
        prediction.tick();
        advance(app.world_mut(), 1);
        let now = Discs::of(app.world_mut());
        assert_eq!(prediction.discs().position, now.position, "tick {}", prediction.ticks());
        assert_eq!(prediction.discs().velocity, now.velocity, "tick {}", prediction.ticks());
    }
    assert_eq!(app.world().resource::<PhysicsSpace>().report.collisions as usize, prediction.impacts().len());
    // The drawn paths end at the discs.
    for (path, &end) in prediction.paths().iter().zip(&prediction.discs().position) {
        assert_eq!(path.points.last().unwrap().0, end);
        assert!(path.points.is_sorted_by_key(|&(_, time)| time));
    }
}

/// A custom field: it turns moving discs to the left by a varying amount, on one half of the table only.
struct Swirl {
    /// Radians per metre.
    strength: f32,
}

impl ForceLaw for Swirl {
    fn act(&self, space: &mut PhysicsSpace) {
        let now = 1.0 + 0.5 * bevy::math::ops::sin(space.elapsed() as f32);
        let turn = self.strength * now * space.substep();
        for (velocity, position) in space.discs.velocity.iter_mut().zip(&space.discs.position) {
            if position.x > 0.0 {
                let speed = velocity.length();
                *velocity += velocity.perp() * (turn * speed);
                *velocity = velocity.clamp_length_max(speed);
            }
        }
    }

    fn keeps_rest(&self) -> bool {
        true
    }
}

/// A table with a slope, which accelerates moving discs.
struct Slope(Vec2);

impl ForceLaw for Slope {
    fn act(&self, space: &mut PhysicsSpace) {
        let change = self.0 * space.substep();
        for velocity in space.discs.velocity.iter_mut().filter(|velocity| **velocity != Vec2::ZERO) {
            *velocity += change;
        }
    }

    fn keeps_rest(&self) -> bool {
        true
    }
}

/// A force that acts last.
struct Carpet(f32);

impl ForceLaw for Carpet {
    fn act(&self, space: &mut PhysicsSpace) {
        friction(space, self.0);
    }

    fn brakes(&self) -> bool {
        true
    }

    fn keeps_rest(&self) -> bool {
        true
    }
}

#[test]
fn shots_under_forces_of_a_game_end_where_they_were_predicted_to_the_bit() {
    let mut random = Random::new(5);
    let mut bent = 0;
    for game in 0..10 {
        let mut app = table();
        let mut plain = table();
        app.add_force(Swirl { strength: 0.8 }).add_force(Slope(Vec2::new(0.0, -0.02)));
        app.world_mut().resource_mut::<Forces>().add_last(Carpet(0.05));
        for shot in 0..10 {
            let velocity = if shot == 0 { Vec2::new(8.0, 0.1) } else { random.direction() * random.between(0.3, 5.0) };
            if shot == 5 {
                // Changes by the game are included from then on.
                app.world_mut().resource_mut::<Forces>().set(Swirl { strength: -1.5 });
            }
            let prediction = predict_and_play(&mut app, velocity, Horizon::default());
            assert_eq!(state_hash(prediction.discs()), state_hash(&Discs::of(app.world_mut())), "{game}, {shot}");
            predict_and_play(&mut plain, velocity, Horizon::default());
            bent += usize::from(state_hash(&Discs::of(plain.world_mut())) != state_hash(prediction.discs()));
        }
    }
    assert_eq!(bent, 100, "the forces act");
}

/// A table of one disc that moves at `velocity`, for three seconds.
fn alone(velocity: Vec2, mode: SolverMode, force: impl ForceLaw) -> (App, Prediction) {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default()))
        .insert_resource(CollisionSettings { mode, ..default() })
        .add_force(force);
    run_in_order(&mut app);
    app.world_mut().spawn((Disc, Position::default(), Velocity(velocity)));
    let mut prediction = predict(&mut app, Horizon { seconds: 3.0, ..default() });
    while !prediction.run_for(Duration::from_millis(1)) {}
    advance(app.world_mut(), prediction.ticks());
    (app, prediction)
}

#[test]
fn what_rests_for_a_moment_goes_on_in_the_prediction_too() {
    let late = |space: &mut PhysicsSpace| {
        if space.elapsed() > 1.0 {
            gravity(space, Vec2::X);
        }
    };
    let up = |space: &mut PhysicsSpace| gravity(space, Vec2::new(0.0, -8.0));
    let waves = |space: &mut PhysicsSpace| {
        let pull = bevy::math::ops::sin(space.elapsed() as f32);
        gravity(space, Vec2::new(0.0, pull));
    };
    for mode in [SolverMode::Stepped, SolverMode::Continuous] {
        let runs =
            vec![alone(Vec2::new(0.0, 1.0), mode, up), alone(Vec2::ZERO, mode, late), alone(Vec2::ZERO, mode, waves)];
        for (mut app, prediction) in runs {
            assert!(prediction.seconds() >= 3.0, "it looked {} s", prediction.seconds());
            let after = Discs::of(app.world_mut());
            assert_ne!(after.position[0], Vec2::ZERO);
            assert_eq!(state_hash(prediction.discs()), state_hash(&after), "{mode:?}");
        }
    }
}

#[test]
fn a_time_step_that_is_none_predicts_nothing() {
    for time_step in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let mut space = PhysicsSpace::default();
        space.discs.push(DiscState { velocity: Vec2::X, ..DiscState::default() });
        let mut prediction =
            Prediction::of(space, Forces::default(), &CollisionSettings::default(), time_step, Horizon::default());
        assert!(prediction.run_for(Duration::ZERO));
        assert_eq!(prediction.ticks(), 0);
    }
}

#[test]
fn in_the_stepped_mode_too() {
    let mut app = table();
    app.world_mut().resource_mut::<CollisionSettings>().mode = SolverMode::Stepped;
    for velocity in [Vec2::new(8.0, 0.1), Vec2::new(-2.0, 1.0)] {
        let prediction = predict_and_play(&mut app, velocity, Horizon::default());
        assert_eq!(state_hash(prediction.discs()), state_hash(&Discs::of(app.world_mut())));
    }
}

#[test]
fn a_prediction_stops_at_its_horizon() {
    let mut app = table();
    let short = Horizon { seconds: 0.5, ..default() };
    let prediction = predict_and_play(&mut app, Vec2::new(1.0, 0.0), short);
    assert!((prediction.seconds() - 0.5).abs() < 0.01);
    let mut app = table();
    let five = Horizon { impacts: 5, ..default() };
    let prediction = predict_and_play(&mut app, Vec2::new(9.0, 0.0), five);
    assert!(prediction.impacts().len() >= 5 && prediction.seconds() < 2.0);
}

#[test]
fn what_is_worth_no_message_is_predicted_all_the_same() {
    let mut app = table();
    app.world_mut().resource_mut::<CollisionSettings>().report_above = 1e6;
    let prediction = predict_and_play(&mut app, Vec2::new(9.0, 0.05), Horizon::default());
    assert_eq!(prediction.impacts().len() as u64, app.world().resource::<PhysicsSpace>().report.collisions);
    assert_eq!(state_hash(prediction.discs()), state_hash(&Discs::of(app.world_mut())));
}

/// A rule that moves discs, and enlarges them for a tick.
#[test]
fn what_a_force_makes_of_positions_and_radii_is_foreseen_too() {
    let around = |space: &mut PhysicsSpace| {
        let discs = &mut space.discs;
        for (position, radius) in discs.position.iter_mut().zip(&mut discs.radius) {
            if position.x > 3.0 {
                position.x -= 6.0;
            }
            *radius *= 1.0 + 0.01 * position.x.max(0.0);
        }
    };
    for mode in [SolverMode::Stepped, SolverMode::Continuous] {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default()))
            .insert_resource(CollisionSettings { mode, ..default() })
            .add_force(around);
        run_in_order(&mut app);
        for (x, y, speed) in [(0.0, 0.0, 9.0), (-2.0, 0.4, 0.0), (1.6, -0.3, -1.0)] {
            app.world_mut().spawn((Disc, Position(Vec2::new(x, y)), Velocity(Vec2::new(speed, 0.0))));
        }
        let mut prediction = predict(&mut app, Horizon { seconds: 5.0, ..default() });
        while !prediction.run_for(Duration::from_millis(1)) {}
        advance(app.world_mut(), prediction.ticks());
        assert!(!prediction.impacts().is_empty(), "{mode:?}");
        let after = Discs::of(app.world_mut());
        assert_eq!(prediction.discs().position, after.position, "{mode:?}");
        assert_eq!(prediction.discs().velocity, after.velocity, "{mode:?}");
    }
}
