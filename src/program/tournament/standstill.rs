//! Detects a rack without progress, which is then abandoned.

use crate::games::Match;

/// The most consecutive actions without a better score or fewer balls on the table. Then the rack is abandoned without
/// a winner. Safety duels end long before.
pub const LONGEST_STANDSTILL: u32 = 2000;

/// The number of actions without progress in a rack.
#[derive(Default)]
pub(super) struct Standstill {
    rack: u32,
    /// The best scores so far, and the fewest balls on the table.
    best: [i32; 2],
    fewest: Option<usize>,
    actions: u32,
}

impl Standstill {
    /// Handles the end of a rack.
    pub(super) fn end(&mut self) {
        self.actions = 0;
    }

    /// Whether the standstill is too long after this action.
    pub(super) fn is_over(&mut self, playing: &Match) -> bool {
        if playing.rack() != self.rack {
            // A draw is not progress: a match of draws has to end too.
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
