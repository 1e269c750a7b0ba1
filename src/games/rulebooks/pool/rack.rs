//! A rack as the games of pool play it: fouls in a row, and who wins it.

use crate::games::{
    rulebooks::ruling::{Decision, Ruling},
    rules::{Foul, Note, Outcome, Player, Remark, Task, Turn},
};

/// A rack that is won as a whole, such as those of 8-ball and 9-ball.
#[derive(Clone, Debug)]
pub(super) struct RackState {
    pub(super) turn: Turn,
    pub(super) fouls: FoulsInARow,
    /// How many balls were potted since the player came to the table.
    pub(super) potted: i32,
}

impl RackState {
    pub(super) fn new(turn: Turn, three_fouls: bool) -> Self {
        Self { turn, fouls: FoulsInARow::new(three_fouls), potted: 0 }
    }

    /// A point for who has won it.
    pub(super) fn score(&self) -> [i32; 2] {
        [0, 1].map(|player| i32::from(self.turn.task == Task::Over(Outcome { winner: Some(Player(player)) })))
    }

    /// Takes down a shot that has potted so many balls.
    pub(super) fn count(&mut self, ruling: &Ruling, potted: i32) {
        match ruling.decision {
            Decision::Passes => self.potted = 0,
            _ if ruling.succeeds() => self.potted += potted,
            _ => {}
        }
        if !ruling.is_over() || ruling.fouls.contains(&Foul::ThirdFoul) {
            self.fouls.note(ruling);
        }
    }
}

/// How many fouls in a row each player has made (6.14).
#[derive(Clone, Copy, Debug)]
pub(super) struct FoulsInARow {
    counts: [u8; 2],
    /// Whether the third one has consequences.
    matter: bool,
}

impl FoulsInARow {
    pub(super) fn new(matter: bool) -> Self {
        Self { counts: [0; 2], matter }
    }

    /// The third foul in a row besides, if the fouls of a player are that.
    pub(super) fn third(&self, player: Player, fouls: &[Foul]) -> Option<Foul> {
        (self.matter && !fouls.is_empty() && self.counts[player.index()] >= 2).then_some(Foul::ThirdFoul)
    }

    /// Takes down whether a shot was a foul.
    pub(super) fn note(&mut self, ruling: &Ruling) {
        let count = &mut self.counts[ruling.player.index()];
        *count = if ruling.is_clean() { 0 } else { count.saturating_add(1) };
    }

    pub(super) fn forget(&mut self, player: Player) {
        self.counts[player.index()] = 0;
    }

    /// The warning of a player whose next foul is the third.
    pub(super) fn warning(&self, player: Player) -> Option<Remark> {
        (self.matter && self.counts[player.index()] == 2).then_some(Remark::SecondFoul)
    }

    /// What people should know of it.
    pub(super) fn note_of(&self, player: Player) -> Option<Note> {
        let count = self.counts[player.index()];
        (self.matter && count > 0).then_some(Note::Fouls(count))
    }
}
