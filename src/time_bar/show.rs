//! The bar in the window: buttons, the strip of time with its marks, and the other tracks.

use bevy::prelude::*;
use bevy_egui::{
    EguiContext, PrimaryEguiContext,
    egui::{self, Button, Sense, Stroke, Ui},
};
use tr::tr;

use super::{
    keys::{chosen, rewind},
    marks::{marks, name},
    state::{Request, TimeBar, apply, is_allowed},
};
use crate::{
    collision::PhysicsSpace,
    input::actions::{Control, KeyMap},
    number::decimals,
    run_file::Divergence,
    shell::Overlays,
    timeline::{
        History, Playback, TrackId,
        history::{EditKind, TrackInfo},
    },
    view::{Insets, Named, Points, Theme, theme::egui as ink},
};

/// The heights of the strip and of the row of another track, points.
const STRIP: f32 = 22.0;
const ROW: f32 = 12.0;

/// The most other tracks with a row. The menu lists all.
const ROWS: usize = 3;

/// Marks nearer than this are one, and a click this near to a mark means it, points.
const NEAR: f32 = 5.0;

/// The radius of the knob, points.
const KNOB: f32 = 7.0;

/// A bar narrower than this has two rows, points.
const NARROW: f32 = 640.0;

/// What the bar shows.
pub(super) struct Shown<'a> {
    pub bar: &'a TimeBar,
    pub history: &'a History,
    pub theme: &'a Theme,
    pub keys: &'a KeyMap,
    pub is_paused: bool,
    /// The simulated time, seconds.
    pub now: f64,
    /// The length of a tick, seconds.
    pub step: f64,
    /// The tick after which a repeated run differs from the recorded one, if it does.
    pub differs: Option<u64>,
    /// The selected disc.
    pub disc: Option<Entity>,
}

/// What was asked for, and whether the rewind button is held.
#[derive(Default)]
pub(super) struct Asked {
    pub requests: Vec<Request>,
    pub rewinds: bool,
}

/// Shows the bar at the bottom of the window, and reserves its room.
pub(super) fn show(world: &mut World) -> Result {
    let mut contexts = world.query_filtered::<(Entity, &mut EguiContext), With<PrimaryEguiContext>>();
    let (camera, mut context) = contexts.single_mut(world)?;
    let ctx = context.get_mut().clone();
    let overlays = *world.resource::<Overlays>();
    let is_shown = is_allowed(world) && world.resource::<TimeBar>().is_shown(&overlays) && !overlays.help;
    let points = Points::of(&ctx);
    let whole = ctx.viewport_rect();
    let free = world.resource::<Insets>().free_part(camera).map_or(whole, |free| points.part(free).intersect(whole));
    let (asked, top) = if is_shown {
        let shown = Shown {
            bar: world.resource(),
            history: world.resource(),
            theme: world.resource(),
            keys: world.resource(),
            is_paused: world.resource::<Playback>().paused,
            now: world.resource::<PhysicsSpace>().clock.seconds,
            step: world.resource::<Time<Fixed>>().timestep().as_secs_f64(),
            differs: world.get_resource::<Divergence>().map(|divergence| divergence.tick),
            disc: chosen(world),
        };
        let (asked, height) = at_foot(&ctx, free, &shown);
        (asked, Some(whole.max.y - height))
    } else {
        (Asked::default(), None)
    };
    let edge = top.map(|top| points.pixels(egui::Rect::everything_above(top)).max.y);
    world.resource_mut::<Insets>().set_foot(camera, edge);
    handle(world, asked);
    Ok(())
}

/// Does what was asked for.
pub(super) fn handle(world: &mut World, asked: Asked) {
    for request in asked.requests {
        apply(world, request);
    }
    let key = world.resource::<TimeBar>().rewind_button;
    if asked.rewinds || key {
        rewind(world, asked.rewinds);
        world.resource_mut::<TimeBar>().rewind_button = asked.rewinds;
    }
}

/// Lays the bar out at the foot of a part of the window. Returns its height, points.
fn at_foot(ctx: &egui::Context, free: egui::Rect, shown: &Shown) -> (Asked, f32) {
    let frame = egui::Frame::new().fill(ink(shown.theme.panel.ground)).inner_margin(egui::Margin::symmetric(10, 5));
    let area = egui::Area::new("time bar".into())
        .fixed_pos(free.left_bottom())
        .pivot(egui::Align2::LEFT_BOTTOM)
        .order(egui::Order::Middle)
        .constrain(false)
        .show(ctx, |ui| {
            frame.show(ui, |ui| {
                ui.set_width(free.width() - 20.0);
                lay_out(ui, shown)
            })
        });
    (area.inner.inner, area.response.rect.height())
}

/// The whole bar.
pub(super) fn lay_out(ui: &mut Ui, shown: &Shown) -> Asked {
    let mut asked = Asked::default();
    ui.spacing_mut().item_spacing.x = 4.0;
    ui.spacing_mut().interact_size.y = 28.0;
    if ui.available_width() < NARROW {
        strip(ui, shown, &mut asked);
        ui.horizontal_wrapped(|ui| {
            buttons(ui, shown, &mut asked);
            menus(ui, shown, &mut asked);
        });
    } else {
        ui.horizontal(|ui| {
            buttons(ui, shown, &mut asked);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                menus(ui, shown, &mut asked);
                strip(ui, shown, &mut asked);
            });
        });
    }
    let others: Vec<(usize, TrackInfo)> = shown.history.tracks().enumerate().filter(|(_, it)| !it.is_current).collect();
    for &(place, track) in others.iter().rev().take(ROWS) {
        track_row(ui, shown, (place, track), &mut asked);
    }
    asked
}

/// The simulated time after a tick of the current track.
fn seconds(shown: &Shown, tick: u64) -> String {
    match shown.history.current_track() {
        Some(track) if tick != shown.history.tick() => seconds_on(shown, track, tick),
        _ => decimals(shown.now, 2),
    }
}

fn seconds_on(shown: &Shown, track: TrackId, tick: u64) -> String {
    decimals(shown.history.seconds(track, tick, shown.step), 2)
}

fn buttons(ui: &mut Ui, shown: &Shown, asked: &mut Asked) {
    let Shown { bar, history, keys, .. } = *shown;
    let (tick, start, end) = (history.tick(), history.start(), history.end());
    let button = |ui: &mut Ui, sign: &str, words: String, tip: String, works: bool| {
        let button = Button::new(sign).min_size(egui::vec2(28.0, 28.0));
        ui.add_enabled(works, button).named(words).on_hover_text(&tip).on_disabled_hover_text(tip)
    };
    let runs = !shown.is_paused || bar.to_hit.is_some();
    let (sign, words) = if runs { ("⏸", tr!("Pause")) } else { ("▶", tr!("Resume")) };
    let tip = keys.tip(&tr!("Pauses or resumes the simulation"), Control::Pause);
    if button(ui, sign, words, tip, true).clicked() {
        asked.requests.push(Request::Toggle);
    }
    if button(ui, "⏮", tr!("To the start"), tr!("Goes to the start of the run"), tick > start).clicked() {
        asked.requests.push(Request::Seek(start));
    }
    let tip = keys.tip(&tr!("Hold to go back in time, faster and faster"), Control::Rewind);
    asked.rewinds =
        button(ui, "⏪", tr!("Rewind"), tip, tick > start || bar.rewind.is_some()).is_pointer_button_down_on();
    let mut hits = vec![(None, "", tr!("Previous collision"), tr!("Next collision"))];
    if shown.disc.is_some() {
        hits.push((shown.disc, "●", tr!("Previous collision of the disc"), tr!("Next collision of the disc")));
    }
    for (of, dot, back, _) in &hits {
        let control = if of.is_some() { Control::PreviousDiscHit } else { Control::PreviousHit };
        let tip = keys.tip(&tr!("Pauses, and goes back to the last collision"), control);
        if button(ui, &["⬅", dot].concat(), back.clone(), tip, tick > start).clicked() {
            asked.requests.push(Request::Hit { forward: false, of: *of });
        }
    }
    let tip = keys.tip(&tr!("Pauses, and goes one tick back"), Control::StepBack);
    if button(ui, "◀", tr!("One tick back"), tip, tick > start).clicked() {
        asked.requests.push(Request::Tick { forward: false });
    }
    let tip = keys.tip(&tr!("Pauses and runs a single tick"), Control::Step);
    if button(ui, "⏭", tr!("One tick forward"), tip, true).clicked() {
        asked.requests.push(Request::Tick { forward: true });
    }
    for (of, dot, _, next) in &hits {
        let control = if of.is_some() { Control::NextDiscHit } else { Control::NextHit };
        let tip = keys.tip(&tr!("Runs to the next collision, and pauses"), control);
        if button(ui, &[dot, "➡"].concat(), next.clone(), tip, true).clicked() {
            asked.requests.push(Request::Hit { forward: true, of: *of });
        }
    }
    if button(ui, "▶|", tr!("To the end"), tr!("Goes to the last moment of this track"), tick < end).clicked() {
        asked.requests.push(Request::Seek(end));
    }
    let time = match bar.rewound() {
        Some(back) => tr!("{} s back", decimals(back, 1)),
        None => tr!("{} s · tick {}", seconds(shown, tick), tick),
    };
    ui.label(time).on_hover_text(tr!("Simulated time and ticks since the scene started"));
    if history.is_seeking() || bar.to_hit.is_some() {
        ui.spinner().named(tr!("Seeking")).on_hover_text(tr!("Time is on its way to the moment that was asked for"));
    }
}

/// The bookmarks, the tracks, and the button that hides the bar.
fn menus(ui: &mut Ui, shown: &Shown, asked: &mut Asked) {
    let Shown { bar, history, keys, .. } = *shown;
    let tip = keys.tip(&tr!("Hides this bar"), Control::TimeBar);
    if ui.button("✖").named(tr!("Hide the time bar")).on_hover_text(tip).clicked() {
        asked.requests.push(Request::Show(false));
    }
    if history.tracks().count() > 1 {
        let menu = ui.menu_button(tr!("Tracks"), |ui| {
            for (place, track) in history.tracks().enumerate() {
                let words = track_words(shown, (place, track));
                if ui.add(Button::selectable(track.is_current, words)).clicked() {
                    asked.requests.push(Request::Switch(track.id));
                }
            }
        });
        menu.response.on_hover_text(tr!("Each edit in the past begins a track. Choose the one to be on."));
    }
    let menu = ui.menu_button("★", |ui| {
        let tip = keys.tip(&tr!("Sets a bookmark at this moment"), Control::BookmarkMoment);
        if ui.button(tr!("Bookmark this moment")).on_hover_text(tip).clicked() {
            asked.requests.push(Request::Bookmark);
        }
        for (place, bookmark) in bar.bookmarks.iter().enumerate() {
            ui.horizontal(|ui| {
                let go = ui.button(format!("{} s", seconds_on(shown, bookmark.track, bookmark.tick)));
                if go.named(tr!("Go to {}", bookmark.name)).on_hover_text(tr!("Goes to this moment")).clicked() {
                    asked.requests.push(Request::Jump(bookmark.track, bookmark.tick));
                }
                let mut words = bookmark.name.clone();
                let field = egui::TextEdit::singleline(&mut words).desired_width(120.0);
                if ui.add(field).named(tr!("Name of {}", bookmark.name)).changed() {
                    asked.requests.push(Request::Rename(place, words));
                }
                let delete = ui.button("✖").named(tr!("Delete {}", bookmark.name));
                if delete.on_hover_text(tr!("Deletes the bookmark")).clicked() {
                    asked.requests.push(Request::Delete(place));
                }
            });
        }
    });
    menu.response.named(tr!("Bookmarks of moments")).on_hover_text(tr!("Moments with a name: set, visit, delete them"));
}

/// Where ticks are on the strip.
#[derive(Clone, Copy)]
struct Scale {
    left: f32,
    width: f32,
    start: u64,
    end: u64,
}

impl Scale {
    fn of(rect: egui::Rect, history: &History) -> Self {
        let end = history.tracks().map(|track| track.end).max().unwrap_or(0).max(history.start() + 1);
        let rect = rect.shrink2(egui::vec2(KNOB, 0.0));
        Self { left: rect.min.x, width: rect.width().max(1.0), start: history.start(), end }
    }

    fn x(self, tick: u64) -> f32 {
        let share = tick.saturating_sub(self.start) as f64 / (self.end - self.start) as f64;
        self.left + self.width * share.min(1.0) as f32
    }

    fn tick(self, x: f32) -> u64 {
        let share = f64::from(((x - self.left) / self.width).clamp(0.0, 1.0));
        self.start + (share * (self.end - self.start) as f64).round() as u64
    }
}

fn strip(ui: &mut Ui, shown: &Shown, asked: &mut Asked) {
    let Shown { bar, history, theme, .. } = *shown;
    let size = egui::vec2(ui.available_width().max(60.0), STRIP);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let scale = Scale::of(rect, history);
    let (start, end, tick) = (history.start(), history.end(), history.tick());
    let marks = marks(&history.edits(start, end + 1), |tick| scale.x(tick), NEAR);
    let flags = { bar.bookmarks.iter() }.filter(|bookmark| history.leads_through(bookmark.track, bookmark.tick));
    let flags: Vec<_> = flags.collect();
    let painter = ui.painter();
    let middle = rect.center().y;
    let line = |from: u64, to: u64, height: f32, colour| {
        let corner = |tick, side: f32| egui::pos2(scale.x(tick), middle + side * height / 2.0);
        painter.rect_filled(egui::Rect::from_min_max(corner(from, -1.0), corner(to, 1.0)), 2.0, colour);
    };
    painter.rect_filled(rect.shrink2(egui::vec2(0.0, 7.0)), 3.0, ink(theme.panel.well));
    line(start, end, 8.0, ink(theme.panel.raised));
    line(start, tick.min(end), 8.0, ink(theme.panel.chosen));
    for mark in &marks {
        let colour = match mark.kind {
            EditKind::Presence => theme.lesson.across,
            EditKind::Setting => theme.lesson.along,
            EditKind::Velocity => theme.lesson.after,
            EditKind::Other => theme.lesson.before,
        };
        painter.vline(scale.x(mark.tick), rect.y_range().shrink(3.0), Stroke::new(2.0, ink(colour)));
    }
    if let Some(tick) = shown.differs {
        painter.vline(scale.x(tick), rect.y_range(), Stroke::new(3.0, ink(theme.text.error)));
    }
    for flag in &flags {
        let at = egui::pos2(scale.x(flag.tick), rect.min.y + 3.0);
        painter.circle_filled(at, 3.0, ink(theme.text.accent));
    }
    if let Some(sought) = history.sought() {
        painter.vline(scale.x(sought), rect.y_range(), Stroke::new(1.0, ink(theme.text.accent)));
    }
    painter.circle_filled(egui::pos2(scale.x(tick), middle), KNOB, ink(theme.text.first));
    let near = |x: f32, tick: u64| (scale.x(tick) - x).abs() < NEAR;
    let meant = |x: f32| {
        let flag = flags.iter().find(|flag| near(x, flag.tick)).map(|flag| flag.tick);
        let mark = || marks.iter().find(|mark| near(x, mark.tick)).map(|mark| mark.tick);
        flag.or_else(mark).unwrap_or_else(|| scale.tick(x)).min(end)
    };
    let at = response.interact_pointer_pos().map(|at| at.x);
    if let (true, Some(x)) = (response.dragged(), at) {
        let wanted = scale.tick(x).min(end);
        if bar.held.is_none() || wanted != history.sought().unwrap_or(tick) {
            asked.requests.push(Request::Drag(wanted));
        }
    } else if let (true, Some(x)) = (response.clicked(), at) {
        asked.requests.push(Request::Seek(meant(x)));
    }
    if bar.held.is_some() && bar.rewind.is_none() && !response.dragged() {
        asked.requests.push(Request::Release);
    }
    let is_where_it_differs = |x: f32| shown.differs.is_some_and(|tick| near(x, tick));
    let mut tip = tr!("Click or drag to any moment. If time runs, it runs on from there after release.");
    if let Some(x) = response.hover_pos().map(|at| at.x) {
        tip = [tip, tr!("{} s · tick {}", seconds(shown, scale.tick(x)), scale.tick(x))].join("\n");
        if is_where_it_differs(x) {
            tip = [tip, tr!("From here on the run differs from the recorded one.")].join("\n");
        }
        if let Some(flag) = flags.iter().find(|flag| near(x, flag.tick)) {
            tip = [tip, flag.name.clone()].join("\n");
        }
        if let Some(mark) = marks.iter().find(|mark| near(x, mark.tick)) {
            tip = [tip, tr!("edits: {}, {}", mark.count, name(mark.kind))].join("\n");
        }
    }
    response.named(tr!("Time of the run")).on_hover_text(tip);
}

fn track_words(shown: &Shown, (place, track): (usize, TrackInfo)) -> String {
    let end = seconds_on(shown, track.id, track.end);
    match track.parent {
        Some((parent, from)) => tr!("Track {}: from {} s to {} s", place + 1, seconds_on(shown, parent, from), end),
        None => tr!("Track {}: to {} s", place + 1, end),
    }
}

/// A thin row of another track, from where it left the current one to its end.
fn track_row(ui: &mut Ui, shown: &Shown, (place, track): (usize, TrackInfo), asked: &mut Asked) {
    let (rect, response) = ui.allocate_exact_size(egui::vec2(ui.available_width(), ROW), Sense::click());
    let scale = Scale::of(rect, shown.history);
    let current: Option<TrackId> = shown.history.current_track();
    let from = current.and_then(|current| shown.history.last_shared(current, track.id)).unwrap_or(scale.start);
    let at = |tick, side: f32| egui::pos2(scale.x(tick), rect.center().y + side);
    let colour = if response.hovered() { shown.theme.panel.raised_hover } else { shown.theme.lesson.ghost };
    let part = egui::Rect::from_min_max(at(from, -2.5), at(track.end, 2.5));
    ui.painter().rect_filled(part, 2.0, ink(colour));
    let words = track_words(shown, (place, track));
    if response.named(&words).on_hover_text(tr!("{}. Click to change to it.", words)).clicked() {
        asked.requests.push(Request::Switch(track.id));
    }
}
