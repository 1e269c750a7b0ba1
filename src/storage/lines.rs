//! Files with one value of RON on each line, such as results. Lines are only added. A damaged line is left out, and the
//! others are read.

use std::{io, path::Path};

use serde::{Serialize, de::DeserializeOwned};

use super::{is_there, make_folder, read, write_whole};

/// The values of a text, and the number of lines that could not be read.
pub(crate) fn parse_lines<T: DeserializeOwned>(text: &str) -> (Vec<T>, usize) {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (mut values, mut damaged) = (Vec::new(), 0);
    for line in lines {
        match ron::from_str(line) {
            Ok(value) => values.push(value),
            Err(_) => damaged += 1,
        }
    }
    (values, damaged)
}

/// The same for a file. Without the file, there are no values.
///
/// # Errors
/// The file is there and cannot be read.
pub(crate) fn read_lines<T: DeserializeOwned>(path: &Path) -> io::Result<(Vec<T>, usize)> {
    if !is_there(path) {
        return Ok((Vec::new(), 0));
    }
    Ok(parse_lines(&String::from_utf8_lossy(&read(path)?)))
}

/// Adds a value to a file. All other lines stay as they are, damaged ones too.
///
/// # Errors
/// The file cannot be read or written.
pub(crate) fn add_line(path: &Path, value: &impl Serialize) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    let mut text = if is_there(path) { read(path)? } else { Vec::new() };
    if text.last().is_some_and(|&last| last != b'\n') {
        text.push(b'\n');
    }
    text.extend(ron::to_string(value).map_err(io::Error::other)?.into_bytes());
    text.push(b'\n');
    write_whole(path, &text)
}
