//! Ends a rack in which nothing changes for too long.

use crate::games::Match;

/// The number of successive actions without a better score or fewer balls on the table, after which a rack ends without
/// a winner. Safety duels end long before.
pub const LONGEST_STANDSTILL: u32 = 2000;

/// Counts the actions of a rack without progress.
#[derive(Default)]
pub(super) struct Standstill {
    rack: u32,
    /// The best score of each player so far. `fewest` is the smallest number of balls on the table so far.
    best: [i32; 2],
    fewest: Option<usize>,
    actions: u32,
}

impl Standstill {
    /// Call this when a rack was won.
    pub(super) fn end(&mut self) {
        self.actions = 0;
    }

    /// Call this after an action. Returns whether the standstill lasts too long.
    pub(super) fn is_over(&mut self, playing: &Match) -> bool {
        if playing.rack() != self.rack {
            // A draw is not progress, because a match of draws must end too.
            *self = Self { rack: playing.rack(), actions: self.actions, ..Self::default() };
        }
        let (score, balls) = (playing.score(), playing.layout().on_table().count());
        let is_better = score.iter().zip(self.best).any(|(now, best)| *now > best);
        let is_fewer = self.fewest.is_some_and(|fewest| balls < fewest);
        self.best = [0, 1].map(|i| self.best[i].max(score[i]));
        self.fewest = Some(self.fewest.map_or(balls, |fewest| fewest.min(balls)));
        self.actions = if is_better || is_fewer { 0 } else { self.actions + 1 };
        self.actions >= LONGEST_STANDSTILL
    }
}
