//! The question before replacing a file, and the hint for files dragged over the window.

use std::path::PathBuf;

use bevy::prelude::*;
use bevy_egui::egui::{self, LayerId, Order, RichText};
use tr::tr;

use super::{Files, is_scene, write_to};
use crate::{
    scene::{CurrentScene, SceneSource},
    view::{Theme, theme::egui as ink},
};

/// Asks whether a file may be replaced.
pub(super) fn show_question(ctx: &egui::Context, world: &mut World, files: &mut Files) {
    let Some(path) = files.replaces.clone() else { return };
    let name = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
    let is_own = world.get_resource::<CurrentScene>().is_some_and(|scene| match &scene.source {
        SceneSource::Path(own) => std::path::absolute(own).is_ok_and(|own| own == path),
        _ => false,
    });
    let answer = egui::Modal::new(egui::Id::new("replace a file")).show(ctx, |ui| {
        ui.set_width(320.0);
        ui.label(RichText::new(tr!("Replace {}?", name)).strong().size(15.0));
        ui.label(if is_own {
            tr!("The file has changed since the scene was loaded. Its current contents will be lost.")
        } else {
            tr!("The file already exists. Its contents will be lost.")
        });
        ui.small(path.display().to_string());
        ui.add_space(8.0);
        ui.horizontal(|ui| (ui.button(tr!("Replace")).clicked(), ui.button(tr!("Cancel")).clicked())).inner
    });
    let (replaces, is_cancelled) = answer.inner;
    if replaces {
        write_to(world, files, path);
    }
    if replaces || is_cancelled || answer.should_close() {
        files.replaces = None;
    }
}

/// Shows what will happen to the files dragged over the window.
pub(super) fn show_hint(ctx: &egui::Context, theme: &Theme, hovering: &[PathBuf]) {
    const RIM: f32 = 6.0;
    let Some(path) = hovering.iter().find(|path| is_scene(path)).or(hovering.first()) else { return };
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let (text, colour) = if is_scene(path) {
        (tr!("Drop to open {}", name), theme.text.accent)
    } else {
        (tr!("{} is not a scene: its name does not end in .ron", name), theme.text.error)
    };
    let whole = ctx.viewport_rect();
    let painter = ctx.layer_painter(LayerId::new(Order::Tooltip, egui::Id::new("held over the window")));
    painter.rect_filled(whole, 0, ink(theme.ground.shadow));
    let line = egui::Stroke::new(2.0, ink(colour));
    painter.rect_stroke(whole.shrink(RIM), 10, line, egui::StrokeKind::Inside);
    let words = painter.layout(text, egui::FontId::proportional(20.0), ink(theme.text.first), whole.width() - 80.0);
    let place = egui::Align2::CENTER_CENTER.anchor_size(whole.center(), words.size());
    painter.rect_filled(place.expand2(egui::vec2(22.0, 14.0)), 10, ink(theme.panel.ground));
    painter.galley(place.min, words, ink(theme.text.first));
}
