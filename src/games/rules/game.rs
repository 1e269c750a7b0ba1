//! What a game is called, on which tables it is played, how one begins, and its options.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Value, from_value};

use super::{GameTable, OptionSpec, Options, Rules, options::plain};

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
    /// A new rack on this table with these options, of which any may be left out; see
    /// [`read_options`](Self::read_options).
    pub begin: fn(&Arc<GameTable>, &Options) -> Result<Box<dyn Rules>, String>,
    /// Whether one player is alone in it: the second has no shot, no column and no bot.
    pub solo: bool,
    /// What statistics say of it, in their order: such as [`Measure::RACKS`] or [`Measure::POINTS`].
    pub measures: &'static [Measure],
    /// Its options, what matters most first.
    pub options: &'static [OptionSpec],
}

impl Game {
    /// A game for two without options, shipped tables and a sentence about it, whose statistics count racks. Set other
    /// fields by `..`: `Game { about: "…", ..Game::new("five", "Five balls", begin) }`.
    #[must_use]
    pub const fn new(
        name: &'static str,
        title: &'static str,
        begin: fn(&Arc<GameTable>, &Options) -> Result<Box<dyn Rules>, String>,
    ) -> Self {
        Self { name, title, about: "", tables: &[], begin, solo: false, measures: Measure::RACKS, options: &[] }
    }

    /// The options of this game as a type of its own: those that are set, and the defaults of all others.
    ///
    /// # Errors
    /// Which of them is unknown or makes no sense, and what there is: `option push_out=maybe: give true or false`.
    pub fn read_options<T: DeserializeOwned>(&self, options: &Options) -> Result<T, String> {
        for (name, value) in options {
            self.option(name)?.check(value).map_err(|why| format!("option {name}={}: {why}", plain(value)))?;
        }
        let mut all = self.default_options();
        all.extend(options.clone());
        from_value(Value::Object(all)).map_err(|error| format!("the options of {}: {error}", self.name))
    }

    /// The options of this game with their defaults.
    #[must_use]
    pub fn default_options(&self) -> Options {
        self.options.iter().map(|spec| (spec.name.to_owned(), spec.default.into())).collect()
    }

    /// The option of this name.
    ///
    /// # Errors
    /// There is none; the sentence lists those there are.
    pub fn option(&self, name: &str) -> Result<&'static OptionSpec, String> {
        let found = self.options.iter().find(|spec| spec.name == name);
        found.ok_or_else(|| format!("{} has no option `{name}`; {}", self.name, self.known_options()))
    }

    /// The options of this game with their defaults, as a part of a sentence.
    #[must_use]
    pub fn known_options(&self) -> String {
        if self.options.is_empty() {
            return format!("{} has no options", self.name);
        }
        let options = self.options.iter().map(|spec| format!("{}={}", spec.name, plain(&spec.default.into())));
        format!("the options and their defaults are {}", options.collect::<Vec<_>>().join(", "))
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
