//! Sleep: discs of a pile that stand still, are held, and on which the forces are in balance are left as they are until
//! something moves them.

use crate::collision::resting::state::Resting;

/// Which discs sleep, and which may.
#[derive(Clone, Debug, Default)]
pub struct Sleep {
    /// Which discs stood still where the tick began; none if none may sleep.
    pub still: Vec<bool>,
    /// Which discs sleep in this tick; none if none may.
    pub asleep: Vec<bool>,
    /// Whether a disc was woken since pairs were last left out.
    pub woken: bool,
}

impl Sleep {
    /// Whether both discs sleep.
    pub fn holds(&self, i: usize, j: usize) -> bool {
        !self.asleep.is_empty() && self.asleep[i] && self.asleep[j]
    }
}

impl Resting {
    /// Leaves out the pairs of which both discs sleep.
    pub fn leave_out_sleepers(&mut self) {
        let Self { sleep, tick, .. } = self;
        if sleep.asleep.contains(&true) {
            tick.pairs.retain(|lower, upper| !sleep.holds(lower, upper));
        }
    }

    /// Keeps the pairs of which `stays` says so, for what is left of the tick.
    pub fn retain_pairs(&mut self, stays: impl FnMut(usize, usize) -> bool) {
        self.tick.pairs.retain(stays);
    }

    /// A disc was hit: it sleeps no more.
    pub fn wake(&mut self, disc: usize) {
        let Sleep { asleep, woken, .. } = &mut self.sleep;
        if let Some(asleep) = asleep.get_mut(disc) {
            *woken |= std::mem::take(asleep);
        }
    }
}
