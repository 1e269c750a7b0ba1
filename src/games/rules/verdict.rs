//! The result of a shot or a choice: fouls, points, and new places of balls.

use std::fmt;

use serde::Serialize;

use super::{BallId, BallPlace, Layout, PocketId, Remark, Sentence};
use crate::{billiards::tables::BallName, notice::mark};

/// The result of a shot or a choice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// The fouls.
    pub fouls: Vec<Foul>,
    /// The points that both players gained or lost.
    pub points: [i32; 2],
    /// Balls to move: to a spot, in hand, or out of play.
    pub placed: Vec<(BallId, BallPlace)>,
    /// Further messages for the display.
    pub remarks: Vec<Remark>,
    /// Whether the same player continues. False once the game is over.
    pub goes_on: bool,
}

impl Verdict {
    /// Moves the balls in `placed`.
    pub fn place(&self, layout: &mut Layout) {
        for &(ball, place) in &self.placed {
            layout[ball] = place;
        }
    }
}

/// A foul.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Foul {
    /// The cue ball hit no ball.
    NoHit,
    /// The cue ball first hit this ball, which was not on.
    WrongBallFirst(BallName),
    /// After the cue ball's first hit no ball was potted and none reached a cushion.
    NoCushion,
    /// The cue ball was potted.
    Scratch(PocketId),
    /// A ball left the table.
    OffTable(BallName),
    /// This ball was potted without being on.
    WrongBallPotted(BallName),
    /// The cue ball, in hand behind the head string, hit this ball behind the head string without having crossed it.
    PlayedBehindHeadString(BallName),
    /// The break drove too few balls to a cushion without the required pot.
    IllegalBreak,
    /// The third foul in a row.
    ThirdFoul,
    /// A red was the ball on twice in a row, or another rule of order was broken.
    OutOfOrder,
    /// The opponent is snookered behind the ball nominated as free ball.
    SnookeredByFreeBall,
    /// A required nomination is missing.
    NotNominated,
    /// The opponent's cue ball was hit, which this game forbids.
    OtherCueBallHit,
    /// Both object balls stayed in the same corner for more points than are allowed.
    StayedInCorner,
    /// The cue ball was played into this ball, which it touched: a push stroke.
    PushStroke(BallName),
    /// The cue ball jumped over this ball.
    Jump(BallName),
    /// A foul of a custom game, as part of a sentence, such as "the cue ball hit no ball". It is shown as it is, unless
    /// the window's language has a translation for it.
    Own(&'static str),
}

impl From<&'static str> for Foul {
    fn from(text: &'static str) -> Self {
        Self::Own(text)
    }
}

impl Foul {
    /// The text, as part of a sentence.
    #[must_use]
    pub fn sentence(self) -> Sentence<'static> {
        match self {
            Self::NoHit => mark("the cue ball hit no ball").into(),
            Self::WrongBallFirst(ball) => Sentence::new(mark("the {} was hit first and was not on"), [ball.into()]),
            Self::NoCushion => mark("no ball was potted or reached a cushion after the hit").into(),
            Self::Scratch(_) => mark("the cue ball was potted").into(),
            Self::OffTable(ball) => Sentence::new(mark("the {} left the table"), [ball.into()]),
            Self::WrongBallPotted(ball) => Sentence::new(mark("the {} was potted and was not on"), [ball.into()]),
            Self::PlayedBehindHeadString(ball) => Sentence::new(
                mark("the {} behind the head string was hit first, before the cue ball left that area"),
                [ball.into()],
            ),
            Self::IllegalBreak => mark("the break potted no counting ball and drove too few balls to a cushion").into(),
            Self::ThirdFoul => mark("it was the third foul in a row").into(),
            Self::OutOfOrder => mark("the ball was played out of order").into(),
            Self::SnookeredByFreeBall => mark("the other player is snookered behind the free ball").into(),
            Self::NotNominated => mark("no ball was nominated").into(),
            Self::OtherCueBallHit => mark("the other player's cue ball was hit").into(),
            Self::StayedInCorner => mark("both object balls have stayed in the corner").into(),
            Self::PushStroke(ball) => {
                Sentence::new(mark("the cue ball touched the {} and was not played away from it"), [ball.into()])
            }
            Self::Jump(ball) => Sentence::new(mark("the cue ball jumped over the {}"), [ball.into()]),
            Self::Own(text) => text.into(),
        }
    }

    /// The ball that the sentence names, if any.
    #[must_use]
    pub fn ball(self) -> Option<BallName> {
        match self {
            Self::WrongBallFirst(ball)
            | Self::OffTable(ball)
            | Self::WrongBallPotted(ball)
            | Self::PlayedBehindHeadString(ball)
            | Self::PushStroke(ball)
            | Self::Jump(ball) => Some(ball),
            _ => None,
        }
    }
}

impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.sentence())
    }
}
