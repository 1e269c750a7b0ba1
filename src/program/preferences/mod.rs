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

use std::{path::Path, time::Duration};

use bevy::{
    ecs::system::{NonSendMarker, SystemParam},
    platform::time::Instant,
    prelude::*,
    window::{Monitor, PrimaryWindow, WindowCloseRequested, WindowMode},
    winit::WINIT_WINDOWS,
};

use self::stored::{Preferences, ViewChoices};
use super::play_options::PlayOptions;
use crate::{
    games::plugin::CoachSettings,
    input::actions::KeyMap,
    notice::{NoticeText, Notices, mark},
    panel::PanelState,
    shell::{CaptureSettings, Overlays, RecentFiles},
    sound::SoundSettings,
    view::{Bookmarks, ViewSettings},
};

mod memory;
mod stored;
#[cfg(test)]
mod tests;

pub(super) use self::{memory::Memory, stored::WindowState};

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
