//! What the program remembers from run to run: the window, the panel, the colours, the sound and the files of late.
//!
//! It is kept as RON in the user's folder for configuration. A file that cannot be read is said in a notice, and the
//! defaults are used; nothing is ever written over a file before the person has changed something.
//!
//! `bevy_settings` 0.19.1 does much of this, for browsers too, and was read for it; it cannot keep three of these promises. What it cannot read, the whole file or a
//! single value, is as if it were not there: it says so to the log alone, and writes over it the next time. Where the disk is full it renames what it could
//! write of the new file over the old one (`store_fs.rs` goes on after `fs::write` has failed). And it writes whatever was marked as changed, the same values too.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use bevy::{
    ecs::system::{NonSendMarker, SystemParam},
    platform::time::Instant,
    prelude::*,
    window::{Monitor, PrimaryWindow, WindowMode},
    winit::WINIT_WINDOWS,
};
use serde::{Deserialize, Serialize};

use super::play::PlayOptions;
use crate::{
    input::{
        Overlays,
        actions::{KeyChanges, KeyMap},
    },
    panel::{PanelState, RecentFiles},
    scene::{NoticeText, Notices, mark, write_whole},
    sound::SoundSettings,
    view::{Bookmarks, CaptureSettings, Language, MotionChoice, ThemeChoice, ViewSettings},
};

/// All that is remembered.
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
}

/// The window as the person left it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct WindowState {
    /// Width and height while it neither is maximized nor fills the screen, logical pixels.
    pub size: Vec2,
    /// Its upper left corner then, physical pixels; none where the desktop does not tell.
    pub position: Option<IVec2>,
    pub maximized: bool,
    pub full_screen: bool,
}

impl Default for WindowState {
    fn default() -> Self {
        Self { size: Vec2::new(1280.0, 800.0), position: None, maximized: false, full_screen: false }
    }
}

/// The smallest and the largest window that is opened, logical pixels.
const SIZES: [Vec2; 2] = [Vec2::new(320.0, 240.0), Vec2::new(16384.0, 16384.0)];

/// What of the view is a matter of taste and not of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ViewChoices {
    theme: ThemeChoice,
    language: Language,
    flash: bool,
    #[serde(alias = "jolt")]
    shake: bool,
    motion: MotionChoice,
    /// How it was written before there was a choice.
    #[serde(skip_serializing)]
    reduced_motion: bool,
}

impl ViewChoices {
    fn of(settings: &ViewSettings) -> Self {
        let &ViewSettings { theme, language, flash, shake, motion, .. } = settings;
        Self { theme, language, flash, shake, motion, reduced_motion: false }
    }
}

impl Default for ViewChoices {
    fn default() -> Self {
        Self::of(&ViewSettings::default())
    }
}

impl Preferences {
    /// Reads what was written by [`Preferences::write`]. A file that does not exist is no error: then there is nothing.
    ///
    /// # Errors
    /// The file cannot be read, or holds something else.
    fn read(path: &Path) -> Result<Option<Self>, String> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        let mut read: Self = ron::from_str(&text).map_err(|error| error.to_string())?;
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
        Ok(Some(read))
    }

    /// Writes the file whole, so that a crash leaves the old one or the new one.
    ///
    /// # Errors
    /// The folder cannot be made or the file not be written.
    fn write(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let text = ron::ser::to_string_pretty(self, ron::ser::PrettyConfig::default()).map_err(io::Error::other)?;
        write_whole(path, text.as_bytes())
    }
}

/// What was read or written last, where it is kept, and since when it is different.
#[derive(Resource, Clone, Debug)]
pub(super) struct Memory {
    pub kept: Preferences,
    /// The file; none where the system has no place for it, and where a picture is taken, which nobody's habits should change.
    path: Option<PathBuf>,
    changed: Option<Instant>,
    problem: Option<NoticeText>,
}

impl Memory {
    /// What was remembered in the user's folder.
    pub(super) fn recall() -> Self {
        let folders = directories::ProjectDirs::from("", "", "carom");
        Self::at(folders.map(|folders| folders.config_dir().join("preferences.ron")))
    }

    /// Nothing, and nothing will be.
    pub(super) fn nowhere() -> Self {
        Self::at(None)
    }

    fn at(path: Option<PathBuf>) -> Self {
        let read = path.as_deref().map_or(Ok(None), Preferences::read);
        let problem = read.as_ref().err().zip(path.as_deref()).map(|(reason, path)| {
            let values = [path.display().to_string(), reason.clone()];
            NoticeText::new(mark("{}: {}; carom starts with its defaults, delete the file to be rid of this"), values)
        });
        Self { kept: read.ok().flatten().unwrap_or_default(), path, changed: None, problem }
    }
}

/// A change is written when no other has followed for this long.
const PAUSE: Duration = Duration::from_secs(1);

/// Hands out what was remembered at the start, and keeps it up to date.
pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, hand_out).add_systems(Update, put_window).add_systems(Last, remember);
}

fn hand_out(
    mut memory: ResMut<Memory>,
    options: Res<PlayOptions>,
    (mut panel, mut overlays, mut recent): (ResMut<PanelState>, ResMut<Overlays>, ResMut<RecentFiles>),
    (mut view, mut sound, mut keys): (ResMut<ViewSettings>, ResMut<SoundSettings>, ResMut<KeyMap>),
    (mut bookmarks, mut capture): (ResMut<Bookmarks>, ResMut<CaptureSettings>),
    mut notices: ResMut<Notices>,
) {
    if let Some(problem) = memory.problem.take() {
        notices.error(problem);
    }
    let kept = &memory.kept;
    *bookmarks = kept.bookmarks.clone();
    *capture = kept.capture.in_range();
    overlays.panel = kept.panel.shown;
    *panel = kept.panel.clone();
    // The scene that the program was started with is there already.
    let now: Vec<_> = recent.iter().map(Path::to_owned).collect();
    *recent = kept.recent.clone();
    now.iter().rev().for_each(|path| recent.add(path));
    recent.forget_missing();
    let (map, unknown) = KeyMap::with_changes(&kept.keys);
    *keys = map;
    if !unknown.is_empty() {
        let text = mark("These keys of your preferences are unknown, and left out: {}");
        notices.error(NoticeText::new(text, [unknown.join(", ")]));
    }
    // A picture makes no sound.
    *sound = SoundSettings { on: kept.sound.on && options.screenshot.is_none(), ..kept.sound };
    let ViewChoices { theme, language, flash, shake, motion, .. } = kept.view;
    let (theme, language) = (options.theme.unwrap_or(theme), options.language.unwrap_or(language));
    *view = ViewSettings { theme, language, flash, shake, motion, ..view.clone() };
}

/// Puts the window where it was, once the monitors are known, if that is still on one of them.
fn put_window(
    memory: Res<Memory>,
    monitors: Query<&Monitor>,
    window: Option<Single<&mut Window, With<PrimaryWindow>>>,
    mut done: Local<bool>,
) {
    let Some(mut window) = window.filter(|_| !*done && !monitors.is_empty()) else { return };
    *done = true;
    let WindowState { position, size, maximized, full_screen } = memory.kept.window;
    if let Some(position) = position.filter(|_| !full_screen) {
        // The middle of its upper edge, where it can be taken and moved.
        let handle = position + IVec2::new((size.x * window.scale_factor() / 2.0) as i32, 10);
        let on_screen = monitors.iter().any(|monitor| {
            let from = monitor.physical_position;
            IRect::from_corners(from, from + monitor.physical_size().as_ivec2()).contains(handle)
        });
        if on_screen {
            window.position = WindowPosition::At(position);
        }
    }
    if maximized {
        window.set_maximized(true);
    }
}

/// Where all that is remembered is read.
#[derive(SystemParam)]
struct Snapshot<'w, 's> {
    panel: Res<'w, PanelState>,
    view: Res<'w, ViewSettings>,
    sound: Res<'w, SoundSettings>,
    recent: Res<'w, RecentFiles>,
    bookmarks: Res<'w, Bookmarks>,
    capture: Res<'w, CaptureSettings>,
    keys: Res<'w, KeyMap>,
    window: Query<'w, 's, (Entity, &'static Window), With<PrimaryWindow>>,
}

impl Snapshot<'_, '_> {
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
    mut exits: MessageReader<AppExit>,
    mut notices: ResMut<Notices>,
    mut failed: Local<bool>,
    // The windows are known on the main thread alone.
    _: NonSendMarker,
) {
    let now = snapshot.preferences(&memory.kept);
    if now != memory.kept {
        memory.kept = now;
        memory.changed = Some(Instant::now());
    }
    let leaving = exits.read().count() > 0;
    if !memory.changed.is_some_and(|changed| leaving || changed.elapsed() >= PAUSE) {
        return;
    }
    memory.changed = None;
    let Some(path) = &memory.path else { return };
    if let Err(error) = memory.kept.write(path)
        && !*failed
    {
        let values = [path.display().to_string(), error.to_string()];
        notices.error(NoticeText::new(mark("{}: {}; your preferences are not remembered"), values));
        *failed = true;
    }
}

#[cfg(test)]
mod tests {
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
        written.window.position = Some(IVec2::new(-30, 12));
        written.keys.insert("Pause".to_owned(), vec!["Ctrl + KeyK".to_owned()]);
        written.write(&path).unwrap();
        assert_eq!(Preferences::read(&path), Ok(Some(written.clone())));
        assert_eq!(Memory::at(Some(path)).kept, written);
        fs::remove_dir_all(folder("roundtrip")).unwrap();
    }

    #[test]
    fn no_file_is_nothing_and_a_bad_one_is_reported() {
        let path = folder("bad").join("preferences.ron");
        assert_eq!(Preferences::read(&path), Ok(None));
        fs::create_dir_all(folder("bad")).unwrap();
        fs::write(&path, "(panel: (width: wide))").unwrap();
        let memory = Memory::at(Some(path));
        assert_eq!(memory.kept, Preferences::default());
        assert!(memory.problem.is_some_and(|problem| problem.to_string().contains("preferences.ron")));
        fs::remove_dir_all(folder("bad")).unwrap();
    }

    #[test]
    fn no_window_is_too_small_to_be_found_and_no_volume_is_none() {
        let path = folder("small").join("preferences.ron");
        fs::create_dir_all(folder("small")).unwrap();
        fs::write(&path, "(window: (size: (1.0, 1e9)), sound: (volume: NaN))").unwrap();
        let read = Preferences::read(&path).unwrap().unwrap();
        assert_eq!(read.window.size, Vec2::new(SIZES[0].x, SIZES[1].y));
        assert_eq!(read.sound, SoundSettings::default());
        fs::remove_dir_all(folder("small")).unwrap();
    }
}
