//! How egui is dressed: dark slate like the room around the table, round corners, room to breathe.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{self, Color32, CornerRadius, FontId, Margin, Stroke, TextStyle, Ui},
};

use crate::view::theme as picture;

/// What lies under the panel's rows.
pub const PANEL: Color32 = Color32::from_rgb(0x1b, 0x20, 0x27);
/// What lies under fields and bars.
pub const WELL: Color32 = Color32::from_rgb(0x12, 0x16, 0x1b);
/// Buttons and slider rails at rest.
pub const RAISED: Color32 = Color32::from_rgb(0x2c, 0x34, 0x3e);
/// Buttons under the pointer.
pub const RAISED_HOVER: Color32 = Color32::from_rgb(0x39, 0x44, 0x51);
/// Buttons that are pressed.
pub const RAISED_ACTIVE: Color32 = Color32::from_rgb(0x44, 0x52, 0x61);
/// Lines between sections and around windows.
pub const LINE: Color32 = Color32::from_rgb(0x2a, 0x31, 0x3a);
/// What is chosen, and the filled part of sliders: the cloth of the table, lighter.
pub const CHOSEN: Color32 = Color32::from_rgb(0x35, 0x8f, 0x83);

/// The frame of the panel.
pub fn panel_frame() -> egui::Frame {
    egui::Frame::new().fill(PANEL).inner_margin(Margin { left: 14, right: 8, top: 10, bottom: 0 })
}

/// A thin line between sections.
pub fn rule(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(egui::vec2(ui.available_width(), 5.0), egui::Sense::hover());
    ui.painter().hline(rect.x_range(), rect.center().y, Stroke::new(1.0, LINE));
}

/// Dresses egui, once.
pub(super) fn dress(mut contexts: EguiContexts, mut done: Local<bool>) -> Result {
    if *done {
        return Ok(());
    }
    *done = true;
    let ctx = contexts.ctx_mut()?;
    ctx.set_theme(egui::Theme::Dark);
    ctx.style_mut_of(egui::Theme::Dark, |style| {
        style.text_styles = [
            (TextStyle::Heading, FontId::proportional(18.0)),
            (TextStyle::Body, FontId::proportional(13.5)),
            (TextStyle::Button, FontId::proportional(13.5)),
            (TextStyle::Small, FontId::proportional(11.5)),
            (TextStyle::Monospace, FontId::monospace(12.5)),
        ]
        .into();
        let spacing = &mut style.spacing;
        spacing.item_spacing = egui::vec2(8.0, 6.0);
        spacing.button_padding = egui::vec2(9.0, 4.0);
        spacing.interact_size = egui::vec2(36.0, 22.0);
        spacing.window_margin = Margin::same(16);
        spacing.slider_rail_height = 5.0;
        spacing.icon_width = 16.0;
        spacing.tooltip_width = 320.0;
        style.interaction.tooltip_delay = 0.35;
        let visuals = &mut style.visuals;
        let (text, soft) = (picture::egui(picture::TEXT), picture::egui(picture::TEXT_SOFT));
        visuals.panel_fill = PANEL;
        visuals.window_fill = PANEL;
        visuals.window_stroke = Stroke::new(1.0, LINE);
        visuals.window_corner_radius = CornerRadius::same(10);
        visuals.menu_corner_radius = CornerRadius::same(8);
        visuals.extreme_bg_color = WELL;
        visuals.faint_bg_color = Color32::from_rgb(0x20, 0x26, 0x2e);
        visuals.weak_text_color = Some(soft);
        visuals.error_fg_color = picture::egui(picture::TEXT_ERROR);
        visuals.warn_fg_color = picture::egui(picture::ACCENT);
        visuals.hyperlink_color = picture::egui(picture::ACCENT);
        visuals.selection.bg_fill = CHOSEN;
        visuals.selection.stroke = Stroke::new(1.0, Color32::WHITE);
        visuals.slider_trailing_fill = true;
        visuals.handle_shape = egui::style::HandleShape::Circle;
        visuals.collapsing_header_frame = false;
        let widgets = &mut visuals.widgets;
        let fills = [
            (&mut widgets.noninteractive, PANEL, text, LINE),
            (&mut widgets.inactive, RAISED, text, Color32::TRANSPARENT),
            (&mut widgets.hovered, RAISED_HOVER, Color32::WHITE, RAISED_ACTIVE),
            (&mut widgets.active, RAISED_ACTIVE, Color32::WHITE, CHOSEN),
            (&mut widgets.open, RAISED_HOVER, text, RAISED_ACTIVE),
        ];
        for (widget, fill, ink, line) in fills {
            widget.bg_fill = fill;
            widget.weak_bg_fill = fill;
            widget.fg_stroke = Stroke::new(1.2, ink);
            widget.bg_stroke = Stroke::new(1.0, line);
            widget.corner_radius = CornerRadius::same(6);
            widget.expansion = 0.0;
        }
    });
    Ok(())
}
