//! The discs: billiard balls on a table, plain discs in a laboratory.

use bevy::prelude::*;

use super::{
    Drawn, Eye, ViewSettings,
    colours::{Scale, Trace},
    theme,
};
use crate::{
    body::{Ball, Mass, Orientation, Radius, StableId, Velocity},
    motion::rolled,
    scene::{CueBall, CurrentScene, DiscLook, Lesson, Surroundings},
};

/// How many numbers the instance of a disc has: x, y, radius, colour, two of the turn, paint, flash.
pub(super) const DISC_WORDS: usize = 8;

/// The discs of the next picture, as instances for `discs.wgsl`.
#[derive(Resource, Debug, Default)]
pub struct Discs {
    instances: Vec<[u32; DISC_WORDS]>,
}

impl Discs {
    /// The instances, for handing them on.
    pub(super) fn instances_mut(&mut self) -> &mut Vec<[u32; DISC_WORDS]> {
        &mut self.instances
    }
}

/// How a disc is painted, as `discs.wgsl` reads it.
mod paint {
    pub(super) const BALL: u32 = 1;
    pub(super) const STRIPED: u32 = 2;
    pub(super) const SPOT: u32 = 4;
    pub(super) const NUMBER: u32 = 8;
}

/// One disc and how it wants to look.
type Disc<'a> = (
    (&'a Drawn, &'a Radius, &'a Velocity, &'a Mass, &'a StableId),
    (&'a Trace, Option<&'a DiscLook>, Has<CueBall>, Option<&'a Orientation>),
);

/// How white a disc becomes in a full flash, from 0 to 1.
const FLASH: f32 = 0.55;

/// A ball that is not turned.
const UPRIGHT: [u32; 2] = [0, 0x7fff_0000];

/// A rotation in four times 16 bits.
fn packed(turn: Quat) -> [u32; 2] {
    let [x, y, z, w] = turn.to_array().map(|part| u32::from((part.clamp(-1.0, 1.0) * 32767.0).round() as i16 as u16));
    [x | y << 16, z | w << 16]
}

/// Lists every disc that is in the window.
pub(super) fn draw_discs(
    mut list: ResMut<Discs>,
    (eye, settings): (Res<Eye>, Res<ViewSettings>),
    scene: Option<Res<CurrentScene>>,
    discs: Query<Disc, With<Ball>>,
) {
    let (surroundings, lesson) = scene.map(|scene| (scene.file.surroundings, scene.file.lesson)).unwrap_or_default();
    let scale = eye.pixels_per_metre;
    // From the eye first, so that a view far from the origin of the world is as sharp as one at it.
    let middle = eye.area.center() - eye.window_size() / 2.0;
    let seen = eye.window_size() / 2.0;
    let measured = discs.iter().map(|((_, _, velocity, mass, id), _)| (velocity, mass, id));
    let colouring = Scale::of(settings.colour_by, measured);
    list.instances.clear();
    for ((drawn, radius, velocity, mass, id), (trace, look, is_cue, orientation)) in &discs {
        let at = (drawn.shown - eye.centre) * scale + Vec2::new(middle.x, -middle.y);
        let turn = orientation.map_or(UPRIGHT, |it| packed(rolled(it.turn, drawn.shown - it.rolled_to, radius.0)));
        let radius = radius.0 * scale;
        // Also false where it is NaN.
        if !(at.abs() - 2.0 * radius).cmple(seen).all() {
            continue;
        }
        let (colour, paint) = match surroundings {
            Surroundings::Table => ball(*id, look, is_cue),
            Surroundings::Laboratory => (shown_colour(*id, look, lesson), 0),
        };
        let colour =
            colouring.colour(*velocity, *mass, *id, *trace).unwrap_or_else(|| u32::from_le_bytes(colour.to_u8_array()));
        let flash = if settings.flash { FLASH * trace.flash } else { 0.0 };
        list.instances.push([
            at.x.to_bits(),
            at.y.to_bits(),
            radius.to_bits(),
            colour,
            turn[0],
            turn[1],
            paint,
            flash.to_bits(),
        ]);
    }
}

/// The colour of a disc: the one that it asks for, that of its number, or one by its place in the scene.
#[must_use]
pub fn colour_of(id: StableId, look: Option<&DiscLook>) -> Srgba {
    let asked = look.and_then(|look| look.colour.map(Srgba::from));
    let numbered = look.and_then(|look| look.number.map(theme::ball));
    asked.or(numbered).unwrap_or_else(|| theme::disc(id.0))
}

/// The colour in which a plain disc is drawn: its own, or, under the arrows of a lesson, that closer to the floor's.
pub(super) fn shown_colour(id: StableId, look: Option<&DiscLook>, lesson: Lesson) -> Srgba {
    let dimmed = if lesson == Lesson::VectorLab { theme::LESSON_DIMMED } else { 0.0 };
    colour_of(id, look).mix(&theme::FLOOR, dimmed)
}

/// The colour of a ball and its paint.
fn ball(id: StableId, look: Option<&DiscLook>, is_cue: bool) -> (Srgba, u32) {
    let number = look.and_then(|look| look.number).filter(|&number| number > 0);
    let asked = look.is_some_and(|look| look.colour.is_some());
    let colour = if is_cue && number.is_none() && !asked { theme::BALL_WHITE } else { colour_of(id, look) };
    let striped = if look.is_some_and(|look| look.striped) { paint::STRIPED } else { 0 };
    let spot = number.map_or(0, |number| paint::SPOT | u32::from(number) << paint::NUMBER);
    (colour, paint::BALL | striped | spot)
}
