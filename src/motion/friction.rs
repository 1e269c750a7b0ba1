//! Friction: a constant deceleration, such as the cloth causes on a rolling ball (a = mu g).

use bevy::prelude::*;

use crate::collision::{ForceStep, PhysicsSpace};

/// Slows every disc by `deceleration` (m/s²) until it stops. A disc slower than the change within one substep stops at
/// once.
///
/// In the continuous mode, a disc that will stop within the tick moves through it with its exact mean velocity,
/// `v² / 2a` over the tick. So it rolls exactly `v² / 2a` from its initial speed.
pub fn friction(space: &mut PhysicsSpace, deceleration: f32) {
    if deceleration == 0.0 {
        return;
    }
    let loss = deceleration * space.substep();
    let first_half = space.clock.force_step == ForceStep::FirstHalf;
    for velocity in &mut space.discs.velocity {
        *velocity = slowed(*velocity, loss, first_half);
    }
    space.rub_blocks(|_, speed| kept(speed, loss, first_half));
}

/// The same, with the [`ClothFriction`](crate::components::ClothFriction) of the discs and blocks that have one.
pub(super) fn friction_of_each(space: &mut PhysicsSpace, deceleration: f32) {
    let (substep, first_half) = (space.substep(), space.clock.force_step == ForceStep::FirstHalf);
    space.rub_blocks(|own, speed| kept(speed, own.unwrap_or(deceleration) * substep, first_half));
    if space.discs.own_motion.is_empty() {
        if deceleration != 0.0 {
            let slow = |velocity: &mut Vec2| *velocity = slowed(*velocity, deceleration * substep, first_half);
            space.discs.velocity.iter_mut().for_each(slow);
        }
        return;
    }
    space.discs.for_each_velocity(|velocity, own| {
        let deceleration = own.and_then(|own| own.friction).unwrap_or(deceleration);
        if deceleration != 0.0 {
            *velocity = slowed(*velocity, deceleration * substep, first_half);
        }
    });
}

/// A velocity after friction has removed `loss` (m/s).
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

/// The remaining share of the speed of a block, by the same rule.
fn kept(speed: f64, loss: f32, first_half: bool) -> f64 {
    let loss = f64::from(loss);
    if loss > 0.0 && first_half && speed < 2.0 * loss { 0.25 * speed / loss } else { ((speed - loss) / speed).max(0.0) }
}
