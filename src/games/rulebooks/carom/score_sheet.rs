//! Innings and runs of carom games.

use crate::games::rules::{Note, Player};

/// The innings and the longest runs of both players.
#[derive(Clone, Debug)]
pub(super) struct ScoreSheet {
    /// Innings started by each player.
    pub(super) innings: [u32; 2],
    pub(super) longest: [i32; 2],
}

impl ScoreSheet {
    /// A sheet on which the first player has started.
    pub(super) fn new() -> Self {
        Self { innings: [1, 0], longest: [0; 2] }
    }

    /// Records a player's points in the current inning.
    pub(super) fn note_run(&mut self, player: Player, run: i32) {
        let longest = &mut self.longest[player.index()];
        *longest = run.max(*longest);
    }

    /// Starts an inning of a player.
    pub(super) fn begin_inning(&mut self, player: Player) {
        self.innings[player.index()] += 1;
    }

    /// The innings and the average of a player with this score, or nothing before the first inning.
    pub(super) fn notes(&self, player: Player, score: [i32; 2]) -> Vec<Note> {
        let innings = self.innings[player.index()];
        if innings == 0 {
            return Vec::new();
        }
        vec![Note::Innings(innings), Note::Average { points: score[player.index()], innings }]
    }
}

/// Whether a player has enough points to win.
pub(super) fn reaches(score: [i32; 2], player: Player, points: u32) -> bool {
    i64::from(score[player.index()]) >= i64::from(points)
}
