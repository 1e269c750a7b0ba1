//! How a scene is displayed. Plain data: `view` draws it, the physics never reads it.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::billiards::tables::BallName;

/// A colour as scene files have it, written `"#rrggbb"`: red, green and blue in sRGB. In code, colours are Bevy's
/// [`Color`], from which and into which it converts; a file leaves out how opaque a colour is.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::scene::Hex;
/// assert_eq!(Color::from(Hex([0x33, 0x66, 0xcc])), Color::srgb_u8(0x33, 0x66, 0xcc));
/// assert_eq!(Hex::from(Color::WHITE), Hex([255, 255, 255]));
/// ```
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hex(pub [u8; 3]);

impl From<Hex> for Color {
    fn from(Hex([red, green, blue]): Hex) -> Self {
        Self::srgb_u8(red, green, blue)
    }
}

impl From<Color> for Hex {
    fn from(colour: Color) -> Self {
        Self(colour.to_srgba().to_u8_array_no_alpha())
    }
}

/// A ball identified by its colour, in snooker and carom. The theme defines the colour.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BallColour {
    /// One of the fifteen reds.
    Red,
    /// Yellow. In carom, the second player's cue ball.
    Yellow,
    /// Green.
    Green,
    /// Brown.
    Brown,
    /// Blue.
    Blue,
    /// Pink.
    Pink,
    /// Black.
    Black,
}

/// How one disc is drawn. A disc without this component gets a colour by its [`StableId`](crate::components::StableId).
///
/// ```
/// # use bevy::{color::palettes::css, prelude::*};
/// # use carom::scene::DiscLook;
/// let look = DiscLook { colour: Some(css::TOMATO.into()), number: Some(7), ..default() };
/// ```
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct DiscLook {
    /// Its colour, always opaque; none: that of the ball that it is, or one by its number in the scene.
    pub colour: Option<Color>,
    /// The ball that it is, in games that name balls by colour. The theme defines the colour.
    pub ball_colour: Option<BallColour>,
    /// The number written on it. The theme defines the colours of numbered balls.
    pub number: Option<u8>,
    /// Whether it is white with a stripe of its colour, as the balls 9 to 15.
    pub striped: bool,
    /// Whether its velocity arrow is drawn.
    pub arrow: bool,
    /// A label drawn beside it, such as `a`.
    pub label: Option<String>,
}

impl DiscLook {
    /// The look of a ball. A cue ball has neither colour nor number.
    #[must_use]
    pub fn of_ball(name: BallName) -> Self {
        let (ball_colour, number) = match name {
            BallName::Cue => (None, None),
            BallName::Number(number) => (None, Some(number)),
            BallName::Red => (Some(BallColour::Red), None),
            BallName::Yellow => (Some(BallColour::Yellow), None),
            BallName::Green => (Some(BallColour::Green), None),
            BallName::Brown => (Some(BallColour::Brown), None),
            BallName::Blue => (Some(BallColour::Blue), None),
            BallName::Pink => (Some(BallColour::Pink), None),
            BallName::Black => (Some(BallColour::Black), None),
        };
        Self { ball_colour, number, striped: number.is_some_and(|number| number > 8), ..Self::default() }
    }

    /// The ball with this look, or `None` if it has neither the colour of a ball nor a number.
    #[must_use]
    pub fn ball(&self) -> Option<BallName> {
        let by_colour = self.ball_colour.map(|colour| match colour {
            BallColour::Red => BallName::Red,
            BallColour::Yellow => BallName::Yellow,
            BallColour::Green => BallName::Green,
            BallColour::Brown => BallName::Brown,
            BallColour::Blue => BallName::Blue,
            BallColour::Pink => BallName::Pink,
            BallColour::Black => BallName::Black,
        });
        by_colour.or(self.number.map(BallName::Number))
    }
}

/// The names of the panel's sections in scene files, from top to bottom.
pub const PANEL_SECTIONS: [&str; 25] = [
    "scenes",
    "experiment",
    "lesson",
    "cue",
    "practice",
    "playback",
    "physics",
    "table",
    "aim",
    "forces",
    "inspector",
    "joints",
    "draw",
    "readouts",
    "solvers",
    "energy",
    "measure",
    "boundary-map",
    "instruments",
    "momenta",
    "ledger",
    "view",
    "capture",
    "sound",
    "keys",
];

/// The surroundings in which discs are drawn. They also decide how the strength of a shot is chosen. As a resource they
/// apply to the whole view. A scene sets them when it begins.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub enum Surroundings {
    /// A plain laboratory floor.
    #[default]
    Laboratory,
    /// A billiard table, with balls instead of plain discs. Without a drawn table, the first arena becomes one.
    Table,
}

/// The camera at the start of a scene.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Camera {
    /// Everything in view, with a margin.
    #[default]
    Fit,
    /// A centre and the height of the view, both in metres.
    At {
        /// The centre of the view.
        centre: Vec2,
        /// The height of the view. In a window too narrow for the scene, the view is higher, so that the whole scene is
        /// visible up to a width of 1.5 times this height.
        height: f32,
    },
}

impl Serialize for Hex {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [r, g, b] = self.0;
        serializer.serialize_str(&format!("#{r:02x}{g:02x}{b:02x}"))
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = text
            .strip_prefix('#')
            .filter(|digits| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        digits
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .map(|rgb| Self([(rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8]))
            .ok_or_else(|| serde::de::Error::custom(format!("`{text}` is not a colour; write it as \"#rrggbb\"")))
    }
}

/// Marks the cue ball, the disc to shoot. Other discs cannot be shot, unless they are [`Shootable`].
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default)]
#[require(Shootable)]
pub struct CueBall;

/// Marks the discs that a person can shoot. If no disc has it, all can be shot.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct Shootable;

/// Marks the discs that a game itself returns to the table after they were potted. Without it, a potted [`CueBall`]
/// returns by itself.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct OwnRespot;

/// Marks a disc or a piece of terrain that the game draws itself: neither it nor its label is drawn by `ViewPlugin`. In
/// scene files it is `own_look: true`.
///
/// A component of a game can bring it along, so that it is there from the first frame. A system in `FixedUpdate` may
/// first run after that.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::scene::OwnLook;
/// #[derive(Component)]
/// #[require(OwnLook)]
/// struct Peg;
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct OwnLook;

/// How one piece of terrain is drawn.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct TerrainLook {
    /// Its colour. None: the colour of its surroundings.
    pub colour: Option<Color>,
}
