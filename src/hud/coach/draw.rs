//! Draws the best shots: their lines below the balls, with their chances.

use bevy::prelude::*;
use bevy_egui::egui::{self, FontId, LayerId};

use super::{super::Hud, CoachState, sentences::percent};
use crate::{
    components::{InPlay, Position as DiscPosition},
    games::{
        coach::Sketch,
        plugin::{CurrentMatch, GameBall, Phase},
    },
    view::{Canvas, CurrentView, Layer, Points, Theme, main_view, theme::egui as ink},
};

/// Opacity of the lines: for the best shot, for the others, and for the shots that a bot considers, from 0 to 1.
const BEST: f32 = 0.85;
const OTHERS: f32 = 0.42;
const CONSIDERED: f32 = 0.26;

/// Draws the shots below the balls.
pub(in crate::hud) fn draw(
    mut canvas: ResMut<Canvas>,
    (state, live, hud): (Res<CoachState>, Option<Res<CurrentMatch>>, Res<Hud>),
    (view, theme): (Res<CurrentView>, Res<Theme>),
) {
    let Some(live) = live.filter(|live| live.look_back().is_none()) else { return };
    let radius = live.game().table().ball_radius();
    // The best is drawn last, on top.
    for (place, tip) in state.tips.iter().enumerate().rev() {
        let strength = if place == 0 { BEST } else { OTHERS };
        draw_sketch(&mut canvas, &view, &theme, (&tip.sketch, radius, strength));
        if hud.placing {
            let colour = theme.marks.selected.with_alpha(strength);
            canvas.disc(Layer::Trail, tip.from, radius, colour.with_alpha(0.3 * strength));
            canvas.ring(Layer::Trail, tip.from, radius, view.px(1.6), colour);
        }
    }
    let has_decided = matches!(live.phase(), Phase::Acting(_));
    for (place, sketch) in state.sketches.iter().enumerate().rev() {
        let strength = if place == 0 && has_decided { BEST } else { CONSIDERED };
        draw_sketch(&mut canvas, &view, &theme, (sketch, radius, strength));
    }
}

fn draw_sketch(
    canvas: &mut Canvas,
    view: &CurrentView,
    theme: &Theme,
    (sketch, radius, strength): (&Sketch, f32, f32),
) {
    let colour = theme.aim.on_cloth.with_alpha(strength * theme.aim.on_cloth.alpha);
    let width = view.px(if strength > 0.6 { 2.0 } else { 1.5 });
    let mut way = |points: &[Vec2]| canvas.dashed(Layer::Trail, points, width, view.px(7.0), colour);
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

/// The font size on the table, logical pixels, and the gap between text and balls.
const LETTERS: f32 = 13.0;
const CLEAR: f32 = 4.0;

/// Writes the chance of each tip on its line, clear of the balls. With several tips it adds the rank.
pub(in crate::hud) fn write(ctx: &egui::Context, world: &mut World) {
    let state = world.resource::<CoachState>();
    // During a replay the balls lie elsewhere.
    let looks_back = world.get_resource::<CurrentMatch>().is_none_or(|live| live.look_back().is_some());
    if state.tips.is_empty() || looks_back {
        return;
    }
    let ranks = state.tips.len() > 1;
    let words = |place: usize, chance: f32| {
        let chance = percent(chance);
        if ranks { format!("{} \u{b7} {chance}", place + 1) } else { chance }
    };
    let tips: Vec<(Vec<Vec2>, String)> =
        state.tips.iter().enumerate().map(|(place, tip)| (spine(&tip.sketch), words(place, tip.chance))).collect();
    let mut balls = world.query_filtered::<&DiscPosition, (With<GameBall>, InPlay)>();
    let balls: Vec<Vec2> = balls.iter(world).map(|position| position.0).collect();
    let radius = world.get_resource::<CurrentMatch>().map_or(0.0, |live| live.game().table().ball_radius());
    let Some(view) = main_view(world).map(|view| view.clone()) else { return };
    let Some(theme) = world.get_resource::<Theme>() else { return };
    let points = Points::of(ctx);
    let painter = ctx.layer_painter(LayerId::background()).with_clip_rect(points.part(view.area));
    let mut taken: Vec<Rect> = Vec::new();
    let ways: Vec<Vec<Vec2>> =
        tips.iter().map(|(spine, _)| spine.iter().map(|&point| view.to_screen(point)).collect()).collect();
    let balls: Vec<Vec2> = balls.iter().map(|&ball| view.to_screen(ball)).collect();
    let reach = radius * view.pixels_per_metre + CLEAR;
    for (place, (_, text)) in tips.iter().enumerate() {
        let colour = if place == 0 { theme.text.accent } else { theme.text.first };
        let galley = painter.layout_no_wrap(text.clone(), FontId::proportional(points.length(LETTERS)), ink(colour));
        let half =
            points.pixels(egui::Rect::from_min_size(egui::Pos2::ZERO, galley.size())).size() / 2.0 + vec2(5.0, 1.0);
        let others: Vec<&[Vec2]> =
            { ways.iter().enumerate() }.filter(|(other, _)| *other != place).map(|(_, way)| way.as_slice()).collect();
        let Some(at) = label_place(&ways[place], half, view.area, (&balls, reach), (&taken, &others)) else { continue };
        let rect = Rect::from_center_half_size(at, half);
        taken.push(rect);
        let part = points.part(rect);
        painter.rect_filled(part, points.length(6.0), ink(theme.text.notice.with_alpha(0.95)));
        painter.galley(part.center() - galley.size() / 2.0, galley, ink(colour));
    }
}

/// The line that carries the chance: the object ball's, or else the cue ball's.
fn spine(sketch: &Sketch) -> Vec<Vec2> {
    sketch.balls.last().map_or_else(|| sketch.cue.clone(), |(_, way)| way.clone())
}

/// The cosine of the largest turn of a straight part: 6 degrees.
const STRAIGHT: f32 = 0.9945;

/// The straight parts of a path, longest first.
fn legs(way: &[Vec2]) -> Vec<(Vec2, Vec2)> {
    let mut legs: Vec<(Vec2, Vec2)> = Vec::new();
    for pair in way.windows(2) {
        let along = (pair[1] - pair[0]).normalize_or_zero();
        match legs.last_mut() {
            Some((from, to)) if (*to - *from).normalize_or_zero().dot(along) > STRAIGHT => *to = pair[1],
            _ if along != Vec2::ZERO => legs.push((pair[0], pair[1])),
            _ => {}
        }
    }
    legs.sort_by(|a, b| b.0.distance(b.1).total_cmp(&a.0.distance(a.1)));
    legs
}

/// The place for a label of this half size on a path, or right beside it. It is near the middle of the longest free
/// straight part, clear of balls (with this radius) and of other labels, and if possible of other paths. All in logical
/// pixels.
fn label_place(
    way: &[Vec2],
    half: Vec2,
    area: Rect,
    (balls, reach): (&[Vec2], f32),
    (taken, others): (&[Rect], &[&[Vec2]]),
) -> Option<Vec2> {
    let rect = |at| Rect::from_center_half_size(at, half);
    let is_free = |at: &Vec2| {
        let rect = rect(*at);
        area.contains(rect.min)
            && area.contains(rect.max)
            && balls.iter().all(|ball| ball.distance(ball.clamp(rect.min, rect.max)) >= reach)
            && taken.iter().all(|other| other.inflate(2.0).intersect(rect).is_empty())
    };
    let is_apart = |at: &Vec2| {
        let rect = rect(*at);
        let crosses = |pair: &[Vec2]| {
            let steps = (pair[0].distance(pair[1]) / half.min_element().max(1.0)).ceil().clamp(1.0, 400.0);
            (0..=steps as u32).any(|step| rect.contains(pair[0].lerp(pair[1], step as f32 / steps)))
        };
        !others.iter().any(|other| other.windows(2).any(crosses))
    };
    let shares = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8];
    let places: Vec<Vec2> = { legs(way).into_iter() }
        .flat_map(|(from, to)| {
            let aside = (to - from).normalize_or_zero().perp();
            let out = half.dot(aside.abs()) + CLEAR;
            let sides = [0.0, 1.0, -1.0];
            sides.into_iter().flat_map(move |side| shares.map(|share| from.lerp(to, share) + aside * (side * out)))
        })
        .filter(is_free)
        .collect();
    places.iter().copied().find(is_apart).or_else(|| places.first().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Rect = Rect { min: Vec2::ZERO, max: vec2(1200.0, 700.0) };
    const HALF: Vec2 = vec2(18.0, 9.0);

    /// The distance of a point from a path.
    fn off(at: Vec2, way: &[Vec2]) -> f32 {
        let distances = way.windows(2).map(|pair| {
            let along = pair[1] - pair[0];
            let share = (at - pair[0]).dot(along) / along.length_squared();
            at.distance(pair[0] + along * share.clamp(0.0, 1.0))
        });
        distances.fold(f32::INFINITY, f32::min)
    }

    #[test]
    fn chances_are_written_clear_of_balls_and_of_each_other() {
        let (reach, way) = (11.0, [vec2(300.0, 300.0), vec2(540.0, 340.0)]);
        let balls: Vec<Vec2> = (0..4).map(|k| vec2(300.0 + 32.0 * k as f32, 328.0)).collect();
        let mut taken: Vec<Rect> = Vec::new();
        for _ in 0..4 {
            let at = label_place(&way, HALF, AREA, (&balls, reach), (&taken, &[])).expect("there is room");
            let rect = Rect::from_center_half_size(at, HALF);
            assert!(balls.iter().all(|ball| ball.distance(ball.clamp(rect.min, rect.max)) >= reach));
            assert!(taken.iter().all(|other| other.intersect(rect).is_empty()));
            taken.push(rect);
        }
    }

    #[test]
    fn the_chance_of_a_bent_way_stands_on_it_and_not_on_another() {
        // A path off two cushions, which curves after the second.
        let mut bent = vec![vec2(200.0, 400.0), vec2(700.0, 100.0), vec2(1000.0, 200.0)];
        bent.extend((1..20).map(|k| vec2(1000.0 - 8.0 * k as f32, 200.0 + 0.6 * (k * k) as f32)));
        let at = label_place(&bent, HALF, AREA, (&[], 11.0), (&[], &[])).unwrap();
        assert!(off(at, &bent) < 1.0, "{at}");
        // Another path crosses exactly there.
        let other = [at - vec2(0.0, 90.0), at + vec2(0.0, 90.0)];
        let moved = label_place(&bent, HALF, AREA, (&[], 11.0), (&[], &[&other])).unwrap();
        assert!(off(moved, &bent) < 1.0 && off(moved, &other) >= HALF.x, "{moved}");
    }
}
