//! What a game is called, on which tables it is played, how one begins, and its options.

use std::{fmt, sync::Arc};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, from_value};

use super::{GameTable, Rules};

/// What a game is called, on which tables it is played, and how one begins.
#[derive(Clone, Copy, Debug)]
pub struct Game {
    /// Its name in files and on the command line, such as `nine-ball`.
    pub name: &'static str,
    /// Its name for people, such as `9-ball`.
    pub title: &'static str,
    /// A sentence that says what it is about, on the start page; may be empty.
    pub about: &'static str,
    /// The tables of `assets/tables` that it is played on, the usual one first. Of a game that is begun on a table of
    /// one's own alone, by [`Match::on_table`](crate::games::Match::on_table), it may be empty; those of
    /// [`GAMES`](crate::games::GAMES) have one at least.
    pub tables: &'static [&'static str],
    /// A new rack on this table with these options, of which any may be left out.
    pub begin: fn(&Arc<GameTable>, &Options) -> Result<Box<dyn Rules>, String>,
    /// Whether one player is alone in it: the second has no shot, no column and no bot.
    pub solo: bool,
    /// What statistics say of it, in their order: such as [`Measure::RACKS`] or [`Measure::POINTS`].
    pub measures: &'static [Measure],
    /// The options and their defaults.
    pub options: fn() -> Options,
}

/// The options of a game by name, as they stand in files: numbers, words, true and false.
pub type Options = Map<String, Value>;

/// The options of a game as its own type.
///
/// # Errors
/// Which of them is unknown or makes no sense, and what there is: `option push_out=maybe: give true or false`.
pub fn read_options<T: Default + Serialize + DeserializeOwned>(game: &str, options: &Options) -> Result<T, String> {
    from_value(Value::Object(options.clone())).map_err(|error| {
        let known = default_options::<T>();
        let alone =
            |key: &str, value: Value| from_value::<T>(Value::Object(Options::from_iter([(key.to_owned(), value)])));
        match options.iter().find(|(key, value)| alone(key, (*value).clone()).is_err()) {
            Some((key, value)) if known.contains_key(key) => wrong_option(
                key,
                &plain(value),
                &allowed(|value| alone(key, value).map(|_| ()).map_err(|error| error.to_string())),
            ),
            Some((key, _)) => format!("{game} has no option `{key}`; {}", known_options(game, &known)),
            None => format!("an option of {game}: {error}"),
        }
    })
}

/// What is said of an option whose value its game does not take: `allowed` follows on *give*. A rule of a game's own on
/// its options says it so, too.
#[must_use]
pub fn wrong_option(key: &str, value: &(impl fmt::Display + ?Sized), allowed: &str) -> String {
    format!("option {key}={value}: give {allowed}")
}

/// The options of a game with their defaults, as a part of a sentence.
#[must_use]
pub fn known_options(game: &str, known: &Options) -> String {
    if known.is_empty() {
        return format!("{game} has no options");
    }
    let options: Vec<String> = known.iter().map(|(key, value)| format!("{key}={}", plain(value))).collect();
    format!("the options and their defaults are {}", options.join(", "))
}

/// A value as it stands on a command line: words without quotes.
pub(in crate::games) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What an option may be, found out by trying values.
fn allowed(takes: impl Fn(Value) -> Result<(), String>) -> String {
    let mut all: Vec<String> = Vec::new();
    if takes(true.into()).is_ok() {
        all.push("true or false".to_owned());
    }
    if takes(1.into()).is_ok() {
        let is_byte = takes(255.into()).is_ok() && takes(256.into()).is_err();
        all.push(
            match (takes((-1).into()).is_ok(), is_byte) {
                (true, _) => "a whole number",
                (false, true) => "a whole number from 0 to 255",
                (false, false) => "a whole number from 0 to 4294967295",
            }
            .to_owned(),
        );
    }
    // An error tells of the words that there are.
    if let Err(why) = takes("?".into()) {
        if let Some((_, words)) = why.split_once("unknown variant `?`, expected ") {
            all.push(words.replace('`', ""));
        } else if let Some((_, words)) = why.split_once(" are ").filter(|(before, _)| before.contains("`?`")) {
            all.push(format!("one of {words}"));
        }
    }
    if takes(Value::Null).is_ok() {
        all.push("null".to_owned());
    }
    if all.is_empty() { "another value".to_owned() } else { all.join(", or ") }
}

/// The defaults of a game's own type of options, by name.
///
/// # Panics
/// If they are not a structure with named fields.
#[must_use]
pub fn default_options<T: Default + Serialize>() -> Options {
    match serde_json::to_value(T::default()) {
        Ok(Value::Object(options)) => options,
        other => panic!("options are a structure with named fields: {other:?}"),
    }
}

/// A number of [`PlayerStatistics`](crate::games::PlayerStatistics).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// [`PlayerStatistics::racks`](crate::games::PlayerStatistics::racks).
    Racks,
    /// [`PlayerStatistics::points`](crate::games::PlayerStatistics::points).
    Points,
    /// [`PlayerStatistics::success_rate`](crate::games::PlayerStatistics::success_rate).
    SuccessRate,
    /// [`PlayerStatistics::position_quality`](crate::games::PlayerStatistics::position_quality).
    PositionQuality,
    /// [`PlayerStatistics::longest_break`](crate::games::PlayerStatistics::longest_break).
    LongestBreak,
    /// [`PlayerStatistics::average`](crate::games::PlayerStatistics::average).
    Average,
    /// [`PlayerStatistics::innings`](crate::games::PlayerStatistics::innings).
    Innings,
    /// [`PlayerStatistics::runouts`](crate::games::PlayerStatistics::runouts).
    Runouts,
    /// [`PlayerStatistics::breaks_with_pot`](crate::games::PlayerStatistics::breaks_with_pot).
    BreaksWithPot,
    /// [`PlayerStatistics::potted`](crate::games::PlayerStatistics::potted).
    Potted,
    /// [`PlayerStatistics::fouls`](crate::games::PlayerStatistics::fouls).
    Fouls,
    /// [`PlayerStatistics::shots`](crate::games::PlayerStatistics::shots).
    Shots,
}

impl Measure {
    /// Those of a game in which a turn may win the rack, and nothing else counts, such as 9-ball; in the order in which
    /// people read them.
    pub const RACKS: &[Self] = &[
        Self::Racks,
        Self::Runouts,
        Self::SuccessRate,
        Self::PositionQuality,
        Self::LongestBreak,
        Self::BreaksWithPot,
        Self::Potted,
        Self::Innings,
        Self::Fouls,
        Self::Shots,
    ];
    /// Those of a game without pockets in which points count, such as three-cushion.
    pub const POINTS: &[Self] = &[
        Self::Racks,
        Self::Points,
        Self::Average,
        Self::LongestBreak,
        Self::SuccessRate,
        Self::Innings,
        Self::Fouls,
        Self::Shots,
    ];
    /// Those of a game with pockets in which points count, such as straight pool.
    pub const POTTED_POINTS: &[Self] = &[
        Self::Racks,
        Self::Points,
        Self::SuccessRate,
        Self::PositionQuality,
        Self::LongestBreak,
        Self::Average,
        Self::Innings,
        Self::Fouls,
        Self::Shots,
    ];
}
