//! What of a [`PhysicsSpace`] is at rest.

use bevy::prelude::*;

use super::PhysicsSpace;
use crate::collision::{resting::state::Resting, tick::Laws};

impl PhysicsSpace {
    /// How many contacts of discs the last tick left to `Settle` in its first substep, because they were at rest or
    /// nearly so.
    #[must_use]
    pub fn contacts_at_rest(&self) -> usize {
        if self.resting.acts { self.resting.tick.contacts_at_rest } else { 0 }
    }

    /// How many discs slept in the last tick.
    #[must_use]
    pub fn sleeping(&self) -> usize {
        let Resting { acts, sleep, .. } = &self.resting;
        if *acts { sleep.asleep.iter().filter(|&&asleep| asleep).count() } else { 0 }
    }

    /// Records which discs stand still where the tick begins, before any force has acted.
    pub(crate) fn record_stillness(&mut self) {
        let Self { discs, laws: Laws { settings, .. }, resting, joints, .. } = self;
        let still = &mut resting.sleep.still;
        still.clear();
        if settings.sleep_speed > 0.0 && settings.resting_speed > 0.0 {
            still.extend(discs.velocity.iter().map(|velocity| *velocity == Vec2::ZERO));
            // A joint may pull at any time.
            for disc in joints.discs() {
                if let Some(still) = still.get_mut(disc) {
                    *still = false;
                }
            }
        }
    }
}
