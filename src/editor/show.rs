//! Draws the selected terrain with its handles, the drawing or measurement in progress, and the dimensions of both.

use bevy::prelude::*;

use super::{
    ChosenTerrain,
    hand::{KNOB, Pieces, REACH, placed},
    handle::Handle,
    pull::TerrainPull,
    reshape::Placed,
    sketch::{Sketch, half_circle},
    tool::Tool,
};
use crate::{
    components::Terrain,
    input::Pointer,
    view::{Canvas, Caption, Captions, CurrentView, Layer, Plate, Theme, View2d},
};

/// Writes the dimensions of the drawn or pulled object.
pub(super) fn caption(
    mut captions: ResMut<Captions>,
    (sketch, tool, pull, pointer): (Res<Sketch>, Res<Tool>, Res<TerrainPull>, Res<Pointer>),
) {
    let drawn = sketch.in_words(*tool).and_then(|text| {
        let at = match &*sketch {
            Sketch::Measured(points) => *points.get(1)?,
            _ => sketch.end()?,
        };
        Some(Caption { at, text })
    });
    let pulled = pull.0.as_ref().and_then(|drag| {
        let text = drag.held.in_words().filter(|_| drag.is_dragged())?;
        Some(Caption { at: pointer.world?, text })
    });
    captions.set_if_neq(Captions(drawn.into_iter().chain(pulled).collect()));
}

/// Draws the selected terrain with its handles, and the drawing or measurement in progress.
pub(super) fn draw(
    mut canvas: ResMut<Canvas>,
    (sketch, tool, chosen): (Res<Sketch>, Res<Tool>, Res<ChosenTerrain>),
    (view, theme): (Res<CurrentView>, Res<Theme>),
    pieces: Pieces,
) {
    if let Some(piece) = chosen.0.and_then(|entity| pieces.get(entity).ok())
        && view.shows(&piece.4)
    {
        draw_chosen(&mut canvas, &placed(piece), &view, &theme);
    }
    draw_sketch(&mut canvas, &sketch, *tool, &view, &theme);
}

fn draw_chosen(canvas: &mut Canvas, placed: &Placed, view: &View2d, theme: &Theme) {
    let px = |pixels: f32| view.px(pixels);
    if let Terrain::Circle { radius } = placed.terrain {
        canvas.ring(Layer::Gesture, placed.position, radius + px(4.0), px(2.0), theme.marks.selected);
    } else {
        let (points, closed) = placed.outline();
        canvas.polyline(Layer::Gesture, &points, closed, px(2.0), theme.marks.selected);
    }
    let middle = placed.middle();
    for (handle, at) in placed.handles(px(KNOB)) {
        if handle == Handle::Turn {
            canvas.dashed(Layer::Gesture, &[middle, at], px(1.2), px(3.0), theme.marks.selected);
            canvas.ring(Layer::Gesture, at, px(6.5), px(2.0), theme.marks.selected);
        } else {
            canvas.disc(Layer::Gesture, at, px(5.5), theme.marks.selected);
            canvas.disc(Layer::Gesture, at, px(3.5), theme.ground.room);
        }
    }
}

fn draw_sketch(canvas: &mut Canvas, sketch: &Sketch, tool: Tool, view: &View2d, theme: &Theme) {
    let px = |pixels: f32| view.px(pixels);
    let (colour, fill) = (theme.marks.selected, theme.marks.selected.with_alpha(0.15));
    let cross = |canvas: &mut Canvas, at: Vec2| {
        for arm in [Vec2::X, Vec2::Y] {
            canvas.line(Layer::Gesture, at - arm * px(5.0), at + arm * px(5.0), px(1.2), colour);
        }
    };
    match (sketch, tool) {
        (Sketch::Idle, _) => {}
        (Sketch::Drag { from, to }, Tool::Disc | Tool::Bumper) => {
            let radius = from.distance(*to);
            canvas.disc(Layer::Gesture, *from, radius, fill);
            canvas.ring(Layer::Gesture, *from, radius, px(2.0), colour);
            canvas.dashed(Layer::Gesture, &[*from, *to], px(1.2), px(4.0), colour);
            cross(canvas, *from);
        }
        (Sketch::Drag { from, to }, Tool::Arc) => {
            let (points, _) = half_circle(*to - *from).outline();
            let points: Vec<Vec2> = points.into_iter().map(|point| *from + point).collect();
            canvas.polyline(Layer::Gesture, &points, false, px(3.0), colour);
            canvas.dashed(Layer::Gesture, &[*from, *to], px(1.2), px(4.0), colour);
            cross(canvas, *from);
        }
        (Sketch::Drag { from, to }, Tool::Block) => {
            let plate = Plate::new(from.midpoint(*to), (*to - *from).abs() / 2.0);
            canvas.rect(Layer::Gesture, plate, fill);
            canvas.rect_outline(Layer::Gesture, plate, px(2.0), colour);
        }
        (Sketch::Drag { from, to }, Tool::Ruler) => draw_ruler(canvas, [*from, *to], view, theme),
        (Sketch::Drag { from, to }, _) => canvas.line(Layer::Gesture, *from, *to, px(3.0), colour),
        (Sketch::Points { points, to }, Tool::Protractor) => {
            let legs: Vec<Vec2> = points.iter().copied().chain([*to]).collect();
            draw_legs(canvas, &legs, view, theme);
        }
        (Sketch::Points { points, to }, _) => {
            canvas.polyline(Layer::Gesture, points, false, px(3.0), colour);
            if let [first, .., last] | [first @ last] = points[..] {
                canvas.dashed(Layer::Gesture, &[last, *to], px(2.0), px(5.0), colour);
                let is_closing = points.len() >= 3 && first.distance(*to) <= px(REACH);
                canvas.ring(Layer::Gesture, first, px(if is_closing { 9.0 } else { 6.0 }), px(2.0), colour);
            }
        }
        (Sketch::Measured(points), _) => match points[..] {
            [from, to] => draw_ruler(canvas, [from, to], view, theme),
            _ => draw_legs(canvas, points, view, theme),
        },
    }
}

/// A line with a tick at each end. If it is slanted, it also shows its horizontal and vertical extent.
fn draw_ruler(canvas: &mut Canvas, [from, to]: [Vec2; 2], view: &View2d, theme: &Theme) {
    let px = |pixels: f32| view.px(pixels);
    let corner = Vec2::new(to.x, from.y);
    canvas.dashed(Layer::Gesture, &[from, corner, to], px(1.0), px(4.0), theme.marks.selected.with_alpha(0.6));
    canvas.line(Layer::Gesture, from, to, px(2.0), theme.marks.selected);
    let tick = (to - from).perp().normalize_or_zero() * px(7.0);
    for end in [from, to] {
        canvas.line(Layer::Gesture, end - tick, end + tick, px(2.0), theme.marks.selected);
    }
}

/// The legs of an angle and the arc between them. The first point is its corner.
fn draw_legs(canvas: &mut Canvas, points: &[Vec2], view: &View2d, theme: &Theme) {
    let px = |pixels: f32| view.px(pixels);
    let Some((&corner, legs)) = points.split_first() else { return };
    for &leg in legs {
        canvas.line(Layer::Gesture, corner, leg, px(2.0), theme.marks.selected);
    }
    if let [a, b] = *legs {
        let (from, by) = ((a - corner).to_angle(), (a - corner).angle_to(b - corner));
        let radius = px(34.0).min(a.distance(corner)).min(b.distance(corner));
        let arc: Vec<Vec2> =
            (0..=24).map(|k| corner + Vec2::from_angle(from + by * k as f32 / 24.0) * radius).collect();
        canvas.polyline(Layer::Gesture, &arc, false, px(1.5), theme.marks.selected);
    }
}
