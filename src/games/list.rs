//! The games there are: a line each.

use std::{fmt, sync::Arc};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, from_value};

use super::{GameTable, Measure, Rules, carom, curling, pool, practice, snooker};

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
    /// one's own alone, by [`Match::on_table`](super::Match::on_table), it may be empty; those of [`GAMES`] have one at
    /// least.
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
fn plain(value: &Value) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{billiards::tables::ShippedTable, games::testing::table};

    fn said(game: &str, key: &str, value: impl Into<Value>) -> String {
        let game = Game::named(game).unwrap();
        (game.begin)(&table(game.tables[0]), &Options::from_iter([(key.to_owned(), value.into())])).unwrap_err()
    }

    #[test]
    fn a_wrong_option_is_named_with_its_value_and_what_is_allowed() {
        assert_eq!(said("nine-ball", "push_out", "maybe"), "option push_out=maybe: give true or false");
        assert_eq!(said("eight-ball", "calls", "some"), "option calls=some: give one of all, eight, nothing");
        assert_eq!(said("curling", "stones", 300), "option stones=300: give a whole number from 0 to 255");
        assert_eq!(said("curling", "stones", 9), "option stones=9: give a whole number from 1 to 8");
        assert_eq!(said("snooker", "reds", 7), "option reds=7: give 15, 10 or 6");
        assert!(said("three-cushion", "innings", "x").ends_with("a whole number from 0 to 4294967295, or null"));
        assert_eq!(said("three-cushion", "points", 0), "option points=0: give a whole number, 1 at least");
        assert!(said("nine-ball", "nine_on_brake", true).contains("no option `nine_on_brake`; the options"));
        // Every option of every game, with values of all kinds.
        for game in GAMES {
            assert!(game.tables.iter().all(|name| ShippedTable::named(name).is_ok()));
            for key in (game.options)().keys() {
                for value in [Value::from("?"), (-7).into(), 1.5.into(), Value::Array(Vec::new())] {
                    let said = said(game.name, key, value.clone());
                    assert!(said.starts_with(&format!("option {key}={}: give ", plain(&value))), "{said}");
                    assert!(!["u8", "u32", "struct", "another value"].iter().any(|word| said.contains(word)), "{said}");
                }
            }
        }
    }
}
