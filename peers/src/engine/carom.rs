//! carom in a headless app: a step is a whole tick, components to components.

use bevy::prelude::*;
use carom::{
    collision::{PhysicsSpace, Threads},
    prelude::*,
    timeline,
};

use super::{Body, Engine, headless};
use crate::scene::{self, Scene, State};

/// The settings of carom: the defaults for the elastic scenes; for the pile those of `assets/scenes/pile.ron`, with
/// sleeping off as in the other engines.
fn settings(state: &State) -> CollisionSettings {
    let restitution = CollisionSettings {
        restitution: state.restitution,
        terrain_restitution: state.restitution,
        ..CollisionSettings::default()
    };
    match state.scene {
        Scene::Gas | Scene::Radii => restitution,
        Scene::Pile => CollisionSettings { substeps: 4, resting_speed: 1.0, report_above: 1.0, ..restitution },
    }
}

/// An app and its discs.
pub struct Carom {
    app: App,
    discs: Vec<Entity>,
}

impl Carom {
    /// An app with these discs, in a process whose compute pool has this many threads.
    pub fn new(state: &State, threads: usize) -> Self {
        let mut app = headless::app(PhysicsPlugins::default(), threads);
        // The systems run one after the other. Each uses threads internally.
        headless::one_after_another(&mut app);
        app.world_mut().resource_mut::<PhysicsSpace>().compute.threads =
            if threads == 1 { Threads::Tasks(1) } else { Threads::Auto };
        app.insert_resource(Time::<Fixed>::from_hz(60.0));
        app.insert_resource(settings(state));
        app.insert_resource(MotionSettings { gravity: vec2(0.0, state.gravity), ..default() });
        let world = app.world_mut();
        world.spawn(Terrain::Arena { half_size: Vec2::from_array(state.half_size) });
        let spawn = |disc: &scene::Disc| {
            let (position, velocity) = (Vec2::from_array(disc.position), Vec2::from_array(disc.velocity));
            let disc = (Disc, Position(position), Velocity(velocity), Radius(disc.radius), Mass(disc.mass()));
            world.spawn(disc).id()
        };
        let discs = state.discs.iter().map(spawn).collect();
        Self { app, discs }
    }
}

impl Engine for Carom {
    fn step(&mut self) {
        timeline::advance(self.app.world_mut(), 1);
    }

    fn bodies(&self) -> Vec<Body> {
        let read = |&disc: &Entity| {
            let disc = self.app.world().entity(disc);
            let (position, velocity) = disc.components::<(&Position, &Velocity)>();
            Body { position: position.to_array(), velocity: velocity.to_array() }
        };
        self.discs.iter().map(read).collect()
    }
}
