//! The list of the shots of the match, each with a replay.

use bevy::prelude::*;
use bevy_egui::egui::{self, RichText, ScrollArea};
use tr::tr;

use super::{Hud, is_escaped, words};
use crate::{
    games::plugin::{CurrentMatch, Look, LookBack, MatchCommand},
    input::actions::{Control, KeyMap},
    view::{Named, Theme, theme::egui as ink},
};

/// The largest width of the list and the height of a row, points.
const WIDEST: f32 = 320.0;
const ROW: f32 = 22.0;

/// The distance to the edges of the free area, and to the text below it, points.
const GAP: f32 = 8.0;
const BELOW: f32 = 96.0;

/// Shows the list within a part of the window, points, below existing text.
pub(super) fn show(ctx: &egui::Context, area: egui::Rect, top: f32, world: &mut World) {
    let mut hud = world.resource_mut::<Hud>();
    if !hud.shows_shots {
        hud.leads_to_list = true;
        return;
    }
    // A click that opens the list takes the focus from widgets when the button is released.
    let leads = !ctx.input(|input| input.pointer.any_released()) && std::mem::take(&mut hud.leads_to_list);
    let mut is_open = true;
    let wanted = {
        let world = &*world;
        let (Some(live), Some(theme)) = (world.get_resource::<CurrentMatch>(), world.get_resource::<Theme>()) else {
            return;
        };
        let keys = world.resource::<KeyMap>();
        let room = area.size() - egui::vec2(2.0 * GAP, top + BELOW);
        let width = (room.x - 26.0).clamp(80.0, WIDEST);
        let height = (room.y - 60.0).clamp(2.0 * ROW, 480.0);
        // This also follows when the text above grows.
        let below = egui::Rect { min: area.min + egui::vec2(0.0, top), ..area };
        egui::Window::new(tr!("Shots"))
            .id("list of shots".into())
            .open(&mut is_open)
            .collapsible(false)
            .resizable(false)
            .default_pos(area.min + egui::vec2(GAP, top))
            .constrain_to(below)
            .frame(egui::Frame::window(&ctx.global_style()).fill(ctx.global_style().visuals.panel_fill))
            .show(ctx, |ui| {
                ui.set_width(width);
                rows(ui, height, live, (theme, keys), leads)
            })
            .and_then(|shown| shown.inner)
            .unwrap_or_default()
    };
    if !is_open || wanted.closes {
        world.resource_mut::<Hud>().shows_shots = false;
    }
    if let Some(look) = wanted.look {
        world.write_message(MatchCommand::Look(look));
    }
}

/// The requests made in the list.
#[derive(Default)]
struct Wanted {
    look: Option<Look>,
    closes: bool,
}

/// Shows the visible rows. `leads` moves the focus to the replayed shot, or to the last one. From there the arrow keys
/// move it, and stay in the list.
fn rows(ui: &mut egui::Ui, height: f32, live: &CurrentMatch, (theme, keys): (&Theme, &KeyMap), leads: bool) -> Wanted {
    let mut wanted = Wanted::default();
    let shots = live.game().shots();
    let looked_at = live.look_back().map(LookBack::shot);
    if shots.is_empty() {
        ui.weak(tr!("No shots yet."));
        return wanted;
    }
    let id = ui.id().with("rows");
    let by_arrows: Option<usize> = ui.data_mut(|data| data.remove_temp(id.with("led")));
    let led_to = by_arrows.or(looked_at).unwrap_or(shots.len() - 1).min(shots.len() - 1);
    let leads = leads || by_arrows.is_some();
    // The list scrolls to the replayed shot, or else to the last one.
    let followed: Option<usize> = ui.data(|data| data.get_temp(id));
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical().max_height(height).auto_shrink([false, true]);
    if leads || followed != Some(led_to) {
        area = area.vertical_scroll_offset((led_to as f32 + 0.5) * ROW - 0.5 * height);
        ui.data_mut(|data| data.insert_temp(id, led_to));
    }
    let mut has_focus = None;
    let has_racks = shots.last().is_some_and(|last| last.rack > 0);
    area.show_rows(ui, ROW, shots.len(), |ui, range| {
        for number in range {
            let shot = &shots[number];
            let rack = if has_racks { format!("{}/", shot.rack + 1) } else { String::new() };
            let words =
                format!("{rack}{}   {}: {}", number + 1, words::player(live, shot.player), words::shot(live, shot));
            let colour = match shot.fouls.is_empty() {
                _ if looked_at == Some(number) => theme.panel.on_chosen,
                true => theme.text.first,
                false => theme.text.error,
            };
            let text = RichText::new(&words).color(ink(colour)).size(13.0);
            let button = egui::Button::selectable(looked_at == Some(number), text).truncate();
            let response = ui.add(button.min_size(egui::vec2(ui.available_width(), ROW))).named(&words);
            if leads && number == led_to {
                response.request_focus();
            }
            if response.has_focus() {
                has_focus = Some((number, response.id));
            }
            if response.clicked() {
                // From now on the replay has the keys.
                response.surrender_focus();
                wanted.look = Some(Look::Shot(number));
            }
        }
    });
    if let Some((number, row)) = has_focus {
        let arrows = egui::EventFilter { vertical_arrows: true, ..egui::EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(row, arrows));
        let presses = |key| ui.input_mut(|input| input.count_and_consume_key(egui::Modifiers::NONE, key));
        let (up, down) = (presses(egui::Key::ArrowUp), presses(egui::Key::ArrowDown));
        if up != down {
            let to = (number + down).saturating_sub(up).min(shots.len() - 1);
            ui.data_mut(|data| data.insert_temp(id.with("led"), to));
        }
    }
    ui.add_space(4.0);
    if looked_at.is_none() {
        let tip = keys.tip(&tr!("Lists the shots of the match for replay"), Control::Shots);
        ui.weak(tr!("Choose a shot to replay it.")).on_hover_text(tip);
    }
    wanted.closes = is_escaped(ui);
    wanted
}
