//! `PhysicsSpace`: the dense arrays that are the source of truth within a tick, shared by all steps.

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
#[cfg(any(feature = "view", feature = "cli"))]
mod turns;

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
    tick::{Accounts, Clock, Compute, ForceStep, Laws, Report, Stage},
};
use crate::components::Rotation;
#[cfg(feature = "input")]
pub(crate) use initial_state::InitialState;

/// All data of a tick. Between ticks it holds the arrays of the last tick, read-only: the components are the source of
/// truth.
#[derive(Resource, Clone, Debug, Default)]
pub struct PhysicsSpace {
    /// The discs.
    pub discs: Discs,
    /// The paths of the discs since their last impacts. Filled only while discs move, and if any of them spins on a
    /// table.
    pub(crate) trajectories: Vec<Trajectory>,
    /// The static terrain.
    pub(crate) terrain: StandingTerrain,
    pub(crate) terrain_neighbours: TerrainNeighbours,
    /// The moving terrain, including the blocks.
    pub(crate) moving: MovingTerrain,
    pub(crate) pockets: Pockets,
    pub(crate) joints: Joints,
    pub(crate) sensors: Sensors,
    /// The cell of periodic edges, if the settings ask for one and the discs of this tick fit into it.
    pub(crate) cell: Option<Cell>,
    /// Whether the settings ask for a cell that the discs do not fit into.
    pub(crate) cell_refused: bool,
    /// The time.
    pub clock: Clock,
    /// The current laws: set by forces and the settings.
    pub laws: Laws,
    /// The events of the tick.
    pub report: Report,
    /// The account of kinetic energy, while somebody keeps it.
    pub(crate) accounts: Option<Box<Accounts>>,
    /// Instructions and threads.
    pub compute: Compute,
    pub(crate) broad_phase: BroadPhase,
    /// Overlaps of the current substep.
    pub contacts: Vec<Contact>,
    pub(crate) resting: Resting,
    pub(crate) scratch: Scratch,
    /// Whether the discs are unchanged since the last tick.
    pub(crate) follows_last_tick: bool,
    /// The positions between ticks, built for the first query.
    pub(crate) query_index: OnceLock<Arc<query::QueryIndex>>,
}

impl PhysicsSpace {
    /// Candidate pairs of discs (`a < b`, indices into [`Discs`]). They include all pairs that overlap when `PushApart`
    /// starts, in no particular order and possibly twice.
    #[must_use]
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.broad_phase.pairs
    }

    /// The grid of the last broad phase, for inspection.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.broad_phase.grid
    }

    /// The broad phase, and its search for the current positions.
    fn broad_phase_and_sought(&mut self) -> (&mut BroadPhase, Sought<'_>) {
        let Self { broad_phase, discs, clock, compute, cell, .. } = self;
        (broad_phase, compute.sought(discs, clock, *cell))
    }

    /// The discs and everything that they may be pushed out of, their contacts, and scratch memory.
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

    /// Finds the candidate pairs again: see [`BroadPhase::find_pairs`].
    pub(crate) fn find_pairs(&mut self, first: f32, radius_scale: f32) {
        let (broad_phase, sought) = self.broad_phase_and_sought();
        broad_phase.find_pairs(sought, first, radius_scale);
    }

    /// The duration for which forces act at once, seconds: see [`Clock::substep`].
    #[must_use]
    pub fn substep(&self) -> f32 {
        self.clock.substep(&self.laws.settings)
    }

    /// The time at which forces start to act in this substep, seconds since the scene started: see [`Clock::elapsed`].
    #[must_use]
    pub fn elapsed(&self) -> f64 {
        self.clock.elapsed()
    }

    /// Restores all collisions that hooks have dropped.
    pub(crate) fn forget_dropped(&mut self) {
        self.discs.filter.forget_dropped();
        self.moving.dropped.clear();
    }

    /// Before a tick that gathers nothing: moves the sensors that are moving terrain to the positions of their terrain.
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

    /// Records the positions of the discs before a substep moves them.
    pub(crate) fn begin_sensing(&mut self) {
        self.sensors.begin(&self.discs, self.clock.now);
    }

    /// Finds the discs that entered and left sensors since [`PhysicsSpace::begin_sensing`].
    pub(crate) fn sense(&mut self) {
        let between = match self.laws.settings.mode {
            SolverMode::Stepped => [self.sensors.began, self.clock.now],
            SolverMode::Continuous => [0.0, self.clock.time_step],
        };
        let Self { sensors, discs, report: Report { path_vertices, fallen, .. }, cell, .. } = self;
        sensors.sense(Moved { discs, path_vertices, fallen, cell: *cell, between });
    }

    /// Starts a tick of `time_step` seconds with these settings, on discs that may have changed since the last tick.
    pub(crate) fn begin_tick(&mut self, settings: &CollisionSettings, time_step: f32) {
        self.laws.settings = settings.in_range();
        self.clock.time_step = time_step;
        self.follows_last_tick = false;
        self.report.stage_times = Default::default();
        self.begin_next_tick();
    }

    /// Forgets the discs that fell in the last tick, as the next `Gather` does.
    pub(crate) fn forget_fallen(&mut self) {
        if !self.report.fallen.is_empty() {
            let fallen: Vec<u32> = self.report.fallen.iter().map(|fallen| fallen.disc).collect();
            self.forget_discs(&fallen);
        }
    }

    /// Starts the tick after the last one, and clears the report.
    pub(crate) fn begin_next_tick(&mut self) {
        self.clock.tick += 1;
        self.clock.seconds += f64::from(self.clock.time_step);
        self.report.begin_tick();
        self.contacts.clear();
        self.begin_forces(ForceStep::Substep);
        self.clock.now = 0.0;
    }

    /// Before forces act in this part of the tick: clears gravity and the table.
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

    /// Lets hooks see the contacts of this part of the tick. Call it from code that runs before contacts are resolved,
    /// as [`Forces`](crate::motion::Forces) do.
    pub fn set_contact_hooks(&mut self, hooks: &ContactHooks) {
        self.laws.answers.hooks = hooks.clone();
        self.laws.answers.elapsed = self.elapsed();
    }

    /// Runs one stage and adds its time to the stage times.
    pub(crate) fn timed<T>(&mut self, stage: Stage, run: impl FnOnce(&mut Self) -> T) -> T {
        let start = Instant::now();
        let result = run(self);
        self.report.stage_times[stage as usize] += start.elapsed();
        result
    }
}
