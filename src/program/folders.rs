//! The user's folders for the program's files, or `None` if the system has none. In a browser they are names in its
//! storage.

use std::path::PathBuf;

/// The folder for settings.
pub(super) fn configuration() -> Option<PathBuf> {
    #[cfg(target_arch = "wasm32")]
    return Some(crate::storage::KEPT.into());
    #[cfg(not(target_arch = "wasm32"))]
    directories::ProjectDirs::from("", "", "carom").map(|folders| folders.config_dir().to_owned())
}

/// The folder for data such as saved matches.
pub(super) fn data() -> Option<PathBuf> {
    #[cfg(target_arch = "wasm32")]
    return Some(crate::storage::KEPT.into());
    #[cfg(not(target_arch = "wasm32"))]
    directories::ProjectDirs::from("", "", "carom").map(|folders| folders.data_dir().to_owned())
}

/// The folder for screenshots and recordings: *carom* in the user's picture folder, or else the working directory. It
/// is an absolute path, so that a notice shows where a file is. In a browser, only the file name matters.
pub(super) fn pictures() -> PathBuf {
    let folders = directories::UserDirs::new();
    let folder = folders.and_then(|folders| Some(folders.picture_dir()?.join("carom")));
    folder.or_else(|| std::env::current_dir().ok()).unwrap_or_default()
}
