//! Drag: a deceleration in proportion to the speed, dv/dt = -c v.

use crate::collision::PhysicsSpace;

/// Applies a linear drag of `coefficient` (1/s) by an implicit step, v / (1 + c h): it never turns a disc around,
/// however strong the drag and long the substep.
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

/// The same, but for the discs and blocks that have a [`LinearDamping`](crate::components::LinearDamping) of their own.
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

/// Which share of a velocity is left after a substep.
fn keeps(coefficient: f32, substep: f32) -> f32 {
    1.0 / (1.0 + coefficient * substep)
}
