//! What the panel remembers from run to run: its width, whether it is shown, and which sections are open.
//!
//! It is kept as RON in the user's folder for configuration. A file that cannot be read is said in a notice, and the
//! defaults are used; nothing is ever written over a file before the person has changed something.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use bevy::{platform::time::Instant, prelude::*};
use serde::{Deserialize, Serialize};

use crate::{scene::Notices, table::Overlays};

/// The panel as the person left it.
#[derive(Resource, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PanelState {
    /// Its width, logical pixels. Default: 360.
    pub width: f32,
    /// Whether it is shown. Default: yes.
    pub shown: bool,
    /// The sections that the person has opened (true) or closed (false). The others follow the scene.
    pub open: BTreeMap<String, bool>,
}

impl Default for PanelState {
    fn default() -> Self {
        Self { width: 360.0, shown: true, open: BTreeMap::new() }
    }
}

impl PanelState {
    /// Reads what was written by [`PanelState::write`]. A file that does not exist is no error: then there is nothing.
    ///
    /// # Errors
    /// The file cannot be read, or holds something else.
    pub fn read(path: &Path) -> Result<Option<Self>, String> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        let mut state: Self = ron::from_str(&text).map_err(|error| error.to_string())?;
        if !state.width.is_finite() {
            state.width = Self::default().width;
        }
        Ok(Some(state))
    }

    /// Writes the state beside the file first and then in its place, so that a crash leaves one or the other whole.
    ///
    /// # Errors
    /// The folder cannot be made or the file not be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let text = ron::ser::to_string_pretty(self, ron::ser::PrettyConfig::default()).map_err(io::Error::other)?;
        let beside = path.with_extension("ron.new");
        fs::write(&beside, text)?;
        fs::rename(beside, path)
    }
}

/// Where the state is kept, and when it was last changed.
#[derive(Resource, Clone, Debug)]
pub struct PanelFile {
    /// The file; none where the system has no place for it, and in tests that want none.
    pub path: Option<PathBuf>,
    changed: Option<Instant>,
}

impl Default for PanelFile {
    fn default() -> Self {
        let folders = directories::ProjectDirs::from("", "", "carom");
        Self { path: folders.map(|folders| folders.config_dir().join("panel.ron")), changed: None }
    }
}

impl PanelFile {
    /// Remembers nothing.
    #[must_use]
    pub fn nowhere() -> Self {
        Self { path: None, changed: None }
    }
}

/// A change is written when no other has followed for this long.
const PAUSE: Duration = Duration::from_secs(1);

/// Changes the state; what is really different is written to the file a moment later.
pub(super) fn note(world: &mut World, change: impl FnOnce(&mut PanelState)) {
    let mut state = world.resource::<PanelState>().clone();
    change(&mut state);
    if *world.resource::<PanelState>() != state {
        *world.resource_mut::<PanelState>() = state;
        world.resource_mut::<PanelFile>().changed = Some(Instant::now());
    }
}

pub(super) fn recall(
    mut state: ResMut<PanelState>,
    mut overlays: ResMut<Overlays>,
    file: Res<PanelFile>,
    notices: Option<ResMut<Notices>>,
) {
    let Some(path) = &file.path else { return };
    match PanelState::read(path) {
        Ok(Some(read)) => {
            overlays.panel = read.shown;
            *state = read;
        }
        Ok(None) => {}
        Err(reason) => {
            if let Some(mut notices) = notices {
                let path = path.display();
                notices.error(format!(
                    "{path}: {reason}; the panel starts with its defaults, delete the file to be rid of this"
                ));
            }
        }
    }
}

pub(super) fn remember(
    state: Res<PanelState>,
    mut file: ResMut<PanelFile>,
    mut exits: MessageReader<AppExit>,
    mut failed: Local<bool>,
) {
    let Some(changed) = file.changed else { return };
    if exits.read().count() == 0 && changed.elapsed() < PAUSE {
        return;
    }
    file.changed = None;
    let Some(path) = &file.path else { return };
    if let Err(error) = state.write(path)
        && !*failed
    {
        warn!("{}: {error}; the panel's state is not remembered", path.display());
        *failed = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("carom-panel-{name}-{}", std::process::id()))
    }

    #[test]
    fn what_is_written_is_read() {
        let path = folder("roundtrip").join("deep").join("panel.ron");
        let mut state = PanelState { width: 420.0, shown: false, ..default() };
        state.open.insert("energy".to_owned(), true);
        state.write(&path).unwrap();
        assert_eq!(PanelState::read(&path), Ok(Some(state)));
        fs::remove_dir_all(folder("roundtrip")).unwrap();
    }

    #[test]
    fn no_file_is_nothing_and_a_bad_one_is_an_error() {
        let path = folder("bad").join("panel.ron");
        assert_eq!(PanelState::read(&path), Ok(None));
        fs::create_dir_all(folder("bad")).unwrap();
        fs::write(&path, "(width: wide)").unwrap();
        assert!(PanelState::read(&path).is_err());
        fs::remove_dir_all(folder("bad")).unwrap();
    }
}
