//! `Space`: the dense arrays that are the truth inside a tick, and that the step files share.

mod blocks;
mod broad_phase;
mod joints;
mod paths;
mod periodic;
mod pockets;
pub mod query;
mod rest;
mod scratch;
mod stage;
mod terrain;

pub use broad_phase::broad_phase;
pub use scratch::Scratch;
pub use stage::Stage;

use bevy::{platform::time::Instant, prelude::*};
use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use crate::collision::{
    broad_phase::{BroadPhase, Sought, grid::Grid},
    discs::Discs,
    hit::{
        Contact, Hit, PottedDisc,
        answers::{Answers, ContactHooks},
    },
    path::{PathVertex, table_events::TableEvent, trajectory::Trajectory},
    periodic::Cell,
    pockets::Pockets,
    sensors::{Moved, Sensors},
    settings::{CollisionSettings, Mode},
    simd::SimdLevel,
    spin::TablePhysics,
    terrain::StandingTerrain,
    threads::Threads,
};

/// The part of a tick for which forces act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ForceStep {
    /// One of the substeps of the stepped mode.
    #[default]
    Substep,
    /// The first half of a tick of the continuous mode, before the discs move.
    FirstHalf,
    /// The second half, after they have moved.
    SecondHalf,
}

/// Up to how many discs the continuous mode looks at all of them; more get a grid and a queue. The result does not
/// depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanLimit(pub usize);

impl Default for ScanLimit {
    fn default() -> Self {
        Self(64)
    }
}

/// All that a tick works on. Between ticks it holds the last tick's arrays, for reading only: the components are the
/// truth.
#[derive(Resource, Clone, Debug, Default)]
pub struct Space {
    /// The discs.
    pub discs: Discs,
    /// The terrain that stands.
    pub(crate) terrain: StandingTerrain,
    pub(crate) moving: crate::collision::moving::MovingTerrain,
    /// How hits are answered.
    pub(crate) answers: Answers,
    pub(crate) pockets: Pockets,
    pub(crate) sensors: Sensors,
    pub(crate) joints: crate::collision::joints::Joints,
    /// Overlaps of the current substep.
    pub contacts: Vec<Contact>,
    /// The hits of the current tick that were no slower than `report_above`, in order.
    pub hits: Vec<Hit>,
    /// The discs that fell into pockets in the current tick, in order. Their places in the arrays are no numbers from
    /// then on.
    pub potted: Vec<PottedDisc>,
    /// Whether [`Space::events`] are recorded. Default: no.
    pub record_events: bool,
    /// What happened to discs on a table in the current tick, by time; only in the continuous mode, and where it is
    /// asked for.
    pub events: Vec<TableEvent>,
    /// Where paths turned in the current tick, by time; in the stepped mode only where discs crossed periodic edges.
    pub path_vertices: Vec<PathVertex>,
    /// How many hits there were since the scene began; what is slower than the resting speed, or no more than a
    /// rounding, is none.
    pub collisions: u64,
    /// How often discs were stopped for the rest of a tick or substep since the scene began, because their impacts
    /// would not end: brought to rest, where impacts take energy, else waiting with the velocity that they have.
    pub stopped: u64,
    /// The number of the current tick; the first is 1.
    pub tick: u64,
    /// Whether a disc moved at the end of the last tick.
    pub(crate) are_moving: bool,
    /// The length of the tick in seconds.
    pub time_step: f32,
    /// Which part of the tick forces act for.
    pub force_step: ForceStep,
    /// How much of the tick has passed, seconds: while forces act, until the substep begins; after `Integrate`, until
    /// it ends. Only in the stepped mode.
    pub(crate) now: f32,
    /// The acceleration that acts on all discs, m/s²: the sum of those that [`motion::gravity`](crate::motion::gravity)
    /// was called with since the substep began, zero if it was not. That function also changes the velocities; a force
    /// that only changes velocities leaves piles without springs and awake, and bounces under it without their exact
    /// energy: `Settle`, `Integrate` and `Impacts` go by this.
    pub gravity: Vec2,
    /// What cloth, balls and cushions do to discs that spin; none unless a force has set it since the substep began. It
    /// acts where the discs move: in `Integrate` and `Impacts`, and in what they meet there.
    pub table: Option<TablePhysics>,
    /// The ways of the discs since their last impacts; only while they move, and where some of them spin on a table.
    pub(crate) trajectories: Vec<Trajectory>,
    /// The settings of this tick, moved into their ranges.
    pub settings: CollisionSettings,
    /// How long each [`Stage`] of the last tick took, by `Stage as usize`, summed over its substeps.
    pub stage_times: [Duration; Stage::ALL.len()],
    /// The instructions that kernels may use. The result does not depend on them.
    pub simd: SimdLevel,
    /// Into how many tasks a stage may be divided. The result does not depend on it.
    pub threads: Threads,
    /// Which discs are few for the continuous mode. The result does not depend on it.
    pub scan_limit: ScanLimit,
    pub(crate) scratch: Scratch,
    /// Whether nobody has touched the discs since the last tick.
    pub(crate) follows_last_tick: bool,
    pub(crate) broad_phase: BroadPhase,
    /// The pairs that overlap where `PushApart` begins, and memory for sorting them.
    pub(crate) overlapping: [Vec<(u32, u32)>; 2],
    pub(crate) terrain_neighbours: crate::collision::terrain::neighbours::TerrainNeighbours,
    /// Overlaps up to this share of the smaller radius are left as they are. Zero in the stepped mode.
    pub(crate) overlap_slop: f32,
    pub(crate) resting: crate::collision::resting::state::Resting,
    /// The cell of periodic edges, if the settings ask for one and the discs of this tick fit into it.
    pub(crate) cell: Option<Cell>,
    /// Whether they ask for one in vain.
    pub(crate) cell_refused: bool,
    /// Where all is between ticks, made when somebody first asks.
    pub(crate) query_index: OnceLock<Arc<query::QueryIndex>>,
}

impl Space {
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
        let Self { broad_phase, discs, time_step, now, simd, threads, cell, .. } = self;
        let sought = Sought { discs, time_step: *time_step, now: *now, simd: *simd, threads: *threads, cell: *cell };
        (broad_phase, sought)
    }

    /// Finds the candidate pairs anew: see [`BroadPhase::find_pairs`].
    pub(crate) fn find_pairs(&mut self, first: f32, radius_scale: f32) {
        let (broad_phase, sought) = self.broad_phase_and_sought();
        broad_phase.find_pairs(sought, first, radius_scale);
    }

    /// Brings the candidate pairs up to date with where the discs are now.
    pub(crate) fn update_pairs(&mut self) {
        let (broad_phase, sought) = self.broad_phase_and_sought();
        broad_phase.update_pairs(sought);
    }

    /// For how many seconds forces act at once: the length of a substep, or half a tick in the continuous mode.
    #[must_use]
    pub fn substep(&self) -> f32 {
        match self.force_step {
            ForceStep::Substep => self.time_step / self.settings.substeps as f32,
            ForceStep::FirstHalf | ForceStep::SecondHalf => self.time_step / 2.0,
        }
    }

    /// The time at which forces begin to act in this substep, seconds since the scene began: the number of ticks times
    /// their present length, so it jumps where that is changed. The same in a tick and in its prediction.
    #[must_use]
    pub fn elapsed(&self) -> f64 {
        let begins = match self.force_step {
            ForceStep::Substep => self.now,
            ForceStep::FirstHalf => 0.0,
            ForceStep::SecondHalf => self.time_step / 2.0,
        };
        self.tick.saturating_sub(1) as f64 * f64::from(self.time_step) + f64::from(begins)
    }

    /// The share of the tick that has passed where the present substep began, and where it ends.
    pub(crate) fn shares_of_tick(&self) -> [f64; 2] {
        let (substeps, substep) = (f64::from(self.settings.substeps), self.substep());
        let passed = if substep > 0.0 { f64::from((self.now / substep).round()) } else { substeps };
        [(passed - 1.0).max(0.0) / substeps, passed / substeps]
    }

    /// What discs and terrain say about their hits.
    #[cfg(feature = "input")]
    pub(crate) fn answer_state(&self) -> crate::collision::AnswerState {
        crate::collision::AnswerState(self.answers.materials.clone())
    }

    /// All that hooks have let through meet again.
    pub(crate) fn forget_dropped(&mut self) {
        self.discs.filter.forget_dropped();
        self.moving.dropped.clear();
    }

    /// Records where the discs are before a substep moves them.
    pub(crate) fn begin_sensing(&mut self) {
        self.sensors.begin(&self.discs, self.now);
    }

    /// Finds who has entered and left sensors since [`Space::begin_sensing`].
    pub(crate) fn sense(&mut self) {
        let between = match self.settings.mode {
            Mode::Stepped => [self.sensors.began, self.now],
            Mode::Continuous => [0.0, self.time_step],
        };
        let Self { sensors, discs, path_vertices, potted, cell, .. } = self;
        sensors.sense(Moved { discs, path_vertices, potted, cell: *cell, between });
    }

    /// Starts a tick of `time_step` seconds on discs that anybody may have changed since the last: takes over the
    /// settings.
    pub(crate) fn begin_tick(&mut self, settings: &CollisionSettings, time_step: f32) {
        self.settings = settings.in_range();
        self.time_step = time_step;
        self.follows_last_tick = false;
        self.stage_times = Default::default();
        self.begin_next_tick();
    }

    /// Discs that fell into pockets in the last tick have no spin and no joints in the next one of a prediction: so it
    /// takes the steps of a real one, which gathers without them.
    pub(crate) fn forget_fallen(&mut self) {
        if self.potted.is_empty() {
            return;
        }
        for fallen in &self.potted {
            if let Some(spin) = self.discs.spin.get_mut(fallen.disc as usize) {
                *spin = None;
            }
        }
        if self.discs.spin.iter().all(Option::is_none) {
            self.discs.spin.clear();
        }
        if !self.joints.is_empty() {
            self.joints = std::mem::take(&mut self.joints).without_fallen(&self.discs);
        }
    }

    /// Starts the tick after the last one, and forgets what that reported.
    pub(crate) fn begin_next_tick(&mut self) {
        self.tick += 1;
        self.hits.clear();
        self.contacts.clear();
        self.path_vertices.clear();
        self.potted.clear();
        self.events.clear();
        self.begin_forces(ForceStep::Substep);
        self.now = 0.0;
    }

    /// Before forces act for this part of the tick: there is no gravity yet, and no table.
    pub(crate) fn begin_forces(&mut self, force_step: ForceStep) {
        self.query_index.take();
        self.force_step = force_step;
        self.gravity = Vec2::ZERO;
        self.table = None;
        if !self.answers.hooks.is_empty() {
            self.answers.hooks = ContactHooks::default();
        }
        self.forget_dropped();
    }

    /// Lets hooks see the contacts of this part of the tick; called by what acts before, as
    /// [`Forces`](crate::motion::Forces) do with theirs.
    pub fn set_contact_hooks(&mut self, hooks: &ContactHooks) {
        self.answers.hooks = hooks.clone();
        self.answers.elapsed = self.elapsed();
    }

    /// Runs one stage and adds its time to the clock.
    pub(crate) fn timed<T>(&mut self, stage: Stage, run: impl FnOnce(&mut Self) -> T) -> T {
        let start = Instant::now();
        let result = run(self);
        self.stage_times[stage as usize] += start.elapsed();
        result
    }
}
