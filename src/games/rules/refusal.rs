//! Why something cannot be done in a match now, as values: whoever shows it puts it into words. Their English is
//! [`Display`](std::fmt::Display), a sentence for the player.

use std::borrow::Cow;

use super::{Choice, ShotError};

/// Why something cannot be done now.
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
    /// There is something to choose, but not this.
    #[error("That is not among what can be chosen now.")]
    NotOffered(Choice),
    /// The call is not one that the rules want.
    #[error(transparent)]
    Call(#[from] CallRefusal),
    /// The cue ball is not in hand.
    #[error("The cue ball is played from where it lies.")]
    NotInHand,
    /// The cue ball has to be placed.
    #[error("Place the cue ball first.")]
    PlaceFirst,
    /// It may not lie there.
    #[error(transparent)]
    Place(#[from] PlaceRefusal),
    /// The shot cannot be played.
    #[error("The shot cannot be played: {0}.")]
    Shot(#[from] ShotError),
    /// There is nothing to take back.
    #[error("There is nothing to take back.")]
    NothingToTakeBack,
    /// Shots stand.
    #[error("Shots are not taken back in this match.")]
    NoTakeBack,
    /// It is somebody else's turn.
    #[error("It is not your turn yet.")]
    NotYourTurn,
    /// Balls roll, or are about to.
    #[error("Wait until the balls rest.")]
    BallsRoll,
    /// The other player does not want the shot to be taken back.
    #[error("The shot stands.")]
    ShotStands,
    /// Nobody has asked for what was answered.
    #[error("Nobody has asked for anything.")]
    NothingAsked,
    /// The file of the match cannot be written, and is not any more.
    #[error("The match is not kept any more: {path}: {why}")]
    NotKept {
        /// The file.
        path: String,
        /// What the system says.
        why: String,
    },
    /// The match is held.
    #[error("The match is held: nobody plays now.")]
    Held,
    /// There is no shot of this number to be looked at.
    #[error("There is no such shot.")]
    NoSuchShot,
    /// Nobody looks at a shot.
    #[error("No shot is looked at.")]
    NothingLookedAt,
    /// No match is played.
    #[error("There is no match.")]
    NoMatch,
    /// Another reason, such as of a game of one's own, a sentence: it is shown as it is, unless the window's language
    /// has a translation of it.
    #[error("{0}")]
    Own(Cow<'static, str>),
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

/// Why a shot may not be played with a call, or without one.
#[derive(thiserror::Error, Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallRefusal {
    /// It is not the shot for a push-out.
    #[error("A push-out is allowed only in the shot after the break.")]
    NoPushOut,
    /// No safety can be called.
    #[error("A safety cannot be called here.")]
    NoSafety,
    /// A ball has to be called.
    #[error("Choose the ball that you play at.")]
    BallFirst,
    /// The called ball is not on.
    #[error("That ball is not on.")]
    NotOn,
    /// The ball is not one of those that may be called.
    #[error("That ball cannot be called here.")]
    NotThatBall,
    /// A ball and a pocket have to be called.
    #[error("Call a ball and a pocket, or a safety.")]
    BallAndPocketFirst,
    /// The pocket is missing.
    #[error("Call the pocket, too.")]
    PocketFirst,
}

/// Why a ball in hand may not lie somewhere.
#[derive(thiserror::Error, Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceRefusal {
    /// Another ball lies there.
    #[error("Another ball lies there.")]
    InTheWay,
    /// It would lie in a cushion or beyond.
    #[error("The ball has to lie on the cloth.")]
    OffTheCloth,
    /// Its place is behind the head string.
    #[error("The ball has to lie behind the head string.")]
    BehindHeadString,
    /// Its place is behind the line from which stones are delivered.
    #[error("The stone has to lie behind the line.")]
    BehindLine,
    /// Its place is in the D.
    #[error("The ball has to lie in the D.")]
    InD,
    /// Its place is a spot.
    #[error("The ball has to lie on its spot.")]
    OnSpot,
}
