//! What can be chosen of straight rail, one-cushion and three-cushion.

use serde::{Deserialize, Serialize};

/// What can be chosen of one-cushion and three-cushion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CaromOptions {
    /// The points to which it goes, at least 1. Default: 40.
    pub points: u32,
    /// After how many innings of each player it is over at the latest. Default: there is no limit.
    pub innings: Option<u32>,
    /// Whether the player who began second has one more inning after the other has made the last point in one inning
    /// more. Default: yes.
    pub equalising_inning: bool,
}

impl Default for CaromOptions {
    fn default() -> Self {
        Self { points: 40, innings: None, equalising_inning: true }
    }
}

/// What can be chosen of straight rail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StraightRailOptions {
    /// The points to which it goes, at least 1. Default: 100.
    pub points: u32,
    /// After how many innings of each player it is over at the latest. Default: there is no limit.
    pub innings: Option<u32>,
    /// Whether the player who began second has one more inning after the other has made the last point in one inning
    /// more. Default: yes.
    pub equalising_inning: bool,
    /// How many points may be made in a row while both object balls stay in the same corner; with the next, one of them
    /// has to be driven out. Default: 1, as the UMB has it. Clubs in America allow 3. None: any number.
    pub corner_limit: Option<u32>,
}

impl Default for StraightRailOptions {
    fn default() -> Self {
        let CaromOptions { innings, equalising_inning, .. } = CaromOptions::default();
        Self { points: 100, innings, equalising_inning, corner_limit: Some(1) }
    }
}
