//! The physics: a tick takes the discs from their components into dense arrays ([`PhysicsSpace`]), through the steps, and
//! back.
//!
//! Each step is a plain function over [`PhysicsSpace`], in [`steps`], which also says what one step leaves for another. The
//! system that stands for it in the schedule only calls it, so prediction, tests and benches run the same code without
//! an ECS (see [`run_tick`]).
//!
//! | order | step | where | what it does |
//! |---|---|---|---|
//! | 1 | gather | `bridge` | components → arrays; bad values are rejected |
//! | 2 | broad phase | `broad_phase` | candidate pairs from a uniform grid, once a tick; what leaves its circle is asked for again |
//! | | forces | [`motion`](crate::motion) | systems of a game, then the list of forces, change velocities |
//! | 3 | settle | `settle` | piles come to rest, where the settings ask for it |
//! | 4 | integrate | `stepped::integrate` | positions move by their velocities, and bounce where their paths meet terrain or kinematic discs |
//! | 5 | push apart | `overlap::push_apart` | overlapping discs part, weighted by mass; contacts are recorded |
//! | 6 | impulse | `stepped::impulse` | contacts that approach are resolved with their restitution |
//! | 7 | walls | `stepped::walls` | discs that were pushed into kinematic ones, and into walls |
//! | 8 | fixed circles | `stepped::fixed_circles` | discs that were pushed into corners and bumpers |
//! | 9 | scatter | `bridge` | arrays → components |
//! | 10 | report | `bridge` | messages and entity events: hits, contacts that begin and end |
//!
//! Discs that spin on a table follow the curves of [`path::trajectory`] in 4, and hits rub in 4 and 6 to 8; a disc
//! whose centre enters a pocket falls in 4.
//!
//! # Where things are
//! Each module imports only modules that stand above it here; a test goes by this table (`tests/guides.rs`).
//!
//! | module | what it holds |
//! |---|---|
//! | [`settings`], `simd`, `threads`, `shape`, `disjoint_sets` | tunables; instructions and threads; segment, circle, arc, boxes and a tree of boxes; who is connected with whom |
//! | `periodic`, `pockets`, [`spin`] | the cell of periodic edges; pockets; models of cloth, balls and cushions |
//! | `discs` | the discs as a structure of arrays, and who collides with whom |
//! | `hit` | **a hit**: what is hit, how that is answered (restitution, kick, friction), what becomes of the velocities |
//! | `broad_phase`, `joints`, `validation` | candidate pairs; joints; which values cannot be simulated |
//! | `terrain`, `resting` | terrain that stands: its pieces, an index of them, what a disc touches; what is known of a pile |
//! | [`path`], `moving` | **a way through a step**: a parabola by its mean velocity, sliding and rolling, kinematic; terrain that moves, and blocks |
//! | `sensors` | who enters and leaves sensors |
//! | `tick` | what all steps share: the time, the laws that hold, the report of what happened |
//! | `overlap` | discs come out of what they overlap, in both modes |
//! | `settle` | a step: piles come to rest |
//! | `space` | [`PhysicsSpace`]: all of the above for one tick, with the queries |
//! | `bridge`, [`measure`], [`precision`] | components to arrays and back; measures of a state; what `f32` cannot carry |
//! | `stepped`, `continuous` | the other steps of the two modes |
//! | [`steps`] | all steps, in their order |
//! | `schedule` | the same as systems |
//!
//! **A disc hits a wall.** In the stepped mode `stepped::events` finds what it touches first in the substep, in the
//! continuous mode a scheduler what it meets first in the tick. Both ask the terrain for the `Surface` that it touches,
//! `Answers::at_surface` how that hit is answered, and `Flight::bounce_off` ([`path`]) for the velocity after it; both
//! record a `Hit`. What was pushed into a wall, and did not fly there, bounces by `bounce_in_place` (`hit`).
//!
//! **A ball that spins hits a rubbing wall, one-way or moving.** `terrain::filter` leaves a one-way wall out where the
//! ball comes from behind (terrain that moves is never one-way). In the stepped mode `stepped::events` finds the
//! earliest touch of the substep, in the continuous mode a scheduler that of the tick. Both ask `Surface` where they
//! touch and how fast the wall moves there, `Answers::at_surface` what the two sides and the hooks make of the hit, and
//! `bounce_off_cushion` for the motion after it, seen from the surface. Each then sets the ball out on a new
//! `Trajectory` and records a `Hit`. Discs that do not spin go by `Flight::bounce_off` in [`path`] instead.
//!
//! **A block falls on a kinematic disc at a periodic edge.** A block is one thing at one place: it has no images, and
//! is taken into the cell where the tick ends (`moving::images`). The disc goes its straight way (`discs::kinematic`),
//! and so do its images across the edges.
//! `moving::block_impacts` finds the earliest time at which parts of the two touch (`parts_impact`), and resolves it
//! with the restitution of the two; impulses have no effect on the disc. What would go on bouncing without an end comes
//! to rest in `islands` and `block_rest`.
//!
//! **Gravity** is a force: [`motion::gravity`](crate::motion::gravity) changes the velocities and names the
//! acceleration, [`Laws::gravity`]. The stepped mode bends the paths of a substep by it (`stepped::integrate`,
//! `path::flight`), and lets springs act instead where piles rest. The continuous mode has half of it before the tick
//! and half after.
//!
//! **Impacts that would never end** have a budget: of bounces in a substep (`stepped::events`), of impacts in a tick of
//! the continuous mode (`continuous::budgets`; `continuous::collapse` says what comes to rest with the last), of edges
//! that a disc crosses (`continuous::crossing`), of work for groups that are held (`continuous::contact_forces`) and
//! for each block (`moving::blocks`), of rounds in which discs are pushed out (`overlap`).
//!
//! **A game adds** a force by `app.add_force(…)`, which acts in the tick and in predictions. A new shape of terrain is
//! a variant of [`Terrain`](crate::components::Terrain) that `terrain::index` makes of walls and circles
//! (`PlacedTerrain`); only one that is neither straight nor round needs more: a curve beside `shape::arc`, and an
//! answer wherever a wall is asked for its `curve` (times of impact, what is closest, one-way sides, areas, masses). A
//! new property of single discs is a component, a list in `Discs` beside the arrays (as `own_motion`), which
//! `Discs::clear` empties, a file in `bridge` that fills it (as `gather_own_motion`), and a line in `bridge::gather`:
//! the tick and its predictions follow from that.
//!
//! # Substeps
//! 3 to 8 run once per substep, after the forces, in the schedule [`Substep`]. In the continuous mode, `continuous`
//! stands for 2 to 8: forces act for half of the tick, the discs go through all of it impact by impact, and
//! forces act for the other half. To put a system between two steps:
//!
//! ```
//! # use bevy::prelude::*;
//! # use carom::prelude::*;
//! fn swap_the_first_two(mut space: ResMut<PhysicsSpace>) {
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
//! Whom to leave out is decided by components, in both modes and in predictions: layers, pairs that ignore each other,
//! one-way walls, sensors, what is inactive; see [`CollisionLayers`](crate::components::CollisionLayers). What depends
//! on the contact itself is decided by a [`ContactHook`], and so is how a hit is answered where components
//! ([`RestitutionRule`](crate::components::RestitutionRule)) do not say it. A system that takes contacts out between
//! `PushApart` and `Impulse` acts in the stepped mode alone, where the discs have been pushed apart by then.
//!
//! # Kicks, forces, gravity
//! | what | where | how |
//! |---|---|---|
//! | a kick: a shot, an explosion, a jump | a system in `FixedUpdate`, or anywhere before the [`SimulationSystems`] | change the component [`Velocity`](crate::components::Velocity): once |
//! | the same as a command; another place, another velocity | anywhere with `Commands` | [`motion::MotionCommands`](crate::motion::MotionCommands): `commands.entity(disc).apply_impulse(…)` |
//! | a force on single discs, the same all the time | on the disc | [`ConstantForce`](crate::components::ConstantForce), [`ConstantTorque`](crate::components::ConstantTorque): predictions know them |
//! | a force, a field, a rule, as long as it acts | the list [`motion::Forces`](crate::motion::Forces), by `app.add_force(…)` | a function over [`PhysicsSpace`]: `velocity += acceleration * space.substep()`; predictions know it |
//! | a force that needs the ECS within the tick | a system in [`SubstepSystems::Forces`] | [`motion::force`](crate::motion::force) on each of its discs; no prediction knows it |
//! | a gravity of one's own | either | [`motion::gravity`](crate::motion::gravity), so that piles know which way is down |
//!
//! Forces of both kinds run several times a tick, so what they add must be in proportion to [`PhysicsSpace::substep`]. The
//! array [`Discs`] lies in the order of [`StableId`](crate::components::StableId): [`Discs::index_of`] finds a disc in
//! it. `examples/forces.rs` has them all.
//!
//! While [`Playback`](crate::timeline::Playback) is paused, the tick does not run but `FixedUpdate` does. A system
//! there that changes a velocity every time it runs goes on adding, and all of it acts in the next tick. Give it
//! [`.run_if(will_tick)`](crate::timeline::will_tick); a force in [`Substep`] needs nothing, as that schedule is part
//! of the tick.
//!
//! # Ambiguity is an error
//! A system that writes [`Velocity`](crate::components::Velocity) or [`PhysicsSpace`] and is not ordered against the tick may
//! run in the middle of it, and what it writes is lost. So order it `.before(SimulationSystems)`, `.after(SimulationSystems)`, or between two of
//! the sets; our own systems have an order, and none of them is ambiguous with what a game puts into
//! [`SubstepSystems::Forces`]. Bevy finds what was forgotten:
//!
//! ```
//! # use bevy::{ecs::schedule::{LogLevel, ScheduleBuildSettings}, prelude::*};
//! # let mut app = App::new();
//! app.edit_schedule(FixedPostUpdate, |schedule| {
//!     schedule.set_build_settings(ScheduleBuildSettings { ambiguity_detection: LogLevel::Error, ..default() });
//! });
//! ```
//!
//! Its message names the systems and what they both want only with Bevy's feature `debug`, which is not among the
//! default ones: `bevy = { version = "0.19", features = ["debug"] }`. Without it, `<Enable the debug feature to see the
//! name>` stands for the names.
//!
//! # Several worlds
//! Nothing is shared between worlds but the threads: as many apps as one likes may tick in one process, one after the
//! other or side by side, and each gets the bits that it would get alone.
//!
//! # Two modes
//! [`SolverMode::Stepped`] is the table above. [`SolverMode::Continuous`] resolves the earliest impact of the tick first, at its
//! exact time, and misses none: see `continuous`.
//!
//! # What the stepped mode gets wrong
//! A hit of two discs is seen at the end of a substep, so it comes half a substep late on average and a whole one at
//! most. Terrain and [`Kinematic`](crate::components::Kinematic) discs are met at their exact times.
//!
//! Discs that approach by more than the sum of their radii within a substep can pass through each other, and grazing
//! hits are missed below that: with a relative speed `v`, radii `r` and `R`, substeps of `h` seconds and
//! `s = v h / (r + R)`, this share of all hits finds no substep that ends while the discs overlap and still approach
//! (measured, and what geometry says: `tests/physics/two_discs.rs`). Head-on hits are never missed up to `s = 1`,
//! however a disc came by its speed. Walls let no centre through, at any speed and whoever pushes
//! (`tests/physics/containment.rs`).
//!
//! | s | 0.25 | 0.5 | 1 | 2 |
//! |---|---|---|---|---|
//! | missed | 1.0 % | 4.3 % | 21 % | 61 % |
//!
//! A disc that rests on one more than some five times lighter sinks into it, and at last through it, as each is moved
//! by the other's share of the mass and nothing looks at both and the floor together; substeps help, and the continuous
//! mode is free of it.
//!
//! What that makes of many discs (`tests/physics/reference.rs`): a gas whose discs of 1 m diameter move at some 1.4 m/s
//! shows the pressure of hard discs at an area fraction of 0.3 to 3 % with substeps of 4 ms, to 2 % with 2 ms, and to 1
//! % with 1 ms; in the continuous mode to 1 % with steps of 20 and of 100 ms, which is the noise of the sample. Those
//! are the bounds of the long tests, `cargo test --release --test physics -- --ignored`; a plain `cargo test` has
//! shorter samples, and bounds of 3 and 1.5 %. Energy and momentum themselves are kept to rounding at any time step:
//! every hit that is seen is resolved exactly. With gravity, kinetic energy and that of height are together what they
//! were, but for a push out of terrain that lifts a disc by more than it can pay for with its speed
//! (`tests/physics/rest.rs`).
//!
//! # How it is fast
//! The broad phase keeps discs in the order of their cells ([`Grid`]) and tests eight candidates with one instruction
//! where the processor can ([`SimdLevel`]); columns of components are copied whole; from some tens of thousands of
//! discs on, the large stages may be divided among threads ([`Threads`]). Terrain lies in a tree of boxes that is kept
//! between ticks and changed piece by piece (`benches/terrain.rs`). None of this shows in the result: the same bits
//! come out of every kind of instructions and any number of threads, and however the terrain came to be what it is.
//!
//! # In which order contacts are resolved
//! By the [`StableId`](crate::components::StableId)s of their discs; in a pile by the height of the lower disc. So it
//! follows from the components alone, however entities were spawned and wherever they are stored, and what is out of
//! reach changes nothing: not one bit. (Of a heap of discs in one spot only some 128 pairs a disc are looked at in a
//! tick, and which ones does depend on what else is there.)
//!
//! # What is API
//! The sets and schedules, [`PhysicsSpace`], the messages, the settings, [`Snapshot`], [`TimeOfImpact`], [`response`],
//! [`measure`] and [`precision`]. Between two steps a system may read every public field of [`PhysicsSpace`], and write the
//! discs' positions, velocities, radii, masses and restitutions, the contacts and the gravity. Between two ticks the
//! components are the truth, and what is written there is lost. The functions of the steps may be called by hand, in
//! the order of the table; what they keep for each other in [`PhysicsSpace`] is private, follows from the public fields, and
//! changes without notice.

mod bridge;
pub mod broad_phase;
pub mod continuous;
mod discs;
mod disjoint_sets;
mod hit;
mod joints;
pub mod measure;
mod moving;
mod overlap;
pub mod path;
mod periodic;
mod pockets;
pub mod precision;
mod resting;
mod schedule;
mod sensors;
pub mod settings;
pub mod settle;
mod shape;
mod simd;
mod space;
pub mod spin;
pub mod stepped;
pub mod steps;
mod terrain;
pub(crate) mod threads;
mod tick;
mod validation;

pub use crate::components::{CombineRule, LIMIT};
pub use bridge::{
    contacts::{CONTACT_SLOP, CollidingEntities, ContactEnded, ContactStarted},
    report::{AllAtRest, Collision, CollisionEvent, Potted, ReportCollisions},
    sensors::{SensorOverlapEnded, SensorOverlapStarted},
    snapshot::Snapshot,
};
pub use broad_phase::grid::Grid;
pub use discs::{DiscComponents, DiscForce, DiscState, Discs, OwnMotion};
pub use hit::answers::{ContactHook, ContactHooks, ContactResponse, ContactView};
pub use hit::{Contact, Hit, HitTarget, PottedDisc, TimeOfImpact, response};
pub use path::PathVertex;
pub use periodic::MIN_PERIOD;
pub use pockets::PocketCircle;
pub use schedule::{
    CollisionPlugin, SimulationSystems, Substep, SubstepSystems, TickSystems, require_physics, run_tick, tick_schedule,
};
pub(crate) use schedule::{begin_ticks, run_next_tick};
pub use settings::{CollisionSettings, Periodic, SolverMode};
#[cfg(feature = "scene")]
pub(crate) use shape::{Bounds, Tree};
pub use shape::{FixedCircle, Wall, arc::Curve};
pub use simd::SimdLevel;
#[cfg(feature = "input")]
pub(crate) use space::InitialState;
pub use space::PhysicsSpace;
pub use space::query::{CastHit, CastPath, NearestPoint, PathCast, PathPoint, SpatialQuery, SpatialQueryFilter};
pub use threads::Threads;
pub use tick::{Clock, Compute, ForceStep, Laws, Report, ScanLimit, Stage};
pub use validation::{InvalidEntities, check_disc};
