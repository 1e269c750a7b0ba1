//! Discs that collide: a billiards game, a base for your own games, and a collision laboratory, on Bevy.
//!
//! Add [`PhysicsPlugins`] and spawn a [`Disc`](components::Disc):
//!
//! ```
//! use bevy::{prelude::*, time::TimeUpdateStrategy};
//! use carom::prelude::*;
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
//! // Every update after the first runs one tick. Leave this out in a game.
//! app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
//! app.world_mut().spawn(Terrain::Segment { a: vec2(1.0, -5.0), b: vec2(1.0, 5.0) });
//! let disc = app.world_mut().spawn((Disc, Velocity(vec2(6.0, 0.0)), Radius(0.5))).id();
//! for _ in 0..20 {
//!     app.update();
//! }
//! assert_eq!(app.world().get::<Velocity>(disc), Some(&Velocity(vec2(-6.0, 0.0))));
//! ```
//!
//! By default gravity is zero and every restitution is 1. You can change [`MotionSettings`](motion::MotionSettings) and
//! [`CollisionSettings`](collision::CollisionSettings) at any time.
//!
//! # Units
//! Metres, kilograms and seconds; y points up. Angles are in radians, counter-clockwise.
//!
//! # Where your systems go
//! The tick runs in `FixedPostUpdate`, in the set [`SimulationSystems`](collision::SimulationSystems).
//!
//! | your system | where it goes |
//! |---|---|
//! | game logic, and an impulse that acts once | `FixedUpdate`; write to components such as `Velocity` |
//! | game logic that writes a velocity each time it runs | the same, with [`.run_if(will_tick)`](timeline::will_tick) |
//! | a continuous force | the list [`Forces`](motion::Forces), with `app.add_force(…)`; predictions include it |
//! | reading the result of a tick | `FixedPostUpdate`, `.after(SimulationSystems)` |
//! | a change between two steps of the tick | see [`collision`] |
//!
//! `FixedUpdate` also runs while the simulation is paused. Without `will_tick`, changes of a velocity then add up.
//!
//! Set the time step with `Time::<Fixed>::from_hz(60.0)`. [`Playback`](timeline::Playback) changes the clocks of an app
//! only when you use it.
//!
//! # Modules
//! A module imports only modules above it in this list.
//!
//! - [`notice`]: messages for the player.
//! - [`components`]: the data on entities: discs, terrain, joints, mass, materials, collision filters.
//! - [`collision`]: the physics, with one folder per stage of the tick.
//! - [`motion`]: the list of forces that act in every substep, including gravity, drag and friction.
//! - [`timeline`]: pause, single step, time scale, prediction, history.
//! - [`billiards`]: balls that spin on cloth, cushions, pockets, the cue, tables as data.
//! - [`plane`]: several windows, displays or tiles as one table.
//! - [`interpolation`]: the positions of a frame, between two ticks, and `Transform`s that follow them.
//! - [`laboratory`]: measurements of a running simulation, with errors and theory.
#![cfg_attr(feature = "scene", doc = "- [`random`]: random numbers that are the same on every platform.")]
#![cfg_attr(
    feature = "scene",
    doc = "- [`link`]: a scene, a state or a match as text that fits behind the `#` of an address."
)]
#![cfg_attr(feature = "scene", doc = "- [`scene`]: scenes as files and assets, generators, states, saving.")]
#![cfg_attr(feature = "scene", doc = "- [`run_file`]: runs as files that replay bit-identically.")]
#![cfg_attr(
    feature = "scene",
    doc = "- [`experiments`]: questions with a prediction, a measurement and an exact result."
)]
#![cfg_attr(feature = "games", doc = "- [`games`]: rule books as plain functions, matches, bots, the coach.")]
#![cfg_attr(feature = "view", doc = "- [`view`]: cameras, canvas and drawing. It never changes the simulation.")]
#![cfg_attr(feature = "view", doc = "- [`debug`]: what the physics sees, drawn over any game.")]
#![cfg_attr(feature = "sound", doc = "- [`sound`]: sounds of hits and potted balls.")]
#![cfg_attr(feature = "input", doc = "- [`input`]: mouse, touch, keys and gamepads.")]
#![cfg_attr(feature = "input", doc = "- [`editor`]: tools that edit a scene; undo.")]
#![cfg_attr(feature = "input", doc = "- [`shell`]: files, links, help, and the buttons around the table.")]
#![cfg_attr(feature = "panel", doc = "- [`panel`]: the panel that tunes everything, built on egui.")]
#![cfg_attr(feature = "panel", doc = "- [`lessons`]: the shipped lessons, one file each.")]
#![cfg_attr(feature = "panel", doc = "- [`instruments`]: live measurements and plots.")]
#![cfg_attr(feature = "panel", doc = "- [`time_bar`]: the time bar: back to any moment, and two futures compared.")]
#![cfg_attr(feature = "hud", doc = "- [`hud`]: the display of a match, and its controls for people.")]
#![cfg_attr(feature = "remote", doc = "- [`remote`]: settings and components, read and written by other programs.")]
#![cfg_attr(feature = "cli", doc = "- [`program`]: the command line; with the feature `program`, the window.")]
//!
//! # Features
//! Without any feature, the library is the physics alone: no window, no renderer, no asset system. The default feature
//! is `program`.
//!
//! | feature | adds | also enables |
//! |---|---|---|
//! | `scene` | scene files (RON), generators, tables as data | |
//! | `games` | rules, bots, matches | `scene` |
//! | `view` | drawing of discs, terrain and tables; labels with egui, re-exported as `bevy_egui` | `scene` |
//! | `input` | mouse, keyboard and touch with `bevy_enhanced_input`, which is re-exported; the editor | `view` |
//! | `hud` | scoreboard, calls and ball in hand for matches | `input`, `games` |
//! | `sound` | sounds of hits and potted balls | |
//! | `panel` | the tuning panel, the lessons, live measurements and plots | `input`, `sound`, `games` |
//! | `cli` | `carom scenes`, `simulate`, `measure`, `sweep`, `experiment`, `drill`, `play`, `replay` and `link` | `scene`, `games` |
//! | `program` | the window and `carom render` | `cli`, `view`, `input`, `panel`, `hud`, `sound` |
//! | `gamepad` | gamepads; on Linux it needs the udev headers to build | `input` |
//! | `remote` | JSON-RPC access to all settings, from the same machine only (`bevy_remote`) | |
//!
//! # Plugins
//! Each plugin adds the plugins under *brings*. Your app adds those under *needs*. If one of these is missing, the app
//! panics at startup, and the message names both. The plugins under *uses* are optional, so games run without a window
//! in tests.
//!
//! | plugin | feature | brings | needs | uses |
//! |---|---|---|---|---|
//! | [`PhysicsPlugins`] | | | `MinimalPlugins` or `DefaultPlugins` | `TransformPlugin` |
//! | `HistoryPlugin` | | | [`PhysicsPlugins`] | |
//! | `LaboratoryPlugin`, `RecorderPlugin`, `BoundaryMapPlugin` | | | [`PhysicsPlugins`] | |
//! | `ExperimentPlugin` | `scene` | | `ScenePlugin` | |
//! | `ScenePlugin` | `scene` | Bevy's states | [`PhysicsPlugins`] | Bevy's assets |
//! | `RunFilePlugin` | `scene` | | [`PhysicsPlugins`], `HistoryPlugin`, `ScenePlugin` | |
//! | `MatchPlugin` | `games` | | [`PhysicsPlugins`] | `ScenePlugin` |
//! | `ViewPlugin` | `view` | egui | `DefaultPlugins` before it, [`PhysicsPlugins`] | `ScenePlugin` |
//! | `PhysicsDebugPlugin` | `view` | | | Bevy's gizmos, [`PhysicsPlugins`] |
//! | `PointerPlugin` | `input` | `bevy_enhanced_input` | [`PhysicsPlugins`] | `ViewPlugin` |
//! | `AimPlugin`, `InputPlugins`, `EditorPlugins` | `input` | `PointerPlugin` | [`PhysicsPlugins`] | `ViewPlugin`, `ScenePlugin` |
//! | `SoundPlugin` | `sound` | | [`PhysicsPlugins`] | `ViewPlugin` |
//! | `MatchInputPlugin` | `hud` | `MatchPlugin`, `PointerPlugin` | [`PhysicsPlugins`] | `AimPlugin` |
//! | `HudPlugin` | `hud` | `MatchInputPlugin`, `AimPlugin` | [`PhysicsPlugins`] | `ViewPlugin`, to show text |
//! | `StartPagePlugin` | `hud` | | `HudPlugin` | `ViewPlugin`, to show text |
//! | `ShellPlugin` | `panel` | egui, `PointerPlugin` | [`PhysicsPlugins`] | `ViewPlugin`, `ScenePlugin` |
//! | `PanelPlugin` | `panel` | `ShellPlugin`, `RecorderPlugin` | [`PhysicsPlugins`] | all of the above; it shows a section for each |
//! | `InstrumentsPlugin` | `panel` | `LaboratoryPlugin`, `RecorderPlugin`, `BoundaryMapPlugin` | [`PhysicsPlugins`] | `PanelPlugin`, to show them |
//! | `TimeBarPlugin` | `panel` | `HistoryPlugin` | `ViewPlugin`, `PanelPlugin` | |
#![forbid(unsafe_code)]

use bevy::{
    app::{FixedPostUpdate, PluginGroup, PluginGroupBuilder},
    ecs::schedule::{InternedScheduleLabel, ScheduleLabel},
};

pub mod billiards;
#[cfg(doctest)]
mod book;
pub mod collision;
pub mod components;
#[cfg(feature = "games")]
mod date;
#[cfg(feature = "view")]
pub mod debug;
#[cfg(any(feature = "cli", feature = "panel"))]
mod diagram;
#[cfg(any(feature = "cli", feature = "panel"))]
mod disc_table;
#[cfg(feature = "input")]
pub mod editor;
#[cfg(feature = "scene")]
pub mod experiments;
#[cfg(feature = "games")]
pub mod games;
#[cfg(feature = "hud")]
pub mod hud;
#[cfg(feature = "input")]
pub mod input;
#[cfg(feature = "panel")]
pub mod instruments;
pub mod interpolation;
pub mod laboratory;
#[cfg(feature = "panel")]
pub mod lessons;
#[cfg(feature = "scene")]
pub mod link;
pub mod motion;
pub mod notice;
#[cfg(any(feature = "cli", feature = "view"))]
mod number;
#[cfg(feature = "panel")]
pub mod panel;
pub mod plane;
#[cfg(feature = "cli")]
pub mod program;
#[cfg(feature = "scene")]
pub mod random;
#[cfg(feature = "remote")]
pub mod remote;
#[cfg(feature = "scene")]
mod ron_text;
#[cfg(feature = "scene")]
pub mod run_file;
#[cfg(feature = "scene")]
pub mod scene;
#[cfg(feature = "input")]
pub mod shell;
#[cfg(feature = "sound")]
pub mod sound;
#[cfg(feature = "scene")]
mod storage;
#[cfg(feature = "panel")]
pub mod time_bar;
pub mod timeline;
#[cfg(feature = "view")]
pub mod view;

#[cfg(feature = "view")]
pub use bevy_egui;
#[cfg(feature = "input")]
pub use bevy_enhanced_input;

/// The simulation: components, terrain, collision, motion, billiards, playback, tables of several windows, and
/// [`Transform`](bevy::prelude::Transform)s that follow. No window, no renderer, no asset system. It needs Bevy's time
/// plugin, which both `MinimalPlugins` and `DefaultPlugins` hold.
///
/// The tick runs in [`FixedPostUpdate`] by default. Put game logic in [`FixedUpdate`](bevy::app::FixedUpdate): the tick
/// that follows reads the components that it writes. [`PhysicsPlugins::new`] selects another schedule:
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// # let mut app = App::new();
/// app.add_plugins((MinimalPlugins, PhysicsPlugins::new(FixedUpdate)));
/// ```
pub struct PhysicsPlugins {
    schedule: InternedScheduleLabel,
}

impl PhysicsPlugins {
    /// The simulation with its tick in this schedule. Use a schedule of the fixed main loop, such as the default
    /// [`FixedPostUpdate`], because a tick takes its duration from [`Time`](bevy::time::Time) there.
    #[must_use]
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Default for PhysicsPlugins {
    fn default() -> Self {
        Self::new(FixedPostUpdate)
    }
}

impl PluginGroup for PhysicsPlugins {
    fn build(self) -> PluginGroupBuilder {
        let Self { schedule } = self;
        PluginGroupBuilder::start::<Self>()
            .add(components::ComponentsPlugin)
            .add(collision::CollisionPlugin { schedule })
            .add(motion::MotionPlugin)
            .add(billiards::BilliardsPlugin)
            .add(timeline::TimelinePlugin { schedule })
            .add(plane::PlanePlugin { schedule })
            .add(interpolation::InterpolationPlugin)
    }
}

/// The items that most games use.
pub mod prelude {
    #[cfg(feature = "view")]
    pub use crate::debug::{PhysicsDebug, PhysicsDebugPlugin};
    pub use crate::{
        PhysicsPlugins,
        collision::{
            AllAtRest, CollidingEntities, Collision, CollisionEvent, CollisionSettings, CombineRule, ContactEnded,
            ContactHook, ContactResponse, ContactStarted, ContactView, HitTarget, InvalidEntities, LeftTable,
            PhysicsSchedule, PhysicsSpace, Potted, ReportCollisions, SensorOverlapEnded, SensorOverlapStarted,
            SimulationSystems, SolverMode, SpatialQuery, SpatialQueryFilter, Substep, SubstepSystems, TickSystems,
            spin::TablePhysics,
        },
        components::{
            AngularVelocity, Ball, BumperKick, ClothFriction, CollisionLayers, ConstantForce, ConstantTorque, Density,
            Disc, Friction, GravityScale, Height, IgnoredPairs, InPlay, InPocket, Inactive, Joint, JointEnd, JointKind,
            Kinematic, LinearDamping, LockedAxes, Mass, MomentOfInertia, MoveTo, OffTable, OneWay, Orbit, Orientation,
            Oscillation, Pocket, Position, Radius, Restitution, RestitutionRule, Rotation, Sensed, Sensor, SpeedLimit,
            StableId, SurfaceVelocity, Terrain, TurnTo, Velocity,
        },
        interpolation::NoTransformSync,
        motion::{ForceAppExt, ForceLaw, Forces, MotionCommands, MotionSettings},
        plane::TableRect,
        timeline::{Horizon, Playback, Prediction, Predictor, will_tick},
    };
}
