//! Where results go: a file, or the standard output.

use std::{
    fs::File,
    io::{self, Write},
    path::Path,
};

/// A place to write one result to.
pub(super) struct Output {
    name: String,
    /// None is the standard output.
    file: Option<File>,
}

impl Output {
    /// Opens a file; `-` is the standard output.
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        if path == Path::new("-") {
            return Ok(Self::standard());
        }
        let name = path.display().to_string();
        let file = File::create(path)
            .map_err(|error| format!("{name} cannot be written ({error}); choose another folder or name"))?;
        Ok(Self { name, file: Some(file) })
    }

    pub(super) fn standard() -> Self {
        Self { name: "the standard output".to_owned(), file: None }
    }

    pub(super) fn is_standard(&self) -> bool {
        self.file.is_none()
    }

    /// Writes all of it. A reader that went away, as in `carom … | head`, is no failure.
    pub(super) fn write(self, text: &str) -> Result<(), String> {
        let written = match self.file {
            Some(mut file) => file.write_all(text.as_bytes()),
            None => io::stdout().lock().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()),
        };
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(format!("{} cannot be written ({error}); choose another place", self.name))
            }
            _ => Ok(()),
        }
    }
}
