//! What a person can ask for: another scene, the same again, saving this one.

use bevy::prelude::*;
use std::path::PathBuf;

use super::{
    CueBall, DiscLook, OwnLook, OwnRespot, Shootable, Surroundings, TerrainLook, assets,
    hot_reload::{self, FileStamp},
    instance,
    running::ObeysCommands,
    shipped,
    spawn::{end, restart, spawn},
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

/// Asks for a scene. Failures become a [`Notice`](crate::notice::Notice), and the running scene stays.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub enum SceneCommand {
    /// Begins this scene: an asset as soon as it is there.
    Load(SceneSource),
    /// Reads the running scene from its source again, with its settings.
    Reload,
    /// Puts the discs and terrain of the running scene back to their start: as it was loaded, or saved since. Collision
    /// and motion settings, tick rate and time scale stay as they are now; whether it is paused is as at the start.
    Restart,
    /// Begins the shipped scene after the running one; after the last, the first.
    Next,
    /// Begins the shipped scene before the running one; before the first, the last.
    Previous,
    /// Ends the running scene; there is none then.
    End,
    /// Writes the present state to the file that the running scene came from. A shipped scene has none.
    /// [`SceneCommand::Restart`] goes back to this state from then on.
    Save,
    /// Writes the present state to a file, which gets the ending `.ron` if it has none; what that held is replaced. The
    /// running scene is the one of this file from then on: [`SceneCommand::Save`] writes to it,
    /// [`SceneCommand::Reload`] reads it, and [`SceneCommand::Restart`] goes back to it.
    SaveAs(PathBuf),
}

/// Obeys [`SceneCommand`]s, in [`PreUpdate`], and keeps the states [`SceneState`](super::SceneState) and
/// [`Motion`](super::Motion). Where there is an asset server, scene files are assets
/// ([`SceneFileLoader`](super::SceneFileLoader)). It needs [`PhysicsPlugins`](crate::PhysicsPlugins), and comes after
/// `DefaultPlugins` where a game has those: it adds Bevy's plugin for states if it is not there yet.
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
                // Where there are assets, `follow_assets` does it.
                (instance::begin_waiting.run_if(not(resource_exists::<Assets<SceneFile>>)), obey.in_set(ObeysCommands))
                    .chain(),
            );
        assets::add_to(app);
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
        // The asset plugin may have come after this one.
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
            SceneCommand::Save => match world.get_resource::<CurrentScene>().map(|scene| scene.source.clone()) {
                Some(SceneSource::Path(path)) => save(world, path),
                Some(SceneSource::Shipped(name)) => Err(NoticeText::new(
                    mark("{} is part of the program and stays as it is; save it as a file of your own"),
                    [name],
                )),
                Some(source @ SceneSource::Asset(_)) => Err(NoticeText::new(
                    mark("{} is an asset and stays as it is; save it as a file of your own"),
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

/// Begins a scene, or says why it cannot. Only for an asset it matters whether it is read again.
fn load(world: &mut World, source: SceneSource, reload: bool) {
    assets::await_none(world);
    let name = source.to_string();
    let stamp = FileStamp::of(&source);
    let begun = match source {
        SceneSource::Asset(handle) => assets::begin(world, handle, reload),
        source => {
            let file = source.read_at_once(&SceneRegistry::of(world));
            let begun = file.and_then(|file| spawn(world, source, file));
            begun.map(|()| stamp.follow(world)).map_err(|error| error.to_string())
        }
    };
    if let Err(error) = begun {
        world.resource_mut::<Notices>().error_about(name, error);
    }
}

/// The shipped scene that comes `steps` after the running one; the first if none of them is running.
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
            notices.settle(&SceneSource::Path(path.clone()).to_string());
            notices.info(NoticeText::new(mark("saved {}"), [name.clone()]));
            if let Some(left_out) = left_out {
                notices.error_about(name.clone(), format!("{name}: {left_out}"));
            }
            if let Some(mut scene) = world.get_resource_mut::<CurrentScene>() {
                scene.source = SceneSource::Path(path.clone());
                // All that it holds is listed: a saved file has no generators.
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

/// The text of the present state, which [`SceneFile::parse`] reads back. What the solver leaves out is not in it.
#[cfg(feature = "cli")]
pub(crate) fn snapshot(world: &mut World) -> Result<String, String> {
    captured(world).map(|captured| captured.text)
}

/// The present state.
struct Captured {
    file: SceneFile,
    text: String,
    /// What is not in it, if anything.
    left_out: Option<String>,
}

fn captured(world: &mut World) -> Result<Captured, String> {
    let (file, left_out) = SceneFile::capture_sound(world);
    file.check_with(&SceneRegistry::of(world))?;
    let text = file.to_text().map_err(|error| error.to_string())?;
    Ok(Captured { file, text, left_out: first_of_many(left_out.into_iter(), |line| line) })
}
