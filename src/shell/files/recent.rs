//! The scene files of late.

use std::path::{Path, PathBuf};

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// The scene files that were opened or saved last, the newest first.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RecentFiles(Vec<PathBuf>);

impl RecentFiles {
    /// How many are kept; older ones are forgotten.
    pub const KEPT: usize = 10;

    /// Puts a file first. A relative path is taken from the working folder.
    pub fn add(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.0.retain(|other| *other != path);
        self.0.insert(0, path);
        self.0.truncate(Self::KEPT);
    }

    /// Forgets those that are there no more.
    pub fn forget_missing(&mut self) {
        self.0.retain(|path| path.is_file());
        self.0.truncate(Self::KEPT);
    }

    /// All that are kept, the newest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Path> {
        self.0.iter().map(PathBuf::as_path)
    }
}
