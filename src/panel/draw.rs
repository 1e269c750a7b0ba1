//! What is drawn by hand, and what is taken back.

use bevy::prelude::*;
use bevy_egui::egui::Ui;

use super::widgets::usable;
use crate::input::{EditHistory, edit};

/// The two buttons that take an edit back and make it again, each with its name.
pub(super) fn show_history(ui: &mut Ui, world: &mut World) {
    let Some(history) = world.get_resource::<EditHistory>() else { return };
    let (last, next) = (history.next_undo(), history.next_redo());
    ui.horizontal(|ui| {
        let undo = usable(ui, last.is_some(), |ui| ui.button("Undo"));
        let text = last.map_or_else(|| "Nothing to undo (Ctrl+Z)".to_owned(), |last| format!("Undo: {last} (Ctrl+Z)"));
        if undo.on_hover_text(&text).on_disabled_hover_text(&text).clicked() {
            edit::undo(world);
        }
        let redo = usable(ui, next.is_some(), |ui| ui.button("Redo"));
        let text = next.map_or_else(|| "Nothing to redo (Ctrl+Y)".to_owned(), |next| format!("Redo: {next} (Ctrl+Y)"));
        if redo.on_hover_text(&text).on_disabled_hover_text(&text).clicked() {
            edit::redo(world);
        }
    });
}
