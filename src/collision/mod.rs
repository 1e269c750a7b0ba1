//! The physics: dense arrays, one file per ordered step of the tick.
//!
//! The files carry the number of their step. Each step is a plain function over [`Space`]; the system that stands for it in
//! the schedule only calls it, so prediction, tests and benches run the same code without an ECS (see [`run_tick`]).
//!
//! | order | step | what it does |
//! |---|---|---|
//! | 1 | [`gather`] | components → arrays; bad values are refused |
//! | 2 | [`broad_phase`] | candidate pairs from a uniform grid, once a tick |
//! | 3 | [`settle`] | forces have acted on the velocities; piles come to rest, where the settings ask for it |
//! | 4 | [`integrate`] | positions move by their velocities |
//! | 5 | [`push_apart`] | overlapping discs part, weighted by mass; contacts are noted |
//! | 6 | [`impulse`] | contacts that approach are answered with their restitution |
//! | 7 | [`walls`] | discs and walls |
//! | 8 | [`corners`] | discs and corners, discs and bumpers |
//! | 9 | [`scatter`] | arrays → components |
//! | 10 | [`report`] | collision messages |
//!
//! 3 to 8 run once per substep, in the schedule [`Substep`]. In the continuous mode, [`continuous`] stands for 2 and 4 to 8: forces
//! act for half of the tick, the discs go through all of it impact by impact, and forces act for the other half. To put a system between two steps:
//!
//! ```
//! # use bevy::prelude::*;
//! # use carom::prelude::*;
//! fn swap_the_first_two(mut space: ResMut<Space>) {
//!     if space.bodies.len() > 1 {
//!         space.bodies.velocity.swap(0, 1);
//!     }
//! }
//! # let mut app = App::new();
//! app.add_systems(
//!     Substep,
//!     swap_the_first_two.after(SubstepSystems::PushApart).before(SubstepSystems::Impulse),
//! );
//! ```
//!
//! # Two modes
//! [`Mode::Stepped`] is the table above. [`Mode::Continuous`] answers the earliest impact of the tick first, at its exact time, and
//! misses none: see [`continuous`].
//!
//! # What the stepped mode gets wrong
//! A hit is seen at the end of a substep, so it comes half a substep late on average and a whole one at most.
//!
//! Discs that approach by more than the sum of their radii within a substep can pass through each other, and grazing hits
//! are missed below that: with a relative speed `v`, radii `r` and `R`, substeps of `h` seconds and `s = v h / (r + R)`, this
//! share of all hits finds no substep that ends while the discs overlap and still approach (measured, and what geometry says:
//! `tests/physics/two_discs.rs`). Head-on hits are never missed up to `s = 1`. Walls let no centre through, at any speed.
//!
//! | s | 0.25 | 0.5 | 1 | 2 |
//! |---|---|---|---|---|
//! | missed | 1.0 % | 4.3 % | 21 % | 61 % |
//!
//! What that makes of many discs (`tests/physics/reference.rs`): a gas whose discs of 1 m diameter move at some 1.4 m/s shows
//! the pressure of hard discs at an area fraction of 0.3 to 2.4 % with substeps of 4 ms, to 1.4 % with 2 ms, and to 0.1 % with
//! 1 ms. In the continuous mode it shows them to the noise of the sample, whatever the step.
//! Energy and momentum themselves are kept to rounding at any time step: every hit that is seen is answered exactly.
//!
//! # How it is fast
//! The broad phase keeps discs in the order of their cells ([`Grid`]) and tests sixteen candidates with one instruction where
//! the processor can ([`Lanes`]); columns of components are copied whole; from some tens of thousands of discs on, the large
//! stages are divided among threads ([`Threads`]). None of this shows in the result: the same bits come out of every kind of
//! instructions and any number of threads.
//!
//! # In which order contacts are answered
//! By level and cell of the grid, row by row, and within a cell by [`StableId`](crate::body::StableId): so it follows from
//! the components alone, however entities were spawned and wherever they are stored.

use bevy::{ecs::schedule::ScheduleLabel, prelude::*};

#[path = "02_broad_phase.rs"]
pub mod broad_phase;
pub mod continuous;
#[path = "08_corners.rs"]
pub mod corners;
#[path = "01_gather.rs"]
pub mod gather;
mod grid;
#[path = "06_impulse.rs"]
pub mod impulse;
#[path = "04_integrate.rs"]
pub mod integrate;
mod lanes;
pub mod measure;
mod pile;
pub mod precision;
#[path = "05_push_apart.rs"]
pub mod push_apart;
#[path = "10_report.rs"]
pub mod report;
#[path = "09_scatter.rs"]
pub mod scatter;
pub mod settings;
#[path = "03_settle.rs"]
pub mod settle;
pub mod space;
mod tables;
pub(crate) mod threads;
#[path = "07_walls.rs"]
pub mod walls;

pub use continuous::Meeting;
pub use gather::{Present, Refused};
pub use grid::Grid;
pub use lanes::Lanes;
pub use report::{Collided, Collision, Hit, Other, ReportCollisions};
pub use settings::{CollisionSettings, LIMIT, Mode, SettingError, combine_restitution};
pub use space::{Bodies, Contact, Corner, Disc, DiscComponents, Few, Kick, Space, Stage, Turn, Wall};
pub use threads::Threads;

/// The whole tick, in [`FixedUpdate`]: order your own systems before or after it, or hold it back with a run condition.
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
    /// Forces change velocities. Empty here; [`motion`](crate::motion) is the example of what goes in.
    Forces,
    /// Piles come to rest, where the settings ask for it.
    Settle,
    /// Impact by impact through the tick, in the continuous mode. The steps below then find nothing to do.
    Impacts,
    /// Positions move by their velocities.
    Integrate,
    /// Overlapping discs part; contacts are noted.
    PushApart,
    /// Contacts that approach are answered.
    Impulse,
    /// Discs and walls.
    Walls,
    /// Discs and corners, discs and bumpers.
    Corners,
}

/// Adds the ordered pipeline to [`FixedUpdate`], and the schedule [`Substep`].
pub struct CollisionPlugin;

impl Plugin for CollisionPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<CollisionSettings>()
            .register_type::<ReportCollisions>()
            .init_resource::<CollisionSettings>()
            .init_resource::<Space>()
            .init_resource::<Refused>()
            .add_message::<Collision>()
            .init_schedule(Substep)
            .configure_sets(
                FixedUpdate,
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
                    (
                        SubstepSystems::Settle,
                        SubstepSystems::Impacts,
                        SubstepSystems::Integrate,
                        SubstepSystems::PushApart,
                        SubstepSystems::Impulse,
                        SubstepSystems::Walls,
                        SubstepSystems::Corners,
                    )
                        .chain()
                        .run_if(not_second_half),
                )
                    .chain(),
            )
            .add_systems(
                FixedUpdate,
                (
                    (gather::begin_tick, gather::gather_terrain, gather::gather_bodies)
                        .chain()
                        .in_set(TickSystems::Gather),
                    run_broad_phase.in_set(TickSystems::BroadPhase),
                    run_substeps.in_set(TickSystems::Substeps),
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
                        run_corners.in_set(SubstepSystems::Corners),
                        run_settle.in_set(SubstepSystems::Settle),
                    )
                        .run_if(not(is_continuous)),
                ),
            );
        app.edit_schedule(Substep, |schedule| {
            schedule.set_executor(bevy::ecs::schedule::SingleThreadedExecutor::new());
        });
    }
}

fn is_continuous(space: Res<Space>) -> bool {
    space.settings.mode == Mode::Continuous
}

fn not_second_half(space: Res<Space>) -> bool {
    space.kick != Kick::Second
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
                world.run_schedule(Substep);
            }
        }
        Mode::Continuous => {
            for half in [Kick::First, Kick::Second] {
                world.resource_mut::<Space>().kick = half;
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

fn run_corners(mut space: ResMut<Space>) {
    space.timed(Stage::Corners, corners::corners);
}

fn run_settle(mut space: ResMut<Space>) {
    space.timed(Stage::Settle, settle::settle);
}

/// One tick of `time_step` seconds on a space that was filled by hand: the same steps in the same order as the schedule
/// runs, without an ECS. `forces` stands where [`SubstepSystems::Forces`] does; pass `|_| {}` for none.
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
    space.turns.clear();
    space.gravity = Vec2::ZERO;
    space.now = 0.0;
    run_begun_tick(space, forces);
}

fn run_begun_tick(space: &mut Space, mut forces: impl FnMut(&mut Space)) {
    if space.settings.mode == Mode::Continuous {
        space.kick = Kick::First;
        forces(space);
        continuous::impacts(space);
        space.kick = Kick::Second;
        forces(space);
        return;
    }
    broad_phase::broad_phase(space);
    for _ in 0..space.settings.substeps {
        forces(space);
        settle::settle(space);
        integrate::integrate(space);
        push_apart::push_apart(space);
        impulse::impulse(space);
        walls::walls(space);
        corners::corners(space);
    }
}
