//! The person's folders that the program keeps its own files in; none where the system has no place for them. In a
//! browser they are names in its storage.

use std::path::PathBuf;

/// The folder of what a person has set.
pub(super) fn configuration() -> Option<PathBuf> {
    #[cfg(target_arch = "wasm32")]
    return Some(crate::storage::KEPT.into());
    #[cfg(not(target_arch = "wasm32"))]
    directories::ProjectDirs::from("", "", "carom").map(|folders| folders.config_dir().to_owned())
}

/// The folder of what comes of playing.
pub(super) fn data() -> Option<PathBuf> {
    #[cfg(target_arch = "wasm32")]
    return Some(crate::storage::KEPT.into());
    #[cfg(not(target_arch = "wasm32"))]
    directories::ProjectDirs::from("", "", "carom").map(|folders| folders.data_dir().to_owned())
}

/// Where pictures and recordings go: *carom* among the person's pictures, or else where the program was begun; the
/// whole path, so that a notice says where a file is. In a browser the name of a picture is all there is to it.
pub(super) fn pictures() -> PathBuf {
    let folders = directories::UserDirs::new();
    let folder = folders.and_then(|folders| Some(folders.picture_dir()?.join("carom")));
    folder.or_else(|| std::env::current_dir().ok()).unwrap_or_default()
}
