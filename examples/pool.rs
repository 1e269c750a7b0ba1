//! The break of a game of nine-ball in code: a table from its file, the balls of the game, a stroke of the cue, its
//! prediction, and its result.
//!
//! ```sh
//! cargo run --example pool --no-default-features --features scene
//! ```

use std::time::Duration;

use bevy::{ecs::system::SystemState, math::DVec2, prelude::*};
use carom::{
    billiards::{
        cue::{self, Cue, CueStrike},
        tables::{BallName, Rack, ShippedTable, spawn_table},
    },
    collision::spin::{Body, Shape},
    prelude::*,
    timeline::advance,
};

fn main() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default()))
        .insert_resource(Time::<Fixed>::from_hz(120.0))
        .insert_resource(CollisionSettings { mode: SolverMode::Continuous, restitution: 0.95, ..default() })
        .init_resource::<Fallen>()
        .add_systems(Startup, (set_up, break_off).chain())
        .add_systems(FixedPostUpdate, print_potted.after(SimulationSystems));
    app.update();

    // The prediction of the break. In a system, `Predictor` is a parameter.
    let mut state = SystemState::<Predictor>::new(app.world_mut());
    let predictor = state.get(app.world()).expect("the physics has what it takes");
    let mut prediction = predictor.predict(Horizon::default());
    while !prediction.run_for(Duration::from_millis(2)) {}
    println!("predicted: at rest after {:.2} s, {} balls potted", prediction.seconds(), prediction.potted().len());
    let (ticks, expected) = (prediction.ticks(), prediction.potted().len());

    advance(app.world_mut(), ticks);
    assert_eq!(app.world().resource::<Fallen>().0, expected, "what was predicted happens");
}

/// The number of potted balls.
#[derive(Resource, Default)]
struct Fallen(usize);

fn set_up(mut commands: Commands) -> Result {
    let table = ShippedTable::named("pool-9ft")?.spec()?;
    spawn_table(&mut commands, &table)?;
    for ball in Rack::NineBall.balls(&table, 2e-5).into_iter().flatten() {
        commands.spawn((ball.bundle(&table.ball), ball.name));
    }
    Ok(())
}

/// The tip hits the cue ball slightly above the centre.
fn break_off(balls: Query<(Entity, &BallName, &Radius, &Mass)>, mut commands: Commands) -> Result {
    let cue = Cue::default();
    for (entity, _, radius, mass) in balls.iter().filter(|(_, name, ..)| **name == BallName::Cue) {
        let body = Body { radius: f64::from(radius.0), mass: f64::from(mass.0), shape: Shape::Ball };
        let stroke = CueStrike { direction: DVec2::from_angle(-0.009), top: 0.1, ..default() };
        let motion = cue::strike(&cue, &body, &stroke.with_ball_speed(&cue, &body, 9.0))?;
        let spin = AngularVelocity(motion.angular_velocity.as_vec3());
        commands.entity(entity).insert((Velocity(motion.velocity.as_vec2()), spin));
    }
    Ok(())
}

fn print_potted(
    mut potted: MessageReader<Potted>,
    (balls, pockets): (Query<&BallName>, Query<&Name>),
    mut fallen: ResMut<Fallen>,
) -> Result {
    for fall in potted.read() {
        let (ball, pocket) = (balls.get(fall.disc)?, pockets.get(fall.pocket)?);
        println!("tick {}: {ball} falls into the {pocket} at {:.2} m/s", fall.tick, fall.velocity.length());
        fallen.0 += 1;
    }
    Ok(())
}
