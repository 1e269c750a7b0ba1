//! The numbers of a table, as they stand in a file of `assets/tables`. Plain data: metres, kilograms, seconds, and
//! degrees for the cut angles.

use bevy::math::DVec2;
use serde::{Deserialize, Serialize};

use super::racks::Rack;
use crate::collision::spin::{
    Cloth, Shape, TablePhysics,
    cushion::{Cushion, CushionRestitution},
};

/// A billiard table. [`TableSpec::check`] tells whether its numbers make sense, [`build`](super::build) makes the
/// table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableSpec {
    /// A name for people.
    pub title: String,
    /// From the nose of one end cushion to that of the other, metres.
    pub length: f64,
    /// From the nose of one side cushion to that of the other, metres; no more than the length.
    pub width: f64,
    /// From the nose of a cushion to its back line, where the rubber ends and the wood of the rail begins, metres.
    pub cushion_width: f64,
    /// From the nose of a cushion to the outer edge of the table, metres.
    pub rail_width: f64,
    /// How high the nose of a cushion lies above the cloth, metres; between the middle and the top of a ball.
    pub nose_height: f64,
    /// The pockets. Default: none, as on a carom table.
    #[serde(default)]
    pub pockets: Option<PocketsSpec>,
    /// The balls.
    pub ball: BallSpec,
    /// The cloth.
    pub cloth: ClothSpec,
    /// What the cushions do to a ball.
    pub cushion: CushionSpec,
    /// The marked spots. Default: none.
    #[serde(default)]
    pub spots: Vec<Spot>,
    /// Where the head string lies, x in metres. Default: there is none.
    #[serde(default)]
    pub head_string: Option<f64>,
    /// The baulk line and the D of a snooker table. Default: there are none.
    #[serde(default)]
    pub baulk: Option<BaulkSpec>,
    /// The sights on the rails. Default: none.
    #[serde(default)]
    pub sights: Option<SightsSpec>,
    /// More lines across the table. Default: none.
    #[serde(default)]
    pub lines: Vec<LineSpec>,
    /// Circles on the cloth. Default: none.
    #[serde(default)]
    pub circles: Vec<CircleSpec>,
    /// The racks that belong to the table, the usual one first. Default: none.
    #[serde(default)]
    pub racks: Vec<Rack>,
}

/// The six pockets of a table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PocketsSpec {
    /// Those in the corners.
    pub corner: PocketSpec,
    /// Those in the middle of the long sides.
    pub side: PocketSpec,
    /// Coefficient of restitution between a ball and the liner, 0 to 1. Default: 0.2.
    #[serde(default = "default_liner_restitution")]
    pub liner_restitution: f64,
}

fn default_liner_restitution() -> f64 {
    0.2
}

/// One kind of pocket.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PocketSpec {
    /// From tip to tip, metres: the tips are where the line of the nose and the jaw face would meet if they were not
    /// rounded.
    pub mouth: f64,
    /// The cut angle: the angle inside of the cushion between its nose and its jaw face, degrees. At 135 the faces of a
    /// corner pocket are parallel, at 90 those of a side pocket; above, the pocket narrows toward its hole.
    pub angle: f64,
    /// How far behind the corner of the nose lines (for a side pocket: behind the nose line) the centre of the hole
    /// lies, metres.
    pub depth: f64,
    /// The radius of the hole, metres. A ball drops once its centre is inside.
    pub radius: f64,
    /// The radius of the rounded tips, metres; 0 leaves them sharp.
    pub jaw_radius: f64,
    /// The radius of the liner, metres: it runs in a circle from the end of one jaw around the back of the pocket to
    /// the end of the other.
    pub liner_radius: f64,
}

/// The balls of a table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BallSpec {
    /// Radius, metres.
    pub radius: f64,
    /// Mass, kilograms.
    pub mass: f64,
    /// Coefficient of restitution between two balls, 0 to 1. Default: 0.95.
    #[serde(default = "default_ball_restitution")]
    pub restitution: f64,
    /// What they are: `Ball`, or `Flat` for flat discs, which slide and do not roll. Default: `Ball`.
    #[serde(default)]
    pub shape: Shape,
}

fn default_ball_restitution() -> f64 {
    0.95
}

/// What the cloth does to a ball. `g` is the acceleration of fall.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClothSpec {
    /// Coefficient of sliding friction: a ball that slides is slowed by this times `g`.
    pub sliding: f64,
    /// Coefficient of rolling friction: a ball that rolls is slowed by this times `g`.
    pub rolling: f64,
    /// By how much the spin about the vertical axis slows down, rad/s².
    pub spin_deceleration: f64,
}

/// What the cushions do to a ball.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CushionSpec {
    /// Coefficient of restitution, 0 to 1.
    pub restitution: f64,
    /// Coefficient of friction between the ball and the cloth of the nose.
    pub friction: f64,
}

/// A marked place on the cloth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spot {
    /// Its name: `foot`, `head`, `centre`; on a snooker table the colour that belongs there; on a carom table also
    /// `left` and `right`, beside the head spot as the player sees them who looks along the table from there.
    pub name: String,
    /// Where it is in the frame of the table, metres.
    pub place: DVec2,
}

/// A line across the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineSpec {
    /// Its name, by which the rules of a game know it.
    pub name: String,
    /// Where it lies, x in metres.
    pub x: f64,
}

/// A circle on the cloth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CircleSpec {
    /// Its middle in the frame of the table, metres.
    pub place: DVec2,
    /// Its radius, metres.
    pub radius: f64,
}

/// Baulk, on a snooker table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaulkSpec {
    /// Where the baulk line lies, x in metres. Baulk is the part of the table with a smaller x.
    pub line: f64,
    /// The radius of the D, a half circle around the middle of the line, on the side of baulk, metres.
    pub radius: f64,
}

/// The sights on the rails: they divide the sides into equal parts. Where there is a pocket there is none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SightsSpec {
    /// Into how many parts they divide a long side. Default: 8.
    #[serde(default = "default_parts_long")]
    pub parts_long: u32,
    /// Into how many parts they divide a short side. Default: 4.
    #[serde(default = "default_parts_short")]
    pub parts_short: u32,
    /// How far behind the nose their centres lie, metres.
    pub behind_nose: f64,
    /// What they look like.
    pub shape: SightShape,
}

fn default_parts_long() -> u32 {
    8
}

fn default_parts_short() -> u32 {
    4
}

/// What a sight looks like.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum SightShape {
    /// A round dot.
    Round {
        /// Its diameter, metres.
        diameter: f64,
    },
    /// A diamond whose longer diagonal points to the table.
    Diamond {
        /// The longer diagonal, metres.
        length: f64,
        /// The shorter diagonal, metres.
        width: f64,
    },
}

impl TableSpec {
    /// What its cloth, balls and cushions do to balls; the restitution between balls is no part of it.
    #[must_use]
    pub fn physics(&self) -> TablePhysics {
        let Self { ball, cloth, cushion, nose_height, .. } = self;
        TablePhysics {
            cloth: Cloth {
                sliding: cloth.sliding as f32,
                rolling: cloth.rolling as f32,
                spinning: cloth.spin_deceleration as f32,
                ..Cloth::default()
            },
            cushion: Cushion {
                nose_height: (nose_height / (2.0 * ball.radius)) as f32,
                friction: cushion.friction as f32,
                cloth_friction: cloth.sliding as f32,
                restitution: CushionRestitution::Constant(cushion.restitution as f32),
                ..Cushion::default()
            },
            ..TablePhysics::default()
        }
    }

    /// Where the line across the table of this name lies, if there is one, x in metres.
    #[must_use]
    pub fn line(&self, name: &str) -> Option<f64> {
        self.lines.iter().find(|line| line.name == name).map(|line| line.x)
    }

    /// The place of the spot of this name, if there is one, metres.
    #[must_use]
    pub fn spot(&self, name: &str) -> Option<DVec2> {
        self.spots.iter().find(|spot| spot.name == name).map(|spot| spot.place)
    }
}
