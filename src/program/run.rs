//! The common part of `simulate`, `measure`, `sweep`, `render` and `link`. A scene is read, changed by `--set`, checked
//! and started, with an optional shot, for a number of ticks or seconds.

use std::path::PathBuf;

use bevy::{app::Plugins, prelude::*};

use super::{
    account,
    settings::Setting,
    strike::{Shot, Strike},
};
use crate::{
    PhysicsPlugins,
    disc_table::{Place, read_scene},
    scene::{CheckedScene, SceneError, SceneFile, ScenePlugin, SceneRegistry, SceneSource, spawn_checked},
    timeline::run_in_order,
};

/// The start of a run.
#[derive(Clone, Debug)]
pub enum Start {
    /// A scene.
    Scene(SceneSource),
    /// The text of a scene that is a part of a file of this name.
    Within(PathBuf, String),
    /// A table of discs.
    Table {
        /// The file.
        table: PathBuf,
        /// The place that the discs are put in.
        place: Place,
    },
}

/// The largest accepted number of seconds.
pub(super) const MAX_SECONDS: f64 = 1e9;

/// The length of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Length {
    /// A number of ticks.
    Ticks(u64),
    /// Simulated seconds, rounded to the nearest tick; 0 to 1e9.
    Seconds(f64),
}

impl Length {
    /// The length in ticks of this scene.
    pub(super) fn in_ticks(self, file: &SceneFile) -> Result<u64, String> {
        let seconds = match self {
            Self::Ticks(ticks) => return Ok(ticks),
            Self::Seconds(seconds) if (0.0..=MAX_SECONDS).contains(&seconds) => seconds,
            Self::Seconds(seconds) => {
                return Err(format!("--seconds {seconds}: give a number from 0 to {MAX_SECONDS:e}"));
            }
        };
        let rate = file.pace.tick_rate;
        match (seconds * rate).round() as u64 {
            0 if seconds > 0.0 => Err(format!(
                "--seconds {seconds}: less than half of a tick, of which a second has {rate}, so nothing would move; ask for more seconds, \
                 for a higher --set tick_rate, or with --ticks 0 for the start alone"
            )),
            ticks => Ok(ticks),
        }
    }
}

/// Why a run cannot begin, in one line with the remedy.
#[derive(thiserror::Error, Debug)]
pub(super) enum Unready {
    /// The scene cannot be read, or a value of it is invalid.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The table of discs cannot be read.
    #[error("{0}")]
    Table(String),
    /// A setting is invalid in this scene.
    #[error("{0}")]
    Setting(String),
}

impl From<Unready> for String {
    fn from(unready: Unready) -> Self {
        unready.to_string()
    }
}

/// A scene that was read, for one or several runs.
#[derive(Clone)]
pub(super) struct Loaded {
    pub(super) source: SceneSource,
    pub(super) file: SceneFile,
    /// Likely mistakes in its table of discs.
    warnings: Vec<String>,
}

/// A scene that is ready to begin.
pub(super) struct Ready {
    pub(super) scene: CheckedScene,
    /// Likely mistakes in its table of discs.
    warnings: Vec<String>,
    shot: Option<Shot>,
}

/// A scene that has begun.
pub(super) struct Begun {
    /// The shot, if one was requested.
    pub(super) strike: Option<Strike>,
    /// Likely mistakes in the scene.
    pub(super) warnings: Vec<String>,
}

impl Loaded {
    /// Reads the start of a run and checks its settings. If there will be a shot, a table of discs must say which disc
    /// is shot.
    pub(super) fn read(start: &Start, has_shot: bool) -> Result<Self, Unready> {
        let registry = SceneRegistry::default();
        let (source, (file, warnings)) = match start {
            Start::Scene(source) => (source.clone(), (source.read(&registry)?, Vec::new())),
            Start::Within(path, text) => {
                let file = SceneFile::read(text, &path.display().to_string(), &registry)?;
                (SceneSource::Path(path.clone()), (file, Vec::new()))
            }
            Start::Table { table, place } => {
                let read = read_scene(table, place, has_shot).map_err(Unready::Table)?;
                (SceneSource::Path(table.clone()), read)
            }
        };
        // Checked first, so that a setting is not blamed for a mistake in the file.
        file.check_settings(&registry).map_err(|invalid| SceneError::value(&source, invalid))?;
        Ok(Self { source, file, warnings })
    }

    /// Changes settings and checks the result.
    pub(super) fn ready(self, settings: &[Setting], shot: Option<Shot>) -> Result<Ready, Unready> {
        let Self { source, mut file, warnings } = self;
        Setting::apply_all(settings, &mut file).map_err(Unready::Setting)?;
        let scene = CheckedScene::new(source, file, &SceneRegistry::default())?;
        Ok(Ready { scene, warnings, shot })
    }
}

impl Ready {
    /// Reads, changes and checks the start of a run. If there is a shot, a table of discs must say which disc is shot.
    pub(super) fn read(start: &Start, settings: &[Setting], shot: Option<Shot>) -> Result<Self, Unready> {
        Loaded::read(start, shot.is_some())?.ready(settings, shot)
    }

    /// Begins the scene, and plays the shot if there is one.
    pub(super) fn begin(self, world: &mut World) -> Result<Begun, String> {
        spawn_checked(world, self.scene);
        let strike = self.shot.map(|shot| Strike::play(world, &shot)).transpose()?;
        let warnings = self.warnings.into_iter().chain(account::oddities(world)).collect();
        Ok(Begun { strike, warnings })
    }
}

/// An app with the simulation, these plugins and nothing else.
pub(super) fn headless<M>(plugins: impl Plugins<M>) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin)).add_plugins(plugins);
    run_in_order(&mut app);
    app.finish();
    app.cleanup();
    app
}
