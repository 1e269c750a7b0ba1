//! The discs: billiard balls on a table, plain discs in a laboratory.

use bevy::prelude::*;

use super::{BallPaint, Canvas, Drawn, Eye, Layer, Plate, theme};
use crate::{
    body::{Ball, Radius, StableId},
    scene::{CueBall, CurrentScene, DiscLook, Lesson, Surroundings},
};

/// One disc and how it wants to look.
type Disc<'a> = (&'a Drawn, &'a Radius, &'a StableId, Option<&'a DiscLook>, Has<CueBall>);

/// Draws every disc with its shadow, in the order of their numbers so that overlaps do not flicker.
pub(super) fn draw_discs(
    mut canvas: ResMut<Canvas>,
    eye: Res<Eye>,
    scene: Option<Res<CurrentScene>>,
    discs: Query<Disc, With<Ball>>,
    mut order: Local<Vec<(u64, Entity)>>,
    entities: Query<(Entity, &StableId), With<Ball>>,
) {
    let (surroundings, lesson) = scene.map(|scene| (scene.file.surroundings, scene.file.lesson)).unwrap_or_default();
    order.clear();
    order.extend(entities.iter().map(|(entity, id)| (id.0, entity)));
    order.sort_unstable();
    for &(_, entity) in &*order {
        let Ok((drawn, radius, id, look, is_cue)) = discs.get(entity) else { continue };
        let (at, radius) = (drawn.shown, radius.0);
        match surroundings {
            Surroundings::Table => ball(&mut canvas, &eye, at, radius, *id, look, is_cue),
            Surroundings::Laboratory => {
                plain(&mut canvas, &eye, at, radius, shown_colour(*id, look, lesson));
            }
        }
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

fn ball(canvas: &mut Canvas, eye: &Eye, at: Vec2, radius: f32, id: StableId, look: Option<&DiscLook>, is_cue: bool) {
    let numbered = look.and_then(|look| look.number).is_some_and(|number| number > 0);
    let asked = look.is_some_and(|look| look.colour.is_some());
    let colour = if is_cue && !numbered && !asked { theme::BALL_WHITE } else { colour_of(id, look) };
    let paint = BallPaint { striped: look.is_some_and(|look| look.striped), spot: numbered };
    if radius > eye.px(2.0) {
        canvas.glow(Layer::Shadow, at + radius * Vec2::new(0.22, -0.36), 0.92 * radius, 0.34 * radius, theme::SHADOW);
        canvas.glow(Layer::Shadow, at, 1.03 * radius, 0.12 * radius, theme::SHADOW.with_alpha(0.3));
    }
    canvas.ball(Layer::Disc, at, radius, paint, colour, theme::BALL_WHITE);
}

fn plain(canvas: &mut Canvas, eye: &Eye, at: Vec2, radius: f32, colour: Srgba) {
    let pixels = radius * eye.pixels_per_metre;
    if pixels > 5.0 {
        let lift = (0.12 * radius).min(eye.px(9.0));
        canvas.glow(Layer::Shadow, at + lift * Vec2::new(0.4, -0.9), radius, lift, theme::SHADOW);
    }
    if pixels > 3.0 {
        let bevel = (0.34 * radius).min(eye.px(16.0));
        canvas.bevel(Layer::Disc, Plate::disc(at, radius), bevel, colour);
    } else {
        canvas.disc(Layer::Disc, at, radius, colour);
    }
}
