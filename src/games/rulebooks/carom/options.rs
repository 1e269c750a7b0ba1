//! The options of straight rail, one-cushion and three-cushion.

use serde::Deserialize;

use crate::{
    games::rules::options::{OptionKind, OptionSpec, OptionValue},
    notice::mark,
};

/// The points that win.
pub(super) const POINTS: OptionSpec = OptionSpec {
    name: "points",
    title: mark("Points"),
    help: mark("Points needed to win"),
    kind: OptionKind::Number { allowed: 1..=u32::MAX, suggested: 1..=1000 },
    default: OptionValue::Number(40),
};

const INNINGS: OptionSpec = OptionSpec {
    name: "innings",
    title: mark("Innings"),
    help: mark("The match ends after at most this many innings"),
    kind: OptionKind::Limit { allowed: 1..=u32::MAX, suggested: 1..=1000, first: 50 },
    default: OptionValue::Null,
};

const EQUALISING_INNING: OptionSpec = OptionSpec::switch(
    "equalising_inning",
    mark("Equalising inning"),
    mark("Gives the second player one more inning at the end"),
    true,
);

/// The options of one-cushion and three-cushion.
pub(super) const CAROM: &[OptionSpec] = &[POINTS, INNINGS, EQUALISING_INNING];

/// The options of straight rail.
pub(super) const STRAIGHT_RAIL: &[OptionSpec] = &[
    POINTS.with_default(OptionValue::Number(100)),
    INNINGS,
    EQUALISING_INNING,
    OptionSpec {
        name: "corner_limit",
        title: mark("Corner limit"),
        help: mark("Points allowed in a row while both object balls stay in a corner"),
        kind: OptionKind::Limit { allowed: 0..=u32::MAX, suggested: 1..=100, first: 3 },
        default: OptionValue::Number(1),
    },
];

/// The options of one-cushion and three-cushion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct CaromOptions {
    /// The points that win.
    pub points: u32,
    /// The most innings of each player. Default: no limit.
    pub innings: Option<u32>,
    /// Whether the player who started second gets one more inning when the other makes the last point in one inning
    /// more. Default: true.
    pub equalising_inning: bool,
}

/// The options of straight rail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct StraightRailOptions {
    /// The points that win.
    pub points: u32,
    /// The most innings of each player. Default: no limit.
    pub innings: Option<u32>,
    /// Whether the player who started second gets one more inning when the other makes the last point in one inning
    /// more. Default: true.
    pub equalising_inning: bool,
    /// The most points in a row while both object balls stay in the same corner. The next shot has to drive one of them
    /// out. Default: 1, as in the UMB's rules. Clubs in America allow 3. `None` removes the limit.
    pub corner_limit: Option<u32>,
}
