//! What a player does in a match, and what comes of it.

use bevy::math::Vec2;
use serde::{Deserialize, Serialize};

use crate::{
    billiards::cue::CueStrike,
    games::rules::{Call, Choice, Layout, Outcome, Player, Shot, Verdict},
};

/// What a player does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Action {
    /// Puts the ball in hand here, metres.
    Place(Vec2),
    /// Plays a shot.
    Shoot {
        /// What is called. Default: nothing.
        #[serde(default)]
        call: Call,
        /// The stroke.
        strike: CueStrike,
    },
    /// Chooses one of what is offered.
    Choose(Choice),
    /// Does nothing: the time is up, or what was answered makes no sense. It counts as a shot that hits no ball; of
    /// choices the first is taken.
    Pass,
    /// Gives this rack to the other player.
    Concede,
    /// Takes the last shot or choice back, whoever's it was, with all that followed from it.
    TakeBack,
}

/// What came of an action. Players are those of the match, whoever broke.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Who acted.
    pub player: Player,
    /// The shot, if it was one.
    pub shot: Option<Shot>,
    /// What followed by the rules.
    pub verdict: Verdict,
    /// How the rack has ended, if it has; the next one is racked then, unless the match is over.
    pub rack: Option<Outcome>,
    /// Where the balls were put after it, before the next rack.
    pub left: Layout,
}
