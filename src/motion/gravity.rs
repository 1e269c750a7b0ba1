//! Gravity: the same acceleration for every disc.

use bevy::prelude::*;

use crate::collision::{
    Cause, PhysicsSpace,
    account::{self, Entry},
};

/// Adds `acceleration * substep` (m/s²) to every velocity, times the [`GravityScale`](crate::components::GravityScale)
/// of a disc that has one. It also adds the acceleration to [`Laws::gravity`](crate::collision::Laws::gravity), from
/// which piles find their supports. Several gravities add up.
pub fn gravity(space: &mut PhysicsSpace, acceleration: Vec2) {
    if acceleration == Vec2::ZERO {
        return;
    }
    account::enter(space, Entry::Of(Cause::Forces));
    space.laws.gravity += acceleration;
    let change = acceleration * space.substep();
    if space.discs.own_motion.is_empty() {
        for velocity in &mut space.discs.velocity {
            *velocity += change;
        }
    } else {
        space.discs.for_each_velocity(|velocity, own| *velocity += change * own.map_or(1.0, |own| own.gravity_scale));
    }
    account::enter(space, Entry::GravityOnDiscs);
    space.accelerate_blocks(change);
    account::enter(space, Entry::Of(Cause::Gravity));
}
