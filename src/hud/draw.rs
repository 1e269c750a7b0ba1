//! Draws marks on the table: the called ball and pocket, the region of the ball in hand, and the targets of a drill.

use bevy::prelude::*;

use super::{Hud, persons_stroke};
use crate::{
    components::{InPlay, Position, Radius},
    games::{Area, CallNeeded, GameTable, Region, Target, plugin::CurrentMatch},
    view::{Canvas, CurrentView, Drawn, Layer, Plate, Theme},
};

/// Draws the marks for the person to act.
pub(super) fn draw(
    mut canvas: ResMut<Canvas>,
    (live, hud): (Option<Res<CurrentMatch>>, Res<Hud>),
    (view, theme): (Res<CurrentView>, Res<Theme>),
    discs: Query<(&Position, &Radius, Option<&Drawn>), InPlay>,
) {
    if let Some(live) = live.as_ref().filter(|live| live.look_back().is_none()) {
        draw_targets(&mut canvas, &view, live.game().rules().targets(), theme.text.accent);
    }
    let Some((live, stroke)) = live.as_ref().and_then(|live| Some((live, persons_stroke(live)?))) else { return };
    let seen = |ball| {
        let (position, radius, drawn) = discs.get(live.entity_of(ball)?).ok()?;
        Some((Drawn::or(drawn, position), radius.0))
    };
    let table = live.game().table();
    if let Some((at, radius)) = hud.call.ball.and_then(seen) {
        canvas.ring(Layer::Highlight, at, radius + view.px(5.0), view.px(2.6), theme.text.accent);
    }
    if stroke.call == CallNeeded::BallAndPocket {
        for (index, hole) in table.built.holes.iter().enumerate() {
            let is_called = hud.call.pocket.is_some_and(|pocket| usize::from(pocket.0) == index);
            let (middle, radius) = (hole.middle.as_vec2(), hole.liner_radius as f32);
            if is_called {
                canvas.glow(Layer::Marks, middle, radius, 0.6 * radius, theme.text.accent.with_alpha(0.55));
                canvas.ring(Layer::Highlight, middle, 1.05 * radius, view.px(2.6), theme.text.accent);
            }
        }
    }
    let Some((at, radius)) = seen(stroke.cue_ball) else { return };
    if let (true, Some(region)) = (hud.placing, stroke.in_hand) {
        outline(&mut canvas, &view, (region, table), theme.marks.selected);
        canvas.glow(Layer::Shadow, at, 1.7 * radius, 0.8 * radius, theme.ground.shadow);
        canvas.ring(Layer::Highlight, at, radius + view.px(5.0), view.px(2.2), theme.marks.selected);
        if let Some(refused) = hud.refused_at {
            canvas.disc(Layer::Gesture, refused, radius, theme.text.error.with_alpha(0.45));
            canvas.ring(Layer::Gesture, refused, radius, view.px(2.0), theme.text.error);
        }
    }
}

/// Draws the areas in which a ball scores. Areas within each other add up, so the best one is the strongest.
fn draw_targets(canvas: &mut Canvas, view: &CurrentView, targets: &[Target], colour: Srgba) {
    let (fill, line, width) = (colour.with_alpha(0.14), colour.with_alpha(0.8), view.px(1.6));
    for target in targets {
        match target.area {
            Area::Circle { centre, radius } => {
                let radius = radius + target.tolerance;
                canvas.disc(Layer::Marks, centre, radius, fill);
                canvas.ring(Layer::Marks, centre, radius, width, line);
            }
            Area::Rectangle { min, max } => {
                let plate = Plate::new(0.5 * (min + max), 0.5 * (max - min) + target.tolerance);
                canvas.rect(Layer::Marks, plate, fill);
                canvas.rect_outline(Layer::Marks, plate, width, line);
            }
        }
    }
}

/// Outlines the region for the centre of a ball in hand.
fn outline(canvas: &mut Canvas, view: &CurrentView, (region, table): (Region, &GameTable), colour: Srgba) {
    let half = table.half() - table.ball_radius();
    let colour = colour.with_alpha(0.75);
    let (width, dash) = (view.px(1.6), view.px(6.0));
    let mut dashed = |points: &[Vec2]| canvas.dashed(Layer::Gesture, points, width, dash, colour);
    let rectangle = |right: f32| {
        let (left, top) = (-half.x, half.y);
        [vec2(left, top), vec2(right, top), vec2(right, -top), vec2(left, -top), vec2(left, top)]
    };
    match region {
        Region::Anywhere => dashed(&rectangle(half.x)),
        Region::BehindHeadString => dashed(&rectangle(table.spec.head_string.map_or(half.x, |x| x as f32))),
        Region::D => {
            let Some(baulk) = table.spec.baulk else { return };
            let (line, radius) = (baulk.line as f32, baulk.radius as f32);
            let arc = (0..=24_u8).map(|k| {
                let (sin, cos) = bevy::math::ops::sin_cos(std::f32::consts::PI * (0.5 + f32::from(k) / 24.0));
                vec2(line + radius * cos, radius * sin)
            });
            let mut points: Vec<Vec2> = arc.collect();
            points.extend(points.first().copied());
            dashed(&points);
        }
    }
}
