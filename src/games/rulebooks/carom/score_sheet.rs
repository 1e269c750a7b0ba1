//! Points and innings, as games of carom write them down.

use crate::games::rules::{Note, Player};

/// The points of both players, and in how many innings they have made them.
#[derive(Clone, Debug)]
pub(super) struct ScoreSheet {
    pub(super) score: [i32; 2],
    /// How many innings each has begun.
    pub(super) innings: [u32; 2],
    /// The points of the inning that is played.
    pub(super) run: i32,
    pub(super) longest: [i32; 2],
}

impl ScoreSheet {
    /// The first player begins.
    pub(super) fn new() -> Self {
        Self { score: [0; 2], innings: [1, 0], run: 0, longest: [0; 2] }
    }

    /// A player has made a point.
    pub(super) fn add_point(&mut self, player: Player) {
        let index = player.index();
        self.score[index] += 1;
        self.run += 1;
        self.longest[index] = self.longest[index].max(self.run);
    }

    /// A player comes to the table.
    pub(super) fn begin_inning(&mut self, player: Player) {
        self.innings[player.index()] += 1;
        self.run = 0;
    }

    /// Whether a player has as many points as it goes to, or will have them with so many more.
    pub(super) fn reaches(&self, points: u32, player: Player, more: i64) -> bool {
        i64::from(self.score[player.index()]) + more >= i64::from(points)
    }

    /// Innings and average of a player, for people; nothing before the first inning.
    pub(super) fn notes(&self, player: Player) -> Vec<Note> {
        let innings = self.innings[player.index()];
        if innings == 0 {
            return Vec::new();
        }
        vec![Note::Innings(innings), Note::Average { points: self.score[player.index()], innings }]
    }
}
