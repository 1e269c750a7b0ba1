//! The physics as a library, without a window: two discs collide, and a message describes the hit.
//!
//! `cargo run --example two_discs`

use bevy::{prelude::*, time::TimeUpdateStrategy};
use carom::prelude::*;

/// The number of ticks of 1/60 s to run.
const TICKS: u32 = 60;

fn main() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), game))
        // One tick in every update after the first, which starts the clock, without waiting.
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Time::<Fixed>::from_hz(60.0));
    for _ in 0..=TICKS {
        app.update();
    }
}

/// The game without the clock.
pub fn game(app: &mut App) {
    app.insert_resource(CollisionSettings { restitution: 0.8, ..default() })
        .add_systems(Startup, spawn)
        .add_systems(FixedPostUpdate, print_collisions.after(SimulationSystems));
}

fn spawn(mut commands: Commands) {
    commands.spawn((Disc, Position(vec2(-2.0, 0.0)), Velocity(vec2(4.0, 0.0)), Radius(0.5)));
    commands.spawn((Disc, Position(vec2(2.0, 0.3)), Radius(0.8), Density(2.0)));
    commands.spawn(Terrain::Arena { half_size: vec2(5.0, 3.0) });
}

fn print_collisions(mut collisions: MessageReader<Collision>, discs: Query<(&Position, &Velocity)>) {
    for hit in collisions.read() {
        println!("tick {}: {:?} hit {:?} at {:.2} m/s", hit.tick, hit.a, hit.b, hit.approach_speed);
        for (position, velocity) in &discs {
            println!("    at {:.3} moving at {:.3}", position.0, velocity.0);
        }
    }
}
