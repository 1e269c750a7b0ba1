//! The history of a run: go back to any tick, and on from there.
//!
//! Add the [`HistoryPlugin`]. From then on, [`History`] can put the simulation at any tick since the scene started, and
//! the run goes on from there.
//!
//! ```
//! # use bevy::{prelude::*, time::TimeUpdateStrategy};
//! # use carom::{prelude::*, timeline::{History, HistoryPlugin, seek}};
//! # let mut app = App::new();
//! app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), HistoryPlugin::default()));
//! # app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
//! let disc = app.world_mut().spawn((Disc, Velocity(vec2(64.0, 0.0)))).id();
//! for _ in 0..=100 {
//!     app.update();
//! }
//! seek(app.world_mut(), 10)?;
//! assert_eq!(app.world().get::<Position>(disc), Some(&Position(vec2(10.0, 0.0))));
//! # Ok::<(), carom::timeline::SeekError>(())
//! ```
//!
//! # What it stores
//! After some ticks it stores the whole state, a *keyframe*. Between keyframes it stores *edits*: whatever others than
//! the tick wrote to the tracked components and settings. These are the shots of a player, the moves of a paddle, the
//! changes of a slider, new and deleted discs. A seek restores the last keyframe before the wanted tick, and runs the
//! [`PhysicsSchedule`](crate::collision::PhysicsSchedule) with the stored edits until it is there. So it arrives at the
//! same bits. The systems of the game do not run; their edits are stored. No messages and no entity events tell of replayed ticks.
//!
//! Tracked are the components of the physics, and [`CollisionSettings`], [`MotionSettings`], [`TablePhysics`] and the
//! tick rate. A game adds its own state with [`HistoryAppExt`]. The functions in [`Forces`](crate::motion::Forces) must
//! be the same for the whole history.
//!
//! An entity with a [`StableId`](crate::components::StableId) that is not there at the wanted tick is hidden by
//! Bevy's `Disabled`; see [`Absent`]. One that has been despawned since comes back as a new entity with its tracked
//! components, and references in them follow. Its other components, children and observers are lost; hide entities with
//! [`hide`] instead of despawning them to keep those.
//!
//! # Branches
//! While the run goes on from a tick of the past, the stored edits act again, and the same happens. As soon as anything
//! else is edited, the run *branches*: the future so far stays as a track of its own, and a new track begins.
//! [`History::switch`] changes between tracks.
//!
//! # Costs
//! Each tick compares change ticks of all tracked components. A keyframe copies position, velocity and whatever else
//! has changed since the last one: 16 bytes per moving disc. Small scenes get a keyframe after every tick, and large
//! ones after up to 64. If keyframes and edits take more memory than the plugin allows, keyframes are thinned out, the
//! more the farther they are from the current tick; a seek to such a time replays more ticks. If edits alone take more,
//! the oldest part of the history is dropped.

mod presence;
mod record;
mod track;
mod tracked;

use std::{any::TypeId, error::Error, fmt, time::Duration};

use bevy::prelude::*;

pub use presence::{Absent, hide, show};
use record::Recorder;
use tracked::{Removed, TrackedComponent, TrackedValue};

use super::Playback;
use crate::{
    collision::{
        CollidingEntities, CollisionSettings, RunPhysics, SimulationSystems, require_physics, spin::TablePhysics,
        tick_schedule,
    },
    components::{
        AngularVelocity, Ball, ComponentVisitor, Density, Described, Disc, IgnoredPairs, InPocket, Orientation, Pocket,
        Position, Rotation, Sensed, Velocity, visit_all,
    },
    motion::MotionSettings,
};

/// Adds [`History`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryPlugin {
    /// The memory for keyframes and edits, bytes. Default: 256 MiB.
    pub memory: usize,
    /// The time that a seek may take in one frame. A longer one goes on in the next frame, and shows the tick that it
    /// has reached. Default: 12 ms.
    pub time_per_frame: Duration,
}

impl Default for HistoryPlugin {
    fn default() -> Self {
        Self { memory: 256 << 20, time_per_frame: Duration::from_millis(12) }
    }
}

/// When the [`History`] acts.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HistorySystems {
    /// Seeks, before the fixed main loop of the frame.
    Seek,
    /// Stores edits before the tick, inside [`SimulationSystems`].
    RecordEdits,
    /// Stores keyframes after the tick, inside [`SimulationSystems`].
    RecordKeyframes,
}

impl Plugin for HistoryPlugin {
    fn build(&self, app: &mut App) {
        let schedule = tick_schedule(app);
        presence::watch_presence(app);
        app.insert_resource(History::new(*self)).init_resource::<Recorder>();
        track_physics(app);
        app.configure_sets(
            schedule,
            (
                SimulationSystems.run_if(is_not_seeking),
                (HistorySystems::RecordEdits, RunPhysics, HistorySystems::RecordKeyframes)
                    .chain()
                    .in_set(SimulationSystems),
            ),
        )
        .add_systems(
            schedule,
            (
                record::record_edits.in_set(HistorySystems::RecordEdits),
                record::record_keyframes.in_set(HistorySystems::RecordKeyframes),
            ),
        )
        .add_systems(
            RunFixedMainLoop,
            record::go_on_seeking
                .in_set(HistorySystems::Seek)
                .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop)
                .run_if(|history: Res<History>| history.wish.is_some()),
        );
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
    }
}

fn is_not_seeking(history: Res<History>) -> bool {
    history.wish.is_none()
}

fn track<C: Component + Clone + PartialEq>(app: &mut App, component: TrackedComponent<C>) {
    if app.world_mut().get_resource_or_init::<Recorder>().is_new(TypeId::of::<C>()) {
        Removed::<C>::watch(app);
        app.world_mut().resource_mut::<Recorder>().track(component);
    }
}

/// Tracks every described component.
struct TrackAll<'a>(&'a mut App);

impl ComponentVisitor for TrackAll<'_> {
    fn visit<C: Described>(&mut self) {
        self.0.track_component::<C>();
    }
}

fn track_physics(app: &mut App) {
    // What most ticks change.
    track(app, TrackedComponent::<Position>::mutable());
    track(app, TrackedComponent::<Velocity>::mutable());
    track(app, TrackedComponent::<AngularVelocity>::mutable());
    track(app, TrackedComponent::<Rotation>::mutable());
    track(app, TrackedComponent::<Orientation>::mutable());
    visit_all(&mut TrackAll(app));
    app.track_component::<Disc>()
        .track_component::<Pocket>()
        .track_component::<Ball>()
        .track_component::<Density>()
        .track_component::<InPocket>()
        .track_component::<IgnoredPairs>()
        .track_component::<Sensed>()
        .track_component::<CollidingEntities>()
        .track_resource::<CollisionSettings>()
        .track_resource::<MotionSettings>()
        .track_resource::<TablePhysics>()
        .track_value(
            |world| Some(world.get_resource::<Playback>()?.tick_rate),
            |world, rate| world.resource_mut::<Playback>().tick_rate = rate.flatten(),
        )
        .track_value(
            |world| Some(world.get_resource::<Time<Fixed>>()?.timestep()),
            |world, step| {
                if let Some(step) = step {
                    world.resource_mut::<Time<Fixed>>().set_timestep(step);
                }
            },
        );
}

/// Makes the [`History`] track the state of a game. Call it while the app is built.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::{prelude::*, timeline::{HistoryAppExt, HistoryPlugin}};
/// #[derive(Component, Clone, PartialEq)]
/// struct Armour(u32);
///
/// #[derive(Resource, Clone, PartialEq)]
/// struct Score(u32);
///
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
/// app.add_plugins(HistoryPlugin::default()).track_component::<Armour>().track_resource::<Score>();
/// ```
pub trait HistoryAppExt {
    /// Tracks a component, on all entities that have it.
    fn track_component<C: Component + Clone + PartialEq>(&mut self) -> &mut Self;

    /// Tracks a resource.
    fn track_resource<R: Resource + Clone + PartialEq>(&mut self) -> &mut Self;

    /// Tracks any value of the world, such as a part of a resource. `get` returns it if it is there, and `set` writes or
    /// removes it.
    fn track_value<T: Clone + PartialEq + Send + Sync + 'static>(
        &mut self,
        get: fn(&World) -> Option<T>,
        set: fn(&mut World, Option<T>),
    ) -> &mut Self;
}

impl HistoryAppExt for App {
    fn track_component<C: Component + Clone + PartialEq>(&mut self) -> &mut Self {
        track(self, TrackedComponent::<C>::new());
        self
    }

    fn track_resource<R: Resource + Clone + PartialEq>(&mut self) -> &mut Self {
        if !self.world_mut().get_resource_or_init::<Recorder>().is_new(TypeId::of::<R>()) {
            return self;
        }
        self.track_value(
            |world| world.get_resource::<R>().cloned(),
            |world, value| match value {
                Some(value) => world.insert_resource(value),
                None => _ = world.remove_resource::<R>(),
            },
        )
    }

    fn track_value<T: Clone + PartialEq + Send + Sync + 'static>(
        &mut self,
        get: fn(&World) -> Option<T>,
        set: fn(&mut World, Option<T>),
    ) -> &mut Self {
        self.world_mut().get_resource_or_init::<Recorder>().track(TrackedValue { get, set, last: None });
        self
    }
}

/// A track: one course of events. Numbers grow, and are not reused within a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TrackId(u32);

/// A track, as [`History::tracks`] lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackInfo {
    /// The track.
    pub id: TrackId,
    /// The track that it has branched off, and the last tick that both share.
    pub parent: Option<(TrackId, u64)>,
    /// Its last tick.
    pub end: u64,
    /// Whether the run is on it.
    pub is_current: bool,
}

/// The past ticks of the run: see [the module](self). A new scene clears it.
#[derive(Resource)]
pub struct History {
    settings: HistoryPlugin,
    tracks: track::Tracks,
    /// The tick that the world is at.
    cursor: u64,
    /// The tick to seek.
    wish: Option<u64>,
    /// Whether the world must be restored from a keyframe before the next seek.
    must_restore: bool,
    /// Whether the run leaves its track before the next tick.
    must_branch: bool,
}

impl History {
    fn new(settings: HistoryPlugin) -> Self {
        Self {
            settings,
            tracks: track::Tracks::default(),
            cursor: 0,
            wish: None,
            must_restore: false,
            must_branch: false,
        }
    }

    /// The first tick that can be sought.
    #[must_use]
    pub fn start(&self) -> u64 {
        self.tracks.start()
    }

    /// The tick that the simulation is at: the number of ticks since the scene started.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.cursor
    }

    /// The last tick of the current track.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.tracks.end()
    }

    /// Whether the simulation is at an earlier tick than the end of its track.
    #[must_use]
    pub fn is_in_past(&self) -> bool {
        self.cursor < self.end()
    }

    /// Asks for a tick. The seek begins before the next ticks of the app, and takes at most
    /// [`HistoryPlugin::time_per_frame`] in a frame. The simulation waits for its end. A tick outside the history is
    /// replaced by the nearest tick inside. To seek at once, call [`seek`].
    pub fn seek(&mut self, tick: u64) {
        self.wish = Some(tick);
    }

    /// The tick that is being sought.
    #[must_use]
    pub fn sought(&self) -> Option<u64> {
        self.wish
    }

    /// The ticks in a range before which anything was edited on the current track, in order: the marks of a timeline.
    #[must_use]
    pub fn edited_ticks(&self, from: u64, to: u64) -> Vec<u64> {
        self.tracks.edited_ticks(from, to)
    }

    /// All tracks, oldest first. There are at most 16; then the oldest that nothing branches off is dropped.
    pub fn tracks(&self) -> impl Iterator<Item = TrackInfo> {
        self.tracks.all.iter().map(|(&id, track)| TrackInfo {
            id: TrackId(id),
            parent: track.parent.map(|(parent, tick)| (TrackId(parent), tick)),
            end: track.end,
            is_current: id == self.tracks.current,
        })
    }

    /// Asks to change to another track, at the same tick or at its end if that is earlier. See [`History::seek`] for
    /// when this happens. Unknown tracks are ignored.
    pub fn switch(&mut self, track: TrackId) {
        if self.tracks.all.contains_key(&track.0) && track.0 != self.tracks.current {
            self.tracks.current = track.0;
            self.must_restore = true;
            self.wish = Some(self.wish.unwrap_or(self.cursor));
        }
    }

    /// Leaves the recorded future, if the simulation is in the past. The run continues from the current tick on a new
    /// track, and the recorded edits that follow do not repeat. The old future stays as a track. Use it to take back a
    /// shot; see [`seek()`].
    pub fn branch(&mut self) {
        self.must_branch = true;
    }

    /// The memory of all keyframes and edits, bytes. Heap memory of components, such as the corners of a polygon, is
    /// not included.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.tracks.bytes
    }

    /// Forgets everything. The next tick begins a new history.
    pub fn clear(&mut self) {
        self.tracks.clear();
        (self.wish, self.must_restore, self.must_branch, self.cursor) = (None, false, false, 0);
    }
}

/// Why a tick cannot be sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeekError {
    /// No [`HistoryPlugin`] was added.
    NoHistory,
    /// The tick is outside the history, which has these first and last ticks.
    OutOfRange(u64, u64),
}

impl fmt::Display for SeekError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHistory => write!(f, "there is no history: add the HistoryPlugin to the app"),
            Self::OutOfRange(start, end) => write!(f, "the history holds the ticks {start} to {end}"),
        }
    }
}

impl Error for SeekError {}

/// Puts the simulation at a tick of its history, at once: the state after the tick, and after the edits that were made
/// before the next one. To take back a shot that a system made when [`History::tick`] was `tick`, seek `tick - 1` and
/// call [`History::branch`], so that the shot does not repeat.
///
/// The history begins with the first tick. Before it, only the current state can be sought.
///
/// # Errors
/// Without a history, or with a tick outside it. The simulation then stays as it is.
pub fn seek(world: &mut World, tick: u64) -> Result<(), SeekError> {
    let Some(history) = world.get_resource::<History>() else { return Err(SeekError::NoHistory) };
    let (start, end) = (history.start(), history.end());
    if !(start..=end).contains(&tick) {
        return Err(SeekError::OutOfRange(start, end));
    }
    record::seek_for(world, tick, None);
    Ok(())
}
