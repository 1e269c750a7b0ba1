//! One run that measures: a scene with some settings, a warm-up, and the measured time.

use crate::{
    collision::{Discs, measure, measure::LeftOut},
    laboratory::{Laboratory, LaboratoryPlugin, Measured, QUANTITIES, Quantity, quantity},
    program::{
        run::{Begun, Length, Loaded, Start, headless},
        settings::Setting,
    },
    ron_text::{did_you_mean, nearest_name},
    timeline::advance,
};

/// The length of a run, simulated seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The time before the measurement.
    pub warm_up: f64,
    /// The measured time.
    pub seconds: f64,
}

/// The quantities with these names, each once; all if there are no names.
///
/// # Errors
/// A name that is none, with the nearest one.
pub fn choose(names: &[String]) -> Result<Vec<&'static Quantity>, String> {
    if names.is_empty() {
        return Ok(QUANTITIES.to_vec());
    }
    let mut chosen: Vec<&'static Quantity> = Vec::new();
    for name in names {
        let known: Vec<&str> = QUANTITIES.iter().map(|quantity| quantity.name).collect();
        let Some(found) = quantity(name) else {
            let hint = did_you_mean(nearest_name(name, &known));
            return Err(format!(
                "--what {name}: there is no such quantity{hint}; the quantities are {}",
                known.join(", ")
            ));
        };
        if !chosen.iter().any(|other| other.name == found.name) {
            chosen.push(found);
        }
    }
    Ok(chosen)
}

/// The list of quantities for people: name, unit, what it is, and what it needs.
#[must_use]
pub fn list() -> String {
    let width = QUANTITIES.iter().map(|quantity| quantity.name.len()).max().unwrap_or(0);
    let lines = QUANTITIES.iter().map(|Quantity { name, about, unit, needs, curve, .. }| {
        let unit = if unit.is_empty() { String::new() } else { format!(", {unit}") };
        let curve = curve.map(|curve| format!("; curve: {} against {}", curve.y, curve.x)).unwrap_or_default();
        format!("{name:width$}  {about}{unit}{curve}. Needs {needs}\n")
    });
    lines.collect()
}

/// What all runs have in common.
pub(in crate::program) struct Experiment<'a> {
    pub(in crate::program) scene: Loaded,
    pub(in crate::program) quantities: &'a [&'static Quantity],
    pub(in crate::program) span: Span,
}

/// A finished run.
pub(in crate::program) struct Run {
    pub(in crate::program) results: Vec<Measured>,
    /// The number of discs at the end.
    pub(in crate::program) discs: usize,
    /// The simulated seconds that the results are about.
    pub(in crate::program) measured: f64,
    /// The seconds that were asked for, in whole ticks.
    asked: f64,
    pub(in crate::program) left_out: Vec<LeftOut>,
    pub(in crate::program) warnings: Vec<String>,
}

impl Run {
    /// Whether the measurement restarted during the run.
    pub(in crate::program) fn is_partial(&self) -> bool {
        self.measured < 0.999 * self.asked
    }

    /// Describes that.
    pub(in crate::program) fn words_on_a_part(&self) -> String {
        format!(
            "the discs changed during a run, as when one falls into a pocket: its results are about the last {:.3} of {:.3} s",
            self.measured, self.asked
        )
    }
}

impl<'a> Experiment<'a> {
    /// Reads the scene.
    pub(in crate::program) fn new(
        start: &Start,
        quantities: &'a [&'static Quantity],
        span: Span,
    ) -> Result<Self, String> {
        Ok(Self { scene: Loaded::read(start, false)?, quantities, span })
    }

    /// Runs the scene with these settings and this seed.
    pub(in crate::program) fn run(&self, settings: &[Setting], seed: Option<u64>) -> Result<Run, String> {
        let mut settings = settings.to_vec();
        settings.extend(seed.map(Setting::seed));
        let ready = self.scene.clone().ready(&settings, None)?;
        let file = &ready.scene.file;
        let warm_up =
            Length::Seconds(self.span.warm_up).in_ticks(file).map_err(|e| e.replacen("--seconds", "--warm-up", 1))?;
        let ticks = Length::Seconds(self.span.seconds).in_ticks(file)?;
        let rate = file.pace.tick_rate;
        let mut app = headless(LaboratoryPlugin);
        let world = app.world_mut();
        let Begun { warnings, .. } = ready.begin(world)?;
        advance(world, warm_up);
        world.resource_mut::<Laboratory>().start(self.quantities.iter().copied());
        // The first tick only prepares.
        advance(world, 1 + ticks);
        let laboratory = world.resource::<Laboratory>();
        let (results, measured) = (laboratory.results(), laboratory.seconds());
        let (discs, left_out) = (Discs::of(world).len(), measure::about_to_be_left_out(world));
        Ok(Run { results, discs, measured, asked: ticks as f64 / rate, left_out, warnings })
    }
}

/// The seeds of the runs: `None` for the scene's own.
///
/// # Errors
/// If the scene has nothing random, and several runs are asked for.
pub(in crate::program) fn seeds_of(
    experiment: &Experiment,
    settings: &[Setting],
    count: u64,
    first: Option<u64>,
) -> Result<Vec<Option<u64>>, String> {
    if count == 1 && first.is_none() {
        return Ok(vec![None]);
    }
    let first = first.unwrap_or(0);
    if first.checked_add(count - 1).is_none() {
        return Err(format!(
            "--seed {first}: with --seeds {count}, the last one is too large; choose a smaller first seed"
        ));
    }
    let mut all = settings.to_vec();
    Setting::seed(first).add_to(&mut all, &format!("--seeds {count}"))?;
    let mut file = experiment.scene.file.clone();
    Setting::apply_all(&[Setting::seed(first)], &mut file).map_err(|_| {
        format!(
            "--seeds {count}: {} has no generator with a seed, so all runs would be equal; leave it out, or take a scene such as gas",
            experiment.scene.source
        )
    })?;
    Ok((0..count).map(|number| Some(first + number)).collect())
}
