//! [`Laboratory`]: measurements of a running simulation.

use std::time::Duration;

use bevy::{platform::time::Instant, prelude::*};

use super::{
    blocks::{Blocks, jackknife_error},
    gas::Gas,
    hit_changes, instruments, ledger,
    measurement::{Averages, Measurement, Moment, Quantity, Value, Values},
    reading::{Estimate, Measured, Point, Reading},
    report::report_all_hits_if,
};
use crate::{
    collision::{PhysicsSpace, SimulationSystems, measure, tick_schedule},
    notice::mark,
    timeline::ticked,
};

/// The hits per disc in a block below which the blocks are called short: a velocity is forgotten after about three.
const SHORT_BLOCK: f64 = 3.0;

/// The weight of a new tick in the smoothed costs.
const SMOOTHING: f64 = 0.05;

/// The sums that every measurement has before its own: seconds, kT, its square root, and hits between discs.
const SHARED: usize = 4;

/// Measures a running simulation. Choose quantities with [`Laboratory::start`], let the simulation run, and read
/// [`Laboratory::results`] at any time.
///
/// In an app, [`LaboratoryPlugin`] feeds it. Without an app, call [`Laboratory::observe`] after every tick; the setting
/// [`report_above`](crate::collision::CollisionSettings::report_above) must then be 0, so that the space reports every
/// hit.
///
/// The first tick after the start only prepares. Everything restarts if the discs, the settings, the gravity or the
/// length of a tick change, or if a tick is missed, as in a scene that restarts. Results are then about the time since.
///
/// # Cost
/// Nothing in the tick while nothing is measured. While it measures, each tick takes about 2 ns per disc for the
/// temperature, and the time of the quantities: those from hits take time in proportion to the hits; `speeds`,
/// `equipartition` and `height` about 10 ns per disc each time that the discs have moved by a radius; `pair-function`
/// about 1 µs per disc as often; `free-path`, `diffusion` and `velocity-memory` up to 10 ns per disc and tick.
#[derive(Resource, Default)]
pub struct Laboratory {
    quantities: Vec<&'static Quantity>,
    run: Option<Run>,
}

/// What is being measured.
struct Run {
    gas: Gas,
    running: Vec<Result<Running, String>>,
    /// The last tick that was seen.
    tick: u64,
    /// The velocities after it, m/s.
    velocities: Vec<Vec2>,
    ticks: u64,
    seconds: f64,
    /// The hits between discs.
    disc_hits: f64,
    /// The mean distance that discs moved since the last sample, metres.
    moved: f64,
}

/// A quantity that applies to the scene.
struct Running {
    measurement: Box<dyn Measurement>,
    blocks: Blocks,
    /// The time that it takes per tick, smoothed, seconds.
    cost: f64,
}

impl Laboratory {
    /// Starts to measure these quantities, and forgets all results. Without quantities it stops.
    pub fn start(&mut self, quantities: impl IntoIterator<Item = &'static Quantity>) {
        *self = Self { quantities: quantities.into_iter().collect(), run: None };
    }

    /// Stops, and forgets all results.
    pub fn stop(&mut self) {
        *self = Self::default();
    }

    /// Whether any quantity is being measured.
    #[must_use]
    pub fn is_measuring(&self) -> bool {
        !self.quantities.is_empty()
    }

    /// The quantities being measured.
    #[must_use]
    pub fn quantities(&self) -> &[&'static Quantity] {
        &self.quantities
    }

    /// The seconds that the results are about.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.run.as_ref().map_or(0.0, |run| run.seconds)
    }

    /// What is measured: the discs and their box. `None` before the first tick.
    #[must_use]
    pub fn gas(&self) -> Option<&Gas> {
        self.run.as_ref().map(|run| &run.gas)
    }

    /// The mean number of hits with other discs that each disc has had in the [`seconds`](Self::seconds).
    #[must_use]
    pub fn hits_per_disc(&self) -> f64 {
        self.run.as_ref().map_or(0.0, |run| 2.0 * run.disc_hits / run.gas.count as f64)
    }

    /// The time that each of the [`quantities`](Self::quantities) takes per tick, smoothed over about 20 ticks. It is
    /// zero for one that does not apply.
    #[must_use]
    pub fn costs(&self) -> Vec<Duration> {
        let running = self.run.iter().flat_map(|run| &run.running);
        let cost = |running: &Result<Running, String>| running.as_ref().map_or(0.0, |running| running.cost);
        running.map(|running| Duration::from_secs_f64(cost(running))).collect()
    }

    /// Takes in a tick that has just run.
    pub fn observe(&mut self, space: &PhysicsSpace) {
        if !self.is_measuring() || space.discs.is_empty() {
            self.run = None;
            return;
        }
        match &mut self.run {
            Some(run) if run.continues_with(space) => run.observe(space),
            run => *run = Some(Run::begin(space, &self.quantities)),
        }
    }

    /// The results so far, in the order of [`Laboratory::quantities`].
    #[must_use]
    pub fn results(&self) -> Vec<Measured> {
        let running = self.run.as_ref().filter(|run| run.ticks > 0);
        let each = self.quantities.iter().enumerate().map(|(index, &quantity)| {
            let outcome = match running.map(|run| (run, &run.running[index])) {
                Some((run, Ok(running))) => running.read(run.gas.count),
                Some((_, Err(reason))) => Err(reason.clone()),
                None => Err(mark("no tick was measured; the scene needs discs").to_owned()),
            };
            Measured { quantity, outcome }
        });
        each.collect()
    }
}

impl Run {
    fn begin(space: &PhysicsSpace, quantities: &[&'static Quantity]) -> Self {
        let gas = Gas::of(space);
        let mut run = Self {
            gas,
            running: Vec::new(),
            tick: space.clock.tick,
            velocities: space.discs.velocity.clone(),
            ticks: 0,
            seconds: 0.0,
            disc_hits: 0.0,
            moved: 0.0,
        };
        let moment = run.moment(space, false);
        let running = quantities.iter().map(|quantity| {
            let measurement = (quantity.begin)(&moment)?;
            let blocks = Blocks::new(SHARED + measurement.terms());
            Ok(Running { measurement, blocks, cost: 0.0 })
        });
        run.running = running.collect();
        run
    }

    fn continues_with(&self, space: &PhysicsSpace) -> bool {
        space.clock.tick == self.tick + 1 && self.gas.is_still_in(space)
    }

    fn moment<'a>(&'a self, space: &'a PhysicsSpace, is_sample: bool) -> Moment<'a> {
        let drift = self.gas.drift(space);
        let energy = measure::kinetic_energy(&space.discs) - 0.5 * self.gas.mass * drift.length_squared();
        let energy = energy.max(0.0);
        Moment {
            space,
            gas: &self.gas,
            velocities_before: &self.velocities,
            seconds: self.seconds,
            ticks: self.ticks,
            energy,
            drift,
            kt: energy / self.gas.degrees(),
            is_sample,
        }
    }

    fn observe(&mut self, space: &PhysicsSpace) {
        self.tick = space.clock.tick;
        self.ticks += 1;
        self.seconds += f64::from(space.clock.time_step);
        let mut running = std::mem::take(&mut self.running);
        let Moment { energy, .. } = self.moment(space, false);
        self.moved += (2.0 * energy / self.gas.mass).sqrt() * f64::from(space.clock.time_step);
        let is_sample = self.moved >= self.gas.mean_radius;
        let moment = self.moment(space, is_sample);
        let hits = moment.disc_hits().count() as f64;
        let step = moment.time_step();
        let mut start = Instant::now();
        for Running { measurement, blocks, cost } in running.iter_mut().flatten() {
            let (shared, own) = blocks.current().split_at_mut(SHARED);
            for (sum, term) in shared.iter_mut().zip([step, moment.kt * step, moment.kt.sqrt() * step, hits]) {
                *sum += term;
            }
            measurement.add(&moment, own);
            blocks.end_tick();
            let end = Instant::now();
            let now = (end - start).as_secs_f64();
            *cost = if self.ticks == 1 { now } else { *cost + SMOOTHING * (now - *cost) };
            start = end;
        }
        self.disc_hits += hits;
        if is_sample {
            self.moved = 0.0;
        }
        self.running = running;
        self.velocities.clone_from(&space.discs.velocity);
    }
}

impl Running {
    fn values(&self, sums: &[f64]) -> Result<Values, String> {
        let (shared, own) = sums.split_at(SHARED);
        let seconds = shared[0];
        let averages =
            Averages { seconds, kt: shared[1] / seconds, root_kt: shared[2] / seconds, disc_hits: shared[3] };
        self.measurement.values(&averages, own)
    }

    fn read(&self, count: usize) -> Result<Reading, String> {
        let Values { value, curve } = self.values(&self.blocks.total())?;
        let is_stationary = self.measurement.is_stationary();
        let without_each = if is_stationary { self.blocks.without_each() } else { Vec::new() };
        let parts: Vec<Values> = without_each.iter().filter_map(|sums| self.values(sums).ok()).collect();
        let is_complete = parts.len() == without_each.len() && parts.iter().all(|part| part.curve.len() == curve.len());
        let error = |of: &dyn Fn(&Values) -> f64| {
            jackknife_error(&parts.iter().map(of).collect::<Vec<_>>()).filter(|_| is_complete)
        };
        let estimate = |Value { value, theory }, error| Estimate { value, error, theory };
        let points = curve.iter().enumerate().map(|(at, &(x, value))| Point {
            x,
            estimate: estimate(value, if is_complete { error(&|part: &Values| part.curve[at].1.value) } else { None }),
        });
        let hits = self.blocks.mean_of_block(SHARED - 1).map(|hits| 2.0 * hits / count as f64);
        let mixes = self.measurement.mixes_by_disc_hits();
        let short = hits.filter(|&hits| is_stationary && mixes && hits < SHORT_BLOCK).map(|hits| {
            format!("the run is short: its parts have {hits:.1} hits per disc, so the error may be too small")
        });
        Ok(Reading {
            value: estimate(value, error(&|part: &Values| part.value.value)),
            curve: points.collect(),
            notes: self.measurement.note().into_iter().chain(short).collect(),
        })
    }
}

/// Adds the resource [`Laboratory`] and feeds it after every tick. It also adds the
/// [`Instruments`](instruments::Instruments) on the table, the [`EnergyLedger`](super::EnergyLedger) and the
/// [`HitChanges`](super::HitChanges).
///
/// While it measures, while the ledger is on and while there is a force gauge, the space reports every hit, however
/// slow. Messages still follow [`report_above`](crate::collision::CollisionSettings::report_above).
///
/// It needs [`PhysicsPlugins`](crate::PhysicsPlugins).
///
/// ```
/// # use bevy::prelude::*;
/// use carom::{laboratory::{Laboratory, LaboratoryPlugin, quantity}, prelude::*, timeline::advance};
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), LaboratoryPlugin));
/// for x in [-2.0, 0.0, 2.0] {
///     app.world_mut().spawn((Disc, Position(vec2(x, 0.0)), Velocity(vec2(1.0 - x, 3.0))));
/// }
/// app.world_mut().spawn(Terrain::Arena { half_size: vec2(4.0, 4.0) });
/// app.world_mut().resource_mut::<Laboratory>().start(quantity("wall-pressure"));
/// advance(app.world_mut(), 1000);
/// let pressure = app.world().resource::<Laboratory>().results()[0].outcome.clone().unwrap();
/// assert!(pressure.value.value > 0.0);
/// ```
pub struct LaboratoryPlugin;

impl Plugin for LaboratoryPlugin {
    fn build(&self, app: &mut App) {
        let schedule = tick_schedule(app);
        app.add_plugins((instruments::plugin, ledger::plugin, hit_changes::plugin))
            .init_resource::<Laboratory>()
            .add_systems(schedule, observe.after(SimulationSystems).run_if(is_measuring.and_then(ticked)));
        report_all_hits_if(app, is_measuring.or_else(ledger::is_on).or_else(instruments::need_all_hits));
    }

    fn finish(&self, app: &mut App) {
        crate::collision::require_physics(self, app);
    }
}

fn is_measuring(laboratory: Res<Laboratory>) -> bool {
    laboratory.is_measuring()
}

fn observe(mut laboratory: ResMut<Laboratory>, space: Res<PhysicsSpace>) {
    laboratory.observe(&space);
}
