//! Sleep: discs of a pile that stand still, are held, and on which the forces are in balance are left as they are until something moves
//! them.

use bevy::prelude::*;

use crate::collision::{
    resting::{
        pile::{Pile, RestingContact},
        supporting,
    },
    space::{Discs, Space},
};

impl Space {
    /// How many discs slept in the last tick.
    #[must_use]
    pub fn sleeping(&self) -> usize {
        if self.pile.acts { self.pile.asleep.iter().filter(|&&asleep| asleep).count() } else { 0 }
    }

    /// Records which discs stand still where the tick begins, before any force has acted.
    pub(in crate::collision) fn record_stillness(&mut self) {
        let Self { discs, settings, pile, .. } = self;
        pile.still.clear();
        if settings.sleep_speed > 0.0 && settings.resting_speed > 0.0 {
            pile.still.extend(discs.velocity.iter().map(|velocity| *velocity == Vec2::ZERO));
        }
    }
}

impl Pile {
    /// Finds the discs that stand still and touch nothing that moves. What hits them within the tick wakes them.
    pub(in crate::collision) fn find_undisturbed(&mut self, discs: &Discs) {
        let Self { still, asleep, candidates, .. } = self;
        if still.len() != discs.len() {
            // A system between the steps has added discs or taken some out.
            still.clear();
        }
        asleep.clone_from(still);
        if still.is_empty() {
            return;
        }
        for &[lower, upper] in &candidates.lower_upper {
            let (lower, upper) = (lower as usize, upper as usize);
            if still[lower] == still[upper] || !supporting(discs, lower, upper) {
                continue;
            }
            asleep[lower] &= still[upper];
            asleep[upper] &= still[lower];
        }
    }

    /// Of the undisturbed discs, those sleep on that something holds and whose forces are in balance; pairs of them need no more
    /// looking at in this tick.
    pub(in crate::collision) fn keep_asleep(&mut self, discs: &mut Discs, substeps: u32) {
        let Self { asleep, contacts, sleep_speed, .. } = self;
        if asleep.is_empty() {
            return;
        }
        for &RestingContact { lower, upper, .. } in &*contacts {
            discs.supported[upper as usize] |= discs.supported[lower as usize];
        }
        let most = *sleep_speed / substeps as f32;
        for ((asleep, velocity), supported) in asleep.iter_mut().zip(&discs.velocity).zip(&discs.supported) {
            *asleep &= *supported && velocity.length_squared() < most * most;
        }
        self.forget_sleepers();
        let asleep = &self.asleep;
        self.contacts.retain(|contact| !(asleep[contact.lower as usize] && asleep[contact.upper as usize]));
    }

    /// Leaves out the pairs of which both discs sleep.
    pub(in crate::collision) fn forget_sleepers(&mut self) {
        let Self { asleep, candidates, .. } = self;
        if asleep.contains(&true) {
            candidates.retain(|lower, upper| !(asleep[lower as usize] && asleep[upper as usize]));
        }
    }

    /// A disc was hit: it sleeps no more.
    pub(in crate::collision) fn wake(&mut self, disc: usize) {
        if let Some(asleep) = self.asleep.get_mut(disc) {
            self.woken |= std::mem::take(asleep);
        }
    }

    /// Stops what sleeps and, where a tick ends, what is supported and slow enough to fall asleep.
    pub(in crate::collision) fn stop(&self, discs: &mut Discs, tick_ends: bool) {
        let Discs { velocity, supported, .. } = discs;
        for ((velocity, &supported), &asleep) in velocity.iter_mut().zip(&*supported).zip(&self.asleep) {
            let slow = velocity.length_squared() < self.sleep_speed * self.sleep_speed;
            if asleep || (tick_ends && supported && slow) {
                *velocity = Vec2::ZERO;
            }
        }
    }
}
