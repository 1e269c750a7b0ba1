//! The result of a shot before it is played: `Prediction` runs the ticks ahead on a copy of the state, and its result
//! is bit-identical.
//!
//! ```sh
//! cargo run --example preview --no-default-features
//! ```

use std::time::Duration;

use bevy::{ecs::system::SystemState, prelude::*};
use carom::{prelude::*, timeline::advance};

/// Ticks per second.
const TICK_RATE: f64 = 60.0;

fn main() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default()))
        .insert_resource(Time::<Fixed>::from_hz(TICK_RATE))
        .insert_resource(CollisionSettings { mode: SolverMode::Continuous, restitution: 0.9, ..default() })
        .insert_resource(MotionSettings { friction: 0.4, ..default() });
    app.world_mut().spawn(Terrain::Arena { half_size: vec2(5.0, 3.0) });
    let shot = app.world_mut().spawn((Disc, Position(vec2(-3.0, 0.0)), Velocity(vec2(7.0, 0.4)))).id();
    for row in 0..3 {
        let at = vec2(1.0, f32::from(row as u8) * 1.2 - 1.2);
        app.world_mut().spawn((Disc, Position(at)));
    }

    // The prediction. In a system, `Predictor` is a parameter.
    let mut state = SystemState::<Predictor>::new(app.world_mut());
    let predictor = state.get(app.world()).expect("the physics has what it takes");
    let mut prediction = predictor.predict(Horizon::default());
    while !prediction.run_for(Duration::from_millis(2)) {
        // A game would draw the part known so far and continue in the next frame.
    }
    println!("predicted: {} impacts in {:.2} s", prediction.impacts().len(), prediction.seconds());
    for (time, hit) in prediction.impacts() {
        println!("  {time:7.4} s  {} hits {:?} at {:.2} m/s", hit.a, hit.b, hit.approach_speed);
    }
    let expected = prediction.discs().position[0];

    advance(app.world_mut(), prediction.ticks());
    let position = app.world().get::<Position>(shot).expect("the disc is still there").0;
    println!("it rests at {position}; predicted {expected}");
    assert_eq!(position, expected);
}
