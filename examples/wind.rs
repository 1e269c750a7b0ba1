//! Two ways in which a game can extend the physics and its predictions: a wind among the forces, and a contact hook.
//! The hook lets discs of one team pass through each other, and removes the restitution of hard hits on the other team.
//! Both act in both modes.
//!
//! `cargo run --example wind`

use bevy::{prelude::*, time::TimeUpdateStrategy};
use carom::prelude::*;

/// Acceleration of the wind, m/s².
const WIND: Vec2 = vec2(0.5, 0.0);

/// Above this speed, m/s, a hit removes the whole speed along the normal.
const HARD: f32 = 3.0;

/// A team; discs of one team do not collide.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
struct Team(u8);

/// The team of each entity, for the contacts.
#[derive(PartialEq)]
struct Teams(Vec<(Entity, Team)>);

impl Teams {
    fn of(&self, entity: Entity) -> Option<Team> {
        self.0.iter().find(|member| member.0 == entity).map(|member| member.1)
    }
}

impl ContactHook for Teams {
    fn filter_contact(&self, contact: &ContactView) -> bool {
        let teams = [contact.disc, contact.target.entity()].map(|entity| self.of(entity));
        teams[0].is_none() || teams[0] != teams[1]
    }

    fn modify_contact(&self, contact: &ContactView, response: &mut ContactResponse) {
        if self.of(contact.target.entity()).is_some() && contact.approach_speed() > HARD {
            response.restitution = 0.0;
        }
    }
}

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

/// The game without the clock.
pub fn game(app: &mut App) {
    app.add_systems(Startup, spawn).add_systems(FixedUpdate, update_teams).add_force(blow);
}

fn spawn(mut commands: Commands) {
    commands.spawn((Disc, Team(0), Position(vec2(-4.0, 0.0)), Velocity(vec2(2.0, 0.0))));
    commands.spawn((Disc, Team(0), Position(vec2(-2.0, 0.0))));
    commands.spawn((Disc, Team(1), Position(vec2(4.0, 0.0)), Velocity(vec2(-2.0, 0.0))));
    commands.spawn(Terrain::Arena { half_size: vec2(6.0, 2.0) });
}

fn blow(space: &mut PhysicsSpace) {
    let change = WIND * space.substep();
    for velocity in &mut space.discs.velocity {
        *velocity += change;
    }
}

/// Copies the components into the hook before the tick.
fn update_teams(members: Query<(Entity, &Team)>, mut forces: ResMut<Forces>) {
    let teams = members.iter().map(|(entity, team)| (entity, *team)).collect();
    forces.contact_hooks_mut().set_if_neq(Teams(teams));
}
