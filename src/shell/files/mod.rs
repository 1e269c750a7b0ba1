//! Scene files: the dialogs for opening and saving, the question before replacing a file, recent files, and files
//! dropped on the window.

use std::path::{Path, PathBuf};

use bevy::{prelude::*, window::FileDragAndDrop};
use bevy_egui::{
    EguiContext, PrimaryEguiContext,
    egui::{self, Ui},
};
use dialog::{config, show_dialog};
use egui_file_dialog::{DialogState, FileDialog};
use question::{show_hint, show_question};
pub use recent::RecentFiles;
use tr::tr;

use crate::{
    games::{
        MatchRecord,
        plugin::{Beginning, CurrentMatch, MatchCommand},
    },
    input::{
        Attention, ControlSystems, PointerPlugin,
        actions::{Control, Inputs},
        keys::MATCH_RUNS,
    },
    notice::Notices,
    run_file::SaveRun,
    scene::{CurrentScene, SceneCommand, SceneSaved, SceneSource, SceneStarted},
    shell::Overlays,
    storage::ends_in,
    view::Theme,
};

#[cfg(target_arch = "wasm32")]
mod browser;
mod dialog;
mod question;
mod recent;

/// A request for a file operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// Open a dialog that starts a scene from a file.
    Open,
    /// Save the current state to the file of the scene, or open a dialog if it has none.
    Save,
    /// Open a dialog that saves the current state to a file.
    SaveAs,
    /// Open a dialog that saves the run so far to a file.
    SaveRun,
    /// Open a dialog that saves the text of [`Files::export`] to a file.
    Export,
}

/// A text to save to a file other than a scene.
#[derive(Clone, Debug)]
struct Export {
    name: String,
    text: String,
}

/// The dialogs and questions about files.
#[derive(Resource)]
pub(crate) struct Files {
    dialog: FileDialog,
    /// Whether the dialog is for saving rather than opening.
    is_saving: bool,
    /// Whether the run is saved rather than the current state.
    saves_run: bool,
    asked: Option<Ask>,
    /// What the dialog saves instead of the scene.
    export: Option<Export>,
    /// A file that will be replaced if the person agrees.
    replaces: Option<PathBuf>,
    /// Files being dragged over the window.
    hovering: Vec<PathBuf>,
    /// The field for the file name in the save dialog, and the focused widget of the last frame.
    name_field: Option<egui::Id>,
    focused: Option<egui::Id>,
}

impl Default for Files {
    fn default() -> Self {
        Self {
            dialog: FileDialog::with_config(config()),
            is_saving: false,
            saves_run: false,
            asked: None,
            export: None,
            replaces: None,
            hovering: Vec::new(),
            name_field: None,
            focused: None,
        }
    }
}

impl Files {
    /// Makes a request, which is carried out in the next frame.
    pub(crate) fn ask(&mut self, ask: Ask) {
        self.asked = Some(ask);
    }

    /// Opens a dialog in the next frame that saves a text to a file, by default of this name. A browser downloads it.
    pub(crate) fn export(&mut self, name: impl Into<String>, text: String) {
        self.export = Some(Export { name: name.into(), text });
        self.ask(Ask::Export);
    }

    /// The name and the text that the dialog for [`Files::export`] saves.
    #[cfg(test)]
    pub(crate) fn exported(&self) -> Option<(&str, &str)> {
        self.export.as_ref().map(|export| (export.name.as_str(), export.text.as_str()))
    }

    /// Whether a dialog or a question is open.
    fn is_busy(&self) -> bool {
        *self.dialog.state() == DialogState::Open || self.replaces.is_some()
    }
}

/// File handling, independent of the panel.
pub(crate) fn plugin(app: &mut App) {
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

/// While a dialog is open, it gets all keys.
fn hold_keys(files: Res<Files>, mut attention: ResMut<Attention>) {
    if files.is_busy() {
        attention.keys = false;
    }
}

/// Opens and saves with keys.
fn file_keys(
    inputs: Inputs,
    mut files: ResMut<Files>,
    (live, notices): (Option<Res<CurrentMatch>>, Option<ResMut<Notices>>),
) {
    // Another scene would end the match.
    if live.is_some_and(|live| live.is_kept()) && inputs.started(Control::Open) {
        if let Some(mut notices) = notices {
            notices.info(tr!(MATCH_RUNS));
        }
        return;
    }
    let asked = [(Control::Open, Ask::Open), (Control::SaveAs, Ask::SaveAs), (Control::Save, Ask::Save)];
    if !files.is_busy()
        && let Some((_, ask)) = asked.into_iter().find(|(control, _)| inputs.started(*control))
    {
        files.ask(ask);
    }
}

/// Starts a dropped scene file. Resumes the match of a dropped match file, saving it to a new file.
fn take_dropped(
    mut drops: MessageReader<FileDragAndDrop>,
    mut files: ResMut<Files>,
    (mut scenes, mut matches): (MessageWriter<SceneCommand>, Option<MessageWriter<MatchCommand>>),
    (live, mut notices): (Option<Res<CurrentMatch>>, Option<ResMut<Notices>>),
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
    let Some(&first) = dropped.first() else { return };
    // Of many files, the first scene starts.
    let Some(&path) = dropped.iter().find(|path| is_scene(path)) else {
        return report_error(&mut notices, tr!("{} is not a scene; drop a file that ends in .ron", first.display()));
    };
    if let Some(matches) = &mut matches
        && let Some(found) = match_in(path)
    {
        match found {
            Ok(beginning) => _ = matches.write(MatchCommand::Begin(Box::new(beginning))),
            Err(reason) => report_error(&mut notices, reason),
        }
    } else if live.is_some_and(|live| live.is_kept()) {
        // Another scene would end the match. The demonstration behind the start page does not matter.
        report_error(&mut notices, tr!(MATCH_RUNS));
    } else {
        scenes.write(SceneCommand::Load(SceneSource::Path(path.clone())));
    }
}

fn report_error(notices: &mut Option<ResMut<Notices>>, error: String) {
    if let Some(notices) = notices {
        notices.error(error);
    }
}

/// The match of a file, continued where it ends, or `None` if the file is not a match. It starts no external bots,
/// because the user has not necessarily read the dropped file.
fn match_in(path: &Path) -> Option<Result<Beginning, String>> {
    // Reading a pipe would block. A browser has only files, and does not report their type.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return None;
    }
    let name = path.display().to_string();
    let text = String::from_utf8(crate::storage::read(path).ok()?).ok()?;
    if !MatchRecord::is_meant(&text) {
        return None;
    }
    Some(MatchRecord::parse(&text, &name).and_then(|record| {
        record.spec.starts_no_program(|program| {
            tr!("{}: one of the players is a program, `{}`, which a dropped file must not start", name, program)
        })?;
        Beginning::resume(&record, None).map_err(|reason| format!("{name}: {reason}"))
    }))
}

fn is_scene(path: &Path) -> bool {
    ends_in(path, "ron")
}

/// Shows the dialog, the question and the hint.
pub(crate) fn show(world: &mut World) -> Result {
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
            #[cfg(target_arch = "wasm32")]
            browser::obey(world, &files, ask);
            #[cfg(not(target_arch = "wasm32"))]
            obey(world, &mut files, ask);
            // The help would cover it.
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

#[cfg(not(target_arch = "wasm32"))]
fn obey(world: &mut World, files: &mut Files, ask: Ask) {
    let scene = world.get_resource::<CurrentScene>();
    let source = scene.map(|scene| scene.source.clone());
    let is_run = scene.is_some_and(|scene| scene.file.run.is_some());
    let path = match &source {
        // The file of a run stays as it is.
        Some(SceneSource::Path(path)) if !is_run => std::path::absolute(path).ok(),
        _ => None,
    };
    files.saves_run = ask == Ask::SaveRun;
    let recent = world.get_resource::<RecentFiles>().and_then(|recent| recent.iter().next().map(Path::to_owned));
    let folder = path.as_ref().or(recent.as_ref()).and_then(|path| path.parent()).filter(|folder| folder.is_dir());
    let folder = folder.map(Path::to_owned);
    let name = match (&path, source) {
        (Some(path), _) => path.file_name().map(|name| name.to_string_lossy().into_owned()),
        (None, Some(SceneSource::Shipped(name))) => Some(format!("{name}.ron")),
        _ => None,
    };
    if ask != Ask::Export {
        files.export = None;
    }
    match ask {
        Ask::Export => {
            let name = files.export.as_ref().map(|export| export.name.clone());
            files.open_dialog(folder, name);
        }
        Ask::Open => files.open_dialog(folder, None),
        Ask::SaveRun => files.open_dialog(folder, Some("run.ron".to_owned())),
        Ask::Save if path.is_some() && crate::scene::was_written_elsewhere(world) => files.replaces = path,
        Ask::Save if path.is_some() => _ = world.write_message(SceneCommand::Save),
        Ask::Save | Ask::SaveAs => {
            files.open_dialog(folder, Some(name.unwrap_or_else(|| "scene.ron".to_owned())));
        }
    }
}

/// Saves to a file what was asked for: an exported text, the run, or the current state.
fn write_to(world: &mut World, files: &Files, path: PathBuf) {
    let Some(export) = &files.export else {
        if files.saves_run {
            world.write_message(SaveRun(path));
        } else {
            world.write_message(SceneCommand::SaveAs(path));
        }
        return;
    };
    let written = crate::storage::write_whole(&path, export.text.as_bytes());
    let mut notices = world.resource_mut::<Notices>();
    match written {
        Ok(()) => notices.info(tr!("Saved to {}", path.display())),
        Err(error) => notices.error(tr!("{} cannot be written: {}", path.display(), error)),
    }
}

/// The intended file for a typed name of an exported text: with the usual ending if it has none.
fn meant_for(export: &Export, mut path: PathBuf) -> PathBuf {
    if path.extension().is_none()
        && let Some(ending) = Path::new(&export.name).extension()
    {
        path.set_extension(ending);
    }
    path
}

/// The intended file for a typed name. It ends in `.ron` once, even if the dialog has appended that to a name with this
/// or another extension.
fn meant(mut path: PathBuf) -> PathBuf {
    if !is_scene(&path) {
        path.as_mut_os_string().push(".ron");
    }
    while is_scene(&path) && path.file_stem().is_some_and(|stem| is_scene(Path::new(stem))) {
        path.set_extension("");
    }
    path
}

/// Whether a path ends like a folder's or is one.
fn names_a_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().to_string_lossy().ends_with(std::path::is_separator)
}

/// Saves the current state to the file chosen in the dialog, which has already asked before replacing a file of exactly
/// this name. If the actual name differs, it asks again.
fn save_to(world: &mut World, files: &mut Files, chosen: PathBuf) {
    if names_a_folder(&chosen) {
        world.resource_mut::<Notices>().error(tr!("{} is a folder; the scene needs a file name", chosen.display()));
        return;
    }
    let path = match &files.export {
        Some(export) => meant_for(export, chosen.clone()),
        None => meant(chosen.clone()),
    };
    if path != chosen && path.exists() {
        files.replaces = Some(path);
    } else {
        write_to(world, files, path);
    }
}

/// The room for the button of the recent files, points. With less it begins a row.
const RECENT_WIDTH: f32 = 90.0;

/// The buttons for files: open, save, save as, and recent files.
pub(crate) fn show_buttons(ui: &mut Ui, world: &mut World) -> Option<SceneCommand> {
    let mut wanted = None;
    let is_file =
        world.get_resource::<CurrentScene>().is_some_and(|scene| matches!(scene.source, SceneSource::Path(_)));
    ui.horizontal_wrapped(|ui| {
        let save = if is_file {
            tr!("Saves the current discs, terrain and settings to the scene's file")
        } else {
            tr!("This scene is part of the program. Choose a file to save the current state to.")
        };
        let asks = [
            (tr!("Open…"), tr!("Opens a scene file"), Ask::Open, Control::Open),
            (tr!("Save"), save, Ask::Save, Control::Save),
            (tr!("Save as…"), tr!("Saves the current state to a new file"), Ask::SaveAs, Control::SaveAs),
        ];
        for (name, help, ask, control) in asks {
            if ui.button(name).on_hover_text(crate::shell::widgets::tip(world, &help, control)).clicked() {
                world.resource_mut::<Files>().ask(ask);
            }
        }
        if world.contains_resource::<Messages<SaveRun>>() {
            let help = tr!("Saves everything since the start, with all your changes, to a file that repeats it");
            if ui.button(tr!("Save run…")).on_hover_text(help).clicked() {
                world.resource_mut::<Files>().ask(Ask::SaveRun);
            }
        }
        let count = world.resource::<RecentFiles>().iter().len();
        if ui.available_size_before_wrap().x < RECENT_WIDTH {
            ui.end_row();
        }
        let menu = crate::shell::widgets::usable(ui, count > 0, |ui| {
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
        let menu = menu.on_disabled_hover_text(tr!("No scene file has been opened or saved yet"));
        menu.on_hover_text(tr!("Recently opened or saved scene files"));
    });
    wanted
}

#[cfg(test)]
mod tests;
