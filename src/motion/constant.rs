//! Constant forces and torques on single discs and blocks: [`ConstantForce`](crate::components::ConstantForce) and
//! [`ConstantTorque`](crate::components::ConstantTorque).

use crate::collision::PhysicsSpace;

/// Applies the constant forces of single discs and blocks for a substep.
pub(super) fn constant_forces(space: &mut PhysicsSpace) {
    space.force_blocks(space.substep());
    if space.discs.constant_forces.is_empty() {
        return;
    }
    let h = space.substep();
    let constant_forces = std::mem::take(&mut space.discs.constant_forces);
    for constant in &constant_forces {
        let i = constant.disc as usize;
        if i >= space.discs.len() {
            // A system between the steps has removed discs.
            continue;
        }
        super::force(space, i, constant.force);
        if constant.torque != 0.0
            && let Some(mut spin) = space.discs.spin_of(i)
        {
            let inertia = spin.shape.inertia_factor() as f32
                * space.discs.mass[i]
                * space.discs.radius[i]
                * space.discs.radius[i];
            spin.angular_velocity.z += constant.torque / inertia * h;
            space.discs.set_spin(i, Some(spin));
        }
    }
    space.discs.constant_forces = constant_forces;
}
