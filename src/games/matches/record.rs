//! A match as a file: its specification, all actions, and a hash of the state after each action. A replay is
//! bit-identical, or reports where it departs.

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

/// An action in the log.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The action.
    pub action: Action,
    /// A hash of everything up to here: the specification, all actions up to this one, every event of each shot, and
    /// the state after each action ([`Match::hash`]). It also includes where the balls came to rest before any was
    /// spotted or taken in hand.
    pub hash: u64,
}

/// A match as stored in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchRecord {
    /// The specification.
    pub spec: MatchSpec,
    /// All actions, in order.
    pub log: Vec<Entry>,
    /// Whether the match was over, so that a reader knows without a replay. Default: false, which is also what a file
    /// without the field means.
    pub over: bool,
}

/// Where a replay departs from the record.
#[derive(thiserror::Error, Clone, Debug, PartialEq)]
pub enum Departure {
    /// The match cannot start.
    #[error("{0}")]
    Beginning(String),
    /// An action is rejected.
    #[error("action {number} of {count} is not possible: {refusal}")]
    Refused {
        /// The number of the action, from 1.
        number: usize,
        /// The number of actions.
        count: usize,
        /// The reason.
        refusal: Refusal,
    },
    /// The positions of the balls or the score differ.
    #[error(
        "after action {number} of {count}, the match differs from the recorded one: the file was edited or comes from \
        another version"
    )]
    Other {
        /// The number of the action, from 1.
        number: usize,
        /// The number of actions.
        count: usize,
    },
    /// The record says that the match is over, but it is not.
    #[error("the file says that the match is over, but after its {count} actions it is not: the last ones are missing")]
    NotOver {
        /// The number of actions.
        count: usize,
    },
}

impl Match {
    /// The record for a file.
    #[must_use]
    pub fn record(&self) -> MatchRecord {
        MatchRecord { spec: self.spec.clone(), log: self.log.clone(), over: self.state.over }
    }

    /// A hash of the positions of the balls (exact bits), points, racks and whose turn it is.
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

    /// The hash for the log entry of an action that was just performed.
    pub(super) fn proof(&self, action: Action, shot: Option<&Shot>) -> u64 {
        let before = match self.log.last() {
            Some(entry) => entry.hash,
            None => xxh3_64(&as_json(&self.spec)),
        };
        let mut bytes = as_json(&(action, shot));
        bytes.extend([before, self.hash()].into_iter().flat_map(u64::to_le_bytes));
        xxh3_64(&bytes)
    }

    /// Replays a recorded match up to its last action.
    ///
    /// # Errors
    /// The replay departs from the record.
    pub fn replay(record: &MatchRecord) -> Result<Self, Departure> {
        let replayed = Self::new(record.spec.clone()).map_err(Departure::Beginning)?;
        replayed.follow_log(record)
    }

    /// The same for a match started by [`Match::on_table`], with its game and its table.
    ///
    /// # Errors
    /// The replay departs from the record.
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
    /// The text of the record: RON, with one line per action.
    ///
    /// # Errors
    /// None known: the options of a game are numbers and words.
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

    /// Whether a text is meant as a match record rather than a scene: it starts with the version of its format.
    #[must_use]
    pub fn is_meant(text: &str) -> bool {
        let head = text.trim_start_matches('\u{feff}').trim_start().strip_prefix('(');
        head.is_some_and(|rest| rest.trim_start().starts_with("version:"))
    }

    /// Parses a record. `name` appears in errors.
    ///
    /// # Errors
    /// The text is invalid; the message says where.
    pub fn parse(text: &str, name: &str) -> Result<Self, String> {
        let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
        // Some editors write a byte order mark first.
        let text = text.trim_start_matches('\u{feff}');
        // Another version may have written fields that this one does not know.
        if let Ok(Head { version: Some(version) }) = options.from_str(text)
            && version != VERSION
        {
            let other = if version > VERSION { "a newer" } else { "an older" };
            return Err(format!(
                "{name} was written by {other} carom (format {version}; this one reads {VERSION}); open it with that \
                version"
            ));
        }
        let read: Result<File, Mistake> = ron_text::read(text, &options, "the match");
        read.map(|File { spec, log, over, .. }| Self { spec, log, over }).map_err(|mistake| {
            // A text cut off in the middle of a word may seem to have another fault.
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

/// The JSON that external players read and write as well. It names all fields, and every number parses back to the same
/// bits.
fn as_json(of: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(of).expect("options are numbers and words")
}

/// The version of the file format. It increases when older files cannot be read or replay differently.
const VERSION: u32 = 2;

/// The one line that all versions share.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    version: Option<u32>,
}

/// The contents of a match file.
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
