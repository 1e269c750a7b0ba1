//! `carom simulate`: runs a scene without a window, as fast as possible.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use bevy::prelude::*;
use indicatif::ProgressBar;

use super::{
    Ending, account,
    output::{Output, keep_apart, write_summary},
    progress::progress_bar,
    run::{self, Begun, Length, Ready, Start},
    settings::Setting,
    strike::{Shot, Strike},
};
use crate::{
    collision::{Discs, measure},
    disc_table,
    run_file::{self, RunFilePlugin},
    scene,
    storage::ends_in,
    timeline::{HistoryPlugin, Playback, advance},
};

mod names;
mod picture;
mod record;
mod summary;

pub use crate::disc_table::{Place, Walls, table_named};

use picture::Paths;
use summary::{Outcome, Repeated, Summary};

/// The run to make.
#[derive(Clone, Debug)]
pub struct Request {
    /// The start of the run.
    pub start: Start,
    /// The length of the run. Default: that of a recorded run, or else 10 simulated seconds.
    pub length: Option<Length>,
    /// Settings to change in the scene.
    pub settings: Vec<Setting>,
    /// The shot at the start: of the cue ball, or else of the first disc of a scene.
    pub strike: Option<Shot>,
    /// The file for the summary.
    pub json: Option<PathBuf>,
    /// The file for the table of the final state.
    pub csv: Option<PathBuf>,
    /// The file for the table of events.
    pub events: Option<PathBuf>,
    /// The file for the picture.
    pub svg: Option<PathBuf>,
    /// Where the final state goes as a scene.
    pub save: Option<PathBuf>,
    /// Whether to omit the progress bar and the summary. The summary is also omitted if one of the files is the
    /// standard output.
    pub quiet: bool,
}

/// Makes the run and writes its results.
///
/// # Errors
/// If the run cannot be made. The message is one line and names the remedy.
pub fn run(request: &Request) -> Result<Ending, String> {
    let Request { start, length, settings, strike, .. } = request;
    let mut ready = Ready::read(start, settings, *strike)?;
    let source = ready.scene.source.clone();
    let recorded = ready.scene.file.run.take();
    if recorded.is_some() && (!settings.is_empty() || strike.is_some()) {
        return Err(format!(
            "{source}: it is a run, which repeats what was recorded; leave out --set, --seed and --strike"
        ));
    }
    let ticks = match (length, &recorded) {
        (Some(length), _) => length.in_ticks(&ready.scene.file)?,
        (None, Some(run)) => run.ticks(),
        (None, None) => Length::Seconds(10.0).in_ticks(&ready.scene.file)?,
    };
    // Checked before the run, so that a misspelt folder does not cost an hour of simulation.
    if let Some(table) = request.save.as_ref().filter(|path| ends_in(path, "csv")) {
        return Err(format!(
            "--save {}: a scene is what it writes, to a file that ends in .ron; --csv {0} writes a table",
            table.display()
        ));
    }
    let json = Output::wanted("--json", request.json.as_deref())?;
    let csv = Output::wanted("--csv", request.csv.as_deref())?;
    let events = Output::wanted("--events", request.events.as_deref())?;
    let svg = Output::wanted("--svg", request.svg.as_deref())?;
    let save = Output::wanted("--save", request.save.as_deref())?;
    let outputs = [&json, &csv, &events, &svg, &save].map(Option::as_ref);
    keep_apart(outputs.into_iter().flatten())?;

    let mut app = match recorded {
        Some(_) => run::headless((HistoryPlugin { memory: HISTORY, ..default() }, RunFilePlugin)),
        None => run::headless(()),
    };
    record::keep(&mut app);
    let world = app.world_mut();
    let Begun { strike, warnings } = ready.begin(world)?;
    if let Some(ball) = strike.as_ref().and_then(Strike::flies) {
        record::begin_flight(world, ball);
    }
    if let Some(run) = &recorded {
        run_file::seed(world, run).map_err(|error| format!("{source}: {error}"))?;
    }
    if let Some(path) = &request.events {
        record::begin_events(world).map_err(|problem| format!("--events {}: {problem}", path.display()))?;
    }
    let before = Discs::of(world);
    let blocks_before = measure::blocks(world);
    account::warn(&warnings);
    let imprecise = account::warn_of_precision(world);
    let mut paths = svg.is_some().then(|| Paths::new(&before));
    let bar = progress_bar(ticks, "ticks", request.quiet);
    let (wall_time, worst_in_run) = run_ticks(world, ticks, &before, paths.as_mut(), &bar);
    bar.finish_and_clear();

    let after = Discs::of(world);
    let left_out = measure::about_to_be_left_out(world);
    let (source, before, after) = (&source, &before, &after);
    let hash = scene::world_hash(world);
    let (flight, potted, left_table) = (record::flight(world), record::potted(world), record::left_table(world));
    let blocks = [blocks_before, measure::blocks(world)];
    let warnings = &warnings;
    let repeated = recorded.as_ref().map(|run| Repeated::of(world, run, ticks));
    let differs = repeated.as_ref().is_some_and(|repeated| !repeated.identical);
    let run = Outcome {
        source,
        ticks,
        wall_time,
        worst_in_run,
        strike,
        flight,
        potted,
        left_table,
        before,
        after,
        hash,
        blocks,
        warnings,
        repeated,
    };
    let summary = Summary::of(world, run, &left_out, &imprecise);
    if let Some(json) = &json {
        json.write_json(&summary)?;
    }
    if let Some(csv) = &csv {
        csv.write(disc_table::write(world, after)?)?;
    }
    if let Some(events) = &events {
        events.write(record::events(world)?)?;
    }
    if let (Some(svg), Some(paths)) = (&svg, &paths) {
        svg.write(picture::draw(world, paths, before, after))?;
    }
    // The summary names what was left out.
    if !write_summary(summary.to_string(), request.quiet, outputs.into_iter().flatten())? {
        account::say_left_out(&left_out);
    }
    if let Some(save) = &save {
        let text = scene::snapshot(world);
        save.write(text.map_err(|reason| format!("--save: not written, {reason}; --csv writes whatever is there"))?)?;
    }
    Ok(if differs { Ending::Differs } else { account::ending(&left_out) })
}

/// The memory for the history of a run that is repeated, bytes. Nothing goes back in it.
const HISTORY: usize = 16 << 20;

/// The number of times that overlaps are measured during a run. One measurement costs about as much as a tick.
const LOOKS: u64 = 100;

/// Runs the ticks. Returns the time that they took, and the worst overlap measured, as a fraction of the smaller
/// radius.
fn run_ticks(
    world: &mut World,
    ticks: u64,
    before: &Discs,
    mut paths: Option<&mut Paths>,
    bar: &ProgressBar,
) -> (Duration, f32) {
    let samples = paths.as_ref().map_or(1, |paths| paths.moments()).min(ticks).max(1);
    let looks = LOOKS.min(ticks).max(1);
    let moments = samples.max(looks);
    let mut wall_time = Duration::ZERO;
    let mut worst = measure::overlap(before).worst;
    let mut done = 0;
    for moment in 1..=moments {
        let until = (u128::from(ticks) * u128::from(moment) / u128::from(moments)) as u64;
        while done < until {
            // Paths turn in every tick.
            let more = if paths.is_some() { 1 } else { until - done };
            let start = Instant::now();
            advance(world, more);
            wall_time += start.elapsed();
            done += more;
            if let Some(paths) = &mut paths {
                paths.add_turns(world.resource(), seconds(world, done));
            }
        }
        bar.set_position(done);
        let is_due = |times: u64| moment * times / moments > (moment - 1) * times / moments;
        let (look, sample) = (is_due(looks), paths.is_some() && is_due(samples));
        if look || sample {
            let now = Discs::of(world);
            if look {
                worst = worst.max(measure::overlap(&now).worst);
            }
            if let Some(paths) = paths.as_mut().filter(|_| sample) {
                paths.add(&now, seconds(world, done));
            }
        }
    }
    (wall_time, worst)
}

/// The simulated time after so many ticks, seconds.
fn seconds(world: &World, ticks: u64) -> f32 {
    (ticks as f64 / tick_rate(world)) as f32
}

/// Ticks per simulated second, hertz.
fn tick_rate(world: &World) -> f64 {
    world.resource::<Playback>().rate(world.resource())
}
