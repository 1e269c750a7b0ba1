//! The arguments of `carom experiment`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{STATUS, games::threads, number, scene_source, whole};
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
    /// The number of runs, each with another seed of the scene's generators
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true, value_parser = runs)]
    seeds: u64,
    /// The first seed; the default is the scene's own for one run, and 0 for several
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = whole)]
    seed: Option<u64>,
    /// The number of runs made at once; it does not affect the result [default: the number of cores]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = threads)]
    jobs: Option<usize>,
    /// Write the result as JSON; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

fn runs(text: &str) -> Result<u64, String> {
    number(text, 1..=1_000_000, format_args!("it must be a whole number from 1 to 1000000"))
}

impl ExperimentArguments {
    /// Runs the experiment, or lists all.
    pub(super) fn run(self) -> Result<Ending, String> {
        let Self { scene, mode, settings, seeds, seed, jobs, json } = self;
        let Some(scene) = scene else {
            experiment::write_list()?;
            return Ok(Ending::Whole);
        };
        let source = scene_source(Some(&scene))?;
        experiment::run(&Request { source, mode: mode.map(Into::into), settings, seeds, seed, jobs, json })
    }
}
