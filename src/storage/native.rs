//! The files of the system.

#[cfg(feature = "games")]
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

pub(crate) use std::fs::read;

pub(crate) use super::whole_file::write_whole;

/// Whether there is anything of this name.
#[cfg(feature = "games")]
pub(crate) fn is_there(path: &Path) -> bool {
    path.exists()
}

/// Makes a folder, and those that it lies in.
///
/// # Errors
/// It cannot be made.
#[cfg(feature = "games")]
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// What lies in a folder, the newest first; of two as new the one whose name comes last.
#[cfg(feature = "games")]
pub(crate) fn newest_first(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let dated = |entry: fs::DirEntry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()));
    let mut found: Vec<(SystemTime, PathBuf)> = entries.filter_map(dated).collect();
    found.sort_by(|a, b| b.cmp(a));
    found.into_iter().map(|(_, path)| path).collect()
}
