//! Saves a match to a file after every change, so that it can be resumed after the window was closed. The file contains
//! a shot as soon as it starts.

use std::{
    io,
    path::{Path, PathBuf},
};

use bevy::prelude::*;

use crate::{
    games::{
        matches::{Match, MatchRecord},
        rules::{Action, Refusal},
    },
    storage::{is_there, make_folder, newest_first, read, write_whole},
};

/// The folder for saved matches. Default: `None`, which saves none.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchFolder(pub Option<PathBuf>);

/// The saved matches in a folder, newest first. Unreadable files are skipped.
#[must_use]
pub fn saved_matches(folder: &Path) -> Vec<(PathBuf, MatchRecord)> {
    let files = newest_first(folder).into_iter();
    files
        .filter(|path| path.extension().is_some_and(|ending| ending == "ron"))
        .filter_map(|path| {
            let text = String::from_utf8(read(&path).ok()?).ok()?;
            let record = MatchRecord::parse(&text, &path.display().to_string()).ok()?;
            Some((path, record))
        })
        .collect()
}

/// The [`saved_matches`] that are not marked as over. Matches with a shot come first, as losing one without a shot does
/// not matter.
#[must_use]
pub fn unfinished_matches(folder: &Path) -> Vec<(PathBuf, MatchRecord)> {
    let mut left: Vec<_> = saved_matches(folder).into_iter().filter(|(_, record)| !record.over).collect();
    left.sort_by_key(|(_, record)| !record.log.iter().any(|entry| matches!(entry.action, Action::Shoot { .. })));
    left
}

/// A new file in the folder for a match of this game, if matches are saved.
pub(super) fn new_file(folder: &MatchFolder, game: &str) -> Option<PathBuf> {
    let folder = folder.0.as_deref()?;
    let path = |number: u32| folder.join(format!("{game}-{number}.ron"));
    (1..=u32::MAX).map(path).find(|path| !is_there(path))
}

/// Writes a match to a file.
///
/// # Errors
/// The file cannot be written. The refusal says why.
pub(super) fn write(path: &Path, game: &Match) -> Result<(), Refusal> {
    write_to(path, &game.record())
        .map_err(|error| Refusal::NotKept { path: path.display().to_string(), why: error.to_string() })
}

fn write_to(path: &Path, record: &MatchRecord) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    write_whole(path, record.to_text().map_err(io::Error::other)?.as_bytes())
}
