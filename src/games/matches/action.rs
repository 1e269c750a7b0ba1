//! What a player does in a match, what comes of it, and why it cannot be done.

use bevy::math::Vec2;
use serde::{Deserialize, Serialize};

use crate::{
    billiards::cue::Strike,
    games::{Call, Choice, Layout, Outcome, Player, Shot, ShotError, Verdict},
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
        strike: Strike,
    },
    /// Chooses one of what is offered.
    Choose(Choice),
    /// Does nothing: the time is up, or what was answered makes no sense. It counts as a shot that hits no ball; of choices the first is taken.
    Pass,
    /// Gives this rack to the other player.
    Concede,
    /// Takes the last shot or choice back, whoever's it was, with all that followed from it.
    TakeBack,
}

/// Why something cannot be done now: a sentence for the player.
#[derive(thiserror::Error, Clone, Debug, PartialEq)]
pub enum Refusal {
    /// The match is over.
    #[error("The match is over.")]
    Over,
    /// A choice has to be made before.
    #[error("Choose first how it goes on.")]
    ChooseFirst,
    /// There is nothing to choose.
    #[error("There is nothing to choose now.")]
    NothingToChoose,
    /// The rules say no.
    #[error("{0}")]
    Rules(String),
    /// The call is not one that the rules want.
    #[error("{0}")]
    Call(&'static str),
    /// The cue ball is not in hand.
    #[error("The cue ball is played from where it lies.")]
    NotInHand,
    /// The cue ball has to be placed.
    #[error("Place the cue ball first.")]
    PlaceFirst,
    /// It may not lie there.
    #[error("The cue ball cannot lie there: {0}.")]
    Place(&'static str),
    /// The shot cannot be played.
    #[error("The shot cannot be played: {0}.")]
    Shot(#[from] ShotError),
    /// There is nothing to take back.
    #[error("There is nothing to take back.")]
    NothingToTakeBack,
    /// Shots stand.
    #[error("Shots are not taken back in this match.")]
    NoTakeBack,
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
