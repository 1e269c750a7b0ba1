//! egui helpers shared by the shell and the panel.

use bevy::prelude::*;
use bevy_egui::egui::{self, Align2, Response, Ui};

use crate::input::actions::{Control, KeyMap};

/// Shows widgets that are usable if `enabled`, and otherwise flat with soft text. By default egui would fade them. That
/// darkens light colours, so that they look like buttons.
pub fn usable<T>(ui: &mut Ui, enabled: bool, add: impl FnOnce(&mut Ui) -> T) -> T {
    ui.add_enabled_ui(enabled, |ui| {
        if !enabled {
            flatten(ui.visuals_mut());
        }
        add(ui)
    })
    .inner
}

/// The text that was pasted in this frame, if any. In a desktop window it arrives like typed text, but as several
/// characters at once.
pub(crate) fn pasted(ui: &Ui) -> Option<String> {
    let text_of = |event: &egui::Event| match event {
        egui::Event::Paste(text) => Some(text.clone()),
        egui::Event::Text(text) if text.chars().nth(1).is_some() => Some(text.clone()),
        _ => None,
    };
    ui.input(|input| input.events.iter().find_map(text_of))
}

/// The tooltip of a button, with its key: `Show the panel (P)`. Without a key map it has no key.
#[must_use]
pub fn tip(world: &World, what: &str, control: Control) -> String {
    world.get_resource::<KeyMap>().map_or_else(|| what.to_owned(), |map| map.tip(what, control))
}

/// A button that floats over the table, outside all windows. Its `pivot` is at this point, egui points. Returns whether
/// it was pressed.
pub(crate) fn floating_button(
    ctx: &egui::Context,
    id: &'static str,
    (at, pivot): (egui::Pos2, Align2),
    add: impl FnOnce(&mut Ui) -> Response,
) -> bool {
    egui::Area::new(egui::Id::new(id)).fixed_pos(at).pivot(pivot).show(ctx, |ui| add(ui).clicked()).inner
}

fn flatten(visuals: &mut egui::Visuals) {
    let (soft, line, ground) = (visuals.weak_text_color(), visuals.window_stroke, visuals.panel_fill);
    visuals.override_text_color = Some(soft);
    visuals.selection.bg_fill = line.color;
    let widgets = &mut visuals.widgets;
    for widget in [&mut widgets.noninteractive, &mut widgets.inactive, &mut widgets.hovered, &mut widgets.active] {
        (widget.bg_fill, widget.weak_bg_fill) = (ground, ground);
        (widget.bg_stroke, widget.fg_stroke.color) = (line, soft);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pasted_text_arrives_in_two_ways_and_a_typed_letter_is_none() {
        let ctx = egui::Context::default();
        let pasted_by = |event: egui::Event| {
            let mut text = None;
            let input = egui::RawInput { events: vec![event], ..default() };
            ctx.run_ui(input, |ui| text = pasted(ui)).textures_delta.clear();
            text
        };
        let drill = "(title: \"a\")\n";
        assert_eq!(pasted_by(egui::Event::Paste(drill.to_owned())).as_deref(), Some(drill));
        assert_eq!(pasted_by(egui::Event::Text(drill.to_owned())).as_deref(), Some(drill));
        for typed in ["a", "é", "本"] {
            assert_eq!(pasted_by(egui::Event::Text(typed.to_owned())), None);
        }
    }
}
