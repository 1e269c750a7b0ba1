//! Three ways in which a game acts on its discs. An impulse acts once, before the tick. A custom force is in the list
//! of forces, here a rotating gravity. A third kind of force needs the ECS in the middle of a tick. Predictions include
//! the list, so they include the gravity, but not the last kind.
//!
//! `cargo run --example forces`

use bevy::{prelude::*, time::TimeUpdateStrategy};
use carom::{motion, prelude::*};

/// A rotating gravity.
struct TurningGravity {
    /// Its acceleration, m/s².
    strength: f32,
    /// Its angular velocity, radians per second.
    turn: f32,
}

impl ForceLaw for TurningGravity {
    fn act(&self, space: &mut PhysicsSpace) {
        let direction = Vec2::from_angle(self.turn * space.elapsed() as f32);
        // Through this function piles find their supports, too.
        motion::gravity(space, self.strength * direction);
    }
}

/// A motor; newtons.
#[derive(Component)]
struct Thrust(Vec2);

/// A spring below a disc that waits to jump: the change of its velocity in m/s.
#[derive(Component)]
struct Jump(Vec2);

fn main() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), game))
        // One tick in every update after the first, which starts the clock, without waiting.
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    for _ in 0..=120 {
        app.update();
    }
    let mut discs = app.world_mut().query_filtered::<(&Position, &Velocity, Has<Thrust>), With<Disc>>();
    for (position, velocity, driven) in discs.iter(app.world()) {
        println!("{} at {:.3} moving at {:.3}", if driven { "driven" } else { "kicked" }, position.0, velocity.0);
    }
}

/// The game without the clock.
pub fn game(app: &mut App) {
    app.insert_resource(CollisionSettings { restitution: 0.6, terrain_restitution: 0.6, substeps: 4, ..default() })
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, jump)
        .add_force(TurningGravity { strength: 2.0, turn: 0.5 })
        .add_systems(Substep, push.in_set(SubstepSystems::Forces));
}

fn spawn(mut commands: Commands) {
    commands.spawn((Disc, Position(vec2(-2.0, 0.0)), Thrust(vec2(3.0, 0.0))));
    commands.spawn((Disc, Position(vec2(2.0, 0.0)), Jump(vec2(0.0, 5.0))));
    commands.spawn(Terrain::Arena { half_size: vec2(5.0, 3.0) });
}

/// An impulse: once, before the tick.
fn jump(mut commands: Commands, mut jumpers: Query<(Entity, &Jump, &mut Velocity)>) {
    for (disc, jump, mut velocity) in &mut jumpers {
        velocity.0 += jump.0;
        commands.entity(disc).remove::<Jump>();
    }
}

/// A force on some of the discs, in every substep, from their components.
fn push(mut space: ResMut<PhysicsSpace>, motors: Query<(Entity, &StableId, &Thrust)>) {
    for (entity, id, thrust) in &motors {
        if let Some(disc) = space.discs.index_of(entity, *id) {
            motion::force(&mut space, disc, thrust.0);
        }
    }
}
