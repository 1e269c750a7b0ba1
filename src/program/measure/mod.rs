//! `carom measure`: runs a scene without a window, once or with several seeds, and writes measured quantities with
//! their errors and the theory.

use std::path::PathBuf;

use super::{
    Ending, account, jobs,
    output::{Output, keep_apart, write_summary},
    progress::progress_bar,
    run::Start,
    say,
    settings::Setting,
};
use crate::laboratory::mean_of_runs;

mod experiment;
mod summary;

pub(super) use experiment::{Experiment, Run, seeds_of};
pub use experiment::{Span, choose, list};

pub(super) use summary::deviation;

use summary::Summary;

/// What to measure.
#[derive(Clone, Debug)]
pub struct Request {
    /// The start of each run.
    pub start: Start,
    /// The names of the quantities, in order; empty for all.
    pub what: Vec<String>,
    /// The length of each run.
    pub span: Span,
    /// Settings to change in the scene.
    pub settings: Vec<Setting>,
    /// The number of runs, each with another seed.
    pub seeds: u64,
    /// The first seed. Default: that of the scene for one run, 0 for several.
    pub seed: Option<u64>,
    /// How many runs take place at once; one per core if none.
    pub jobs: Option<usize>,
    /// The file for the results as JSON.
    pub json: Option<PathBuf>,
    /// The file for the results as a table.
    pub csv: Option<PathBuf>,
    /// Whether to omit the progress bar and the summary.
    pub quiet: bool,
}

/// Measures, and writes the results.
///
/// # Errors
/// If it cannot be done. The message is one line and names the remedy.
pub fn run(request: &Request) -> Result<Ending, String> {
    let Request { start, what, span, settings, seeds, seed, jobs, quiet, .. } = request;
    let quantities = choose(what)?;
    let experiment = Experiment::new(start, &quantities, *span)?;
    let seeds = seeds_of(&experiment, settings, *seeds, *seed)?;
    let json = Output::wanted("--json", request.json.as_deref())?;
    let csv = Output::wanted("--csv", request.csv.as_deref())?;
    let outputs = [&json, &csv].map(Option::as_ref);
    keep_apart(outputs.into_iter().flatten())?;
    let bar = progress_bar(seeds.len() as u64, "runs", *quiet);
    let runs = jobs::run(seeds.len(), *jobs, |number| {
        let run = experiment.run(settings, seeds[number]);
        bar.inc(1);
        run
    });
    bar.finish_and_clear();
    let runs = runs?;
    let (first, mut ending) = (&runs[0], Ending::Whole);
    account::warn(&first.warnings);
    if let Some(left_out) = runs.iter().map(|run| &run.left_out).find(|left_out| !left_out.is_empty()) {
        account::say_left_out(left_out);
        ending = account::ending(left_out);
    }
    if let Some(run) = runs.iter().find(|run| run.is_partial()) {
        say(&run.words_on_a_part());
    }
    let results: Vec<_> = runs.iter().map(|run| run.results.clone()).collect();
    let summary = Summary::new(&experiment, first, &seeds, mean_of_runs(&results));
    if let Some(json) = &json {
        json.write_json(&summary)?;
    }
    if let Some(csv) = &csv {
        csv.write(summary.table()?)?;
    }
    write_summary(summary.to_string(), *quiet, outputs.into_iter().flatten())?;
    Ok(ending)
}
