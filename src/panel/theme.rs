//! egui's style: the colours of the theme, rounded corners, and spacing.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{
        self, Color32, CornerRadius, FontId, Margin, Stroke, TextStyle, Ui, emath::format_with_decimals_in_range,
        style::NumberFormatter,
    },
};

use crate::{
    number::zero_without_sign,
    view::{Theme, theme::egui as ink},
};

/// The frame of the panel.
pub fn panel_frame(theme: &Theme) -> egui::Frame {
    egui::Frame::new().fill(ink(theme.panel.ground)).inner_margin(Margin { left: 14, right: 8, top: 10, bottom: 0 })
}

/// Draws a ring around the focused widget, of any kind.
pub(super) fn show_focus(ctx: &egui::Context, theme: &Theme) {
    let Some(focused) = ctx.memory(egui::Memory::focused).and_then(|id| ctx.read_response(id)) else { return };
    let painter = ctx.layer_painter(egui::LayerId::new(egui::Order::Tooltip, egui::Id::new("focus")));
    let stroke = Stroke::new(FOCUS, ink(theme.text.accent));
    painter.rect_stroke(focused.interact_rect.expand(1.0), 7, stroke, egui::StrokeKind::Outside);
}

/// The thickness of the ring, points.
const FOCUS: f32 = 2.0;

/// A thin line between sections.
pub fn rule(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(egui::vec2(ui.available_width(), 5.0), egui::Sense::hover());
    ui.painter().hline(rect.x_range(), rect.center().y, Stroke::new(1.0, ui.visuals().window_stroke.color));
}

/// Styles egui initially and whenever the colours change.
pub(super) fn dress(mut contexts: EguiContexts, theme: Res<Theme>, mut done: Local<bool>) -> Result {
    if *done && !theme.is_changed() {
        return Ok(());
    }
    *done = true;
    let ctx = contexts.ctx_mut()?;
    let side = if theme.is_dark() { egui::Theme::Dark } else { egui::Theme::Light };
    ctx.set_theme(side);
    ctx.style_mut_of(side, |style| {
        style.number_formatter =
            NumberFormatter::new(|value, digits| zero_without_sign(format_with_decimals_in_range(value, digits)));
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
        let [text, chosen, active] = [theme.text.first, theme.panel.chosen, theme.panel.raised_active].map(ink);
        visuals.panel_fill = ink(theme.panel.ground);
        visuals.window_fill = ink(theme.panel.ground);
        visuals.window_stroke = Stroke::new(1.0, ink(theme.panel.line));
        visuals.window_corner_radius = CornerRadius::same(10);
        visuals.menu_corner_radius = CornerRadius::same(8);
        visuals.extreme_bg_color = ink(theme.panel.well);
        visuals.faint_bg_color = ink(theme.panel.faint);
        visuals.weak_text_color = Some(ink(theme.text.soft));
        visuals.error_fg_color = ink(theme.text.error);
        visuals.warn_fg_color = ink(theme.text.accent);
        visuals.hyperlink_color = ink(theme.text.accent);
        visuals.selection.bg_fill = chosen;
        visuals.selection.stroke = Stroke::new(1.0, ink(theme.panel.on_chosen));
        // Disabled widgets are drawn flat: see `widgets::usable`.
        visuals.disabled_alpha = 1.0;
        visuals.slider_trailing_fill = true;
        visuals.handle_shape = egui::style::HandleShape::Circle;
        visuals.collapsing_header_frame = false;
        let widgets = &mut visuals.widgets;
        let none = Color32::TRANSPARENT;
        let fills = [
            (&mut widgets.noninteractive, theme.panel.ground, ink(theme.panel.line)),
            (&mut widgets.inactive, theme.panel.raised, none),
            (&mut widgets.hovered, theme.panel.raised_hover, active),
            (&mut widgets.active, theme.panel.raised_active, chosen),
            (&mut widgets.open, theme.panel.raised_hover, active),
        ];
        for (widget, fill, line) in fills {
            widget.bg_fill = ink(fill);
            widget.weak_bg_fill = ink(fill);
            widget.fg_stroke = Stroke::new(1.2, text);
            widget.bg_stroke = Stroke::new(1.0, line);
            widget.corner_radius = CornerRadius::same(6);
            widget.expansion = 0.0;
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widget_that_tab_reaches_has_a_ring() {
        let ctx = egui::Context::default();
        let rings = |input: egui::RawInput| {
            let mut output = ctx.run_ui(input, |ui| {
                let _ = ui.button("First");
                show_focus(ui.ctx(), &Theme::default());
            });
            output.textures_delta.clear();
            let is_ring = |shape: &egui::Shape| matches!(shape, egui::Shape::Rect(it) if it.stroke.width == FOCUS);
            output.shapes.iter().filter(|clipped| is_ring(&clipped.shape)).count()
        };
        assert_eq!(rings(egui::RawInput::default()), 0);
        let tab = egui::Event::Key {
            key: egui::Key::Tab,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: egui::Modifiers::NONE,
        };
        rings(egui::RawInput { events: vec![tab], ..default() });
        assert_eq!(rings(egui::RawInput::default()), 1);
    }
}
