//! What to play: what the command line, or the address of a page, asks for.

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

/// What to play, and whether to take a picture of it.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct PlayOptions {
    /// The scene.
    pub source: SceneSource,
    /// The size of the window, logical pixels; none: as it was left.
    pub size: Option<Vec2>,
    /// Which set of colours it has; none: the one that was chosen last.
    pub theme: Option<ThemeChoice>,
    /// The language of what is written; none: the one that was chosen last.
    pub language: Option<Language>,
    /// Whether the panel is there at the start; none: as it was left.
    pub panel: Option<bool>,
    /// Takes a picture of the window and writes it to this file (PNG), then ends the program.
    pub screenshot: Option<PathBuf>,
    /// The match that begins in place of the scene; none: the scene.
    pub game: Option<Game>,
    /// Whether the page is shown on which a match is chosen.
    pub start_page: bool,
    /// Several rectangles as one table, in place of the scene.
    pub plane: Option<Plane>,
    /// How long after the start the picture is taken, or the program ends, in real seconds. Without it a picture is
    /// taken after one second, and the program goes on until the window is closed.
    pub after: Option<f32>,
    /// At which port of the loopback programs may read and write everything tunable, 0 for any that is free; none: at
    /// none.
    #[cfg(feature = "remote")]
    pub remote: Option<u16>,
}

/// A table of several rectangles: how many, 1 to 16, and what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    /// Windows, wherever they lie on the desktop.
    Windows(u32),
    /// Tiles in one window.
    Tiles(u32),
}

/// A match that begins with the window.
#[derive(Clone, Debug, PartialEq)]
pub enum Game {
    /// A new one.
    New(MatchSpec),
    /// One that was saved: in this file, or else the last one that is not over.
    Saved(Option<PathBuf>),
    /// One that came in a link.
    Linked(Link),
}

impl Game {
    /// Everything that it needs.
    ///
    /// # Errors
    /// What of it makes no sense, or cannot be read.
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

/// The folder in which matches are kept; none where the system has no place for it.
pub(super) fn match_folder() -> Option<PathBuf> {
    folders::data().map(|folder| folder.join("matches"))
}

/// Whether a file lies right in a folder, whatever links lead there.
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
