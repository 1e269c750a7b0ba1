//! A match as a file: what is played, all that was done, and after each action a hash of the state, so that it replays
//! to the bit or says where it departs.

use std::{fmt, sync::Arc};

use bevy::math::Vec2;
use ron::{Error, error::Position};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::{Match, MatchSpec, State};
use crate::{
    games::rules::{Action, BallPlace, Game, GameTable, Refusal, Shot, Task},
    ron_text::{self, Mistake},
};

/// An action as the log keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What was done.
    pub action: Action,
    /// A hash of all up to here: of what is played, of this action and all before it, of what happened in each shot
    /// (every event, and where the balls came to rest before anything was spotted or taken into the hand), and of the
    /// state after each ([`Match::hash`]).
    pub hash: u64,
}

/// A match as a file keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchRecord {
    /// What is played.
    pub spec: MatchSpec,
    /// All that was done, in order.
    pub log: Vec<Entry>,
    /// Whether the match is over by then: so it need not be replayed to know. Default: no, or nobody has said so.
    pub over: bool,
}

/// Where a replay is not what was recorded.
#[derive(thiserror::Error, Clone, Debug, PartialEq)]
pub enum Departure {
    /// The match cannot begin.
    #[error("{0}")]
    Beginning(String),
    /// An action is refused.
    #[error("action {number} of {count} cannot be done: {refusal}")]
    Refused {
        /// Which action, counted from 1.
        number: usize,
        /// How many there are.
        count: usize,
        /// Why.
        refusal: Refusal,
    },
    /// The balls lie elsewhere, or the score is another.
    #[error(
        "after action {number} of {count} the match is another than the one that was recorded: the file was changed, or comes from another version"
    )]
    Other {
        /// Which action, counted from 1.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// It is said to be over, and is not.
    #[error("the file says that the match is over, and after its {count} actions it is not: the last ones are missing")]
    NotOver {
        /// How many actions there are.
        count: usize,
    },
}

impl Match {
    /// What a file keeps of it.
    #[must_use]
    pub fn record(&self) -> MatchRecord {
        MatchRecord { spec: self.spec.clone(), log: self.log.clone(), over: self.state.over }
    }

    /// A hash of where the balls lie (to the bit), of points and racks, and of whose turn it is.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let State { rules, layout, rack, racks, over, .. } = &self.state;
        let mut bytes: Vec<u8> = Vec::with_capacity(16 * layout.len() + 32);
        for place in &layout.0 {
            match *place {
                BallPlace::Table(Vec2 { x, y }) => {
                    bytes.push(0);
                    bytes.extend([x, y].into_iter().flat_map(|number| number.to_bits().to_le_bytes()));
                }
                BallPlace::Pocket(pocket) => bytes.extend([1, pocket.0]),
                BallPlace::Off => bytes.push(2),
                BallPlace::Hand => bytes.push(3),
            }
        }
        bytes.extend(rules.score().into_iter().chain([rules.current_break()]).flat_map(i32::to_le_bytes));
        bytes.extend([rack, &racks[0], &racks[1]].into_iter().flat_map(|number| number.to_le_bytes()));
        let task = match rules.turn().task {
            Task::Shoot(_) => 0,
            Task::Choose(_) => 1,
            Task::Over(_) => 2,
        };
        bytes.extend([self.player_of(rules.turn().player).0, task, u8::from(*over)]);
        xxh3_64(&bytes)
    }

    /// The hash of the entry that an action gets in the log, once it is done.
    pub(super) fn proof(&self, action: Action, shot: Option<&Shot>) -> u64 {
        let before = match self.log.last() {
            Some(entry) => entry.hash,
            None => xxh3_64(&as_json(&self.spec)),
        };
        let mut bytes = as_json(&(action, shot));
        bytes.extend([before, self.hash()].into_iter().flat_map(u64::to_le_bytes));
        xxh3_64(&bytes)
    }

    /// Plays a recorded match again, up to its last action.
    ///
    /// # Errors
    /// Where it is not what was recorded.
    pub fn replay(record: &MatchRecord) -> Result<Self, Departure> {
        let replayed = Self::new(record.spec.clone()).map_err(Departure::Beginning)?;
        replayed.follow_log(record)
    }

    /// The same of a match that was begun by [`Match::on_table`]: with the game and the table that it had.
    ///
    /// # Errors
    /// Where it is not what was recorded.
    pub fn replay_on(record: &MatchRecord, game: &'static Game, table: Arc<GameTable>) -> Result<Self, Departure> {
        let replayed = Self::on_table(record.spec.clone(), game, table).map_err(Departure::Beginning)?;
        replayed.follow_log(record)
    }

    fn follow_log(self, record: &MatchRecord) -> Result<Self, Departure> {
        let mut replayed = self;
        let count = record.log.len();
        for (number, entry) in (1..).zip(&record.log) {
            replayed.apply(entry.action).map_err(|refusal| Departure::Refused { number, count, refusal })?;
            if replayed.log.last() != Some(entry) {
                return Err(Departure::Other { number, count });
            }
        }
        if record.over && !replayed.state.over {
            return Err(Departure::NotOver { count });
        }
        Ok(replayed)
    }
}

impl MatchRecord {
    /// Its text: RON, with a line for each action.
    ///
    /// # Errors
    /// None that is known: the options of a game are numbers and words.
    pub fn to_text(&self) -> Result<String, ron::Error> {
        use fmt::Write;
        let mut text = format!("(\n  version: {VERSION},\n  spec: {},\n  log: [\n", ron::to_string(&self.spec)?);
        for entry in &self.log {
            writeln!(text, "    {},", ron::to_string(entry)?)?;
        }
        text.push_str("  ],\n");
        if self.over {
            text.push_str("  over: true,\n");
        }
        text.push_str(")\n");
        Ok(text)
    }

    /// Whether a text is meant as one, and not as a scene: it begins with the version of its format.
    #[must_use]
    pub fn is_meant(text: &str) -> bool {
        let head = text.trim_start_matches('\u{feff}').trim_start().strip_prefix('(');
        head.is_some_and(|rest| rest.trim_start().starts_with("version:"))
    }

    /// Reads one from its text. `name` is what an error calls it.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn parse(text: &str, name: &str) -> Result<Self, String> {
        let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
        // Some editors put a mark before the first letter.
        let text = text.trim_start_matches('\u{feff}');
        // What another version has written may hold what this one does not know.
        if let Ok(Head { version: Some(version) }) = options.from_str(text)
            && version != VERSION
        {
            let other = if version > VERSION { "a newer" } else { "an older" };
            return Err(format!(
                "{name} was written by {other} carom (its format is {version}, and this one reads {VERSION}); read it with that one"
            ));
        }
        let read: Result<File, Mistake> = ron_text::read(text, &options, "the match");
        read.map(|File { spec, log, over, .. }| Self { spec, log, over }).map_err(|mistake| {
            // One that is cut in the middle of a word may seem to have another fault.
            let Position { line, .. } = mistake.error.span.start;
            let rest = text.trim_end();
            let is_cut = mistake.error.code == Error::Eof || !rest.ends_with(')') && line >= rest.lines().count();
            let reason = match &mistake.error.code {
                _ if is_cut => {
                    "the file ends before the match does; it was cut off, so copy the whole of it again".to_owned()
                }
                Error::MissingStructField { field: "version", .. } => {
                    format!("it has no `version`: an older carom has written it, or it is not a match; {WHERE_FROM}")
                }
                _ if Self::is_meant(text) => mistake.reason,
                _ => format!("this is not a match: {}; {WHERE_FROM}", mistake.reason),
            };
            let Position { line, col } = mistake.at;
            format!("{name}, line {line}, column {col}: {}", reason.replace('\n', " "))
        })
    }
}

/// Where matches come from.
const WHERE_FROM: &str = "give a file that carom play --save or the window has written";

/// What programs as players read and write, too: it names what there is, and every number is what reads back to it, to
/// the bit.
fn as_json(of: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(of).expect("they are numbers and words")
}

/// The format of files of matches. It is counted up when older ones cannot be read, or replay otherwise.
const VERSION: u32 = 2;

/// The one line that all formats share.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    version: Option<u32>,
}

/// A file of a match.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "version")]
    _version: u32,
    spec: MatchSpec,
    log: Vec<Entry>,
    #[serde(default)]
    over: bool,
}
