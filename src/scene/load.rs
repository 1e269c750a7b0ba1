//! From text to a scene: where it comes from, reading it, and saying what is wrong with it and where.

use std::path::{Path, PathBuf};

use ron::extensions::Extensions;

use super::{
    format::SceneFile,
    look::Camera,
    shipped::{ShippedScene, shipped},
};
use crate::collision::{SettingError, settings::shortest};

/// Where a scene comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SceneSource {
    /// A scene that is part of the program, by its name.
    Shipped(&'static str),
    /// A file.
    Path(PathBuf),
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
        }
    }
}

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
    /// No shipped scene has that name, and it is not the name of a file.
    #[error("there is no scene `{name}`{}; the scenes are {known}, or give a file that ends in .ron", nearest.map(|n| format!(", did you mean `{n}`")).unwrap_or_default())]
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
    /// What a person named on a command line: a shipped scene, or else a file.
    ///
    /// # Errors
    /// [`SceneError::Unknown`] if it is neither a shipped name nor looks like a file.
    pub fn from_argument(argument: &str) -> Result<Self, SceneError> {
        if let Some(scene) = ShippedScene::named(argument) {
            return Ok(Self::Shipped(scene.name));
        }
        let path = Path::new(argument);
        if path.extension().is_some() || path.components().count() > 1 || path.exists() {
            return Ok(Self::Path(path.to_path_buf()));
        }
        Err(Self::unknown(argument))
    }

    /// Reads and checks the scene.
    ///
    /// # Errors
    /// The file cannot be read, is not a scene, or holds a value that makes no sense.
    pub fn load(&self) -> Result<SceneFile, SceneError> {
        match self {
            Self::Shipped(name) => {
                let scene = ShippedScene::named(name).ok_or_else(|| Self::unknown(name))?;
                SceneFile::parse(scene.text, scene.name)
            }
            Self::Path(path) => {
                let name = path.display().to_string();
                let text = std::fs::read_to_string(path)
                    .map_err(|error| SceneError::Read { name: name.clone(), reason: error.to_string() })?;
                SceneFile::parse(&text, &name)
            }
        }
    }

    fn unknown(name: &str) -> SceneError {
        let names: Vec<_> = shipped().iter().map(|scene| scene.name).collect();
        SceneError::Unknown { name: name.to_owned(), nearest: nearest_name(name, &names), known: names.join(", ") }
    }
}

/// The known name that is most likely meant, if any is likely.
pub(crate) fn nearest_name(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let nearest = known.iter().map(|known| (distance(name, known), *known)).min();
    nearest.filter(|(edits, known)| *edits <= known.len() / 2).map(|(_, known)| known)
}

/// How many single letters have to be changed, added or taken away to make one word of the other (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, other) in b.iter().enumerate() {
            let change = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// The dialect of RON that scenes are written in: `Some(..)` may be left out, and so may a variant's second parentheses.
fn dialect() -> ron::Options {
    ron::Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME)
        .with_default_extension(Extensions::UNWRAP_VARIANT_NEWTYPES)
}

impl SceneFile {
    /// Reads a scene from its text, and checks it. `name` is what errors call it: a path, or a shipped name.
    ///
    /// # Errors
    /// The text is not a scene (with line, column and reason), or holds a value that makes no sense (with its place).
    pub fn parse(text: &str, name: &str) -> Result<Self, SceneError> {
        let file: Self = dialect().from_str(text).map_err(|error| SceneError::Syntax {
            name: name.to_owned(),
            line: error.span.start.line,
            column: error.span.start.col,
            reason: error.code.to_string().replace('\n', " "),
        })?;
        file.check().map_err(|problem| SceneError::Value { name: name.to_owned(), problem })?;
        Ok(file)
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

    /// Whether every value makes sense, and the generators can do what they are asked for.
    ///
    /// # Errors
    /// The first that does not: its place in the file, its value, and what is allowed.
    pub fn check(&self) -> Result<(), String> {
        self.check_settings()?;
        self.expand().map(|_| ())
    }

    /// Whether the settings make sense; the discs and the terrain are another matter.
    pub(crate) fn check_settings(&self) -> Result<(), String> {
        let setting = |place: &'static str| move |error: SettingError| format!("{place}.{error}");
        self.collision.check().map_err(setting("collision"))?;
        self.motion.check().map_err(setting("motion"))?;
        let pace = &self.pace;
        if !(1.0..=10_000.0).contains(&pace.tick_rate) {
            return Err(format!("pace.tick_rate is {}; it must be from 1 to 10000 Hz", shortest(pace.tick_rate)));
        }
        if !(0.01..=100.0).contains(&pace.time_scale) {
            let scale = shortest(f64::from(pace.time_scale));
            return Err(format!("pace.time_scale is {scale}; it must be from 0.01 to 100"));
        }
        if !(0.0..=60.0).contains(&self.trails) {
            return Err(format!("trails is {}; it must be from 0 to 60 s", shortest(f64::from(self.trails))));
        }
        if let Camera::At { centre, height } = self.camera
            && !(centre.is_finite() && height.is_finite() && height > 0.0)
        {
            return Err(format!(
                "camera: its centre is {centre} and its height {height}; set them to finite numbers, the height above zero"
            ));
        }
        Ok(())
    }
}
