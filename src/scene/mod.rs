//! A scene as a file: discs, terrain, settings, and how it wants to be seen.
//!
//! A scene is a RON file ([`SceneFile`]). The shipped ones are part of the program ([`shipped`]); any other is read
//! from a path, or an asset ([`SceneSource`]). [`spawn`] puts one into a world, [`SceneFile::capture`] takes the
//! present state out again, and [`ScenePlugin`] does both on a [`SceneCommand`]. Further ones come as the children of
//! an entity: [`SceneInstance`]. A game registers generators and components of its own for its files: [`SceneApp`].

mod assets;
mod check;
mod commands;
mod contact;
mod filter;
mod format;
mod furniture;
pub mod generate;
mod hot_reload;
mod instance;
mod joints;
mod lesson;
mod link;
mod load;
mod look;
mod registry;
mod shipped;
mod spawn;
mod states;
mod table_defaults;

pub use assets::SceneFileLoader;
#[cfg(feature = "view")]
pub(crate) use check::edges_cross;
#[cfg(feature = "input")]
pub(crate) use check::is_nowhere;
#[cfg(feature = "cli")]
pub(crate) use commands::snapshot;
#[cfg(feature = "cli")]
pub(crate) use commands::with_ending;
pub use commands::{SceneCommand, ScenePlugin, SceneSaved};
pub use format::{DiscEntry, Pace, PocketEntry, SceneFile, TerrainEntry, TileEntry};
pub use furniture::DrawnTable;
#[cfg(feature = "program")]
pub(crate) use hot_reload::FileStamp;
pub use hot_reload::HotReload;
#[cfg(all(feature = "panel", not(target_arch = "wasm32")))]
pub(crate) use hot_reload::was_written_elsewhere;
pub use instance::{InstanceEntities, InstanceScene, SceneInstance, SceneInstanceReady};
pub use joints::{JointEndEntry, JointEntry};
pub use lesson::{Lesson, in_lesson};
pub use link::link;
#[cfg(feature = "games")]
pub(crate) use load::in_one_line;
pub use load::{SceneError, SceneSource};
#[cfg(feature = "cli")]
pub(crate) use load::{nearest_name, read_text};
pub use look::{
    BallColour, Camera, CueBall, DiscLook, Hex, OwnRespot, PANEL_SECTIONS, Shootable, Surroundings, TerrainLook,
};
pub use registry::{RonValue, SceneApp, SceneGenerator, SceneRegistry};
pub use shipped::{ShippedScene, shipped};
#[cfg(feature = "input")]
pub(crate) use spawn::OutlivesScene;
pub use spawn::{
    CurrentScene, SceneEnded, SceneEntity, SceneStart, SceneStarted, end, restart, spawn, too_small, unresolved,
};
pub use states::{Motion, SceneState};
