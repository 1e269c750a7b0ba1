//! The best shots on the table: their lines below the balls, and their chances beside them.

use bevy::prelude::*;
use bevy_egui::egui::{self, FontId, LayerId};

use super::{super::Hud, CoachState, sentences::percent};
use crate::{
    disc::{InPlay, Position as DiscPosition},
    games::{
        coach::Sketch,
        plugin::{CurrentMatch, GameBall, Phase},
    },
    view::{Canvas, Layer, Picture, Points, Theme, View2d, main_view, theme::egui as ink},
};

/// How strong the lines of the best shot are drawn, of the others, and of what a bot considers besides, from 0 to 1.
const BEST: f32 = 0.85;
const OTHERS: f32 = 0.42;
const CONSIDERED: f32 = 0.26;

/// Draws the shots below the balls.
pub(in crate::hud) fn draw(
    mut canvas: ResMut<Canvas>,
    (state, live, hud): (Res<CoachState>, Option<Res<CurrentMatch>>, Res<Hud>),
    (picture, theme): (Res<Picture>, Res<Theme>),
) {
    let Some(live) = live.filter(|live| live.look_back().is_none()) else { return };
    let radius = live.game().table().ball_radius();
    // The best comes last, on top.
    for (place, tip) in state.tips.iter().enumerate().rev() {
        let strength = if place == 0 { BEST } else { OTHERS };
        draw_sketch(&mut canvas, &picture, &theme, (&tip.sketch, radius, strength));
        if hud.placing {
            let colour = theme.marks.selected.with_alpha(strength);
            canvas.disc(Layer::Trail, tip.from, radius, colour.with_alpha(0.3 * strength));
            canvas.ring(Layer::Trail, tip.from, radius, picture.px(1.6), colour);
        }
    }
    let has_decided = matches!(live.phase(), Phase::Acting(_));
    for (place, sketch) in state.sketches.iter().enumerate().rev() {
        let strength = if place == 0 && has_decided { BEST } else { CONSIDERED };
        draw_sketch(&mut canvas, &picture, &theme, (sketch, radius, strength));
    }
}

fn draw_sketch(canvas: &mut Canvas, picture: &Picture, theme: &Theme, (sketch, radius, strength): (&Sketch, f32, f32)) {
    let colour = theme.aim.on_cloth.with_alpha(strength * theme.aim.on_cloth.alpha);
    let width = picture.px(if strength > 0.6 { 2.0 } else { 1.5 });
    let mut way = |points: &[Vec2]| dashed(canvas, points, (width, picture.px(7.0)), colour);
    way(&sketch.cue);
    sketch.balls.iter().for_each(|(_, points)| way(points));
    if let Some(ghost) = sketch.ghost {
        canvas.disc(Layer::Trail, ghost, radius, colour.with_alpha(0.22 * strength));
        canvas.ring(Layer::Trail, ghost, radius, width, colour);
    }
    if let Some(rests) = sketch.rests {
        canvas.ring(Layer::Trail, rests, 0.5 * radius, width, colour);
    }
}

/// A dashed line along points, whose dashes go on round the corners; drawn whole and fainter where there would be very many of them.
fn dashed(canvas: &mut Canvas, points: &[Vec2], (width, dash): (f32, f32), colour: Srgba) {
    let length: f32 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    if !(length / dash <= MOST_DASHES) {
        canvas.polyline(Layer::Trail, points, false, width, colour.with_alpha(0.5 * colour.alpha));
        return;
    }
    // How far a dash has been drawn, or below 0 how much is still left out.
    let mut drawn = 0.0;
    for pair in points.windows(2) {
        let (along, length) = ((pair[1] - pair[0]).normalize_or_zero(), pair[0].distance(pair[1]));
        let mut at = 0.0;
        while at < length {
            let step = (if drawn < 0.0 { -drawn } else { dash - drawn }).max(1e-6).min(length - at);
            if drawn >= 0.0 {
                canvas.line(Layer::Trail, pair[0] + along * at, pair[0] + along * (at + step), width, colour);
            }
            at += step;
            drawn += step;
            if drawn >= dash {
                drawn = -dash;
            } else if drawn.abs() < 1e-6 {
                drawn = 0.0;
            }
        }
    }
}

/// Lines of more dashes are drawn whole.
const MOST_DASHES: f32 = 800.0;

/// The size of the letters on the table, logical pixels, and how far they stay off balls.
const LETTERS: f32 = 13.0;
const CLEAR: f32 = 4.0;

/// Writes the chance of each tip beside its line, clear of the balls.
pub(in crate::hud) fn write(ctx: &egui::Context, world: &mut World) {
    let state = world.resource::<CoachState>();
    // While a shot is looked at again the balls lie elsewhere.
    let looks_back = world.get_resource::<CurrentMatch>().is_none_or(|live| live.look_back().is_some());
    if state.tips.is_empty() || looks_back {
        return;
    }
    let tips: Vec<(Vec<Vec2>, String)> =
        state.tips.iter().map(|tip| (spine(&tip.sketch), percent(tip.chance))).collect();
    let mut balls = world.query_filtered::<&DiscPosition, (With<GameBall>, InPlay)>();
    let balls: Vec<Vec2> = balls.iter(world).map(|position| position.0).collect();
    let radius = world.get_resource::<CurrentMatch>().map_or(0.0, |live| live.game().table().ball_radius());
    let Some(view) = main_view(world).map(|view| view.clone()) else { return };
    let Some(theme) = world.get_resource::<Theme>() else { return };
    let points = Points::of(ctx);
    let painter = ctx.layer_painter(LayerId::background()).with_clip_rect(points.part(view.area));
    let mut taken: Vec<Rect> = Vec::new();
    for (place, (spine, text)) in tips.iter().enumerate() {
        let colour = if place == 0 { theme.text.accent } else { theme.text.first };
        let galley = painter.layout_no_wrap(text.clone(), FontId::proportional(points.length(LETTERS)), ink(colour));
        let half =
            points.pixels(egui::Rect::from_min_size(egui::Pos2::ZERO, galley.size())).size() / 2.0 + vec2(5.0, 1.0);
        let Some(at) = label_place(spine, half, &view, (&balls, radius), &taken) else { continue };
        let rect = Rect::from_center_half_size(at, half);
        taken.push(rect);
        let part = points.part(rect);
        painter.rect_filled(part, points.length(6.0), ink(theme.text.notice.with_alpha(0.8)));
        painter.galley(part.center() - galley.size() / 2.0, galley, ink(colour));
    }
}

/// The line that a chance is written beside: that of the ball that is to be potted, or else that of the cue ball.
fn spine(sketch: &Sketch) -> Vec<Vec2> {
    sketch.balls.last().map_or_else(|| sketch.cue.clone(), |(_, way)| way.clone())
}

/// Where the middle of words of this half size can stand beside a line, logical pixels: as near to its middle as they are clear of balls and of other words.
fn label_place(
    spine: &[Vec2],
    half: Vec2,
    view: &View2d,
    (balls, radius): (&[Vec2], f32),
    taken: &[Rect],
) -> Option<Vec2> {
    let (from, to) = (view.to_screen(*spine.first()?), view.to_screen(*spine.last()?));
    let aside = (to - from).normalize_or_zero().perp();
    let reach = radius * view.pixels_per_metre + CLEAR;
    let out = half.dot(aside.abs()) + CLEAR;
    let shares = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9];
    let places = shares.into_iter().flat_map(|share| [1.0, -1.0, 2.2, -2.2].map(|side| (share, side)));
    let mut places = places.map(|(share, side)| from.lerp(to, share) + aside * (side * out));
    places.find(|&at| {
        let rect = Rect::from_center_half_size(at, half);
        let is_off = |ball: &Vec2| {
            let ball = view.to_screen(*ball);
            ball.distance(ball.clamp(rect.min, rect.max)) >= reach
        };
        view.area.contains(rect.min)
            && view.area.contains(rect.max)
            && balls.iter().all(is_off)
            && taken.iter().all(|other| other.inflate(2.0).intersect(rect).is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_written_clear_of_balls_and_of_each_other() {
        let mut view = View2d::default();
        view.pixels_per_metre = 400.0;
        view.set_frame(Rect::new(0.0, 0.0, 1200.0, 700.0));
        let (radius, half) = (0.028, vec2(18.0, 9.0));
        let spine = [vec2(0.0, 0.0), vec2(0.6, 0.1)];
        let balls: Vec<Vec2> = (0..8).map(|k| vec2(0.08 * k as f32, 0.07)).collect();
        let mut taken: Vec<Rect> = Vec::new();
        for _ in 0..4 {
            let at = label_place(&spine, half, &view, (&balls, radius), &taken).expect("there is room");
            let rect = Rect::from_center_half_size(at, half);
            for ball in &balls {
                let ball = view.to_screen(*ball);
                assert!(ball.distance(ball.clamp(rect.min, rect.max)) >= radius * 400.0);
            }
            assert!(taken.iter().all(|other| other.intersect(rect).is_empty()));
            taken.push(rect);
        }
    }

    #[test]
    fn a_dashed_line_is_half_drawn_and_goes_on_round_corners() {
        let mut canvas = Canvas::default();
        let points: Vec<Vec2> = (0..=100).map(|k| Vec2::new(0.01 * k as f32, 0.0)).collect();
        dashed(&mut canvas, &points, (0.001, 0.05), Srgba::WHITE);
        // Ten dashes of five centimetres, each of five or six pieces.
        assert!((50..=60).contains(&canvas.len()), "{}", canvas.len());
        let whole = canvas.len();
        dashed(&mut canvas, &points, (0.001, 1e-5), Srgba::WHITE);
        assert_eq!(canvas.len(), whole + 100, "too many dashes are none");
    }
}
