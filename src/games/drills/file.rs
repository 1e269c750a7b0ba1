//! A drill as a data file, in the dialect of table files.

use ron::{extensions::Extensions, ser::PrettyConfig};
use serde::{Deserialize, Serialize};

use crate::{
    billiards::tables::{BallName, TableError},
    games::rules::Region,
    ron_text::{self, SyntaxError},
};

/// A drill as in a file of `assets/drills`. [`LaidDrill::new`](super::LaidDrill::new) checks it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drill {
    /// The displayed name.
    pub title: String,
    /// The task, in one or two sentences.
    pub description: String,
    /// Where the drill comes from. It says `unconfirmed` if the original was not seen.
    pub source: String,
    /// The shipped tables for the drill, the usual one first.
    pub tables: Vec<String>,
    /// The unit of all lengths in the file. Default: diamonds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unit: Unit,
    /// What one attempt is. Default: one shot.
    #[serde(default, skip_serializing_if = "is_default")]
    pub attempt: Attempt,
    /// The number of attempts, 1 to 1000.
    pub attempts: u32,
    /// The score of all attempts that passes.
    pub pass: i32,
    /// The points of a shot that meets all demands, 0 or more. Points of targets are added. Default: 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub points: i32,
    /// The demands on each shot. A shot that does not meet all of them scores nothing. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub demands: Vec<Demand>,
    /// The targets for balls at rest. For each ball, the best target counts. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<TargetSpec>,
    /// The positions. Each attempt takes the next one, and the first follows the last.
    pub positions: Vec<Position>,
}

fn one() -> i32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference.
fn is_one(points: &i32) -> bool {
    *points == one()
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A position of a drill.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The balls. The first is the one to strike.
    pub balls: Vec<(BallName, Place)>,
    /// Further demands in this position. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub demands: Vec<Demand>,
    /// Further targets in this position. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<TargetSpec>,
}

/// The unit of lengths. The origin is always the middle of the table, with the foot end at +x.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    /// An eighth of the length between the noses. The noses are at x = ±4, and y = ±2 on a table of two squares.
    #[default]
    Diamonds,
    /// Metres.
    Metres,
}

/// What one attempt is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Attempt {
    /// One shot.
    #[default]
    Shot,
    /// Shots until one scores nothing, no object ball is left, or 100 shots were played. The balls stay where they come
    /// to rest.
    Run,
}

/// The place of a ball in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Place {
    /// Its centre is here. Within a ball's radius of a cushion, the ball is frozen to it.
    At(f64, f64),
    /// On this spot of the table.
    Spot(String),
    /// In hand, to be placed in this region. Only the ball to strike may be.
    Hand(Region),
}

/// A demand on a shot. Potting the struck ball or driving a ball off the table is always a foul.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Demand {
    /// This ball is potted.
    Pot {
        /// The ball.
        ball: BallName,
        /// The names of the pockets that count, such as `top left corner`. Default: all.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pockets: Vec<String>,
    },
    /// Any object ball is potted.
    PotAny,
    /// The first ball hit is the one with the lowest number, and it is potted.
    PotLowest,
    /// This ball is hit first.
    HitFirst(BallName),
    /// The struck ball touches at least this many cushions before its first hit of a ball: a kick shot.
    Kick(u8),
    /// This ball touches at least as many cushions before it is potted: a bank shot.
    Bank(BallName, u8),
    /// The struck ball hits two other balls, with at least this many cushions before the second.
    Cannon(u8),
    /// The struck ball jumps over this ball before it hits another.
    JumpOver(BallName),
    /// The struck ball touches this cushion, such as `right cushion`.
    Touch(String),
    /// The struck ball touches none of these cushions. An empty list means all cushions.
    Avoid(Vec<String>),
}

/// A target for a ball at rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetSpec {
    /// The ball.
    pub ball: BallName,
    /// The area for its centre.
    pub area: AreaSpec,
    /// How far outside the area the centre may be, in the drill's unit. Default: 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tolerance: f64,
    /// The points for it, at least 1. Default: 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub points: i32,
}

/// An area, in the drill's unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum AreaSpec {
    /// A circle around a place.
    Circle {
        /// The coordinates of its centre.
        centre: (f64, f64),
        /// Its radius.
        radius: f64,
    },
    /// A circle around a spot of the table.
    AroundSpot {
        /// The name of the spot.
        spot: String,
        /// Its radius.
        radius: f64,
    },
    /// A rectangle along the sides of the table.
    Rectangle {
        /// A corner.
        from: (f64, f64),
        /// The opposite corner.
        to: (f64, f64),
    },
}

/// An error in a drill.
#[derive(thiserror::Error, Clone, Debug, PartialEq)]
pub enum DrillError {
    /// The text is not a drill.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// A value is invalid on the table.
    #[error("{field}: {problem}; {remedy}")]
    Value {
        /// The path of the field, such as `positions[0].balls[1]`.
        field: String,
        /// The problem.
        problem: String,
        /// What to write instead.
        remedy: String,
    },
    /// A table of the drill is invalid.
    #[error("tables: {0}")]
    Table(#[from] TableError),
    /// No shipped drill has that name.
    #[error("there is no drill `{name}`; the drills are {known}")]
    Unknown {
        /// The requested name.
        name: String,
        /// All known names.
        known: String,
    },
}

impl DrillError {
    pub(super) fn value(field: impl Into<String>, problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Value { field: field.into(), problem: problem.into(), remedy: remedy.into() }
    }
}

/// The RON dialect of drills.
fn dialect() -> ron::Options {
    ron::Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME)
        .with_default_extension(Extensions::UNWRAP_VARIANT_NEWTYPES)
}

impl Drill {
    /// Reads a drill. `name` identifies it in errors: a path, or a shipped name.
    ///
    /// # Errors
    /// The text is not a drill; the error gives line, column and reason. Or it names no table.
    pub fn parse(text: &str, name: &str) -> Result<Self, DrillError> {
        let drill: Self = ron_text::read(text, &dialect(), "the drill").map_err(|mistake| mistake.in_text(name))?;
        if drill.tables.is_empty() {
            return Err(DrillError::value("tables", "the list is empty", "name a table, such as \"pool-9ft\""));
        }
        Ok(drill)
    }

    /// The drill as the text of a file. [`Drill::parse`] reads it back.
    ///
    /// # Errors
    /// RON cannot write it. No drill is known to cause that.
    pub fn to_text(&self) -> Result<String, ron::Error> {
        let layout = PrettyConfig::new().indentor("  ").depth_limit(2);
        Ok(dialect().to_string_pretty(self, layout)? + "\n")
    }
}
