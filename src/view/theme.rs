//! Every colour of the picture, in one place.

use bevy::prelude::*;

use crate::scene::Hex;

/// A colour from its usual six digits, `0xrrggbb`.
#[must_use]
pub const fn rgb(digits: u32) -> Srgba {
    rgba(digits, 1.0)
}

/// A colour from its usual six digits, `0xrrggbb`, and its opacity from 0 to 1.
#[must_use]
pub const fn rgba(digits: u32, alpha: f32) -> Srgba {
    let [_, red, green, blue] = digits.to_be_bytes();
    Srgba { red: red as f32 / 255.0, green: green as f32 / 255.0, blue: blue as f32 / 255.0, alpha }
}

/// The room around everything, in its middle.
pub const ROOM: Srgba = rgb(0x20262e);
/// The room around everything, at its ends.
pub const ROOM_EDGE: Srgba = rgb(0x14181d);
/// The floor of a laboratory's arena, in its middle.
pub const FLOOR: Srgba = rgb(0x2b333d);
/// The floor of a laboratory's arena, at its ends.
pub const FLOOR_EDGE: Srgba = rgb(0x252c35);
/// The frame of a laboratory's arena.
pub const FRAME: Srgba = rgb(0x566373);
/// The cloth of a table, in its middle.
pub const CLOTH: Srgba = rgb(0x2f8277);
/// The cloth of a table, at its ends.
pub const CLOTH_EDGE: Srgba = rgb(0x1e5f58);
/// The cushions of a table.
pub const CUSHION: Srgba = rgb(0x27736a);
/// The rails of a table, the lighter grain.
pub const WOOD: Srgba = rgb(0x8a5a3a);
/// The rails of a table, the darker grain.
pub const WOOD_DARK: Srgba = rgb(0x5b3723);
/// The sights on the rails.
pub const SIGHT: Srgba = rgb(0xf0e6d2);
/// Lines and spots on the cloth.
pub const CLOTH_MARK: Srgba = rgba(0xffffff, 0.16);
/// Shadows.
pub const SHADOW: Srgba = rgba(0x05080b, 0.42);

/// Blocks and the outlines of polygons.
pub const BLOCK: Srgba = rgb(0x7b8794);
/// Thin walls.
pub const WALL: Srgba = rgb(0x93a0ae);
/// The body of a bumper.
pub const BUMPER: Srgba = rgb(0xb9793f);
/// The rings of a bumper.
pub const BUMPER_RING: Srgba = rgb(0xf2dcc0);

/// The white of balls.
pub const BALL_WHITE: Srgba = rgb(0xf6f1e4);
/// Numbers on the white of balls, and labels on light discs.
pub const NUMBER: Srgba = rgb(0x1c1f24);
/// Labels beside and on discs.
pub const LABEL: Srgba = rgb(0xf4f6f8);

/// Discs of a laboratory, by their number in the scene: even in lightness, and apart for all common kinds of colour vision.
pub const DISCS: [Srgba; 8] = [
    rgb(0x5aa9e6),
    rgb(0xf2a65a),
    rgb(0x58c2a4),
    rgb(0xe58fb6),
    rgb(0xe6cf5c),
    rgb(0xa695e0),
    rgb(0x7fc8e8),
    rgb(0xe3785f),
];

/// Balls of a table by their number, 1 to 8; 9 to 15 repeat 1 to 7 as stripes.
pub const BALLS: [Srgba; 8] = [
    rgb(0xf1c232),
    rgb(0x2f62b8),
    rgb(0xd5473b),
    rgb(0x6c4596),
    rgb(0xe58235),
    rgb(0x1f8152),
    rgb(0x8e3236),
    rgb(0x22252b),
];

/// Velocity arrows.
pub const ARROW: Srgba = rgb(0xffffff);
/// The rim around arrows, which sets them off from whatever is below.
pub const ARROW_RIM: Srgba = rgba(0x10161d, 0.62);
/// What the pointer is over.
pub const HOVER: Srgba = rgba(0xffffff, 0.55);
/// What is selected.
pub const SELECTED: Srgba = rgb(0xffd166);
/// The line along which a shot goes, and its strength.
pub const AIM: Srgba = rgba(0xffffff, 0.85);
/// The strength of a hard shot.
pub const AIM_STRONG: Srgba = rgb(0xff8c5a);
/// Hits, along their normals.
pub const HIT: Srgba = rgba(0xfff3b0, 0.95);
/// Pairs of discs that may touch within the tick.
pub const PAIR: Srgba = rgba(0xffd166, 0.5);
/// The cells of the broad phase.
pub const GRID: Srgba = rgba(0x8fd3ff, 0.16);

/// Text that is read first.
pub const TEXT: Srgba = rgb(0xeef2f5);
/// Text that is read second.
pub const TEXT_SOFT: Srgba = rgb(0xa9b4bf);
/// Text that says that something went wrong.
pub const TEXT_ERROR: Srgba = rgb(0xff9d8a);
/// What lies under a notice, so that it can be read over anything.
pub const NOTICE: Srgba = rgba(0x10141a, 0.82);
/// The accent of badges.
pub const ACCENT: Srgba = rgb(0xffd166);

/// The velocity before, whole (seed 000: grey).
pub const LESSON_BEFORE: Srgba = rgb(0xc3cbd3);
/// The part of the velocity along the line of centres, before (seed 000: blue).
pub const LESSON_ALONG: Srgba = rgb(0x5b9dff);
/// The part of the velocity across the line of centres (seed 000: red).
pub const LESSON_ACROSS: Srgba = rgb(0xff6464);
/// The part of the velocity along the line of centres, after (seed 000: magenta).
pub const LESSON_ALONG_AFTER: Srgba = rgb(0xf26bff);
/// The velocity after, whole (seed 000: green).
pub const LESSON_AFTER: Srgba = rgb(0x59e08c);
/// The tip of a plain mirror reflection (seed 000: a white dot).
pub const LESSON_MIRROR: Srgba = rgb(0xffffff);
/// Helper lines of lessons.
pub const LESSON_LINE: Srgba = rgba(0xffffff, 0.34);
/// How much of the floor's colour discs take on under a lesson's arrows, from 0 to 1.
pub const LESSON_DIMMED: f32 = 0.58;
/// Discs where a lesson would put them.
pub const LESSON_GHOST: Srgba = rgba(0xffffff, 0.85);

/// The colour of a disc that asks for none, by its number in the scene.
#[must_use]
pub fn disc(id: u64) -> Srgba {
    DISCS[(id % DISCS.len() as u64) as usize]
}

/// The colour of a numbered ball that asks for none.
#[must_use]
pub fn ball(number: u8) -> Srgba {
    match number {
        0 => BALL_WHITE,
        number => BALLS[usize::from((number - 1) % 8)],
    }
}

impl From<Hex> for Srgba {
    fn from(Hex([red, green, blue]): Hex) -> Self {
        Self::rgb_u8(red, green, blue)
    }
}

/// A colour as egui takes it.
#[must_use]
pub fn egui(colour: Srgba) -> bevy_egui::egui::Color32 {
    let [red, green, blue, alpha] = colour.to_u8_array();
    bevy_egui::egui::Color32::from_rgba_unmultiplied(red, green, blue, alpha)
}
