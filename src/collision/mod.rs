//! The physics: dense arrays, one file per ordered step of the tick.
//!
//! The files carry the number of their step. Each step is a plain function over [`Space`]; the system that stands for it in
//! the schedule only calls it, so prediction, tests and benches run the same code without an ECS (see [`run_tick`]).
//!
//! | order | step | what it does |
//! |---|---|---|
//! | 1 | [`gather`] | components → arrays; bad values are rejected |
//! | 2 | [`broad_phase`] | candidate pairs from a uniform grid, once a tick; what leaves its circle is asked for again |
//! | 3 | [`settle`] | forces have acted on the velocities; piles come to rest, where the settings ask for it |
//! | 4 | [`integrate`] | positions move by their velocities, and bounce where their paths meet terrain |
//! | 5 | [`push_apart`] | overlapping discs part, weighted by mass; contacts are recorded |
//! | 6 | [`impulse`] | contacts that approach are resolved with their restitution |
//! | 7 | [`walls`] | discs that were pushed into walls |
//! | 8 | [`fixed_circles`] | discs that were pushed into corners and bumpers |
//! | 9 | [`scatter`] | arrays → components |
//! | 10 | [`report`] | collision messages |
//!
//! 3 to 8 run once per substep, after the forces, in the schedule [`Substep`]. In the continuous mode, [`continuous`] stands for 2 and 4 to 8: forces
//! act for half of the tick, the discs go through all of it impact by impact, and forces act for the other half. To put a system between two steps:
//!
//! ```
//! # use bevy::prelude::*;
//! # use carom::prelude::*;
//! fn swap_the_first_two(mut space: ResMut<Space>) {
//!     if space.discs.len() > 1 {
//!         space.discs.velocity.swap(0, 1);
//!     }
//! }
//! # let mut app = App::new();
//! app.add_systems(
//!     Substep,
//!     swap_the_first_two.after(SubstepSystems::PushApart).before(SubstepSystems::Impulse),
//! );
//! ```
//!
//! Whom to leave out is decided by the contacts, between `PushApart` and `Impulse`, and in the stepped mode only: the candidate pairs
//! are asked for again where discs get farther than predicted.
//!
//! # Kicks, forces, gravity
//! | what | where | how |
//! |---|---|---|
//! | a kick: a shot, an explosion, a jump | a system in `FixedUpdate`, or anywhere before the [`Tick`] | change the component [`Velocity`](crate::disc::Velocity): once |
//! | a force, as long as it acts | a system in [`SubstepSystems::Forces`] | [`motion::force`](crate::motion::force) on each of its discs, or `velocity += acceleration * space.substep()` |
//! | a gravity of one's own | the same | [`motion::gravity`](crate::motion::gravity), so that piles know which way is down |
//!
//! A system in [`Substep`] runs several times a tick, so what it adds must be in proportion to [`Space::substep`]. The array
//! [`Discs`] lies in the order of [`StableId`](crate::disc::StableId): [`Discs::index_of`] finds a disc in it. `examples/forces.rs` has
//! all three.
//!
//! While [`Playback`](crate::timeline::Playback) is paused, the tick does not run but `FixedUpdate` does. A system there that changes a
//! velocity every time it runs goes on adding, and all of it acts in the next tick. Give it
//! [`.run_if(will_tick)`](crate::timeline::will_tick); a force in [`Substep`] needs nothing, as that schedule is part of the tick.
//!
//! # Ambiguity is an error
//! A system that writes [`Velocity`](crate::disc::Velocity) or [`Space`] and is not ordered against the tick may run in the middle of
//! it, and what it writes is lost. So order it `.before(Tick)`, `.after(Tick)`, or between two of the sets; our own systems have
//! an order, and none of them is ambiguous with what a game puts into [`SubstepSystems::Forces`]. Bevy finds what was forgotten:
//!
//! ```
//! # use bevy::{ecs::schedule::{LogLevel, ScheduleBuildSettings}, prelude::*};
//! # let mut app = App::new();
//! app.edit_schedule(FixedPostUpdate, |schedule| {
//!     schedule.set_build_settings(ScheduleBuildSettings { ambiguity_detection: LogLevel::Error, ..default() });
//! });
//! ```
//!
//! Its message names the systems and what they both want only with Bevy's feature `debug`, which is not among the default ones:
//! `bevy = { version = "0.19", features = ["debug"] }`. Without it, `<Enable the debug feature to see the name>` stands for the names.
//!
//! # Several worlds
//! Nothing is shared between worlds but the threads: as many apps as one likes may tick in one process, one after the other or
//! side by side, and each gets the bits that it would get alone.
//!
//! # Two modes
//! [`Mode::Stepped`] is the table above. [`Mode::Continuous`] resolves the earliest impact of the tick first, at its exact time, and
//! misses none: see [`continuous`].
//!
//! # What the stepped mode gets wrong
//! A hit of two discs is seen at the end of a substep, so it comes half a substep late on average and a whole one at most. Terrain is
//! met at its exact time.
//!
//! Discs that approach by more than the sum of their radii within a substep can pass through each other, and grazing hits
//! are missed below that: with a relative speed `v`, radii `r` and `R`, substeps of `h` seconds and `s = v h / (r + R)`, this
//! share of all hits finds no substep that ends while the discs overlap and still approach (measured, and what geometry says:
//! `tests/physics/two_discs.rs`). Head-on hits are never missed up to `s = 1`, however a disc came by its speed. Walls
//! let no centre through, at any speed and whoever pushes (`tests/physics/containment.rs`).
//!
//! | s | 0.25 | 0.5 | 1 | 2 |
//! |---|---|---|---|---|
//! | missed | 1.0 % | 4.3 % | 21 % | 61 % |
//!
//! What that makes of many discs (`tests/physics/reference.rs`): a gas whose discs of 1 m diameter move at some 1.4 m/s shows
//! the pressure of hard discs at an area fraction of 0.3 to 2.4 % with substeps of 4 ms, to 1.4 % with 2 ms, and to 0.1 % with
//! 1 ms. In the continuous mode it shows them to the noise of the sample, whatever the step.
//! Energy and momentum themselves are kept to rounding at any time step: every hit that is seen is resolved exactly. With
//! gravity, kinetic energy and that of height are together what they were, but for a push out of terrain that lifts a disc by
//! more than it can pay for with its speed (`tests/physics/rest.rs`).
//!
//! # How it is fast
//! The broad phase keeps discs in the order of their cells ([`Grid`]) and tests sixteen candidates with one instruction where
//! the processor can ([`SimdLevel`]); columns of components are copied whole; from some tens of thousands of discs on, the large
//! stages are divided among threads ([`Threads`]). Terrain lies in a tree of boxes that is kept between ticks and changed piece
//! by piece (`benches/terrain.rs`). None of this shows in the result: the same bits come out of every kind of instructions
//! and any number of threads, and however the terrain came to be what it is.
//!
//! # In which order contacts are resolved
//! By the [`StableId`](crate::disc::StableId)s of their discs; in a pile by the height of the lower disc. So it follows from the
//! components alone, however entities were spawned and wherever they are stored, and what is out of reach changes nothing: not one
//! bit. (Of a heap of discs in one spot only some 128 pairs a disc are looked at in a tick, and which ones does depend on what else
//! is there.)

use bevy::{
    ecs::{
        message::signal_message_update_system,
        schedule::{InternedScheduleLabel, ScheduleLabel, SingleThreadedExecutor},
    },
    prelude::*,
};

mod bridge;
pub mod broad_phase;
pub mod continuous;
mod flight;
mod geometry;
pub mod measure;
pub mod precision;
pub mod response;
pub mod resting;
pub mod settings;
mod simd;
pub mod space;
pub mod stepped;
pub(crate) mod threads;

pub use bridge::{
    report::{Collider, Collision, CollisionEvent, Hit, ReportCollisions},
    snapshot::Snapshot,
    validation::{InvalidEntities, InvalidValue, check_disc},
};
pub use broad_phase::grid::Grid;
pub use continuous::TimeOfImpact;
pub use settings::{CollisionSettings, LIMIT, Mode, SettingError, combine_restitution};
pub use simd::SimdLevel;
pub use space::{
    Contact, DiscComponents, DiscState, Discs, FixedCircle, ForceStep, PathVertex, ScanLimit, Space, Stage, Wall,
};
pub use threads::Threads;

use bridge::{gather, gather_terrain, report, scatter};
use stepped::{fixed_circles, impulse, integrate, push_apart, walls};

/// The whole tick, in the schedule that [`PhysicsPlugins`](crate::PhysicsPlugins) was given, by default [`FixedPostUpdate`]: order
/// your own systems before or after it, or hold it back with a run condition.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tick;

/// The steps of the tick, in order, inside [`Tick`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TickSystems {
    /// Components → [`Space`].
    Gather,
    /// Candidate pairs for the whole tick.
    BroadPhase,
    /// Runs the schedule [`Substep`]: in the stepped mode as often as the settings say, in the continuous mode once for the
    /// first half of the forces and all else, and once for the second half of the forces.
    Substeps,
    /// [`Space`] → components.
    Scatter,
    /// Messages and entity events.
    Report,
}

/// The schedule of one substep; see [`SubstepSystems`].
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Substep;

/// The steps of one substep, in order, inside the schedule [`Substep`]. Systems here read and write [`Space`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SubstepSystems {
    /// A game's own forces change velocities. Empty here.
    ///
    /// It runs once per substep, and twice a tick in the continuous mode, each time for [`Space::substep`] seconds: add
    /// `acceleration * space.substep()`, or call [`motion::force`](crate::motion::force). A kick that shall act once is no
    /// force: change the component [`Velocity`](crate::disc::Velocity) before the [`Tick`], in `FixedUpdate`.
    ///
    /// A constant acceleration of all discs goes through [`motion::gravity`](crate::motion::gravity): without it piles do not
    /// know what they rest against, get no springs, and never sleep.
    ///
    /// Several systems in here need an order among themselves (`.chain()`): sums are rounded, so the order shows in the bits.
    Forces,
    /// The forces of [`MotionSettings`](crate::motion::MotionSettings), after those of a game: friction has the last word.
    Motion,
    /// Piles come to rest, where the settings ask for it.
    Settle,
    /// Impact by impact through the tick, in the continuous mode. The steps below then find nothing to do.
    Impacts,
    /// Positions move by their velocities, and bounce where their paths meet terrain.
    Integrate,
    /// Overlapping discs part; contacts are recorded.
    PushApart,
    /// Contacts that approach are resolved.
    Impulse,
    /// Discs and walls.
    Walls,
    /// Discs and corners, discs and bumpers.
    FixedCircles,
}

/// The schedule that the [`Tick`] runs in, for a plugin that adds systems to it: the one that [`CollisionPlugin`] was given, or
/// [`FixedPostUpdate`] if that plugin is not added yet.
#[must_use]
pub fn tick_schedule(app: &App) -> InternedScheduleLabel {
    app.world().get_resource::<TickSchedule>().map_or(FixedPostUpdate.intern(), |schedule| schedule.0)
}

#[derive(Resource)]
struct TickSchedule(InternedScheduleLabel);

/// Adds the ordered pipeline to its schedule, and the schedule [`Substep`].
pub struct CollisionPlugin {
    /// The schedule that the tick runs in.
    pub schedule: InternedScheduleLabel,
}

impl Plugin for CollisionPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(TickSchedule(self.schedule))
            .register_type::<CollisionSettings>()
            .register_type::<ReportCollisions>()
            .init_resource::<CollisionSettings>()
            .init_resource::<Space>()
            .init_resource::<InvalidEntities>()
            .add_message::<Collision>()
            .init_schedule(Substep)
            .configure_sets(
                self.schedule,
                (
                    TickSystems::Gather,
                    TickSystems::BroadPhase,
                    TickSystems::Substeps,
                    TickSystems::Scatter,
                    TickSystems::Report,
                )
                    .chain()
                    .in_set(Tick),
            )
            .configure_sets(
                Substep,
                (
                    SubstepSystems::Forces,
                    SubstepSystems::Motion,
                    (
                        SubstepSystems::Settle,
                        SubstepSystems::Impacts,
                        SubstepSystems::Integrate,
                        SubstepSystems::PushApart,
                        SubstepSystems::Impulse,
                        SubstepSystems::Walls,
                        SubstepSystems::FixedCircles,
                    )
                        .chain()
                        .run_if(not_second_half),
                )
                    .chain(),
            )
            .add_systems(
                self.schedule,
                (
                    (gather::begin_tick, gather_terrain::gather_terrain, gather::gather_discs)
                        .chain()
                        .in_set(TickSystems::Gather),
                    run_broad_phase.in_set(TickSystems::BroadPhase),
                    // It has the whole world for the systems of a game; Bevy's own system beside it has nothing of ours.
                    run_substeps.in_set(TickSystems::Substeps).ambiguous_with(signal_message_update_system),
                    scatter::scatter.in_set(TickSystems::Scatter),
                    report::report.in_set(TickSystems::Report),
                ),
            )
            .add_systems(
                Substep,
                (
                    run_impacts.in_set(SubstepSystems::Impacts).run_if(is_continuous),
                    (
                        run_integrate.in_set(SubstepSystems::Integrate),
                        run_push_apart.in_set(SubstepSystems::PushApart),
                        run_impulse.in_set(SubstepSystems::Impulse),
                        run_walls.in_set(SubstepSystems::Walls),
                        run_fixed_circles.in_set(SubstepSystems::FixedCircles),
                        run_settle.in_set(SubstepSystems::Settle),
                    )
                        .run_if(not(is_continuous)),
                ),
            );
        app.edit_schedule(Substep, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        });
    }
}

fn is_continuous(space: Res<Space>) -> bool {
    space.settings.mode == Mode::Continuous
}

fn not_second_half(space: Res<Space>) -> bool {
    space.force_step != ForceStep::SecondHalf
}

/// The continuous mode looks for its own pairs.
fn run_broad_phase(mut space: ResMut<Space>) {
    if space.settings.mode == Mode::Stepped {
        space.timed(Stage::BroadPhase, broad_phase::broad_phase);
    }
}

fn run_substeps(world: &mut World) {
    let CollisionSettings { mode, substeps, .. } = world.resource::<Space>().settings;
    match mode {
        Mode::Stepped => {
            for _ in 0..substeps {
                world.resource_mut::<Space>().begin_forces(ForceStep::Substep);
                world.run_schedule(Substep);
            }
        }
        Mode::Continuous => {
            for half in [ForceStep::FirstHalf, ForceStep::SecondHalf] {
                world.resource_mut::<Space>().begin_forces(half);
                world.run_schedule(Substep);
            }
        }
    }
}

fn run_impacts(mut space: ResMut<Space>) {
    space.timed(Stage::Impacts, continuous::impacts);
}

fn run_integrate(mut space: ResMut<Space>) {
    space.timed(Stage::Integrate, integrate::integrate);
}

fn run_push_apart(mut space: ResMut<Space>) {
    space.timed(Stage::PushApart, push_apart::push_apart);
}

fn run_impulse(mut space: ResMut<Space>) {
    space.timed(Stage::Impulse, impulse::impulse);
}

fn run_walls(mut space: ResMut<Space>) {
    space.timed(Stage::Walls, walls::walls);
}

fn run_fixed_circles(mut space: ResMut<Space>) {
    space.timed(Stage::FixedCircles, fixed_circles::fixed_circles);
}

fn run_settle(mut space: ResMut<Space>) {
    space.timed(Stage::Settle, resting::settle);
}

/// One tick of `time_step` seconds on a space that was filled by hand: the same steps in the same order as the schedule
/// runs, without an ECS. `forces` stands where [`SubstepSystems::Forces`] and [`SubstepSystems::Motion`] do; pass `|_| {}` for none.
pub fn run_tick(space: &mut Space, settings: &CollisionSettings, time_step: f32, forces: impl FnMut(&mut Space)) {
    space.begin_tick(settings, time_step);
    run_begun_tick(space, forces);
}

/// Takes over settings and time step for [`run_next_tick`].
pub(crate) fn begin_ticks(space: &mut Space, settings: &CollisionSettings, time_step: f32) {
    space.begin_tick(settings, time_step);
    space.tick -= 1;
}

/// The tick after the last one, on a space that nobody has touched since [`begin_ticks`].
pub(crate) fn run_next_tick(space: &mut Space, forces: impl FnMut(&mut Space)) {
    space.tick += 1;
    space.hits.clear();
    space.path_vertices.clear();
    space.now = 0.0;
    run_begun_tick(space, forces);
}

fn run_begun_tick(space: &mut Space, mut forces: impl FnMut(&mut Space)) {
    if space.settings.mode == Mode::Continuous {
        space.begin_forces(ForceStep::FirstHalf);
        forces(space);
        continuous::impacts(space);
        space.begin_forces(ForceStep::SecondHalf);
        forces(space);
        return;
    }
    broad_phase::broad_phase(space);
    for _ in 0..space.settings.substeps {
        space.begin_forces(ForceStep::Substep);
        forces(space);
        resting::settle(space);
        integrate::integrate(space);
        push_apart::push_apart(space);
        impulse::impulse(space);
        walls::walls(space);
        fixed_circles::fixed_circles(space);
    }
}
