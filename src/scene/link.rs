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
    collision::{DiscHeight, Discs, check_disc},
    link::{Link, LinkKind},
    scene::{format::SceneFile, registry::SceneRegistry, running::CurrentScene, source::SceneSource, text::dialect},
};

/// The current state of a world as a link, from its `#` on. [`SceneSource::from_argument`] reads it, and a run of it
/// continues exactly as the world does. Anything that the solver rejects is left out.
///
/// # Errors
/// If a value is invalid, or the state is too large for a link. The message says which.
pub fn link(world: &mut World) -> Result<String, String> {
    let Start { text, hash, .. } = start(world, StartOf::Link)?;
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

/// What starts from a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StartOf {
    /// A link. It is paused if the world is.
    Link,
    /// A run that has gone back to its start. It is paused if its scene is. The looks are those of its scene if the
    /// start is: a disc that has been despawned since has come back without its look.
    Run,
}

/// The current state of a world as the start of another run. Anything that the solver rejects is left out.
pub(crate) fn start(world: &mut World, of: StartOf) -> Result<Start, String> {
    let (mut present, _) = SceneFile::capture_sound(world);
    if of == StartOf::Run {
        present.pace.paused = world.get_resource::<CurrentScene>().is_some_and(|scene| scene.file.pace.paused);
    }
    present.check_with(&SceneRegistry::of(world))?;
    let hash = hash_of_sound(world, &present);
    if let Some((text, is_name)) = unchanged(world, &present, of) {
        return Ok(Start { text, is_name, hash });
    }
    let text = dialect().to_string(&present).map_err(|error| error.to_string())?;
    Ok(Start { text, is_name: false, hash })
}

/// The hash of the discs and the terrain that the link contains.
fn hash_of_sound(world: &mut World, present: &SceneFile) -> u64 {
    let all = Discs::of(world);
    let sound: Vec<usize> = (0..all.len()).filter(|&i| check_disc(&all.get(i)).is_ok()).collect();
    let mut discs: Discs = sound.iter().map(|&i| all.get(i)).collect();
    let heights = (0..).zip(&sound).filter_map(|(disc, &i)| Some(DiscHeight { disc, ..*all.height_of(i)? }));
    discs.heights.extend(heights);
    hash_of(&discs, &present.terrain)
}

/// The text of the running scene with the current settings, if its start is the current state, and whether it is a
/// name.
fn unchanged(world: &World, present: &SceneFile, of: StartOf) -> Option<(String, bool)> {
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
    let opened = opened(&file, &registry)?;
    let is_same = match of {
        StartOf::Link => opened == *present,
        StartOf::Run => without_looks(opened) == without_looks(present.clone()),
    };
    if !is_same {
        return None;
    }
    match shipped {
        Some((name, shipped)) if shipped == file => Some((name.to_owned(), true)),
        _ => Some((dialect().to_string(&file).ok()?, false)),
    }
}

/// The same scene without the looks of its discs and terrain.
fn without_looks(mut file: SceneFile) -> SceneFile {
    for disc in &mut file.discs {
        (disc.colour, disc.ball_colour, disc.number, disc.label) = (None, None, None, None);
        (disc.striped, disc.arrow, disc.own_look, disc.cue) = (false, false, false, false);
    }
    for piece in &mut file.terrain {
        (piece.colour, piece.own_look) = (None, false);
    }
    file
}

/// The captured state of a scene before its first tick.
fn opened(file: &SceneFile, registry: &SceneRegistry) -> Option<SceneFile> {
    let mut app = App::new();
    app.add_plugins((TimePlugin, PhysicsPlugins::default())).insert_resource(registry.clone());
    spawn(app.world_mut(), SceneSource::default(), file.clone()).ok()?;
    Some(SceneFile::capture(app.world_mut()))
}
