//! The surroundings of the table and the panel: overlays, files and links, the help, and floating buttons.
//!
//! | file | contents |
//! |---|---|
//! | `overlays` | [`Overlays`]: showing and hiding the help and the panel; [`StartPageAsked`] |
//! | `files` | dialogs for opening and saving scenes, recent files, dropped files |
//! | `links` | a scene or a match as a link |
//! | [`help`] | the list of all controls |
//! | `go_on`, `way_back` | floating buttons: to start a scene, and to return to the table |
//! | `plugin` | [`ShellPlugin`]: all of these |
//! | `capture` | [`CaptureRequest`]: requests for screenshots and recordings |

mod capture;
#[cfg(feature = "panel")]
pub(crate) mod files;
#[cfg(feature = "panel")]
mod go_on;
#[cfg(feature = "panel")]
pub mod help;
#[cfg(feature = "panel")]
pub(crate) mod links;
mod overlays;
#[cfg(feature = "panel")]
mod plugin;
#[cfg(feature = "panel")]
mod way_back;
#[cfg(feature = "panel")]
pub(crate) mod widgets;

pub use capture::{AnimationFormat, CaptureProgress, CaptureRequest, CaptureSettings};
#[cfg(feature = "panel")]
pub use files::RecentFiles;
#[cfg(feature = "panel")]
pub use links::LinkAddress;
#[cfg(feature = "panel")]
pub(crate) use links::copy_made;
pub use overlays::{OverlayKeysPlugin, Overlays, StartPageAsked};
#[cfg(feature = "panel")]
pub use plugin::{ShellPlugin, ShellSystems};
#[cfg(feature = "panel")]
pub(crate) use way_back::handle_place;
