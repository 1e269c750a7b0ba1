//! Preferences that persist between runs: the window, the panel, colours, sound, recent files and more.
//!
//! They are stored as RON in the user's configuration folder. An invalid value produces a notice and is replaced by its
//! default. The file is written only after a change. If parts of the old file were not understood, a copy is kept
//! beside it.
//!
//! `bevy_settings` 0.19.1 does much of this, also in browsers. It does not give three of these guarantees:
//! - Content that it cannot read is reported only in the log, and is overwritten at the next save.
//! - If the disk is full, it replaces the old file with an incomplete one (`store_fs.rs` continues after `fs::write`
//!   has failed).
//! - It also writes when a resource is marked as changed but its value is the same.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use bevy::{
    ecs::system::{NonSendMarker, SystemParam},
    platform::time::Instant,
    prelude::*,
    window::{Monitor, PrimaryWindow, WindowCloseRequested, WindowMode},
    winit::WINIT_WINDOWS,
};
use serde::{Deserialize, Serialize};

use super::{
    folders,
    readable::{self, Readable},
};
use crate::{
    games::plugin::CoachSettings,
    input::actions::{KeyChanges, KeyMap},
    notice::{NoticeText, Notices, mark},
    panel::PanelState,
    program::play_options::{Plane, PlayOptions},
    shell::{CaptureSettings, Overlays, RecentFiles},
    sound::SoundSettings,
    storage::{is_there, make_folder, read, write_whole},
    view::{Bookmarks, Language, MotionChoice, ThemeChoice, ViewSettings},
};

/// All preferences.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Preferences {
    pub window: WindowState,
    pub panel: PanelState,
    pub view: ViewChoices,
    pub sound: SoundSettings,
    pub recent: RecentFiles,
    pub bookmarks: Bookmarks,
    pub capture: CaptureSettings,
    pub keys: KeyChanges,
    pub coach: CoachSettings,
}

/// The window as the user left it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct WindowState {
    /// Width and height while it is neither maximized nor full screen, logical pixels.
    pub size: Vec2,
    /// The position of its upper left corner in that state, physical pixels. None if the desktop does not report it.
    pub position: Option<IVec2>,
    pub maximized: bool,
    pub full_screen: bool,
}

impl Default for WindowState {
    fn default() -> Self {
        Self { size: Vec2::new(1280.0, 800.0), position: None, maximized: false, full_screen: false }
    }
}

/// The smallest and the largest size in which a window is opened, logical pixels.
const SIZES: [Vec2; 2] = [Vec2::new(320.0, 240.0), Vec2::new(16384.0, 16384.0)];

/// View settings that belong to the user, not to the scene.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ViewChoices {
    theme: ThemeChoice,
    language: Language,
    flash: bool,
    #[serde(alias = "jolt")]
    shake: bool,
    motion: MotionChoice,
    turn_tables: bool,
    /// Former field, read as [`MotionChoice::Less`].
    #[serde(skip_serializing)]
    reduced_motion: bool,
}

impl ViewChoices {
    fn of(settings: &ViewSettings) -> Self {
        let &ViewSettings { theme, language, flash, shake, motion, turn_tables, .. } = settings;
        Self { theme, language, flash, shake, motion, turn_tables, reduced_motion: false }
    }
}

impl Default for ViewChoices {
    fn default() -> Self {
        Self::of(&ViewSettings::default())
    }
}

impl Preferences {
    /// Reads a file of [`Preferences::write`], keeping every valid value. Returns none if the file does not exist.
    ///
    /// # Errors
    /// If the file cannot be read or is not a RON struct.
    fn read(path: &Path) -> Result<Option<Readable<Self>>, String> {
        let text = match read(path).and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        let mut found = readable::read::<Self>(&text, &FORMER).map_err(|error| error.to_string())?;
        let read = &mut found.value;
        if !read.panel.width.is_finite() {
            read.panel.width = PanelState::default().width;
        }
        let text_size = read.panel.text_size;
        read.panel.text_size =
            if text_size.is_finite() { text_size.clamp(0.5, 5.0) } else { PanelState::default().text_size };
        if std::mem::take(&mut read.view.reduced_motion) {
            read.view.motion = MotionChoice::Less;
        }
        let [least, most] = SIZES;
        let size = read.window.size;
        read.window.size = if size.is_finite() { size.clamp(least, most) } else { WindowState::default().size };
        let volume = read.sound.volume;
        read.sound.volume = if volume.is_finite() { volume.clamp(0.0, 1.0) } else { SoundSettings::default().volume };
        Ok(Some(found))
    }

    /// Writes the file atomically: after a crash, either the old or the new file exists.
    ///
    /// # Errors
    /// If the folder or the file cannot be written.
    fn write(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            make_folder(folder)?;
        }
        let text = ron::ser::to_string_pretty(self, ron::ser::PrettyConfig::default()).map_err(io::Error::other)?;
        write_whole(path, text.as_bytes())
    }
}

/// The preferences last read or written, their file, and pending changes.
#[derive(Resource, Clone, Debug)]
pub(super) struct Memory {
    pub kept: Preferences,
    /// The file. None if the system has no place for it, or if a screenshot is taken, which must not change
    /// preferences.
    path: Option<PathBuf>,
    changed: Option<Instant>,
    problems: Vec<NoticeText>,
    /// Values that hold for this run only.
    given: Given,
    /// A name for a copy of the old file, if parts of it were not understood.
    beside: Option<PathBuf>,
}

impl Memory {
    /// Reads the preferences from the user's folder.
    pub(super) fn recall() -> Self {
        let memory = Self::at(folders::configuration().map(|folder| folder.join("preferences.ron")));
        #[cfg(target_arch = "wasm32")]
        if super::page::is_figure() {
            return Self { path: None, ..memory };
        }
        memory
    }

    /// Defaults that are never saved.
    pub(super) fn nowhere() -> Self {
        Self::at(None)
    }

    fn at(path: Option<PathBuf>) -> Self {
        let read = path.as_deref().map_or(Ok(None), Preferences::read);
        let beside = path.as_deref().map(free_name);
        let names =
            || [&path, &beside].map(|name| name.as_deref().map_or_else(String::new, |it| it.display().to_string()));
        let mut problems = Vec::new();
        let mut tell = |text, middle: String| {
            let [file, beside] = names();
            problems.push(NoticeText::new(text, [file, middle, beside]));
        };
        let mut kept = Preferences::default();
        match read {
            Ok(None) => {
                #[cfg(target_arch = "wasm32")]
                super::page::adapt(&mut kept.panel);
            }
            Ok(Some(Readable { value, wrong, unknown })) => {
                kept = value;
                if !wrong.is_empty() {
                    tell(WRONG, wrong.join(", "));
                }
                if !unknown.is_empty() {
                    tell(UNKNOWN, unknown.join(", "));
                }
                let (map, unknown) = KeyMap::with_changes(&kept.keys);
                kept.keys = map.changes();
                if !unknown.is_empty() {
                    tell(UNKNOWN_KEYS, unknown.join(", "));
                }
            }
            Err(reason) => tell(UNREADABLE, reason),
        }
        let beside = beside.filter(|_| !problems.is_empty());
        Self { kept, path, changed: None, problems, given: Given::default(), beside }
    }

    /// The same with the arguments of this run. They are not saved until the user chooses other values in the window.
    pub(super) fn with_arguments(self, options: &PlayOptions) -> Self {
        let &PlayOptions { size, theme, language, panel, plane, .. } = options;
        let several = matches!(plane, Some(Plane::Windows(_)));
        Self { given: Given { size, theme, language, panel, several }, ..self }
    }

    /// Records the current state. Returns whether a preference has changed.
    fn note(&mut self, now: Preferences) -> bool {
        let now = self.given.leave_out(now, &self.kept);
        let is_new = now != self.kept;
        self.kept = now;
        is_new
    }

    /// Writes the file, and first a copy of the old file if parts of it were not understood.
    ///
    /// # Errors
    /// If either fails. The old file is then unchanged.
    fn write(&mut self) -> io::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        if let Some(beside) = &self.beside {
            match read(path) {
                Ok(old) => write_whole(beside, &old)?,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
            self.beside = None;
        }
        self.kept.write(path)
    }
}

/// Arguments of the command line that the user has not changed in the window since.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Given {
    size: Option<Vec2>,
    theme: Option<ThemeChoice>,
    language: Option<Language>,
    panel: Option<bool>,
    /// Whether there are several windows. The program then places them and hides the panel.
    several: bool,
}

impl Given {
    /// The preferences to save. A value still equal to its argument was not chosen by the user, so the previous
    /// preference is kept.
    fn leave_out(&mut self, mut now: Preferences, before: &Preferences) -> Preferences {
        self.size = self.size.filter(|given| {
            let WindowState { size, maximized, full_screen, .. } = now.window;
            size == *given && !maximized && !full_screen
        });
        self.theme = self.theme.filter(|given| *given == now.view.theme);
        self.language = self.language.filter(|given| *given == now.view.language);
        self.panel = self.panel.filter(|given| *given == now.panel.shown);
        if self.several || self.panel.is_some() {
            now.panel.shown = before.panel.shown;
        }
        if self.size.is_some() || self.several {
            now.window = before.window;
        }
        if self.theme.is_some() {
            now.view.theme = before.view.theme;
        }
        if self.language.is_some() {
            now.view.language = before.view.language;
        }
        now
    }
}

const WRONG: &str =
    mark("{}: these values cannot be read, and their defaults hold: {}. Before it is changed, the file is kept as {}");
const UNKNOWN: &str = mark("{}: this version does not know {}. Before it is changed, the file is kept as {}");
const UNKNOWN_KEYS: &str =
    mark("{}: these keys are unknown, and left out: {}. Before it is changed, the file is kept as {}");
const UNREADABLE: &str = mark("{}: {}; carom starts with its defaults. Before it is changed, the file is kept as {}");

/// Former fields, which are read but no longer written.
const FORMER: [&str; 2] = ["jolt", "reduced_motion"];

/// A name for a copy of a file that was not understood. The name is unused, or belongs to a copy with the same content.
fn free_name(path: &Path) -> PathBuf {
    let old = read(path).ok();
    let named = |number: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(if number == 1 { ".unreadable".to_owned() } else { format!(".unreadable-{number}") });
        PathBuf::from(name)
    };
    let is_free = |name: &PathBuf| !is_there(name) || old.is_some() && read(name).ok() == old;
    (1..100).map(named).find(is_free).unwrap_or_else(|| named(100))
}

/// How long no further change may follow before a change is written. It is short in a browser, which does not announce
/// its end.
const PAUSE: Duration = Duration::from_millis(if cfg!(target_arch = "wasm32") { 100 } else { 1000 });

/// Applies the preferences at the start, and saves changes.
pub(super) fn plugin(app: &mut App) {
    app.add_message::<WindowCloseRequested>()
        .add_systems(Startup, hand_out)
        .add_systems(Update, put_window)
        .add_systems(Last, remember);
}

fn hand_out(
    mut memory: ResMut<Memory>,
    options: Res<PlayOptions>,
    (mut panel, mut overlays, mut recent): (ResMut<PanelState>, ResMut<Overlays>, ResMut<RecentFiles>),
    (mut view, mut sound, mut keys): (ResMut<ViewSettings>, ResMut<SoundSettings>, ResMut<KeyMap>),
    (mut bookmarks, mut capture, mut coach): (ResMut<Bookmarks>, ResMut<CaptureSettings>, ResMut<CoachSettings>),
    mut notices: ResMut<Notices>,
) {
    for problem in memory.problems.drain(..) {
        notices.error(problem);
    }
    let kept = &memory.kept;
    *bookmarks = kept.bookmarks.clone();
    *capture = kept.capture.in_range();
    *coach = kept.coach;
    *panel = kept.panel.clone();
    panel.shown = options.panel.unwrap_or(panel.shown);
    overlays.panel = panel.shown;
    // The list already contains the scene that the program was started with.
    let now: Vec<_> = recent.iter().map(Path::to_owned).collect();
    *recent = kept.recent.clone();
    now.iter().rev().for_each(|path| recent.add(path));
    recent.forget_missing();
    *keys = KeyMap::with_changes(&kept.keys).0;
    // A screenshot plays no sound.
    *sound = SoundSettings { on: kept.sound.on && options.screenshot.is_none(), ..kept.sound };
    let ViewChoices { theme, language, flash, shake, motion, turn_tables, .. } = kept.view;
    let (theme, language) = (options.theme.unwrap_or(theme), options.language.unwrap_or(language));
    *view = ViewSettings { theme, language, flash, shake, motion, turn_tables, ..view.clone() };
}

/// Restores the position of the window, once the monitors are known, if it is still on one of them.
fn put_window(
    memory: Res<Memory>,
    options: Res<PlayOptions>,
    monitors: Query<&Monitor>,
    window: Option<Single<&mut Window, With<PrimaryWindow>>>,
    mut done: Local<bool>,
) {
    let Some(mut window) = window.filter(|_| !*done && !monitors.is_empty()) else { return };
    *done = true;
    if memory.given.several {
        return;
    }
    let WindowState { position, size, maximized, full_screen } = memory.kept.window;
    if let Some(position) = position.filter(|_| !full_screen) {
        // The middle of the upper edge, where the user can drag the window.
        let handle = position + IVec2::new((size.x * window.scale_factor() / 2.0) as i32, 10);
        let on_screen = monitors.iter().any(|monitor| {
            let from = monitor.physical_position;
            IRect::from_corners(from, from + monitor.physical_size().as_ivec2()).contains(handle)
        });
        if on_screen {
            window.position = WindowPosition::At(position);
        }
    }
    if maximized && options.size.is_none() {
        window.set_maximized(true);
    }
}

/// The resources that hold preferences.
#[derive(SystemParam)]
struct Snapshot<'w, 's> {
    panel: Res<'w, PanelState>,
    view: Res<'w, ViewSettings>,
    sound: Res<'w, SoundSettings>,
    recent: Res<'w, RecentFiles>,
    bookmarks: Res<'w, Bookmarks>,
    capture: Res<'w, CaptureSettings>,
    keys: Res<'w, KeyMap>,
    coach: Res<'w, CoachSettings>,
    window: Query<'w, 's, (Entity, Ref<'static, Window>), With<PrimaryWindow>>,
}

impl Snapshot<'_, '_> {
    /// Whether a preference may have changed since the last frame, in which the window was as in `seen`. The window is
    /// compared by value, because moving the pointer marks its component as changed.
    fn is_changed(&self, seen: &mut WindowState) -> bool {
        let before = *seen;
        if self.window.single().is_ok_and(|(_, window)| window.is_changed()) {
            *seen = self.window(before);
        }
        *seen != before
            || self.panel.is_changed()
            || self.view.is_changed()
            || self.sound.is_changed()
            || self.recent.is_changed()
            || self.bookmarks.is_changed()
            || self.capture.is_changed()
            || self.keys.is_changed()
            || self.coach.is_changed()
    }

    fn preferences(&self, before: &Preferences) -> Preferences {
        Preferences {
            window: self.window(before.window),
            panel: self.panel.clone(),
            view: ViewChoices::of(&self.view),
            sound: *self.sound,
            recent: self.recent.clone(),
            bookmarks: self.bookmarks.clone(),
            capture: self.capture.clone(),
            keys: self.keys.changes(),
            coach: *self.coach,
        }
    }

    fn window(&self, before: WindowState) -> WindowState {
        let Ok((entity, window)) = self.window.single() else { return before };
        let full_screen = window.mode != WindowMode::Windowed;
        let maximized =
            WINIT_WINDOWS.with_borrow(|windows| windows.get_window(entity).is_some_and(|window| window.is_maximized()));
        if full_screen {
            return WindowState { full_screen, ..before };
        }
        if maximized {
            return WindowState { maximized, full_screen, ..before };
        }
        let position =
            if let WindowPosition::At(position) = window.position { Some(position) } else { before.position };
        WindowState { size: window.size(), position, maximized, full_screen }
    }
}

fn remember(
    mut memory: ResMut<Memory>,
    snapshot: Snapshot,
    (mut exits, mut closings): (MessageReader<AppExit>, MessageReader<WindowCloseRequested>),
    mut notices: ResMut<Notices>,
    (mut seen, mut failed): (Local<WindowState>, Local<bool>),
    // The system's windows are accessible on the main thread only.
    _: NonSendMarker,
) {
    let leaving = exits.read().count() + closings.read().count() > 0;
    // The system may report that a window is maximized only after its size. A closing window still exists here.
    if snapshot.is_changed(&mut seen) || leaving {
        let now = snapshot.preferences(&memory.kept);
        // Bypassed, so that a frame without changes does not mark the resource.
        if memory.bypass_change_detection().note(now) {
            memory.changed = Some(Instant::now());
        }
    }
    if !memory.changed.is_some_and(|changed| leaving || changed.elapsed() >= PAUSE) {
        return;
    }
    memory.changed = None;
    if let Err(error) = memory.write()
        && let (Some(path), false) = (&memory.path, *failed)
    {
        let values = [path.display().to_string(), error.to_string()];
        notices.error(NoticeText::new(mark("{}: {}; your preferences are not remembered"), values));
        *failed = true;
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use bevy::window::WindowResolution;

    use super::*;

    fn folder(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("carom-preferences-{name}-{}", std::process::id()))
    }

    #[test]
    fn what_is_written_is_read() {
        let path = folder("roundtrip").join("deep").join("preferences.ron");
        let mut written = Preferences::default();
        written.panel.width = 420.0;
        written.panel.open.insert("energy".to_owned(), true);
        written.view.theme = ThemeChoice::Light;
        written.coach.on = true;
        written.window.position = Some(IVec2::new(-30, 12));
        written.keys.insert("Pause".to_owned(), vec!["Ctrl + KeyK".to_owned()]);
        written.write(&path).unwrap();
        assert_eq!(Preferences::read(&path).map(|read| read.map(|read| read.value)), Ok(Some(written.clone())));
        assert_eq!(Memory::at(Some(path)).kept, written);
        fs::remove_dir_all(folder("roundtrip")).unwrap();
    }

    /// For a file with this content: the notices, the preferences read, and the contents of the folder after a change.
    fn changed(name: &str, text: &str) -> (String, Preferences, Vec<(String, String)>) {
        let path = folder(name).join("preferences.ron");
        fs::create_dir_all(folder(name)).unwrap();
        fs::write(&path, text).unwrap();
        let mut memory = Memory::at(Some(path.clone()));
        let read = memory.kept.clone();
        memory.kept.panel.width = 333.0;
        memory.write().unwrap();
        memory.write().unwrap();
        assert_eq!(Memory::at(Some(path)).kept, memory.kept);
        let mut files: Vec<_> = fs::read_dir(folder(name)).unwrap().map(|file| file.unwrap()).collect();
        files.sort_by_key(fs::DirEntry::file_name);
        let content = |file: &fs::DirEntry| fs::read_to_string(file.path()).unwrap();
        let files = files.iter().map(|file| (file.file_name().to_string_lossy().into_owned(), content(file))).collect();
        fs::remove_dir_all(folder(name)).unwrap();
        (memory.problems.iter().map(ToString::to_string).collect(), read, files)
    }

    #[test]
    fn no_file_is_nothing_and_a_bad_one_is_said_and_kept() {
        assert_eq!(Preferences::read(&folder("none").join("preferences.ron")), Ok(None));
        let bad = "(panel: (width: wide), view: (theme: Light";
        let (said, read, files) = changed("bad", bad);
        assert_eq!(read, Preferences::default());
        assert!(said.contains("preferences.ron: ") && said.ends_with("preferences.ron.unreadable"), "{said}");
        assert_eq!(files.len(), 2);
        assert_eq!(files[1], ("preferences.ron.unreadable".to_owned(), bad.to_owned()));
    }

    #[test]
    fn one_bad_value_costs_no_other_and_the_file_is_kept() {
        let text = "(panel: (width: wide), view: (theme: Light, language: Klingon), keys: {\"Pause\": [\"KeyK\"]})";
        let (said, read, files) = changed("one", text);
        assert_eq!(read.view.theme, ThemeChoice::Light);
        assert_eq!(read.keys.len(), 1);
        assert!(said.contains("panel.width, view.language"), "{said}");
        assert_eq!(files[1].1, text);
    }

    #[test]
    fn what_a_later_version_wrote_is_kept() {
        let text = "(panel: (width: 300), telescope: (zoom: 3), keys: {\"Fly\": [\"KeyK\"]})";
        let (said, read, files) = changed("later", text);
        assert_eq!(read.panel.width, 300.0);
        assert!(said.contains("telescope") && said.contains("Fly"), "{said}");
        assert_eq!(files[1].1, text);
        let (said, _, files) = changed("known", "(panel: (width: 300), view: (jolt: false, reduced_motion: true))");
        assert_eq!((&said[..], files.len()), ("", 1), "all of it is known");
    }

    #[test]
    fn what_was_kept_before_stays() {
        let path = folder("twice").join("preferences.ron");
        fs::create_dir_all(folder("twice")).unwrap();
        for (text, kept) in [("(", "unreadable"), ("((", "unreadable-2"), ("(", "unreadable")] {
            fs::write(&path, text).unwrap();
            Memory::at(Some(path.clone())).write().unwrap();
            assert_eq!(fs::read_to_string(path.with_extension(format!("ron.{kept}"))).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder("twice")).unwrap().count(), 3);
        fs::remove_dir_all(folder("twice")).unwrap();
    }

    #[test]
    fn what_an_argument_says_holds_for_its_run_alone() {
        let path = folder("run").join("preferences.ron");
        let mut before = Preferences::default();
        (before.view.theme, before.window.full_screen) = (ThemeChoice::Light, true);
        before.write(&path).unwrap();
        let size = vec2(640.0, 480.0);
        let (theme, language) = (Some(ThemeChoice::Dark), Some(Language::Japanese));
        let options = PlayOptions { size: Some(size), theme, language, panel: Some(false), ..default() };
        let mut memory = Memory::at(Some(path.clone())).with_arguments(&options);
        // The state at the start of such a run, then with a wider panel.
        let mut now = memory.kept.clone();
        (now.window.size, now.window.full_screen) = (size, false);
        (now.view.theme, now.view.language) = (ThemeChoice::Dark, Language::Japanese);
        now.panel.shown = false;
        assert!(!memory.note(now.clone()), "nothing was chosen");
        now.panel.width = 400.0;
        assert!(memory.note(now.clone()));
        before.panel.width = 400.0;
        memory.write().unwrap();
        assert_eq!(Memory::at(Some(path)).kept, before);
        // A choice in the window is saved, even if it returns to the value of the argument.
        now.view.theme = ThemeChoice::Light;
        memory.note(now.clone());
        now.view.theme = ThemeChoice::Dark;
        now.window.size = vec2(700.0, 480.0);
        now.panel.shown = true;
        memory.note(now.clone());
        now.panel.shown = false;
        memory.note(now.clone());
        assert!(!memory.kept.panel.shown);
        assert_eq!(memory.kept.view.theme, ThemeChoice::Dark);
        assert_eq!(memory.kept.view.language, before.view.language);
        assert_eq!(memory.kept.window, now.window);
        fs::remove_dir_all(folder("run")).unwrap();
    }

    #[test]
    fn no_window_is_too_small_to_be_found_and_no_volume_is_none() {
        let path = folder("small").join("preferences.ron");
        fs::create_dir_all(folder("small")).unwrap();
        fs::write(&path, "(window: (size: (1.0, 1e9)), sound: (volume: NaN))").unwrap();
        let read = Preferences::read(&path).unwrap().unwrap().value;
        assert_eq!(read.window.size, Vec2::new(SIZES[0].x, SIZES[1].y));
        assert_eq!(read.sound, SoundSettings::default());
        fs::remove_dir_all(folder("small")).unwrap();
    }
    #[test]
    fn a_frame_without_news_does_nothing_and_a_change_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("preferences.ron");
        let mut app = App::new();
        app.init_resource::<PanelState>()
            .init_resource::<ViewSettings>()
            .init_resource::<SoundSettings>()
            .init_resource::<RecentFiles>()
            .init_resource::<Bookmarks>()
            .init_resource::<CaptureSettings>()
            .init_resource::<KeyMap>()
            .init_resource::<CoachSettings>()
            .init_resource::<Notices>()
            .add_message::<WindowCloseRequested>()
            .insert_resource(Memory::at(Some(path.clone())))
            .add_systems(Last, remember);
        let resolution = WindowResolution::new(1280, 800);
        let window = app.world_mut().spawn((Window { resolution, ..default() }, PrimaryWindow)).id();
        let memory = |app: &App| app.world().resource::<Memory>().clone();
        let end = |app: &mut App| {
            app.world_mut().write_message(AppExit::Success);
            app.update();
            is_there(&path)
        };
        app.update();
        assert!(!end(&mut app), "everything is as it was at first");
        // A comparison would correct this value.
        app.world_mut().resource_mut::<Memory>().kept.panel.width = 1.0;
        app.update();
        app.world_mut().get_mut::<Window>(window).unwrap().set_cursor_position(Some(Vec2::ONE));
        app.update();
        assert_eq!(memory(&app).kept.panel.width, 1.0);
        app.world_mut().resource_mut::<PanelState>().width = 333.0;
        app.update();
        app.world_mut().get_mut::<Window>(window).unwrap().resolution.set(640.0, 480.0);
        app.update();
        assert!(memory(&app).changed.is_some() && !is_there(&path), "more may follow");
        assert!(end(&mut app));
        let kept = Memory::at(Some(path.clone())).kept;
        assert_eq!((kept.panel.width, kept.window.size), (333.0, vec2(640.0, 480.0)));
        fs::remove_file(&path).unwrap();
        app.update();
        assert!(!end(&mut app), "it is written once");
    }
}
