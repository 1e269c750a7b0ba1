//! Drag: a deceleration in proportion to the speed, dv/dt = -c v.

use crate::collision::Space;

/// Applies a linear drag of `coefficient` (1/s) by an implicit step, v / (1 + c h): it never turns a disc around, however
/// strong the drag and long the substep.
pub fn drag(space: &mut Space, coefficient: f32) {
    if coefficient == 0.0 {
        return;
    }
    let keep = keeps(coefficient, space.substep());
    for velocity in &mut space.discs.velocity {
        *velocity *= keep;
    }
    space.brake_blocks(|_| f64::from(keep));
}

/// The same, but for the discs that have a [`LinearDamping`](crate::disc::LinearDamping) of their own.
pub(super) fn drag_of_each(space: &mut Space, coefficient: f32) {
    if space.discs.own_motion.is_empty() {
        return drag(space, coefficient);
    }
    let substep = space.substep();
    space.discs.for_each_velocity(|velocity, own| {
        let coefficient = own.and_then(|own| own.drag).unwrap_or(coefficient);
        if coefficient != 0.0 {
            *velocity *= keeps(coefficient, substep);
        }
    });
    if coefficient != 0.0 {
        space.brake_blocks(|_| f64::from(keeps(coefficient, substep)));
    }
}

/// Which share of a velocity is left after a substep.
fn keeps(coefficient: f32, substep: f32) -> f32 {
    1.0 / (1.0 + coefficient * substep)
}
