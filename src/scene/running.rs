//! The running scene: its resource and its messages.

use std::path::PathBuf;

use bevy::prelude::*;

use super::{entries::DiscEntry, format::SceneFile, source::SceneSource};
use crate::collision::spin::TablePhysics;
use crate::notice::{NoticeText, Notices};

/// The running scene.
#[derive(Resource, Clone, Debug)]
pub struct CurrentScene {
    /// Its source.
    pub source: SceneSource,
    /// The scene as loaded, or as last saved. [`restart`](super::restart) returns to it.
    pub file: SceneFile,
    /// Warnings about likely mistakes.
    pub warnings: Vec<String>,
}

/// The values of the running scene's start that a reset restores, including those made by a generator. They are stored
/// when the scene begins, because running the generators again takes as long as loading the scene.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct SceneStart {
    /// The physics of its table, if it has one.
    pub table: Option<TablePhysics>,
    /// The position of its cue ball, metres. `None` if it has none.
    pub cue_ball: Option<Vec2>,
}

impl SceneStart {
    pub(super) fn new(table: Option<TablePhysics>, discs: &[DiscEntry]) -> Self {
        Self { table, cue_ball: discs.iter().find(|disc| disc.cue).map(DiscEntry::start) }
    }
}

/// Marks an entity that belongs to the scene: the next scene despawns it.
#[derive(Component, Reflect, Clone, Copy, Debug, Default)]
#[reflect(Component, Default)]
pub struct SceneEntity;

/// Marks a [hidden](crate::timeline::history::hide) entity that must outlive the scene while it is hidden, with all
/// that were hidden with it: part of an edit that can be undone. The code that inserts it must despawn the entity.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct OutlivesScene;

/// A scene has begun, and all its entities exist. It is written as a message and triggered for observers, which run at
/// once:
///
/// ```
/// # use bevy::prelude::*;
/// use carom::{prelude::*, scene::{SceneCommand, SceneEnded, ScenePlugin, SceneSource, SceneStarted}};
///
/// #[derive(Resource, Default)]
/// struct Score(u32);
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin)).init_resource::<Score>();
/// app.add_observer(|started: On<SceneStarted>, mut score: ResMut<Score>| {
///     println!("{} begins{}", started.source, if started.restart { " again" } else { "" });
///     score.0 = 0;
/// });
/// app.add_observer(|ended: On<SceneEnded>, discs: Query<&Disc>| {
///     println!("{} ends with {} discs", ended.source, discs.iter().count());
/// });
/// app.world_mut().write_message(SceneCommand::Load(SceneSource::default()));
/// app.world_mut().resource_mut::<Score>().0 = 147;
/// app.update();
/// assert_eq!(app.world().resource::<Score>().0, 0);
/// ```
#[derive(Message, Event, Clone, Debug, PartialEq, Eq)]
pub struct SceneStarted {
    /// The scene, as in [`CurrentScene`].
    pub source: SceneSource,
    /// Whether the running scene restarts, by [`SceneCommand::Restart`](super::SceneCommand::Restart).
    pub restart: bool,
}

/// A scene ends. It is written as a message, and triggered for observers while the scene's entities still exist.
#[derive(Message, Event, Clone, Debug, PartialEq, Eq)]
pub struct SceneEnded {
    /// The scene.
    pub source: SceneSource,
    /// Whether it restarts, by [`SceneCommand::Restart`](super::SceneCommand::Restart).
    pub restart: bool,
}

/// Warns of something about a scene.
pub(super) fn warn(world: &mut World, scene: &str, words: impl Into<NoticeText>) {
    let words = words.into();
    if let Some(mut notices) = world.get_resource_mut::<Notices>() {
        notices.error_about(scene, words);
    } else {
        tracing::warn!("{words}");
    }
}

/// The children of a [`SceneInstance`](super::SceneInstance), on the same entity. Each list is in the order of the
/// file, with those of generators at its end. Some of them may have been despawned since.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct InstanceEntities {
    /// The pieces of terrain.
    #[entities]
    pub terrain: Vec<Entity>,
    /// The pockets.
    #[entities]
    pub pockets: Vec<Entity>,
    /// The discs.
    #[entities]
    pub discs: Vec<Entity>,
    /// The joints.
    #[entities]
    pub joints: Vec<Entity>,
}

impl InstanceEntities {
    /// All of them: terrain, pockets, discs, joints.
    pub fn iter(&self) -> impl Iterator<Item = Entity> {
        self.terrain.iter().chain(&self.pockets).chain(&self.discs).chain(&self.joints).copied()
    }
}

/// The current state was written to a file, by [`SceneCommand::Save`](super::SceneCommand::Save) or
/// [`SceneCommand::SaveAs`](super::SceneCommand::SaveAs). It is written as a message and triggered for observers.
#[derive(Message, Event, Clone, Debug, PartialEq, Eq)]
pub struct SceneSaved {
    /// The file.
    pub path: PathBuf,
}

/// A run condition: whether the running scene has the lesson of this name.
///
/// ```
/// # use bevy::prelude::*;
/// use carom::scene::{Lesson, SceneAppExt, in_lesson};
///
/// fn draw_windmill() {}
///
/// let mut app = App::new();
/// app.add_lesson(Lesson { name: "Windmill", ..Lesson::NONE });
/// app.add_systems(Update, draw_windmill.run_if(in_lesson("Windmill")));
/// ```
pub fn in_lesson(name: &'static str) -> impl Fn(Option<Res<CurrentScene>>) -> bool + Clone {
    move |scene| scene.is_some_and(|scene| scene.file.lesson.name == name)
}

/// Commands are carried out, in [`PreUpdate`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ObeysCommands;
