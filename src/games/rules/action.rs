//! A player's action in a match, and its report.

use bevy::math::Vec2;
use serde::{Deserialize, Serialize};

use crate::{
    billiards::cue::CueStrike,
    games::rules::{Call, Choice, Layout, Outcome, Player, Shot, Verdict},
};

/// A player's action.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Action {
    /// Put the ball in hand here, metres.
    Place(Vec2),
    /// Play a shot.
    Shoot {
        /// The call. Default: nothing.
        #[serde(default)]
        call: Call,
        /// The stroke.
        strike: CueStrike,
    },
    /// Make a choice.
    Choose(Choice),
    /// Do nothing, as when the time is up or a bot's answer is invalid. It counts as a shot that hits no ball. At a
    /// choice it takes the first option.
    Pass,
    /// Concede this rack.
    Concede,
    /// Take back the last shot or choice of either player, and everything after it.
    TakeBack,
}

/// The report of an action. Players are numbered as in the match, not by who breaks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The player who acted.
    pub player: Player,
    /// The shot, if the action was one.
    pub shot: Option<Shot>,
    /// The verdict of the rules.
    pub verdict: Verdict,
    /// The outcome of the rack, if it has ended. Then the next one is racked, unless the match is over.
    pub rack: Option<Outcome>,
    /// Positions of the balls afterwards, before the next rack.
    pub left: Layout,
}
