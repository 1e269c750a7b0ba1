//! Replaces the file system in a browser.
//!
//! | files | where they are |
//! |---|---|
//! | handed to the page by the user | in memory, by name |
//! | the program's own, below [`KEPT`] | in the browser's storage for the page |
//! | all others that are written | handed to the user as a download, and in memory |

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use web_sys::{
    Blob, BlobPropertyBag, HtmlAnchorElement, Storage, Url,
    js_sys::{Array, Uint8Array},
    wasm_bindgen::{JsCast, JsValue},
};

/// The folder of the program's own files.
pub(crate) const KEPT: &str = "/carom";

/// The files in memory.
fn held() -> MutexGuard<'static, BTreeMap<PathBuf, Vec<u8>>> {
    static HELD: Mutex<BTreeMap<PathBuf, Vec<u8>>> = Mutex::new(BTreeMap::new());
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

fn storage() -> io::Result<Storage> {
    let storage = web_sys::window().and_then(|window| window.local_storage().ok()?);
    storage.ok_or_else(|| io::Error::other("the browser keeps nothing for this page; allow it to in its settings"))
}

/// The entry of the storage for a path: the time when it was written, milliseconds, and its text.
fn kept(path: &Path) -> io::Result<Option<(f64, String)>> {
    let entry = storage()?.get_item(&path.to_string_lossy()).ok().flatten();
    Ok(entry.and_then(|entry| entry.split_once('\n').map(|(at, text)| (at.parse().unwrap_or(0.0), text.to_owned()))))
}

/// Stores a file that the user hands to the page in memory.
pub(crate) fn hold(name: &str, content: Vec<u8>) -> PathBuf {
    let path = PathBuf::from(name);
    held().insert(path.clone(), content);
    path
}

/// The content of a file.
///
/// # Errors
/// If there is no file of this name.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    if let Some(content) = held().get(path) {
        return Ok(content.clone());
    }
    let (_, text) = kept(path)?.ok_or(io::ErrorKind::NotFound)?;
    Ok(text.into_bytes())
}

/// Whether there is a file of this name.
pub(crate) fn is_there(path: &Path) -> bool {
    read(path).is_ok()
}

/// Does nothing: paths in the storage need no folders.
#[expect(clippy::unnecessary_wraps, reason = "natively it may fail")]
pub(crate) fn make_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The stored files of a folder, newest first. Files of the same age are in descending order of their names.
pub(crate) fn newest_first(folder: &Path) -> Vec<PathBuf> {
    let Ok(storage) = storage() else { return Vec::new() };
    let keys = (0..storage.length().unwrap_or(0)).filter_map(|number| storage.key(number).ok()?);
    let paths = keys.map(PathBuf::from).filter(|path| path.parent() == Some(folder));
    let mut found: Vec<_> = paths.filter_map(|path| Some((kept(&path).ok()??.0, path))).collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| b.1.cmp(&a.1)));
    found.into_iter().map(|(_, path)| path).collect()
}

/// Writes a file: stores it, or hands it to the user and keeps it in memory.
///
/// # Errors
/// If the storage is full or unavailable, or if the content to store is not text.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    if path.starts_with(KEPT) {
        return keep(path, content);
    }
    hand_out(path, content).map_err(|_| io::Error::other("the browser does not take the download"))?;
    held().insert(path.to_owned(), content.to_vec());
    Ok(())
}

/// The time of the browser's clock, milliseconds since 1970. The clock of the standard library panics there.
pub(crate) fn now() -> f64 {
    let clock = web_sys::window().and_then(|window| window.performance());
    clock.map_or(0.0, |clock| clock.time_origin() + clock.now())
}

fn keep(path: &Path, content: &[u8]) -> io::Result<()> {
    let text = str::from_utf8(content).map_err(io::Error::other)?;
    let now = now();
    let full = |_| io::Error::new(io::ErrorKind::StorageFull, "the browser's storage for this page is full");
    storage()?.set_item(&path.to_string_lossy(), &format!("{now}\n{text}")).map_err(full)
}

/// Hands a file to the user, as a download.
fn hand_out(path: &Path, content: &[u8]) -> Result<(), JsValue> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let kind = BlobPropertyBag::new();
    kind.set_type("application/octet-stream");
    let parts = Array::of1(&Uint8Array::from(content));
    let url = Url::create_object_url_with_blob(&Blob::new_with_u8_array_sequence_and_options(&parts, &kind)?)?;
    let document = web_sys::window().and_then(|window| window.document()).ok_or(JsValue::NULL)?;
    let link: HtmlAnchorElement = document.create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(&name);
    // The URL is not revoked, because some browsers read it later. The page frees it when it is closed.
    link.click();
    Ok(())
}

/// Lets the user choose a file for the page. It arrives like a dropped file.
pub(crate) fn pick() {
    let body = web_sys::window().and_then(|window| window.document()?.body());
    if let Some(body) = body {
        // A page without the attribute has no file dialog.
        let _ = body.dataset().set("ask", "open");
    }
}
