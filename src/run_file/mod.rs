//! Runs as files: the scene at the start, and everything that others than the tick changed while it ran, each with its
//! tick. A run replays bit-identically, and hashes of its states prove it.
//!
//! ```
//! # use bevy::prelude::*;
//! use carom::{prelude::*, run_file::{RunFilePlugin, read, record, replay}, scene::{self, ScenePlugin, SceneSource}};
//! use carom::timeline::{HistoryPlugin, advance};
//!
//! fn laboratory() -> App {
//!     let mut app = App::new();
//!     app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin));
//!     app.add_plugins((HistoryPlugin::default(), RunFilePlugin));
//!     app.finish();
//!     app
//! }
//!
//! let mut app = laboratory();
//! let source = SceneSource::Shipped("cradle");
//! scene::spawn(app.world_mut(), source.clone(), source.load()?)?;
//! advance(app.world_mut(), 30);
//! app.world_mut().resource_mut::<CollisionSettings>().restitution = 0.5;
//! advance(app.world_mut(), 30);
//! let text = record(app.world_mut())?.to_text()?;
//!
//! let run = read(&text, "cradle-run.ron")?;
//! let replayed = replay(laboratory().world_mut(), &run)?;
//! assert_eq!((replayed.ticks, replayed.divergence), (60, None));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With the [`RunFilePlugin`], a run opens like a scene: [`SceneCommand::Load`](crate::scene::SceneCommand::Load) reads
//! its file or its link, starts its scene, and makes the rest the future of the [`History`]. Playing repeats it, and
//! [`seek`](crate::timeline::seek) goes anywhere in it. An edit branches off. If a state has another hash than the
//! recorded one, [`Divergence`] tells the tick.
//!
//! # What a run holds
//! It holds what the history tracks. The components and settings of the physics have the names and forms of scene
//! files. A component of a game needs both [`track_component`](crate::timeline::HistoryAppExt::track_component) and
//! [`add_scene_component`](crate::scene::SceneAppExt::add_scene_component). If another tracked value was changed, no
//! file can be made. The start must follow from the scene: state that a game keeps elsewhere is not stored. Discs that
//! appear during a run keep their [`DiscLook`](crate::scene::DiscLook), and no other component that is not tracked.
//!
//! | file | contents |
//! |---|---|
//! | `kinds` | how each kind of value is written |
//! | `write` | from a history to a run |
//! | `open` | from a run to a history |

mod kinds;
mod open;
mod write;

use std::{collections::BTreeMap, path::PathBuf};

use bevy::prelude::*;
use ron::error::Position;

use crate::{
    collision::{PhysicsSpace, RunPhysics, SimulationSystems, require_physics, tick_schedule},
    notice::{NoticeText, Notices, mark},
    scene::{
        CurrentScene, ObeysCommands, SceneEnded, SceneError, SceneFile, SceneRegistry, SceneSource, SceneStarted,
        SyntaxError, spawn, with_ending, world_hash,
    },
    storage::write_whole,
    timeline::{History, HistorySystems, TrackId, advance},
};

pub use crate::scene::RunFile;
pub use open::seed;
pub use write::{link, record};

/// Why a run cannot be made or opened, in one line with the remedy.
#[derive(thiserror::Error, Clone, Debug, PartialEq)]
pub enum RunError {
    /// The app has no history.
    #[error("there is no history of the run: add HistoryPlugin and RunFilePlugin to the app")]
    NoHistory,
    /// Nothing has run yet.
    #[error("no tick has run yet, so there is no run; let it run first")]
    NoTick,
    /// The start of the run cannot be written as a scene.
    #[error("the start of the run cannot be written: {0}")]
    Start(String),
    /// Something that was changed has no form in a file.
    #[error("before tick {tick}, {what} was changed: {problem}")]
    NoForm {
        /// The tick that follows the change, counted from the start of the run.
        tick: u64,
        /// The component or the value.
        what: String,
        /// Why it cannot be written, and the remedy.
        problem: String,
    },
    /// A change in a run cannot be read.
    #[error("changes[{index}].{place}: {problem}")]
    Change {
        /// The number of the change, from 0.
        index: usize,
        /// The place in it.
        place: String,
        /// What is wrong, and the remedy.
        problem: String,
    },
    /// The scene of a run cannot be read.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The run is too large.
    #[error("{0}")]
    TooLarge(String),
}

/// Opens runs, and compares their states with the recorded ones. It needs [`PhysicsPlugins`](crate::PhysicsPlugins),
/// [`HistoryPlugin`](crate::timeline::HistoryPlugin) and [`ScenePlugin`](crate::scene::ScenePlugin).
pub struct RunFilePlugin;

impl Plugin for RunFilePlugin {
    fn build(&self, app: &mut App) {
        let schedule = tick_schedule(app);
        app.add_message::<SaveRun>()
            .add_systems(
                schedule,
                compare
                    .after(RunPhysics)
                    .before(HistorySystems::RecordKeyframes)
                    .in_set(SimulationSystems)
                    .run_if(resource_exists::<Expected>),
            )
            .add_systems(PreUpdate, save.in_set(ObeysCommands).run_if(on_message::<SaveRun>))
            .add_observer(|_: On<SceneStarted>, mut commands: Commands| commands.queue(open_current))
            .add_observer(|_: On<SceneEnded>, mut commands: Commands| {
                commands.remove_resource::<Expected>();
                commands.remove_resource::<Divergence>();
            });
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
        assert!(
            app.world().contains_resource::<History>(),
            "carom::run_file::RunFilePlugin needs carom::timeline::HistoryPlugin: add it to the app"
        );
    }
}

/// A request to write the run so far to a file, replacing its content. The ending `.ron` is added if there is none. A
/// failure becomes a [`Notice`](crate::notice::Notice).
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct SaveRun(pub PathBuf);

/// The first state of a replayed run that differs from the recorded one. As a resource it exists from then on, until
/// another scene starts.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The tick, counted from the start of the run, after which the state differs.
    pub tick: u64,
    /// The last tick before it after which the state was compared and equal. `None` if the start differs.
    pub last_equal: Option<u64>,
}

/// The hashes of the run that is being repeated.
#[derive(Resource)]
struct Expected {
    track: Option<TrackId>,
    /// The tick of the simulation at the start of the run.
    first: u64,
    hashes: BTreeMap<u64, u64>,
}

/// The end of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The number of ticks.
    pub ticks: u64,
    /// The [`world_hash`] at the end.
    pub hash: u64,
    /// The first state that differs from the recorded one, if one does.
    pub divergence: Option<Divergence>,
}

/// Reads a run, and checks its scene. `name` is its name in errors.
///
/// # Errors
/// If the text is not a run (with line, column and reason), or its scene contains an invalid value. Values in the
/// changes are read when the run is opened.
pub fn read(text: &str, name: &str) -> Result<RunFile, SceneError> {
    let file = SceneFile::parse(text, name)?;
    file.run.map(|run| RunFile::clone(&run)).ok_or_else(|| {
        let reason = "this is a scene and not a run, which begins with `(run:`";
        SyntaxError::new(name, Position { line: 1, col: 1 }, reason).into()
    })
}

/// Replays a whole run in a world as fast as possible. The world must have the [`RunFilePlugin`].
///
/// # Errors
/// If the run cannot be opened.
pub fn replay(world: &mut World, run: &RunFile) -> Result<Replayed, RunError> {
    let file = run.scene_file("a run", &SceneRegistry::of(world))?;
    let source = run.scene_name().map_or_else(|| SceneSource::Path("a run".into()), SceneSource::Shipped);
    spawn(world, source, file)?;
    seed(world, run)?;
    advance(world, run.ticks());
    Ok(Replayed { ticks: run.ticks(), hash: world_hash(world), divergence: world.get_resource().copied() })
}

/// Makes the run of the scene that has started its future.
fn open_current(world: &mut World) {
    let Some(scene) = world.get_resource::<CurrentScene>() else { return };
    let Some(run) = scene.file.run.clone() else { return };
    let name = scene.source.to_string();
    if let Err(error) = seed(world, &run) {
        let text = NoticeText::new(mark("{}: the run cannot be repeated: {}"), [name.clone(), error.to_string()]);
        if let Some(mut notices) = world.get_resource_mut::<Notices>() {
            notices.error_about(name, text);
        } else {
            tracing::warn!("{text}");
        }
    }
}

/// Compares the state after a tick with the recorded one, before the changes that follow.
fn compare(world: &mut World) {
    let tick = world.resource::<PhysicsSpace>().clock.tick;
    compare_at(world, tick);
}

fn compare_at(world: &mut World, tick: u64) {
    let expected = world.resource::<Expected>();
    let Some(tick) = tick.checked_sub(expected.first) else { return };
    let Some(&recorded) = expected.hashes.get(&tick) else { return };
    let is_known = world.get_resource::<Divergence>().is_some_and(|divergence| divergence.tick <= tick);
    if is_known || world.resource::<History>().current_track() != expected.track {
        return;
    }
    let last_equal = expected.hashes.range(..tick).next_back().map(|(tick, _)| *tick);
    if world_hash(world) == recorded {
        return;
    }
    world.insert_resource(Divergence { tick, last_equal });
    if let Some(mut notices) = world.get_resource_mut::<Notices>() {
        notices.error(NoticeText::new(
            mark("The run differs from the recorded one at tick {}. Another version of carom may have recorded it."),
            [tick.to_string()],
        ));
    }
}

/// Carries out [`SaveRun`].
fn save(world: &mut World) {
    let asked: Vec<SaveRun> = world.resource_mut::<Messages<SaveRun>>().drain().collect();
    for SaveRun(path) in asked {
        let path = with_ending(path);
        let name = path.display().to_string();
        let text = record(world).and_then(|run| run.to_text().map_err(|error| RunError::Start(error.to_string())));
        let text = text.map_err(|error| error.to_string());
        let written = text.and_then(|text| {
            write_whole(&path, text.as_bytes()).map_err(|error| format!("{error}; choose another folder or name"))
        });
        let Some(mut notices) = world.get_resource_mut::<Notices>() else { continue };
        match written {
            Ok(()) => notices.info(NoticeText::new(mark("saved {}"), [name])),
            Err(reason) => notices.error(NoticeText::new(mark("{} was not written: {}"), [name, reason])),
        }
    }
}
