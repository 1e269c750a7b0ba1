//! The games: [`GAMES`] has one line per game, and each game is a type that implements [`Rules`](super::rules::Rules).
//!
//! | module | contents |
//! |---|---|
//! | [`pool`] | 8-ball, 9-ball, 10-ball and straight pool |
//! | [`snooker`] | snooker |
//! | [`carom`] | straight rail, one-cushion, three-cushion; Korean four-ball |
//! | [`curling`] | table curling, with flat discs |
//! | [`drill`] | a [drill](super::drills), attempt by attempt |
//! | [`practice`] | any rack without rules |
//! | `ruling` | the order of judging a shot, shared by all except practice and drills |

use super::rules::Game;

pub mod carom;
pub mod curling;
pub mod drill;
pub mod pool;
pub mod practice;
pub mod snooker;

mod ruling;

/// The gap between adjacent balls in a rack, metres.
const RACK_GAP: f64 = 2e-5;

/// The gap between a spotted ball and its neighbours in snooker and carom, metres. They must not touch, and a smaller
/// gap looks as if they did.
const SPOT_CLEARANCE: f32 = 1e-4;

/// All games, in display order.
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
    drill::GAME,
];

impl Game {
    /// The game with this name.
    ///
    /// # Errors
    /// There is no such game. The message lists the valid names.
    pub fn named(name: &str) -> Result<&'static Self, String> {
        GAMES.iter().find(|game| game.name == name).ok_or_else(|| {
            let names: Vec<&str> = GAMES.iter().map(|game| game.name).collect();
            format!("there is no game `{name}`; the games are {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::{
        billiards::tables::ShippedTable,
        games::{
            rules::{Options, options::plain},
            test_support::table,
        },
    };

    fn said(game: &str, key: &str, value: impl Into<Value>) -> String {
        let game = Game::named(game).unwrap();
        (game.begin)(&table(game.tables[0]), &Options::from_iter([(key.to_owned(), value.into())])).unwrap_err()
    }

    #[test]
    fn a_wrong_option_is_named_with_its_value_and_what_is_allowed() {
        assert_eq!(said("nine-ball", "push_out", "maybe"), "option push_out=maybe: give true or false");
        assert_eq!(said("eight-ball", "calls", "some"), "option calls=some: give one of all, eight, nothing");
        assert_eq!(said("curling", "stones", 300), "option stones=300: give a whole number from 1 to 8");
        assert_eq!(said("curling", "stones", 9), "option stones=9: give a whole number from 1 to 8");
        assert_eq!(said("snooker", "reds", 7), "option reds=7: give 15, 10 or 6");
        assert!(said("three-cushion", "innings", "x").ends_with("give a whole number from 1 to 4294967295, or null"));
        assert_eq!(
            said("three-cushion", "innings", 1_u64 << 32),
            "option innings=4294967296: give a whole number from 1 to 4294967295, or null"
        );
        assert!(said("three-cushion", "points", 0).starts_with("option points=0: give a whole number from 1 to "));
        assert!(said("nine-ball", "nine_on_brake", true).contains("no option `nine_on_brake`; the options"));
        // Every option of every game, with all kinds of values.
        for game in GAMES {
            assert!(game.tables.iter().all(|name| ShippedTable::named(name).is_ok()));
            for key in game.options.iter().map(|option| option.name) {
                for value in [Value::from("?"), (-7).into(), 1.5.into(), Value::Array(Vec::new())] {
                    let said = said(game.name, key, value.clone());
                    assert!(said.starts_with(&format!("option {key}={}: give ", plain(&value))), "{said}");
                    assert!(!["u8", "u32", "struct", "another value"].iter().any(|word| said.contains(word)), "{said}");
                }
            }
        }
    }
}
