//! What is at rest in a [`PhysicsSpace`].

use bevy::prelude::*;

use super::PhysicsSpace;
use crate::collision::{resting::state::Resting, tick::Laws};

impl PhysicsSpace {
    /// Whether anything that hits and forces move has a velocity or a spin: a disc in play, or dynamic terrain.
    /// Kinematic discs and terrain do not count, because the game drives them. This is the state at the end of the last
    /// tick, or after gathering.
    #[must_use]
    pub fn any_moves(&self) -> bool {
        self.discs.any_moves() || self.any_flies() || self.moving.any_block_moves()
    }

    /// Whether balls left the cloth in the last tick if they were fast enough: in the continuous mode, on a table with
    /// a flight.
    #[must_use]
    pub fn balls_fly(&self) -> bool {
        self.laws.balls_fly()
    }

    /// Whether any ball is above the cloth, where balls fly.
    pub(crate) fn any_flies(&self) -> bool {
        let discs = &self.discs;
        self.laws.balls_fly() && discs.heights.iter().any(|height| discs.can_fly(height.disc as usize))
    }

    /// The number of contacts of discs that the last tick left to `Settle` in its first substep, because they were
    /// nearly at rest.
    #[must_use]
    pub fn contacts_at_rest(&self) -> usize {
        if self.resting.acts { self.resting.tick.contacts_at_rest } else { 0 }
    }

    /// The number of discs that slept in the last tick.
    #[must_use]
    pub fn sleeping(&self) -> usize {
        let Resting { acts, sleep, .. } = &self.resting;
        if *acts { sleep.asleep.iter().filter(|&&asleep| asleep).count() } else { 0 }
    }

    /// Records which discs are at rest at the start of the tick, before any force has acted.
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
