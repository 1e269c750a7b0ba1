//! The initial positions of the balls in a game. Choices that the rules leave open are always the same here. The rules
//! are those of three associations:
//! - the World Pool-Billiard Association (WPA)
//! - the World Professional Billiards and Snooker Association (WPBSA)
//! - the Union Mondiale de Billard (UMB)

use std::fmt;

use bevy::{
    math::{DVec2, dvec2},
    prelude::*,
};
use serde::{Deserialize, Serialize};

use super::spec::TableSpec;

/// The balls at the start of a game, by the name of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Rack {
    /// Fifteen balls in a triangle, the apex on the foot spot. The 8 is in the middle of the third row, with a solid
    /// and a striped ball in the rear corners.
    EightBall,
    /// Nine balls in a diamond: the 1 on the foot spot, the 9 in the middle.
    NineBall,
    /// Ten balls in a triangle: the 1 on the foot spot, the 10 in the middle, 2 and 3 in the rear corners.
    TenBall,
    /// Fifteen balls in a triangle, the apex on the foot spot, in the order of their numbers, as for 14.1.
    FifteenBall,
    /// Fifteen reds behind the pink, and the colours on their spots.
    Snooker,
    /// The red ball on the foot spot, the ball of the other player on the head spot, the cue ball beside it.
    StraightRail,
    /// As in straight rail.
    ThreeCushion,
}

/// The identity of a ball. A game may add it to its balls as a component; nothing here reads it.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum BallName {
    /// The white ball of the player who starts.
    Cue,
    /// An object ball of pool, 1 to 15; 9 to 15 are striped.
    Number(u8),
    /// Red: fifteen of them in snooker, one in carom.
    Red,
    /// Yellow: a colour in snooker, the cue ball of the other player in carom.
    Yellow,
    /// Green, a colour in snooker.
    Green,
    /// Brown, a colour in snooker.
    Brown,
    /// Blue, a colour in snooker.
    Blue,
    /// Pink, a colour in snooker.
    Pink,
    /// Black, a colour in snooker.
    Black,
}

/// A ball at its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RackedBall {
    /// Its name.
    pub name: BallName,
    /// The position of its centre, metres.
    pub place: DVec2,
}

/// The balls of a triangle of 8-ball, row by row from the apex. The 8 is in the middle, with a solid and a striped ball
/// in the two rear corners. The rest is in an order that the WPA leaves open.
pub(crate) const EIGHT_BALL: [u8; 15] = [1, 9, 2, 10, 8, 3, 11, 4, 12, 5, 6, 13, 14, 7, 15];
const NINE_BALL: [u8; 9] = [1, 3, 4, 5, 9, 6, 7, 8, 2];
const TEN_BALL: [u8; 10] = [1, 4, 5, 6, 10, 7, 2, 8, 9, 3];
const FIFTEEN_BALL: [u8; 15] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// The number of balls in each row.
const TRIANGLE: [u8; 5] = [1, 2, 3, 4, 5];
const DIAMOND: [u8; 5] = [1, 2, 3, 2, 1];

/// The distance of the first red from the pink, beyond the gap, metres: as close as possible without touching.
const PINK_TO_RED: f64 = 0.001;

const COLOURS: [(&str, BallName); 6] = [
    ("yellow", BallName::Yellow),
    ("green", BallName::Green),
    ("brown", BallName::Brown),
    ("blue", BallName::Blue),
    ("pink", BallName::Pink),
    ("black", BallName::Black),
];

impl Rack {
    /// All racks.
    pub const ALL: [Self; 7] = [
        Self::EightBall,
        Self::NineBall,
        Self::TenBall,
        Self::FifteenBall,
        Self::Snooker,
        Self::StraightRail,
        Self::ThreeCushion,
    ];

    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::EightBall => "eight-ball",
            Self::NineBall => "nine-ball",
            Self::TenBall => "ten-ball",
            Self::FifteenBall => "fifteen-ball",
            Self::Snooker => "snooker",
            Self::StraightRail => "straight-rail",
            Self::ThreeCushion => "three-cushion",
        }
    }

    /// The spots that it requires.
    #[must_use]
    pub fn spots(self) -> &'static [&'static str] {
        match self {
            Self::EightBall | Self::NineBall | Self::TenBall | Self::FifteenBall => &["foot", "head"],
            Self::Snooker => &["yellow", "green", "brown", "blue", "pink", "black"],
            Self::StraightRail | Self::ThreeCushion => &["foot", "head", "right"],
        }
    }

    /// The positions of the balls on a table, the cue ball first; the rims of adjacent balls are `gap` metres apart.
    /// `None` if the table lacks one of [the spots](Rack::spots).
    #[must_use]
    pub fn balls(self, table: &TableSpec, gap: f64) -> Option<Vec<RackedBall>> {
        let at = |spot: &str, name| table.spot(spot).map(|place| RackedBall { name, place });
        let numbers = |rows: &[u8], order: &[u8]| {
            let places = rows_of_balls(rows, table.spot("foot")?, 2.0 * table.ball.radius + gap);
            let object = places.zip(order).map(|(place, &number)| RackedBall { name: BallName::Number(number), place });
            Some([at("head", BallName::Cue)?].into_iter().chain(object).collect())
        };
        match self {
            Self::EightBall => numbers(&TRIANGLE, &EIGHT_BALL),
            Self::NineBall => numbers(&DIAMOND, &NINE_BALL),
            Self::TenBall => numbers(&TRIANGLE[..4], &TEN_BALL),
            Self::FifteenBall => numbers(&TRIANGLE, &FIFTEEN_BALL),
            Self::Snooker => {
                // In the D, halfway between brown and yellow.
                let cue = 0.5 * (table.spot("brown")? + table.spot("yellow")?);
                let pitch = 2.0 * table.ball.radius + gap;
                let first = table.spot("pink")? + dvec2(pitch + PINK_TO_RED, 0.0);
                let reds =
                    rows_of_balls(&TRIANGLE, first, pitch).map(|place| RackedBall { name: BallName::Red, place });
                let colours = COLOURS.map(|(spot, name)| at(spot, name));
                let colours: Option<Vec<RackedBall>> = colours.into_iter().collect();
                Some([RackedBall { name: BallName::Cue, place: cue }].into_iter().chain(reds).chain(colours?).collect())
            }
            Self::StraightRail | Self::ThreeCushion => {
                Some(vec![at("right", BallName::Cue)?, at("head", BallName::Yellow)?, at("foot", BallName::Red)?])
            }
        }
    }
}

/// Rows with these numbers of balls, one behind the other along x, the first ball at `first`; the centres of neighbours
/// are `pitch` apart, metres.
fn rows_of_balls(rows: &[u8], first: DVec2, pitch: f64) -> impl Iterator<Item = DVec2> {
    let row_pitch = pitch * 0.75_f64.sqrt();
    let places = rows.iter().zip(0_u8..).flat_map(|(&count, row)| (0..count).map(move |place| (row, count, place)));
    places.map(move |(row, count, place)| {
        let aside = (f64::from(place) - 0.5 * f64::from(count - 1)) * pitch;
        first + dvec2(f64::from(row) * row_pitch, aside)
    })
}

impl TryFrom<String> for Rack {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Self::ALL.into_iter().find(|rack| rack.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            format!("there is no rack `{name}`; the racks are {known}")
        })
    }
}

impl From<Rack> for String {
    fn from(rack: Rack) -> Self {
        rack.name().to_owned()
    }
}

impl fmt::Display for BallName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Cue => "cue ball",
            Self::Number(number) => return write!(f, "{number}"),
            Self::Red => "red",
            Self::Yellow => "yellow",
            Self::Green => "green",
            Self::Brown => "brown",
            Self::Blue => "blue",
            Self::Pink => "pink",
            Self::Black => "black",
        };
        f.write_str(name)
    }
}
