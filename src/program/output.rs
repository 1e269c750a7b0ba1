//! Outputs: a file or the standard output.
//!
//! Whether an output can be written is checked before the work. A file is replaced only when its new content is
//! complete.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufWriter, Stdout, Write},
    path::Path,
};

use serde::Serialize;

#[cfg(feature = "program")]
use crate::storage::ends_in;
use crate::storage::whole_file::{Destination, WholeFile};

/// The place for one result.
#[derive(Clone, Debug)]
pub(super) struct Output {
    /// The option that names it.
    option: &'static str,
    name: String,
    /// The file, or none for the standard output.
    destination: Option<Destination>,
}

/// Names of the standard output.
const STANDARD: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

impl Output {
    /// Makes an output, and checks that it can be written. The path `-` is the standard output. `option` is its option
    /// on the command line.
    pub(super) fn to(option: &'static str, path: &Path) -> Result<Self, String> {
        let output = Self::unprobed(option, path)?;
        let probed = output.destination.as_ref().map_or(Ok(()), Destination::probe);
        probed.map_err(|error| output.failed(&error)).map(|()| output)
    }

    /// Like [`Output::to`], for an optional path.
    pub(super) fn wanted(option: &'static str, path: Option<&Path>) -> Result<Option<Self>, String> {
        path.map(|path| Self::to(option, path)).transpose()
    }

    /// Like [`Output::to`] without the check, for one of many files in a folder that was checked before.
    pub(super) fn unprobed(option: &'static str, path: &Path) -> Result<Self, String> {
        if STANDARD.iter().any(|name| Path::new(name) == path) {
            return Ok(Self { option, ..Self::standard() });
        }
        let output = Self { option, name: path.display().to_string(), destination: None };
        match Destination::of(path) {
            Ok(destination) => Ok(Self { destination: Some(destination), ..output }),
            Err(error) => Err(output.failed(&error)),
        }
    }

    /// Like [`Output::to`], for a format that needs this file ending.
    #[cfg(feature = "program")]
    pub(super) fn with_ending(option: &'static str, path: &Path, ending: &str, format: &str) -> Result<Self, String> {
        let output = Self::to(option, path)?;
        if output.destination.as_ref().is_some_and(Destination::is_replaced) && !ends_in(path, ending) {
            return Err(format!(
                "{option} {}: {format} is what can be written, to a file that ends in .{ending}",
                output.name
            ));
        }
        Ok(output)
    }

    pub(super) fn standard() -> Self {
        Self { option: "", name: "the standard output".to_owned(), destination: None }
    }

    pub(super) fn is_standard(&self) -> bool {
        self.destination.is_none()
    }

    /// Describes an error of this output.
    pub(super) fn failed(&self, error: &dyn std::fmt::Display) -> String {
        format!("{} cannot be written ({error}); choose another folder or name", self.name)
    }

    /// Writes the whole content. A closed pipe, as in `carom … | head`, is not a failure.
    pub(super) fn write(&self, content: impl AsRef<[u8]>) -> Result<(), String> {
        let mut stream = self.begin()?;
        stream.write_all(content.as_ref()).map_err(|error| self.failed(&error))?;
        stream.finish()
    }

    /// Writes values as JSON.
    pub(super) fn write_json(&self, values: &impl Serialize) -> Result<(), String> {
        let text = serde_json::to_string_pretty(values).map_err(|error| self.failed(&error))?;
        self.write(text + "\n")
    }

    /// Whether it is a file that can be continued. Pipes, devices and the standard output cannot.
    pub(super) fn is_continuable(&self) -> bool {
        self.destination.as_ref().is_some_and(Destination::is_replaced)
    }

    /// The present content of the file; empty if there is none.
    pub(super) fn present(&self) -> Result<String, String> {
        let present = self.destination.as_ref().map_or(Ok(None), Destination::present);
        Ok(present
            .map_err(|error| format!("{} {}: cannot be read ({error})", self.option, self.name))?
            .unwrap_or_default())
    }

    /// Opens the file to add content after its first bytes.
    pub(super) fn extend(&self, kept: usize) -> Result<File, String> {
        let file = match &self.destination {
            Some(destination) => destination.extend(kept as u64),
            None => Err(io::ErrorKind::Unsupported.into()),
        };
        file.map_err(|error| self.failed(&error))
    }

    /// Its option and name, for messages.
    pub(super) fn place(&self) -> String {
        format!("{} {}", self.option, self.name)
    }

    /// Starts writing piece by piece.
    pub(super) fn begin(&self) -> Result<Stream<'_>, String> {
        let sink = match &self.destination {
            Some(destination) => Sink::File(BufWriter::new(destination.begin().map_err(|error| self.failed(&error))?)),
            None => Sink::Standard(io::stdout()),
        };
        Ok(Stream { output: self, sink })
    }
}

/// Checks that no two outputs go to the same place.
pub(super) fn keep_apart<'a>(outputs: impl IntoIterator<Item = &'a Output>) -> Result<(), String> {
    let mut places: HashMap<Option<String>, &Output> = HashMap::new();
    for output in outputs {
        let place = output.destination.as_ref().map(Destination::identity);
        let Some(other) = places.insert(place, output) else { continue };
        let (one, two) = (other.option, output.option);
        return Err(if output.is_standard() {
            format!("only one of {one} and {two} can go to the standard output; name a file for the other")
        } else {
            format!("{one} {} and {two} {} are the same file; name another for one of them", other.name, output.name)
        });
    }
    Ok(())
}

/// Writes a summary for people to the standard output, unless `quiet` or one of the outputs goes there. Returns whether
/// it was written.
pub(super) fn write_summary<'a>(
    summary: impl AsRef<[u8]>,
    quiet: bool,
    outputs: impl IntoIterator<Item = &'a Output>,
) -> Result<bool, String> {
    let is_shown = !quiet && !outputs.into_iter().any(Output::is_standard);
    if is_shown {
        Output::standard().write(summary)?;
    }
    Ok(is_shown)
}

/// An output that is being written.
pub(super) struct Stream<'a> {
    output: &'a Output,
    sink: Sink,
}

enum Sink {
    File(BufWriter<WholeFile>),
    Standard(Stdout),
}

impl Write for Stream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::File(file) => file.write(bytes),
            Sink::Standard(out) => unless_closed(out.write(bytes), bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::File(file) => file.flush(),
            Sink::Standard(out) => unless_closed(out.flush(), ()),
        }
    }
}

/// Treats a closed pipe as success: the reader has all it wants.
fn unless_closed<T>(written: io::Result<T>, all: T) -> io::Result<T> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(all),
        other => other,
    }
}

impl Stream<'_> {
    /// Completes the output, and moves a file into place.
    pub(super) fn finish(mut self) -> Result<(), String> {
        let done = self.flush().and_then(|()| match self.sink {
            Sink::File(file) => file.into_inner().map_err(io::IntoInnerError::into_error)?.finish(),
            Sink::Standard(_) => Ok(()),
        });
        done.map_err(|error| self.output.failed(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_place_is_found_under_all_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let at = |option, name: &str| Output::to(option, &folder.path().join(name)).unwrap();
        let (a, b) = (at("--csv", "x"), at("--svg", "y"));
        keep_apart([&a, &b]).unwrap();
        std::fs::create_dir(folder.path().join("deeper")).unwrap();
        let again = at("--json", "deeper/../x");
        let error = keep_apart([&a, &b, &again]).unwrap_err();
        assert!(error.contains("--csv") && error.contains("--json") && error.contains("same file"), "{error}");
        let [one, two] = ["-", "/dev/stdout"].map(|name| Output::to("--json", Path::new(name)).unwrap());
        assert!(keep_apart([&one, &two]).unwrap_err().contains("standard output"));
        a.write("").unwrap();
        assert!(keep_apart([&a, &again]).is_err(), "also when it exists");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_the_file_that_it_leads_to() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("x"), "").unwrap();
        std::os::unix::fs::symlink("x", folder.path().join("y")).unwrap();
        let [x, y] = ["x", "y"].map(|name| Output::to("--csv", &folder.path().join(name)).unwrap());
        assert!(keep_apart([&x, &y]).is_err());
    }

    #[cfg(feature = "program")]
    #[test]
    fn looking_leaves_no_trace_and_an_ending_says_what_is_in_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| Output::with_ending("--out", &folder.path().join(name), "png", "PNG").map(|_| ());
        assert_eq!((at("a.png"), at("b.PNG")), (Ok(()), Ok(())));
        for name in ["a.jpg", "a", "png"] {
            let error = at(name).unwrap_err();
            assert!(error.contains("ends in .png"), "{error}");
        }
        assert!(at("missing/a.png").unwrap_err().contains("cannot be written"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(Output::with_ending("--out", Path::new("-"), "png", "PNG").unwrap().is_standard());
    }
}
