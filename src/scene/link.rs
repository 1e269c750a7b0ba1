//! Scenes and states in links: how one is made of a world, and read again.
//!
//! The text in the link is the name of a shipped scene, or a scene file. The file is what stands at the scene's start,
//! with its generators, as long as nothing in the world is other than at that start but for settings; else it is what
//! [`SceneFile::capture`] gives. The envelope, see [`link`](crate::link), makes little of what it has in common with a
//! shipped scene.

use bevy::{prelude::*, time::TimePlugin};

use super::{
    CurrentScene, SceneError, SceneFile, SceneRegistry, SceneSource, ShippedScene, load::dialect, spawn::spawn,
};
use crate::{
    PhysicsPlugins,
    collision::{Discs, check_disc, measure::state_hash},
    link::{Link, LinkError, LinkKind, PHYSICS},
    notice::{NoticeText, mark},
};

/// The most opening parentheses in the text of a scene in a link: more than there are values in what fits into one, and
/// few enough for little memory.
const MOST_PARENTHESES: usize = 1 << 16;

/// The most generators of a scene in a link, and the most discs that they may be asked for in all.
const MOST_GENERATORS: usize = 16;
const MOST_GENERATED: usize = 50_000;

impl SceneSource {
    /// The scene of a link.
    ///
    /// # Errors
    /// [`SceneError::LinkToMatch`].
    pub fn from_link(link: Link) -> Result<Self, SceneError> {
        match link.kind {
            LinkKind::Scene => Ok(Self::Link(Box::new(link))),
            LinkKind::Match => Err(SceneError::LinkToMatch),
        }
    }
}

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

/// Reads and checks the scene of a link. Nothing in it makes it take long, or much memory.
pub(super) fn load(link: &Link, registry: &SceneRegistry) -> Result<SceneFile, SceneError> {
    if let Some(scene) = ShippedScene::named(&link.text) {
        return SceneSource::Shipped(scene.name).load_with(registry);
    }
    if !link.text.starts_with('(') {
        return Err(LinkError::Broken.into());
    }
    if link.text.bytes().filter(|byte| *byte == b'(').count() > MOST_PARENTHESES {
        return Err(LinkError::TooLarge.into());
    }
    let name = "a link";
    let mut file = SceneFile::read(&link.text, name)?;
    check_generators(&mut file).map_err(|problem| SceneError::Value { name: name.to_owned(), problem })?;
    file.checked(name, registry)
}

fn check_generators(file: &mut SceneFile) -> Result<(), String> {
    let generators = file.generate.len();
    if generators > MOST_GENERATORS {
        return Err(format!(
            "it has {generators} generators, and a link may have {MOST_GENERATORS}; pass it on as a file"
        ));
    }
    let counts = file.generate.iter_mut().filter_map(|generator| generator.count_mut().copied());
    let count = counts.fold(0, usize::saturating_add);
    if count > MOST_GENERATED {
        return Err(format!(
            "its generators make {count} discs, and in a link they may make {MOST_GENERATED}; pass it on as a file"
        ));
    }
    Ok(())
}

/// What to say of a scene that is spawned from a link, where the discs are others than the link was made with, or the
/// physics is.
pub(super) fn departure(world: &mut World, source: &SceneSource) -> Option<NoticeText> {
    let SceneSource::Link(link) = source else { return None };
    let hash = state_hash(&Discs::of(world));
    let versions = [link.physics.as_str(), PHYSICS].map(str::to_owned);
    if hash != link.hash {
        return Some(NoticeText::new(
            mark(
                "The discs are others than when the link was made, by carom {}; this is carom {}. A setting of yours, the scene or the physics has changed since.",
            ),
            versions,
        ));
    }
    (link.physics != PHYSICS).then(|| {
        NoticeText::new(
            mark("The link was made by carom {}, and this is carom {}: it begins with the same bits, and may go on otherwise."),
            versions,
        )
    })
}
