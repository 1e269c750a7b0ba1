//! Drag: a deceleration in proportion to the speed, dv/dt = -c v.

use crate::collision::Space;

/// Applies a linear drag of `coefficient` (1/s) by an implicit step, v / (1 + c h): it never turns a disc around, however
/// strong the drag and long the substep.
pub fn drag(space: &mut Space, coefficient: f32) {
    if coefficient == 0.0 {
        return;
    }
    let keep = 1.0 / (1.0 + coefficient * space.substep());
    for velocity in &mut space.discs.velocity {
        *velocity *= keep;
    }
    space.brake_blocks(|_| f64::from(keep));
}
