//! Sleep: discs of a pile that stand still, are held, and on which the forces are in balance are left as they are until something moves
//! them.

use bevy::prelude::*;

use crate::collision::{broad_phase::SUPPORTING, resting::state::Resting, shape::Bounds, space::Space};

/// Who sleeps, and who may.
#[derive(Clone, Debug, Default)]
pub(super) struct Sleep {
    /// Which discs stood still where the tick began; none if none may sleep.
    pub(super) still: Vec<bool>,
    /// Which discs sleep in this tick; none if none may.
    pub(super) asleep: Vec<bool>,
    /// Whether a disc was woken since pairs were last left out.
    pub(super) woken: bool,
}

impl Sleep {
    /// Whether both discs sleep.
    pub(super) fn holds(&self, i: usize, j: usize) -> bool {
        !self.asleep.is_empty() && self.asleep[i] && self.asleep[j]
    }
}

impl Space {
    /// How many discs slept in the last tick.
    #[must_use]
    pub fn sleeping(&self) -> usize {
        let Resting { acts, sleep, .. } = &self.resting;
        if *acts { sleep.asleep.iter().filter(|&&asleep| asleep).count() } else { 0 }
    }

    /// Records which discs stand still where the tick begins, before any force has acted.
    pub(in crate::collision) fn record_stillness(&mut self) {
        let Self { discs, settings, resting, joints, .. } = self;
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

    /// Finds the discs that stand still and touch nothing that moves. What hits them within the tick wakes them.
    pub(super) fn find_undisturbed(&mut self) {
        let Self { discs, resting, moving, .. } = self;
        let Sleep { still, asleep, .. } = &mut resting.sleep;
        if still.len() != discs.len() {
            // A system between the steps has added discs or taken some out.
            still.clear();
        }
        if moving.moves() {
            for ((still, at), radius) in still.iter_mut().zip(&discs.position).zip(&discs.radius) {
                *still &= !moving.is_near(Bounds::around(*at, radius * SUPPORTING));
            }
        }
        asleep.clone_from(still);
        if still.is_empty() {
            return;
        }
        for &[lower, upper] in resting.tick.pairs.lower_upper() {
            let (lower, upper) = (lower as usize, upper as usize);
            if still[lower] == still[upper] {
                continue;
            }
            let reach = (discs.radius[lower] + discs.radius[upper]) * SUPPORTING;
            let line = discs.position[upper] - discs.position[lower];
            if resting.limits.cell.map_or(line, |cell| cell.nearest(line)).length_squared() < reach * reach {
                asleep[lower] &= still[upper];
                asleep[upper] &= still[lower];
            }
        }
    }

    /// Of the undisturbed discs, those sleep on that something holds and whose forces the first substep finds in balance; pairs of them
    /// need no more looking at in this tick.
    pub(super) fn keep_asleep(&mut self) {
        let Self { discs, resting, settings, .. } = self;
        let Resting { tick, substep, sleep, limits, .. } = resting;
        if tick.substeps > 1 {
            return;
        }
        tick.contacts_at_rest = substep.contacts.len();
        if sleep.asleep.is_empty() {
            return;
        }
        for contact in &substep.contacts {
            substep.supported[contact.upper as usize] |= substep.supported[contact.lower as usize];
        }
        let most = limits.sleep_speed / settings.substeps as f32;
        for ((asleep, velocity), supported) in sleep.asleep.iter_mut().zip(&discs.velocity).zip(&substep.supported) {
            *asleep &= *supported && velocity.length_squared() < most * most;
        }
        substep.contacts.retain(|contact| !sleep.holds(contact.lower as usize, contact.upper as usize));
        resting.leave_out_sleepers();
    }

    /// Stops what sleeps and, where a tick ends, what is supported and slow enough to fall asleep.
    pub(super) fn stop(&mut self) {
        let Self { discs, resting, settings, .. } = self;
        let Resting { tick, substep, sleep, limits, .. } = resting;
        let tick_ends = tick.substeps == settings.substeps;
        let most = limits.sleep_speed * limits.sleep_speed;
        for ((velocity, &supported), &asleep) in discs.velocity.iter_mut().zip(&substep.supported).zip(&sleep.asleep) {
            if asleep || (tick_ends && supported && velocity.length_squared() < most) {
                *velocity = Vec2::ZERO;
            }
        }
    }
}

impl Resting {
    /// Leaves out the pairs of which both discs sleep.
    pub(super) fn leave_out_sleepers(&mut self) {
        let Self { sleep, tick, .. } = self;
        if sleep.asleep.contains(&true) {
            tick.pairs.retain(|lower, upper| !sleep.holds(lower, upper));
        }
    }

    /// Keeps the pairs of which `stays` says so, for what is left of the tick.
    pub(in crate::collision) fn retain_pairs(&mut self, stays: impl FnMut(usize, usize) -> bool) {
        self.tick.pairs.retain(stays);
    }

    /// A disc was hit: it sleeps no more.
    pub(in crate::collision) fn wake(&mut self, disc: usize) {
        let Sleep { asleep, woken, .. } = &mut self.sleep;
        if let Some(asleep) = asleep.get_mut(disc) {
            *woken |= std::mem::take(asleep);
        }
    }
}
