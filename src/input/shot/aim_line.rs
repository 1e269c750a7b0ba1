//! Draws the aim: the cue and the preview of the shot.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use tr::tr;

use super::{
    cue::{Aim, AimedShot, CueSettings},
    preview::{FirstContact, Preview, PreviewLength, PreviewSettings, Seen, SeenDisc},
    strength::PresentStrength,
};
use crate::{
    collision::PhysicsSpace,
    components::{InPlay, Pocket, Position, Radius, StableId},
    number::decimals,
    scene::{CueBall, DiscLook, DrawnTable, Surroundings},
    view::{
        Canvas, CurrentView, Layer, Points, Theme, View2d, Views,
        scene::{above::SHADOW, discs::colour_of, fallen::liner},
        theme::egui as ink,
        words::{heights::height_in_words, labels::Pen},
    },
};

/// The length of the stubs after a first contact, logical pixels.
const STUB: f32 = 46.0;

/// The brightness of paths at first and after many seconds, from 0 to 1.
const BRIGHT: [f32; 2] = [0.9, 0.3];

/// The half-life of the fading brightness, seconds.
const FADE: f32 = 1.5;

/// The length of the stripes in a striped ball's path, logical pixels, and the most stripes per path.
const STRIPE: f32 = 9.0;
const MAX_STRIPES: f32 = 400.0;

/// The smallest disc, logical pixels, with a number at the end of its path.
const SMALLEST_NUMBERED: f32 = 6.0;

type Looks<'w, 's> = Query<'w, 's, (&'static StableId, Option<&'static DiscLook>, Has<CueBall>), InPlay>;

/// The colour of a disc's predicted path: that of its path, or for a cue ball without its own colour the aim colour.
fn path_colour(entity: Entity, looks: &Looks, theme: &Theme, surroundings: Surroundings) -> Srgba {
    match looks.get(entity) {
        Ok((id, look, is_cue)) if !is_cue || look.is_some_and(|look| look.colour.is_some()) => {
            theme.of_path(colour_of(*id, look, theme), surroundings)
        }
        _ => theme.aim.on(surroundings),
    }
}

fn brightness(time: f32) -> f32 {
    BRIGHT[1] + (BRIGHT[0] - BRIGHT[1]) * FADE / (FADE + time)
}

pub(super) fn draw(
    mut canvas: ResMut<Canvas>,
    (shot, preview, settings): (Res<Aim>, Res<Preview>, Res<PreviewSettings>),
    (surroundings, strength): (Res<Surroundings>, PresentStrength),
    (view, theme): (Res<CurrentView>, Res<Theme>),
    (cue, table): (Res<CueSettings>, Option<Res<DrawnTable>>),
    (looks, pockets): (Looks, Query<(&Pocket, &Position)>),
    radii: Query<&Radius, InPlay>,
) {
    let aim = theme.aim.on(*surroundings);
    let Some(shot) = shot.shot else {
        if let Some((kept, first)) = preview.kept().and_then(|kept| Some((kept, kept.discs.first()?))) {
            draw_prediction(&mut canvas, (&view, &theme, *surroundings), kept, first.radius, &looks);
        }
        return;
    };
    let AimedShot { centre, radius, velocity, .. } = shot;
    let Some(direction) = velocity.try_normalize() else { return };
    let strength = strength.get();
    let share = (velocity.length() / strength.most).clamp(0.0, 1.0);

    // As far back as the pull, but no further than the fastest shot needs.
    let pull = velocity.length() / strength.per_metre;
    let side = if shot.stroke.is_some() { cue.side } else { 0.0 };
    let tip = centre - direction * (radius + view.px(4.0) + pull * 0.35) + direction.perp() * (-side * radius);
    let foreshortened = bevy::math::ops::cos(shot.elevation.to_radians());
    draw_cue(&mut canvas, (&view, &theme), (tip, -direction * foreshortened), radius, share);

    if !preview.doubts().is_empty() {
        draw_doubts(&mut canvas, (&view, &theme, *surroundings), &preview, &looks, &radii);
    }
    let Some(seen) = preview.seen() else { return };
    if let Some((contact, true)) = seen.contact.map(|contact| (contact, settings.guides)) {
        draw_guides(&mut canvas, (&view, aim), contact, radius);
    }
    if settings.length == PreviewLength::FirstContact {
        draw_first_contact(&mut canvas, (&view, aim, theme.ground.shadow), seen, centre, radius);
    } else {
        draw_prediction(&mut canvas, (&view, &theme, *surroundings), seen, radius, &looks);
        for disc in seen.discs.iter().filter(|disc| disc.potted) {
            let Some(&(end, _)) = disc.path.last() else { continue };
            let Some(into) = pocket_at(end, table.as_deref(), &pockets) else { continue };
            let is_cue = looks.get(disc.entity).is_ok_and(|(.., is_cue)| is_cue);
            let colour = path_colour(disc.entity, &looks, &theme, *surroundings);
            draw_drop(&mut canvas, (&view, &theme), (end, into, disc.radius), colour, is_cue);
        }
    }
}

/// A dashed line to the ghost at the first contact, and stubs in the directions from there.
fn draw_first_contact(
    canvas: &mut Canvas,
    (view, aim, shadow): (&View2d, Srgba, Srgba),
    seen: &Seen,
    centre: Vec2,
    radius: f32,
) {
    let Some(shot) = seen.discs.first() else { return };
    // Up to the contact, along its curve.
    let before = |time: f32| seen.contact.is_none_or(|contact| time < contact.time);
    let mut way: Vec<(Vec2, f32)> = shot.path.iter().filter(|&&(_, time)| before(time)).copied().collect();
    way.extend(seen.contact.map(|contact| (contact.at, contact.time)));
    let arcs = shot.arcs.iter().filter(|arc| before(shot.path[arc.first].1)).copied().collect();
    let flight = SeenDisc { arcs, ..shot.clone() };
    // No line crosses from one periodic edge to the other.
    let legs = way.iter().zip(way.iter().skip(1)).enumerate();
    for (_, ((from, _), (to, _))) in
        legs.filter(|&(k, ((_, time), (_, next)))| time != next && !flight.is_in_the_air(k))
    {
        // It starts at the rim.
        let from = if from.distance(centre) < radius { centre + (to - centre).clamp_length_max(radius) } else { *from };
        canvas.dashed(Layer::Gesture, &[from, *to], view.px(1.6), view.px(5.0), aim);
    }
    draw_shadow(canvas, &flight, (view.px(3.2), shadow));
    draw_flight(canvas, view, &flight, (view.px(1.6), aim));
    let Some(FirstContact { at, toward, velocity, other, .. }) = seen.contact else { return };
    canvas.ring(Layer::Gesture, at, radius, view.px(1.4), aim);
    if let Some(direction) = other.and_then(|other| other.after.try_normalize()) {
        let touch = at + toward * radius;
        canvas.arrow(Layer::Gesture, touch, touch + direction * view.px(STUB), view.px(1.8), aim);
    }
    if let Some(direction) = velocity.after.try_normalize() {
        let end = at + direction * view.px(2.0 * STUB);
        canvas.dashed(Layer::Gesture, &[at, end], view.px(1.4), view.px(5.0), aim);
    }
}

/// The length of a guide, in radii of the ball.
const GUIDE: f32 = 24.0;

/// The directions of the guides at a hit, from the centre of the ghost ball: the line of centres, the tangent line and
/// the line of the 30-degree rule. At a full hit there is only the first.
///
/// A stunned ball leaves along the tangent line, at 90 degrees to the line of centres. A rolling ball turns by about 30
/// degrees, if it hits between a quarter and three quarters of the other: see the table in `docs/src/billiards.md`.
fn guides(toward: Vec2, before: Vec2) -> (Vec2, Option<[Vec2; 2]>) {
    let Some(along) = before.try_normalize() else { return (toward, None) };
    let aside = along - toward * along.dot(toward);
    // Thinner than 1 degree off the middle, the side is not clear.
    let tangent = aside.try_normalize().filter(|_| aside.length() > 0.0175);
    let turned = |tangent: Vec2| {
        let (sin, cos) = bevy::math::ops::sin_cos(30.0_f32.to_radians().copysign(along.perp_dot(tangent)));
        [tangent, Vec2::new(cos, sin).rotate(along)]
    };
    (toward, tangent.map(turned))
}

/// Draws the guides at the first hit of a disc.
fn draw_guides(canvas: &mut Canvas, (view, aim): (&View2d, Srgba), contact: FirstContact, radius: f32) {
    let FirstContact { at, toward, velocity, other: Some(_), .. } = contact else { return };
    let (centres, sides) = guides(toward, velocity.before);
    let (width, colour) = (view.px(1.3), aim.with_alpha(0.7 * aim.alpha));
    let mut guide = |direction: Vec2, dash: f32| {
        canvas.dashed(Layer::Gesture, &[at, at + direction * (GUIDE * radius)], width, view.px(dash), colour);
    };
    guide(centres, 8.0);
    if let Some([tangent, rolling]) = sides {
        guide(tangent, 5.0);
        guide(rolling, 2.5);
    }
}

/// The length of a cue and its widths at tip and butt, in radii of the ball: 1.47 m, 13 mm and 29 mm for a pool ball.
const CUE: [f32; 3] = [51.4, 0.455, 1.014];

/// The ends of the parts of a cue, as fractions of its length from the tip: leather, ferrule, shaft, ring, butt.
const PARTS: [f32; 5] = [0.007, 0.024, 0.56, 0.572, 1.0];

/// Draws the cue backward from its tip. A harder shot makes its shaft glow more.
fn draw_cue(canvas: &mut Canvas, (view, theme): (&View2d, &Theme), (tip, back): (Vec2, Vec2), radius: f32, share: f32) {
    let [length, thin, thick] = CUE.map(|measure| measure * radius);
    let width = |share: f32| (thin + (thick - thin) * share).max(view.px(2.5));
    let fall = Vec2::new(0.35, -0.8) * radius;
    let (start, end) = (tip + fall, tip + fall + back * length);
    canvas.taper(Layer::Gesture, (start, width(0.0)), (end, width(1.0)), theme.ground.shadow);
    let shaft = theme.cue.shaft.mix(&theme.aim.strong, 0.75 * share);
    let parts = [theme.cue.tip, theme.cue.ferrule, shaft, theme.cue.ferrule, theme.cue.butt];
    let mut from = 0.0;
    for (to, colour) in PARTS.into_iter().zip(parts) {
        let at = |share: f32| (tip + back * (length * share), width(share));
        canvas.taper(Layer::Gesture, at(from), at(to), colour);
        from = to;
    }
}

/// Draws every path, every impact, the resting places, and the ghost of the shot disc at its first contact.
fn draw_prediction(
    canvas: &mut Canvas,
    (view, theme, surroundings): (&View2d, &Theme, Surroundings),
    seen: &Seen,
    radius: f32,
    looks: &Looks,
) {
    let aim = theme.aim.on(surroundings);
    for (nth, disc) in seen.discs.iter().enumerate() {
        let colour = path_colour(disc.entity, looks, theme, surroundings);
        let width = view.px(if nth == 0 { 2.2 } else { 1.7 });
        let is_striped = looks.get(disc.entity).is_ok_and(|(_, look, _)| look.is_some_and(|look| look.striped));
        let stripe = is_striped.then(|| (view.px(STRIPE), theme.balls.white));
        draw_shadow(canvas, disc, (2.0 * width, theme.ground.shadow));
        draw_path(canvas, disc, width, colour, stripe);
        draw_flight(canvas, view, disc, (width, colour));
        if let (true, Some(&(end, _))) = (disc.rests, disc.path.last()) {
            canvas.disc(Layer::Trail, end, disc.radius, colour.with_alpha(0.2));
            canvas.ring(Layer::Trail, end, disc.radius, view.px(1.3), colour.with_alpha(0.75));
        }
    }
    for &(point, time) in &seen.impacts {
        canvas.disc(Layer::Trail, point, view.px(2.1), aim.with_alpha(brightness(time)));
    }
    if let Some(FirstContact { at: ghost, .. }) = seen.contact {
        canvas.ring(Layer::Gesture, ghost, radius, view.px(1.4), aim);
    }
}

/// The length of the dashes of a path in the air, logical pixels.
const AIR_DASH: f32 = 7.0;

/// The radius of the mark of a landing, in radii of the ball.
const LANDING: f32 = 0.4;

/// Draws the shadow of a disc along its path in the air. It leaves the path where the disc takes off, and meets it
/// again where the disc lands.
fn draw_shadow(canvas: &mut Canvas, disc: &SeenDisc, (width, colour): (f32, Srgba)) {
    for arc in &disc.arcs {
        let shadow = |k: usize| disc.path[k].0 + SHADOW * disc.heights[k];
        for k in arc.first..arc.last {
            canvas.piece(Layer::Trail, shadow(k), shadow(k + 1), width, colour);
        }
    }
}

/// Draws the parts of a path in the air as dashes, and a dot in a ring at every landing.
fn draw_flight(canvas: &mut Canvas, view: &View2d, disc: &SeenDisc, (width, colour): (f32, Srgba)) {
    for arc in &disc.arcs {
        let (way, faded) = (&disc.path[arc.first..=arc.last], brightness(disc.path[arc.first].1));
        let colour = colour.with_alpha(colour.alpha * faded);
        let points: Vec<Vec2> = way.iter().map(|(point, _)| *point).collect();
        canvas.dashed(Layer::Trail, &points, width, view.px(AIR_DASH), colour);
        if arc.lands {
            let (at, size) = (disc.path[arc.last].0, (LANDING * disc.radius).max(view.px(4.5)));
            canvas.ring(Layer::Trail, at, size, view.px(1.8), colour);
            canvas.disc(Layer::Trail, at, 0.35 * size, colour);
        }
    }
}

/// Draws the path of a disc on the cloth, fading with time. `stripe` gives a striped ball's path stripes of this length
/// (metres) and colour.
fn draw_path(canvas: &mut Canvas, disc: &SeenDisc, width: f32, colour: Srgba, stripe: Option<(f32, Srgba)>) {
    let path = &disc.path;
    let legs = || path.iter().zip(path.iter().skip(1));
    let length: f32 = legs().map(|(from, to)| from.0.distance(to.0)).sum();
    let mut gone = 0.0;
    for (k, (&(from, time), &(to, next))) in legs().enumerate() {
        // No line crosses from one periodic edge to the other.
        if next == time || disc.is_in_the_air(k) {
            continue;
        }
        let shaded = |colour: Srgba| colour.with_alpha(colour.alpha * brightness(time));
        let leg = from.distance(to);
        let Some((stripe, second)) = stripe else {
            canvas.line(Layer::Trail, from, to, width, shaded(colour));
            continue;
        };
        let stripe = stripe.max(length / MAX_STRIPES);
        let mut start = 0.0;
        while start < leg {
            // Stripes continue around corners.
            let nth = ((gone + start) / stripe).floor();
            let end = ((nth + 1.0) * stripe - gone).max(start + 0.1 * stripe).min(leg);
            let place = |at: f32| from.lerp(to, at / leg);
            let colour = if nth % 2.0 == 0.0 { colour } else { second };
            canvas.line(Layer::Trail, place(start), place(end), width, shaded(colour));
            start = end;
        }
        gone += leg;
    }
}

/// The distance between the tops of arcs with their heights beside them, logical pixels.
const APART: Vec2 = Vec2::new(62.0, 24.0);

/// The highest points of arcs that have room for their heights: the positions (logical pixels), and the heights of the
/// ball's lowest point, metres. Higher arcs come first. `apart` is the room of one, logical pixels.
pub(super) fn readable_tops(arcs: impl Iterator<Item = (Vec2, f32)>, apart: Vec2) -> Vec<(Vec2, f32)> {
    let mut arcs: Vec<_> = arcs.collect();
    arcs.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut kept: Vec<(Vec2, f32)> = Vec::new();
    for (at, apex) in arcs {
        if kept.iter().all(|(other, _)| (at - other).abs().cmpgt(apart).any()) {
            kept.push((at, apex));
        }
    }
    kept
}

/// Writes the numbers of the balls at the ends of their paths, the heights of arcs, and which balls leave the table.
pub(super) fn write_numbers(
    mut contexts: EguiContexts,
    (shot, preview, settings): (Res<Aim>, Res<Preview>, Res<PreviewSettings>),
    (views, theme, space): (Views, Res<Theme>, Res<PhysicsSpace>),
    looks: Looks,
) -> Result {
    let view = views.main();
    let Some(seen) = preview.seen().filter(|_| shot.shot.is_some()) else { return Ok(()) };
    if settings.length == PreviewLength::FirstContact {
        return Ok(());
    }
    let ctx = contexts.ctx_mut()?;
    let points = Points::of(ctx);
    let painter = ctx.layer_painter(egui::LayerId::background()).with_clip_rect(points.part(view.area));
    let pen = Pen::on(ctx, view, &theme);
    let discs = space.discs.position.iter().zip(&space.discs.radius);
    let discs = discs.map(|(at, radius)| pen.part_of_disc(view.to_screen(*at), radius * view.pixels_per_metre));
    let mut taken: Vec<_> = discs.collect();
    let arcs = seen
        .discs
        .iter()
        .flat_map(|disc| &disc.arcs)
        .filter(|arc| arc.is_shown())
        .map(|arc| (view.to_screen(arc.top), arc.apex));
    for (at, apex) in readable_tops(arcs, APART) {
        if let Some(words) = height_in_words(apex) {
            pen.beside((at, 6.0), (&words, 12.5, theme.text.first), &mut taken);
        }
    }
    for (disc, &(end, _)) in
        seen.discs.iter().filter(|disc| disc.leaves).filter_map(|disc| Some((disc, disc.path.last()?)))
    {
        let away = 6.0 + disc.radius * view.pixels_per_metre;
        pen.beside((view.to_screen(end), away), (&tr!("leaves the table"), 12.5, theme.aim.strong), &mut taken);
    }
    for disc in seen.discs.iter().filter(|disc| disc.rests) {
        let number = looks.get(disc.entity).ok().and_then(|(_, look, _)| look?.number).filter(|number| *number > 0);
        let (Some(number), Some(&(end, _))) = (number, disc.path.last()) else { continue };
        let radius = disc.radius * view.pixels_per_metre;
        if radius < SMALLEST_NUMBERED {
            continue;
        }
        let letters = egui::FontId::proportional(points.length((1.1 * radius).min(18.0).round()));
        let place = points.place(view.to_screen(end));
        painter.text(place, egui::Align2::CENTER_CENTER, number.to_string(), letters, ink(theme.text.label_on_dark));
    }
    Ok(())
}

/// The centre of the pocket for a disc that falls in here, metres.
fn pocket_at(end: Vec2, table: Option<&DrawnTable>, pockets: &Query<(&Pocket, &Position)>) -> Option<Vec2> {
    let beyond = |(pocket, position): &(&Pocket, &Position)| end.distance(position.0) - pocket.radius;
    let (pocket, position) = pockets.iter().min_by(|a, b| beyond(a).total_cmp(&beyond(b)))?;
    Some(liner(*pocket, position.0, table).0)
}

/// Draws a drop: a line into the pocket, and there a dot in a ring, crossed out for the cue ball.
fn draw_drop(
    canvas: &mut Canvas,
    (view, theme): (&View2d, &Theme),
    (end, into, radius): (Vec2, Vec2, f32),
    colour: Srgba,
    is_cue: bool,
) {
    let width = view.px(1.8);
    canvas.line(Layer::Trail, end, into, width, colour);
    let colour = if is_cue { theme.aim.strong } else { colour };
    canvas.ring(Layer::Trail, into, 0.85 * radius, view.px(2.0).max(0.1 * radius), colour);
    if is_cue {
        for side in [-1.0, 1.0] {
            let arm = Vec2::new(0.42, 0.42 * side) * radius;
            canvas.line(Layer::Trail, into - arm, into + arm, view.px(2.0).max(0.1 * radius), colour);
        }
    } else {
        canvas.disc(Layer::Trail, into, 0.42 * radius, colour);
    }
}

/// Draws a soft spot at every possible resting place of a disc.
fn draw_doubts(
    canvas: &mut Canvas,
    (view, theme, surroundings): (&View2d, &Theme, Surroundings),
    preview: &Preview,
    looks: &Looks,
    radii: &Query<&Radius, InPlay>,
) {
    for &(disc, end) in preview.doubts() {
        let Ok(&Radius(radius)) = radii.get(disc) else { continue };
        let colour = path_colour(disc, looks, theme, surroundings).with_alpha(0.055);
        canvas.glow(Layer::Marks, end, 0.9 * radius.max(view.px(3.0)), 0.6 * radius, colour);
    }
}

/// Draws the numbers and the bar beside the aimed disc.
pub(super) fn write_strength(
    mut contexts: EguiContexts,
    aim: Res<Aim>,
    strength: PresentStrength,
    (views, theme): (Views, Res<Theme>),
) -> Result {
    let view = views.main();
    let Some(shot) = aim.shot else { return Ok(()) };
    let strength = strength.get();
    let AimedShot { centre, radius, velocity, .. } = shot;
    let ctx = contexts.ctx_mut()?;
    let painter = ctx.layer_painter(egui::LayerId::background());
    let share = (velocity.length() / strength.most).clamp(0.0, 1.0);
    let words = painter.layout_no_wrap(strength_words(&shot), egui::FontId::proportional(14.0), ink(theme.text.first));
    let points = Points::of(ctx);
    let size = egui::vec2(words.size().x.max(112.0), 7.0);
    let (reach, way) =
        (points.length(radius * view.pixels_per_metre) + 26.0, view.in_window(velocity).normalize_or_zero());
    // If the cue and the hand come from below, they are placed beside the disc.
    let beside = if way.y < -0.7 { egui::vec2(reach + 0.5 * size.x, -9.0) } else { egui::vec2(0.0, reach) };
    let bar = egui::Rect::from_center_size(points.place(view.to_screen(centre)) + beside, size);
    let plate = bar.expand2(egui::vec2(10.0, 0.0)).with_max_y(bar.max.y + 28.0).with_min_y(bar.min.y - 9.0);
    let aside = way_into(plate, points.part(view.area));
    let (bar, plate) = (bar.translate(aside), plate.translate(aside));
    painter.rect_filled(plate, 8, ink(theme.text.notice));
    painter.rect_filled(bar, 4, ink(theme.panel.raised));
    let filled = bar.with_max_x(bar.min.x + bar.width() * share);
    painter.rect_filled(filled, 4, ink(heat(&theme, share)));
    painter.galley(bar.center_bottom() + egui::vec2(-0.5 * words.size().x, 4.0), words, ink(theme.text.first));
    Ok(())
}

/// The offset that moves a rectangle into another. If it is too large, the upper left corners match.
fn way_into(rect: egui::Rect, whole: egui::Rect) -> egui::Vec2 {
    let along = |least: f32, most: f32, from: f32, to: f32| (to - most).min(0.0).max(from - least);
    egui::vec2(
        along(rect.min.x, rect.max.x, whole.min.x, whole.max.x),
        along(rect.min.y, rect.max.y, whole.min.y, whole.max.y),
    )
}

/// The text beside the bar: speed and direction, the elevation if there is one, or that no shot is possible.
fn strength_words(shot: &AimedShot) -> String {
    let speed = shot.velocity.length();
    let turned = shot.velocity.to_angle().to_degrees();
    let shot_words = format!("{speed:.2} m/s · {}°", decimals(turned, 2));
    match shot.stroke {
        Some(Err(_)) => tr!("miscue: aim closer to the centre"),
        _ if shot.is_raised => tr!("{} · cue raised to {}°", shot_words, format!("{:.1}", shot.elevation)),
        _ if shot.elevation > 0.0 => tr!("{} · cue at {}°", shot_words, format!("{:.1}", shot.elevation)),
        _ => shot_words,
    }
}

/// Interpolates from the weak colour through the middle one to the strong one.
fn heat(theme: &Theme, share: f32) -> Srgba {
    if share < 0.5 {
        theme.aim.weak.mix(&theme.text.accent, share * 2.0)
    } else {
        theme.text.accent.mix(&theme.aim.strong, share * 2.0 - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guides_are_the_line_of_centres_the_tangent_and_30_degrees_from_the_aim() {
        let degrees = |angle: f32| Vec2::from_angle(angle.to_radians());
        // The line of centres is 40 degrees to the left of the way, or to the right.
        for (side, way) in [(1.0, 20.0), (-1.0, 20.0), (1.0, -100.0)] {
            let (centres, sides) = guides(degrees(way + side * 40.0), 3.0 * degrees(way));
            let [tangent, rolling] = sides.unwrap();
            assert_eq!(centres, degrees(way + side * 40.0));
            assert!(tangent.distance(degrees(way - side * 50.0)) < 1e-5, "{tangent}");
            assert!(rolling.distance(degrees(way - side * 30.0)) < 1e-5, "{rolling}");
        }
        assert_eq!(guides(Vec2::X, Vec2::X * 2.0), (Vec2::X, None));
    }

    fn seen(path: Vec<(Vec2, f32)>, heights: Vec<f32>) -> SeenDisc {
        let arcs = crate::timeline::arcs(&path, &heights);
        SeenDisc {
            entity: Entity::PLACEHOLDER,
            radius: 0.03,
            path,
            heights,
            arcs,
            rests: true,
            potted: false,
            leaves: false,
        }
    }

    #[test]
    fn of_arcs_close_together_the_highest_has_its_height_beside_it() {
        let arcs = [(Vec2::ZERO, 0.02), (Vec2::X * 50.0, 0.05), (Vec2::X * 200.0, 0.003)];
        assert_eq!(readable_tops(arcs.into_iter(), APART), [(Vec2::X * 50.0, 0.05), (Vec2::X * 200.0, 0.003)]);
    }

    #[test]
    fn a_path_in_the_air_is_dashed_and_has_a_shadow_and_a_landing() {
        let path: Vec<(Vec2, f32)> = (0..5_u8).map(|k| (Vec2::X * f32::from(k), 0.1 * f32::from(k))).collect();
        let disc = seen(path, vec![0.0, 0.0, 0.5, 0.0, 0.0]);
        let view = View2d::default();
        let shapes = |draw: &dyn Fn(&mut Canvas)| {
            let mut canvas = Canvas::default();
            draw(&mut canvas);
            canvas.len()
        };
        // The first and the last of four legs are on the cloth.
        assert_eq!(shapes(&|canvas| draw_path(canvas, &disc, 0.01, Srgba::RED, None)), 2);
        // Two metres of dashes of 7 cm with gaps as long, a ring and a dot.
        let dashes = shapes(&|canvas| draw_flight(canvas, &view, &disc, (0.01, Srgba::RED))) - 2;
        assert!((14..=16).contains(&dashes), "{dashes}");
        assert!(shapes(&|canvas| draw_shadow(canvas, &disc, (0.01, Srgba::BLACK))) >= 2);
        let level = SeenDisc { heights: Vec::new(), arcs: Vec::new(), ..disc };
        assert_eq!(shapes(&|canvas| draw_shadow(canvas, &level, (0.01, Srgba::BLACK))), 0);
        assert_eq!(shapes(&|canvas| draw_flight(canvas, &view, &level, (0.01, Srgba::RED))), 0);
    }

    #[test]
    fn the_path_of_a_striped_ball_is_striped_also_around_corners() {
        let path = [(Vec2::ZERO, 0.0), (Vec2::X * 2.5, 1.0), (vec2(2.5, 1.5), 2.0)];
        let disc = seen(path.to_vec(), Vec::new());
        let pieces = |stripe: Option<f32>| {
            let mut canvas = Canvas::default();
            draw_path(&mut canvas, &disc, 0.1, Srgba::RED, stripe.map(|length| (length, Srgba::WHITE)));
            canvas.len()
        };
        assert_eq!(pieces(None), 2);
        // Two whole stripes, one split at a corner into two halves, and one more.
        assert_eq!(pieces(Some(1.0)), 5);
        assert!((400..1000).contains(&pieces(Some(1e-9))), "however close one looks");
    }
}
