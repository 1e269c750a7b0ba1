//! The options of curling.

use serde::Deserialize;

use crate::{
    games::rules::options::{OptionKind, OptionSpec, OptionValue},
    notice::mark,
};

pub(super) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "ends",
        title: mark("Ends"),
        help: mark("Number of ends; extra ends follow a level score"),
        kind: OptionKind::Number { allowed: 1..=20, suggested: 1..=20 },
        default: OptionValue::Number(4),
    },
    OptionSpec {
        name: "stones",
        title: mark("Stones"),
        help: mark("Stones per side"),
        kind: OptionKind::Number { allowed: 1..=8, suggested: 1..=8 },
        default: OptionValue::Number(4),
    },
    OptionSpec::switch(
        "boards_are_out",
        mark("Boards are out"),
        mark("A stone that touches a board is out. When off, stones rebound from boards."),
        true,
    ),
    OptionSpec {
        name: "extra_ends",
        title: mark("Extra ends"),
        help: mark("Maximum number of extra ends at a level score. Then the nearest stone wins."),
        kind: OptionKind::Limit { allowed: 1..=20, suggested: 1..=20, first: 3 },
        default: OptionValue::Number(3),
    },
];

/// The options of curling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct CurlingOptions {
    /// The number of ends, 1 to 20. A level score adds extra ends. Default: 4.
    pub ends: u8,
    /// The stones of each side, 1 to 8. Default: 4.
    pub stones: u8,
    /// Whether a stone that touches a board is out of play. Default: true. Otherwise stones bounce off the boards.
    pub boards_are_out: bool,
    /// The most extra ends while the score is level, 1 to 20. After the last one, the nearest stone on the sheet wins,
    /// inside the house or not. Without any stone, the side without the hammer wins. Default: 3. `None` removes the
    /// limit, as on ice.
    pub extra_ends: Option<u8>,
}
