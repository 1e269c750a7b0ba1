//! The results of finished matches as a small file, and the statistics against each bot.

use std::{
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{Match, PlayerStatistics, Statistics};
use crate::{
    games::rules::{Player, PlayerSpec},
    storage::{add_line, read_lines},
};

/// The result of a finished match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchResult {
    /// When it ended, seconds since 1970.
    pub at: u64,
    /// The hash of its first action, which tells matches apart. A match whose end was taken back has several results,
    /// of which the last one counts.
    pub id: u64,
    /// The game, such as `nine-ball`.
    pub game: String,
    /// The name of the table, such as `pool-9ft`; empty for the usual table of the game.
    pub table: String,
    /// Both players.
    pub players: [PlayerSpec; 2],
    /// The racks won by each.
    pub racks: [u32; 2],
    /// The winner.
    pub winner: Player,
    /// The statistics of both players.
    pub statistics: Statistics,
}

impl MatchResult {
    /// The result of a match that ended at this time, seconds since 1970; `None` while it runs.
    #[must_use]
    pub fn of(game: &Match, at: u64) -> Option<Self> {
        let (winner, spec) = (game.winner()?, game.spec());
        Some(Self {
            at,
            id: game.record().log.first().map_or(0, |entry| entry.hash),
            game: spec.game.clone(),
            table: spec.table.clone(),
            players: spec.players.clone(),
            racks: game.racks(),
            winner,
            statistics: game.statistics(),
        })
    }
}

/// All results of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchResults {
    /// The results, in the order of the file.
    pub results: Vec<MatchResult>,
    /// The number of lines that could not be read.
    pub damaged: usize,
}

/// The matches of people against one bot in one game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgainstBot {
    /// The bot, such as `bot:medium`.
    pub bot: PlayerSpec,
    /// The game.
    pub game: String,
    /// The number of finished matches.
    pub played: u32,
    /// The matches that the person won.
    pub won: u32,
    /// Racks won by the person and by the bot.
    pub racks: [u32; 2],
    /// Balls potted by the person divided by innings; 0 without innings.
    pub pots_per_visit: f64,
    /// The sums of the person's statistics.
    pub you: PlayerStatistics,
    /// The sums of the bot's statistics.
    pub it: PlayerStatistics,
}

impl MatchResults {
    /// The file in a folder for the program's data, beside the folder of matches.
    #[must_use]
    pub fn file_beside(matches: &Path) -> PathBuf {
        matches.with_file_name("results.ron")
    }

    /// Reads a file. Without the file, there are no results. A damaged line is left out.
    ///
    /// # Errors
    /// The file is there and cannot be read.
    pub fn read(path: &Path) -> io::Result<Self> {
        read_lines(path).map(|(results, damaged)| Self { results, damaged })
    }

    /// Adds a result to a file. All other lines stay as they are.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn add(path: &Path, result: &MatchResult) -> io::Result<()> {
        add_line(path, result)
    }

    /// The statistics against each bot in each game, in the order of their names. Matches between two people or two
    /// bots do not count.
    #[must_use]
    pub fn against_bots(&self) -> Vec<AgainstBot> {
        let mut all: Vec<AgainstBot> = Vec::new();
        for (nth, result) in self.results.iter().enumerate() {
            let person = match result.players.each_ref().map(PlayerSpec::is_person) {
                [true, false] => Player(0),
                [false, true] => Player(1),
                _ => continue,
            };
            if self.results[nth + 1..].iter().any(|later| later.id == result.id) {
                continue;
            }
            let (you, it) = (person.index(), person.other().index());
            let bot = &result.players[it];
            let is_same = |one: &&mut AgainstBot| one.bot == *bot && one.game == result.game;
            let mut statistics = Statistics::default();
            let place = all.iter_mut().find(is_same).map(|one| {
                statistics.players = [one.you.clone(), one.it.clone()];
                (one.played, one.won, one.racks)
            });
            let (played, won, racks) = place.unwrap_or_default();
            let [first, second] = [you, it].map(|index| result.statistics.players[index].clone());
            statistics.add(&Statistics { players: [first, second] });
            let [sum_you, sum_it] = statistics.players;
            let sum = AgainstBot {
                bot: bot.clone(),
                game: result.game.clone(),
                played: played + 1,
                won: won + u32::from(result.winner == person),
                racks: [racks[0] + result.racks[you], racks[1] + result.racks[it]],
                pots_per_visit: f64::from(sum_you.potted) / f64::from(sum_you.innings.max(1)),
                you: sum_you,
                it: sum_it,
            };
            match all.iter_mut().find(is_same) {
                Some(one) => *one = sum,
                None => all.push(sum),
            }
        }
        all.sort_by(|a, b| (a.bot.to_string(), &a.game).cmp(&(b.bot.to_string(), &b.game)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Action, MatchSpec};

    fn result(id: u64, players: [&str; 2], racks: [u32; 2], potted: u32) -> MatchResult {
        let of = |potted| PlayerStatistics { potted, innings: 4, ..PlayerStatistics::default() };
        MatchResult {
            at: id,
            id,
            game: "nine-ball".to_owned(),
            table: String::new(),
            players: players.map(PlayerSpec::from),
            racks,
            winner: Player(u8::from(racks[1] > racks[0])),
            statistics: Statistics { players: [of(potted), of(2)] },
        }
    }

    #[test]
    fn matches_are_summed_up_by_bot_and_a_match_counts_once() {
        let results = vec![
            result(1, ["You", "bot:medium"], [3, 1], 10),
            result(2, ["bot:medium", "You"], [3, 2], 7),
            result(3, ["You", "bot:easy"], [0, 1], 1),
            result(3, ["You", "bot:easy"], [1, 0], 5),
            result(4, ["You", "Ada"], [1, 0], 5),
            result(5, ["bot:easy", "bot:medium"], [1, 0], 5),
        ];
        let all = MatchResults { results, damaged: 0 }.against_bots();
        let brief: Vec<_> = all.iter().map(|one| (one.bot.to_string(), one.played, one.won, one.racks)).collect();
        assert_eq!(brief, [("bot:easy".to_owned(), 1, 1, [1, 0]), ("bot:medium".to_owned(), 2, 1, [5, 4])]);
        // 10 and 2 balls in 8 innings.
        assert_eq!((all[1].you.potted, all[1].it.potted, all[1].pots_per_visit), (12, 9, 1.5));
    }

    #[test]
    fn a_finished_match_has_a_result_that_a_file_keeps() {
        let players = ["You", "bot:medium"].map(PlayerSpec::from);
        let spec = MatchSpec { game: "nine-ball".to_owned(), players, ..MatchSpec::default() };
        let mut game = Match::new(spec).unwrap();
        assert_eq!(MatchResult::of(&game, 7), None);
        game.apply(Action::Concede).unwrap();
        let result = MatchResult::of(&game, 7).unwrap();
        assert_eq!((result.winner, result.racks, result.at), (Player(1), [0, 1], 7));
        let folder = tempfile::tempdir().unwrap();
        let path = MatchResults::file_beside(&folder.path().join("data").join("matches"));
        MatchResults::add(&path, &result).unwrap();
        std::fs::write(&path, std::fs::read_to_string(&path).unwrap() + "(at: 1").unwrap();
        assert_eq!(MatchResults::read(&path).unwrap(), MatchResults { results: vec![result], damaged: 1 });
    }
}
