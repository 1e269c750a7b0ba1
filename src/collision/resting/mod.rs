//! Resting contacts of piles, the step `Settle`: what lies on what is held, and comes to rest. It acts only where the settings have a
//! resting speed and a force has named the direction of gravity ([`Space::gravity`]); without either it does nothing at all, so elastic
//! scenes never notice it.
//!
//! Hits faster than the resting speed are for `PushApart` and `Impulse`. The rest is left to three means:
//! - A **spring** in every contact, as stiff as the substep allows, and a damper beside it. Its overlap is where the load of
//!   a contact is remembered, so a pile at rest needs no further state and no iterations, and its forces are those of
//!   frictionless discs: equal and opposite, also sideways.
//! - **Terrain** stops what rests on it.
//! - A **sweep** upward from the ground takes from each supported disc half of the speed with which it sinks into what
//!   supports it. Springs alone would let a tall pile swing like jelly; the sweep reaches its top in one go (shock
//!   propagation: Guendelman, Bridson and Fedkiw, "Nonconvex rigid bodies with stacking", 2003). In a pile at rest it finds
//!   nothing to do.
//!
//! | module | what it holds |
//! |---|---|
//! | `take_up`, `order`, `pairs`, `tops` | the candidate pairs of a tick, from the lowest to the highest, with what does not change within it |
//! | `springs` | a contact of two discs: its spring and its damper |
//! | `ground` | a contact with terrain |
//! | `shock_propagation` | the sweep |
//! | `sleep` | who stands still and is left as it is |
//! | `state` | what is kept within a tick and a substep |
//!
//! With a sleep speed, a disc that stands still where a tick begins, with nothing moving in its reach, is left as it is if the
//! first substep finds the forces on it in balance. That the velocity is zero is all that it needs to remember.

mod ground;
mod order;
mod pairs;
mod shock_propagation;
mod sleep;
mod springs;
pub(in crate::collision) mod state;
mod take_up;
mod tops;

use crate::collision::space::Space;

/// Holds what is at rest.
pub fn settle(space: &mut Space) {
    // Where forces have changed it.
    space.discs.keep_kinematic_velocities();
    if !space.begin_settling() {
        return;
    }
    let share = if space.discs.kinematic.is_empty() { 0.0 } else { space.shares_of_tick()[1] };
    space.take_up_pairs();
    space.drop_resting();
    space.find_terrain_contacts();
    space.act_by_springs();
    space.stop_on_ground();
    space.keep_asleep();
    space.propagate_shock();
    space.stop();
    space.discs.place_kinematic(share);
    space.discs.keep_kinematic_velocities();
}

impl Space {
    /// Of the pairs at rest on each other those that a hook lets through are so no more.
    pub(in crate::collision) fn drop_resting(&mut self) {
        let Self { discs, resting, answers, cell, .. } = self;
        if answers.hooks.is_empty() {
            return;
        }
        resting.retain_pairs(|lower, upper| {
            let sum = discs.radius[lower] + discs.radius[upper];
            let line = discs.position[upper] - discs.position[lower];
            let touch = cell.map_or(line, |cell| cell.nearest(line)).length_squared() < sum * sum;
            !touch || answers.let_meet((discs, *cell), [lower.min(upper), lower.max(upper)])
        });
    }

    /// How many contacts of discs the last tick left to `Settle` in its first substep, because they were at rest or nearly so.
    #[must_use]
    pub fn contacts_at_rest(&self) -> usize {
        if self.resting.acts { self.resting.tick.contacts_at_rest } else { 0 }
    }
}
