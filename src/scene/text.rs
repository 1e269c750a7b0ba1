//! Reads texts and describes errors in words: files, errors of RON, similar names.

use std::{
    fs::{File, FileType, Metadata},
    io::{self, Read},
    path::{Path, PathBuf},
    sync::mpsc,
    time::Duration,
};

use ron::{
    error::{Position, SpannedError},
    extensions::Extensions,
};

use crate::{
    components::InvalidValue,
    link::LinkError,
    ron_text::{SyntaxError, did_you_mean, first_line, in_one_line},
    storage::read,
};

/// What else may be given in place of a scene's name.
const OR_A_FILE: &str =
    if cfg!(target_arch = "wasm32") { "drop a scene file on the page" } else { "give a file that ends in .ron" };

/// Why a scene cannot be read, in one line with the remedy.
#[derive(thiserror::Error, Clone, Debug, PartialEq)]
pub enum SceneError {
    /// The file cannot be read.
    #[error("{name}: cannot be read ({reason}); check the path")]
    Read {
        /// The file.
        name: String,
        /// The message of the operating system.
        reason: String,
    },
    /// The file is not UTF-8.
    #[error("{name}: the byte at offset {offset}, in line {line}, is not UTF-8; save the file as UTF-8")]
    Encoding {
        /// The file.
        name: String,
        /// The number of valid bytes before the error.
        offset: usize,
        /// The line, from 1.
        line: usize,
    },
    /// The text is not a scene.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// The text is a scene, but one of its values is invalid.
    #[error("{name}: {}", in_one_line(&invalid.to_string()))]
    Value {
        /// The file.
        name: String,
        /// The place, the value, and what is allowed.
        invalid: InvalidValue,
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
    /// No shipped scene has this name, and it does not look like a file.
    #[error("there is no scene `{name}`{}; the scenes are {known}, or {}", did_you_mean(*nearest), OR_A_FILE)]
    Unknown {
        /// The name.
        name: String,
        /// The most similar name of a shipped scene.
        nearest: Option<&'static str>,
        /// All names of shipped scenes.
        known: String,
    },
}

impl SceneError {
    /// An invalid value in the scene of this name.
    pub(crate) fn value(name: impl ToString, invalid: InvalidValue) -> Self {
        Self::Value { name: name.to_string(), invalid }
    }
}

/// A mark that some programs write before UTF-8 text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// How long to wait for another program to open a pipe for writing.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// The largest number of bytes read from a pipe.
const MOST_PIPED: u64 = 1 << 28;

/// Describes a path that is not a regular file, or returns none if it is one.
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
pub(super) fn is_pipe(kind: FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&kind)
}

#[cfg(not(unix))]
pub(super) fn is_pipe(_: FileType) -> bool {
    false
}

/// Reads a file as text, without a byte order mark. A pipe is read to its end.
///
/// # Errors
/// If the file cannot be read, is a device or is not UTF-8. For a pipe, if nobody writes to it, or its content is too
/// large.
pub(crate) fn read_text(path: &Path) -> Result<String, SceneError> {
    let name = path.display().to_string();
    let read = match std::fs::metadata(path) {
        // In a browser, files have no metadata.
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

/// Reads a pipe to its end.
pub(super) fn read_pipe(path: &Path, patience: Duration, most: u64) -> io::Result<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    let path = path.to_owned();
    // Opening a pipe waits until another program opens its other end.
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

/// Decodes bytes as text, without a byte order mark.
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

/// The dialect of RON for scenes: `Some(..)` may be omitted, and so may the inner parentheses of a variant with a
/// struct.
pub(super) fn dialect() -> ron::Options {
    ron::Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME)
        .with_default_extension(Extensions::UNWRAP_VARIANT_NEWTYPES)
}

/// The same with a variant's second parentheses.
pub(super) fn strict_dialect() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}

/// Where a text starts that does not look like a scene, and a message in place of RON's, which would mention its own
/// grammar.
pub(super) fn no_scene(text: &str) -> Option<(Position, String)> {
    let rest = without_preamble(text)?;
    if rest.is_empty() || begins_a_scene(rest) {
        return None;
    }
    let before = &text[..text.len() - rest.len()];
    let line = before.matches('\n').count() + 1;
    let col = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let reason = format!(
        "this is not a scene: it begins with `{}`; a scene is `( )` with discs, terrain and settings in between, like those in assets/scenes",
        first_line(rest)
    );
    Some((Position { line, col }, reason))
}

/// Whether a text is meant as the contents of a scene file, and not as a name. Comments and attributes may precede the
/// scene.
#[cfg(feature = "program")]
pub(crate) fn is_scene_text(text: &str) -> bool {
    without_preamble(text).is_some_and(|rest| rest.starts_with('('))
}

/// Whether a text begins as a scene does, with or without the name of its type.
fn begins_a_scene(text: &str) -> bool {
    text.starts_with('(') || text.starts_with("SceneFile")
}

/// The text after leading white space, comments and attributes, or none if a comment or an attribute has no end.
pub(super) fn without_preamble(text: &str) -> Option<&str> {
    let mut rest = text.trim_start();
    loop {
        let after = if rest.starts_with("//") {
            rest.split_once('\n').map_or("", |(_, after)| after)
        } else if rest.starts_with("/*") {
            after_comment(rest)?
        } else if rest.starts_with("#![") {
            rest.split_once(']')?.1
        } else {
            return Some(rest);
        };
        rest = after.trim_start();
    }
}

/// The text after the comment that it begins with, in which others may be nested, or none if the comment has no end.
fn after_comment(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    let mut at = 0;
    loop {
        let next = at + text[at..].find(['/', '*'])?;
        let (change, length) = match &text.as_bytes()[next..] {
            [b'/', b'*', ..] => (1, 2),
            [b'*', b'/', ..] => (-1, 2),
            _ => (0, 1),
        };
        depth = depth.checked_add_signed(change)?;
        at = next + length;
        if depth == 0 {
            return Some(&text[at..]);
        }
    }
}

/// What is wrong with a text as a whole, if its mistake is that it is empty or cut off.
pub(super) fn not_whole(text: &str, error: &SpannedError) -> Option<&'static str> {
    // A file with nothing but comments is empty too.
    let is_empty = dialect().from_str::<()>(&format!("{text}\n()")).is_ok();
    let lines = text.trim_end().lines();
    let end = lines.enumerate().last().map_or((1, 1), |(i, line)| (i + 1, line.chars().count() + 1));
    let at = (error.span.end.line, error.span.end.col);
    if is_empty {
        Some(
            "there is no scene in it: write `( )` with discs, terrain and settings in between, or copy one of assets/scenes",
        )
    } else if at >= end || error.code == ron::Error::Eof {
        Some("the file ends before the scene does: close every open bracket; the last one is `)`")
    } else {
        None
    }
}

/// The path of a scene file, with the ending `.ron` if it has none.
pub(crate) fn with_ending(mut path: PathBuf) -> PathBuf {
    if path.extension().is_none() {
        path.set_extension("ron");
    }
    path
}

/// Describes the first of many, and says how many more there are.
pub(super) fn first_of_many<T>(
    mut found: impl Iterator<Item = T>,
    describe: impl FnOnce(T) -> String,
) -> Option<String> {
    let first = describe(found.next()?);
    let more = found.count();
    Some(if more > 0 { format!("{first} (and {more} more)") } else { first })
}
