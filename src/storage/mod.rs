//! Files of the program other than scenes. On the desktop they are in the file system. `browser.rs` replaces it in a
//! browser.

#[cfg(feature = "games")]
use std::path::Path;

#[cfg(feature = "games")]
mod lines;
#[cfg_attr(all(target_arch = "wasm32", feature = "view"), path = "browser.rs")]
#[cfg_attr(not(all(target_arch = "wasm32", feature = "view")), path = "native.rs")]
mod system;
pub(crate) mod whole_file;

#[cfg(feature = "games")]
pub(crate) use lines::{add_line, read_lines};
pub(crate) use system::*;

/// Whether the name of a file has this ending, ignoring case.
#[cfg(feature = "games")]
pub(crate) fn ends_in(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}
