//! The program's own files, besides scenes. Natively these are files of the system. A browser has none, and
//! `browser.rs` replaces them.

#[cfg(any(feature = "cli", feature = "panel"))]
use std::path::Path;

#[cfg_attr(all(target_arch = "wasm32", feature = "view"), path = "browser.rs")]
#[cfg_attr(not(all(target_arch = "wasm32", feature = "view")), path = "native.rs")]
mod system;
pub(crate) mod whole_file;

pub(crate) use system::*;

/// Whether a file name has this extension, in any case.
#[cfg(any(feature = "cli", feature = "panel"))]
pub(crate) fn ends_in(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}
