//! Innings and runs, as games of carom write them down.

use crate::games::rules::{Note, Player};

/// In how many innings both players have made their points, and their longest runs.
#[derive(Clone, Debug)]
pub(super) struct ScoreSheet {
    /// How many innings each has begun.
    pub(super) innings: [u32; 2],
    pub(super) longest: [i32; 2],
}

impl ScoreSheet {
    /// The first player begins.
    pub(super) fn new() -> Self {
        Self { innings: [1, 0], longest: [0; 2] }
    }

    /// A player has made so many points in the inning that is played.
    pub(super) fn note_run(&mut self, player: Player, run: i32) {
        let longest = &mut self.longest[player.index()];
        *longest = run.max(*longest);
    }

    /// A player comes to the table.
    pub(super) fn begin_inning(&mut self, player: Player) {
        self.innings[player.index()] += 1;
    }

    /// Innings and average of a player with this score, for people; nothing before the first inning.
    pub(super) fn notes(&self, player: Player, score: [i32; 2]) -> Vec<Note> {
        let innings = self.innings[player.index()];
        if innings == 0 {
            return Vec::new();
        }
        vec![Note::Innings(innings), Note::Average { points: score[player.index()], innings }]
    }
}

/// Whether a player has as many points as it goes to.
pub(super) fn reaches(score: [i32; 2], player: Player, points: u32) -> bool {
    i64::from(score[player.index()]) >= i64::from(points)
}
