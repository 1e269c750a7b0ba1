//! What rules tell people beside fouls and points, as values: whoever shows it puts it into words. Their English is
//! [`Display`](fmt::Display).

use std::{borrow::Cow, fmt};

use crate::billiards::tables::BallName;

/// What people should know of a shot or a choice, beside fouls and points.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Remark {
    /// It was the second foul in a row; a third one costs more than a foul.
    SecondFoul,
    /// This ball, which fell or left the table, is spotted.
    Spotted(BallName),
    /// Too few balls were driven to a rail by the break, which is no foul; the other player chooses what follows.
    IllegalBreak,
    /// A ball fell that was not called, or not so: the turn passes.
    NotAsCalled,
    /// The cue ball hit no ball.
    HitNoBall,
    /// The cue ball hit only one of the two that it has to hit.
    HitOneBall,
    /// So many cushions before the second ball, and so many that it takes.
    TooFewCushions(u8, u8),
    /// The 8 fell on the break, and the player at the table chooses what follows.
    EightOnBreak,
    /// The 8 fell on the break, and it is broken again.
    EightBreaksAgain,
    /// The player at the table has taken the solids, and the other has the stripes.
    TakesSolids,
    /// The player at the table has taken the stripes, and the other has the solids.
    TakesStripes,
    /// The 8 left the table, and the rack is lost.
    EightOffTable,
    /// The 8 was potted with a foul, and the rack is lost.
    EightWithFoul,
    /// The 8 was potted before its time, and the rack is lost.
    EightTooEarly,
    /// The 8 fell into a pocket that was not called, and the rack is lost.
    EightUncalled,
    /// It was a push-out, and the other player chooses who shoots.
    PushOut,
    /// A ball fell that was not called so, and the other player chooses who shoots.
    PottedUncalled,
    /// Fourteen balls are racked again.
    FourteenRacked,
    /// All fifteen balls are racked again.
    FifteenRacked,
    /// All balls are racked, and the same player breaks again.
    BreaksAgain,
    /// The next stroke may be played at any ball.
    FreeBall,
    /// The foul was a miss besides.
    Miss,
    /// A third miss will lose the frame.
    ThirdMissLoses,
    /// It was the third miss in a row with a ball on in full sight, which loses the frame.
    ThirdMiss,
    /// The scores are level, and the black is re-spotted.
    BlackRespotted,
    /// The other player has the equalising inning.
    EqualisingInning,
    /// The shot would have been the last point, which takes three cushions.
    LastByThreeCushions,
    /// A stone of this side touched a board and is out.
    StoneTouchedBoard(BallName),
    /// A stone of this side lies beyond the back line and is out.
    StoneBeyondBackLine(BallName),
    /// A stone of this side lies short of the hog line and is out.
    StoneShort(BallName),
    /// So many stones of this side count.
    StonesCount(BallName, u8),
    /// No stone counts, and the hammer stays.
    BlankEnd,
    /// The score is level after the last end, and an extra end is played.
    ExtraEnd,
    /// The score stays level after the last extra end, and the side of the nearest stone wins.
    NearestStoneWins(BallName),
    /// The score stays level after the last extra end, no stone lies on the sheet, and the side without the hammer
    /// wins.
    WithoutHammerWins,
    /// Something that a game of one's own has to say, a sentence: it is shown as it is, unless the window's language
    /// has a translation of it.
    Own(Cow<'static, str>),
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SecondFoul => "That is the second foul in a row; a third one is a serious foul.",
            Self::Spotted(ball) => return write!(f, "The {ball} is spotted."),
            Self::IllegalBreak => {
                "The break was not legal: no ball was potted, and fewer than four were driven to a rail; the other player chooses."
            }
            Self::NotAsCalled => "It was not called so: the turn passes.",
            Self::HitNoBall => "No ball was hit.",
            Self::HitOneBall => "Only one ball was hit.",
            Self::TooFewCushions(had, needed) => {
                return write!(f, "Cushions before the second ball: {had}; it takes {needed}.");
            }
            Self::EightOnBreak => {
                "The 8 fell on the break: it is spotted, or the balls are broken again, as the player at the table chooses."
            }
            Self::EightBreaksAgain => "The 8 fell on the break: it is broken again.",
            Self::TakesSolids => "The groups are chosen: the player at the table has solids, the other stripes.",
            Self::TakesStripes => "The groups are chosen: the player at the table has stripes, the other solids.",
            Self::EightOffTable => "The 8 left the table: the rack is lost.",
            Self::EightWithFoul => "The 8 was potted with a foul: the rack is lost.",
            Self::EightTooEarly => "The 8 was potted before its time: the rack is lost.",
            Self::EightUncalled => "The 8 fell into a pocket that was not called: the rack is lost.",
            Self::PushOut => "It was a push-out: the other player chooses who shoots now.",
            Self::PottedUncalled => {
                "A ball was potted that was not called so: the other player chooses who shoots now."
            }
            Self::FourteenRacked => "Fourteen balls are racked again.",
            Self::FifteenRacked => "All fifteen balls are racked again.",
            Self::BreaksAgain => "All balls are racked, and the player breaks again.",
            Self::FreeBall => "Free ball.",
            Self::Miss => "Foul and a miss.",
            Self::ThirdMissLoses => "A third miss loses the frame.",
            Self::ThirdMiss => "It was the third miss in a row with a ball on in full sight: the frame is lost.",
            Self::BlackRespotted => {
                "The scores are level: the black is re-spotted, and the next score or foul ends the frame."
            }
            Self::EqualisingInning => "The other player has the equalising inning, from the starting position.",
            Self::LastByThreeCushions => "The last point takes three cushions before the second red.",
            Self::StoneTouchedBoard(side) => return write!(f, "A {side} stone touched a board and is out."),
            Self::StoneBeyondBackLine(side) => return write!(f, "A {side} stone is beyond the back line and is out."),
            Self::StoneShort(side) => return write!(f, "A {side} stone is short of the hog line and is out."),
            Self::StonesCount(side, 1) => return write!(f, "1 {side} stone counts."),
            Self::StonesCount(side, count) => return write!(f, "{count} {side} stones count."),
            Self::BlankEnd => "It is a blank end: the hammer stays.",
            Self::ExtraEnd => "The score is level: an extra end is played.",
            Self::NearestStoneWins(side) => {
                return write!(f, "The score stays level: the nearest stone is {side} and wins.");
            }
            Self::WithoutHammerWins => "The score stays level: the side without the hammer wins.",
            Self::Own(text) => text,
        })
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

/// A short note on the state of a player, such as stands on a scoreboard.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Note {
    /// Nobody has a group yet.
    OpenTable,
    /// The group of the solids, 1 to 7.
    Solids,
    /// The group of the stripes, 9 to 15.
    Stripes,
    /// This ball has to be played at next.
    PlaysAt(BallName),
    /// So many fouls in a row, 1 or more.
    Fouls(u8),
    /// So many points are missing to the end.
    ToGo(i32),
    /// So many innings, the one that is played included.
    Innings(u32),
    /// The average of so many points in so many innings, 1 at least.
    Average {
        /// The points.
        points: i32,
        /// The innings.
        innings: u32,
    },
    /// The longest break, points.
    LongestRun(i32),
    /// The last point is to be made, which takes three cushions.
    LastByThreeCushions,
    /// A ball of this name is on.
    BallOn(BallName),
    /// Any colour is on.
    ColourOn,
    /// There is a free ball.
    FreeBall,
    /// The re-spotted black is played for.
    BlackRespotted,
    /// So many points can still be made without fouls.
    PointsOnTable(i32),
    /// The player is behind by more than can be made without fouls.
    NeedsSnookers,
    /// The side, by the name of its balls.
    Side(BallName),
    /// An end of a game of so many.
    End {
        /// Which one, from 1.
        number: u8,
        /// How many there are.
        of: u8,
    },
    /// An extra end.
    ExtraEnd,
    /// So many stones are left.
    StonesLeft(u8),
    /// The last stone of the end is this side's.
    Hammer,
    /// Something that a game of one's own has to note, as [`Remark::Own`].
    Own(Cow<'static, str>),
}

impl Note {
    /// The number of an average, in points an inning; 0 for every other note.
    #[must_use]
    pub fn average(&self) -> f64 {
        match *self {
            Self::Average { points, innings } => f64::from(points) / f64::from(innings.max(1)),
            _ => 0.0,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OpenTable => "open table",
            Self::Solids => "solids",
            Self::Stripes => "stripes",
            Self::PlaysAt(ball) => return write!(f, "on the {ball}"),
            Self::Fouls(1) => "on one foul",
            Self::Fouls(2) => "on two fouls",
            Self::Fouls(count) => return write!(f, "on {count} fouls"),
            Self::ToGo(points) => return write!(f, "{points} to go"),
            Self::Innings(1) => "1 inning",
            Self::Innings(innings) => return write!(f, "{innings} innings"),
            Self::Average { .. } => return write!(f, "average {:.3}", self.average()),
            Self::LongestRun(points) => return write!(f, "longest break {points}"),
            Self::LastByThreeCushions => "three cushions for the last point",
            Self::BallOn(ball) => return write!(f, "{ball} on"),
            Self::ColourOn => "colour on",
            Self::FreeBall => "free ball",
            Self::BlackRespotted => "re-spotted black",
            Self::PointsOnTable(points) => return write!(f, "{points} points on the table"),
            Self::NeedsSnookers => "needs snookers",
            Self::Side(ball) => return write!(f, "{ball}"),
            Self::End { number, of } => return write!(f, "end {number} of {of}"),
            Self::ExtraEnd => "extra end",
            Self::StonesLeft(1) => "1 stone left",
            Self::StonesLeft(count) => return write!(f, "{count} stones left"),
            Self::Hammer => "hammer",
            Self::Own(text) => text,
        })
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
