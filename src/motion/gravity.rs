//! Gravity: the same acceleration for every disc.

use bevy::prelude::*;

use crate::collision::Space;

/// Adds `acceleration * substep` (m/s²) to every velocity, and tells `Settle` the direction.
pub fn gravity(space: &mut Space, acceleration: Vec2) {
    if acceleration == Vec2::ZERO {
        return;
    }
    space.gravity = acceleration;
    let change = acceleration * space.substep();
    for velocity in &mut space.bodies.velocity {
        *velocity += change;
    }
}
