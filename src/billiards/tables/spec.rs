//! The numbers of a table, as in a file of `assets/tables`. Plain data: metres, kilograms, seconds, and degrees for the
//! cut angles.

use bevy::math::DVec2;
use serde::{Deserialize, Serialize};

use super::racks::Rack;
use crate::collision::spin::{
    Cloth, FlightPhysics, Rails, Shape, TablePhysics,
    cushion::{Cushion, CushionRestitution},
};

/// A billiard table. [`TableSpec::check`] validates its numbers, [`build`](super::build) builds the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableSpec {
    /// The displayed name.
    pub title: String,
    /// The distance between the noses of the end cushions, metres.
    pub length: f64,
    /// The distance between the noses of the side cushions, metres; at most the length.
    pub width: f64,
    /// The distance from the nose of a cushion to its back line, where the rubber ends and the wood of the rail starts,
    /// metres.
    pub cushion_width: f64,
    /// The distance from the nose of a cushion to the outer edge of the table, metres.
    pub rail_width: f64,
    /// The height of the nose of a cushion above the cloth, metres; between the centre and the top of a ball.
    pub nose_height: f64,
    /// Coefficient of restitution between a ball and the slate, through the cloth, 0 to 1. Default: 0.5. It acts where
    /// balls fly.
    #[serde(default = "default_slate_restitution")]
    pub slate_restitution: f64,
    /// The pockets. Default: none, as on a carom table.
    #[serde(default)]
    pub pockets: Option<PocketsSpec>,
    /// The balls.
    pub ball: BallSpec,
    /// The cloth.
    pub cloth: ClothSpec,
    /// The cushions.
    pub cushion: CushionSpec,
    /// The marked spots. Default: none.
    #[serde(default)]
    pub spots: Vec<Spot>,
    /// The x coordinate of the head string, metres. Default: none.
    #[serde(default)]
    pub head_string: Option<f64>,
    /// The baulk line and the D of a snooker table. Default: none.
    #[serde(default)]
    pub baulk: Option<BaulkSpec>,
    /// The sights on the rails. Default: none.
    #[serde(default)]
    pub sights: Option<SightsSpec>,
    /// Additional lines across the table. Default: none.
    #[serde(default)]
    pub lines: Vec<LineSpec>,
    /// Circles on the cloth. Default: none.
    #[serde(default)]
    pub circles: Vec<CircleSpec>,
    /// The racks of the table, the usual one first. Default: none.
    #[serde(default)]
    pub racks: Vec<Rack>,
}

fn default_slate_restitution() -> f64 {
    f64::from(FlightPhysics::default().slate_restitution)
}

/// The six pockets of a table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PocketsSpec {
    /// The pockets in the corners.
    pub corner: PocketSpec,
    /// The pockets in the middle of the long sides.
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
    /// The distance between the tips, metres. The tips are the points where the line of the nose and the jaw face would
    /// intersect without rounding.
    pub mouth: f64,
    /// The cut angle: the angle inside the cushion between its nose and its jaw face, degrees. At 135 the faces of a
    /// corner pocket are parallel, at 90 those of a side pocket. With a larger angle the pocket narrows toward its
    /// hole.
    pub angle: f64,
    /// The distance of the centre of the hole behind the corner of the nose lines (for a side pocket: behind the nose
    /// line), metres.
    pub depth: f64,
    /// The radius of the hole, metres. A ball drops once its centre is inside.
    pub radius: f64,
    /// The radius of the rounded tips, metres; 0 leaves them sharp.
    pub jaw_radius: f64,
    /// The radius of the liner, metres. The liner is a circle from the end of one jaw around the back of the pocket to
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
    /// Their shape: `Ball`, or `Flat` for flat discs, which slide and do not roll. Default: `Ball`.
    #[serde(default)]
    pub shape: Shape,
}

fn default_ball_restitution() -> f64 {
    0.95
}

/// How the cloth acts on a ball. `g` is the acceleration of gravity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClothSpec {
    /// Coefficient of sliding friction: the deceleration of a sliding ball is this times `g`.
    pub sliding: f64,
    /// Coefficient of rolling friction: the deceleration of a rolling ball is this times `g`.
    pub rolling: f64,
    /// The deceleration of spin about the vertical axis, rad/s².
    pub spin_deceleration: f64,
}

/// How the cushions act on a ball.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CushionSpec {
    /// Coefficient of restitution, 0 to 1.
    pub restitution: f64,
    /// Coefficient of friction between the ball and the cloth on the nose.
    pub friction: f64,
}

/// A marked place on the cloth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spot {
    /// Its name: `foot`, `head`, `centre`, or on a snooker table the colour of its ball. A carom table also has `left`
    /// and `right`, beside the head spot as seen by a player there who looks along the table.
    pub name: String,
    /// Its position in the frame of the table, metres.
    pub place: DVec2,
}

/// A line across the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineSpec {
    /// Its name, as used by the rules of a game.
    pub name: String,
    /// Its x coordinate, metres.
    pub x: f64,
}

/// A circle on the cloth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CircleSpec {
    /// Its centre in the frame of the table, metres.
    pub place: DVec2,
    /// Its radius, metres.
    pub radius: f64,
}

/// Baulk, on a snooker table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaulkSpec {
    /// The x coordinate of the baulk line, metres. Baulk is the part of the table with a smaller x.
    pub line: f64,
    /// The radius of the D, a half circle around the middle of the line, on the side of baulk, metres.
    pub radius: f64,
}

/// The sights on the rails. They divide the sides into equal parts, except where there is a pocket.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SightsSpec {
    /// The number of parts of a long side. Default: 8.
    #[serde(default = "default_parts_long")]
    pub parts_long: u32,
    /// The number of parts of a short side. Default: 4.
    #[serde(default = "default_parts_short")]
    pub parts_short: u32,
    /// The distance of their centres behind the nose, metres.
    pub behind_nose: f64,
    /// Their shape.
    pub shape: SightShape,
}

fn default_parts_long() -> u32 {
    8
}

fn default_parts_short() -> u32 {
    4
}

/// The shape of a sight.
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
    /// The physics of its cloth, balls and cushions, without the restitution between balls. Every ball stays on the
    /// cloth; see [`TableSpec::flight`].
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
            rails: (ball.shape == Shape::Ball).then(|| self.rails()),
            ..TablePhysics::default()
        }
    }

    fn rails(&self) -> Rails {
        Rails {
            nose_height: self.nose_height as f32,
            length: self.length as f32,
            width: self.width as f32,
            rail_width: self.rail_width as f32,
        }
    }

    /// How its balls fly, as the `flight` of its physics.
    #[must_use]
    pub fn flight(&self) -> FlightPhysics {
        FlightPhysics { slate_restitution: self.slate_restitution as f32, ..FlightPhysics::default() }
    }

    /// Its [physics](Self::physics), with balls that fly. Flat discs never do.
    #[must_use]
    pub fn flying_physics(&self) -> TablePhysics {
        let flight = (self.ball.shape == Shape::Ball).then(|| self.flight());
        TablePhysics { flight, ..self.physics() }
    }

    /// The x coordinate of the line with this name, metres, if it exists.
    #[must_use]
    pub fn line(&self, name: &str) -> Option<f64> {
        self.lines.iter().find(|line| line.name == name).map(|line| line.x)
    }

    /// The position of the spot with this name, metres, if it exists.
    #[must_use]
    pub fn spot(&self, name: &str) -> Option<DVec2> {
        self.spots.iter().find(|spot| spot.name == name).map(|spot| spot.place)
    }
}
