//! Discs that collide: a billiards toy, a game base and a laboratory on Bevy.
//!
//! Add [`PhysicsPlugins`], spawn a [`Ball`](body::Ball), and it moves:
//!
//! ```
//! use bevy::{prelude::*, time::TimeUpdateStrategy};
//! use carom::prelude::*;
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, PhysicsPlugins));
//! app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1)); // a tick with every update, for this example
//! app.world_mut().spawn(Terrain::Segment { a: vec2(1.0, -5.0), b: vec2(1.0, 5.0) });
//! let disc = app.world_mut().spawn((Ball, Velocity(vec2(6.0, 0.0)), Radius(0.5))).id();
//! for _ in 0..20 {
//!     app.update();
//! }
//! assert_eq!(app.world().get::<Velocity>(disc), Some(&Velocity(vec2(-6.0, 0.0))));
//! ```
//!
//! # Rooms
//! The arrows go one way: a room knows only those above it.
//!
//! - [`body`]: the components of a disc. [`terrain`]: what discs bounce off.
//! - [`collision`]: the physics, one file per ordered step of the tick; start here to put a system between two steps.
//! - [`motion`]: gravity, drag and friction. [`timeline`]: pause, single step, time scale; what lies ahead.
#![cfg_attr(feature = "scene", doc = "- [`scene`]: a scene as a file.")]
#![cfg_attr(
    feature = "program",
    doc = "- [`view`], [`table`], [`panel`], [`sound`], [`program`]: what is drawn, mouse and keys, the egui panel, what is heard, the
  command line."
)]
//!
//! # Features
//! Without any the library is the physics alone. `scene` adds scene files (RON) and generators, `program` (the default) the
//! window, the panel and the command line.
//!
//! # Units
//! Metres, kilograms, seconds; y points up.
#![forbid(unsafe_code)]

use bevy::app::{PluginGroup, PluginGroupBuilder};

pub mod body;
pub mod collision;
pub mod motion;
#[cfg(feature = "program")]
pub mod panel;
#[cfg(feature = "program")]
pub mod program;
#[cfg(feature = "scene")]
pub mod scene;
#[cfg(feature = "program")]
pub mod sound;
#[cfg(feature = "program")]
pub mod table;
pub mod terrain;
pub mod timeline;
#[cfg(feature = "program")]
pub mod view;

/// The simulation: components, terrain, collision, motion and playback. No window, no renderer, no asset system. It needs
/// Bevy's time plugin, which both `MinimalPlugins` and `DefaultPlugins` hold.
pub struct PhysicsPlugins;

impl PluginGroup for PhysicsPlugins {
    fn build(self) -> PluginGroupBuilder {
        PluginGroupBuilder::start::<Self>()
            .add(body::BodyPlugin)
            .add(terrain::TerrainPlugin)
            .add(collision::CollisionPlugin)
            .add(motion::MotionPlugin)
            .add(timeline::TimelinePlugin)
    }
}

/// What most users need.
pub mod prelude {
    pub use crate::PhysicsPlugins;
    pub use crate::body::{Ball, Density, Mass, Position, Radius, Restitution, StableId, Velocity};
    pub use crate::collision::{
        Collided, Collision, CollisionSettings, Mode, Other, ReportCollisions, Space, Substep, SubstepSystems, Tick,
        TickSystems,
    };
    pub use crate::motion::MotionSettings;
    pub use crate::terrain::{Rotation, Terrain};
    pub use crate::timeline::Playback;
}

/// README's program is tested with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadMe;
