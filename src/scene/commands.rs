//! What a person can ask for: another scene, the same again, saving this one.

use bevy::prelude::*;
use std::path::PathBuf;

use super::{
    CueBall, CurrentScene, DiscLook, Notices, SceneEntity, SceneFile, SceneLoaded, SceneSource, Shootable,
    Surroundings, TerrainLook, shipped,
    spawn::{restart, spawn},
    whole_file::write_whole,
};

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

/// Obeys [`SceneCommand`]s, in [`PreUpdate`]. It needs [`PhysicsPlugins`](crate::PhysicsPlugins).
pub struct ScenePlugin;

impl Plugin for ScenePlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<DiscLook>()
            .register_type::<TerrainLook>()
            .register_type::<CueBall>()
            .register_type::<Shootable>()
            .register_type::<Surroundings>()
            .register_type::<SceneEntity>()
            .init_resource::<Notices>()
            .add_message::<SceneCommand>()
            .add_message::<SceneLoaded>()
            .add_systems(PreUpdate, obey);
    }
}

fn obey(world: &mut World) {
    let commands: Vec<SceneCommand> = world.resource_mut::<Messages<SceneCommand>>().drain().collect();
    for command in commands {
        let done = match command {
            SceneCommand::Load(source) => load(world, source),
            SceneCommand::Reload => match world.get_resource::<CurrentScene>() {
                Some(scene) => {
                    let source = scene.source.clone();
                    load(world, source)
                }
                None => Ok(None),
            },
            SceneCommand::Restart => restart(world).map(|()| None).map_err(|error| error.to_string()),
            SceneCommand::Next => {
                let source = neighbour(world, 1);
                load(world, source)
            }
            SceneCommand::Previous => {
                let source = neighbour(world, shipped().len() - 1);
                load(world, source)
            }
            SceneCommand::SaveAs(path) => save(world, path).map(Some),
        };
        let mut notices = world.resource_mut::<Notices>();
        match done {
            Ok(Some(text)) => notices.info(text),
            Ok(None) => {}
            Err(text) => notices.error(text),
        }
    }
}

fn load(world: &mut World, source: SceneSource) -> Result<Option<String>, String> {
    let file = source.load().map_err(|error| error.to_string())?;
    spawn(world, source, file).map(|()| None).map_err(|error| error.to_string())
}

/// The shipped scene that comes `steps` after the running one; the first if none of them is running.
fn neighbour(world: &World, steps: usize) -> SceneSource {
    let running = world.get_resource::<CurrentScene>().and_then(|scene| match scene.source {
        SceneSource::Shipped(name) => shipped().iter().position(|scene| scene.name == name),
        SceneSource::Path(_) => None,
    });
    running.map_or_else(SceneSource::default, |i| SceneSource::Shipped(shipped()[(i + steps) % shipped().len()].name))
}

fn save(world: &mut World, path: PathBuf) -> Result<String, String> {
    let path = with_ending(path);
    let text = snapshot(world).map_err(|reason| format!("{} was not written: {reason}", path.display()))?;
    match write_whole(&path, text.as_bytes()) {
        Ok(()) => Ok(format!("saved {}", path.display())),
        Err(error) => Err(format!("{} was not written: {error}; choose another folder or name", path.display())),
    }
}

/// The path of a scene file, which gets the ending `.ron` if it has none.
pub(crate) fn with_ending(mut path: PathBuf) -> PathBuf {
    if path.extension().is_none() {
        path.set_extension("ron");
    }
    path
}

/// The text of the present state, which [`SceneFile::parse`] reads back.
pub(crate) fn snapshot(world: &mut World) -> Result<String, String> {
    let file = SceneFile::capture(world);
    file.check()?;
    file.to_text().map_err(|error| error.to_string())
}
