//! The user's folders in which the program keeps its files, or none if the system has no place for them.
//!
//! In a browser they are names in its storage.

use std::path::PathBuf;

/// The folder for preferences.
pub(super) fn configuration() -> Option<PathBuf> {
    #[cfg(target_arch = "wasm32")]
    return Some(crate::storage::KEPT.into());
    #[cfg(not(target_arch = "wasm32"))]
    directories::ProjectDirs::from("", "", "carom").map(|folders| folders.config_dir().to_owned())
}

/// The folder for data from playing, such as saved matches.
pub(super) fn data() -> Option<PathBuf> {
    #[cfg(target_arch = "wasm32")]
    return Some(crate::storage::KEPT.into());
    #[cfg(not(target_arch = "wasm32"))]
    directories::ProjectDirs::from("", "", "carom").map(|folders| folders.data_dir().to_owned())
}

/// The folder of saved matches. Results and custom drills lie beside it.
pub(super) fn matches() -> Option<PathBuf> {
    data().map(|folder| folder.join("matches"))
}

/// The folder for pictures and recordings: *carom* in the user's folder for pictures, or else the current folder.
///
/// The path is complete, so that a notice can say where a file is. In a browser it is empty, and the picture has only a
/// name.
pub(super) fn pictures() -> PathBuf {
    let folders = directories::UserDirs::new();
    let folder = folders.and_then(|folders| Some(folders.picture_dir()?.join("carom")));
    folder.or_else(|| std::env::current_dir().ok()).unwrap_or_default()
}
