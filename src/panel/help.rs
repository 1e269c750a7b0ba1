//! The overlay that lists every control. H, Escape or a click closes it.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{self, Align2, Color32, Order, RichText},
};

use crate::{
    input::{Overlays, keys::CONTROLS},
    view::{Theme, theme::egui as ink},
};

pub(super) fn show(mut contexts: EguiContexts, mut overlays: ResMut<Overlays>, theme: Res<Theme>) -> Result {
    if !overlays.help {
        return Ok(());
    }
    let ctx = contexts.ctx_mut()?;
    let whole = ctx.viewport_rect();
    let shade =
        egui::Area::new(egui::Id::new("help shade")).order(Order::Middle).fixed_pos(whole.min).show(ctx, |ui| {
            let shade = ui.allocate_rect(whole, egui::Sense::click());
            ui.painter().rect_filled(whole, 0, Color32::from_black_alpha(120));
            shade.clicked()
        });
    let style = ctx.global_style();
    let frame = egui::Frame::new()
        .fill(style.visuals.panel_fill)
        .stroke(style.visuals.window_stroke)
        .corner_radius(14)
        .inner_margin(egui::Margin::symmetric(32, 24))
        .shadow(egui::Shadow { offset: [0, 8], blur: 32, spread: 0, color: Color32::from_black_alpha(140) });
    let window = egui::Window::new("help")
        .order(Order::Foreground)
        .title_bar(false)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .frame(frame)
        .show(ctx, |ui| {
            ui.set_max_width(580.0);
            ui.label(RichText::new("Controls").size(22.0).strong());
            for (group, controls) in CONTROLS {
                ui.add_space(10.0);
                ui.label(RichText::new(group).size(12.5).color(ink(theme.accent)));
                egui::Grid::new(group).num_columns(2).spacing([22.0, 5.0]).min_col_width(220.0).show(ui, |ui| {
                    for (press, does) in controls {
                        ui.label(RichText::new(*press).color(ui.visuals().strong_text_color()));
                        ui.label(RichText::new(*does).color(ink(theme.text_soft)));
                        ui.end_row();
                    }
                });
            }
            ui.add_space(12.0);
            ui.small("H, Escape or a click closes this.");
        });
    let clicked = window.is_some_and(|window| {
        let rect = window.response.rect;
        ctx.input(|input| {
            input.pointer.primary_clicked() && input.pointer.interact_pos().is_some_and(|at| rect.contains(at))
        })
    });
    if shade.inner || clicked {
        overlays.help = false;
    }
    Ok(())
}
