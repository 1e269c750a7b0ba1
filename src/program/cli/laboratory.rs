//! The arguments of `carom measure` and `carom sweep`.

use std::path::PathBuf;

use clap::Args;

use super::{STATUS, games::threads, number, scene_source, seconds, whole};
use crate::program::{
    measure::{self, Span},
    run::Start,
    settings::{self, Setting},
    sweep::{self, Part, Vary},
};

/// The list of quantities after the help.
fn quantities_help() -> String {
    format!("Quantities:\n{}\n{STATUS}", measure::list())
}

/// How many runs are made, and with which seeds.
#[derive(Args, Debug)]
pub(super) struct Runs {
    /// The number of runs, each with another seed of the scene's generators
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true, value_parser = runs)]
    pub seeds: u64,
    /// The first seed; the default is the scene's own for one run, and 0 for several
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = whole)]
    pub seed: Option<u64>,
    /// The number of runs made at once; it does not affect the result [default: the number of cores]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = threads)]
    pub jobs: Option<usize>,
}

/// What both commands take.
#[derive(Args, Debug)]
struct Common {
    /// The scene: a name that `carom scenes` lists, a file that ends in .ron, or a link
    scene: String,
    /// The simulated seconds to measure
    #[arg(long, value_name = "S", default_value = "10", allow_hyphen_values = true, value_parser = seconds)]
    seconds: f64,
    /// The simulated seconds to run before; the default is a fifth of the measured ones
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = seconds)]
    warm_up: Option<f64>,
    #[arg(long = "set", value_name = "KEY=VALUE", num_args = 1.., help = settings::help())]
    settings: Vec<String>,
    #[command(flatten)]
    runs: Runs,
    /// Show no progress bar and no summary
    #[arg(long)]
    quiet: bool,
}

impl Common {
    fn start(&self) -> Result<Start, String> {
        Ok(Start::Scene(scene_source(Some(&self.scene))?))
    }

    fn span(&self) -> Result<Span, String> {
        if self.seconds == 0.0 {
            return Err("--seconds 0: there would be nothing to measure; give more than zero".to_owned());
        }
        Ok(Span { seconds: self.seconds, warm_up: self.warm_up.unwrap_or(self.seconds / 5.0) })
    }

    fn settings(&self) -> Result<Vec<Setting>, String> {
        Setting::parse_all(&self.settings)
    }
}

/// Splits a list of names.
pub(super) fn names(list: &str) -> Vec<String> {
    list.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}

fn runs(text: &str) -> Result<u64, String> {
    number(text, 1..=1_000_000, format_args!("it must be a whole number from 1 to 1000000"))
}

/// `carom measure`.
// The comments are the help text in the terminal, where backticks would be noise.
#[allow(clippy::doc_markdown)]
#[derive(Args, Debug)]
#[command(after_help = quantities_help())]
pub(super) struct MeasureArguments {
    #[command(flatten)]
    common: Common,
    /// The quantities, separated by commas; see below [default: all that apply to the scene]
    #[arg(long, value_name = "NAMES", default_value = "", hide_default_value = true)]
    what: String,
    /// Write the results with their curves as JSON; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the results as a table: quantity, x, value, error, theory; the row without x is the value itself, the
    /// others are its curve; `-` is the standard output
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
}

impl MeasureArguments {
    /// Converts the arguments into a request.
    ///
    /// # Errors
    /// For an invalid argument, with the remedy.
    pub(super) fn request(self) -> Result<measure::Request, String> {
        let (start, span, settings) = (self.common.start()?, self.common.span()?, self.common.settings()?);
        let Self { common: Common { runs: Runs { seeds, seed, jobs }, quiet, .. }, what, json, csv } = self;
        Ok(measure::Request { start, what: names(&what), span, settings, seeds, seed, jobs, json, csv, quiet })
    }
}

/// `carom sweep`.
#[allow(clippy::doc_markdown)]
#[derive(Args, Debug)]
#[command(after_help = quantities_help())]
pub(super) struct SweepArguments {
    #[command(flatten)]
    common: Common,
    /// The setting to vary, with a range or a list of values; several make all combinations. PATH is a key of --set. A
    /// value with a comma goes into parentheses
    #[arg(long, value_name = "PATH=A..B:STEP|PATH=V1,V2,…", required = true, num_args = 1..)]
    vary: Vec<String>,
    /// The quantities, separated by commas; see below. Each has the columns value, error and theory
    #[arg(long, value_name = "NAMES", required = true)]
    what: String,
    /// Make only the K-th of N parts of the runs, so that several machines share them
    #[arg(long, value_name = "K/N", default_value = "1/1", value_parser = part)]
    part: Part,
    /// Write the table, one line per run. A file that is there is continued: its runs are kept and not made again; `-`
    /// is the standard output [default: -]
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
}

fn part(text: &str) -> Result<Part, String> {
    let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    let part = parts.map(|(number, of)| Part { number, of });
    part.filter(|part| (1..=part.of).contains(&part.number))
        .ok_or_else(|| "write K/N with whole numbers, K from 1 to N, such as 3/16".to_owned())
}

impl SweepArguments {
    /// Converts the arguments into a request.
    ///
    /// # Errors
    /// For an invalid argument, with the remedy.
    pub(super) fn request(self) -> Result<sweep::Request, String> {
        let (start, span, settings) = (self.common.start()?, self.common.span()?, self.common.settings()?);
        let vary = self.vary.iter().map(|text| Vary::parse(text)).collect::<Result<_, _>>()?;
        let Self { common: Common { runs: Runs { seeds, seed, jobs }, quiet, .. }, what, part, csv, .. } = self;
        let what = names(&what);
        if what.is_empty() {
            return Err("--what: name at least one quantity; `carom sweep --help` lists them".to_owned());
        }
        Ok(sweep::Request { start, vary, what, span, settings, seeds, seed, jobs, part, csv, quiet })
    }
}
