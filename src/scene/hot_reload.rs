//! Reloads the running scene when its file changes, so that you can edit it beside the window.
//!
//! Four times a second, the modification time and the length of the file are checked. That works on every file system,
//! whether an editor replaces the file or writes into it. Scenes that are assets are watched by Bevy's asset server, if
//! the game enables that.

use std::{fs, path::PathBuf, time::Duration, time::SystemTime};

use bevy::{platform::time::Instant, prelude::*};

use super::{running::ObeysCommands, spawn::spawn};
use crate::{
    notice::{NoticeText, Notices, mark},
    scene::{
        registry::SceneRegistry,
        running::{CurrentScene, SceneSaved, SceneStarted},
        source::SceneSource,
        text::{SceneError, not_regular},
    },
};

/// Whether the running scene restarts with the settings in its file when that file or asset changes. If the file cannot
/// be read, a notice appears and the running scene continues. Default: yes.
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct HotReload(pub bool);

impl Default for HotReload {
    fn default() -> Self {
        Self(true)
    }
}

/// The interval between checks of the file.
const EVERY: Duration = Duration::from_millis(250);

/// Identifies a version of a file: its modification time and its length in bytes.
type Stamp = (SystemTime, u64);

/// The file of the running scene, its version when it was read or written, and its version at the last check.
#[derive(Resource, Debug, Default)]
struct Watched {
    path: Option<PathBuf>,
    /// The version that the running scene was read from or saved as. The panel asks before it overwrites a newer one.
    in_step: Option<Stamp>,
    /// The version at the last detected change. `seen` is the version at the last check, and `looked` its time.
    noticed: Option<Stamp>,
    seen: Option<Stamp>,
    looked: Option<Instant>,
    /// The number of successive checks in which the file was missing.
    missed: u32,
}

impl Watched {
    /// Starts watching a file in its current version.
    fn begin(&mut self, path: Option<PathBuf>) {
        let now = path.as_ref().and_then(stamp);
        *self = Self { path, in_step: now, noticed: now, seen: now, looked: Some(Instant::now()), missed: 0 };
    }

    /// Treats later versions than this one as changes.
    fn since(&mut self, stamp: Stamp) {
        (self.in_step, self.noticed) = (Some(stamp), Some(stamp));
    }

    /// Whether the file has changed since the last detected change, and is unchanged since the last check.
    fn has_changed(&mut self) -> bool {
        // A file that is being replaced may be missing for a moment.
        let Some(now) = self.path.as_ref().and_then(stamp) else { return false };
        let is_settled = self.seen.replace(now) == Some(now);
        let has_changed = is_settled && self.noticed != Some(now);
        if has_changed {
            self.noticed = Some(now);
        }
        has_changed
    }

    /// Why the file is missing, reported once it has been missing long enough.
    fn has_gone(&mut self) -> Option<String> {
        let reason = self.path.as_ref().and_then(|path| match fs::metadata(path) {
            Ok(found) => not_regular(&found).map(str::to_owned),
            Err(error) => Some(error.to_string()),
        });
        self.missed = if reason.is_some() { self.missed.saturating_add(1) } else { 0 };
        reason.filter(|_| self.missed == LOOKS)
    }
}

/// The number of checks after which a missing file counts as gone instead of being replaced.
const LOOKS: u32 = 4;

fn stamp(path: &PathBuf) -> Option<Stamp> {
    let found = fs::metadata(path).ok().filter(|found| not_regular(found).is_none())?;
    Some((found.modified().ok()?, found.len()))
}

/// The version of a scene's file before it was read. Take it first, so that writes during loading count as changes.
#[derive(Debug)]
pub(crate) struct FileStamp(Option<(PathBuf, Stamp)>);

impl FileStamp {
    /// Takes the version before the scene is read.
    pub(crate) fn of(source: &SceneSource) -> Self {
        let SceneSource::Path(path) = source else { return Self(None) };
        Self(stamp(path).map(|stamp| (path.clone(), stamp)))
    }

    /// Watches the file for changes since this version, if the running scene was read from it.
    pub(crate) fn follow(self, world: &mut World) {
        if let (Some((path, stamp)), Some(mut watched)) = (self.0, world.get_resource_mut::<Watched>())
            && watched.path.as_ref() == Some(&path)
        {
            watched.since(stamp);
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<HotReload>()
        .register_type::<HotReload>()
        .init_resource::<Watched>()
        .add_observer(|started: On<SceneStarted>, mut watched: ResMut<Watched>| {
            if !started.restart {
                watched.begin(match &started.source {
                    SceneSource::Path(path) => Some(path.clone()),
                    SceneSource::Shipped(_) | SceneSource::Asset(_) | SceneSource::Link(_) => None,
                });
            }
        })
        .add_observer(|saved: On<SceneSaved>, mut watched: ResMut<Watched>| watched.begin(Some(saved.path.clone())));
    // In a browser no other program can write to a file.
    if !cfg!(target_arch = "wasm32") {
        app.add_systems(PreUpdate, watch.before(ObeysCommands));
    }
}

fn watch(reload: Res<HotReload>, mut watched: ResMut<Watched>, mut notices: ResMut<Notices>, mut commands: Commands) {
    if !reload.0 || watched.path.is_none() || watched.looked.is_some_and(|looked| looked.elapsed() < EVERY) {
        return;
    }
    watched.looked = Some(Instant::now());
    if watched.has_changed() {
        commands.queue(reload_changed);
    } else if let (Some(reason), Some(path)) = (watched.has_gone(), &watched.path) {
        let name = path.display().to_string();
        let text = mark("{} is no longer there ({}): the running scene stays; save it to keep it");
        notices.retract(&name);
        notices.error_about(name.clone(), NoticeText::new(text, [name, reason]));
    }
}

/// Whether another program has written to the running scene's file since it was read or saved, so that saving would
/// overwrite that.
#[cfg(all(feature = "panel", not(target_arch = "wasm32")))]
pub(crate) fn was_written_elsewhere(world: &World) -> bool {
    world.get_resource::<Watched>().is_some_and(|watched| {
        let now = watched.path.as_ref().and_then(stamp);
        now.is_some() && now != watched.in_step
    })
}

/// Reads a scene, begins it, and watches its file from the version that was read.
///
/// # Errors
/// If the scene cannot be read or is invalid. The running scene then continues.
pub(super) fn begin_watched(world: &mut World, source: SceneSource) -> Result<(), SceneError> {
    let stamp = FileStamp::of(&source);
    let file = source.read_at_once(&SceneRegistry::of(world))?;
    spawn(world, source, file)?;
    stamp.follow(world);
    Ok(())
}

fn reload_changed(world: &mut World) {
    let Some(source) = world.get_resource::<CurrentScene>().map(|scene| scene.source.clone()) else { return };
    let name = source.to_string();
    let begun = begin_watched(world, source);
    let mut notices = world.resource_mut::<Notices>();
    match begun {
        Ok(()) => notices.info(NoticeText::new(mark("{} has changed and restarts"), [name])),
        Err(error) => {
            notices.retract(&name);
            notices.error_about(name, NoticeText::new(mark("{}; the running scene stays"), [error.to_string()]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_changed_once_it_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        fs::write(&path, "()").unwrap();
        let mut watched = Watched::default();
        watched.begin(Some(path.clone()));
        assert!(!watched.has_changed());
        fs::write(&path, "( )").unwrap();
        assert!(!watched.has_changed(), "it is being written");
        fs::write(&path, "(  )").unwrap();
        assert!(!watched.has_changed(), "and still is");
        assert!(watched.has_changed());
        assert!(!watched.has_changed(), "each change once");
        fs::remove_file(&path).unwrap();
        assert!(!watched.has_changed() && !watched.has_changed(), "it is gone");
        assert!((1..LOOKS).all(|_| watched.has_gone().is_none()), "but it may be on its way back");
        assert!(watched.has_gone().is_some());
        assert_eq!(watched.has_gone(), None, "it is said once");
        fs::write(&path, "(   )").unwrap();
        assert!(!watched.has_changed());
        assert!(watched.has_changed(), "and back");
        assert_eq!((watched.has_gone(), watched.missed), (None, 0));
    }
}
