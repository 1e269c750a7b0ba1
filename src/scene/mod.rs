//! A scene as a file: discs, terrain, settings, and how to display them.
//!
//! A scene is a RON file ([`SceneFile`]). The shipped ones are part of the program ([`shipped`]). Others are read from
//! a path, an asset or a link ([`SceneSource`]).
//!
//! | task | item |
//! |---|---|
//! | begin a scene | [`spawn`] |
//! | take the current state out of a world | [`SceneFile::capture`] |
//! | both, as messages | [`SceneCommand`] with [`ScenePlugin`] |
//! | add scenes as children of an entity | [`SceneInstance`] |
//! | register your own generators and components | [`SceneAppExt`] |
//!
//! Each row imports only those above it:
//!
//! | files | contents |
//! |---|---|
//! | `look`, `lesson`, `shipped`, `ron_value`, `text` | looks, lessons, shipped scenes, RON and its errors in words |
//! | `disc_colour` | which colour a disc has |
//! | `optional`, `entry_format` | the optional components of discs and terrain, as fields of entries |
//! | `entries`, `contents` | entries of a file; all contents, including those of generators |
//! | `registry`, [`generate`] | registered additions of a game; generators |
//! | `recorded`, `format`, `furniture`, `source` | [`RunFile`]; [`SceneFile`]; the billiard table that is drawn; [`SceneSource`] |
//! | `ignored`, `joints` | pairs that ignore each other and joints, from entries to components and back |
//! | `check`, `expand` | **checks of a scene**; its complete contents |
//! | `linked`, `table_defaults`, `load`, `loader` | reading a scene: from links, files, assets |
//! | `running`, `states` | the running scene |
//! | `entities`, `capture` | from contents to entities, and from a world to a file |
//! | `world_hash` | the hash of a state, and its comparison with that of a link |
//! | `spawn`, `instance`, `link` | **the start of a scene**; scenes as children; the current state as a link |
//! | `assets`, `hot_reload`, `commands` | assets, reloading, commands |

mod assets;
mod capture;
mod check;
mod commands;
mod contents;
mod disc_colour;
mod entities;
mod entries;
mod entry_format;
mod expand;
mod format;
mod furniture;
pub mod generate;
mod hot_reload;
mod ignored;
mod instance;
mod joints;
mod lesson;
mod link;
mod linked;
mod load;
mod loader;
mod look;
mod optional;
mod recorded;
mod registry;
mod ron_value;
mod running;
mod shipped;
mod source;
mod spawn;
mod states;
mod table_defaults;
mod text;
mod whole;
mod world_hash;

pub use crate::ron_text::SyntaxError;
#[cfg(feature = "view")]
pub(crate) use check::edges_cross;
#[cfg(feature = "input")]
pub(crate) use check::extent_problem;
#[cfg(feature = "cli")]
pub(crate) use commands::snapshot;
pub use commands::{SceneCommand, ScenePlugin};
pub use disc_colour::DiscColour;
pub use entries::{DiscEntry, JointEndEntry, JointEntry, Pace, PocketEntry, TerrainEntry, TileEntry};
pub use format::SceneFile;
pub use furniture::DrawnTable;
#[cfg(feature = "program")]
pub(crate) use hot_reload::FileStamp;
pub use hot_reload::HotReload;
#[cfg(all(feature = "panel", not(target_arch = "wasm32")))]
pub(crate) use hot_reload::was_written_elsewhere;
pub use instance::{InstanceScene, SceneInstance, SceneInstanceFailed, SceneInstanceReady};
pub use lesson::Lesson;
#[cfg(feature = "input")]
pub(crate) use lesson::first_two;
pub use link::link;
pub(crate) use link::{Start, StartOf, start};
pub use loader::SceneFileLoader;
pub use look::{
    BallColour, Camera, CueBall, DiscLook, Hex, OwnLook, OwnRespot, PANEL_SECTIONS, Shootable, Surroundings,
    TerrainLook,
};
pub use optional::OptionalComponents;
pub use recorded::RunFile;
pub(crate) use recorded::{Change, Hash, Look};
pub(crate) use registry::Values;
pub use registry::{SceneAppExt, SceneGenerator, SceneRegistry};
pub use ron_value::RonValue;
pub(crate) use running::ObeysCommands;
#[cfg(feature = "input")]
pub(crate) use running::OutlivesScene;
pub use running::{
    CurrentScene, InstanceEntities, SceneEnded, SceneEntity, SceneSaved, SceneStart, SceneStarted, in_lesson,
};
pub use shipped::{ShippedScene, shipped};
pub use source::SceneSource;
#[cfg(feature = "input")]
pub(crate) use spawn::InScene;
#[cfg(feature = "cli")]
pub(crate) use spawn::{CheckedScene, spawn_checked};
pub use spawn::{end, restart, spawn, too_small, unresolved};
pub use states::{Motion, SceneState};
pub use text::SceneError;
#[cfg(feature = "program")]
pub(crate) use text::is_scene_text;
#[cfg(feature = "cli")]
pub(crate) use text::read_text;
pub(crate) use text::with_ending;
pub use world_hash::world_hash;
