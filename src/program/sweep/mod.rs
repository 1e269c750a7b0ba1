//! `carom sweep`: measures quantities over all combinations of settings, one line of a table per run. A table that is
//! there already is continued.

use std::{collections::BTreeMap, io::Write, path::PathBuf, sync::Mutex};

use super::{
    Ending, account, jobs,
    measure::{Experiment, Run, Span, choose, seeds_of},
    output::{Output, write_summary},
    progress::progress_bar,
    run::Start,
    say,
    settings::Setting,
};
use crate::number::count;

mod table;
mod vary;

pub use vary::Vary;

use table::Table;

/// The largest number of runs of a sweep.
pub(super) const MOST_RUNS: usize = 1_000_000;

/// A share of the runs of a sweep: run `i`, counted from 0, is in part `k` of `n` if `i mod n` is `k - 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which part, from 1.
    pub number: usize,
    /// How many parts there are.
    pub of: usize,
}

impl Part {
    fn has(self, run: usize) -> bool {
        run % self.of == self.number - 1
    }
}

/// What to run.
#[derive(Clone, Debug)]
pub struct Request {
    /// The start of each run.
    pub start: Start,
    /// The settings to vary, the slowest first.
    pub vary: Vec<Vary>,
    /// The names of the quantities, in order.
    pub what: Vec<String>,
    /// The length of each run.
    pub span: Span,
    /// Settings that are the same in all runs.
    pub settings: Vec<Setting>,
    /// The number of runs for each combination, each with another seed.
    pub seeds: u64,
    /// The first seed. Default: that of the scene for one run, 0 for several.
    pub seed: Option<u64>,
    /// How many runs take place at once; one per core if none.
    pub jobs: Option<usize>,
    /// The part of the runs to make.
    pub part: Part,
    /// The file of the table; the standard output if none.
    pub csv: Option<PathBuf>,
    /// Whether to omit the progress bar and the summary.
    pub quiet: bool,
}

/// All runs of a sweep.
struct Sweep<'a> {
    experiment: Experiment<'a>,
    request: &'a Request,
    seeds: Vec<Option<u64>>,
    runs: usize,
}

impl Sweep<'_> {
    /// The values of the varied settings in a run, and its seed. The seed changes fastest, then the last setting.
    fn values(&self, run: usize) -> (Vec<&str>, Option<u64>) {
        let seed = self.seeds[run % self.seeds.len()];
        let mut rest = run / self.seeds.len();
        let mut values: Vec<&str> = Vec::new();
        for vary in self.request.vary.iter().rev() {
            values.push(&vary.values[rest % vary.values.len()].1);
            rest /= vary.values.len();
        }
        values.reverse();
        (values, seed)
    }

    fn run(&self, number: usize) -> Result<Run, String> {
        let mut settings = self.request.settings.clone();
        let mut rest = number / self.seeds.len();
        for vary in self.request.vary.iter().rev() {
            settings.push(vary.values[rest % vary.values.len()].0.clone());
            rest /= vary.values.len();
        }
        let seed = self.seeds[number % self.seeds.len()];
        self.experiment.run(&settings, seed).map_err(|reason| format!("run {number}: {reason}"))
    }
}

/// Makes the runs, and writes the table.
///
/// # Errors
/// If it cannot be done. The message is one line and names the remedy. Runs that are in the file stay there.
pub fn run(request: &Request) -> Result<Ending, String> {
    let quantities = choose(&request.what)?;
    let experiment = Experiment::new(&request.start, &quantities, request.span)?;
    vary::check(&request.vary, &request.settings, &experiment.scene.file)?;
    let seeds = seeds_of(&experiment, &request.settings, request.seeds, request.seed)?;
    let combinations = request.vary.iter().map(|vary| vary.values.len());
    let runs = combinations.chain([seeds.len()]).try_fold(1_usize, usize::checked_mul);
    let Some(runs) = runs.filter(|&runs| runs <= MOST_RUNS) else {
        return Err(format!("these are more than {MOST_RUNS} runs; take larger steps, or fewer values or seeds"));
    };
    let sweep = Sweep { experiment, request, seeds, runs };
    let output = request.csv.as_deref().map_or_else(|| Ok(Output::standard()), |path| Output::to("--csv", path))?;
    let table = Table::new(&sweep, env!("CAROM_VERSION"));
    let present = if output.is_continuable() { output.present()? } else { String::new() };
    let found = table.read(&present, &output.place())?;
    let missing: Vec<usize> = (0..runs).filter(|run| request.part.has(*run) && !found.rows.contains_key(run)).collect();
    let before = found.rows.len();
    let notices = Notices::default();
    let bar = progress_bar(missing.len() as u64, "runs", request.quiet);
    let make = |number: usize| -> Result<String, String> {
        let run = sweep.run(number)?;
        notices.hear(&run);
        bar.inc(1);
        Ok(table.row(number, &run))
    };
    if output.is_continuable() {
        let file = Mutex::new((output.extend(found.whole)?, found.rows));
        let failed = |error: std::io::Error| output.failed(&error);
        if found.whole == 0
            && let Ok(mut file) = file.lock()
        {
            file.0.write_all(table.header().as_bytes()).map_err(failed)?;
        }
        jobs::run(missing.len(), request.jobs, |index| {
            let row = make(missing[index])?;
            let mut file = file.lock().map_err(|_| "another run failed".to_owned())?;
            // Complete lines at once, so that a run that is cut off leaves at most one incomplete line.
            file.0.write_all(row.as_bytes()).map_err(failed)?;
            file.1.insert(missing[index], row);
            Ok(())
        })?;
        let (_, rows) = file.into_inner().map_err(|_| "another run failed".to_owned())?;
        // In the order of the runs, whatever the order in which they were made.
        let text = table.header() + &rows.into_values().collect::<String>();
        if output.present()? != text {
            output.write(text)?;
        }
    } else {
        let mut stream = output.begin()?;
        let failed = |error: std::io::Error| output.failed(&error);
        stream.write_all(table.header().as_bytes()).map_err(failed)?;
        // Rows that wait for one before them.
        let waiting = Mutex::new((stream, 0, BTreeMap::new()));
        jobs::run(missing.len(), request.jobs, |index| {
            let row = make(missing[index])?;
            let mut waiting = waiting.lock().map_err(|_| "another run failed".to_owned())?;
            let (stream, next, rows) = &mut *waiting;
            rows.insert(index, row);
            while let Some(row) = rows.remove(next) {
                stream.write_all(row.as_bytes()).and_then(|()| stream.flush()).map_err(failed)?;
                *next += 1;
            }
            Ok(())
        })?;
        let (stream, ..) = waiting.into_inner().map_err(|_| "another run failed".to_owned())?;
        stream.finish()?;
    }
    bar.finish_and_clear();
    let (made, there) = (count(missing.len(), "run", "runs"), count(before, "was there", "were there"));
    write_summary(
        format!("{}: {made} made, {there} before\n", sweep.experiment.scene.source),
        request.quiet,
        [&output],
    )?;
    Ok(notices.ending())
}

/// What has been reported about runs. Each kind of remark is printed once.
#[derive(Default)]
struct Notices {
    said: Mutex<Vec<String>>,
    has_left_out: std::sync::atomic::AtomicBool,
}

impl Notices {
    fn hear(&self, run: &Run) {
        let mut words: Vec<(String, String)> = run.warnings.iter().map(|it| (it.clone(), it.clone())).collect();
        if !run.left_out.is_empty() {
            self.has_left_out.store(true, std::sync::atomic::Ordering::Relaxed);
            words
                .extend(account::lines(&run.left_out).map(|line| ("left out".to_owned(), format!("left out: {line}"))));
        }
        if run.is_partial() {
            words.push(("part".to_owned(), run.words_on_a_part()));
        }
        for measured in &run.results {
            if let Err(reason) = &measured.outcome {
                let name = measured.quantity.name;
                words.push((name.to_owned(), format!("{name} is empty where it does not apply: {reason}")));
            }
        }
        let Ok(mut said) = self.said.lock() else { return };
        for (kind, words) in words {
            if !said.contains(&kind) {
                said.push(kind);
                say(&words);
            }
        }
    }

    fn ending(&self) -> Ending {
        if self.has_left_out.load(std::sync::atomic::Ordering::Relaxed) { Ending::LeftOut } else { Ending::Whole }
    }
}
