//! The overlay with all controls and their current keys. A key or a click closes it.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{self, Align2, Order, RichText, Ui},
};
use tr::tr;

use crate::{
    games::plugin::CurrentMatch,
    input::actions::{Control, Group, KeyMap},
    shell::Overlays,
    view::{Theme, theme::egui as ink},
};

pub(crate) fn show(
    mut contexts: EguiContexts,
    mut overlays: ResMut<Overlays>,
    (map, theme, live): (Res<KeyMap>, Res<Theme>, Option<Res<CurrentMatch>>),
) -> Result {
    if overlays.help && lay_out(contexts.ctx_mut()?, &map, &theme, live.is_some()).closed {
        overlays.help = false;
    }
    Ok(())
}

/// The layout of the help in the window.
struct LaidOut {
    /// Its rectangle, points.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests look whether it is within the window"))]
    place: egui::Rect,
    /// Whether a click closed it.
    closed: bool,
}

/// The margin around the help, and its padding, points.
const AROUND: f32 = 12.0;
const RIM: egui::Margin = egui::Margin::symmetric(28, 16);
/// The width of a column, points. There are two columns if they fit.
const COLUMN: f32 = 560.0;
const BETWEEN: f32 = 32.0;

/// Shows all controls, in two columns if the window is wide enough, and with a scroll bar if it is not high enough.
fn lay_out(ctx: &egui::Context, map: &KeyMap, theme: &Theme, in_match: bool) -> LaidOut {
    let groups = groups(in_match);
    let whole = ctx.viewport_rect();
    let shade =
        egui::Area::new(egui::Id::new("help shade")).order(Order::Middle).fixed_pos(whole.min).show(ctx, |ui| {
            let shade = ui.allocate_rect(whole, egui::Sense::click());
            ui.painter().rect_filled(whole, 0, ink(theme.ground.shadow));
            shade.clicked()
        });
    let style = ctx.global_style();
    let frame = egui::Frame::new()
        .fill(style.visuals.panel_fill)
        .stroke(style.visuals.window_stroke)
        .corner_radius(14)
        .inner_margin(RIM)
        .shadow(egui::Shadow { offset: [0, 8], blur: 32, spread: 0, color: ink(theme.table.shadow) });
    let room = (whole.size() - RIM.sum() - egui::Vec2::splat(2.0 * AROUND)).max(egui::Vec2::splat(40.0));
    let is_wide = room.x >= 2.0 * COLUMN + BETWEEN;
    let column = room.x.min(COLUMN);
    let window = egui::Window::new("help")
        .order(Order::Foreground)
        .title_bar(false)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .frame(frame)
        .show(ctx, |ui| {
            ui.set_width(if is_wide { 2.0 * COLUMN + BETWEEN } else { column });
            // The last line stays visible. The height is fixed from the first frame, which egui does not show.
            let height = (room.y - 44.0).max(24.0);
            let area = egui::ScrollArea::vertical().max_height(height).min_scrolled_height(height);
            area.show(ui, |ui| {
                // Two columns of similar height.
                let lines =
                    |groups: &[Group]| groups.iter().map(|group| help(map, *group, in_match).len() + 1).sum::<usize>();
                let split = (1..groups.len()).min_by_key(|&split| lines(&groups[..split]).max(lines(&groups[split..])));
                let split = split.filter(|_| is_wide).unwrap_or(groups.len());
                let (first, rest) = groups.split_at(split);
                ui.horizontal_top(|ui| {
                    ui.spacing_mut().item_spacing.x = BETWEEN;
                    for groups in [first, rest] {
                        if !groups.is_empty() {
                            ui.vertical(|ui| show_groups(ui, groups, column - 10.0, (map, theme, in_match)));
                        }
                    }
                });
            });
            ui.add_space(4.0);
            if let (Some(help), Some(cancel)) = (map.short(Control::Help), map.short(Control::Cancel)) {
                ui.small(tr!("{}, {} or a click closes this.", help, cancel));
            }
        });
    let place = window.map_or(egui::Rect::NOTHING, |window| window.response.rect);
    let clicked = ctx.input(|input| {
        input.pointer.primary_clicked() && input.pointer.interact_pos().is_some_and(|at| place.contains(at))
    });
    LaidOut { place, closed: shade.inner || clicked }
}

/// All groups. During a match, its group comes first.
fn groups(in_match: bool) -> [Group; Group::ALL.len()] {
    let mut groups = Group::ALL;
    if in_match {
        groups.sort_by_key(|group| *group != Group::Match);
    }
    groups
}

/// The lines of a group. During a match, its group lists everything that is possible in one.
fn help(map: &KeyMap, group: Group, in_match: bool) -> Vec<(String, String)> {
    if in_match && group == Group::Match { map.help_in_match() } else { map.help(group) }
}

/// Groups of controls in a column of this width.
fn show_groups(ui: &mut Ui, groups: &[Group], width: f32, (map, theme, in_match): (&KeyMap, &Theme, bool)) {
    const APART: f32 = 18.0;
    const BETWEEN_LINES: f32 = 2.0;
    ui.set_max_width(width);
    ui.spacing_mut().item_spacing.y = BETWEEN_LINES;
    let [press_width, does_width] = [0.4, 0.6].map(|share| share * (width - APART));
    for group in groups {
        let title = group.title();
        ui.label(RichText::new(tr!(title)).size(12.5).color(ink(theme.text.accent)));
        for (press, does) in help(map, *group, in_match) {
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = APART;
                let words =
                    [(press_width, press, ui.visuals().strong_text_color()), (does_width, does, ink(theme.text.soft))];
                for (width, text, colour) in words {
                    ui.vertical(|ui| {
                        ui.set_width(width);
                        ui.add(egui::Label::new(RichText::new(text).color(colour)).wrap());
                    });
                }
            });
        }
        ui.add_space(6.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_is_seen_in_its_size_at_once() {
        for size in [[1920.0, 1080.0], [800.0, 600.0]] {
            let ctx = egui::Context::default();
            let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into());
            let mut seen = Vec::new();
            for _ in 0..5 {
                let mut place = egui::Rect::NOTHING;
                let input = egui::RawInput { screen_rect: Some(screen), ..default() };
                let mut output = ctx.run_ui(input, |ui| {
                    place = lay_out(ui.ctx(), &KeyMap::default(), &Theme::default(), true).place;
                });
                output.textures_delta.clear();
                let is_text = |shape: &egui::epaint::ClippedShape| matches!(shape.shape, egui::Shape::Text(_));
                if output.shapes.iter().any(is_text) {
                    seen.push(place);
                }
            }
            assert!(seen.len() > 2 && seen.iter().all(|place| *place == seen[0]), "{seen:?}");
        }
    }

    #[test]
    fn in_a_match_its_controls_come_first_and_are_all_there() {
        let map = KeyMap::default();
        assert_eq!([groups(true)[0], groups(false)[0]], [Group::Match, Group::Shots]);
        let does: Vec<String> = help(&map, Group::Match, true).into_iter().map(|line| line.1).collect();
        for what in ["call the next or previous ball", "take the last shot back"] {
            assert!(does.iter().any(|does| does == what), "{does:?}");
        }
    }

    #[test]
    fn the_help_lies_within_every_window() {
        for size in [[1920.0, 1080.0], [1280.0, 800.0], [800.0, 600.0], [320.0, 240.0]] {
            let ctx = egui::Context::default();
            let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into());
            let mut place = egui::Rect::NOTHING;
            for _ in 0..5 {
                let input = egui::RawInput { screen_rect: Some(screen), ..default() };
                ctx.run_ui(input, |ui| place = lay_out(ui.ctx(), &KeyMap::default(), &Theme::default(), true).place)
                    .textures_delta
                    .clear();
            }
            assert!(screen.contains_rect(place), "{place:?} in {screen:?}");
            assert!(place.width() > 0.4 * size[0].min(1200.0) && place.height() > 100.0, "{place:?} in {screen:?}");
        }
    }
}
