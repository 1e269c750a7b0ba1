//! The history of a run: go back to any tick, and on from there.
//!
//! Add the [`HistoryPlugin`]. From then on, [`History`] can put the simulation at any tick since the scene started, and
//! the run continues from there.
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
//! same bits. The systems of the game do not run; their edits are stored. No messages and no entity events report
//! replayed ticks.
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
//! While the run continues from a tick of the past, the stored edits act again, and the same happens. As soon as
//! anything else is edited, the run *branches*: the future so far stays as a separate track, and a new track begins.
//! [`History::switch`] changes between tracks.
//!
//! # Costs
//! Each tick compares change ticks of all tracked components. A keyframe copies position, velocity and whatever else
//! has changed since the last one: 16 bytes per moving disc. Small scenes get a keyframe after every tick, and large
//! ones after up to 64. If keyframes and edits take more memory than the plugin allows, keyframes are thinned out, the
//! more the farther they are from the current tick; a seek to such a time replays more ticks. If edits alone take more,
//! the oldest part of the history is dropped.

mod divergence;
mod presence;
#[cfg_attr(not(feature = "scene"), allow(dead_code, reason = "run files need it"))]
mod record;
mod replica;
mod search;
mod stored;
#[cfg_attr(not(feature = "scene"), allow(dead_code, reason = "run files need it"))]
mod track;
#[cfg_attr(not(feature = "scene"), allow(dead_code, reason = "run files need it"))]
mod tracked;

use std::{
    any::{TypeId, type_name},
    error::Error,
    fmt,
    time::Duration,
};

use bevy::prelude::*;

pub use divergence::{DiscDifference, Divergence, Growth, differences};
pub use presence::{Absent, hide, show};
#[cfg(not(feature = "scene"))]
use record::Recorder;
#[cfg(feature = "scene")]
pub(crate) use record::{Recorder, begin_with, visit_ticks};
pub use replica::Replica;
pub use search::has_hit;
pub use stored::{EditKind, StoredDisc, StoredState};
#[cfg(feature = "scene")]
pub(crate) use track::Edits;
#[cfg(feature = "scene")]
pub(crate) use tracked::Edit;
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
    /// The time that a seek may take in one frame. A longer one continues in the next frame, and shows the tick that it
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
            go_on_seeking
                .in_set(HistorySystems::Seek)
                .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop)
                .run_if(|history: Res<History>| history.is_seeking()),
        );
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
    }
}

/// Seeks or searches for the time of a frame.
fn go_on_seeking(world: &mut World) {
    let history = world.resource::<History>();
    let budget = history.settings.time_per_frame;
    match (history.wish, history.search) {
        (Some(tick), _) => record::seek_for(world, tick, Some(budget)),
        (None, Some(_)) => search::search_for(world, budget),
        (None, None) => {}
    }
}

fn is_not_seeking(history: Res<History>) -> bool {
    !history.is_seeking()
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
    app.world_mut().resource_mut::<Recorder>().begin_physics();
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
        .track_resource::<TablePhysics>();
    track_value(
        app,
        TICK_RATE,
        |world| Some(world.get_resource::<Playback>()?.tick_rate),
        |world, rate| world.resource_mut::<Playback>().tick_rate = rate.flatten(),
    );
    track_value(
        app,
        TIME_STEP,
        |world| Some(world.get_resource::<Time<Fixed>>()?.timestep()),
        |world, step| {
            if let Some(step) = step {
                world.resource_mut::<Time<Fixed>>().set_timestep(step);
            }
        },
    );
    app.world_mut().resource_mut::<Recorder>().end_physics();
}

/// The name of the tracked [`Playback::tick_rate`].
pub(crate) const TICK_RATE: &str = "tick rate";

/// The name of the tracked time step of `Time<Fixed>`.
pub(crate) const TIME_STEP: &str = "time step";

fn track_value<T: Clone + PartialEq + Send + Sync + 'static>(
    app: &mut App,
    name: &'static str,
    get: fn(&World) -> Option<T>,
    set: fn(&mut World, Option<T>),
) {
    app.world_mut().get_resource_or_init::<Recorder>().track(TrackedValue { name, get, set, last: None });
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

    /// Tracks any value of the world, such as a part of a resource. `get` returns it if it is there, and `set` writes
    /// or removes it.
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
        track_value(
            self,
            type_name::<R>(),
            |world| world.get_resource::<R>().cloned(),
            |world, value| match value {
                Some(value) => world.insert_resource(value),
                None => _ = world.remove_resource::<R>(),
            },
        );
        self
    }

    fn track_value<T: Clone + PartialEq + Send + Sync + 'static>(
        &mut self,
        get: fn(&World) -> Option<T>,
        set: fn(&mut World, Option<T>),
    ) -> &mut Self {
        track_value(self, type_name::<T>(), get, set);
        self
    }
}

/// A track: one course of events. Numbers grow, and are not reused.
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
    /// The track to change to with the next seek.
    wished_track: Option<u32>,
    /// The search for a tick with a hit.
    search: Option<search::HitSearch>,
    /// Whether the run leaves its track before the next tick.
    must_branch: bool,
}

impl History {
    fn new(settings: HistoryPlugin) -> Self {
        let tracks = track::Tracks::default();
        Self { settings, tracks, cursor: 0, wish: None, wished_track: None, search: None, must_branch: false }
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
        (self.wish, self.search) = (Some(tick), None);
    }

    /// Asks for the last tick before the current one in which something collided, or a disc did; see [`has_hit`]. It is
    /// the start of the history if there is none. Ticks between two stored states with the same number of hits are
    /// skipped, and the others are replayed, in the same way as for [`History::seek`].
    pub fn seek_previous_hit(&mut self, of: Option<Entity>) {
        (self.wish, self.search) = (None, Some(search::HitSearch::new(of, self.cursor)));
    }

    /// The tick that is being sought, if it is known.
    #[must_use]
    pub fn sought(&self) -> Option<u64> {
        self.wish
    }

    /// Whether a tick, a track or a hit is being sought. The simulation waits until it is reached.
    #[must_use]
    pub fn is_seeking(&self) -> bool {
        self.wish.is_some() || self.search.is_some()
    }

    /// The ticks in a range before which anything was edited on the current track, in order: the marks of a timeline.
    #[must_use]
    pub fn edited_ticks(&self, from: u64, to: u64) -> Vec<u64> {
        self.tracks.edited(from, to).into_iter().map(|(tick, _)| tick).collect()
    }

    /// All tracks, oldest first. Of more than 16, the oldest that nothing branches off is dropped.
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
            self.wished_track = Some(track.0);
            self.seek(self.wish.unwrap_or(self.cursor));
        }
    }

    /// Leaves the recorded future, if the simulation is in the past. The run continues from the current tick on a new
    /// track, and the recorded edits that follow do not repeat. The old future stays as a track. Use it to take back a
    /// shot; see [`seek()`].
    pub fn branch(&mut self) {
        self.must_branch = true;
    }

    /// The simulated time after a tick of a track, seconds since the scene started. Where the length of a tick changes,
    /// it is exact at the stored ticks and in proportion between them. Ticks after the last stored one have the length
    /// `time_step`. It is 0 for an unknown track.
    #[must_use]
    pub fn seconds(&self, track: TrackId, tick: u64, time_step: f64) -> f64 {
        self.tracks.seconds(track.0, tick, time_step)
    }

    /// The memory of all keyframes and edits, bytes. Heap memory of components, such as the corners of a polygon, is
    /// not included.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.tracks.bytes
    }

    /// The edits of the current track, in order, each with the tick that follows it.
    #[cfg(feature = "scene")]
    pub(crate) fn recorded_edits(&self) -> impl Iterator<Item = (u64, &Edits)> {
        let ticks = self.edited_ticks(0, u64::MAX).into_iter();
        ticks.flat_map(|tick| self.tracks.edits(tick).into_iter().flatten().map(move |edits| (tick, edits)))
    }

    /// The ticks of the current track that a seek reaches at once, in order.
    #[cfg(feature = "scene")]
    pub(crate) fn keyframe_ticks(&self) -> Vec<u64> {
        self.tracks.keyframe_ticks()
    }

    /// Forgets everything. The next tick begins a new history.
    pub fn clear(&mut self) {
        self.tracks.clear();
        (self.wish, self.wished_track, self.search, self.must_branch, self.cursor) = (None, None, None, false, 0);
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
