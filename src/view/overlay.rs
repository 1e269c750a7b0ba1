//! The title and description of the scene, a hint that fades, the badge of a paused simulation, and notices.

use bevy::{input::mouse::MouseWheel, prelude::*};
use bevy_egui::{
    EguiContexts,
    egui::{self, Align2, FontId},
};

use super::{
    ColourBy, Theme, ViewSettings, Viewport,
    colours::{STATES, state_colour},
    labels::{Pen, point},
    theme,
};
use crate::{
    disc::Disc,
    scene::{CueBall, CurrentScene, Lesson, Notices, SceneLoaded},
    timeline::Playback,
};

/// How long the hint stays, seconds, if nobody does anything.
const HINT_SECONDS: f32 = 9.0;
/// How long the hint takes to fade, seconds.
const FADE_SECONDS: f32 = 1.2;
/// How long a notice stays, seconds; one that says that something went wrong stays twice as long.
const NOTICE_SECONDS: f32 = 5.0;
/// How many notices are shown at once.
const NOTICES: usize = 3;

/// When the hint was first shown and when it was first not needed any more, in real seconds since the start.
#[derive(Resource, Debug, Default)]
pub(super) struct Hint {
    since: Option<f32>,
    until: f32,
}

impl Hint {
    fn opacity(&self, now: f32) -> f32 {
        let Some(since) = self.since else { return 0.0 };
        let shown = ((now - since) / 0.6).clamp(0.0, 1.0);
        shown * (1.0 - (now - self.until) / FADE_SECONDS).clamp(0.0, 1.0)
    }
}

/// Shows the hint with every new scene, and lets it go soon after the person has done anything.
pub(super) fn follow_hint(
    mut hint: ResMut<Hint>,
    time: Res<Time<Real>>,
    mut loaded: MessageReader<SceneLoaded>,
    keys: Option<Res<ButtonInput<KeyCode>>>,
    buttons: Option<Res<ButtonInput<MouseButton>>>,
    mut wheel: MessageReader<MouseWheel>,
) {
    let now = time.elapsed_secs();
    let scrolled = wheel.read().count() > 0;
    let acted = scrolled
        || keys.is_some_and(|keys| keys.get_just_pressed().len() > 0)
        || buttons.is_some_and(|buttons| buttons.get_just_pressed().len() > 0);
    if loaded.read().filter(|loaded| !loaded.restart).count() > 0 {
        *hint = Hint { since: Some(now), until: now + HINT_SECONDS };
    } else if acted {
        hint.until = hint.until.min(now + 0.4);
    }
}

/// The scene's name and what it is about, top left.
pub(super) fn write_title(
    mut contexts: EguiContexts,
    (viewport, settings, theme): (Res<Viewport>, Res<ViewSettings>, Res<Theme>),
    scene: Option<Res<CurrentScene>>,
) {
    let Some(scene) = scene.filter(|_| settings.overlay) else { return };
    let Some(pen) = Pen::new(&mut contexts, &viewport, &theme) else { return };
    let size = viewport.area.size();
    let room = (size.x - 56.0).min(720.0);
    if room < 120.0 || size.y < 260.0 {
        return;
    }
    let painter = pen.painter();
    let at = point(viewport.area.min + Vec2::new(28.0, 18.0));
    let title = painter.layout(scene.file.title.clone(), FontId::proportional(25.0), theme::egui(theme.text), room);
    let below = title.size().y + 3.0;
    painter.galley(at, title, theme::egui(theme.text));
    let text =
        painter.layout(scene.file.description.clone(), FontId::proportional(13.5), theme::egui(theme.text_soft), room);
    painter.galley(at + egui::vec2(0.5, below), text, theme::egui(theme.text_soft));
}

/// What the colours of the balls say, where they say what balls do: below the hints.
pub(super) fn write_states(
    mut contexts: EguiContexts,
    (viewport, settings, theme): (Res<Viewport>, Res<ViewSettings>, Res<Theme>),
) {
    if settings.colour_by != ColourBy::State {
        return;
    }
    let Some(pen) = Pen::new(&mut contexts, &viewport, &theme) else { return };
    let at = Vec2::new(viewport.area.center().x, viewport.area.max.y - 12.0);
    pen.legend(at, &STATES.map(|(state, name)| (name, state_colour(state, &theme))));
}

/// A line at the foot of the picture that says what can be done.
pub(super) fn write_hint(
    mut contexts: EguiContexts,
    (viewport, settings, theme): (Res<Viewport>, Res<ViewSettings>, Res<Theme>),
    hint: Res<Hint>,
    time: Res<Time<Real>>,
    scene: Option<Res<CurrentScene>>,
    cue: Query<(), (With<CueBall>, With<Disc>)>,
) {
    let opacity = hint.opacity(time.elapsed_secs());
    if !settings.overlay || opacity <= 0.0 {
        return;
    }
    let Some(pen) = Pen::new(&mut contexts, &viewport, &theme) else { return };
    // A game has keys of its own.
    let Some(scene) = scene else { return };
    let first = match scene.file.lesson {
        Lesson::VectorLab | Lesson::PreciseCheck => "Drag the grey arrow tips",
        _ if !cue.is_empty() => "Press on the cue ball, pull back, let go",
        _ => "Press on a disc, pull back, let go",
    };
    let text = format!("{first}   ·   Space  pause   ·   R  restart   ·   Tab  next scene   ·   H  help");
    let colour = theme.text.with_alpha(opacity);
    let at = Vec2::new(viewport.area.center().x, viewport.area.max.y - 30.0);
    pill(&pen, at, &text, 13.5, colour, opacity);
}

/// Says that the simulation stands still, top right.
pub(super) fn write_paused(
    mut contexts: EguiContexts,
    (viewport, settings, theme): (Res<Viewport>, Res<ViewSettings>, Res<Theme>),
    playback: Res<Playback>,
) {
    if !playback.paused || !settings.overlay {
        return;
    }
    let Some(pen) = Pen::new(&mut contexts, &viewport, &theme) else { return };
    let right = viewport.area.max.x - 28.0;
    let y = viewport.area.min.y + 34.0;
    let painter = pen.painter();
    let accent = theme::egui(theme.accent);
    let words = painter.layout_no_wrap("Paused".to_owned(), FontId::proportional(15.0), accent);
    let width = words.size().x;
    painter.galley(egui::pos2(right - width, y - words.size().y / 2.0), words, accent);
    for bar in [18.0, 11.0] {
        let rect = egui::Rect::from_center_size(egui::pos2(right - width - bar, y), egui::vec2(3.5, 12.0));
        painter.rect_filled(rect, 1.0, accent);
    }
}

/// The newest notices, top middle, the newest at the bottom.
pub(super) fn write_notices(
    mut contexts: EguiContexts,
    (viewport, theme): (Res<Viewport>, Res<Theme>),
    notices: Option<Res<Notices>>,
) {
    let Some(notices) = notices else { return };
    let Some(pen) = Pen::new(&mut contexts, &viewport, &theme) else { return };
    let mut shown: Vec<_> = notices
        .iter()
        .rev()
        .take(NOTICES)
        .filter_map(|notice| {
            let stays = NOTICE_SECONDS * if notice.is_error { 2.0 } else { 1.0 };
            let left = stays - notice.at.elapsed().as_secs_f32();
            (left > 0.0).then(|| (notice, (left / FADE_SECONDS).min(1.0)))
        })
        .collect();
    shown.reverse();
    for (row, (notice, opacity)) in shown.into_iter().enumerate() {
        let colour = if notice.is_error { theme.text_error } else { theme.text };
        let at = Vec2::new(viewport.area.center().x, viewport.area.min.y + 108.0 + 34.0 * row as f32);
        pill(&pen, at, &notice.text, 13.5, colour.with_alpha(opacity), opacity);
    }
}

/// Text on a rounded ground, centred at a point of the window.
fn pill(pen: &Pen, at: Vec2, text: &str, size: f32, colour: Srgba, opacity: f32) {
    let painter = pen.painter();
    let room = (painter.clip_rect().width() - 60.0).max(40.0);
    let words = painter.layout(text.to_owned(), FontId::proportional(size), theme::egui(colour), room);
    let place = Align2::CENTER_CENTER.anchor_size(point(at), words.size());
    let ground = pen.theme.notice.with_alpha(pen.theme.notice.alpha * opacity);
    let radius = (0.5 * words.size().y + 7.0).min(16.0);
    painter.rect_filled(place.expand2(egui::vec2(16.0, 7.0)), radius, theme::egui(ground));
    painter.galley(place.min, words, theme::egui(colour));
}
