//! `PhysicsSpace`: the dense arrays that are the truth inside a tick, and that the step files share.

mod blocks;
mod broad_phase;
#[cfg(feature = "input")]
mod initial_state;
mod joints;
mod paths;
mod periodic;
mod pockets;
pub mod query;
mod removal;
mod rest;
mod scratch;
mod terrain;

pub use broad_phase::broad_phase;
pub use scratch::Scratch;

use bevy::{platform::time::Instant, prelude::*};
use std::sync::{Arc, OnceLock};

use crate::collision::{
    broad_phase::{BroadPhase, Sought, grid::Grid},
    discs::Discs,
    hit::{Contact, answers::ContactHooks},
    joints::Joints,
    moving::{MovingPiece, MovingTerrain, Pose},
    overlap::Crowd,
    path::trajectory::Trajectory,
    periodic::Cell,
    pockets::Pockets,
    resting::state::Resting,
    sensors::{Area, Moved, Sensors},
    settings::{CollisionSettings, SolverMode},
    terrain::{StandingTerrain, neighbours::TerrainNeighbours},
    tick::{Clock, Compute, ForceStep, Laws, Report, Stage},
};
use crate::components::Rotation;
#[cfg(feature = "input")]
pub(crate) use initial_state::InitialState;

/// All that a tick works on. Between ticks it holds the last tick's arrays, for reading only: the components are the
/// truth.
#[derive(Resource, Clone, Debug, Default)]
pub struct PhysicsSpace {
    /// The discs.
    pub discs: Discs,
    /// The ways of the discs since their last impacts; only while they move, and where some of them spin on a table.
    pub(crate) trajectories: Vec<Trajectory>,
    /// The terrain that stands.
    pub(crate) terrain: StandingTerrain,
    pub(crate) terrain_neighbours: TerrainNeighbours,
    /// The terrain that moves, with the blocks.
    pub(crate) moving: MovingTerrain,
    pub(crate) pockets: Pockets,
    pub(crate) joints: Joints,
    pub(crate) sensors: Sensors,
    /// The cell of periodic edges, if the settings ask for one and the discs of this tick fit into it.
    pub(crate) cell: Option<Cell>,
    /// Whether they ask for one in vain.
    pub(crate) cell_refused: bool,
    /// The time.
    pub clock: Clock,
    /// What forces have set and the settings say.
    pub laws: Laws,
    /// What happened.
    pub report: Report,
    /// What the machine may use.
    pub compute: Compute,
    pub(crate) broad_phase: BroadPhase,
    /// Overlaps of the current substep.
    pub contacts: Vec<Contact>,
    pub(crate) resting: Resting,
    pub(crate) scratch: Scratch,
    /// Whether nobody has touched the discs since the last tick.
    pub(crate) follows_last_tick: bool,
    /// Where all is between ticks, made when somebody first asks.
    pub(crate) query_index: OnceLock<Arc<query::QueryIndex>>,
}

impl PhysicsSpace {
    /// Pairs of discs (`a < b`, indices into [`Discs`]) among which are all that overlap where `PushApart` begins to
    /// push, in no particular order, some perhaps twice.
    #[must_use]
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.broad_phase.pairs
    }

    /// The grid of the last broad phase, for looking at.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.broad_phase.grid
    }

    /// The broad phase, and what it looks for where the discs are now.
    fn broad_phase_and_sought(&mut self) -> (&mut BroadPhase, Sought<'_>) {
        let Self { broad_phase, discs, clock, compute, cell, .. } = self;
        (broad_phase, compute.sought(discs, clock, *cell))
    }

    /// The discs and what they may be pushed out of, their contacts, and memory.
    pub(crate) fn crowd(&mut self) -> (Crowd<'_>, &mut Vec<Contact>, &mut Scratch) {
        let Self {
            discs,
            terrain,
            terrain_neighbours,
            moving,
            broad_phase,
            resting,
            laws,
            clock,
            report,
            contacts,
            scratch,
            ..
        } = self;
        let cell = self.cell;
        let crowd =
            Crowd { discs, terrain, terrain_neighbours, moving, broad_phase, resting, cell, laws, clock, report };
        (crowd, contacts, scratch)
    }

    /// Finds the candidate pairs anew: see [`BroadPhase::find_pairs`].
    pub(crate) fn find_pairs(&mut self, first: f32, radius_scale: f32) {
        let (broad_phase, sought) = self.broad_phase_and_sought();
        broad_phase.find_pairs(sought, first, radius_scale);
    }

    /// For how many seconds forces act at once: see [`Clock::substep`].
    #[must_use]
    pub fn substep(&self) -> f32 {
        self.clock.substep(&self.laws.settings)
    }

    /// The time at which forces begin to act in this substep, seconds since the scene began: see [`Clock::elapsed`].
    #[must_use]
    pub fn elapsed(&self) -> f64 {
        self.clock.elapsed()
    }

    /// All that hooks have let through meet again.
    pub(crate) fn forget_dropped(&mut self) {
        self.discs.filter.forget_dropped();
        self.moving.dropped.clear();
    }

    /// Before a tick that gathers nothing: sensors are where the terrain is that they are.
    pub(crate) fn place_sensors(&mut self) {
        let Self { sensors, moving, .. } = self;
        sensors.crossings.clear();
        for sensor in &mut sensors.areas {
            let piece = |piece: &&MovingPiece| piece.key.1 == sensor.entity && !piece.is_image;
            if let Some(terrain) = &sensor.moves
                && let Some(Pose { position, rotation }) = moving.pieces.iter().find(piece).map(|piece| piece.pose)
            {
                sensor.area = Area::of(terrain, position, Rotation(rotation));
            }
        }
    }

    /// Records where the discs are before a substep moves them.
    pub(crate) fn begin_sensing(&mut self) {
        self.sensors.begin(&self.discs, self.clock.now);
    }

    /// Finds who has entered and left sensors since [`PhysicsSpace::begin_sensing`].
    pub(crate) fn sense(&mut self) {
        let between = match self.laws.settings.mode {
            SolverMode::Stepped => [self.sensors.began, self.clock.now],
            SolverMode::Continuous => [0.0, self.clock.time_step],
        };
        let Self { sensors, discs, report: Report { path_vertices, potted, .. }, cell, .. } = self;
        sensors.sense(Moved { discs, path_vertices, potted, cell: *cell, between });
    }

    /// Starts a tick of `time_step` seconds on discs that anybody may have changed since the last: takes over the
    /// settings.
    pub(crate) fn begin_tick(&mut self, settings: &CollisionSettings, time_step: f32) {
        self.laws.settings = settings.in_range();
        self.clock.time_step = time_step;
        self.follows_last_tick = false;
        self.report.stage_times = Default::default();
        self.begin_next_tick();
    }

    /// Forgets the discs that fell into pockets in the last tick, as the next `Gather` does.
    pub(crate) fn forget_fallen(&mut self) {
        if !self.report.potted.is_empty() {
            let fallen: Vec<u32> = self.report.potted.iter().map(|fallen| fallen.disc).collect();
            self.forget_discs(&fallen);
        }
    }

    /// Starts the tick after the last one, and forgets what that reported.
    pub(crate) fn begin_next_tick(&mut self) {
        self.clock.tick += 1;
        self.report.begin_tick();
        self.contacts.clear();
        self.begin_forces(ForceStep::Substep);
        self.clock.now = 0.0;
    }

    /// Before forces act for this part of the tick: there is no gravity yet, and no table.
    pub(crate) fn begin_forces(&mut self, force_step: ForceStep) {
        self.query_index.take();
        self.clock.force_step = force_step;
        self.laws.gravity = Vec2::ZERO;
        self.laws.table = None;
        if !self.laws.answers.hooks.is_empty() {
            self.laws.answers.hooks = ContactHooks::default();
        }
        self.forget_dropped();
    }

    /// Lets hooks see the contacts of this part of the tick; called by what acts before, as
    /// [`Forces`](crate::motion::Forces) do with theirs.
    pub fn set_contact_hooks(&mut self, hooks: &ContactHooks) {
        self.laws.answers.hooks = hooks.clone();
        self.laws.answers.elapsed = self.elapsed();
    }

    /// Runs one stage and adds its time to the clock.
    pub(crate) fn timed<T>(&mut self, stage: Stage, run: impl FnOnce(&mut Self) -> T) -> T {
        let start = Instant::now();
        let result = run(self);
        self.report.stage_times[stage as usize] += start.elapsed();
        result
    }
}
