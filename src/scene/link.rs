//! Scenes and states in links: how one is made of a world, and read again.
//!
//! The text in the link is the name of a shipped scene, or a scene file. The file is what stands at the scene's start,
//! with its generators, as long as nothing in the world is other than at that start but for settings; else it is what
//! [`SceneFile::capture`] gives. The envelope, see [`link`](crate::link), makes little of what it has in common with a
//! shipped scene.

use bevy::{prelude::*, time::TimePlugin};

use super::{ShippedScene, spawn::spawn};
use crate::{
    PhysicsPlugins,
    collision::{Discs, check_disc, measure::state_hash},
    link::{Link, LinkKind},
    scene::{format::SceneFile, registry::SceneRegistry, running::CurrentScene, source::SceneSource, text::dialect},
};

/// The present state of a world as a link, which [`SceneSource::from_argument`] reads, from its `#` on: a run of it
/// goes on just as the world does. It has nothing of what the solver leaves out.
///
/// # Errors
/// In words why it cannot be one: a value that cannot be simulated, or too much for a link.
pub fn link(world: &mut World) -> Result<String, String> {
    let (present, _) = SceneFile::capture_sound(world);
    present.check_with(&SceneRegistry::of(world))?;
    let text = match start(world, &present) {
        Some(start) => start,
        None => dialect().to_string(&present).map_err(|error| error.to_string())?,
    };
    let link = Link::new(LinkKind::Scene, hash_of_sound(world), text);
    link.write().map_err(|error| error.to_string())
}

/// The hash of the discs that a link takes along.
fn hash_of_sound(world: &mut World) -> u64 {
    let discs = Discs::of(world);
    let discs = (0..discs.len()).map(|i| discs.get(i)).filter(|disc| check_disc(disc).is_ok());
    state_hash(&discs.collect())
}

/// The text of the running scene with the settings of now, if from that the present state comes about without a tick.
fn start(world: &World, present: &SceneFile) -> Option<String> {
    let scene = world.get_resource::<CurrentScene>()?;
    let registry = SceneRegistry::of(world);
    let name = match &scene.source {
        SceneSource::Shipped(name) => Some(*name),
        SceneSource::Link(link) => ShippedScene::named(&link.text).map(|scene| scene.name),
        _ => None,
    };
    let shipped = name.and_then(|name| Some((name, SceneSource::Shipped(name).load_with(&registry).ok()?)));
    let with_settings = |file: &SceneFile| SceneFile {
        pace: present.pace.clone(),
        collision: present.collision.clone(),
        motion: present.motion.clone(),
        ..file.clone()
    };
    let file = with_settings(&scene.file);
    if opened(&file, &registry)? != *present {
        return None;
    }
    match shipped {
        Some((name, shipped)) if shipped == file => Some(name.to_owned()),
        _ => dialect().to_string(&file).ok(),
    }
}

/// What a scene is captured as where nothing has happened yet.
fn opened(file: &SceneFile, registry: &SceneRegistry) -> Option<SceneFile> {
    let mut app = App::new();
    app.add_plugins((TimePlugin, PhysicsPlugins::default())).insert_resource(registry.clone());
    spawn(app.world_mut(), SceneSource::default(), file.clone()).ok()?;
    Some(SceneFile::capture(app.world_mut()))
}
