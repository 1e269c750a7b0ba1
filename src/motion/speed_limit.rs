//! Speed limits: what is faster is slowed down to its [`SpeedLimit`](crate::components::SpeedLimit), in the direction
//! that it has.

use crate::collision::PhysicsSpace;

/// Takes off the speed that discs have beyond their limits.
pub(super) fn limit_each(space: &mut PhysicsSpace) {
    let discs = &mut space.discs;
    for own in &discs.own_motion {
        let Some(limit) = own.speed_limit else { continue };
        let velocity = &mut discs.velocity[own.disc as usize];
        let speed = velocity.length_squared().sqrt();
        if speed > limit {
            *velocity *= limit / speed;
        }
    }
}
