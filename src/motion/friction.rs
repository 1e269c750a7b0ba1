//! Friction: a constant deceleration, as the cloth gives a rolling ball (a = mu g).

use bevy::prelude::*;

use crate::collision::Space;

/// Slows every disc by `deceleration` (m/s²) until it rests; a disc slower than one substep's worth stops at once.
pub fn friction(space: &mut Space, deceleration: f32) {
    if deceleration == 0.0 {
        return;
    }
    let loss = deceleration * space.substep();
    for velocity in &mut space.bodies.velocity {
        let speed = velocity.length();
        *velocity = if speed > loss { *velocity * ((speed - loss) / speed) } else { Vec2::ZERO };
    }
}
