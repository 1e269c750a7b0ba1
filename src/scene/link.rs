//! Makes links of scenes and states.
//!
//! The text in a link is the name of a shipped scene, or a scene file. If the world differs from the start of its scene
//! only in settings, that file is the original one, with its generators. Otherwise it comes from
//! [`SceneFile::capture`]. The envelope, see [`link`](crate::link), compresses what the text has in common with a
//! shipped scene.

use bevy::{prelude::*, time::TimePlugin};

use super::{ShippedScene, spawn::spawn, world_hash::hash_of};
use crate::{
    PhysicsPlugins,
    collision::{Discs, check_disc},
    link::{Link, LinkKind},
    scene::{format::SceneFile, registry::SceneRegistry, running::CurrentScene, source::SceneSource, text::dialect},
};

/// The current state of a world as a link, from its `#` on. [`SceneSource::from_argument`] reads it, and a run of it
/// continues exactly as the world does. Anything that the solver rejects is left out.
///
/// # Errors
/// If a value is invalid, or the state is too large for a link. The message says which.
pub fn link(world: &mut World) -> Result<String, String> {
    let Start { text, hash, .. } = start(world, None)?;
    Link::new(LinkKind::Scene, hash, text).write().map_err(|error| error.to_string())
}

/// The current state as the start of another run.
pub(crate) struct Start {
    /// The name of a shipped scene, or the text of a scene file.
    pub(crate) text: String,
    /// Whether the text is a name.
    pub(crate) is_name: bool,
    /// The hash of the discs and the terrain.
    pub(crate) hash: u64,
}

/// The current state of a world as the start of another run, which starts paused or not, by default as the world is.
/// Anything that the solver rejects is left out.
pub(crate) fn start(world: &mut World, paused: Option<bool>) -> Result<Start, String> {
    let (mut present, _) = SceneFile::capture_sound(world);
    present.pace.paused = paused.unwrap_or(present.pace.paused);
    present.check_with(&SceneRegistry::of(world))?;
    let hash = hash_of_sound(world, &present);
    if let Some((text, is_name)) = unchanged(world, &present) {
        return Ok(Start { text, is_name, hash });
    }
    let text = dialect().to_string(&present).map_err(|error| error.to_string())?;
    Ok(Start { text, is_name: false, hash })
}

/// The hash of the discs and the terrain that the link contains.
fn hash_of_sound(world: &mut World, present: &SceneFile) -> u64 {
    let discs = Discs::of(world);
    let discs = (0..discs.len()).map(|i| discs.get(i)).filter(|disc| check_disc(disc).is_ok());
    hash_of(&discs.collect(), &present.terrain)
}

/// The text of the running scene with the current settings, if its start is the current state, and whether it is a
/// name.
fn unchanged(world: &World, present: &SceneFile) -> Option<(String, bool)> {
    let scene = world.get_resource::<CurrentScene>()?;
    let registry = SceneRegistry::of(world);
    let name = match (&scene.file.run, &scene.source) {
        (Some(run), _) => run.scene_name(),
        (None, SceneSource::Shipped(name)) => Some(*name),
        (None, SceneSource::Link(link)) => ShippedScene::named(&link.text).map(|scene| scene.name),
        _ => None,
    };
    let shipped = name.and_then(|name| Some((name, SceneSource::Shipped(name).load_with(&registry).ok()?)));
    let file = SceneFile {
        pace: present.pace.clone(),
        collision: present.collision.clone(),
        motion: present.motion.clone(),
        run: None,
        ..scene.file.clone()
    };
    if opened(&file, &registry)? != *present {
        return None;
    }
    match shipped {
        Some((name, shipped)) if shipped == file => Some((name.to_owned(), true)),
        _ => Some((dialect().to_string(&file).ok()?, false)),
    }
}

/// The captured state of a scene before its first tick.
fn opened(file: &SceneFile, registry: &SceneRegistry) -> Option<SceneFile> {
    let mut app = App::new();
    app.add_plugins((TimePlugin, PhysicsPlugins::default())).insert_resource(registry.clone());
    spawn(app.world_mut(), SceneSource::default(), file.clone()).ok()?;
    Some(SceneFile::capture(app.world_mut()))
}
