//! The options of the window, from the command line or the address of a page.

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

/// The scene or match to play, and how to show it.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct PlayOptions {
    /// The scene.
    pub source: SceneSource,
    /// The size of the window, logical pixels. None: as it was left.
    pub size: Option<Vec2>,
    /// The set of colours. None: the one chosen last.
    pub theme: Option<ThemeChoice>,
    /// The language of the window. None: the one chosen last.
    pub language: Option<Language>,
    /// Whether the panel is shown at the start. None: as it was left.
    pub panel: Option<bool>,
    /// The file (PNG) for a screenshot of the window, after which the program ends.
    pub screenshot: Option<PathBuf>,
    /// The match to begin in place of the scene. None: the scene.
    pub game: Option<Game>,
    /// Whether to show the start page, on which a match is chosen.
    pub start_page: bool,
    /// Several rectangles as one table, in place of the scene.
    pub plane: Option<Plane>,
    /// When the screenshot is taken or the program ends, real seconds after the start. None: a screenshot is taken
    /// after one second, and without one the program runs until the window is closed.
    pub after: Option<f32>,
    /// The port on the loopback interface at which programs may read and write all settings; 0 for any free port. None:
    /// no port is opened.
    #[cfg(feature = "remote")]
    pub remote: Option<u16>,
}

/// A table of several rectangles, and their number, from 1 to 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    /// Windows anywhere on the desktop.
    Windows(u32),
    /// Tiles in one window.
    Tiles(u32),
}

/// A match that begins when the window opens.
#[derive(Clone, Debug, PartialEq)]
pub enum Game {
    /// A new match.
    New(MatchSpec),
    /// A saved match, from this file. None: the last one that is not over.
    Saved(Option<PathBuf>),
    /// A match from a link.
    Linked(Link),
}

impl Game {
    /// Prepares the match.
    ///
    /// # Errors
    /// If the match is invalid or cannot be read. A file outside the folder of matches must not run a program.
    pub(super) fn beginning(&self) -> Result<Beginning, String> {
        match self {
            Self::New(spec) => Beginning::of(spec.clone()),
            Self::Linked(link) => Beginning::linked(link),
            Self::Saved(Some(path)) => {
                let name = path.display();
                let record = read_match(path)?;
                let own = folders::matches();
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
                let saved = folders::matches().map(|folder| unfinished_matches(&folder)).unwrap_or_default();
                let resumed =
                    saved.iter().filter_map(|(path, record)| Beginning::resume(record, Some(path.clone())).ok());
                let goes_on = resumed.into_iter().find(|beginning| beginning.game.winner().is_none());
                goes_on.ok_or_else(|| "there is no match to resume; start one: carom --match nine-ball".to_owned())
            }
        }
    }
}

/// Whether a file lies directly in a folder, after links are resolved.
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
