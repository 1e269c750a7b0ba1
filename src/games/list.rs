//! The games there are: a line each.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{GameTable, Rules, carom, curling, pool, practice, snooker};

/// What a game is called, on which tables it is played, and how one begins.
#[derive(Clone, Copy, Debug)]
pub struct Game {
    /// Its name in files and on the command line, such as `nine-ball`.
    pub name: &'static str,
    /// Its name for people, such as `9-ball`.
    pub title: &'static str,
    /// The tables of `assets/tables` that it is played on, the usual one first.
    pub tables: &'static [&'static str],
    /// A new rack on this table with these options, of which any may be left out.
    pub begin: fn(&Arc<GameTable>, &Options) -> Result<Box<dyn Rules>, String>,
    /// The options and their defaults.
    pub options: fn() -> Options,
}

/// The options of a game by name, as they stand in files: numbers, words, true and false.
pub type Options = Map<String, Value>;

/// All games, in the order in which they are offered.
pub const GAMES: &[Game] = &[
    pool::eight_ball::GAME,
    pool::nine_ball::GAME,
    pool::ten_ball::GAME,
    pool::straight_pool::GAME,
    snooker::GAME,
    carom::STRAIGHT_RAIL,
    carom::ONE_CUSHION,
    carom::THREE_CUSHION,
    carom::four_ball::GAME,
    curling::GAME,
    practice::GAME,
];

impl Game {
    /// The game of this name, or a sentence that lists those there are.
    ///
    /// # Errors
    /// There is none.
    pub fn named(name: &str) -> Result<&'static Self, String> {
        GAMES.iter().find(|game| game.name == name).ok_or_else(|| {
            let names: Vec<&str> = GAMES.iter().map(|game| game.name).collect();
            format!("there is no game `{name}`; the games are {}", names.join(", "))
        })
    }
}

/// The options of a game as its own type.
///
/// # Errors
/// Which of them is unknown or makes no sense, and what there is.
pub fn read_options<T: DeserializeOwned>(game: &str, options: &Options) -> Result<T, String> {
    serde_json::from_value(Value::Object(options.clone())).map_err(|error| format!("an option of {game}: {error}"))
}

/// The defaults of a game's own type of options, by name.
///
/// # Panics
/// If they are not a structure with named fields.
#[must_use]
pub fn default_options<T: Default + serde::Serialize>() -> Options {
    match serde_json::to_value(T::default()) {
        Ok(Value::Object(options)) => options,
        other => panic!("options are a structure with named fields: {other:?}"),
    }
}
