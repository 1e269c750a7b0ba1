//! A rack as the games of pool play it: fouls in a row, and who wins it.

use crate::games::rules::{Foul, Note, Player, Remark, Turn, Verdict};

/// A rack that is won as a whole, such as those of 8-ball and 9-ball.
#[derive(Clone, Debug)]
pub(super) struct RackState {
    pub(super) turn: Turn,
    pub(super) fouls: FoulsInARow,
    /// How many balls were potted since the player came to the table.
    pub(super) potted: i32,
    pub(super) winner: Option<Player>,
}

impl RackState {
    pub(super) fn new(turn: Turn) -> Self {
        Self { turn, fouls: FoulsInARow::default(), potted: 0, winner: None }
    }

    /// A point for who has won it.
    pub(super) fn score(&self) -> [i32; 2] {
        [0, 1].map(|player| i32::from(self.winner == Some(Player(player))))
    }

    pub(super) fn win(&mut self, player: Player, verdict: &mut Verdict) {
        self.winner = Some(player);
        self.turn = Turn::won_by(player);
        verdict.points[player.index()] = 1;
        verdict.goes_on = false;
    }

    /// Takes down a foul or its absence. True if it was the third in a row and lost the rack, where `three_fouls` do
    /// that.
    pub(super) fn note_foul(&mut self, player: Player, fouled: bool, three_fouls: bool, verdict: &mut Verdict) -> bool {
        let in_a_row = self.fouls.note(player, fouled);
        if !three_fouls {
            return false;
        }
        if in_a_row == 2 {
            verdict.remarks.push(Remark::SecondFoul);
        }
        if in_a_row < 3 {
            return false;
        }
        verdict.fouls.push(Foul::ThirdFoul);
        self.win(player.other(), verdict);
        true
    }
}

/// How many fouls in a row each player has made (6.14).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FoulsInARow([u8; 2]);

impl FoulsInARow {
    /// Takes down what a player has done, and says how many fouls in a row that makes.
    pub(super) fn note(&mut self, player: Player, fouled: bool) -> u8 {
        let count = &mut self.0[player.index()];
        *count = if fouled { count.saturating_add(1) } else { 0 };
        *count
    }

    pub(super) fn forget(&mut self, player: Player) {
        self.0[player.index()] = 0;
    }

    /// What people should know of it.
    pub(super) fn note_of(self, player: Player) -> Option<Note> {
        let count = self.0[player.index()];
        (count > 0).then_some(Note::Fouls(count))
    }
}
