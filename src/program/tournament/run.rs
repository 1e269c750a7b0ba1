//! Lets bots play matches, on several threads.

use std::{
    ops::AddAssign,
    sync::Mutex,
    time::{Duration, Instant},
};

use indicatif::ProgressBar;

use super::standstill::Standstill;
use crate::{
    games::{Action, Answered, Match, MatchRecord, MatchSpec, Player, Statistics, bot},
    program::{self, jobs},
};

/// The number of rejected answers that are reported in words for each player.
const MOST_COMPLAINTS: u32 = 3;

/// A match that was played.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) record: MatchRecord,
    pub(super) statistics: Statistics,
    /// The title of the table.
    pub(super) table: String,
    pub(super) racks: u32,
    pub(super) draws: u32,
    pub(super) unfinished: bool,
    /// Shots that the bots have simulated.
    pub(super) shots: u64,
    pub(super) efforts: [Effort; 2],
}

/// The decisions of a player so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Effort {
    /// Invalid answers and answers against the rules, which counted as shots that hit nothing.
    pub(super) refused: u32,
    pub(super) decisions: u64,
    /// The total time spent on them.
    pub(super) thought: Duration,
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        self.refused += other.refused;
        self.decisions += other.decisions;
        self.thought += other.thought;
    }
}

/// Reports rejected answers, the first few of each player in words.
pub(super) struct Complaints<'a> {
    names: [String; 2],
    said: Mutex<[u32; 2]>,
    bar: &'a ProgressBar,
}

impl<'a> Complaints<'a> {
    /// Reports for players with these names, next to a bar that counts the matches.
    pub(super) fn new(names: [String; 2], bar: &'a ProgressBar) -> Self {
        Self { names, said: Mutex::new([0; 2]), bar }
    }

    /// Reports why an answer of a player was rejected.
    fn say(&self, player: Player, why: &str) {
        let Ok(mut said) = self.said.lock() else { return };
        let (said, name) = (&mut said[player.index()], &self.names[player.index()]);
        *said += 1;
        // Otherwise the text would appear in the middle of the bar.
        self.bar.suspend(|| {
            if *said <= MOST_COMPLAINTS {
                program::say(&format!("{name}: {why}; it counts as a shot that hits nothing"));
            } else if *said == MOST_COMPLAINTS + 1 {
                program::say(&format!("{name}: and so on"));
            }
        });
    }
}

/// Plays matches on this many threads, or one per core if none. With `one_rack` each match ends after its first rack.
/// The results are in the order of the matches.
pub(super) fn play_all(
    specs: &[MatchSpec],
    one_rack: bool,
    threads: Option<usize>,
    complaints: &Complaints,
) -> Result<Vec<Played>, String> {
    jobs::run(specs.len(), threads, |number| {
        let played = play_one(&specs[number], one_rack, complaints);
        complaints.bar.inc(1);
        played
    })
}

/// Plays one match to its end, or to the end of its first rack.
fn play_one(spec: &MatchSpec, one_rack: bool, complaints: &Complaints) -> Result<Played, String> {
    let mut playing = Match::new(spec.clone())?;
    let [one, two] = spec.players.clone().map(bot::player);
    let mut bots = [one?, two?];
    let mut efforts = [Effort::default(); 2];
    let (mut racks, mut draws, mut unfinished) = (0, 0, false);
    let mut standstill = Standstill::default();
    while let Some((player, _)) = playing.turn() {
        let (bot, effort) = (&mut bots[player.index()], &mut efforts[player.index()]);
        let begin = Instant::now();
        let action = bot.decide(playing.game_state());
        effort.thought += begin.elapsed();
        effort.decisions += 1;
        let Answered { report, refused, .. } = playing.apply_answer(action).map_err(|why| why.to_string())?;
        let refused = refused.map(|why| format!("its answer {} is refused: {why}", in_short(action)));
        let refused = refused.map(|why| why.trim_end_matches('.').to_owned());
        let complaint = refused.or_else(|| bot.complaint().map(|complaint| complaint.why.clone()));
        if let Some(hopeless) = bot.complaint().filter(|complaint| complaint.is_hopeless) {
            return Err(format!("--players {}: {}", spec.players[player.index()], hopeless.why));
        }
        if let Some(why) = complaint {
            effort.refused += 1;
            complaints.say(player, &why);
        }
        if let Some(outcome) = report.rack {
            racks += 1;
            draws += u32::from(outcome.winner.is_none());
            if one_rack {
                break;
            }
            if outcome.winner.is_some() {
                standstill.end();
            }
        }
        if standstill.is_over(&playing) {
            unfinished = true;
            break;
        }
    }
    Ok(Played {
        statistics: playing.statistics(),
        table: playing.table().spec.title.clone(),
        racks,
        draws,
        unfinished,
        shots: bots.iter().map(|bot| bot.shots()).sum(),
        efforts,
        record: playing.record(),
    })
}

/// An action as a program would write it.
fn in_short(action: Action) -> String {
    serde_json::to_string(&action).unwrap_or_else(|_| format!("{action:?}"))
}
