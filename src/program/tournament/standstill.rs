//! When a rack is left: nothing has come of its actions for too long.

use crate::games::Match;

/// So many actions after each other may leave the score no better and the balls as many as they were; then a rack is
/// left, and nobody wins it. Safety duels end long before.
pub const LONGEST_STANDSTILL: u32 = 2000;

/// For how many actions a rack stands still.
#[derive(Default)]
pub(super) struct Standstill {
    rack: u32,
    /// The best that both had at any time, and the fewest balls that lay on the table.
    best: [i32; 2],
    fewest: Option<usize>,
    actions: u32,
}

impl Standstill {
    /// A rack was won.
    pub(super) fn end(&mut self) {
        self.actions = 0;
    }

    /// After an action: whether it lasts too long by now.
    pub(super) fn is_over(&mut self, playing: &Match) -> bool {
        if playing.rack() != self.rack {
            // A draw is not a step forward: a match of draws has to end, too.
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
