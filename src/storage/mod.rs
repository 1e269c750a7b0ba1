//! Files of the program's own: what it keeps, reads and writes beside the scenes. Natively they are the system's; a
//! browser has none, and `browser.rs` says what stands for them.

#[cfg(any(feature = "cli", feature = "panel"))]
use std::path::Path;

#[cfg_attr(all(target_arch = "wasm32", feature = "view"), path = "browser.rs")]
#[cfg_attr(not(all(target_arch = "wasm32", feature = "view")), path = "native.rs")]
mod system;
pub(crate) mod whole_file;

pub(crate) use system::*;

/// Whether the name of a file has this ending, in small or large letters.
#[cfg(any(feature = "cli", feature = "panel"))]
pub(crate) fn ends_in(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}
