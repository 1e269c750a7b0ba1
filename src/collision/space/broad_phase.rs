//! The broad phase of a [`PhysicsSpace`].

use super::PhysicsSpace;

/// Finds the candidate pairs of this tick.
pub fn broad_phase(space: &mut PhysicsSpace) {
    space.record_stillness();
    space.broad_phase.candidates.begin_tick(&space.laws.settings);
    if space.laws.settings.resting_speed > 0.0 {
        // Piles are checked before anything moves.
        let (broad_phase, sought) = space.broad_phase_and_sought();
        broad_phase.find_pairs_of_piles(sought);
    } else {
        space.find_pairs(space.substep(), 1.0);
    }
}
