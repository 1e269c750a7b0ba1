//! Why something cannot be done in a match now, as values: whoever shows it puts it into words. Their English is
//! [`Display`](std::fmt::Display), a sentence for the player.

use std::borrow::Cow;

use super::{Choice, FASTEST_CUE, Sentence, ShotError, sentence::Filling};
use crate::{billiards::cue::Miscue, notice::mark};

/// Why something cannot be done now.
#[derive(thiserror::Error, Clone, Debug, PartialEq)]
#[error("{}", self.sentence())]
pub enum Refusal {
    /// The match is over.
    Over,
    /// A choice has to be made before.
    ChooseFirst,
    /// There is nothing to choose.
    NothingToChoose,
    /// There is something to choose, but not this.
    NotOffered(Choice),
    /// The call is not one that the rules want.
    #[error(transparent)]
    Call(#[from] CallRefusal),
    /// The cue ball is not in hand.
    NotInHand,
    /// The cue ball has to be placed.
    PlaceFirst,
    /// It may not lie there.
    #[error(transparent)]
    Place(#[from] PlaceRefusal),
    /// The shot cannot be played.
    Shot(#[from] ShotError),
    /// There is nothing to take back.
    NothingToTakeBack,
    /// Shots stand.
    NoTakeBack,
    /// It is somebody else's turn.
    NotYourTurn,
    /// Balls roll, or are about to.
    BallsRoll,
    /// The other player does not want the shot to be taken back.
    ShotStands,
    /// Nobody has asked for what was answered.
    NothingAsked,
    /// The file of the match cannot be written, and is not any more.
    NotKept {
        /// The file.
        path: String,
        /// What the system says.
        why: String,
    },
    /// The match is held.
    Held,
    /// There is no shot of this number to be looked at.
    NoSuchShot,
    /// Nobody looks at a shot.
    NothingLookedAt,
    /// No match is played.
    NoMatch,
    /// Another reason, such as of a game of one's own, a sentence: it is shown as it is, unless the window's language
    /// has a translation of it.
    Own(Cow<'static, str>),
}

impl Refusal {
    /// What it says, a sentence for the player.
    #[must_use]
    pub fn sentence(&self) -> Sentence<'_> {
        match self {
            Self::Over => mark("The match is over.").into(),
            Self::ChooseFirst => mark("Choose first how it goes on.").into(),
            Self::NothingToChoose => mark("There is nothing to choose now.").into(),
            Self::NotOffered(_) => mark("That is not among what can be chosen now.").into(),
            Self::NotInHand => mark("The cue ball is played from where it lies.").into(),
            Self::PlaceFirst | Self::Shot(ShotError::NoCueBall) => mark("Place the cue ball first.").into(),
            Self::NothingToTakeBack => mark("There is nothing to take back.").into(),
            Self::NoTakeBack => mark("Shots are not taken back in this match.").into(),
            Self::NotYourTurn => mark("It is not your turn yet.").into(),
            Self::BallsRoll => mark("Wait until the balls rest.").into(),
            Self::ShotStands => mark("The shot stands.").into(),
            Self::NothingAsked => mark("Nobody has asked for anything.").into(),
            Self::NotKept { path, why } => {
                Sentence::new(mark("The match is not kept any more: {}: {}"), [Filling::text(path), Filling::text(why)])
            }
            Self::Held => mark("The match is held: nobody plays now.").into(),
            Self::NoSuchShot => mark("There is no such shot.").into(),
            Self::NothingLookedAt => mark("No shot is looked at.").into(),
            Self::NoMatch => mark("There is no match.").into(),
            Self::Call(why) => why.sentence(),
            Self::Place(why) => why.sentence(),
            Self::Shot(ShotError::Miscue(Miscue { offset, limit })) => Sentence::new(
                mark("The tip would hit {} radii from the middle and slip off: {} is the most that holds."),
                [*offset, *limit].map(|radii| Filling::text(format_args!("{radii:.2}"))),
            ),
            Self::Shot(ShotError::Strike) => Sentence::new(
                mark(
                    "A stroke needs a direction, a speed of the cue up to {} m/s and an elevation up to a right angle.",
                ),
                [Filling::text(FASTEST_CUE)],
            ),
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

/// Why a shot may not be played with a call, or without one.
#[derive(thiserror::Error, Clone, Copy, Debug, PartialEq, Eq)]
#[error("{}", self.sentence())]
pub enum CallRefusal {
    /// It is not the shot for a push-out.
    NoPushOut,
    /// No safety can be called.
    NoSafety,
    /// A ball has to be called.
    BallFirst,
    /// The called ball is not on.
    NotOn,
    /// The ball is not one of those that may be called.
    NotThatBall,
    /// A ball and a pocket have to be called.
    BallAndPocketFirst,
    /// The pocket is missing.
    PocketFirst,
}

impl CallRefusal {
    /// What it says, a sentence for the player.
    #[must_use]
    pub fn sentence(self) -> Sentence<'static> {
        match self {
            Self::NoPushOut => mark("A push-out is allowed only in the shot after the break.").into(),
            Self::NoSafety => mark("A safety cannot be called here.").into(),
            Self::BallFirst => mark("Choose the ball that you play at.").into(),
            Self::NotOn => mark("That ball is not on.").into(),
            Self::NotThatBall => mark("That ball cannot be called here.").into(),
            Self::BallAndPocketFirst => mark("Call a ball and a pocket, or a safety.").into(),
            Self::PocketFirst => mark("Call the pocket, too.").into(),
        }
    }
}

/// Why a ball in hand may not lie somewhere.
#[derive(thiserror::Error, Clone, Copy, Debug, PartialEq, Eq)]
#[error("{}", self.sentence())]
pub enum PlaceRefusal {
    /// Another ball lies there.
    InTheWay,
    /// It would lie in a cushion or beyond.
    OffTheCloth,
    /// Its place is behind the head string.
    BehindHeadString,
    /// Its place is behind the line from which stones are delivered.
    BehindLine,
    /// Its place is in the D.
    InD,
    /// Its place is a spot.
    OnSpot,
}

impl PlaceRefusal {
    /// What it says, a sentence for the player.
    #[must_use]
    pub fn sentence(self) -> Sentence<'static> {
        match self {
            Self::InTheWay => mark("Another ball lies there.").into(),
            Self::OffTheCloth => mark("The ball has to lie on the cloth.").into(),
            Self::BehindHeadString => mark("The ball has to lie behind the head string.").into(),
            Self::BehindLine => mark("The stone has to lie behind the line.").into(),
            Self::InD => mark("The ball has to lie in the D.").into(),
            Self::OnSpot => mark("The ball has to lie on its spot.").into(),
        }
    }
}
