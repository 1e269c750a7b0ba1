//! The scoreboard at the top: both players, racks and points, whose turn it is, the balls on, the clock, and the result
//! of the last shot.

use bevy::prelude::*;
use bevy_egui::egui::{self, Align, Color32, Layout, RichText, Sense, Ui, WidgetInfo, WidgetType};
use tr::tr;

use super::ball_name;
use super::{remarks, words};
use crate::{
    billiards::tables::BallName,
    games::{Match, Note, Player, Task, plugin::CurrentMatch},
    scene::DiscColour,
    view::{Theme, theme::egui as ink},
};

/// The distance to the edges of the free area, points.
const GAP: f32 = 8.0;

/// The width of the middle part, points.
const MIDDLE: f32 = 190.0;

/// The height of a player's two rows, points.
const ROWS: f32 = 40.0;

/// The font size of a player's name, points.
const NAME: f32 = 16.0;

/// The height reserved below for one line of text, points, so that the table does not move. Longer text covers its
/// frame.
const SENTENCE: f32 = 24.0;

/// Shows it within a part of the window, points. Returns the height taken at the top.
pub(super) fn show(ctx: &egui::Context, area: egui::Rect, world: &World) -> f32 {
    let (Some(live), Some(theme)) = (world.get_resource::<CurrentMatch>(), world.get_resource::<Theme>()) else {
        return 0.0;
    };
    let width = (area.width() - 2.0 * GAP).max(120.0);
    let margin = egui::Margin::symmetric(12, 5);
    let inner = width - 24.0;
    let shown = egui::Area::new("scoreboard".into())
        .fixed_pos(area.min + egui::vec2(GAP, GAP))
        .order(egui::Order::Middle)
        .interactable(false)
        .show(ctx, |ui| {
            let frame = egui::Frame::new().fill(ink(theme.text.notice)).corner_radius(10).inner_margin(margin);
            frame.show(ui, |ui| {
                ui.set_width(inner);
                ui.spacing_mut().item_spacing = egui::vec2(6.0, 2.0);
                let middle = MIDDLE.min(0.36 * inner);
                let side = (inner - middle - 12.0) / 2.0;
                ui.horizontal_top(|ui| {
                    let part = |ui: &mut Ui, width: f32, align: Align, add: &mut dyn FnMut(&mut Ui)| {
                        let size = egui::vec2(width, ROWS);
                        ui.allocate_ui_with_layout(size, Layout::top_down(align), |ui| {
                            ui.set_min_size(size);
                            ui.set_max_width(width);
                            add(ui);
                        });
                    };
                    part(ui, side, Align::Min, &mut |ui| player(ui, live, theme, Player(0)));
                    part(ui, middle, Align::Center, &mut |ui| between(ui, live, theme));
                    part(ui, side, Align::Max, &mut |ui| player(ui, live, theme, Player(1)));
                });
            });
        });
    let foot = shown.response.rect.max.y;
    if let Some((sentence, is_foul)) = words::verdict(live) {
        let colour = if is_foul { theme.text.error } else { theme.text.soft };
        say(ctx, egui::pos2(area.center().x, foot + 2.0), inner, (&sentence, ink(colour)), ink(theme.text.notice));
    }
    foot - area.min.y + SENTENCE
}

/// Shows a sentence at most `width` wide below a point, points.
fn say(ctx: &egui::Context, top: egui::Pos2, width: f32, (sentence, colour): (&str, Color32), ground: Color32) {
    egui::Area::new("what came of the shot".into())
        .fixed_pos(top)
        .pivot(egui::Align2::CENTER_TOP)
        .order(egui::Order::Middle)
        .interactable(false)
        .constrain(false)
        .show(ctx, |ui| {
            let frame = egui::Frame::new().fill(ground).corner_radius(8).inner_margin(egui::Margin::symmetric(10, 2));
            frame.show(ui, |ui| {
                ui.set_max_width(width);
                let text = RichText::new(sentence).color(colour).size(13.0);
                ui.add(egui::Label::new(text).wrap().halign(Align::Center).selectable(false));
            });
        });
}

/// A player: name, racks, points, and notes.
fn player(ui: &mut Ui, live: &CurrentMatch, theme: &Theme, player: Player) {
    let game = live.game();
    if game.game().solo && player.0 == 1 {
        return;
    }
    let is_on = game.turn().is_some_and(|(whose, _)| whose == player);
    let is_left = player.0 == 0;
    // Names at the outer ends, numbers toward the middle.
    let (outer, inner) = (Layout::left_to_right(Align::Center), Layout::right_to_left(Align::Center));
    let [outer, inner] = if is_left { [outer, inner] } else { [inner, outer] };
    let mut level = None;
    let width = ui.available_width();
    ui.allocate_ui_with_layout(egui::vec2(width, 22.0), inner, |ui| {
        ui.set_min_width(width);
        let colour = ink(if is_on { theme.text.accent } else { theme.text.first });
        let (racks, score) = (game.racks()[player.index()], game.score()[player.index()]);
        let goal = game.rules().points_to_win(game.player_of(player));
        let has_points = goal.is_some() || game.spec().race_to == 1 || game.score().iter().any(|&score| score > 1);
        let mut number = |text: String, name: String| {
            let text = RichText::new(text).color(colour).size(17.0).strong();
            let response = ui.add(egui::Label::new(text).selectable(false));
            response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, &name));
        };
        let who = words::player(live, player);
        if game.spec().race_to > 1 {
            number(racks.to_string(), tr!("{}: {} racks", who, racks));
        }
        if has_points {
            let (text, name) = match goal {
                Some(goal) => (format!("{score} / {goal}"), tr!("{}: {} of {} points", who, score, goal)),
                None => (score.to_string(), tr!("{}: {} points", who, score)),
            };
            number(if game.spec().race_to > 1 { format!("({text})") } else { text }, name);
        }
        ui.with_layout(outer, |ui| {
            let (dot, _) = ui.allocate_exact_size(egui::vec2(9.0, 14.0), Sense::hover());
            if is_on {
                ui.painter().circle_filled(dot.center(), 4.0, colour);
            }
            if let Some(own) = game.rules().own_ball(game.player_of(player)) {
                let own_name = if own == BallName::Cue { tr!("white") } else { ball_name::ball(own) };
                ball(ui, own, OWN_BALL, &tr!("{}: {} ball", who, own_name), theme);
            }
            // Without enough room, a bot's level moves to the next row.
            let font = egui::FontId::proportional(NAME);
            let long = ui.painter().layout_no_wrap(who.clone(), font, colour).size().x;
            level = words::level(live, player).filter(|_| long > ui.available_width());
            let name = RichText::new(if level.is_some() { tr!("Bot") } else { who }).color(colour).size(NAME);
            let label = egui::Label::new(if is_on { name.strong() } else { name }).truncate().selectable(false);
            ui.add(label);
        });
    });
    let rules = game.rules();
    let of_rules = game.player_of(player);
    // Points left on the table concern both players and are shown once.
    let is_own = |note: &&Note| is_on || !matches!(note, Note::PointsOnTable(_));
    let mut notes = rules.notes(of_rules);
    // Notes on fouls, which may cost the rack, come first so that they are not cut off.
    notes.sort_by_key(|note| !matches!(note, Note::Fouls(_)));
    let mut notes: Vec<String> =
        level.into_iter().chain(notes.iter().filter(is_own).map(|note| remarks::said(note.sentence()))).collect();
    if is_on && rules.current_break() > 0 {
        notes.push(tr!("break {}", rules.current_break()));
    }
    let text = RichText::new(notes.join(" · ")).color(ink(theme.text.soft)).size(12.0);
    ui.add(egui::Label::new(text).truncate().selectable(false));
}

/// The middle: the game, the race, the balls on, the clock.
fn between(ui: &mut Ui, live: &CurrentMatch, theme: &Theme) {
    let game = live.game();
    let (race, solo) = (game.spec().race_to, game.game().solo);
    let title = game.rules().title().unwrap_or(game.game().title);
    let title = tr!(title);
    let title = if race > 1 && !solo { tr!("{} · race to {}", title, race) } else { title };
    let text = RichText::new(title).color(ink(theme.text.soft)).size(12.5);
    ui.add(egui::Label::new(text).truncate().selectable(false));
    let clock = live.clock().filter(|_| matches!(game.turn(), Some((_, Task::Shoot(_) | Task::Choose(_)))));
    let (names, others) = on(game);
    let of_clock = if clock.is_some() { 40.0 } else { 0.0 };
    let room = ((ui.available_width() - of_clock) / (BALL + 3.0)).max(1.0) as usize;
    let in_words = (names.len() > MOST_BALLS).then(|| match others[..] {
        [] => Some(tr!("any ball")),
        [but] => Some(tr!("any ball except the {}", ball_name::ball(but))),
        _ => None,
    });
    if let Some(on) = in_words.flatten() {
        let text = RichText::new(on).color(ink(theme.text.first)).size(13.0);
        let response = ui.add(egui::Label::new(text).truncate().selectable(false));
        ui.add_space((BALL - response.rect.height()).max(0.0));
        return clock.into_iter().for_each(|left| show_clock(ui, left, theme));
    }
    let shown = if names.len() > room { room - 1 } else { names.len() };
    let dots = if shown < names.len() { BALL } else { 0.0 };
    let width = shown as f32 * (BALL + 3.0) + dots + of_clock;
    ui.allocate_ui_with_layout(egui::vec2(width.max(1.0), BALL), Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        for &name in &names[..shown] {
            ball(ui, name, BALL, &tr!("on: {}", ball_name::ball(name)), theme);
        }
        if shown < names.len() {
            let text = RichText::new("\u{2026}").color(ink(theme.text.soft)).size(13.0);
            ui.add(egui::Label::new(text).selectable(false));
        }
        if let Some(left) = clock {
            show_clock(ui, left, theme);
        }
    });
}

/// The largest number of balls on to draw. More are described in words.
const MOST_BALLS: usize = 7;

/// The balls on, each once, and the other balls on the table except the cue balls.
fn on(game: &Match) -> (Vec<BallName>, Vec<BallName>) {
    let Some((_, Task::Shoot(stroke))) = game.turn() else { return default() };
    let (mut names, mut others) = (Vec::new(), Vec::new());
    let balls = game.rules().balls();
    for (ball, _) in game.layout().on_table().filter(|(ball, _)| *ball != stroke.cue_ball) {
        let Some(&name) = balls.get(ball.index()) else { continue };
        let list = if stroke.on.contains(&ball) { &mut names } else { &mut others };
        if !list.contains(&name) {
            list.push(name);
        }
    }
    (names, others)
}

/// The remaining time for a shot, seconds.
fn show_clock(ui: &mut Ui, left: f32, theme: &Theme) {
    let colour = if left < 10.0 { theme.text.error } else { theme.text.first };
    let text = RichText::new(format!("{:.0} s", left.max(0.0).ceil())).color(ink(colour)).size(13.0).strong();
    ui.add(egui::Label::new(text).selectable(false));
}

/// The diameters of a small ball and of the mark for a player's cue ball, points.
const BALL: f32 = 18.0;
const OWN_BALL: f32 = 13.0;

/// A small ball with its colour and number, of this width, points. `words` is its text for screen readers.
fn ball(ui: &mut Ui, name: BallName, width: f32, words: &str, theme: &Theme) {
    let (rect, response) = ui.allocate_exact_size(egui::Vec2::splat(width), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, words));
    let painter = ui.painter();
    let (centre, radius) = (rect.center(), 0.5 * width - 0.5);
    let white = ink(theme.balls.white);
    let colour = ink(theme.of_disc(DiscColour::of_ball(name)));
    let is_striped = matches!(name, BallName::Number(9..));
    painter.circle_filled(centre, radius, if is_striped { white } else { colour });
    if is_striped {
        let band = egui::Rect::from_center_size(centre, egui::vec2(width, 1.15 * radius));
        painter.with_clip_rect(band.intersect(painter.clip_rect())).circle_filled(centre, radius, colour);
    }
    if let BallName::Number(number) = name {
        painter.circle_filled(centre, 0.58 * radius, white);
        let letters = egui::FontId::proportional(9.0);
        painter.text(centre, egui::Align2::CENTER_CENTER, number.to_string(), letters, ink(theme.balls.number));
    }
}
