//! From a scene to entities, and back.

use bevy::prelude::*;

use super::{SceneError, SceneFile, SceneSource};

/// The scene that is running.
#[derive(Resource, Clone, Debug)]
pub struct CurrentScene {
    /// Where it came from.
    pub source: SceneSource,
    /// What it was when it was loaded.
    pub file: SceneFile,
}

/// Put this on an entity that shall go with the scene: the next scene despawns it.
#[derive(Component, Reflect, Clone, Copy, Debug, Default)]
#[reflect(Component, Default)]
pub struct SceneEntity;

/// Ends the running scene and begins this one.
///
/// # Errors
/// The file does not pass [`SceneFile::check`]; the running scene then stays.
pub fn spawn(world: &mut World, source: SceneSource, file: SceneFile) -> Result<(), SceneError> {
    todo!("{world:?} {source} {file:?}")
}

impl SceneFile {
    /// The present state of the world as a scene: its discs and terrain one by one, and its settings.
    pub fn capture(world: &mut World) -> Self {
        todo!("{world:?}")
    }
}
