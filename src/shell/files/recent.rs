//! Recent scene files.

use std::path::{Path, PathBuf};

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// The recently opened or saved scene files, newest first.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RecentFiles(Vec<PathBuf>);

impl RecentFiles {
    /// The largest number of files.
    pub const KEPT: usize = 10;

    /// Puts a file first. A relative path is resolved against the working directory.
    pub fn add(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.0.retain(|other| *other != path);
        self.0.insert(0, path);
        self.0.truncate(Self::KEPT);
    }

    /// Removes files that do not exist any more.
    pub fn forget_missing(&mut self) {
        self.0.retain(|path| path.is_file());
        self.0.truncate(Self::KEPT);
    }

    /// All files, newest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Path> {
        self.0.iter().map(PathBuf::as_path)
    }
}
