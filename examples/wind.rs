//! A game puts its own systems between ours: a wind among the forces, and discs of one colour that pass through each other
//! because their contacts are dropped between `PushApart` and `Impulse`.
//!
//! The wind blows in both modes. The filter works in the stepped mode only: the continuous mode resolves each impact at its own time
//! and makes no list of contacts, so there the discs of a team would bounce off each other.
//!
//! `cargo run --example wind`

use bevy::{prelude::*, time::TimeUpdateStrategy};
use carom::prelude::*;

/// Acceleration of the wind, m/s².
const WIND: Vec2 = vec2(0.5, 0.0);

/// A team; discs of one team do not touch each other.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
struct Team(u8);

fn main() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), game))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    for _ in 0..=240 {
        app.update();
    }
    let mut discs = app.world_mut().query::<(&Team, &Position, &Velocity)>();
    for (team, position, velocity) in discs.iter(app.world()) {
        println!("team {}: at {:.3} moving at {:.3}", team.0, position.0, velocity.0);
    }
}

/// The game, without the clock.
pub fn game(app: &mut App) {
    // Teams must be able to overlap.
    app.insert_resource(CollisionSettings { push_apart: false, ..default() })
        .add_systems(Startup, spawn)
        .add_force(blow)
        .add_systems(Substep, spare_the_own_team.after(SubstepSystems::PushApart).before(SubstepSystems::Impulse));
}

fn spawn(mut commands: Commands) {
    commands.spawn((Disc, Team(0), Position(vec2(-4.0, 0.0)), Velocity(vec2(2.0, 0.0))));
    commands.spawn((Disc, Team(0), Position(vec2(-2.0, 0.0))));
    commands.spawn((Disc, Team(1), Position(vec2(4.0, 0.0)), Velocity(vec2(-2.0, 0.0))));
    commands.spawn(Terrain::Arena { half_size: vec2(6.0, 2.0) });
}

fn blow(space: &mut Space) {
    let change = WIND * space.substep();
    for velocity in &mut space.discs.velocity {
        *velocity += change;
    }
}

fn spare_the_own_team(mut space: ResMut<Space>, teams: Query<&Team>) {
    let Space { discs, contacts, .. } = &mut *space;
    let team = |i: u32| teams.get(discs.entity[i as usize]).ok();
    contacts.retain(|contact| team(contact.a) != team(contact.b));
}
