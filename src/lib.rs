//! Discs that collide: a billiards toy, a game base and a laboratory on Bevy.
//!
//! Add [`PhysicsPlugins`], spawn a [`Disc`](components::Disc), and it moves:
//!
//! ```
//! use bevy::{prelude::*, time::TimeUpdateStrategy};
//! use carom::prelude::*;
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
//! app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1)); // a tick with every update after the first
//! app.world_mut().spawn(Terrain::Segment { a: vec2(1.0, -5.0), b: vec2(1.0, 5.0) });
//! let disc = app.world_mut().spawn((Disc, Velocity(vec2(6.0, 0.0)), Radius(0.5))).id();
//! for _ in 0..20 {
//!     app.update();
//! }
//! assert_eq!(app.world().get::<Velocity>(disc), Some(&Velocity(vec2(-6.0, 0.0))));
//! ```
//!
//! # Modules
//! The arrows go one way: a module knows only those above it, and so do the modules inside of each.
//!
//! - [`components`]: the data that a game puts on entities: discs, terrain, joints, mass, materials, collision filters.
//! - [`collision`]: the physics, one folder a stage of the tick, one file a step; start here to put a system between
//!   two steps.
//! - [`motion`]: the list of forces that act in every substep, gravity, drag and friction in it. [`timeline`]: pause,
//!   single step, time scale; what lies ahead.
//! - [`billiards`]: balls that spin on cloth, cushions, pockets, the cue, tables as data.
//! - [`plane`]: several windows, displays or tiles as one table.
//! - [`interpolation`]: where things are in a frame, and `Transform`s that follow them.
#![cfg_attr(
    feature = "scene",
    doc = "- [`random`], [`notice`], `storage`: random numbers, lines for the person at the screen, files."
)]
#![cfg_attr(
    feature = "scene",
    doc = "- [`link`]: a scene, a state or a match as text that fits behind the `#` of an address."
)]
#![cfg_attr(
    feature = "scene",
    doc = "- [`scene`]: a scene as a file and as an asset, its states, what games add to it. `disc_table`: discs as a table (CSV)."
)]
#![cfg_attr(feature = "games", doc = "- [`games`]: rules as plain functions, turns, players.")]
#![cfg_attr(feature = "view", doc = "- [`view`]: what is drawn.")]
#![cfg_attr(feature = "input", doc = "- [`input`]: mouse, fingers, keys and gamepads.")]
#![cfg_attr(feature = "input", doc = "- [`editor`]: tools that edit a scene; undo.")]
#![cfg_attr(feature = "sound", doc = "- [`sound`]: what is heard.")]
#![cfg_attr(feature = "input", doc = "- [`shell`]: files, links, help, and the buttons around the table.")]
#![cfg_attr(feature = "hud", doc = "- [`hud`]: what is seen of a match, and how people play in it.")]
#![cfg_attr(feature = "panel", doc = "- [`panel`]: everything that can be tuned, with egui.")]
#![cfg_attr(feature = "panel", doc = "- [`lessons`]: the shipped lessons, a file each.")]
#![cfg_attr(feature = "remote", doc = "- [`remote`]: everything tunable, read and written from outside.")]
#![cfg_attr(feature = "cli", doc = "- [`program`]: the command line, and with the feature `program` the window.")]
//!
//! # Where a game's systems go
//! The tick runs in `FixedPostUpdate`. Game logic goes into `FixedUpdate`: what it writes to components, such as a kick
//! to a [`Velocity`](components::Velocity), acts once, in the tick that follows; if it does so every time it runs, give
//! it [`.run_if(will_tick)`](timeline::will_tick), as `FixedUpdate` runs on while the simulation is paused. What looks
//! at a finished tick goes into `FixedPostUpdate`, `.after(SimulationSystems)`. A force, which acts as long as it lasts, goes into
//! the list [`Forces`](motion::Forces), by `app.add_force(…)`, which predictions know too. See [`collision`] for the
//! steps between which more fits, and for how Bevy reports a system that was left without an order.
//!
//! The clocks stay the app's own: set the time step with `Time::<Fixed>::from_hz(60.0)`.
//! [`Playback`](timeline::Playback) changes them only where it is asked to.
//!
//! # Features
//! Without any the library is the physics alone: no window, no renderer, no asset system. `program`, the default, is
//! all of them.
//!
//! | feature | brings | and with it |
//! |---|---|---|
//! | `scene` | scene files (RON) and generators, tables as data | |
//! | `games` | rules, turns, players | `scene` |
//! | `view` | drawing of discs, terrain and tables, labels (by egui, which is re-exported as `bevy_egui` in the version that is used) | `scene` |
//! | `input` | mouse and keys, by an action map (`bevy_enhanced_input`, which is re-exported) | `view` |
//! | `hud` | what is seen of a match, and how people play in it | `input`, `games` |
//! | `sound` | hits are heard | |
//! | `panel` | the panel | `input`, `games`, `sound` |
//! | `cli` | the commands `carom scenes` and `carom simulate` | `games` |
//! | `program` | the window and `carom render` | all of the above |
//! | `gamepad` | gamepads; on Linux it needs udev's headers to build; not in `program` | `input` |
//! | `remote` | everything tunable, read and written by JSON-RPC on the loopback (`bevy_remote`); in none of the others | |
//!
//! # Plugins
//! A plugin adds the plugins that it always comes with. The app has to add the others that it needs; if one is missing,
//! the app panics at startup, and the message names both. Everything else is used where it is there, so that games run
//! without a window in tests.
//!
//! | plugin | feature | brings | needs | uses, if there |
//! |---|---|---|---|---|
//! | [`PhysicsPlugins`] | | | `MinimalPlugins` or `DefaultPlugins` | `TransformPlugin` |
//! | `ScenePlugin` | `scene` | Bevy's states | [`PhysicsPlugins`] | Bevy's assets |
//! | `MatchPlugin` | `games` | | [`PhysicsPlugins`] | `ScenePlugin` |
//! | `ViewPlugin` | `view` | egui | `DefaultPlugins` before it, [`PhysicsPlugins`] | `ScenePlugin` |
//! | `PhysicsDebugPlugin` | `view` | | | Bevy's gizmos, [`PhysicsPlugins`] |
//! | `PointerPlugin` | `input` | `bevy_enhanced_input` | [`PhysicsPlugins`] | `ViewPlugin` |
//! | `AimPlugin`, `InputPlugins`, `EditorPlugins` | `input` | `PointerPlugin` | [`PhysicsPlugins`] | `ViewPlugin`, `ScenePlugin` |
//! | `SoundPlugin` | `sound` | | [`PhysicsPlugins`] | `ViewPlugin` |
//! | `MatchInputPlugin` | `hud` | `MatchPlugin`, `PointerPlugin` | [`PhysicsPlugins`] | `AimPlugin` |
//! | `HudPlugin` | `hud` | `MatchInputPlugin`, `AimPlugin` | [`PhysicsPlugins`] | `ViewPlugin`, on which it writes |
//! | `StartPagePlugin` | `hud` | | `HudPlugin` | `ViewPlugin`, on which it writes |
//! | `PanelPlugin` | `panel` | egui | [`PhysicsPlugins`] | all of the above: it shows sections for what is there |
//!
//! # Units
//! Metres, kilograms, seconds; y points up.
#![forbid(unsafe_code)]

use bevy::{
    app::{FixedPostUpdate, PluginGroup, PluginGroupBuilder},
    ecs::schedule::{InternedScheduleLabel, ScheduleLabel},
};

pub mod billiards;
pub mod collision;
pub mod components;
#[cfg(feature = "view")]
pub mod debug;
#[cfg(any(feature = "cli", feature = "panel"))]
mod disc_table;
#[cfg(feature = "input")]
pub mod editor;
#[cfg(feature = "games")]
pub mod games;
#[cfg(feature = "hud")]
pub mod hud;
#[cfg(feature = "input")]
pub mod input;
pub mod interpolation;
#[cfg(feature = "panel")]
pub mod lessons;
#[cfg(feature = "scene")]
pub mod link;
pub mod motion;
pub mod notice;
#[cfg(any(feature = "cli", feature = "input"))]
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
pub mod scene;
#[cfg(feature = "input")]
pub mod shell;
#[cfg(feature = "sound")]
pub mod sound;
#[cfg(feature = "scene")]
mod storage;
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
/// The tick runs in [`FixedPostUpdate`], so that a game has [`FixedUpdate`](bevy::app::FixedUpdate) for its own logic:
/// what a system writes to components there is read by the tick that follows. [`PhysicsPlugins::new`] puts the tick
/// elsewhere:
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
    /// The simulation with its tick in this schedule. It should be one of the fixed main loop, such as
    /// [`FixedPostUpdate`], the default: a tick lasts as long as [`Time`](bevy::time::Time) says there.
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
            .add(motion::MotionPlugin { schedule })
            .add(billiards::BilliardsPlugin { schedule })
            .add(timeline::TimelinePlugin { schedule })
            .add(plane::PlanePlugin { schedule })
            .add(interpolation::InterpolationPlugin { schedule })
    }
}

/// What most users need.
pub mod prelude {
    #[cfg(feature = "view")]
    pub use crate::debug::{PhysicsDebug, PhysicsDebugPlugin};
    pub use crate::{
        PhysicsPlugins,
        collision::{
            AllAtRest, CollidingEntities, Collision, CollisionEvent, CollisionSettings, CombineRule, ContactEnded,
            ContactHook, ContactResponse, ContactStarted, ContactView, HitTarget, InvalidEntities, PhysicsSpace,
            Potted, ReportCollisions, SensorOverlapEnded, SensorOverlapStarted, SimulationSystems, SolverMode,
            SpatialQuery, SpatialQueryFilter, Substep, SubstepSystems, TickSystems, spin::TablePhysics,
        },
        components::{
            AngularVelocity, Ball, BumperKick, ClothFriction, CollisionLayers, ConstantForce, ConstantTorque, Density,
            Disc, Friction, GravityScale, IgnoredPairs, InPlay, InPocket, Inactive, Joint, JointEnd, JointKind,
            Kinematic, LinearDamping, LockedAxes, Mass, MomentOfInertia, MoveTo, OneWay, Orientation, Oscillation,
            Pocket, Position, Radius, Restitution, RestitutionRule, Rotation, Sensed, Sensor, SpeedLimit, StableId,
            SurfaceVelocity, Terrain, TurnTo, Velocity,
        },
        interpolation::NoTransformSync,
        motion::{ForceAppExt, ForceLaw, Forces, MotionCommands, MotionSettings},
        plane::TableRect,
        timeline::{Horizon, Playback, Predictor, will_tick},
    };
}

/// README's program is tested with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadMe;

/// And so are those of the page on games.
#[cfg(all(doctest, feature = "panel"))]
#[doc = include_str!("../docs/games-on-carom.md")]
struct GamesOnCarom;

/// The chapter on a first game, step by step.
#[cfg(all(doctest, feature = "input", feature = "sound"))]
#[doc = include_str!("../docs/your-first-game.md")]
struct YourFirstGame;

/// The page on terrain that moves, with a flipper.
#[cfg(doctest)]
#[doc = include_str!("../docs/moving-terrain.md")]
struct MovingTerrain;

/// The page on who meets whom, with a contact hook.
#[cfg(doctest)]
#[doc = include_str!("../docs/who-meets-whom.md")]
struct WhoMeetsWhom;

/// The guide for those who come from other engines.
#[cfg(doctest)]
#[doc = include_str!("../docs/from-avian-and-rapier.md")]
struct FromAvianAndRapier;
