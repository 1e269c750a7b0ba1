//! What a person can ask for: another scene, the same again, saving this one.

use bevy::prelude::*;
use std::path::PathBuf;

use super::{CueBall, DiscLook, Notices, SceneEntity, SceneSource, TerrainLook};

/// Asks for a scene. Failures become a [`Notice`](super::Notice), and the running scene stays.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub enum SceneCommand {
    /// Begins this scene.
    Load(SceneSource),
    /// Reads the running scene from its source again, with its settings.
    Reload,
    /// Puts the discs and terrain of the running scene back to their start. Collision and motion settings, tick rate and
    /// time scale stay as they are now; whether it is paused is as at the start.
    Restart,
    /// Begins the shipped scene after the running one; after the last, the first.
    Next,
    /// Begins the shipped scene before the running one; before the first, the last.
    Previous,
    /// Writes the present state to a file, which gets the ending `.ron` if it has none.
    SaveAs(PathBuf),
}

/// Written when a scene has begun.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneLoaded {
    /// Whether it is the running scene from its start again, by [`SceneCommand::Restart`].
    pub restart: bool,
}

/// Obeys [`SceneCommand`]s, in [`PreUpdate`]. It needs [`PhysicsPlugins`](crate::PhysicsPlugins).
pub struct ScenePlugin;

impl Plugin for ScenePlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<DiscLook>()
            .register_type::<TerrainLook>()
            .register_type::<CueBall>()
            .register_type::<SceneEntity>()
            .init_resource::<Notices>()
            .add_message::<SceneCommand>()
            .add_message::<SceneLoaded>();
    }
}
