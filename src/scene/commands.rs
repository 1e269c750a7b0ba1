//! Commands to load, restart and save scenes.

use bevy::prelude::*;
use std::path::PathBuf;

use super::{
    CueBall, DiscLook, OwnLook, OwnRespot, Shootable, Surroundings, TerrainLook, assets, hot_reload, instance,
    running::ObeysCommands,
    shipped,
    spawn::{end, restart},
    states,
};
use crate::{
    collision::require_physics,
    notice::{NoticeText, Notices, mark},
    scene::{
        format::SceneFile,
        registry::SceneRegistry,
        running::{CurrentScene, InstanceEntities, SceneEnded, SceneEntity, SceneSaved, SceneStart, SceneStarted},
        source::SceneSource,
        text::{first_of_many, with_ending},
    },
    storage::write_whole,
};

/// A command for scenes. A failure becomes a [`Notice`](crate::notice::Notice), and the running scene continues.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub enum SceneCommand {
    /// Begins this scene. An asset begins as soon as it is loaded.
    Load(SceneSource),
    /// Reads the running scene with its settings from its source again.
    Reload,
    /// Resets the discs and terrain of the running scene to their start: as loaded, or as last saved. Collision and
    /// motion settings, tick rate and time scale keep their current values. It is paused if the scene starts paused.
    Restart,
    /// Begins the shipped scene after the running one. The first follows the last.
    Next,
    /// Begins the shipped scene before the running one. The last precedes the first.
    Previous,
    /// Ends the running scene without starting another.
    End,
    /// Writes the current state to the file of the running scene. [`SceneCommand::Restart`] then returns to this state.
    /// A shipped scene has no file.
    Save,
    /// Writes the current state to a file, replacing its content. The ending `.ron` is added if there is none.
    ///
    /// The running scene then belongs to this file: [`SceneCommand::Save`] writes to it, [`SceneCommand::Reload`] reads
    /// it, and [`SceneCommand::Restart`] returns to it.
    SaveAs(PathBuf),
}

/// Carries out [`SceneCommand`]s in [`PreUpdate`], and updates the states [`SceneState`](super::SceneState) and
/// [`Motion`](super::Motion). If there is an asset server, scene files are assets
/// ([`SceneFileLoader`](super::SceneFileLoader)).
///
/// It needs [`PhysicsPlugins`](crate::PhysicsPlugins). In a game with `DefaultPlugins`, add it after them, because it
/// adds Bevy's plugin for states if that is missing.
pub struct ScenePlugin;

impl Plugin for ScenePlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<DiscLook>()
            .register_type::<TerrainLook>()
            .register_type::<CueBall>()
            .register_type::<Shootable>()
            .register_type::<OwnLook>()
            .register_type::<OwnRespot>()
            .register_type::<Surroundings>()
            .register_type::<SceneEntity>()
            .register_type::<InstanceEntities>()
            .init_resource::<Notices>()
            .init_resource::<SceneRegistry>()
            .add_message::<SceneCommand>()
            .add_message::<SceneStarted>()
            .add_message::<SceneEnded>()
            .add_message::<SceneSaved>()
            .add_plugins((states::plugin, hot_reload::plugin))
            .add_systems(
                PreUpdate,
                // With assets, `follow_assets` does this.
                (instance::begin_waiting.run_if(not(resource_exists::<Assets<SceneFile>>)), obey.in_set(ObeysCommands))
                    .chain(),
            );
        assets::add_to(app);
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
        // The asset plugin may have been added after this one.
        assets::add_to(app);
    }
}

pub(super) fn obey(world: &mut World) {
    let commands: Vec<SceneCommand> = world.resource_mut::<Messages<SceneCommand>>().drain().collect();
    for command in commands {
        let done = match command {
            SceneCommand::Load(source) => {
                load(world, source, false);
                Ok(())
            }
            SceneCommand::Reload => {
                if let Some(source) = world.get_resource::<CurrentScene>().map(|scene| scene.source.clone()) {
                    load(world, source, true);
                }
                Ok(())
            }
            SceneCommand::Restart => restart(world).map_err(|error| error.to_string().into()),
            SceneCommand::Next => {
                let source = neighbour(world, 1);
                load(world, source, false);
                Ok(())
            }
            SceneCommand::Previous => {
                let source = neighbour(world, shipped().len() - 1);
                load(world, source, false);
                Ok(())
            }
            SceneCommand::End => {
                assets::await_none(world);
                end(world);
                Ok(())
            }
            SceneCommand::Save if is_run(world) => {
                Err(mark("the file of a run stays as it is; save the scene under another name").into())
            }
            SceneCommand::Save => match world.get_resource::<CurrentScene>().map(|scene| scene.source.clone()) {
                Some(SceneSource::Path(path)) => save(world, path),
                Some(SceneSource::Shipped(name)) => Err(NoticeText::new(
                    mark("{} is part of the program and stays as it is; save it under another name"),
                    [name],
                )),
                Some(source @ SceneSource::Asset(_)) => Err(NoticeText::new(
                    mark("{} is an asset and stays as it is; save it under another name"),
                    [source.to_string()],
                )),
                Some(SceneSource::Link(_)) => Err(mark("what came in a link has no file yet; save it as one").into()),
                None => Err(mark("there is no scene that could be saved").into()),
            },
            SceneCommand::SaveAs(path) => save(world, with_ending(path)),
        };
        if let Err(text) = done {
            world.resource_mut::<Notices>().error(text);
        }
    }
}

/// Whether the running scene comes from a run.
fn is_run(world: &World) -> bool {
    world.get_resource::<CurrentScene>().is_some_and(|scene| scene.file.run.is_some())
}

/// Begins a scene, or reports why it cannot. `reload` matters only for an asset.
fn load(world: &mut World, source: SceneSource, reload: bool) {
    assets::await_none(world);
    let name = source.to_string();
    let begun = match source {
        SceneSource::Asset(handle) => assets::begin(world, handle, reload),
        source => hot_reload::begin_watched(world, source).map_err(|error| error.to_string()),
    };
    if let Err(error) = begun {
        world.resource_mut::<Notices>().error_about(name, error);
    }
}

/// The shipped scene `steps` after the running one, or the first if no shipped scene runs.
fn neighbour(world: &World, steps: usize) -> SceneSource {
    let running = world.get_resource::<CurrentScene>().and_then(|scene| match scene.source {
        SceneSource::Shipped(name) => shipped().iter().position(|scene| scene.name == name),
        SceneSource::Path(_) | SceneSource::Asset(_) | SceneSource::Link(_) => None,
    });
    running.map_or_else(SceneSource::default, |i| SceneSource::Shipped(shipped()[(i + steps) % shipped().len()].name))
}

fn save(world: &mut World, path: PathBuf) -> Result<(), NoticeText> {
    let name = path.display().to_string();
    let Captured { file, text, left_out } =
        captured(world).map_err(|reason| NoticeText::new(mark("{} was not written: {}"), [name.clone(), reason]))?;
    match write_whole(&path, text.as_bytes()) {
        Ok(()) => {
            let mut notices = world.resource_mut::<Notices>();
            notices.retract(&SceneSource::Path(path.clone()).to_string());
            notices.info(NoticeText::new(mark("saved {}"), [name.clone()]));
            if let Some(left_out) = left_out {
                notices.error_about(name.clone(), format!("{name}: {left_out}"));
            }
            if let Some(mut scene) = world.get_resource_mut::<CurrentScene>() {
                scene.source = SceneSource::Path(path.clone());
                // A saved file has no generators, so the lists contain everything.
                let start = SceneStart::new(file.table.clone(), &file.discs);
                scene.file = file;
                world.insert_resource(start);
            }
            let saved = SceneSaved { path };
            world.write_message(saved.clone());
            world.trigger(saved);
            world.flush();
            Ok(())
        }
        Err(error) => Err(NoticeText::new(
            mark("{} was not written: {}; choose another folder or name"),
            [name, error.to_string()],
        )),
    }
}

/// The text of the current state, which [`SceneFile::parse`] reads. Anything that the solver rejects is left out.
#[cfg(feature = "cli")]
pub(crate) fn snapshot(world: &mut World) -> Result<String, String> {
    captured(world).map(|captured| captured.text)
}

/// The current state.
struct Captured {
    file: SceneFile,
    text: String,
    /// Describes what was left out, if anything.
    left_out: Option<String>,
}

fn captured(world: &mut World) -> Result<Captured, String> {
    let (file, left_out) = SceneFile::capture_sound(world);
    file.check_with(&SceneRegistry::of(world))?;
    let text = file.to_text().map_err(|error| error.to_string())?;
    Ok(Captured { file, text, left_out: first_of_many(left_out.into_iter(), |line| line) })
}
