//! Reasons why an action is not possible in a match now, as values. The display turns them into words.
//! [`Display`](std::fmt::Display) gives the English sentence for the player.

use std::borrow::Cow;

use super::{Choice, Sentence, ShotError, sentence::Filling};
use crate::notice::mark;

/// Why an action is not possible now.
#[derive(thiserror::Error, Clone, Debug, PartialEq)]
#[error("{}", self.sentence())]
pub enum Refusal {
    /// The match is over.
    Over,
    /// A choice has to be made first.
    ChooseFirst,
    /// There is no choice to make.
    NothingToChoose,
    /// There is a choice, but without this option.
    NotOffered(Choice),
    /// The game has no jump cue, or no ball flies in this match.
    NoJumpCue,
    /// The rules do not accept the call.
    #[error(transparent)]
    Call(#[from] CallRefusal),
    /// The cue ball is not in hand.
    NotInHand,
    /// The cue ball has to be placed first.
    PlaceFirst,
    /// The ball may not lie there.
    #[error(transparent)]
    Place(#[from] PlaceRefusal),
    /// The shot cannot be played.
    #[error(transparent)]
    Shot(#[from] ShotError),
    /// There is nothing to take back.
    NothingToTakeBack,
    /// The match does not allow taking shots back.
    NoTakeBack,
    /// A bot wants to take a shot back, which only people can do.
    OnlyPeopleTakeBack,
    /// It is not this player's turn.
    NotYourTurn,
    /// Balls are rolling or about to roll.
    BallsRoll,
    /// The opponent does not agree to taking the shot back.
    ShotStands,
    /// No question is pending.
    NothingAsked,
    /// The file of the match cannot be written. Saving has stopped.
    NotKept {
        /// The file.
        path: String,
        /// The error message of the system.
        why: String,
    },
    /// The match is held.
    Held,
    /// There is no shot with this number to replay.
    NoSuchShot,
    /// No replay is running.
    NothingLookedAt,
    /// There is no match.
    NoMatch,
    /// Another reason, for example from a custom game. The sentence is shown as it is, unless the window's language has
    /// a translation for it.
    Own(Cow<'static, str>),
}

impl Refusal {
    /// The sentence for the player.
    #[must_use]
    pub fn sentence(&self) -> Sentence<'_> {
        match self {
            Self::Over => mark("The match is over.").into(),
            Self::ChooseFirst => mark("First choose how to continue.").into(),
            Self::NothingToChoose => mark("There is nothing to choose now.").into(),
            Self::NotOffered(_) => mark("That option is not available now.").into(),
            Self::NotInHand => mark("The cue ball is not in hand.").into(),
            Self::NoJumpCue => mark("There is no jump cue in this match.").into(),
            Self::PlaceFirst => ShotError::NoCueBall.sentence(),
            Self::NothingToTakeBack => mark("There is no shot to take back.").into(),
            Self::NoTakeBack => mark("Shots cannot be taken back in this match.").into(),
            Self::OnlyPeopleTakeBack => mark("Only people can take a shot back.").into(),
            Self::NotYourTurn => mark("It is not your turn yet.").into(),
            Self::BallsRoll => mark("Wait until the balls are at rest.").into(),
            Self::ShotStands => mark("The shot stands.").into(),
            Self::NothingAsked => mark("There is no request to answer.").into(),
            Self::NotKept { path, why } => {
                Sentence::new(mark("The match is no longer saved: {}: {}"), [Filling::text(path), Filling::text(why)])
            }
            Self::Held => mark("The match is paused.").into(),
            Self::NoSuchShot => mark("That shot does not exist.").into(),
            Self::NothingLookedAt => mark("No shot is being replayed.").into(),
            Self::NoMatch => mark("There is no match.").into(),
            Self::Call(why) => why.sentence(),
            Self::Place(why) => why.sentence(),
            Self::Shot(why) => why.sentence(),
            Self::Own(text) => text.as_ref().into(),
        }
    }
}

impl From<&'static str> for Refusal {
    fn from(text: &'static str) -> Self {
        Self::Own(text.into())
    }
}

impl From<String> for Refusal {
    fn from(text: String) -> Self {
        Self::Own(text.into())
    }
}

/// Why a shot with this call, or without one, is not allowed.
#[derive(thiserror::Error, Clone, Copy, Debug, PartialEq, Eq)]
#[error("{}", self.sentence())]
pub enum CallRefusal {
    /// A push-out is not allowed for this shot.
    NoPushOut,
    /// A safety cannot be called.
    NoSafety,
    /// A ball has to be called.
    BallFirst,
    /// The called ball is not on.
    NotOn,
    /// This ball may not be called.
    NotThatBall,
    /// A ball and a pocket have to be called.
    BallAndPocketFirst,
    /// A pocket has to be called too.
    PocketFirst,
}

impl CallRefusal {
    /// The sentence for the player.
    #[must_use]
    pub fn sentence(self) -> Sentence<'static> {
        match self {
            Self::NoPushOut => mark("A push-out is allowed only in the shot after the break.").into(),
            Self::NoSafety => mark("A safety cannot be called here.").into(),
            Self::BallFirst => mark("Choose the ball you play at.").into(),
            Self::NotOn => mark("That ball is not on.").into(),
            Self::NotThatBall => mark("That ball cannot be called here.").into(),
            Self::BallAndPocketFirst => mark("Call a ball and a pocket, or a safety.").into(),
            Self::PocketFirst => mark("Call a pocket too.").into(),
        }
    }
}

/// Why a ball in hand may not lie in a place.
#[derive(thiserror::Error, Clone, Copy, Debug, PartialEq, Eq)]
#[error("{}", self.sentence())]
pub enum PlaceRefusal {
    /// Another ball lies there.
    InTheWay,
    /// It would overlap a cushion or lie beyond it.
    OffTheCloth,
    /// It has to lie behind the head string.
    BehindHeadString,
    /// It has to lie behind the line of delivery.
    BehindLine,
    /// It has to lie in the D.
    InD,
}

impl PlaceRefusal {
    /// The sentence for the player.
    #[must_use]
    pub fn sentence(self) -> Sentence<'static> {
        match self {
            Self::InTheWay => mark("Another ball is there.").into(),
            Self::OffTheCloth => mark("The ball must be on the cloth.").into(),
            Self::BehindHeadString => mark("The ball must be behind the head string.").into(),
            Self::BehindLine => mark("The stone must be behind the line.").into(),
            Self::InD => mark("The ball must be in the D.").into(),
        }
    }
}
