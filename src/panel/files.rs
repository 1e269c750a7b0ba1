//! Scene files: the dialogs that open and save one, the question before a file is replaced, the files of late, and what is dropped on the window.

use std::path::{Path, PathBuf};

use bevy::{prelude::*, window::FileDragAndDrop};
use bevy_egui::{
    EguiContext, PrimaryEguiContext,
    egui::{self, LayerId, Order, RichText, Ui},
};
use egui_file_dialog::{DialogState, FileDialog, FileDialogConfig, OpeningMode};
use serde::{Deserialize, Serialize};
use tr::tr;

use crate::{
    input::{
        Attention, ControlSystems, PointerPlugin,
        actions::{Control, Inputs},
    },
    scene::{
        CurrentScene, Notices, SceneCommand, SceneSaved, SceneSource, SceneStarted, was_written_elsewhere, with_ending,
    },
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
}

impl Default for Files {
    fn default() -> Self {
        let config = FileDialogConfig {
            opening_mode: OpeningMode::AlwaysInitialDir,
            default_file_filter: Some(SCENES.to_owned()),
            default_save_extension: Some(SCENE.to_owned()),
            // Its field is black in light colours too, with dark letters.
            show_search: false,
            // Big enough to see something, and within every window that one works in.
            default_size: SIZE,
            min_size: egui::vec2(300.0, 200.0),
            ..FileDialogConfig::default()
        };
        let config = config.add_file_filter_extensions(SCENES, vec!["ron"]).add_save_extension(SCENE, "ron");
        Self {
            dialog: FileDialog::with_config(config),
            is_saving: false,
            asked: None,
            replaces: None,
            hovering: Vec::new(),
        }
    }
}

/// What the dialogs call scene files: the one that opens as it stands here, the one that saves with the ending behind it.
const SCENES: &str = "Scenes (.ron)";
const SCENE: &str = "Scene";

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

    fn open_dialog(&mut self, folder: Option<PathBuf>, save_as: Option<String>) {
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

/// Writes the present state to this file; asks first if that replaces another.
pub(super) fn save_to(world: &mut World, path: PathBuf) {
    let path = with_ending(path);
    if path.exists() {
        world.resource_mut::<Files>().replaces = Some(path);
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
    let Some(path) = files.dialog.take_picked() else { return };
    if !files.is_saving {
        world.write_message(SceneCommand::Load(SceneSource::Path(path)));
    } else if path.extension().is_some() {
        // The dialog has asked already.
        world.write_message(SceneCommand::SaveAs(path));
    } else {
        let path = with_ending(path);
        if path.exists() {
            files.replaces = Some(path);
        } else {
            world.write_message(SceneCommand::SaveAs(path));
        }
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
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1280.0, 800.0));
        let input = egui::RawInput { screen_rect: Some(screen), ..default() };
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
        save_to(app.world_mut(), folder.path().join("new"));
        assert_eq!(commands(&mut app), [SceneCommand::SaveAs(folder.path().join("new.ron"))]);
        let path = folder.path().join("old.ron");
        std::fs::write(&path, "(title: \"kept\")").unwrap();
        save_to(app.world_mut(), folder.path().join("old"));
        assert!(commands(&mut app).is_empty());
        assert_eq!(app.world().resource::<Files>().replaces, Some(path), "it is asked");
        assert!(app.world().resource::<Files>().is_busy());
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
