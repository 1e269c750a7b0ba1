//! Rapier2D, on one thread.
//!
//! Every setting is its default, with these exceptions: sleeping is off, friction is 0, and gravity and restitution are
//! those of the scene.

use rapier2d::prelude::*;

use super::{Body, Engine, walls};
use crate::scene::{DENSITY, State, TIME_STEP};

/// A world and its discs.
pub struct Rapier {
    world: PhysicsWorld,
    discs: Vec<RigidBodyHandle>,
}

impl Rapier {
    /// A world with these discs.
    pub fn new(state: &State) -> Self {
        let mut world = PhysicsWorld { gravity: Vector::new(0.0, state.gravity), ..PhysicsWorld::default() };
        world.integration_parameters.dt = TIME_STEP;
        let material = |target: ColliderBuilder| target.friction(0.0).restitution(state.restitution);
        for ([x, y], [half_width, half_height]) in walls(state) {
            let wall = RigidBodyBuilder::fixed().translation(Vector::new(x, y));
            world.insert(wall, material(ColliderBuilder::cuboid(half_width, half_height)));
        }
        let discs = state.discs.iter().map(|disc| {
            let body = RigidBodyBuilder::dynamic()
                .translation(Vector::from_array(disc.position))
                .linvel(Vector::from_array(disc.velocity))
                .can_sleep(false);
            world.insert(body, material(ColliderBuilder::ball(disc.radius)).density(DENSITY)).0
        });
        let discs = discs.collect();
        Self { world, discs }
    }
}

impl Engine for Rapier {
    fn step(&mut self) {
        self.world.step();
    }

    fn bodies(&self) -> Vec<Body> {
        let read = |&handle: &RigidBodyHandle| {
            let body = &self.world.bodies[handle];
            Body { position: body.translation().to_array(), velocity: body.linvel().to_array() }
        };
        self.discs.iter().map(read).collect()
    }
}
