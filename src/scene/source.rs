//! The source of a scene.

use std::path::PathBuf;

use bevy::asset::Handle;

use super::{format::SceneFile, shipped::shipped};
use crate::link::Link;

/// The source of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SceneSource {
    /// A scene that is part of the program, by its name.
    Shipped(&'static str),
    /// A file.
    Path(PathBuf),
    /// An asset, which Bevy's asset server reads. In a game, write
    /// `SceneCommand::Load(asset_server.load("level.ron").into())`: the scene begins as soon as it is loaded.
    Asset(Handle<SceneFile>),
    /// A link, in which someone else has shared a scene as text; see [`link`](super::link).
    Link(Box<Link>),
}

impl Default for SceneSource {
    fn default() -> Self {
        Self::Shipped(shipped()[0].name)
    }
}

impl std::fmt::Display for SceneSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Shipped(name) => f.write_str(name),
            Self::Path(path) => path.display().fmt(f),
            Self::Asset(handle) => match handle.path() {
                Some(path) => path.fmt(f),
                None => f.write_str("a scene without a file"),
            },
            Self::Link(_) => f.write_str("a link"),
        }
    }
}

impl From<Handle<SceneFile>> for SceneSource {
    fn from(handle: Handle<SceneFile>) -> Self {
        Self::Asset(handle)
    }
}
