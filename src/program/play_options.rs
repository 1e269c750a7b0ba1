//! The options of the window from the command line or the address of a page.

use std::path::{Path, PathBuf};

use bevy::prelude::*;

use super::{folders, tournament::read_match};
use crate::{
    games::{
        MatchSpec,
        plugin::{Beginning, unfinished_matches},
    },
    link::Link,
    scene::SceneSource,
    view::{Language, ThemeChoice},
};

/// The scene or match to play, and options of the window.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct PlayOptions {
    /// The scene.
    pub source: SceneSource,
    /// The size of the window, logical pixels. `None` uses that of the last run.
    pub size: Option<Vec2>,
    /// The colours. `None` uses the last choice.
    pub theme: Option<ThemeChoice>,
    /// The language. `None` uses the last choice.
    pub language: Option<Language>,
    /// Whether the panel is shown at the start. `None` uses the last state.
    pub panel: Option<bool>,
    /// Saves a screenshot of the window to this file (PNG), and exits.
    pub screenshot: Option<PathBuf>,
    /// The match that replaces the scene, if any.
    pub game: Option<Game>,
    /// Whether to show the start page.
    pub start_page: bool,
    /// A table of several rectangles that replaces the scene, if any.
    pub plane: Option<Plane>,
    /// The time of the screenshot, or of the exit, in real seconds after the start. `None` takes a screenshot after one
    /// second, and otherwise runs until the window is closed.
    pub after: Option<f32>,
    /// The loopback port for remote control, or 0 for any free port. `None` disables it.
    #[cfg(feature = "remote")]
    pub remote: Option<u16>,
}

/// A table of several rectangles: their kind and number, 1 to 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    /// Windows, anywhere on the desktop.
    Windows(u32),
    /// Tiles in one window.
    Tiles(u32),
}

/// A match that starts with the window.
#[derive(Clone, Debug, PartialEq)]
pub enum Game {
    /// A new match.
    New(MatchSpec),
    /// A saved match: from this file, or else the last unfinished one.
    Saved(Option<PathBuf>),
    /// A match from a link.
    Linked(Link),
}

impl Game {
    /// The match with its players.
    ///
    /// # Errors
    /// The match is invalid or cannot be read.
    pub(super) fn beginning(&self) -> Result<Beginning, String> {
        match self {
            Self::New(spec) => Beginning::of(spec.clone()),
            Self::Linked(link) => Beginning::linked(link),
            Self::Saved(Some(path)) => {
                let name = path.display();
                let record = read_match(path)?;
                let own = match_folder();
                if !own.as_ref().is_some_and(|folder| lies_in(path, folder)) {
                    record.spec.starts_no_program(|program| {
                        format!(
                            "{name}: one of its players is a program, `{program}`, which would be run; look at it, and if you want that, put the file into {}",
                            own.map_or_else(|| "the folder of your matches".to_owned(), |own| own.display().to_string())
                        )
                    })?;
                }
                Beginning::resume(&record, Some(path.clone())).map_err(|reason| format!("{name}: {reason}"))
            }
            Self::Saved(None) => {
                let saved = match_folder().map(|folder| unfinished_matches(&folder)).unwrap_or_default();
                let resumed =
                    saved.iter().filter_map(|(path, record)| Beginning::resume(record, Some(path.clone())).ok());
                let goes_on = resumed.into_iter().find(|beginning| beginning.game.winner().is_none());
                goes_on.ok_or_else(|| "there is no match to go on with; begin one: carom --match nine-ball".to_owned())
            }
        }
    }
}

/// The folder for saved matches, or `None` if the system has no place for it.
pub(super) fn match_folder() -> Option<PathBuf> {
    folders::data().map(|folder| folder.join("matches"))
}

/// Whether a file is directly in a folder, after resolving links.
fn lies_in(path: &Path, folder: &Path) -> bool {
    let parent = path.canonicalize().ok().and_then(|path| path.parent().map(Path::to_owned));
    parent.is_some_and(|parent| folder.canonicalize().is_ok_and(|folder| folder == parent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Match;

    #[test]
    fn a_program_that_a_match_from_elsewhere_names_is_not_run() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("match.ron");
        let players = |second: &str| {
            let players = ["Ada", second].map(crate::games::PlayerSpec::from);
            let record = Match::new(MatchSpec { players, ..MatchSpec::default() }).unwrap().record();
            std::fs::write(&file, record.to_text().unwrap()).unwrap();
            Game::Saved(Some(file.clone())).beginning().map(|_| ())
        };
        assert_eq!(players("bot:easy"), Ok(()));
        let reason = players("exec:touch run-by-mistake").unwrap_err();
        assert!(reason.contains("`exec:touch run-by-mistake`") && reason.contains("put the file into"), "{reason}");
        assert!(lies_in(&file, folder.path()) && !lies_in(&file, Path::new(".")));
    }
}
