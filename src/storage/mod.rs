//! Files of the program's own: what it keeps, reads and writes beside the scenes. Natively they are the system's; a
//! browser has none, and `browser.rs` says what stands for them.

#[cfg_attr(all(target_arch = "wasm32", feature = "view"), path = "browser.rs")]
#[cfg_attr(not(all(target_arch = "wasm32", feature = "view")), path = "native.rs")]
mod system;
pub(crate) mod whole_file;

pub(crate) use system::*;
