//! The options of snooker.

use serde::Deserialize;

use crate::{
    games::rules::options::{OptionKind, OptionSpec, OptionValue},
    notice::mark,
};

pub(super) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "reds",
        title: mark("Reds"),
        help: mark("Number of reds"),
        kind: OptionKind::Choice(&[
            (OptionValue::Number(15), "15"),
            (OptionValue::Number(10), "10"),
            (OptionValue::Number(6), "6"),
        ]),
        default: OptionValue::Number(15),
    },
    OptionSpec {
        name: "miss",
        title: mark("Miss rule"),
        help: mark("When a player may have the balls replaced after a foul and the stroke repeated"),
        kind: OptionKind::Choice(&[
            (OptionValue::Word("off"), mark("never")),
            (OptionValue::Word("in-sight"), mark("if a ball on was visible")),
            (OptionValue::Word("always"), mark("always")),
        ]),
        default: OptionValue::Word("in-sight"),
    },
    OptionSpec::switch(
        "three_misses",
        mark("Three misses"),
        mark("The third miss in a row with a ball on fully visible loses the frame"),
        true,
    ),
    OptionSpec::switch("free_ball", mark("Free ball"), mark("A player snookered after a foul may play any ball"), true),
    OptionSpec::switch(
        "implied_nomination",
        mark("Colour by first hit"),
        mark("The first colour hit counts as nominated"),
        false,
    ),
];

/// The options of snooker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct SnookerOptions {
    /// The number of reds: 15, 10 or 6. Default: 15.
    pub reds: u8,
    /// When a foul is also a miss. Default: [`MissRule::InSight`].
    pub miss: MissRule,
    /// Whether the third miss in a row from the same place, with a ball on in full sight, loses the frame. Default:
    /// true.
    pub three_misses: bool,
    /// Whether there is a free ball. Default: true.
    pub free_ball: bool,
    /// Whether the first colour hit counts as nominated, without a call. Default: false.
    pub implied_nomination: bool,
}

/// When failing to hit a ball on first also counts as a miss, so that the opponent may have the balls put back and the
/// stroke replayed. It never counts when a player needs penalty points to win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissRule {
    /// Never.
    Off,
    /// If any part of a ball on could have been hit in a straight line. This part of the rule needs no judgement.
    InSight,
    /// Always, as between professionals.
    Always,
}
