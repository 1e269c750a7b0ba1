//! Reads scenes from text, and reports errors with their place.

use std::{path::Path, sync::Arc};

use serde::Deserialize;

use super::{
    format::SceneFile,
    recorded::{FORMAT, RunFile, is_run},
    registry::SceneRegistry,
    ron_value::{RonValue, find_places},
    shipped::{ShippedScene, shipped},
};
use crate::{
    components::InvalidValue,
    link::Link,
    ron_text::{self, SyntaxError, did_you_mean, nearest_name},
    scene::{
        source::SceneSource,
        text::{SceneError, dialect, no_scene, not_regular, not_whole, read_text, with_ending},
    },
};

impl SceneSource {
    /// The scene that a person named: a shipped scene, a link with or without an address before it, or a file. The
    /// ending `.ron` of a file may be omitted.
    ///
    /// # Errors
    /// - [`SceneError::Unknown`] if it is neither a shipped name nor looks like a file
    /// - [`SceneError::Link`] if it is a link that is damaged or of a newer format
    /// - [`SceneError::LinkToMatch`] if it is a link to a match
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

    /// Reads and checks the scene. Only shipped generators, components and tables are known.
    ///
    /// A file must be a regular file or a pipe. A pipe is read to its end: another program must write to it within ten
    /// seconds, and at most 256 MiB.
    ///
    /// # Errors
    /// If the file cannot be read, is not a scene, or contains an invalid value. Assets are rejected, because the asset
    /// server reads them.
    pub fn load(&self) -> Result<SceneFile, SceneError> {
        self.load_with(&SceneRegistry::default())
    }

    /// Like [`SceneSource::load`], with the registered additions of a game.
    ///
    /// # Errors
    /// As for [`SceneSource::load`].
    pub fn load_with(&self, registry: &SceneRegistry) -> Result<SceneFile, SceneError> {
        let file = self.read(registry)?;
        file.check_with(registry).map_err(|invalid| SceneError::value(self, invalid))?;
        Ok(file)
    }

    /// Reads the scene without checking its values. Spawning it checks them, and makes all its discs, up to a million.
    pub(crate) fn read(&self, registry: &SceneRegistry) -> Result<SceneFile, SceneError> {
        match self {
            Self::Shipped(name) => {
                let scene = ShippedScene::named(name).ok_or_else(|| Self::unknown(name))?;
                SceneFile::read(scene.text, scene.name, registry)
            }
            Self::Path(path) => SceneFile::read(&read_text(path)?, &path.display().to_string(), registry),
            Self::Asset(_) => Err(SceneError::Asset { name: self.to_string() }),
            Self::Link(link) => crate::scene::linked::read(link, registry),
        }
    }

    /// Like [`SceneSource::read`] while the program runs and must not wait, so that a pipe is an error.
    pub(super) fn read_at_once(&self, registry: &SceneRegistry) -> Result<SceneFile, SceneError> {
        if let Self::Path(path) = self
            && let Some(reason) = std::fs::metadata(path).ok().and_then(|found| not_regular(&found))
        {
            return Err(SceneError::Read { name: self.to_string(), reason: reason.to_owned() });
        }
        self.read(registry)
    }

    fn unknown(name: &str) -> SceneError {
        let names: Vec<_> = shipped().iter().map(|scene| scene.name).collect();
        SceneError::Unknown { name: name.to_owned(), nearest: nearest_name(name, &names), known: names.join(", ") }
    }
}

impl SceneFile {
    /// Reads a scene from its text, and checks it. `name` is its name in errors: a path, or a shipped name. Only
    /// shipped generators, components and tables are known.
    ///
    /// # Errors
    /// If the text is not a scene (with line, column and reason), or contains an invalid value (with its place).
    pub fn parse(text: &str, name: &str) -> Result<Self, SceneError> {
        Self::parse_with(text, name, &SceneRegistry::default())
    }

    /// Like [`SceneFile::parse`], with the registered additions of a game.
    ///
    /// # Errors
    /// As for [`SceneFile::parse`].
    pub fn parse_with(text: &str, name: &str, registry: &SceneRegistry) -> Result<Self, SceneError> {
        let file = Self::read(text, name, registry)?;
        file.check_with(registry).map_err(|invalid| SceneError::value(name, invalid))?;
        Ok(file)
    }

    /// Reads a scene and its lesson from text, without checking its values. Of a run it reads the scene at the start,
    /// with the run.
    pub(crate) fn read(text: &str, name: &str, registry: &SceneRegistry) -> Result<Self, SceneError> {
        if is_run(text) {
            return RunFile::read_scene(text, name, registry);
        }
        let mut file: Self = ron_text::read(text, &dialect(), "the scene").map_err(|mistake| {
            let (at, reason) = no_scene(text).unwrap_or_else(|| match not_whole(text, &mistake.error) {
                Some(reason) => (mistake.error.span.start, reason.to_owned()),
                None => (mistake.at, mistake.reason),
            });
            SyntaxError::new(name, at, &reason)
        })?;
        find_places(text, file.values_of_games());
        file.fill_from_table(text);
        file.lesson = registry.lesson(file.lesson.name).map_err(|invalid| SceneError::value(name, invalid))?;
        Ok(file)
    }

    /// The scene as text. [`SceneFile::parse`] reads it back bit-identically.
    ///
    /// # Errors
    /// If RON cannot write it. No value of this type is known to cause that.
    pub fn to_text(&self) -> Result<String, ron::Error> {
        let mut text = dialect().to_string_pretty(self, ron::ser::PrettyConfig::new().indentor("  ").depth_limit(3))?;
        text.push('\n');
        Ok(text)
    }
}

/// The one field that all forms share.
#[derive(Deserialize)]
struct Head {
    run: u32,
}

impl RunFile {
    /// Reads a run and its scene. `name` is its name in errors.
    fn read_scene(text: &str, name: &str, registry: &SceneRegistry) -> Result<SceneFile, SceneError> {
        if let Ok(Head { run }) = dialect().from_str(text)
            && run != FORMAT
        {
            let remedy =
                format!("it is of a form that this carom does not know (it knows {FORMAT}); open it with a newer one");
            return Err(SceneError::value(name, InvalidValue::new("run", run.to_string(), remedy)));
        }
        let mut run: Self = ron_text::read(text, &dialect(), "the run").map_err(|mistake| mistake.in_text(name))?;
        run.check().map_err(|invalid| SceneError::value(name, invalid))?;
        find_places(text, run.values());
        let file = run.scene_file(name, registry)?;
        Ok(SceneFile { run: Some(Arc::new(run)), ..file })
    }

    /// Reads the scene at its start.
    pub(crate) fn scene_file(&self, name: &str, registry: &SceneRegistry) -> Result<SceneFile, SceneError> {
        if !self.scene.as_str().starts_with('"') {
            // The places of mistakes are those in the whole text.
            let text = self.scene.blank_before() + self.scene.as_str();
            if is_run(&text) {
                let remedy = "it is a run within a run; write a scene";
                return Err(SceneError::value(name, InvalidValue::without_value("scene", remedy)));
            }
            return SceneFile::read(&text, name, registry);
        }
        let invalid = |problem: String| SceneError::value(name, InvalidValue::without_value("scene", problem));
        let scene: String = self.scene.read().map_err(invalid)?;
        if let Some(shipped) = ShippedScene::named(&scene) {
            return SceneFile::read(shipped.text, shipped.name, registry);
        }
        let names: Vec<&str> = shipped().iter().map(|scene| scene.name).collect();
        let hint = did_you_mean(nearest_name(&scene, &names));
        let remedy = format!("no shipped scene has this name{hint}; the file may belong to another carom");
        Err(SceneError::value(name, InvalidValue::new("scene", format!("`{scene}`"), remedy)))
    }

    /// The text of a file. [`SceneFile::parse`] reads it back bit-identically.
    ///
    /// # Errors
    /// If RON cannot write it. No value of this type is known to cause that.
    pub fn to_text(&self) -> Result<String, ron::Error> {
        // The scene in as many lines as a scene file has.
        let scene = SceneFile::read(self.scene.as_str(), "", &SceneRegistry::default()).ok();
        let scene = scene.and_then(|file| RonValue::new(&file.to_text().ok()?).ok());
        let mut whole = self.clone();
        whole.scene = scene.unwrap_or(whole.scene);
        let layout = ron::ser::PrettyConfig::new().indentor("  ").depth_limit(2);
        let mut text = dialect().to_string_pretty(&whole, layout)?;
        text.push('\n');
        Ok(text)
    }

    /// The text in one line.
    pub(crate) fn to_line(&self) -> Result<String, ron::Error> {
        dialect().to_string(self)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::{fs::OpenOptions, io::Write, path::PathBuf, process::Command, time::Duration};

    use super::*;
    use crate::scene::text::{PATIENCE, read_pipe};

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
                // Fails if the reader has stopped at its limit.
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
        let reason = |source: SceneSource| match source.read_at_once(&SceneRegistry::default()) {
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
