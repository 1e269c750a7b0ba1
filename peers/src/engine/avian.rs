//! Avian2D in a headless app: a step is a run of Bevy's fixed schedule, as for carom.
//!
//! Every setting is its default, such as 6 substeps, with these exceptions: sleeping is off, friction is 0, and gravity
//! and restitution are those of the scene.

use std::time::Duration;

use avian2d::prelude::*;
use bevy::{app::FixedMain, ecs::message::message_update_system, prelude::*};

use super::{Body, Engine, headless, walls};
use crate::scene::{self, DENSITY, State};

/// An app and its discs.
pub struct Avian {
    app: App,
    discs: Vec<Entity>,
}

impl Avian {
    /// An app with these discs, in a process whose compute pool has this many threads.
    pub fn new(state: &State, threads: usize) -> Self {
        let mut app = headless::app((TransformPlugin, PhysicsPlugins::default()), threads);
        app.insert_resource(Gravity(vec2(0.0, state.gravity)));
        let material = (Friction::ZERO, Restitution::new(state.restitution));
        let world = app.world_mut();
        for ([x, y], [half_width, half_height]) in walls(state) {
            let shape = Collider::rectangle(2.0 * half_width, 2.0 * half_height);
            world.spawn((RigidBody::Static, shape, material, Transform::from_xyz(x, y, 0.0)));
        }
        let spawn = |disc: &scene::Disc| {
            let [x, y] = disc.position;
            let body = (RigidBody::Dynamic, SleepingDisabled, Transform::from_xyz(x, y, 0.0));
            let motion = LinearVelocity(Vec2::from_array(disc.velocity));
            let shape = (Collider::circle(disc.radius), ColliderDensity(DENSITY), material);
            world.spawn((body, motion, shape)).id()
        };
        let discs = state.discs.iter().map(spawn).collect();
        // The first update of an app runs its startup systems and no fixed step.
        app.update();
        Self { app, discs }
    }
}

impl Engine for Avian {
    fn step(&mut self) {
        let world = self.app.world_mut();
        world.resource_mut::<Time<Fixed>>().advance_by(Duration::from_secs_f32(scene::TIME_STEP));
        let fixed = world.resource::<Time<Fixed>>().as_generic();
        *world.resource_mut::<Time>() = fixed;
        world.run_schedule(FixedMain);
        world.run_system_cached(message_update_system).expect("the system is Bevy's own and cannot fail");
    }

    fn bodies(&self) -> Vec<Body> {
        let read = |&disc: &Entity| {
            let disc = self.app.world().entity(disc);
            let (position, velocity) = disc.components::<(&Position, &LinearVelocity)>();
            Body { position: position.to_array(), velocity: velocity.to_array() }
        };
        self.discs.iter().map(read).collect()
    }
}
