//! Shots on an unbounded table, tick by tick.

use bevy::{math::DVec2, prelude::*};
use carom::{
    collision::{
        CollisionSettings, DiscState, PhysicsSpace, SolverMode, run_tick,
        spin::{BallState, Body, Motion, Shape, Spin, TablePhysics, cloth::rolling_spin},
    },
    motion::ForceLaw,
    prelude::{Position, Rotation, Terrain},
};

/// A pool ball, metres and kilograms.
pub const RADIUS: f64 = 0.028575;
pub const BALL: Body = Body { mass: 0.170097, radius: RADIUS, shape: Shape::Ball };

/// Ticks per second.
pub const RATE: f32 = 120.0;

/// A simulation of a few balls.
pub struct Shot {
    pub space: PhysicsSpace,
    physics: TablePhysics,
    settings: CollisionSettings,
}

impl Shot {
    /// Balls at these positions (m) with these motions, and the restitution between them.
    pub fn new(balls: &[(DVec2, Motion)], physics: TablePhysics, restitution: f32) -> Self {
        let mut space = PhysicsSpace::default();
        let disc = |(i, (place, motion)): (usize, &(DVec2, Motion))| DiscState {
            id: i as u64,
            position: place.as_vec2(),
            velocity: motion.velocity.as_vec2(),
            radius: RADIUS as f32,
            mass: BALL.mass as f32,
            spin: Some(Spin { angular_velocity: motion.angular_velocity.as_vec3(), shape: Shape::Ball }),
            ..DiscState::default()
        };
        space.discs = balls.iter().enumerate().map(disc).collect();
        let settings = CollisionSettings { mode: SolverMode::Continuous, restitution, ..default() };
        Self { space, physics, settings }
    }

    /// Adds a long cushion along y.
    pub fn add_cushion(&mut self, x: f32) {
        let nose = Terrain::Segment { a: Vec2::new(x, -10.0), b: Vec2::new(x, 10.0) };
        self.space.add_terrain(Entity::PLACEHOLDER, &nose, Position::default(), Rotation::default(), None);
        self.space.finish_terrain();
    }

    pub fn tick(&mut self) {
        run_tick(&mut self.space, &self.settings, RATE.recip(), |space| self.physics.act(space));
    }

    /// Runs until there is a hit.
    pub fn until_hit(&mut self) {
        self.space.report.record_events = true;
        let hits = |space: &PhysicsSpace| !space.report.hits.is_empty();
        (0..2000).find(|_| {
            self.tick();
            hits(&self.space)
        });
    }

    /// Runs until a ball no longer slides.
    pub fn until_it_rolls(&mut self, i: usize) {
        for _ in 0..2000 {
            if BallState::of(&self.motion(i), RADIUS) != BallState::Sliding {
                return;
            }
            self.tick();
        }
    }

    /// Runs until all balls are at rest.
    pub fn until_rest(&mut self) {
        for _ in 0..20_000 {
            if (0..self.space.discs.len()).all(|i| self.motion(i) == Motion::default()) {
                return;
            }
            self.tick();
        }
    }

    pub fn place(&self, i: usize) -> DVec2 {
        self.space.discs.position[i].as_dvec2()
    }

    pub fn motion(&self, i: usize) -> Motion {
        let spin = self.space.discs.spin_of(i).unwrap_or_default();
        Motion {
            velocity: self.space.discs.velocity[i].as_dvec2(),
            angular_velocity: spin.angular_velocity.as_dvec3(),
            vertical: 0.0,
        }
    }
}

/// A sliding ball without spin.
pub fn stun(velocity: DVec2) -> Motion {
    Motion { velocity, ..Motion::default() }
}

/// A rolling ball.
pub fn rolling(velocity: DVec2) -> Motion {
    Motion { velocity, angular_velocity: rolling_spin(velocity, RADIUS).extend(0.0), vertical: 0.0 }
}

/// The unit vector at an angle from +x, degrees counter-clockwise.
pub fn direction(degrees: f64) -> DVec2 {
    let (sin, cos) = libm::sincos(degrees.to_radians());
    DVec2::new(cos, sin)
}

/// The angle of a vector from +x, degrees counter-clockwise.
pub fn angle(vector: DVec2) -> f64 {
    libm::atan2(vector.y, vector.x).to_degrees()
}
