//! The scene that runs: what others read of it, and are told.

use std::path::PathBuf;

use bevy::prelude::*;

use super::{entries::DiscEntry, format::SceneFile, source::SceneSource};
use crate::collision::spin::TablePhysics;
use crate::notice::{NoticeText, Notices};

/// The scene that is running.
#[derive(Resource, Clone, Debug)]
pub struct CurrentScene {
    /// Where it came from.
    pub source: SceneSource,
    /// What it was when it was loaded, or saved since: [`restart`](super::restart) goes back to it.
    pub file: SceneFile,
    /// What is odd about it although it can be run, in words for people.
    pub warnings: Vec<String>,
}

/// What a reset goes back to of the running scene, also where a generator has made it. It is kept when the scene
/// begins, since running the generators again takes as long as loading the scene.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct SceneStart {
    /// The physics of its table, if it has one.
    pub table: Option<TablePhysics>,
    /// Where its cue ball is, metres; `None` if it has none.
    pub cue_ball: Option<Vec2>,
}

impl SceneStart {
    pub(super) fn new(table: Option<TablePhysics>, discs: &[DiscEntry]) -> Self {
        Self { table, cue_ball: discs.iter().find(|disc| disc.cue).map(|disc| disc.position) }
    }
}

/// Put this on an entity that shall go with the scene: the next scene despawns it.
#[derive(Component, Reflect, Clone, Copy, Debug, Default)]
#[reflect(Component, Default)]
pub struct SceneEntity;

/// Put this on a disabled entity that must outlive the scene, as an edit does that can be taken back. The one who puts
/// it there despawns the entity.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct OutlivesScene;

/// A scene has begun, and all that it brings is there. It is written as a message and triggered for observers, which
/// run at once:
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
    /// Which scene: that of [`CurrentScene`].
    pub source: SceneSource,
    /// Whether it is the running scene from its start again, by
    /// [`SceneCommand::Restart`](super::SceneCommand::Restart).
    pub restart: bool,
}

/// A scene ends. It is written as a message, and triggered for observers while all that is in the scene is still there.
#[derive(Message, Event, Clone, Debug, PartialEq, Eq)]
pub struct SceneEnded {
    /// Which scene.
    pub source: SceneSource,
    /// Whether it begins again, by [`SceneCommand::Restart`](super::SceneCommand::Restart).
    pub restart: bool,
}

/// Says what is odd about a scene.
pub(super) fn warn(world: &mut World, scene: &str, words: impl Into<NoticeText>) {
    let words = words.into();
    if let Some(mut notices) = world.get_resource_mut::<Notices>() {
        notices.error_about(scene, words);
    } else {
        tracing::warn!("{words}");
    }
}

/// What a [`SceneInstance`](super::SceneInstance) has brought, on the same entity: each list in the order of the file,
/// what generators made at its end. Some of them may be gone since.
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

/// The present state was written to a file, by [`SceneCommand::Save`](super::SceneCommand::Save) or
/// [`SceneCommand::SaveAs`](super::SceneCommand::SaveAs). It is written as a
/// message and triggered for observers.
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

/// Commands are obeyed, in [`PreUpdate`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ObeysCommands;
