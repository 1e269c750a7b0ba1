//! Integrate: positions move by their velocities for one substep. Forces have acted on the velocities just before
//! (semi-implicit Euler).

use super::space::Space;

/// Moves every disc by `velocity * substep`, and notes where it was.
pub fn integrate(space: &mut Space) {
    let substep = space.substep();
    space.now += substep;
    let bodies = &mut space.bodies;
    bodies.previous.clone_from(&bodies.position);
    for (position, velocity) in bodies.position.iter_mut().zip(&bodies.velocity) {
        *position += *velocity * substep;
    }
}
