//! Files in the file system.

#[cfg(feature = "games")]
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

pub(crate) use std::fs::read;

pub(crate) use super::whole_file::write_whole;

/// Whether a file or folder of this name exists.
#[cfg(feature = "games")]
pub(crate) fn is_there(path: &Path) -> bool {
    path.exists()
}

/// Creates a folder and its parents.
///
/// # Errors
/// If it cannot be created.
#[cfg(feature = "games")]
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// The contents of a folder, newest first. Files of the same age are in descending order of their names.
#[cfg(feature = "games")]
pub(crate) fn newest_first(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let dated = |entry: fs::DirEntry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()));
    let mut found: Vec<(SystemTime, PathBuf)> = entries.filter_map(dated).collect();
    found.sort_by(|a, b| b.cmp(a));
    found.into_iter().map(|(_, path)| path).collect()
}
