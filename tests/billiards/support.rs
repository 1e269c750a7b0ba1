//! Balls on a table without an ECS.

use bevy::{
    math::{DVec2, DVec3},
    prelude::*,
};
use carom::{
    collision::{
        CollisionSettings, DiscState, PhysicsSpace, SolverMode, run_tick,
        spin::{Motion, Shape, Spin, TablePhysics, pair::PairFriction},
    },
    motion::ForceLaw,
};

/// Radius (m) and mass (kg) of a pool ball.
pub const R: f32 = 0.028575;
pub const M: f32 = 0.170097;

/// A ball with this velocity (m/s) and this spin, given as a speed `R w` (m/s).
pub fn ball(id: u64, position: Vec2, velocity: Vec2, spin: Vec3) -> DiscState {
    let spin = Spin { angular_velocity: spin / R, shape: Shape::Ball };
    DiscState { id, position, velocity, radius: R, mass: M, spin: Some(spin), ..DiscState::default() }
}

pub fn rolling(id: u64, position: Vec2, velocity: Vec2) -> DiscState {
    ball(id, position, velocity, Vec3::new(-velocity.y, velocity.x, 0.0))
}

/// The continuous mode with this restitution between balls.
pub fn continuous(restitution: f32) -> CollisionSettings {
    CollisionSettings { mode: SolverMode::Continuous, restitution, ..CollisionSettings::default() }
}

/// A table without friction between balls.
pub fn frictionless() -> TablePhysics {
    TablePhysics { balls: PairFriction::None, ..TablePhysics::default() }
}

pub fn space(discs: impl IntoIterator<Item = DiscState>) -> PhysicsSpace {
    let mut space = PhysicsSpace::default();
    space.discs = discs.into_iter().collect();
    space
}

pub fn tick(space: &mut PhysicsSpace, settings: &CollisionSettings, table: &TablePhysics, rate: f32) {
    run_tick(space, settings, rate.recip(), |space| table.act(space));
}

pub fn motion(space: &PhysicsSpace, i: usize) -> Motion {
    let spin = space.discs.spin_of(i).unwrap_or_default();
    Motion {
        velocity: space.discs.velocity[i].as_dvec2(),
        angular_velocity: spin.angular_velocity.as_dvec3(),
        vertical: space.discs.height_of(i).map_or(0.0, |above| f64::from(above.speed)),
    }
}

/// The kinetic energy of all balls including spin and vertical motion, joules.
pub fn energy(space: &PhysicsSpace) -> f64 {
    (0..space.discs.len())
        .map(|i| {
            let Motion { velocity, angular_velocity, vertical } = motion(space, i);
            let (m, r) = (f64::from(space.discs.mass[i]), f64::from(space.discs.radius[i]));
            let factor = space.discs.spin_of(i).map_or(0.0, |spin| spin.shape.inertia_factor());
            0.5 * m
                * (velocity.length_squared() + vertical * vertical + factor * r * r * angular_velocity.length_squared())
        })
        .sum()
}

/// Runs until nothing moves, and returns the number of ticks.
pub fn run_to_rest(space: &mut PhysicsSpace, settings: &CollisionSettings, table: &TablePhysics, rate: f32) -> u32 {
    for ticks in 1..(60.0 * rate) as u32 {
        tick(space, settings, table, rate);
        let moving = (0..space.discs.len()).any(|i| motion(space, i) != Motion::default());
        if !moving {
            return ticks;
        }
    }
    panic!("after a minute something still moves: {:?}", space.discs);
}

#[track_caller]
pub fn near(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b} within {tolerance}");
}

/// The direction of a velocity, degrees counter-clockwise from +x.
pub fn degrees(velocity: DVec2) -> f64 {
    velocity.y.atan2(velocity.x).to_degrees()
}

/// The spin as a speed `R w`, m/s.
pub fn spin_speed(motion: &Motion) -> DVec3 {
    motion.angular_velocity * f64::from(R)
}
