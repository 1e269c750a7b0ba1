//! Friction: a constant deceleration, as the cloth gives a rolling ball (a = mu g).

use bevy::prelude::*;

use crate::collision::{ForceStep, Space};

/// Slows every disc by `deceleration` (m/s²) until it rests; a disc slower than one substep's worth stops at once.
///
/// In the continuous mode a disc that will rest within the tick goes through it with its exact mean velocity, `v² / 2a` over
/// the tick, so that it rolls as far as `v² / 2a` from the speed that it began with.
pub fn friction(space: &mut Space, deceleration: f32) {
    if deceleration == 0.0 {
        return;
    }
    let loss = deceleration * space.substep();
    let first_half = space.force_step == ForceStep::FirstHalf;
    for velocity in &mut space.discs.velocity {
        *velocity = slowed(*velocity, loss, first_half);
    }
    slow_blocks(space, loss, first_half);
}

/// The same, but for the discs that have a [`ClothFriction`](crate::disc::ClothFriction) of their own.
pub(super) fn friction_of_each(space: &mut Space, deceleration: f32) {
    if space.discs.own_motion.is_empty() {
        return friction(space, deceleration);
    }
    let (substep, first_half) = (space.substep(), space.force_step == ForceStep::FirstHalf);
    space.discs.for_each_velocity(|velocity, own| {
        let deceleration = own.and_then(|own| own.friction).unwrap_or(deceleration);
        if deceleration != 0.0 {
            *velocity = slowed(*velocity, deceleration * substep, first_half);
        }
    });
    if deceleration != 0.0 {
        slow_blocks(space, deceleration * substep, first_half);
    }
}

/// A velocity after friction has taken `loss` (m/s) of it.
#[inline(always)]
fn slowed(velocity: Vec2, loss: f32, first_half: bool) -> Vec2 {
    if velocity == Vec2::ZERO {
        return velocity;
    }
    let speed = velocity.length_squared().sqrt();
    if first_half && speed < 2.0 * loss {
        velocity * (0.25 * speed / loss)
    } else if speed > loss {
        velocity * ((speed - loss) / speed)
    } else {
        Vec2::ZERO
    }
}

/// Blocks have the friction of all.
fn slow_blocks(space: &mut Space, loss: f32, first_half: bool) {
    let loss = f64::from(loss);
    space.brake_blocks(|speed| {
        if first_half && speed < 2.0 * loss { 0.25 * speed / loss } else { ((speed - loss) / speed).max(0.0) }
    });
}
