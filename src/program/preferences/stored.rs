//! The preferences as they are stored.

use std::{io, path::Path};

use bevy::math::{IVec2, Vec2};
use serde::{Deserialize, Serialize};

use crate::{
    games::plugin::CoachSettings,
    input::actions::KeyChanges,
    panel::PanelState,
    program::readable::{self, Readable},
    shell::{CaptureSettings, RecentFiles},
    sound::SoundSettings,
    storage::{make_folder, read, write_whole},
    view::{Bookmarks, Language, MotionChoice, ThemeChoice, ViewSettings},
};

/// All preferences.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(in crate::program) struct Preferences {
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
pub(in crate::program) struct WindowState {
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
pub(super) const SIZES: [Vec2; 2] = [Vec2::new(320.0, 240.0), Vec2::new(16384.0, 16384.0)];

/// View settings that belong to the user, not to the scene.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(in crate::program) struct ViewChoices {
    pub(super) theme: ThemeChoice,
    pub(super) language: Language,
    pub(super) flash: bool,
    #[serde(alias = "jolt")]
    pub(super) shake: bool,
    pub(super) motion: MotionChoice,
    pub(super) turn_tables: bool,
    /// Former field, read as [`MotionChoice::Less`].
    #[serde(skip_serializing)]
    reduced_motion: bool,
}

impl ViewChoices {
    pub(super) fn of(settings: &ViewSettings) -> Self {
        let &ViewSettings { theme, language, flash, shake, motion, turn_tables, .. } = settings;
        Self { theme, language, flash, shake, motion, turn_tables, reduced_motion: false }
    }
}

impl Default for ViewChoices {
    fn default() -> Self {
        Self::of(&ViewSettings::default())
    }
}

/// Former fields, which are read but no longer written.
const FORMER: [&str; 2] = ["jolt", "reduced_motion"];

impl Preferences {
    /// Reads a file of [`Preferences::write`], keeping every valid value. Returns none if the file does not exist.
    ///
    /// # Errors
    /// If the file cannot be read or is not a RON struct.
    pub(super) fn read(path: &Path) -> Result<Option<Readable<Self>>, String> {
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
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            make_folder(folder)?;
        }
        let text = ron::ser::to_string_pretty(self, ron::ser::PrettyConfig::default()).map_err(io::Error::other)?;
        write_whole(path, text.as_bytes())
    }
}
