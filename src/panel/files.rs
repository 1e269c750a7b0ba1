//! Scene files: the dialogs that open and save one, the question before a file is replaced, the files of late, and what is dropped on the window.

use std::path::{Path, PathBuf};

use bevy::{prelude::*, window::FileDragAndDrop};
use bevy_egui::{
    EguiContext, PrimaryEguiContext,
    egui::{self, LayerId, Order, RichText, Ui},
};
use egui_file_dialog::{DialogState, FileDialog, FileDialogConfig, FileDialogLabels, OpeningMode};
use serde::{Deserialize, Serialize};
use tr::tr;

use crate::{
    input::{
        Attention, ControlSystems, Overlays, PointerPlugin,
        actions::{Control, Inputs},
    },
    scene::{CurrentScene, Notices, SceneCommand, SceneSaved, SceneSource, SceneStarted, was_written_elsewhere},
    view::{Theme, theme::egui as ink},
};

/// The scene files that were opened or saved last, the newest first.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RecentFiles(Vec<PathBuf>);

impl RecentFiles {
    /// How many are kept; older ones are forgotten.
    pub const KEPT: usize = 10;

    /// Puts a file first. A relative path is taken from the working folder.
    pub fn add(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.0.retain(|other| *other != path);
        self.0.insert(0, path);
        self.0.truncate(Self::KEPT);
    }

    /// Forgets those that are there no more.
    pub fn forget_missing(&mut self) {
        self.0.retain(|path| path.is_file());
        self.0.truncate(Self::KEPT);
    }

    /// All that are kept, the newest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Path> {
        self.0.iter().map(PathBuf::as_path)
    }
}

/// What a person can ask for with files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// A dialog that begins the scene of a file.
    Open,
    /// The present state into the file that the scene came from; a dialog, if it came from none.
    Save,
    /// A dialog that writes the present state to a file.
    SaveAs,
}

/// The dialogs and questions about files.
#[derive(Resource)]
pub(super) struct Files {
    dialog: FileDialog,
    /// Whether the dialog is there to save, or else to open.
    is_saving: bool,
    asked: Option<Ask>,
    /// A file that would be replaced, if the person says so.
    replaces: Option<PathBuf>,
    /// What is held over the window.
    hovering: Vec<PathBuf>,
    /// The field for the name in the dialog that saves, and what had the keyboard with the last picture.
    name_field: Option<egui::Id>,
    focused: Option<egui::Id>,
}

impl Default for Files {
    fn default() -> Self {
        Self {
            dialog: FileDialog::with_config(config()),
            is_saving: false,
            asked: None,
            replaces: None,
            hovering: Vec::new(),
            name_field: None,
            focused: None,
        }
    }
}

/// How the dialogs are, in the language of now.
fn config() -> FileDialogConfig {
    // What they call scene files: the one that opens as it stands here, the one that saves with the ending behind it.
    let (scenes, scene) = (tr!("Scenes (.ron)"), tr!("Scene"));
    let config = FileDialogConfig {
        opening_mode: OpeningMode::AlwaysInitialDir,
        default_file_filter: Some(scenes.clone()),
        default_save_extension: Some(scene.clone()),
        // Its field is black in light colours too, with dark letters.
        show_search: false,
        // Big enough to see something, and within every window that one works in.
        default_size: SIZE,
        min_size: egui::vec2(300.0, 200.0),
        labels: labels(),
        ..FileDialogConfig::default()
    };
    config.add_file_filter_extensions(&scenes, vec!["ron"]).add_save_extension(&scene, "ron")
}

/// The words of the dialogs, with the symbols that they have by themselves. Those of dialogs that choose folders or several files are not seen.
fn labels() -> FileDialogLabels {
    let with = |symbol: &str, word: String| [symbol, &word].join("  ");
    FileDialogLabels {
        cancel: tr!("Cancel"),
        overwrite: tr!("Replace"),
        reload: with("⟲", tr!("Read again")),
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
        overwrite_file_modal_text: tr!("The file is there already. What it holds will be lost."),
        err_empty_folder_name: tr!("A folder needs a name"),
        err_empty_file_name: tr!("A file needs a name"),
        err_directory_exists: tr!("There is a folder of this name already"),
        err_file_exists: tr!("There is a file of this name already"),
        ..FileDialogLabels::default()
    }
}

/// The size of the dialogs, points.
const SIZE: egui::Vec2 = egui::vec2(640.0, 380.0);

impl Files {
    /// Asks for something, which is done with the next picture.
    pub(super) fn ask(&mut self, ask: Ask) {
        self.asked = Some(ask);
    }

    /// Whether there is a dialog or a question that has to be answered first.
    fn is_busy(&self) -> bool {
        *self.dialog.state() == DialogState::Open || self.replaces.is_some()
    }

    /// Ends the dialog; what was pinned in it is kept.
    fn end_dialog(&mut self) {
        let kept = std::mem::take(self.dialog.storage_mut());
        self.dialog = FileDialog::with_config(config()).storage(kept);
        (self.name_field, self.focused) = (None, None);
    }

    fn open_dialog(&mut self, folder: Option<PathBuf>, save_as: Option<String>) {
        self.end_dialog();
        let config = self.dialog.config_mut();
        if let Some(folder) = folder {
            config.initial_directory = folder;
        }
        self.is_saving = save_as.is_some();
        if let Some(name) = save_as {
            config.default_file_name = name;
            config.title = Some(tr!("Save the scene"));
            self.dialog.save_file();
        } else {
            config.title = Some(tr!("Open a scene"));
            self.dialog.pick_file();
        }
    }
}

/// Adds what is done with files, beside the panel.
pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Files>()
        .init_resource::<RecentFiles>()
        .add_plugins(PointerPlugin)
        .add_message::<FileDragAndDrop>()
        .add_observer(|started: On<SceneStarted>, mut recent: ResMut<RecentFiles>| {
            if let (SceneSource::Path(path), false) = (&started.source, started.restart) {
                recent.add(path);
            }
        })
        .add_observer(|saved: On<SceneSaved>, mut recent: ResMut<RecentFiles>| recent.add(&saved.path))
        .add_systems(PreUpdate, hold_keys.after(ControlSystems::Look).before(ControlSystems::Read))
        .add_systems(PreUpdate, file_keys.in_set(ControlSystems::Keys))
        .add_systems(Update, take_dropped.run_if(resource_exists::<Messages<SceneCommand>>));
}

/// While a dialog is open all keys are its own.
fn hold_keys(files: Res<Files>, mut attention: ResMut<Attention>) {
    if files.is_busy() {
        attention.keys = false;
    }
}

/// Opens and saves by keys.
fn file_keys(inputs: Inputs, mut files: ResMut<Files>) {
    let asked = [(Control::Open, Ask::Open), (Control::SaveAs, Ask::SaveAs), (Control::Save, Ask::Save)];
    if !files.is_busy()
        && let Some((_, ask)) = asked.into_iter().find(|(control, _)| inputs.started(*control))
    {
        files.ask(ask);
    }
}

/// A scene file that is dropped on the window begins.
fn take_dropped(
    mut drops: MessageReader<FileDragAndDrop>,
    mut files: ResMut<Files>,
    mut scenes: MessageWriter<SceneCommand>,
    mut notices: Option<ResMut<Notices>>,
) {
    let mut dropped = Vec::new();
    for event in drops.read() {
        match event {
            FileDragAndDrop::HoveredFile { path_buf, .. } => files.hovering.push(path_buf.clone()),
            FileDragAndDrop::HoveredFileCanceled { .. } => files.hovering.clear(),
            FileDragAndDrop::DroppedFile { path_buf, .. } => {
                files.hovering.clear();
                dropped.push(path_buf);
            }
        }
    }
    // Of many files the first scene runs.
    match (dropped.iter().find(|path| is_scene(path)), dropped.first()) {
        (Some(scene), _) => _ = scenes.write(SceneCommand::Load(SceneSource::Path((*scene).clone()))),
        (None, Some(other)) => {
            if let Some(notices) = &mut notices {
                notices.error(tr!("{}: no scene; drop a file that ends in .ron", other.display()));
            }
        }
        (None, None) => {}
    }
}

fn is_scene(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ron"))
}

/// Shows what has to be shown about files: the dialog, the question, the hint.
pub(super) fn show(world: &mut World) -> Result {
    if !world.contains_resource::<Messages<SceneCommand>>() {
        return Ok(());
    }
    let mut contexts = world.query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
    let ctx = contexts.single_mut(world)?.get_mut().clone();
    lay_out(&ctx, world);
    Ok(())
}

fn lay_out(ctx: &egui::Context, world: &mut World) {
    world.resource_scope(|world, mut files: Mut<Files>| {
        if let Some(ask) = files.bypass_change_detection().asked.take() {
            obey(world, &mut files, ask);
            // The help would lie over it.
            if files.is_busy()
                && let Some(mut overlays) = world.get_resource_mut::<Overlays>()
            {
                overlays.help = false;
            }
        }
        if files.is_busy() || !files.hovering.is_empty() {
            show_dialog(ctx, world, &mut files);
            show_question(ctx, world, &mut files);
            show_hint(ctx, world.resource::<Theme>(), &files.hovering);
        }
    });
}

fn obey(world: &mut World, files: &mut Files, ask: Ask) {
    let scene = world.get_resource::<CurrentScene>();
    let source = scene.map(|scene| scene.source.clone());
    let path = match &source {
        Some(SceneSource::Path(path)) => std::path::absolute(path).ok(),
        _ => None,
    };
    let recent = world.get_resource::<RecentFiles>().and_then(|recent| recent.iter().next().map(Path::to_owned));
    let folder = path.as_ref().or(recent.as_ref()).and_then(|path| path.parent()).filter(|folder| folder.is_dir());
    let folder = folder.map(Path::to_owned);
    let name = match (&path, source) {
        (Some(path), _) => path.file_name().map(|name| name.to_string_lossy().into_owned()),
        (None, Some(SceneSource::Shipped(name))) => Some(format!("{name}.ron")),
        _ => None,
    };
    match ask {
        Ask::Open => files.open_dialog(folder, None),
        Ask::Save if path.is_some() && was_written_elsewhere(world) => files.replaces = path,
        Ask::Save if path.is_some() => _ = world.write_message(SceneCommand::Save),
        Ask::Save | Ask::SaveAs => {
            files.open_dialog(folder, Some(name.unwrap_or_else(|| "scene.ron".to_owned())));
        }
    }
}

/// The file that is meant by what was typed as a name: it ends in `.ron` once, also where the dialog has put that behind a name with it or with another ending.
fn meant(mut path: PathBuf) -> PathBuf {
    if !is_scene(&path) {
        path.as_mut_os_string().push(".ron");
    }
    while is_scene(&path) && path.file_stem().is_some_and(|stem| is_scene(Path::new(stem))) {
        path.set_extension("");
    }
    path
}

/// Whether a path ends as folders do, or is one.
fn names_a_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().to_string_lossy().ends_with(std::path::is_separator)
}

/// Writes the present state to the file that was chosen in the dialog, which has asked whether it replaces one of exactly this name; asks where another is meant.
fn save_to(world: &mut World, files: &mut Files, chosen: PathBuf) {
    if names_a_folder(&chosen) {
        world.resource_mut::<Notices>().error(tr!("{} is a folder: the scene needs a name", chosen.display()));
        return;
    }
    let path = meant(chosen.clone());
    if path != chosen && path.exists() {
        files.replaces = Some(path);
    } else {
        world.write_message(SceneCommand::SaveAs(path));
    }
}

fn show_dialog(ctx: &egui::Context, world: &mut World, files: &mut Files) {
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

/// Names the field for the name, which the dialog gives the keyboard at first. Escape in it ends the dialog; of itself it would only leave the field, and
/// a second one end the dialog.
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

/// Asks whether a file may be replaced.
fn show_question(ctx: &egui::Context, world: &mut World, files: &mut Files) {
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
            tr!("The file has changed since the scene was read from it. What it holds now will be lost.")
        } else {
            tr!("The file is there already. What it holds will be lost.")
        });
        ui.small(path.display().to_string());
        ui.add_space(8.0);
        ui.horizontal(|ui| (ui.button(tr!("Replace")).clicked(), ui.button(tr!("Cancel")).clicked())).inner
    });
    let (replaces, is_cancelled) = answer.inner;
    if replaces {
        world.write_message(SceneCommand::SaveAs(path));
    }
    if replaces || is_cancelled || answer.should_close() {
        files.replaces = None;
    }
}

/// Says what will happen to what is held over the window.
fn show_hint(ctx: &egui::Context, theme: &Theme, hovering: &[PathBuf]) {
    const RIM: f32 = 6.0;
    let Some(path) = hovering.iter().find(|path| is_scene(path)).or(hovering.first()) else { return };
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let (text, colour) = if is_scene(path) {
        (tr!("Drop to begin {}", name), theme.text.accent)
    } else {
        (tr!("{} is no scene: its name does not end in .ron", name), theme.text.error)
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

/// The buttons for files: open, save, save as, and those of late.
pub(super) fn show_buttons(ui: &mut Ui, world: &mut World) -> Option<SceneCommand> {
    let mut wanted = None;
    let is_file =
        world.get_resource::<CurrentScene>().is_some_and(|scene| matches!(scene.source, SceneSource::Path(_)));
    ui.horizontal_wrapped(|ui| {
        let save = if is_file {
            tr!("Writes the present state, discs, terrain and settings, to the file that the scene came from")
        } else {
            tr!("The scene is part of the program: choose a file to write the present state to")
        };
        let asks = [
            (tr!("Open…"), tr!("Chooses a scene file and begins it"), Ask::Open, Control::Open),
            (tr!("Save"), save, Ask::Save, Control::Save),
            (tr!("Save as…"), tr!("Chooses a file and writes the present state to it"), Ask::SaveAs, Control::SaveAs),
        ];
        for (name, help, ask, control) in asks {
            if ui.button(name).on_hover_text(super::widgets::tip(world, &help, control)).clicked() {
                world.resource_mut::<Files>().ask(ask);
            }
        }
        let count = world.resource::<RecentFiles>().iter().len();
        let menu = super::widgets::usable(ui, count > 0, |ui| {
            ui.menu_button(tr!("Recent"), |ui| {
                world.resource_mut::<RecentFiles>().bypass_change_detection().forget_missing();
                for path in world.resource::<RecentFiles>().iter() {
                    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                    if ui.button(name).on_hover_text(path.display().to_string()).clicked() {
                        wanted = Some(SceneCommand::Load(SceneSource::Path(path.to_owned())));
                        ui.close();
                    }
                }
            })
            .response
        });
        let menu = menu.on_disabled_hover_text(tr!("No scene file was opened or saved yet"));
        menu.on_hover_text(tr!("The scene files that were opened or saved last"));
    });
    wanted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PhysicsPlugins, scene::ScenePlugin};

    fn app() -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin, plugin)).init_resource::<Theme>();
        app.finish();
        app.cleanup();
        app
    }

    fn show_once(ctx: &egui::Context, app: &mut App) {
        show_with(ctx, app, Vec::new());
    }

    fn show_with(ctx: &egui::Context, app: &mut App, events: Vec<egui::Event>) {
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1280.0, 800.0));
        let input = egui::RawInput { screen_rect: Some(screen), events, ..default() };
        ctx.run_ui(input, |ui| lay_out(ui.ctx(), app.world_mut())).textures_delta.clear();
    }

    fn commands(app: &mut App) -> Vec<SceneCommand> {
        app.world_mut().resource_mut::<Messages<SceneCommand>>().drain().collect()
    }

    fn notices(app: &App) -> Vec<String> {
        app.world().resource::<Notices>().iter().map(|notice| notice.text.clone()).collect()
    }

    #[test]
    fn a_file_is_replaced_only_after_a_yes() {
        let folder = tempfile::tempdir().unwrap();
        let mut app = app();
        let save = |app: &mut App, name: &str| {
            let chosen = folder.path().join(name);
            app.world_mut().resource_scope(|world, mut files: Mut<Files>| save_to(world, &mut files, chosen));
            commands(app)
        };
        assert_eq!(save(&mut app, "new"), [SceneCommand::SaveAs(folder.path().join("new.ron"))]);
        let path = folder.path().join("old.ron");
        std::fs::write(&path, "(title: \"kept\")").unwrap();
        for chosen in ["old", "old.ron.ron"] {
            app.world_mut().resource_mut::<Files>().replaces = None;
            assert!(save(&mut app, chosen).is_empty());
            assert_eq!(app.world().resource::<Files>().replaces, Some(path.clone()), "it is asked");
            assert!(app.world().resource::<Files>().is_busy());
        }
        assert!(save(&mut app, "new folder/").is_empty(), "a folder is no scene");
        assert!(notices(&app).last().is_some_and(|notice| notice.contains("is a folder")));
        assert_eq!(save(&mut app, "old.ron"), [SceneCommand::SaveAs(path)], "the dialog has asked");
    }

    #[test]
    fn a_name_ends_in_ron_once() {
        for (typed, is) in [
            ("x", "x.ron"),
            ("x.ron", "x.ron"),
            ("x.ron.ron", "x.ron"),
            ("x.RON.ron", "x.RON"),
            ("x.scene.ron", "x.scene.ron"),
            ("x.png", "x.png.ron"),
            ("x v1.2", "x v1.2.ron"),
        ] {
            assert_eq!(meant(typed.into()), PathBuf::from(is), "{typed}");
        }
    }

    #[test]
    fn a_dialog_takes_the_place_of_the_help_and_one_escape_ends_it() {
        let (mut app, ctx) = (app(), egui::Context::default());
        for ask in [Ask::Open, Ask::SaveAs] {
            app.insert_resource(Overlays { help: true, ..default() });
            app.world_mut().resource_mut::<Files>().ask(ask);
            for _ in 0..3 {
                show_once(&ctx, &mut app);
            }
            assert!(app.world().resource::<Files>().is_busy());
            assert!(!app.world().resource::<Overlays>().help);
            assert_eq!(ctx.memory(egui::Memory::focused).is_some(), ask == Ask::SaveAs, "a name can be typed at once");
            let escape = egui::Event::Key {
                key: egui::Key::Escape,
                physical_key: None,
                pressed: true,
                repeat: false,
                modifiers: egui::Modifiers::NONE,
            };
            show_with(&ctx, &mut app, vec![escape]);
            assert!(!app.world().resource::<Files>().is_busy(), "{ask:?}");
        }
    }

    #[test]
    fn the_dialogs_speak_the_language_of_the_window() {
        let english = labels();
        crate::view::language::in_japanese(|| {
            let japanese = labels();
            assert_ne!(japanese.save_button, english.save_button);
            assert_ne!(japanese.heading_places, english.heading_places);
            assert_ne!(config().file_filters[0].name, "Scenes (.ron)");
        });
    }

    #[test]
    fn while_there_is_a_question_no_key_is_the_tables() {
        let mut app = app();
        app.update();
        assert!(app.world().resource::<Attention>().keys);
        app.world_mut().resource_mut::<Files>().replaces = Some("a.ron".into());
        app.update();
        assert!(!app.world().resource::<Attention>().keys);
    }

    #[test]
    fn save_writes_where_the_scene_came_from_and_asks_for_a_name_where_that_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let (mut app, ctx) = (app(), egui::Context::default());
        let press = |app: &mut App, ctx: &egui::Context| {
            app.world_mut().resource_mut::<ButtonInput<KeyCode>>().reset_all();
            app.update();
            let mut keys = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
            keys.press(if cfg!(target_os = "macos") { KeyCode::SuperLeft } else { KeyCode::ControlLeft });
            keys.press(KeyCode::KeyS);
            app.update();
            show_once(ctx, app);
        };
        app.world_mut().write_message(SceneCommand::Load(SceneSource::Shipped("two-discs")));
        app.update();
        press(&mut app, &ctx);
        let files = app.world().resource::<Files>();
        assert!(files.is_busy() && files.is_saving, "a dialog is open");
        app.insert_resource(Files::default());
        let path = folder.path().join("mine.ron");
        app.world_mut().write_message(SceneCommand::SaveAs(path.clone()));
        app.update();
        assert_eq!(app.world().resource::<CurrentScene>().source, SceneSource::Path(path.clone()));
        assert_eq!(app.world().resource::<RecentFiles>().iter().collect::<Vec<_>>(), [path.as_path()]);
        app.world_mut().spawn(crate::disc::Disc);
        press(&mut app, &ctx);
        assert!(!app.world().resource::<Files>().is_busy());
        app.update();
        let written = SceneSource::Path(path.clone()).load().map(|file| file.discs.len());
        assert_eq!(written, Ok(3), "{:?}", notices(&app));
        std::fs::write(&path, "(title: \"what somebody else has written\"").unwrap();
        press(&mut app, &ctx);
        assert_eq!(app.world().resource::<Files>().replaces, Some(path), "that would be lost");
    }

    #[test]
    fn of_what_is_dropped_the_first_scene_begins() {
        let mut app = app();
        let drop = |app: &mut App, names: &[&str]| {
            for name in names {
                app.world_mut()
                    .write_message(FileDragAndDrop::DroppedFile { window: Entity::PLACEHOLDER, path_buf: name.into() });
            }
            app.world_mut().run_system_cached(take_dropped).unwrap();
            commands(app)
        };
        let load = SceneCommand::Load(SceneSource::Path("b.RON".into()));
        assert_eq!(drop(&mut app, &["a.png", "b.RON", "c.ron"]), [load]);
        assert!(drop(&mut app, &["a.png"]).is_empty());
        assert!(notices(&app).last().is_some_and(|notice| notice.starts_with("a.png: no scene")));
    }

    #[test]
    fn what_is_held_over_the_window_has_a_hint_until_it_leaves() {
        let (mut app, ctx) = (app(), egui::Context::default());
        app.world_mut()
            .write_message(FileDragAndDrop::HoveredFile { window: Entity::PLACEHOLDER, path_buf: "a.ron".into() });
        app.update();
        assert_eq!(app.world().resource::<Files>().hovering.len(), 1);
        show_once(&ctx, &mut app);
        app.world_mut().write_message(FileDragAndDrop::HoveredFileCanceled { window: Entity::PLACEHOLDER });
        app.update();
        assert!(app.world().resource::<Files>().hovering.is_empty());
    }

    #[test]
    fn the_files_of_late_are_each_once_and_those_that_are_gone_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mut recent = RecentFiles::default();
        for name in ["a.ron", "b.ron", "a.ron"] {
            recent.add(&at(name));
        }
        assert_eq!(recent.iter().collect::<Vec<_>>(), [at("a.ron"), at("b.ron")]);
        std::fs::write(at("b.ron"), "()").unwrap();
        recent.forget_missing();
        assert_eq!(recent.iter().collect::<Vec<_>>(), [at("b.ron")]);
        (0..20).for_each(|k| recent.add(&at(&format!("{k}.ron"))));
        assert_eq!(recent.iter().len(), RecentFiles::KEPT);
    }
}
