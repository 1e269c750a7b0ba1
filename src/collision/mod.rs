//! The physics. A tick copies the discs from their components into dense arrays ([`PhysicsSpace`]), runs the steps, and
//! copies them back.
//!
//! Each step is a plain function over [`PhysicsSpace`] in [`steps`], which also documents what one step leaves for
//! another. The system in the schedule only calls that function, so prediction, tests and benches run the same code
//! without an ECS (see [`run_tick`]).
//!
//! | order | step | where | what it does |
//! |---|---|---|---|
//! | 1 | gather | `bridge` | components → arrays; invalid values are rejected |
//! | 2 | broad phase | `broad_phase` | candidate pairs from a uniform grid, once per tick and where a disc leaves its circle |
//! | | forces | [`motion`](crate::motion) | systems of a game, then the list of forces, change velocities |
//! | 3 | settle | `settle` | brings piles to rest, if the settings ask for it |
//! | 4 | integrate | `stepped::integrate` | moves discs; they bounce where their paths hit terrain or kinematic discs |
//! | 5 | push apart | `overlap::push_apart` | separates overlapping discs, weighted by mass; records contacts |
//! | 6 | impulse | `stepped::impulse` | resolves approaching contacts with their restitution |
//! | 7 | walls | `stepped::walls` | corrects discs that were pushed into kinematic discs or walls |
//! | 8 | fixed circles | `stepped::fixed_circles` | corrects discs that were pushed into corners or bumpers |
//! | 9 | scatter | `bridge` | arrays → components |
//! | 10 | report | `bridge` | messages and entity events: hits, contacts that start and end |
//!
//! Discs that spin on a table follow the curves of [`path::trajectory`] in step 4, and hits have friction in steps 4
//! and 6 to 8. A disc whose centre enters a pocket falls in step 4.
//!
//! # Where things are
//! Each module imports only modules above it in this table; a test checks that (`tests/guides`).
//!
//! | module | contents |
//! |---|---|
//! | [`settings`], `simd`, `threads`, `shape`, `disjoint_sets` | tunables; instructions and threads; segment, circle, arc, boxes and a tree of boxes; connected groups |
//! | `periodic`, `pockets`, [`spin`] | the cell of periodic edges; pockets; models of cloth, balls and cushions |
//! | `discs` | the discs as a structure of arrays; collision filtering |
//! | `hit` | **a hit**: the target, the answer (restitution, kick, friction), the velocities after it |
//! | `broad_phase`, `joints`, `validation` | candidate pairs; joints; checks of values |
//! | `terrain`, `resting` | static terrain: its pieces, their index, the pieces that a disc touches; piles |
//! | [`path`], `moving` | **a path through a step**: a parabola by its mean velocity, sliding and rolling, kinematic; moving terrain and blocks |
//! | `sensors` | discs that enter and leave sensors |
//! | `tick` | shared by all steps: the time, the current laws, the report of events |
//! | `overlap` | removes overlaps of discs, in both modes |
//! | `settle` | a step: brings piles to rest |
//! | `space` | [`PhysicsSpace`]: all of the above for one tick, with the queries |
//! | `bridge`, [`measure`], [`precision`] | components to arrays and back; measures of a state; limits of `f32` |
//! | `account` | the account of kinetic energy by cause |
//! | `stepped`, `continuous` | the other steps of the two modes |
//! | [`steps`] | all steps, in order |
//! | `schedule` | the steps as systems |
//!
//! **A disc hits a wall.** In the stepped mode, `stepped::events` finds the first contact in the substep. In the
//! continuous mode, a scheduler finds the first one in the tick. Both ask the terrain for the `Surface` at the contact,
//! `Answers::at_surface` for the answer to the hit, and `Flight::bounce_off` ([`path`]) for the velocity after it. Both
//! record a `Hit`. A disc that was pushed into a wall, and did not fly there, bounces by `bounce_in_place` (`hit`).
//!
//! **A spinning ball hits a wall with friction that is one-way or moves.** `terrain::filter` skips a one-way wall if
//! the ball comes from behind (moving terrain is never one-way). The first contact is found as above. Both modes ask
//! `Surface` for the point of contact and the velocity of the wall there, and `Answers::at_surface` for the combined
//! answer of the two sides and the hooks. `bounce_off_cushion` gives the motion after it, relative to the surface. Each
//! then starts the ball on a new `Trajectory` and records a `Hit`. Discs that do not spin use `Flight::bounce_off` in
//! [`path`] instead.
//!
//! **A block falls on a kinematic disc at a periodic edge.** A block has no images: it is moved into the cell at the
//! end of the tick (`moving::images`). The disc follows its straight path (`discs::kinematic`), and so do its images
//! across the edges. `moving::block_impacts` finds the earliest time at which parts of the two touch (`parts_impact`),
//! and resolves the impact with their restitution; impulses have no effect on the disc. A block that would bounce
//! endlessly comes to rest in `islands` and `block_rest`.
//!
//! **Gravity** is a force: [`motion::gravity`](crate::motion::gravity) changes the velocities and sets the acceleration
//! [`Laws::gravity`]. The stepped mode bends the paths of a substep by it (`stepped::integrate`, `path::flight`), and
//! uses springs instead where piles rest. The continuous mode applies half of it before the tick and half after.
//!
//! **Endless impacts** are limited by budgets:
//!
//! | budget of | where |
//! |---|---|
//! | bounces in a substep | `stepped::events` |
//! | impacts in a tick of the continuous mode | `continuous::budgets`, and `continuous::collapse` for what comes to rest |
//! | edges that a disc crosses | `continuous::crossing` |
//! | work for resting groups | `continuous::contact_forces` |
//! | work for each block | `moving::blocks` |
//! | rounds of pushing discs out | `overlap` |
//!
//! **To extend it:**
//!
//! - A force: `app.add_force(…)`. It acts in the tick and in predictions.
//! - A shape of terrain: a variant of [`Terrain`](crate::components::Terrain) that `terrain::index` makes of walls and
//!   circles (`PlacedTerrain`). A shape that is neither straight nor round also needs a curve beside `shape::arc`. It
//!   must be handled wherever the `curve` of a wall is used: times of impact, closest points, one-way sides, areas,
//!   masses.
//! - A property of single discs: a component, and a list in `Discs` beside the arrays (such as `own_motion`) that
//!   `Discs::clear` empties. A file in `bridge` fills it (such as `gather_own_motion`), with a line in
//!   `bridge::gather`. The tick and its predictions then include it.
//!
//! # Substeps
//! Steps 3 to 8 run once per substep, after the forces, in the schedule [`Substep`]. In the continuous mode,
//! `continuous` replaces steps 2 to 8. Forces act for half of the tick, the discs move through the whole tick impact by
//! impact, and forces act for the other half. To put a system between two steps:
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
//! Components decide which entities can collide, in both modes and in predictions: layers, ignored pairs, one-way
//! walls, sensors, inactive entities; see [`CollisionLayers`](crate::components::CollisionLayers). A [`ContactHook`]
//! decides by the contact itself. It can also change the answer to a hit, beyond what components such as
//! [`RestitutionRule`](crate::components::RestitutionRule) offer. A system that removes contacts between `PushApart`
//! and `Impulse` acts only in the stepped mode, after the discs have been pushed apart.
//!
//! # Impulses, forces, gravity
//! | what | where | how |
//! |---|---|---|
//! | an impulse: a shot, an explosion, a jump | a system in `FixedUpdate`, or anywhere before the [`SimulationSystems`] | change the component [`Velocity`](crate::components::Velocity) once |
//! | the same as a command; another position or velocity | anywhere with `Commands` | [`motion::MotionCommands`](crate::motion::MotionCommands): `commands.entity(disc).apply_impulse(…)` |
//! | a constant force on single discs | on the disc | [`ConstantForce`](crate::components::ConstantForce), [`ConstantTorque`](crate::components::ConstantTorque); included in predictions |
//! | a force, a field or a rule that keeps acting | the list [`motion::Forces`](crate::motion::Forces), by `app.add_force(…)` | a function over [`PhysicsSpace`]: `velocity += acceleration * space.substep()`; included in predictions |
//! | a force that needs the ECS within the tick | a system in [`SubstepSystems::Forces`] | [`motion::force`](crate::motion::force) on each of its discs; not included in predictions |
//! | a custom gravity | either of these | [`motion::gravity`](crate::motion::gravity), so that piles find their supports |
//!
//! Both kinds of forces run several times per tick, so their effect must be proportional to [`PhysicsSpace::substep`].
//! The arrays of [`Discs`] are in the order of [`StableId`](crate::components::StableId); [`Discs::index_of`] finds a
//! disc in them. `examples/forces.rs` shows all kinds.
//!
//! While [`Playback`](crate::timeline::Playback) is paused, the tick does not run but `FixedUpdate` does. A system
//! there that changes a velocity in every run keeps adding, and the whole sum acts in the next tick. Give it
//! [`.run_if(will_tick)`](crate::timeline::will_tick). A force in [`Substep`] needs no condition, as that schedule is
//! part of the tick.
//!
//! # Ambiguity is an error
//! A system that writes [`Velocity`](crate::components::Velocity) or [`PhysicsSpace`] and is not ordered against the
//! tick may run in the middle of it, and what it writes is lost. Order it `.before(SimulationSystems)`,
//! `.after(SimulationSystems)`, or between two of the sets. Our own systems are ordered, and none is ambiguous with
//! systems in [`SubstepSystems::Forces`]. Bevy finds missing orders:
//!
//! ```
//! # use bevy::{ecs::schedule::{LogLevel, ScheduleBuildSettings}, prelude::*};
//! # let mut app = App::new();
//! app.edit_schedule(FixedPostUpdate, |schedule| {
//!     schedule.set_build_settings(ScheduleBuildSettings { ambiguity_detection: LogLevel::Error, ..default() });
//! });
//! ```
//!
//! The message names the systems and the data only with Bevy's feature `debug`, which is off by default:
//! `bevy = { version = "0.19", features = ["debug"] }`. Without it you see `<Enable the debug feature to see the name>`
//! instead of the names.
//!
//! # Several worlds
//! Worlds share nothing but the threads. Any number of apps can tick in one process, one after the other or in
//! parallel, and each gives the same bits as it would alone.
//!
//! # Two modes
//! [`SolverMode::Stepped`] is the table above. [`SolverMode::Continuous`] resolves the earliest impact of the tick
//! first, at its exact time, and misses none: see `continuous`.
//!
//! # Errors of the stepped mode
//! A hit of two discs is detected at the end of a substep, so it is late by half a substep on average and by at most
//! one. Hits on terrain and [`Kinematic`](crate::components::Kinematic) discs happen at their exact times.
//!
//! Two discs that approach by more than the sum of their radii within a substep can pass through each other. Grazing
//! hits are also missed below that speed. Let `v` be the relative speed, `r` and `R` the radii, `h` the substep in
//! seconds, and `s = v h / (r + R)`. The table shows the share of hits for which no substep ends while the discs
//! overlap and still approach. Measurement and geometry agree (`tests/physics/two_discs.rs`). Head-on hits are never
//! missed up to `s = 1`, whatever the source of the speed. Walls let no centre through, at any speed and under any push
//! (`tests/physics/containment.rs`).
//!
//! | s | 0.25 | 0.5 | 1 | 2 |
//! |---|---|---|---|---|
//! | missed | 1.0 % | 4.3 % | 21 % | 61 % |
//!
//! A disc that rests on another disc more than about five times lighter sinks into it, and eventually through it.
//! Push-apart moves each by the other's share of the mass, and no step considers both and the floor together. More
//! substeps help; the continuous mode does not have this error.
//!
//! The effect on many discs (`tests/physics/reference.rs`), for a gas of discs of 1 m diameter at about 1.4 m/s. Its
//! pressure agrees with that of hard discs, at an area fraction of 0.3, within these bounds of the long tests,
//! `cargo test --release --test physics -- --ignored`:
//!
//! | mode | step | bound |
//! |---|---|---|
//! | stepped | 4 ms | 3 % |
//! | stepped | 2 ms | 2 % |
//! | stepped | 1 ms | 1 % |
//! | continuous | 20 and 100 ms | 1 %, the noise of the sample |
//!
//! A plain `cargo test` has shorter samples, and bounds of 3 and 1.5 %.
//!
//! Energy and momentum are conserved to rounding at any time step, as every detected hit is resolved exactly. With
//! gravity, the sum of kinetic and potential energy is conserved. The exception is a push out of terrain that lifts a
//! disc by more than its speed can pay for (`tests/physics/rest.rs`).
//!
//! # Performance
//! The broad phase keeps discs in the order of their cells ([`Grid`]) and tests eight candidates with one instruction
//! if the processor can ([`SimdLevel`]). Columns of components are copied as a whole. From some tens of thousands of
//! discs on, large stages can be divided among threads ([`Threads`]). Terrain is kept in a tree of boxes between ticks
//! and updated piece by piece (`benches/terrain.rs`). None of this affects the result: it is bit-identical for all
//! kinds of instructions, any number of threads, and any history of the terrain.
//!
//! # Order of resolution
//! Contacts are resolved in the order of the [`StableId`](crate::components::StableId)s of their discs, in a pile by
//! the height of the lower disc. So the order follows from the components alone, however entities were spawned and
//! stored, and anything out of reach changes not one bit. One exception: of a heap of discs in one spot, about 128
//! pairs per disc are examined in a tick. Their choice depends on the rest of the scene.
//!
//! # Public API
//! The sets and schedules, [`PhysicsSpace`], the messages, the settings, [`Snapshot`], [`TimeOfImpact`], [`response`],
//! [`measure`] and [`precision`].
//!
//! - Between two steps, a system may read every public field of [`PhysicsSpace`]. It may write positions, velocities,
//!   radii, masses and restitutions of the discs, the contacts, and the gravity.
//! - Between two ticks, the components are the source of truth, and writes to the space are lost.
//! - You may call the functions of the steps yourself, in the order of the table. Private fields of [`PhysicsSpace`]
//!   that they share follow from the public fields, and may change without notice.

pub(crate) mod account;
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
pub(crate) use bridge::snapshot::show_components;
pub use bridge::{
    contacts::{CONTACT_SLOP, CollidingEntities, ContactEnded, ContactStarted},
    report::{AllAtRest, Collision, CollisionEvent, LeftTable, Potted, ReportCollisions},
    sensors::{SensorOverlapEnded, SensorOverlapStarted},
    snapshot::Snapshot,
};
pub use broad_phase::grid::Grid;
pub use discs::{DiscComponents, DiscForce, DiscHeight, DiscState, Discs, OwnMotion};
pub use hit::answers::{ContactHook, ContactHooks, ContactResponse, ContactView};
pub use hit::{Contact, FallenDisc, Hit, HitTarget, LandedBall, TimeOfImpact, VelocityChange, response};
pub use path::PathVertex;
pub(crate) use periodic::Cell;
pub use periodic::MIN_PERIOD;
pub use pockets::PocketCircle;
pub use schedule::{
    CollisionPlugin, PhysicsSchedule, SimulationSystems, Substep, SubstepSystems, TickSystems, require_physics,
    run_tick, tick_schedule,
};
pub(crate) use schedule::{RunPhysics, begin_ticks, replay_physics, run_next_tick};
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
pub(crate) use tick::Moment;
#[cfg(feature = "scene")]
pub(crate) use tick::Replaying;
pub use tick::{Cause, Clock, Compute, ForceStep, Laws, Report, ScanLimit, Stage};
pub use validation::{InvalidEntities, check_disc};
