//! Messages of the rules besides fouls and points, as values. The display turns them into words.
//! [`Display`](fmt::Display) gives their English.

use std::{borrow::Cow, fmt};

use super::{Sentence, sentence::Filling};
use crate::{billiards::tables::BallName, notice::mark};

/// A message about a shot or a choice besides fouls and points.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Remark {
    /// It was the second foul in a row. A third one has a further penalty.
    SecondFoul,
    /// This ball, which fell or left the table, is spotted.
    Spotted(BallName),
    /// The break drove too few balls to a rail, which is not a foul. The opponent chooses.
    IllegalBreak,
    /// A ball fell that was not called, or not this way. The turn passes.
    NotAsCalled,
    /// The cue ball hit no ball.
    HitNoBall,
    /// The cue ball hit only one of the two required balls.
    HitOneBall,
    /// The cushions before the second ball, and the required number.
    TooFewCushions(u8, u8),
    /// The 8 fell on the break, and the player at the table chooses.
    EightOnBreak,
    /// The 8 fell on the break, and the same player breaks again.
    EightBreaksAgain,
    /// The player at the table has taken the solids. The opponent has the stripes.
    TakesSolids,
    /// The player at the table has taken the stripes. The opponent has the solids.
    TakesStripes,
    /// The 8 left the table, and the rack is lost.
    EightOffTable,
    /// The 8 was potted with a foul, and the rack is lost.
    EightWithFoul,
    /// The 8 was potted too early, and the rack is lost.
    EightTooEarly,
    /// The 8 fell into a pocket that was not called, and the rack is lost.
    EightUncalled,
    /// It was a push-out. The opponent chooses who shoots.
    PushOut,
    /// A ball fell without the right call. The opponent chooses who shoots.
    PottedUncalled,
    /// Fourteen balls are racked again.
    FourteenRacked,
    /// All fifteen balls are racked again.
    FifteenRacked,
    /// All balls are racked, and the same player breaks again.
    BreaksAgain,
    /// The next stroke may be played at any ball.
    FreeBall,
    /// The foul was also a miss.
    Miss,
    /// A third miss will lose the frame.
    ThirdMissLoses,
    /// It was the third miss in a row with a ball on in full sight, which loses the frame.
    ThirdMiss,
    /// The scores are level, and the black is re-spotted.
    BlackRespotted,
    /// The opponent has the equalising inning.
    EqualisingInning,
    /// The shot would have made the last point, which needs three cushions.
    LastByThreeCushions,
    /// A stone of this side touched a board and is out of play.
    StoneTouchedBoard(BallName),
    /// A stone of this side lies beyond the back line and is out of play.
    StoneBeyondBackLine(BallName),
    /// A stone of this side lies short of the hog line and is out of play.
    StoneShort(BallName),
    /// This many stones of this side score.
    StonesCount(BallName, u8),
    /// No stone scores, and the hammer stays.
    BlankEnd,
    /// The score is level after the last end, and an extra end follows.
    ExtraEnd,
    /// The score is still level after the last extra end, and the side of the nearest stone wins.
    NearestStoneWins(BallName),
    /// The score is still level after the last extra end. No stone is on the sheet, so the side without the hammer
    /// wins.
    WithoutHammerWins,
    /// The cue ball was potted, which is not a foul here. It comes back.
    CueBallPotted,
    /// This ball left the table, which is not a foul here.
    LeftTable(BallName),
    /// The cue ball was to jump over this ball and did not.
    NotJumped(BallName),
    /// This ball was to be potted and was not.
    NotPotted(BallName),
    /// This ball was potted in a pocket that does not count.
    OtherPocket(BallName),
    /// This ball came to rest this many millimetres outside its nearest target.
    BesideTarget(BallName, u32),
    /// A cushion was not reached that had to be.
    CushionNotReached,
    /// A cushion was touched that must not be.
    CushionTouched,
    /// An attempt at a drill made these points.
    AttemptScored(i32),
    /// A drill is over with the first number of points. The second one passes.
    DrillOver(i32, i32),
    /// A message of a custom game. The sentence is shown as it is, unless the window's language has a translation for
    /// it.
    Own(Cow<'static, str>),
}

impl Remark {
    /// The text, a sentence.
    #[must_use]
    pub fn sentence(&self) -> Sentence<'_> {
        match self {
            Self::SecondFoul => mark("That is the second foul in a row. A third is a serious foul.").into(),
            Self::Spotted(ball) => Sentence::new(mark("The {} is spotted."), [(*ball).into()]),
            Self::IllegalBreak => {
                mark("Illegal break: no ball was potted, and fewer than four reached a rail. The other player chooses.")
                    .into()
            }
            Self::NotAsCalled => mark("The ball was not potted as called. The turn passes.").into(),
            Self::HitNoBall => mark("No ball was hit.").into(),
            Self::CueBallPotted => mark("The cue ball went into a pocket.").into(),
            Self::LeftTable(ball) => Sentence::new(mark("The {} left the table."), [(*ball).into()]),
            Self::NotJumped(ball) => Sentence::new(mark("The cue ball did not jump over the {}."), [(*ball).into()]),
            Self::HitOneBall => mark("Only one ball was hit.").into(),
            Self::TooFewCushions(had, needed) => Sentence::new(
                mark("Cushions before the second ball: {} of {}."),
                [Filling::text(had), Filling::text(needed)],
            ),
            Self::EightOnBreak => {
                mark("The 8 was potted on the break. The player at the table can spot it or break again.").into()
            }
            Self::EightBreaksAgain => mark("The 8 was potted on the break. The rack is broken again.").into(),
            Self::TakesSolids => mark("The player at the table has solids, the other player stripes.").into(),
            Self::TakesStripes => mark("The player at the table has stripes, the other player solids.").into(),
            Self::EightOffTable => mark("The 8 left the table: the rack is lost.").into(),
            Self::EightWithFoul => mark("The 8 was potted with a foul: the rack is lost.").into(),
            Self::EightTooEarly => mark("The 8 was potted too early: the rack is lost.").into(),
            Self::EightUncalled => mark("The 8 was not potted in the called pocket: the rack is lost.").into(),
            Self::PushOut => mark("Push-out: the other player chooses who shoots now.").into(),
            Self::PottedUncalled => {
                mark("A ball was not potted as called: the other player chooses who shoots now.").into()
            }
            Self::FourteenRacked => mark("Fourteen balls are racked again.").into(),
            Self::FifteenRacked => mark("All fifteen balls are racked again.").into(),
            Self::BreaksAgain => mark("All balls are racked, and the player breaks again.").into(),
            Self::FreeBall => mark("Free ball.").into(),
            Self::Miss => mark("Foul and a miss.").into(),
            Self::ThirdMissLoses => mark("A third miss loses the frame.").into(),
            Self::ThirdMiss => mark("The third miss in a row with a ball on fully visible: the frame is lost.").into(),
            Self::BlackRespotted => {
                mark("The scores are level. The black is re-spotted, and the next score or foul ends the frame.").into()
            }
            Self::EqualisingInning => {
                mark("The other player has the equalising inning, from the starting position.").into()
            }
            Self::LastByThreeCushions => mark("The last point takes three cushions before the second red.").into(),
            Self::StoneTouchedBoard(side) => {
                Sentence::new(mark("A {} stone touched a board and is out."), [(*side).into()])
            }
            Self::StoneBeyondBackLine(side) => {
                Sentence::new(mark("A {} stone is beyond the back line and is out."), [(*side).into()])
            }
            Self::StoneShort(side) => {
                Sentence::new(mark("A {} stone is short of the hog line and is out."), [(*side).into()])
            }
            Self::StonesCount(side, 1) => Sentence::new(mark("1 {} stone counts."), [(*side).into()]),
            Self::StonesCount(side, count) => {
                Sentence::new(mark("{} {} stones count."), [Filling::text(count), (*side).into()])
            }
            Self::BlankEnd => mark("Blank end: the hammer stays.").into(),
            Self::ExtraEnd => mark("The score is level. An extra end is played.").into(),
            Self::NearestStoneWins(side) => {
                Sentence::new(mark("The score stays level: the nearest stone is {} and wins."), [(*side).into()])
            }
            Self::WithoutHammerWins => mark("The score stays level: the side without the hammer wins.").into(),
            Self::NotPotted(ball) => Sentence::new(mark("The {} was not potted."), [(*ball).into()]),
            Self::OtherPocket(ball) => {
                Sentence::new(mark("The {} was potted in a pocket that does not count."), [(*ball).into()])
            }
            Self::BesideTarget(ball, millimetres) => Sentence::new(
                mark("The {} stopped {} mm outside the target."),
                [(*ball).into(), Filling::text(millimetres)],
            ),
            Self::CushionNotReached => mark("A cushion was missed that the drill asks for.").into(),
            Self::CushionTouched => mark("A cushion was touched that the drill forbids.").into(),
            Self::AttemptScored(points) => Sentence::new(mark("Points for this attempt: {}."), [Filling::text(points)]),
            Self::DrillOver(score, pass) if score >= pass => Sentence::new(
                mark("The drill is passed: {} points, {} needed."),
                [Filling::text(score), Filling::text(pass)],
            ),
            Self::DrillOver(score, pass) => Sentence::new(
                mark("The drill is not passed: {} points, {} needed."),
                [Filling::text(score), Filling::text(pass)],
            ),
            Self::Own(text) => text.as_ref().into(),
        }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.sentence())
    }
}

impl From<&'static str> for Remark {
    fn from(text: &'static str) -> Self {
        Self::Own(text.into())
    }
}

impl From<String> for Remark {
    fn from(text: String) -> Self {
        Self::Own(text.into())
    }
}

/// A short note on a player's state, for a scoreboard.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Note {
    /// Neither player has a group yet.
    OpenTable,
    /// The player's group is the solids, 1 to 7.
    Solids,
    /// The player's group is the stripes, 9 to 15.
    Stripes,
    /// The player has to hit this ball first.
    PlaysAt(BallName),
    /// The number of fouls in a row, at least 1.
    Fouls(u8),
    /// The points still needed to win.
    ToGo(i32),
    /// The number of innings, including the current one.
    Innings(u32),
    /// The average of these points in these innings, of which there is at least one.
    Average {
        /// The points.
        points: i32,
        /// The innings.
        innings: u32,
    },
    /// The longest break, points.
    LongestRun(i32),
    /// The player needs the last point, which takes three cushions.
    LastByThreeCushions,
    /// A ball of this name is on.
    BallOn(BallName),
    /// Any colour is on.
    ColourOn,
    /// There is a free ball.
    FreeBall,
    /// The respotted black decides.
    BlackRespotted,
    /// The points that can still be made without fouls.
    PointsOnTable(i32),
    /// The player is behind by more than can be made without fouls.
    NeedsSnookers,
    /// The side, named after its balls.
    Side(BallName),
    /// The current end and the number of ends.
    End {
        /// The number of the end, from 1.
        number: u8,
        /// The number of ends.
        of: u8,
    },
    /// An extra end.
    ExtraEnd,
    /// The number of stones left.
    StonesLeft(u8),
    /// This side has the last stone of the end.
    Hammer,
    /// The current attempt at a drill and the number of attempts.
    Attempt {
        /// The number of the attempt, from 1.
        number: u32,
        /// The number of attempts.
        of: u32,
    },
    /// A note of a custom game, as in [`Remark::Own`].
    Own(Cow<'static, str>),
}

impl Note {
    /// The value of an average, in points per inning; 0 for every other note.
    #[must_use]
    pub fn average(&self) -> f64 {
        match *self {
            Self::Average { points, innings } => f64::from(points) / f64::from(innings.max(1)),
            _ => 0.0,
        }
    }

    /// The text, in a few words.
    #[must_use]
    pub fn sentence(&self) -> Sentence<'_> {
        match self {
            Self::OpenTable => mark("open table").into(),
            Self::Solids => mark("solids").into(),
            Self::Stripes => mark("stripes").into(),
            Self::PlaysAt(ball) => Sentence::new(mark("on the {}"), [(*ball).into()]),
            Self::Fouls(1) => mark("on one foul").into(),
            Self::Fouls(2) => mark("on two fouls").into(),
            Self::Fouls(count) => Sentence::new(mark("on {} fouls"), [Filling::text(count)]),
            Self::ToGo(points) => Sentence::new(mark("{} to go"), [Filling::text(points)]),
            Self::Innings(1) => mark("1 inning").into(),
            Self::Innings(innings) => Sentence::new(mark("{} innings"), [Filling::text(innings)]),
            Self::Average { .. } => {
                Sentence::new(mark("average {}"), [Filling::text(format_args!("{:.3}", self.average()))])
            }
            Self::LongestRun(points) => Sentence::new(mark("longest break {}"), [Filling::text(points)]),
            Self::LastByThreeCushions => mark("three cushions for the last point").into(),
            Self::BallOn(ball) => Sentence::new(mark("{} on"), [(*ball).into()]),
            Self::ColourOn => mark("colour on").into(),
            Self::FreeBall => mark("free ball").into(),
            Self::BlackRespotted => mark("re-spotted black").into(),
            Self::PointsOnTable(points) => Sentence::new(mark("{} points on the table"), [Filling::text(points)]),
            Self::NeedsSnookers => mark("needs snookers").into(),
            Self::Side(ball) => Sentence::new("{}", [(*ball).into()]),
            Self::End { number, of } => Sentence::new(mark("end {} of {}"), [Filling::text(number), Filling::text(of)]),
            Self::ExtraEnd => mark("extra end").into(),
            Self::StonesLeft(1) => mark("1 stone left").into(),
            Self::StonesLeft(count) => Sentence::new(mark("{} stones left"), [Filling::text(count)]),
            Self::Hammer => mark("hammer").into(),
            Self::Attempt { number, of } => {
                Sentence::new(mark("attempt {} of {}"), [Filling::text(number), Filling::text(of)])
            }
            Self::Own(text) => text.as_ref().into(),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.sentence())
    }
}

impl From<&'static str> for Note {
    fn from(text: &'static str) -> Self {
        Self::Own(text.into())
    }
}

impl From<String> for Note {
    fn from(text: String) -> Self {
        Self::Own(text.into())
    }
}
