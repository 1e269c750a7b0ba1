//! The name, tables, start and options of a game.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Value, from_value};

use super::{GameTable, OptionSpec, Options, Rules, options::plain};

/// The description of a game: its name, its tables, its start and its options.
#[derive(Clone, Copy, Debug)]
pub struct Game {
    /// Its name in files and on the command line, such as `nine-ball`.
    pub name: &'static str,
    /// Its display name, such as `9-ball`.
    pub title: &'static str,
    /// A sentence about it for the start page. May be empty.
    pub about: &'static str,
    /// The tables of `assets/tables` for the game, the usual one first. The games in [`GAMES`](crate::games::GAMES)
    /// have at least one. It may be empty for a game that is only started on a custom table, with
    /// [`Match::on_table`](crate::games::Match::on_table).
    pub tables: &'static [&'static str],
    /// Makes a new rack on this table. Any option may be left out; see [`read_options`](Self::read_options).
    pub begin: fn(&Arc<GameTable>, &Options) -> Result<Box<dyn Rules>, String>,
    /// Whether a player may take a jump cue for a shot, in a match in which balls fly.
    pub jump_cue: bool,
    /// Whether it is a game for one person: the second player has no shot, no column and no bot.
    pub solo: bool,
    /// The statistics to show, in order, such as [`Measure::RACKS`] or [`Measure::POINTS`].
    pub measures: &'static [Measure],
    /// Its options, the most important first.
    pub options: &'static [OptionSpec],
}

impl Game {
    /// A game for two without options, shipped tables and description, whose statistics count racks. Set other fields
    /// with struct update syntax: `Game { about: "…", ..Game::new("five", "Five balls", begin) }`.
    #[must_use]
    pub const fn new(
        name: &'static str,
        title: &'static str,
        begin: fn(&Arc<GameTable>, &Options) -> Result<Box<dyn Rules>, String>,
    ) -> Self {
        Self {
            name,
            title,
            about: "",
            tables: &[],
            begin,
            jump_cue: false,
            solo: false,
            measures: Measure::RACKS,
            options: &[],
        }
    }

    /// The options of this game as a typed value, with defaults for missing ones.
    ///
    /// # Errors
    /// An option is unknown or invalid. The message says what is valid: `option push_out=maybe: give true or false`.
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

    /// The option with this name.
    ///
    /// # Errors
    /// There is no such option. The message lists the valid names.
    pub fn option(&self, name: &str) -> Result<&'static OptionSpec, String> {
        let found = self.options.iter().find(|spec| spec.name == name);
        found.ok_or_else(|| format!("{} has no option `{name}`; {}", self.name, self.known_options()))
    }

    /// The options of this game with their defaults, for use within a sentence.
    #[must_use]
    pub fn known_options(&self) -> String {
        if self.options.is_empty() {
            return format!("{} has no options", self.name);
        }
        let options = self.options.iter().map(|spec| format!("{}={}", spec.name, plain(&spec.default.into())));
        format!("the options and their defaults are {}", options.collect::<Vec<_>>().join(", "))
    }
}

/// A statistic from [`PlayerStatistics`](crate::games::PlayerStatistics).
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
    /// Statistics of games in which one turn may win the rack and nothing else counts, such as 9-ball, in display
    /// order.
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
    /// Statistics of games with points but without pockets, such as three-cushion.
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
    /// Statistics of games with points and pockets, such as straight pool.
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
