//! Opens the window of `carom`. If that is impossible, it prints one line instead of a panic.

use std::{process::ExitCode, time::Duration};

use bevy::{
    log::{Level, LogPlugin},
    prelude::*,
    window::{ExitCondition, MonitorSelection, PresentMode, PrimaryWindow, WindowMode, WindowResolution},
};
use bevy_egui::EguiPlugin;

use super::{
    desktop, folders,
    no_window::build_quietly,
    play_options::{Game, Plane, PlayOptions},
    preferences::{self, Memory, WindowState},
    recorder, reject, screenshot, widgets,
    windows::{self, Layout},
};
#[cfg(feature = "remote")]
use crate::remote::RemoteControlPlugin;
use crate::{
    PhysicsPlugins,
    debug::{PhysicsDebug, PhysicsDebugPlugin},
    editor::EditorPlugins,
    games::plugin::{MatchCommand, MatchFolder},
    hud::{HudPlugin, StartPage, StartPagePlugin},
    input::{
        InputPlugins,
        actions::{Control, Inputs},
    },
    instruments::InstrumentsPlugin,
    lessons::LessonsPlugin,
    panel::PanelPlugin,
    run_file::RunFilePlugin,
    scene::{
        CheckedScene, CurrentScene, FileStamp, ScenePlugin, SceneRegistry, SceneSource, SceneStarted, spawn_checked,
    },
    shell::OverlayKeysPlugin,
    sound::{Hushed, SoundPlugin, SoundSettings},
    time_bar::TimeBarPlugin,
    view::{Measures, Themes, ViewPlugin, ViewSettings},
};

/// Opens the window and plays until it is closed. The exit status is 0.
///
/// It is 2 if the scene cannot be read, or if there is no display or graphics adapter. One line on standard error then
/// says what to do.
#[must_use]
pub fn play(options: PlayOptions, themes: Themes) -> ExitCode {
    #[cfg(target_arch = "wasm32")]
    let options = PlayOptions { panel: options.panel.or(super::page::is_small().then_some(false)), ..options };
    // Taken first, because the file may change before the window is open.
    let stamp = FileStamp::of(&options.source);
    let registry = SceneRegistry::default();
    let loaded = match options.plane {
        Some(Plane::Windows(count)) => Layout::new(count, options.size).scene(false),
        Some(Plane::Tiles(count)) => Layout::new(count, None).scene(true),
        None => options.source.read(&registry).map(|file| (options.source.clone(), file)).map_err(|e| e.to_string()),
    };
    let checked =
        loaded.and_then(|(source, file)| CheckedScene::new(source, file, &registry).map_err(|error| error.to_string()));
    let scene = match checked {
        Ok(scene) => scene,
        Err(reason) => return reject(&reason),
    };
    let beginning = match options.game.as_ref().map(Game::beginning).transpose() {
        Ok(beginning) => beginning,
        Err(reason) => return reject(&reason),
    };
    if !may_have_display() {
        return reject(&without_window(&scene.source, "there is no display to open a window on"));
    }
    let title = window_title(&scene.file.title);
    #[cfg(feature = "remote")]
    let remote = match options.remote.map(listen).transpose() {
        Ok(remote) => remote,
        Err(reason) => return reject(&reason),
    };
    let mut app = match build_quietly(true, |app| build(app, title, options, themes)) {
        Ok(app) => app,
        Err(reason) => return reject(&without_window(&scene.source, &reason)),
    };
    #[cfg(feature = "remote")]
    if let Some(remote) = remote {
        app.add_plugins(remote);
    }
    spawn_checked(app.world_mut(), scene);
    stamp.follow(app.world_mut());
    if let Some(beginning) = beginning {
        app.world_mut().write_message(MatchCommand::Begin(Box::new(beginning)));
    }
    match app.run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}

/// Starts the remote control, and prints its address.
#[cfg(feature = "remote")]
fn listen(port: u16) -> Result<RemoteControlPlugin, String> {
    let remote = RemoteControlPlugin::listening_at(port)
        .map_err(|error| format!("--remote {port}: {error}; give another port, or 0 for any that is free"))?;
    super::say(&format!("every program on this machine can read and change everything at 127.0.0.1:{}", remote.port()));
    Ok(remote)
}

/// Adds everything that the window needs.
fn build(app: &mut App, title: String, options: PlayOptions, themes: Themes) {
    // A screenshot must not depend on the user's preferences.
    let memory = if options.screenshot.is_some() { Memory::unsaved() } else { Memory::recall() };
    let memory = memory.with_arguments(&options);
    let layout =
        if let Some(Plane::Windows(count)) = options.plane { Some(Layout::new(count, options.size)) } else { None };
    app.add_plugins(
        DefaultPlugins
            .set(WindowPlugin {
                primary_window: Some(window(title, &options, &memory.kept.window, layout)),
                exit_condition: ExitCondition::OnPrimaryClosed,
                ..default()
            })
            .set(LogPlugin { level: Level::WARN, filter: LOG_FILTER.to_owned(), ..default() })
            .set(no_asset_folder()),
    );
    add_table(app);
    app.add_plugins((
        PanelPlugin,
        InstrumentsPlugin,
        TimeBarPlugin,
        RunFilePlugin,
        HudPlugin,
        StartPagePlugin,
        SoundPlugin,
    ))
    // The action map contains its key, so that it can be changed.
    .insert_resource(PhysicsDebug { key: None, ..default() })
    .add_plugins(PhysicsDebugPlugin)
    .add_plugins((preferences::plugin, desktop::plugin, recorder::plugin, widgets::plugin))
    .insert_resource(MatchFolder(if options.screenshot.is_some() { None } else { folders::matches() }))
    .insert_resource(if options.start_page { StartPage::opened() } else { StartPage::default() })
    .insert_resource(memory)
    .insert_resource(themes)
    .insert_resource(options)
    .add_systems(Update, follow_title)
    .add_systems(Update, (screenshot::take_by_key, fill_screen, mute, hush))
    .add_systems(Last, (screenshot::take_as_asked, leave_after).chain());
    #[cfg(target_arch = "wasm32")]
    app.add_plugins(super::page::plugin);
    #[cfg(not(target_arch = "wasm32"))]
    app.add_plugins(super::icon::plugin);
    if let Some(layout) = layout {
        app.insert_resource(layout).add_plugins(windows::plugin);
    }
    app.world_mut().resource_mut::<Time<Virtual>>().set_max_delta(LONGEST_FRAME);
}

/// A table that is drawn and that a person can play on and edit. The window and `carom render` share it.
pub(super) fn add_table(app: &mut App) {
    app.add_plugins((
        EguiPlugin::default(),
        PhysicsPlugins::default(),
        ScenePlugin,
        ViewPlugin,
        InputPlugins,
        EditorPlugins,
        OverlayKeysPlugin,
        LessonsPlugin,
    ))
    .insert_resource(looks())
    .insert_resource(Measures { scale_bar: None, ..default() });
}

/// How a table is seen, to begin with: with more than a game shows of itself.
pub(super) fn looks() -> ViewSettings {
    ViewSettings { sensors: true, ..default() }
}

/// The first window, with the size and mode in which it was left, unless the arguments say otherwise.
fn window(title: String, options: &PlayOptions, left: &WindowState, layout: Option<Layout>) -> Window {
    let size = layout.map_or(options.size.unwrap_or(left.size).as_uvec2(), |layout| layout.size);
    // Browsers allow full screen only in response to a click or key.
    let full_screen = left.full_screen && !cfg!(target_arch = "wasm32") && options.size.is_none() && layout.is_none();
    Window {
        title,
        name: Some("carom".to_owned()),
        canvas: Some(CANVAS.to_owned()),
        fit_canvas_to_parent: true,
        resolution: WindowResolution::new(size.x, size.y),
        mode: if full_screen { FULL_SCREEN_AT_FIRST } else { WindowMode::Windowed },
        position: layout.map_or_else(WindowPosition::default, |layout| WindowPosition::At(layout.corner(0))),
        present_mode: PresentMode::AutoVsync,
        ..default()
    }
}

/// All assets are embedded in the program. Scene files are not assets; they have a separate watcher.
pub(super) fn no_asset_folder() -> AssetPlugin {
    AssetPlugin { watch_for_changes_override: Some(false), ..default() }
}

/// Slow frames slow the simulation down instead of accumulating ticks, so that a heavy scene stays responsive.
const LONGEST_FRAME: Duration = Duration::from_millis(100);

/// Hides messages of graphics drivers, which do not concern players.
pub(super) const LOG_FILTER: &str =
    "wgpu=error,wgpu_hal=off,naga=error,bevy_render=error,bevy_winit=error,winit=error,bevy_egui=error";

fn window_title(scene: &str) -> String {
    if scene.is_empty() { "carom".to_owned() } else { format!("carom \u{2014} {scene}") }
}

/// The HTML element that is the window.
const CANVAS: &str = "#carom";

/// Before the window exists it has no current screen.
const FULL_SCREEN_AT_FIRST: WindowMode = WindowMode::BorderlessFullscreen(MonitorSelection::Primary);

/// Full screen on the screen that shows the window.
const FULL_SCREEN: WindowMode = WindowMode::BorderlessFullscreen(MonitorSelection::Current);

/// Toggles full screen.
fn fill_screen(inputs: Inputs, window: Option<Single<&mut Window, With<PrimaryWindow>>>) {
    let Some(mut window) = window.filter(|_| inputs.started(Control::FullScreen)) else { return };
    window.mode = match window.mode {
        WindowMode::Windowed => FULL_SCREEN,
        _ => WindowMode::Windowed,
    };
}

/// Toggles sound.
fn mute(inputs: Inputs, mut sound: ResMut<SoundSettings>) {
    if inputs.started(Control::Sound) {
        sound.on = !sound.on;
    }
}

/// The table that plays by itself behind the start page is silent.
fn hush(page: Res<StartPage>, mut hushed: ResMut<Hushed>) {
    hushed.set_if_neq(Hushed(page.open));
}

/// Keeps the title of the window equal to the scene's.
fn follow_title(
    mut started: MessageReader<SceneStarted>,
    scene: Option<Res<CurrentScene>>,
    window: Option<Single<&mut Window, With<PrimaryWindow>>>,
) {
    if started.read().count() == 0 {
        return;
    }
    if let (Some(scene), Some(mut window)) = (scene, window) {
        window.title = window_title(&scene.file.title);
    }
}

fn leave_after(options: Res<PlayOptions>, time: Res<Time<Real>>, mut exit: MessageWriter<AppExit>) {
    if options.screenshot.is_none() && options.after.is_some_and(|after| time.elapsed_secs() >= after) {
        exit.write(AppExit::Success);
    }
}

/// Whether the environment says that a window can be opened. Only Unix desktops say so in advance.
fn may_have_display() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(not(all(unix, not(target_os = "macos"))))
        || ["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DISPLAY"].into_iter().any(set)
}

fn without_window(source: &SceneSource, reason: &str) -> String {
    let reason = reason.lines().collect::<Vec<_>>().join(" ");
    let name = if matches!(source, SceneSource::Link(_)) { "'LINK'".to_owned() } else { source.to_string() };
    format!("{reason}; to run the scene without a window: carom simulate {name} --seconds 10 --svg paths.svg")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_names_a_way_without_a_window() {
        let line = without_window(&SceneSource::Shipped("break"), "there is\nno display");
        assert_eq!(line.lines().count(), 1);
        assert!(line.contains("carom simulate break"));
    }
}
