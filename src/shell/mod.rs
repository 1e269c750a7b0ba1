//! What surrounds the table and the panel: which overlays are shown, files and links, the help, and the buttons that
//! float over the picture.
//!
//! | file | what |
//! |---|---|
//! | `overlays` | [`Overlays`]: the help and the panel are shown and hidden; [`StartPageAsked`] |
//! | `files` | dialogs that open and save scenes, recent files, what is dropped on the window |
//! | `links` | a scene or a match as a link |
//! | [`help`] | the list of all controls |
//! | `go_on`, `way_back` | buttons over the picture: to begin, and to find back to the table |
//! | `capture` | [`CaptureRequest`]: pictures and recordings of the window, as they are asked for |

mod capture;
#[cfg(feature = "panel")]
pub(crate) mod files;
#[cfg(feature = "panel")]
pub(crate) mod go_on;
#[cfg(feature = "panel")]
pub mod help;
#[cfg(feature = "panel")]
pub(crate) mod links;
mod overlays;
#[cfg(feature = "panel")]
pub(crate) mod way_back;
#[cfg(feature = "panel")]
pub(crate) mod widgets;

pub use capture::{AnimationFormat, CaptureProgress, CaptureRequest, CaptureSettings};
#[cfg(feature = "panel")]
pub use files::RecentFiles;
#[cfg(feature = "panel")]
pub use links::LinkAddress;
pub use overlays::{OverlayKeysPlugin, Overlays, StartPageAsked};
#[cfg(feature = "panel")]
pub(crate) use way_back::handle_place;
