//! `carom experiment`: runs an experiment without a window, and writes the measured value beside the expected one.

use std::{fmt, path::PathBuf};

use serde::Serialize;

use super::{
    Ending, account, jobs,
    measure::deviation,
    output::{Output, write_summary},
    run::{Loaded, Start, headless},
    say,
    settings::Setting,
};
use crate::{
    collision::SolverMode,
    experiments::{EXPERIMENTS, Experiment, ExperimentPlugin, Modes, Outcome, Prediction, experiment, run_to_end},
    laboratory::{Estimate, blocks::mean_and_error},
    number::with_error,
    scene::SceneSource,
};

/// What to run.
#[derive(Clone, Debug)]
pub struct Request {
    /// The scene.
    pub source: SceneSource,
    /// The mode of the solver. Default: that of the scene.
    pub mode: Option<SolverMode>,
    /// What to change, as `key=value`: what the experiment varies, or a setting of the scene.
    pub settings: Vec<String>,
    /// The number of runs, each with another seed.
    pub seeds: u64,
    /// The first seed. Default: that of the scene for one run, 0 for several.
    pub seed: Option<u64>,
    /// How many runs take place at once; one per core if none.
    pub jobs: Option<usize>,
    /// The file for the result as JSON.
    pub json: Option<PathBuf>,
}

/// The list of experiments for people: names and questions.
#[must_use]
pub fn list() -> String {
    let width = EXPERIMENTS.iter().map(|experiment| experiment.name.len()).max().unwrap_or(0);
    let lines: Vec<String> =
        EXPERIMENTS.iter().map(|Experiment { name, question, .. }| format!("{name:width$}  {question}\n")).collect();
    lines.concat()
}

/// Writes the list to the standard output.
///
/// # Errors
/// If it cannot be written.
pub fn write_list() -> Result<(), String> {
    Output::standard().write(list())
}

/// Runs an experiment, and writes its result.
///
/// # Errors
/// If it cannot be done. The message is one line and names the remedy.
pub fn run(request: &Request) -> Result<Ending, String> {
    let Request { source, mode, settings, seeds, seed, jobs, json } = request;
    let mut scene = Loaded::read(&Start::Scene(source.clone()), false)?;
    let name = &scene.file.experiment;
    let Some(experiment) = experiment(name) else {
        let names: Vec<&str> = EXPERIMENTS.iter().map(|experiment| experiment.name).collect();
        let problem = if name.is_empty() { "it has no experiment".to_owned() } else { format!("unknown `{name}`") };
        return Err(format!("{source}: {problem}; the experiments are {}", names.join(", ")));
    };
    let settings = vary(experiment, &mut scene, settings)?;
    let varied =
        experiment.varied(&scene.file).into_iter().map(|(vary, value)| format!("{}={value}", vary.name)).collect();
    if let Some(mode) = mode {
        scene.file.collision.mode = *mode;
    }
    let json = Output::wanted("--json", json.as_deref())?;
    let first = seed.or((*seeds > 1).then_some(0));
    let runs = jobs::run(*seeds as usize, *jobs, |number| {
        let mut settings = settings.clone();
        settings.extend(first.map(|first| Setting::seed(first.wrapping_add(number as u64))));
        let mut app = headless(ExperimentPlugin);
        let ready = scene.clone().ready(&settings, None)?;
        let mode = ready.scene.file.collision.mode;
        let begun = ready.begin(app.world_mut())?;
        Ok((run_to_end(app.world_mut())?, mode, begun.warnings))
    })?;
    let (_, mode, warnings) = &runs[0];
    account::warn(warnings);
    let outcomes: Vec<Outcome> = runs.iter().map(|(outcome, ..)| *outcome).collect();
    let result = Summary { varied, ..Summary::new(experiment, *mode, &outcomes) };
    if let Some(caution) = result.caution {
        say(caution);
    }
    if let Some(json) = &json {
        json.write_json(&result)?;
    }
    write_summary(result.to_string(), false, json.iter())?;
    Ok(Ending::Whole)
}

/// Applies the changes of what the experiment varies, and returns the others.
fn vary(experiment: &Experiment, scene: &mut Loaded, settings: &[String]) -> Result<Vec<Setting>, String> {
    let mut others = Vec::new();
    for text in settings {
        let known = text.split_once('=').and_then(|(key, value)| {
            Some((experiment.vary.iter().find(|vary| vary.name == key.trim())?, value.trim()))
        });
        let Some((known, value)) = known else {
            others.push(text.clone());
            continue;
        };
        let number = value.parse().map_err(|_| format!("--set {text}: {value} is not a number"))?;
        known.apply(&mut scene.file, number).map_err(|problem| format!("--set {text}: {problem}"))?;
    }
    let names: Vec<&str> = experiment.vary.iter().map(|vary| vary.name).collect();
    Setting::parse_all(&others).map_err(|problem| format!("{problem}; the experiment varies {}", names.join(", ")))
}

/// The result of all runs.
#[derive(Clone, Debug, Serialize)]
struct Summary {
    experiment: &'static str,
    question: &'static str,
    /// What differs from the question, as `name=value`.
    varied: Vec<String>,
    /// The mode of the solver, and how the experiment fails in it, if it does.
    mode: &'static str,
    caution: Option<&'static str>,
    quantity: &'static str,
    /// Empty for a number without one.
    unit: &'static str,
    runs: usize,
    measured: f64,
    /// The standard error; null for a count, or for a single run that has none.
    error: Option<f64>,
    expected: Option<f64>,
    /// Whether the expected value is exact, holds in a limit, or was measured elsewhere.
    kind: &'static str,
    source: &'static str,
    /// The answer that the measured value gives, if the question has answers to choose from.
    answer: Option<&'static str>,
}

impl Summary {
    fn new(experiment: &Experiment, mode: SolverMode, outcomes: &[Outcome]) -> Self {
        let values: Vec<Estimate> = outcomes.iter().filter_map(|outcome| outcome.value).collect();
        let (measured, spread) = mean_and_error(&values.iter().map(|estimate| estimate.value).collect::<Vec<_>>());
        let expected: Option<Vec<f64>> = values.iter().map(|estimate| estimate.theory).collect();
        let caution = match experiment.modes {
            Modes::Continuous(fails) if mode == SolverMode::Stepped => Some(fails),
            _ => None,
        };
        let answer = match experiment.prediction {
            Prediction::Choice(choices) => {
                experiment.prediction.choice_of(measured).map(|answer| choices[answer].words)
            }
            Prediction::Number { .. } => None,
        };
        Self {
            experiment: experiment.name,
            question: experiment.question,
            varied: Vec::new(),
            mode: SolverMode::ALL.into_iter().find(|(other, _)| *other == mode).map_or("", |(_, words)| words),
            caution,
            quantity: experiment.quantity,
            unit: experiment.unit,
            runs: outcomes.len(),
            measured,
            error: if outcomes.len() > 1 { spread } else { values[0].error },
            expected: expected.map(|expected| mean_and_error(&expected).0),
            kind: experiment.exact.words(),
            source: experiment.source,
            answer,
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        let [value, error] = with_error(self.measured, self.error);
        writeln!(f, "{}", self.question)?;
        if !self.varied.is_empty() {
            writeln!(f, "  varied      {}", self.varied.join(", "))?;
        }
        writeln!(f, "  mode        {}, runs: {}", self.mode, self.runs)?;
        writeln!(f, "  quantity    {}", self.quantity)?;
        writeln!(f, "  measured    {}", format!("{value} {error}").trim_end().to_owned() + &unit)?;
        if let Some(answer) = self.answer {
            writeln!(f, "  answer      {answer}")?;
        }
        let Some(expected) = self.expected else { return Ok(()) };
        writeln!(f, "  expected    {}{unit} ({}; {})", with_error(expected, None)[0], self.kind, self.source)?;
        let errors = deviation(self.measured, self.error, expected);
        let errors = if errors.is_empty() { errors } else { format!(", {errors}") };
        writeln!(f, "  difference  {}{unit}{errors}", Rounded(self.measured - expected))
    }
}

/// A difference with three digits.
struct Rounded(f64);

impl fmt::Display for Rounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0.0 { f.write_str("0") } else { write!(f, "{:+.2e}", self.0) }
    }
}
