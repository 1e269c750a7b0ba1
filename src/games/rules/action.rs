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
    /// Take another cue for the next shot, where the game allows it: see
    /// [`Game::jump_cue`](crate::games::Game::jump_cue).
    TakeCue(CueKind),
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

impl Action {
    /// Whether it only prepares a shot: the same player acts again.
    #[must_use]
    pub fn is_preparation(&self) -> bool {
        matches!(self, Self::Place(_) | Self::TakeCue(_))
    }
}

/// A cue that a player can take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CueKind {
    /// The cue of the match, for all strokes. After each shot the player has it again.
    #[default]
    Playing,
    /// A short, light cue with a hard tip, for jump shots: [`Cue::JUMP`](crate::billiards::cue::Cue::JUMP).
    Jump,
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
