//! What followed from a shot or a choice: fouls, points, where balls go.

use std::fmt;

use serde::Serialize;

use super::{BallId, BallPlace, Layout, PocketId, Remark, Sentence};
use crate::{billiards::tables::BallName, notice::mark};

/// What followed from a shot or a choice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// What was against the rules.
    pub fouls: Vec<Foul>,
    /// What both players got for it, or lost.
    pub points: [i32; 2],
    /// Where balls go now: back to a spot, into the hand, or out of play.
    pub placed: Vec<(BallId, BallPlace)>,
    /// What people should know besides.
    pub remarks: Vec<Remark>,
    /// Whether the same player goes on; no where it is over.
    pub goes_on: bool,
}

impl Verdict {
    /// Puts the balls where they go.
    pub fn place(&self, layout: &mut Layout) {
        for &(ball, place) in &self.placed {
            layout[ball] = place;
        }
    }
}

/// Something against the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Foul {
    /// The cue ball hit no ball.
    NoHit,
    /// The cue ball hit this ball first, which was not on.
    WrongBallFirst(BallName),
    /// After the cue ball's first hit no ball was potted and none reached a cushion.
    NoCushion,
    /// The cue ball fell into a pocket.
    Scratch(PocketId),
    /// A ball left the table.
    OffTable(BallName),
    /// This ball was potted, which was not on.
    WrongBallPotted(BallName),
    /// The cue ball, in hand behind the head string, hit this ball, which lies there too, before it had left that part
    /// of the table.
    PlayedBehindHeadString(BallName),
    /// The break drove too few balls to a cushion, and did not pot what it had to.
    IllegalBreak,
    /// The third foul in a row.
    ThirdFoul,
    /// A red was the ball on twice in a row, or another rule of order was broken.
    OutOfOrder,
    /// The player is snookered behind the ball that was nominated as free ball.
    SnookeredByFreeBall,
    /// No ball was nominated, where one had to be.
    NotNominated,
    /// The other player's cue ball was hit, where that is not allowed.
    OtherCueBallHit,
    /// Both object balls stayed in the same corner for more points than are allowed.
    StayedInCorner,
    /// The cue ball was played at this ball, which it touched: a push stroke.
    PushStroke(BallName),
    /// Something that is against the rules of a game of one's own, as a part of a sentence such as "the cue ball hit no
    /// ball": it is shown as it is, unless the window's language has a translation of it.
    Own(&'static str),
}

impl From<&'static str> for Foul {
    fn from(text: &'static str) -> Self {
        Self::Own(text)
    }
}

impl Foul {
    /// What it says, as part of a sentence.
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
            Self::Own(text) => text.into(),
        }
    }

    /// The ball that its sentence names, if it does.
    #[must_use]
    pub fn ball(self) -> Option<BallName> {
        match self {
            Self::WrongBallFirst(ball)
            | Self::OffTable(ball)
            | Self::WrongBallPotted(ball)
            | Self::PlayedBehindHeadString(ball)
            | Self::PushStroke(ball) => Some(ball),
            _ => None,
        }
    }
}

impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.sentence())
    }
}
