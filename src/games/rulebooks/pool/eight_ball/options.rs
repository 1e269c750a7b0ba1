//! What can be chosen of 8-ball.

use serde::{Deserialize, Serialize};

/// What can be chosen of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EightBallOptions {
    /// For which shots ball and pocket are called. Default: all but the break.
    pub calls: Calls,
    /// What follows from an 8 that falls on a break without a foul. Default: the breaker chooses.
    pub eight_on_break: EightOnBreak,
    /// Whether three fouls in a row lose the rack. Default: no.
    pub three_fouls: bool,
}

impl Default for EightBallOptions {
    fn default() -> Self {
        Self { calls: Calls::All, eight_on_break: EightOnBreak::Choose, three_fouls: false }
    }
}

/// For which shots ball and pocket are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Calls {
    /// For all but the break.
    All,
    /// For the 8 alone, as in many leagues.
    Eight,
    /// For none, as in bars.
    Nothing,
}

/// What follows from an 8 that falls on a break without a foul.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EightOnBreak {
    /// The breaker has it spotted and plays on, or breaks again.
    Choose,
    /// It wins.
    Win,
    /// It is spotted, and the breaker plays on.
    Spot,
    /// The breaker breaks again.
    Break,
}
