//! Sleep: discs of a pile that are at rest, supported and in equilibrium are skipped until something moves them.

use crate::collision::resting::state::Resting;

/// Which discs sleep, and which may.
#[derive(Clone, Debug, Default)]
pub struct Sleep {
    /// The discs at rest at the start of the tick; empty if none may sleep.
    pub still: Vec<bool>,
    /// The discs that sleep in this tick; empty if none may.
    pub asleep: Vec<bool>,
    /// Whether a disc was woken since pairs were last removed.
    pub woken: bool,
}

impl Sleep {
    /// Whether both discs sleep.
    pub fn holds(&self, i: usize, j: usize) -> bool {
        !self.asleep.is_empty() && self.asleep[i] && self.asleep[j]
    }
}

impl Resting {
    /// Removes the pairs of which both discs sleep.
    pub fn leave_out_sleepers(&mut self) {
        let Self { sleep, tick, .. } = self;
        if sleep.asleep.contains(&true) {
            tick.pairs.retain(|lower, upper| !sleep.holds(lower, upper));
        }
    }

    /// Keeps the pairs for which `stays` returns true, for the rest of the tick.
    pub fn retain_pairs(&mut self, stays: impl FnMut(usize, usize) -> bool) {
        self.tick.pairs.retain(stays);
    }

    /// Wakes a disc that was hit.
    pub fn wake(&mut self, disc: usize) {
        let Sleep { asleep, woken, .. } = &mut self.sleep;
        if let Some(asleep) = asleep.get_mut(disc) {
            *woken |= std::mem::take(asleep);
        }
    }
}
