//! Gravity: the same acceleration for every disc.

use bevy::prelude::*;

use crate::collision::Space;

/// Adds `acceleration * substep` (m/s²) to every velocity, and adds the acceleration to [`Space::gravity`], by which piles know what
/// they rest against. Several gravities add up.
pub fn gravity(space: &mut Space, acceleration: Vec2) {
    if acceleration == Vec2::ZERO {
        return;
    }
    space.gravity += acceleration;
    let change = acceleration * space.substep();
    for velocity in &mut space.discs.velocity {
        *velocity += change;
    }
    space.accelerate_blocks(change);
}
