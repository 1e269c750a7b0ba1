//! Drag: a deceleration proportional to the speed, dv/dt = -c v.

use crate::collision::PhysicsSpace;

/// Applies a linear drag of `coefficient` (1/s) by an implicit step, v / (1 + c h). It never reverses a velocity,
/// however strong the drag and however long the substep.
pub fn drag(space: &mut PhysicsSpace, coefficient: f32) {
    if coefficient == 0.0 {
        return;
    }
    let keep = keeps(coefficient, space.substep());
    for velocity in &mut space.discs.velocity {
        *velocity *= keep;
    }
    space.drag_blocks(|_| keep);
}

/// The same, with the [`LinearDamping`](crate::components::LinearDamping) of the discs and blocks that have one.
pub(super) fn drag_of_each(space: &mut PhysicsSpace, coefficient: f32) {
    let substep = space.substep();
    space.drag_blocks(|own| keeps(own.unwrap_or(coefficient), substep));
    if space.discs.own_motion.is_empty() {
        if coefficient != 0.0 {
            let keep = keeps(coefficient, substep);
            space.discs.velocity.iter_mut().for_each(|velocity| *velocity *= keep);
        }
        return;
    }
    space.discs.for_each_velocity(|velocity, own| {
        let coefficient = own.and_then(|own| own.drag).unwrap_or(coefficient);
        if coefficient != 0.0 {
            *velocity *= keeps(coefficient, substep);
        }
    });
}

/// The share of a velocity that remains after a substep.
fn keeps(coefficient: f32, substep: f32) -> f32 {
    1.0 / (1.0 + coefficient * substep)
}
