//! Counts of pool games besides points: fouls in a row, and balls potted in a row.

use crate::games::{
    rulebooks::ruling::{Decision, Ruling},
    rules::{Foul, Note, Player, Remark},
};

/// A player's run, in balls: `before` the shot, and after it has potted this many. A lost rack leaves it unchanged.
pub(super) fn balls_in_a_row(before: i32, ruling: &Ruling, potted: i32) -> i32 {
    match ruling.decision {
        Decision::Passes => 0,
        _ if ruling.succeeds() => before + potted,
        _ => before,
    }
}

/// The number of fouls in a row of each player (6.14).
#[derive(Clone, Copy, Debug)]
pub(super) struct FoulsInARow {
    counts: [u8; 2],
    /// Whether the third foul has a penalty.
    matter: bool,
}

impl FoulsInARow {
    pub(super) fn new(matter: bool) -> Self {
        Self { counts: [0; 2], matter }
    }

    /// The additional third foul, if a player's fouls amount to it.
    pub(super) fn third(self, player: Player, fouls: &[Foul]) -> Option<Foul> {
        (self.matter && !fouls.is_empty() && self.counts[player.index()] >= 2).then_some(Foul::ThirdFoul)
    }

    /// Records whether a shot was a foul.
    pub(super) fn note(&mut self, ruling: &Ruling) {
        let count = &mut self.counts[ruling.player.index()];
        *count = if ruling.is_clean() { 0 } else { count.saturating_add(1) };
    }

    pub(super) fn forget(&mut self, player: Player) {
        self.counts[player.index()] = 0;
    }

    /// The warning to a player whose next foul is the third.
    pub(super) fn warning(self, player: Player) -> Option<Remark> {
        (self.matter && self.counts[player.index()] == 2).then_some(Remark::SecondFoul)
    }

    /// The note on it for the display.
    pub(super) fn note_of(self, player: Player) -> Option<Note> {
        let count = self.counts[player.index()];
        (self.matter && count > 0).then_some(Note::Fouls(count))
    }
}
