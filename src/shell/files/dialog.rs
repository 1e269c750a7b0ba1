//! The dialogs for opening and saving a scene file: their look and text, and the handling of the chosen file.

#[cfg(not(target_arch = "wasm32"))]
use std::path::PathBuf;

use bevy::prelude::*;
use bevy_egui::egui;
use egui_file_dialog::{DialogState, FileDialog, FileDialogConfig, FileDialogLabels, OpeningMode};
use tr::tr;

use super::{Files, save_to};
use crate::scene::{SceneCommand, SceneSource};

/// The configuration of the dialogs, in the current language.
pub(super) fn config() -> FileDialogConfig {
    // The name of scene files: the open dialog shows it as it is, the save dialog with the extension appended.
    let (scenes, scene) = (tr!("Scenes (.ron)"), tr!("Scene"));
    let config = FileDialogConfig {
        opening_mode: OpeningMode::AlwaysInitialDir,
        default_file_filter: Some(scenes.clone()),
        default_save_extension: Some(scene.clone()),
        // The search field is black even in light themes, with dark text.
        show_search: false,
        // Large enough to be useful, and smaller than any usual window.
        default_size: SIZE,
        min_size: egui::vec2(300.0, 200.0),
        labels: labels(),
        ..FileDialogConfig::default()
    };
    config.add_file_filter_extensions(&scenes, vec!["ron"]).add_save_extension(&scene, "ron")
}

/// The text of the dialogs, with their default symbols. Text for choosing folders or several files is not used.
pub(super) fn labels() -> FileDialogLabels {
    let with = |symbol: &str, word: String| [symbol, &word].join("  ");
    FileDialogLabels {
        cancel: tr!("Cancel"),
        overwrite: tr!("Replace"),
        reload: with("⟲", tr!("Refresh")),
        working_directory: with("↗", tr!("Go to working directory")),
        show_hidden: tr!("Show hidden files"),
        show_system_files: tr!("Show system files"),
        heading_pinned: tr!("Pinned"),
        heading_places: tr!("Places"),
        heading_devices: tr!("Devices"),
        heading_removable_devices: tr!("Removable devices"),
        home_dir: with("🏠", tr!("Home")),
        desktop_dir: with("🖵", tr!("Desktop")),
        documents_dir: with("🗐", tr!("Documents")),
        downloads_dir: with("📥", tr!("Downloads")),
        audio_dir: with("🎵", tr!("Music")),
        pictures_dir: with("🖼", tr!("Pictures folder")),
        videos_dir: with("🎞", tr!("Videos")),
        pin_folder: with("📌", tr!("Pin")),
        unpin_folder: with("✖", tr!("Unpin")),
        rename_pinned_folder: with("✏", tr!("Rename")),
        selected_file: tr!("Chosen file:"),
        file_name: tr!("File name:"),
        file_filter_all_files: tr!("All files"),
        save_extension_any: tr!("Any"),
        open_button: with("🗀", tr!("Open")),
        save_button: with("📥", tr!("Save")),
        cancel_button: with("🚫", tr!("Cancel")),
        overwrite_file_modal_text: tr!("The file already exists. Its contents will be lost."),
        err_empty_folder_name: tr!("A folder needs a name"),
        err_empty_file_name: tr!("A file needs a name"),
        err_directory_exists: tr!("A folder with this name already exists"),
        err_file_exists: tr!("A file with this name already exists"),
        ..FileDialogLabels::default()
    }
}

/// The size of the dialogs, points.
const SIZE: egui::Vec2 = egui::vec2(640.0, 380.0);

impl Files {
    /// Closes the dialog, keeping its pinned folders.
    fn end_dialog(&mut self) {
        let kept = std::mem::take(self.dialog.storage_mut());
        self.dialog = FileDialog::with_config(config()).storage(kept);
        (self.name_field, self.focused) = (None, None);
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn open_dialog(&mut self, folder: Option<PathBuf>, save_as: Option<String>) {
        self.end_dialog();
        let is_export = self.export.is_some();
        let config = self.dialog.config_mut();
        if let Some(folder) = folder {
            config.initial_directory = folder;
        }
        self.is_saving = save_as.is_some();
        if let Some(name) = save_as {
            config.default_file_name = name;
            config.title = Some(tr!("Save the scene"));
            if is_export {
                config.title = Some(tr!("Save to a file"));
                (config.default_file_filter, config.default_save_extension) = (None, None);
                config.file_filters.clear();
                config.save_extensions.clear();
            }
            self.dialog.save_file();
        } else {
            config.title = Some(tr!("Open a scene"));
            self.dialog.pick_file();
        }
    }
}

/// Shows the dialog, and handles the chosen file.
pub(super) fn show_dialog(ctx: &egui::Context, world: &mut World, files: &mut Files) {
    let whole = ctx.viewport_rect();
    let config = files.dialog.config_mut();
    config.max_size = Some(whole.size() - egui::Vec2::splat(48.0));
    config.default_pos = Some((whole.center() - SIZE / 2.0).max(egui::pos2(24.0, 24.0)));
    files.dialog.update(ctx);
    if let Some(path) = files.dialog.take_picked() {
        if files.is_saving {
            save_to(world, files, path);
        } else {
            world.write_message(SceneCommand::Load(SceneSource::Path(path)));
        }
    }
    watch_name(ctx, files);
}

/// Names the field for the file name, which gets the focus first. Escape in it closes the dialog; by default it would
/// only leave the field, and a second Escape would close the dialog.
fn watch_name(ctx: &egui::Context, files: &mut Files) {
    if !files.is_saving || *files.dialog.state() != DialogState::Open {
        return;
    }
    let before = std::mem::replace(&mut files.focused, ctx.memory(egui::Memory::focused));
    files.name_field = files.name_field.or(files.focused);
    let Some(field) = files.name_field else { return };
    ctx.accesskit_node_builder(field, |node| node.set_label(tr!("File name")));
    if before == Some(field) && ctx.input(|input| input.key_pressed(egui::Key::Escape)) {
        files.end_dialog();
    }
}
