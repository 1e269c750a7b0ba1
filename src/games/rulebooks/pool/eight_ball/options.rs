//! The options of 8-ball.

use serde::Deserialize;

use crate::{
    games::{
        rulebooks::pool::options::THREE_FOULS,
        rules::options::{OptionKind, OptionSpec, OptionValue},
    },
    notice::mark,
};

pub(super) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "calls",
        title: mark("Calls"),
        help: mark("Shots that need a called ball and pocket"),
        kind: OptionKind::Choice(&[
            (OptionValue::Word("all"), mark("all except the break")),
            (OptionValue::Word("eight"), mark("the 8 only")),
            (OptionValue::Word("nothing"), mark("none")),
        ]),
        default: OptionValue::Word("all"),
    },
    OptionSpec {
        name: "eight_on_break",
        title: mark("8 on the break"),
        help: mark("The effect of an 8 potted on a legal break"),
        kind: OptionKind::Choice(&[
            (OptionValue::Word("choose"), mark("the breaker chooses")),
            (OptionValue::Word("win"), mark("it wins")),
            (OptionValue::Word("spot"), mark("it is spotted")),
            (OptionValue::Word("break"), mark("re-break")),
        ]),
        default: OptionValue::Word("choose"),
    },
    THREE_FOULS.with_default(OptionValue::Flag(false)),
];

/// The options of 8-ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct EightBallOptions {
    /// The shots for which ball and pocket are called. Default: all except the break.
    pub calls: Calls,
    /// The effect of potting the 8 on a break without a foul. Default: the breaker chooses.
    pub eight_on_break: EightOnBreak,
    /// Whether three fouls in a row lose the rack. Default: false.
    pub three_fouls: bool,
}

/// The shots for which ball and pocket are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Calls {
    /// All except the break.
    All,
    /// The 8 only, as in many leagues.
    Eight,
    /// None, as in bars.
    Nothing,
}

/// The effect of potting the 8 on a break without a foul.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EightOnBreak {
    /// The breaker has it spotted and continues, or breaks again.
    Choose,
    /// The breaker wins.
    Win,
    /// The 8 is spotted, and the breaker continues.
    Spot,
    /// The breaker breaks again.
    Break,
}
