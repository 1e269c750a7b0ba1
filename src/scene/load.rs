//! From text to a scene: where it comes from, reading it, and saying what is wrong with it and where.

use std::{
    fs::{File, FileType, Metadata},
    io::{self, Read},
    path::{Path, PathBuf},
    sync::mpsc,
    time::Duration,
};

use bevy::asset::Handle;
use ron::{error::SpannedError, extensions::Extensions};

use super::{
    commands::with_ending,
    format::SceneFile,
    registry::SceneRegistry,
    shipped::{ShippedScene, shipped},
};
use crate::{
    link::{Link, LinkError},
    storage::read,
};

/// Where a scene comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SceneSource {
    /// A scene that is part of the program, by its name.
    Shipped(&'static str),
    /// A file.
    Path(PathBuf),
    /// An asset, which Bevy's asset server reads. A game writes
    /// `SceneCommand::Load(asset_server.load("level.ron").into())`: the scene begins as soon as it is there.
    Asset(Handle<SceneFile>),
    /// What somebody else has made and passed on as text; see [`link`](super::link).
    Link(Box<Link>),
}

impl Default for SceneSource {
    fn default() -> Self {
        Self::Shipped(shipped()[0].name)
    }
}

impl std::fmt::Display for SceneSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Shipped(name) => f.write_str(name),
            Self::Path(path) => path.display().fmt(f),
            Self::Asset(handle) => match handle.path() {
                Some(path) => path.fmt(f),
                None => f.write_str("a scene without a file"),
            },
            Self::Link(_) => f.write_str("a link"),
        }
    }
}

/// What else than the name of a scene may be given.
const OR_A_FILE: &str =
    if cfg!(target_arch = "wasm32") { "drop a scene file on the page" } else { "give a file that ends in .ron" };

/// Why there is no such scene, in one line that says what to do.
#[derive(thiserror::Error, Clone, Debug, PartialEq, Eq)]
pub enum SceneError {
    /// The file cannot be read.
    #[error("{name}: cannot be read ({reason}); check the path")]
    Read {
        /// The file.
        name: String,
        /// What the operating system says.
        reason: String,
    },
    /// The file is no text in UTF-8.
    #[error("{name}: the byte at offset {offset}, in line {line}, is not UTF-8; save the file as UTF-8")]
    Encoding {
        /// The file.
        name: String,
        /// How many bytes before it are text.
        offset: usize,
        /// The line, from 1.
        line: usize,
    },
    /// The text is not a scene.
    #[error("{name}:{line}:{column}: {reason}")]
    Syntax {
        /// The file.
        name: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong there.
        reason: String,
    },
    /// The text is a scene, but one of its values makes no sense.
    #[error("{name}: {problem}")]
    Value {
        /// The file.
        name: String,
        /// The place, the value, and what is allowed.
        problem: String,
    },
    /// It is an asset, which the asset server reads.
    #[error("{name} is an asset, which only Bevy's asset server can read; ask for it with SceneCommand::Load")]
    Asset {
        /// The asset.
        name: String,
    },
    /// It is a link that cannot be read.
    #[error("{0}")]
    Link(#[from] LinkError),
    /// It is a link, but not to a scene.
    #[error("the link is one to a match; give it to `carom` or `carom replay`, or paste it in the panel")]
    LinkToMatch,
    /// No shipped scene has that name, and it is not the name of a file.
    #[error("there is no scene `{name}`{}; the scenes are {known}, or {}", nearest.map(|n| format!(", did you mean `{n}`")).unwrap_or_default(), OR_A_FILE)]
    Unknown {
        /// What was asked for.
        name: String,
        /// The shipped name that looks most like it.
        nearest: Option<&'static str>,
        /// All shipped names.
        known: String,
    },
}

impl SceneSource {
    /// What a person named: a shipped scene, or a link with or without an address before it, or else a file, the ending
    /// `.ron` of which may be left out.
    ///
    /// # Errors
    /// [`SceneError::Unknown`] if it is neither a shipped name nor looks like a file; [`SceneError::Link`] if it is a
    /// link that is damaged or of a newer format, and [`SceneError::LinkToMatch`] if it is one to a match.
    pub fn from_argument(argument: &str) -> Result<Self, SceneError> {
        if Link::is_meant(argument) {
            return Self::from_link(Link::read(argument)?);
        }
        if let Some(scene) = ShippedScene::named(argument) {
            return Ok(Self::Shipped(scene.name));
        }
        let path = Path::new(argument);
        let whole = with_ending(path.to_path_buf());
        if whole.exists() && !path.exists() {
            return Ok(Self::Path(whole));
        }
        if path.extension().is_some() || path.components().count() > 1 || path.exists() {
            return Ok(Self::Path(path.to_path_buf()));
        }
        Err(Self::unknown(argument))
    }

    /// Reads and checks the scene, which names nothing but what is shipped. Its file is a regular one, or a pipe, which
    /// is read to its end: somebody has to write to it within ten seconds, and no more than 256 MiB.
    ///
    /// # Errors
    /// The file cannot be read, is not a scene, or holds a value that makes no sense; or it is an asset, which others
    /// read.
    pub fn load(&self) -> Result<SceneFile, SceneError> {
        self.load_with(&SceneRegistry::default())
    }

    /// [`SceneSource::load`] of a scene that may name what is registered.
    ///
    /// # Errors
    /// Those of [`SceneSource::load`].
    pub fn load_with(&self, registry: &SceneRegistry) -> Result<SceneFile, SceneError> {
        match self {
            Self::Shipped(name) => {
                let scene = ShippedScene::named(name).ok_or_else(|| Self::unknown(name))?;
                SceneFile::parse_with(scene.text, scene.name, registry)
            }
            Self::Path(path) => SceneFile::parse_with(&read_text(path)?, &path.display().to_string(), registry),
            Self::Asset(_) => Err(SceneError::Asset { name: self.to_string() }),
            Self::Link(link) => super::link::load(link, registry),
        }
    }

    /// [`SceneSource::load_with`] of a file that is read while the program runs, which must not wait: a pipe is none.
    pub(super) fn load_at_once(&self, registry: &SceneRegistry) -> Result<SceneFile, SceneError> {
        if let Self::Path(path) = self
            && let Some(reason) = std::fs::metadata(path).ok().and_then(|found| not_regular(&found))
        {
            return Err(SceneError::Read { name: self.to_string(), reason: reason.to_owned() });
        }
        self.load_with(registry)
    }

    fn unknown(name: &str) -> SceneError {
        let names: Vec<_> = shipped().iter().map(|scene| scene.name).collect();
        SceneError::Unknown { name: name.to_owned(), nearest: nearest_name(name, &names), known: names.join(", ") }
    }
}

/// What some programs write before a text in UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// How long a pipe is waited for that nobody has opened to write to it.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most that is read from a pipe, bytes.
const MOST_PIPED: u64 = 1 << 28;

/// Why what is found in the place of a file is no regular file, if it is none.
pub(super) fn not_regular(found: &Metadata) -> Option<&'static str> {
    let kind = found.file_type();
    match kind {
        _ if kind.is_file() => None,
        _ if kind.is_dir() => Some("it is a folder"),
        _ if is_pipe(kind) => Some("it is a pipe, and not a file"),
        _ => Some("it is a device, and not a file"),
    }
}

#[cfg(unix)]
fn is_pipe(kind: FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&kind)
}

#[cfg(not(unix))]
fn is_pipe(_: FileType) -> bool {
    false
}

/// The text of a file, without the mark that some programs put before it. A pipe is read to its end.
///
/// # Errors
/// The file cannot be read, is a device, or is no text in UTF-8; nobody writes to the pipe, or more than what fits.
pub(crate) fn read_text(path: &Path) -> Result<String, SceneError> {
    let name = path.display().to_string();
    let read = match std::fs::metadata(path) {
        // A browser has files, and nothing else.
        Err(_) if cfg!(target_arch = "wasm32") => read(path),
        Err(error) => Err(error),
        Ok(found) => match not_regular(&found) {
            None => read(path),
            Some(_) if is_pipe(found.file_type()) => read_pipe(path, PATIENCE, MOST_PIPED),
            Some(reason) => Err(io::Error::other(reason)),
        },
    };
    match read {
        Ok(bytes) => text_of(bytes, &name),
        Err(error) => Err(SceneError::Read { name, reason: error.to_string() }),
    }
}

/// What is written to a pipe, to its end.
fn read_pipe(path: &Path, patience: Duration, most: u64) -> io::Result<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    let path = path.to_owned();
    // To open a pipe is to wait until somebody opens its other end.
    std::thread::spawn(move || sender.send(File::open(path)));
    let Ok(opened) = receiver.recv_timeout(patience) else {
        let seconds = patience.as_secs();
        return Err(io::Error::other(format!("it is a pipe to which nobody has written for {seconds} seconds")));
    };
    let mut bytes = Vec::new();
    opened?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it is a pipe that gives more than {} MiB", most >> 20)));
    }
    Ok(bytes)
}

/// The text that these bytes are, without the mark that some programs put before it.
pub(super) fn text_of(bytes: Vec<u8>, name: &str) -> Result<String, SceneError> {
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..offset].split(|byte| *byte == b'\n').count();
        SceneError::Encoding { name: name.to_owned(), offset, line }
    })?;
    if text.starts_with(BYTE_ORDER_MARK) {
        text.remove(0);
    }
    Ok(text)
}

/// The known name that is most likely meant, if any is likely.
pub(crate) fn nearest_name<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    // So many letters have to be added or taken away at least. Comparing takes time in proportion to both lengths.
    let letters = name.chars().count();
    let may_be_near = |known: &&&str| letters.abs_diff(known.chars().count()) <= known.len() / 2;
    let nearest = known.iter().filter(may_be_near).map(|known| (strsim::osa_distance(name, known), *known)).min();
    nearest.filter(|(edits, known)| *edits <= known.len() / 2).map(|(_, known)| known)
}

/// The dialect of RON that scenes are written in: `Some(..)` may be left out, and so may a variant's second
/// parentheses.
pub(super) fn dialect() -> ron::Options {
    ron::Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME)
        .with_default_extension(Extensions::UNWRAP_VARIANT_NEWTYPES)
}

/// The most letters of what is wrong.
const MOST_SAID: usize = 2000;

/// What is wrong with somebody's text. What it quotes of that is not for a terminal to obey, and may be as long as the
/// text.
pub(crate) fn in_one_line(problem: &str) -> String {
    let (said, rest) = problem.split_at(problem.char_indices().nth(MOST_SAID).map_or(problem.len(), |(at, _)| at));
    said.replace(char::is_control, " ") + if rest.is_empty() { "" } else { "…" }
}

/// Where a text that does not begin as a scene does begins, and what to say of it. RON would speak of its own grammar.
fn no_scene(text: &str) -> Option<(usize, usize, String)> {
    // Comments and attributes may stand before a scene, and so may its type.
    let is_before = |line: &str| line.is_empty() || ["//", "/*", "#!["].iter().any(|begin| line.starts_with(begin));
    let (at, line) = text.lines().enumerate().find(|(_, line)| !is_before(line.trim()))?;
    let begin = line.trim();
    if begin.starts_with('(') || begin.starts_with("SceneFile") || text.contains("/*") {
        return None;
    }
    let there: String = begin.chars().take(SHOWN).collect();
    let column = line.chars().take_while(|letter| letter.is_whitespace()).count() + 1;
    let reason = format!(
        "this is no scene, it begins with `{}`: a scene is `( )` with discs, terrain and settings between, like those in assets/scenes",
        there.trim_end()
    );
    Some((at + 1, column, reason))
}

/// What to do about a mistake whose reason does not say it.
fn remedy(text: &str, error: &SpannedError) -> String {
    // Comments and nothing else are a file that somebody has not begun yet.
    let is_empty = dialect().from_str::<()>(&format!("{text}\n()")).is_ok();
    let lines = text.trim_end().lines();
    let end = lines.enumerate().last().map_or((1, 1), |(i, line)| (i + 1, line.chars().count() + 1));
    let at = (error.span.end.line, error.span.end.col);
    if is_empty {
        "; there is no scene in it: write `( )` with discs, terrain and settings between, or copy one of assets/scenes"
            .into()
    } else if at >= end || error.code == ron::Error::Eof {
        "; the file ends before the scene does: close what is open, with `)` in the end".into()
    } else if is_bare(&error.code) {
        let (line, column) = (error.span.start.line, error.span.start.col);
        let rest = text.lines().nth(line.saturating_sub(1)).map(|line| line.chars().skip(column.saturating_sub(1)));
        let there: String = rest.into_iter().flatten().take(SHOWN).collect();
        format!(" where `{}` stands", there.trim_end())
    } else {
        String::new()
    }
}

/// So many letters of a mistake are shown.
const SHOWN: usize = 24;

/// Whether an error says what is expected, and not what is there.
fn is_bare(error: &ron::Error) -> bool {
    use ron::Error::{
        ExpectedArray, ExpectedBoolean, ExpectedFloat, ExpectedIdentifier, ExpectedInteger, ExpectedOption,
        ExpectedString, ExpectedStructLike,
    };
    matches!(
        error,
        ExpectedArray
            | ExpectedBoolean
            | ExpectedFloat
            | ExpectedIdentifier
            | ExpectedInteger
            | ExpectedOption
            | ExpectedString
            | ExpectedStructLike
    )
}

impl SceneFile {
    /// Reads a scene from its text, and checks it. `name` is what errors call it: a path, or a shipped name. It knows
    /// what is shipped.
    ///
    /// # Errors
    /// The text is not a scene (with line, column and reason), or holds a value that makes no sense (with its place).
    pub fn parse(text: &str, name: &str) -> Result<Self, SceneError> {
        Self::parse_with(text, name, &SceneRegistry::default())
    }

    /// [`SceneFile::parse`] of a scene that may name what is registered.
    ///
    /// # Errors
    /// Those of [`SceneFile::parse`].
    pub fn parse_with(text: &str, name: &str, registry: &SceneRegistry) -> Result<Self, SceneError> {
        Self::read(text, name)?.checked(name, registry)
    }

    /// Reads a scene from its text, and does not check it.
    pub(super) fn read(text: &str, name: &str) -> Result<Self, SceneError> {
        let mut file: Self = dialect().from_str(text).map_err(|error| {
            let (line, column, reason) = no_scene(text).unwrap_or_else(|| {
                let reason = error.code.to_string() + &remedy(text, &error);
                (error.span.start.line, error.span.start.col, reason)
            });
            SceneError::Syntax { name: name.to_owned(), line, column, reason: in_one_line(&reason) }
        })?;
        file.fill_from_table(text);
        Ok(file)
    }

    /// The same scene with the lesson that it names, if every value of it makes sense.
    pub(super) fn checked(mut self, name: &str, registry: &SceneRegistry) -> Result<Self, SceneError> {
        let invalid = |problem: String| SceneError::Value { name: name.to_owned(), problem: in_one_line(&problem) };
        self.lesson = registry.lesson(self.lesson.name).map_err(invalid)?;
        self.check_with(registry).map_err(invalid)?;
        Ok(self)
    }

    /// The scene as text that [`SceneFile::parse`] reads back, every number to the bit.
    ///
    /// # Errors
    /// Only if RON cannot write it, which no value of this type is known to bring about.
    pub fn to_text(&self) -> Result<String, ron::Error> {
        let mut text = dialect().to_string_pretty(self, ron::ser::PrettyConfig::new().indentor("  ").depth_limit(3))?;
        text.push('\n');
        Ok(text)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::{fs::OpenOptions, io::Write, process::Command};

    use super::*;

    fn pipe(folder: &tempfile::TempDir) -> PathBuf {
        let path = folder.path().join("pipe.ron");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    }

    #[test]
    fn a_pipe_is_read_to_its_end_and_not_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let path = pipe(&folder);
        let read = |most: u64| {
            let writes = path.clone();
            let writer = std::thread::spawn(move || {
                let mut pipe = OpenOptions::new().write(true).open(writes).unwrap();
                // The reader may have had enough.
                drop(pipe.write_all(b"(title: \"piped\")"));
            });
            let read = read_pipe(&path, PATIENCE, most);
            writer.join().unwrap();
            read.map_err(|error| error.to_string())
        };
        assert_eq!(read(1 << 20), Ok(b"(title: \"piped\")".to_vec()));
        assert_eq!(read(8), Err("it is a pipe that gives more than 0 MiB".to_owned()));
        let alone = read_pipe(&path, Duration::from_millis(50), 8).unwrap_err();
        assert!(alone.to_string().contains("to which nobody has written"), "{alone}");
    }

    #[test]
    fn a_device_is_no_scene_and_a_running_program_waits_for_no_pipe() {
        let reason = |source: SceneSource| match source.load_at_once(&SceneRegistry::default()) {
            Err(SceneError::Read { reason, .. }) => reason,
            other => panic!("{other:?}"),
        };
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(reason(SceneSource::Path(pipe(&folder))), "it is a pipe, and not a file");
        assert_eq!(reason(SceneSource::Path(folder.path().to_owned())), "it is a folder");
        let device = SceneSource::Path("/dev/zero".into());
        assert_eq!(reason(device.clone()), "it is a device, and not a file");
        assert!(matches!(device.load(), Err(SceneError::Read { .. })));
    }
}
