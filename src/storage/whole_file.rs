//! Writes files atomically: a reader finds the old content or the new one, never a part of it, whatever fails.
//!
//! The content is written to a temporary file beside its destination, which is renamed when it is complete. Devices,
//! pipes and other special files cannot be replaced like that and are written directly.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf, is_separator},
};

use tempfile::{Builder, NamedTempFile};

/// The resolved place of a file: links are followed, and the folder exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Destination {
    path: PathBuf,
    /// Whether it is written directly instead of being replaced.
    through: bool,
}

impl Destination {
    /// Resolves a path.
    ///
    /// # Errors
    /// If the folder does not exist, or if the path is a folder or a read-only file.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        let wrong = |kind, reason: &str| Err(io::Error::new(kind, reason));
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => wrong(io::ErrorKind::IsADirectory, "it is a folder"),
            // These names belong to the system, even if they lead to a regular file. A pipe must not be renamed.
            Ok(found) if !found.is_file() || cfg!(unix) && (path.starts_with("/dev") || path.starts_with("/proc")) => {
                Ok(Self { path: path.to_owned(), through: true })
            }
            Ok(found) if found.permissions().readonly() => {
                wrong(io::ErrorKind::PermissionDenied, "the file is write-protected")
            }
            Ok(_) => Ok(Self { path: fs::canonicalize(path)?, through: false }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let name = path.file_name().filter(|_| !path.as_os_str().to_string_lossy().ends_with(is_separator));
                let Some(name) = name else {
                    return wrong(io::ErrorKind::InvalidInput, "that is not the name of a file");
                };
                if fs::symlink_metadata(path).is_ok() {
                    return wrong(io::ErrorKind::NotFound, "it is a link that leads nowhere");
                }
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
                Ok(Self { path: fs::canonicalize(folder)?.join(name), through: false })
            }
            Err(error) => Err(error),
        }
    }

    /// Begins the content. The old file stays until [`WholeFile::finish`].
    ///
    /// # Errors
    /// If the folder is not writable.
    pub(crate) fn begin(&self) -> io::Result<WholeFile> {
        if self.through {
            return Ok(WholeFile::Through(File::options().write(true).open(&self.path)?));
        }
        let mut beside = Builder::new();
        beside.prefix(".carom-").suffix(".unfinished");
        // The mode of an ordinary new file, to which the system applies the user's mask.
        #[cfg(unix)]
        beside.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let beside = beside.tempfile_in(folder).map_err(|error| without_path(&error))?;
        Ok(WholeFile::Beside { path: self.path.clone(), beside })
    }

    /// Checks that [`Destination::begin`] will succeed, without leaving a trace.
    ///
    /// # Errors
    /// If the folder is not writable.
    #[cfg(feature = "cli")]
    pub(crate) fn probe(&self) -> io::Result<()> {
        // Opening and closing a pipe would end it.
        if self.through { Ok(()) } else { self.begin().map(drop) }
    }

    /// The present content; `None` if there is no file, or if it is written directly.
    ///
    /// # Errors
    /// If the file cannot be read, or is not text.
    #[cfg(feature = "cli")]
    pub(crate) fn present(&self) -> io::Result<Option<String>> {
        match fs::read_to_string(&self.path) {
            _ if self.through => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            read => read.map(Some),
        }
    }

    /// Opens the file to add content after its first bytes; the rest is cut off.
    ///
    /// # Errors
    /// If it cannot be written.
    #[cfg(feature = "cli")]
    pub(crate) fn extend(&self, kept: u64) -> io::Result<File> {
        use io::Seek;

        let mut file = File::options().create(true).truncate(false).write(true).open(&self.path)?;
        file.set_len(kept)?;
        file.seek(io::SeekFrom::End(0))?;
        Ok(file)
    }

    /// Whether a new file replaces it. Otherwise it is written directly.
    #[cfg(feature = "cli")]
    pub(crate) fn is_replaced(&self) -> bool {
        !self.through
    }

    /// A text that is equal for all paths to the same file.
    #[cfg(feature = "cli")]
    pub(crate) fn identity(&self) -> String {
        let path = self.path.to_string_lossy();
        // File names on these systems are case-insensitive.
        if cfg!(any(windows, target_os = "macos")) { path.to_lowercase() } else { path.into_owned() }
    }
}

/// A file that is being written. If it is dropped before [`WholeFile::finish`], it leaves no trace.
#[derive(Debug)]
pub(crate) enum WholeFile {
    Beside { path: PathBuf, beside: NamedTempFile },
    Through(File),
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            // Written through `File`, so that errors do not contain the name of the temporary file.
            Self::Beside { beside, .. } => beside.as_file_mut().write(bytes),
            Self::Through(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Beside { beside, .. } => beside.as_file_mut().flush(),
            Self::Through(file) => file.flush(),
        }
    }
}

impl WholeFile {
    /// Moves the content to its destination.
    ///
    /// # Errors
    /// If the content cannot be written to the disk, or cannot be moved.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        let Self::Beside { path, beside } = self else { return Ok(()) };
        // Some file systems report a full disk only at this point.
        beside.as_file().sync_all()?;
        if let Ok(old) = fs::metadata(&path) {
            beside.as_file().set_permissions(old.permissions())?;
        }
        beside.persist(path).map_err(|error| error.error)?;
        Ok(())
    }
}

/// The error without the path of the temporary file.
fn without_path(error: &io::Error) -> io::Error {
    let words = error.to_string();
    io::Error::new(error.kind(), words.split(" at path ").next().unwrap_or(&words))
}

/// Writes a file atomically.
///
/// # Errors
/// If it cannot be written. The old file is then unchanged.
#[cfg(not(all(target_arch = "wasm32", feature = "view")))]
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = Destination::of(path)?.begin()?;
    file.write_all(content)?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn the_old_content_stays_until_the_new_one_is_whole() {
        let folder = folder();
        let path = folder.path().join("a.txt");
        write_whole(&path, b"old").unwrap();
        let mut begun = Destination::of(&path).unwrap().begin().unwrap();
        begun.write_all(b"ne").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        drop(begun);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a.txt"], "nothing is left beside it");
        write_whole(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn what_cannot_be_a_file_is_reported() {
        let folder = folder();
        let at = |name: &str| Destination::of(&folder.path().join(name)).map(|_| ()).unwrap_err().to_string();
        assert!(at("").contains("folder"));
        assert!(at("missing/a.txt").contains("No such file") || cfg!(not(unix)));
        assert!(at("a.txt/").contains("name of a file"));
        let protected = folder.path().join("protected");
        fs::write(&protected, "kept").unwrap();
        let mut permissions = fs::metadata(&protected).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&protected, permissions).unwrap();
        assert!(at("protected").contains("write-protected"));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_permissions_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = folder();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        assert_eq!(Destination::of(&link).unwrap(), Destination::of(&file).unwrap());
        write_whole(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        fs::remove_file(&file).unwrap();
        assert!(Destination::of(&link).unwrap_err().to_string().contains("nowhere"));
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_through() {
        use std::os::unix::fs::FileTypeExt;
        write_whole(Path::new("/dev/null"), b"gone").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_pipe_is_written_through() {
        use std::{io::Read, os::fd::AsRawFd};
        let (mut reader, writer) = io::pipe().unwrap();
        write_whole(Path::new(&format!("/dev/fd/{}", writer.as_raw_fd())), b"heard").unwrap();
        drop(writer);
        let mut read_back = String::new();
        reader.read_to_string(&mut read_back).unwrap();
        assert_eq!(read_back, "heard");
    }

    #[test]
    fn no_reason_names_the_file_beside() {
        let folder = folder();
        let path = folder.path().join("a.txt");
        let destination = Destination::of(&path).unwrap();
        let mut begun = destination.begin().unwrap();
        // Writing to a file opened for reading fails like a full disk.
        let WholeFile::Beside { beside, .. } = &mut begun else { panic!("it is replaced") };
        *beside.as_file_mut() = File::open(beside.path()).unwrap();
        let full = begun.write_all(b"x").unwrap_err().to_string();
        drop(begun);
        fs::remove_dir(folder.path()).unwrap();
        let gone = destination.begin().map(drop).unwrap_err().to_string();
        for reason in [full, gone] {
            assert!(!reason.is_empty() && !reason.contains("unfinished") && !reason.contains("path"), "{reason}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported() {
        assert_eq!(write_whole(Path::new("/dev/full"), b"x").unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
