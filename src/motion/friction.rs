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
        if *velocity == Vec2::ZERO {
            continue;
        }
        let speed = velocity.length_squared().sqrt();
        *velocity = if first_half && speed < 2.0 * loss {
            *velocity * (0.25 * speed / loss)
        } else if speed > loss {
            *velocity * ((speed - loss) / speed)
        } else {
            Vec2::ZERO
        };
    }
    let loss = f64::from(loss);
    space.brake_blocks(|speed| {
        if first_half && speed < 2.0 * loss { 0.25 * speed / loss } else { ((speed - loss) / speed).max(0.0) }
    });
}
