//! The arguments of `carom experiment`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{STATUS, laboratory::Runs, scene_source};
use crate::{
    collision::SolverMode,
    program::{
        Ending,
        experiment::{self, Request},
    },
};

/// The list of experiments after the help.
fn experiments_help() -> String {
    format!("Experiments:\n{}\n{STATUS}", experiment::list())
}

/// A mode of the solver.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Mode {
    Stepped,
    Continuous,
}

impl From<Mode> for SolverMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Stepped => Self::Stepped,
            Mode::Continuous => Self::Continuous,
        }
    }
}

/// `carom experiment`.
// The comments are the help text in the terminal, where backticks would be noise.
#[allow(clippy::doc_markdown)]
#[derive(Args, Debug)]
#[command(after_help = experiments_help())]
pub(super) struct ExperimentArguments {
    /// The experiment: a name from the list below, a scene file that ends in .ron, or a link; without it, the list
    scene: Option<String>,
    /// The mode of the solver; the default is that of the scene
    #[arg(long)]
    mode: Option<Mode>,
    /// Change what the experiment varies, as in between=3, or a setting of the scene, as in carom measure; may be given
    /// several times
    #[arg(long = "set", value_name = "KEY=VALUE", num_args = 1..)]
    settings: Vec<String>,
    #[command(flatten)]
    runs: Runs,
    /// Write the result as JSON; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl ExperimentArguments {
    /// Runs the experiment, or lists all.
    pub(super) fn run(self) -> Result<Ending, String> {
        let Self { scene, mode, settings, runs: Runs { seeds, seed, jobs }, json } = self;
        let Some(scene) = scene else {
            experiment::write_list()?;
            return Ok(Ending::Whole);
        };
        let source = scene_source(Some(&scene))?;
        experiment::run(&Request { source, mode: mode.map(Into::into), settings, seeds, seed, jobs, json })
    }
}
