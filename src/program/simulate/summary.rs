//! The summary of a run, as JSON and as text.

use std::{fmt, time::Duration};

use bevy::prelude::*;
use serde::Serialize;

use super::{
    record::{FirstFlight, LeftBall, PottedDisc},
    tick_rate,
};
use crate::{
    collision::{
        Discs, PhysicsSpace, SolverMode,
        measure::{self, BlockTotals, LeftOut},
    },
    link::PHYSICS,
    number::{count, decimals},
    program::{
        account::{self, Imprecise, InvalidEntry, TooSmallEntry, UnresolvedEntry},
        strike::Strike,
    },
    run_file::{Divergence, RunFile},
    scene::SceneSource,
};

/// The data of a finished run.
pub(super) struct Outcome<'a> {
    pub(super) source: &'a SceneSource,
    pub(super) ticks: u64,
    pub(super) wall_time: Duration,
    /// The worst overlap measured during the run, as a fraction of the smaller radius.
    pub(super) worst_in_run: f32,
    pub(super) strike: Option<Strike>,
    pub(super) flight: Option<FirstFlight>,
    pub(super) potted: Vec<PottedDisc>,
    pub(super) left_table: Vec<LeftBall>,
    pub(super) before: &'a Discs,
    pub(super) after: &'a Discs,
    /// The hash of the final state.
    pub(super) hash: u64,
    /// The blocks before and after.
    pub(super) blocks: [BlockTotals; 2],
    /// Likely mistakes in the scene.
    pub(super) warnings: &'a [String],
    /// The comparison with the recorded run, if it was one.
    pub(super) repeated: Option<Repeated>,
}

/// The comparison of a run with the recorded one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Repeated {
    /// The number of recorded ticks.
    ticks: u64,
    /// The number of them that were repeated.
    of_ticks: u64,
    /// The version of carom that recorded it.
    version: String,
    /// Whether all compared states are bit-identical.
    pub(super) identical: bool,
    /// The first tick, counted from the start, after which the state differs.
    first_difference: Option<u64>,
    /// The last tick before it after which the state was compared and equal.
    last_equal: Option<u64>,
    /// The number of compared states.
    compared: usize,
}

impl Repeated {
    /// The comparison after this many ticks.
    pub(super) fn of(world: &World, run: &RunFile, ticks: u64) -> Self {
        let divergence = world.get_resource::<Divergence>();
        Self {
            ticks: run.ticks(),
            version: run.version().to_owned(),
            of_ticks: ticks.min(run.ticks()),
            identical: divergence.is_none(),
            first_difference: divergence.map(|divergence| divergence.tick),
            last_equal: divergence.and_then(|divergence| divergence.last_equal),
            compared: run.hashes().filter(|(tick, _)| *tick <= ticks).count(),
        }
    }
}

impl fmt::Display for Repeated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ticks, of_ticks, version, first_difference, last_equal, compared, .. } = self;
        let Some(tick) = first_difference else {
            let states = count(*compared, "state", "states");
            return match (*compared, of_ticks < ticks) {
                (0, _) => f.write_str("not compared: the recorded run has no hash of these ticks"),
                (_, true) => write!(f, "identical in {of_ticks} of the {ticks} recorded ticks, in {states} compared"),
                (_, false) => write!(f, "identical to the recorded one of {ticks} ticks, in {states} compared"),
            };
        };
        write!(f, "differs from the recorded one after tick {tick}")?;
        if let Some(tick) = last_equal {
            write!(f, ", equal after tick {tick}")?;
        }
        write!(f, "; carom {version} recorded it, and this is carom {PHYSICS}")
    }
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Summary {
    /// The scene, or the file.
    pub(super) scene: String,
    pub(super) ticks: u64,
    /// Simulated seconds.
    pub(super) seconds: f64,
    /// The number of discs at the end, without those in pockets and off the table.
    pub(super) discs: usize,
    /// Translational kinetic energy of discs, without spin, joules.
    pub(super) kinetic_energy_before: f64,
    pub(super) kinetic_energy_after: f64,
    /// Rotational energy of discs, joules. None if no disc spins.
    pub(super) spin_energy_before: Option<f64>,
    pub(super) spin_energy_after: Option<f64>,
    /// Kilogram metres per second.
    pub(super) momentum_before: [f64; 2],
    pub(super) momentum_after: [f64; 2],
    /// Sums over terrain with a mass, or none if there is none.
    pub(super) blocks: Option<BlockSums>,
    /// The shot at the start.
    pub(super) strike: Option<Strike>,
    /// The first flight of the ball that was shot, if it left the cloth.
    pub(super) flight: Option<FirstFlight>,
    /// The comparison with the recorded run, if it was one.
    pub(super) run: Option<Repeated>,
    /// The discs that were potted, in order.
    pub(super) potted: Vec<PottedDisc>,
    /// The balls that left the table, in order.
    pub(super) left_table: Vec<LeftBall>,
    /// The number of impulses, counted from the shot if there was one.
    pub(super) collisions: u64,
    /// How often the solver stopped discs because their impacts within a tick would not end. Balls that come to rest on
    /// the cloth do not count.
    pub(super) stopped_by_solver: u64,
    /// Overlaps of the final state, as fractions of the smaller radius: the worst, and the mean over overlapping pairs.
    pub(super) worst_overlap: f32,
    pub(super) mean_overlap: f32,
    pub(super) overlapping_pairs: usize,
    /// The worst overlap at the start, at the end and at up to 100 moments between.
    pub(super) worst_overlap_in_run: f32,
    /// Likely mistakes in the scene, in words.
    pub(super) warnings: Vec<String>,
    /// Discs and terrain that were left out because of an invalid value.
    pub(super) invalid: Vec<InvalidEntry>,
    /// Discs whose movement at the start `f32` cannot resolve.
    pub(super) unresolved: Vec<UnresolvedEntry>,
    /// Discs whose radius at the start `f32` cannot resolve at their coordinates.
    pub(super) too_small: Vec<TooSmallEntry>,
    pub(super) wall_time_s: f64,
    pub(super) ns_per_disc_per_tick: f64,
    /// The [`world_hash`](crate::scene::world_hash) of the final state as 16 hexadecimal digits. Equal runs have equal
    /// hashes.
    pub(super) hash: String,
    #[serde(skip)]
    mode: SolverMode,
    /// The contents of `invalid`, for the text.
    #[serde(skip)]
    left_out: Vec<String>,
}

/// Sums over all blocks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct BlockSums {
    /// The number of blocks at the end.
    count: usize,
    /// Translational and rotational energy, joules.
    kinetic_energy_before: f64,
    kinetic_energy_after: f64,
    /// Kilogram metres per second.
    momentum_before: [f64; 2],
    momentum_after: [f64; 2],
}

impl BlockSums {
    fn of([before, after]: [BlockTotals; 2]) -> Option<Self> {
        (before.count > 0 || after.count > 0).then(|| Self {
            count: after.count,
            kinetic_energy_before: before.kinetic_energy,
            kinetic_energy_after: after.kinetic_energy,
            momentum_before: before.momentum.to_array(),
            momentum_after: after.momentum.to_array(),
        })
    }
}

impl Summary {
    /// Sums up a run from the states before and after it.
    pub(super) fn of(world: &World, run: Outcome, left_out: &[LeftOut], imprecise: &Imprecise) -> Self {
        let Outcome { source, ticks, wall_time, worst_in_run, strike, before, after, hash, blocks, .. } = run;
        let Outcome { flight, potted, left_table, warnings, repeated, .. } = run;
        let spins = (0..before.len()).any(|i| before.spin_of(i).is_some());
        let spin_energy = |discs: &Discs| spins.then(|| measure::spin_energy(discs));
        let space = world.resource::<PhysicsSpace>();
        let overlap = measure::overlap(after);
        let disc_ticks = after.len() as f64 * ticks as f64;
        let wall_time_s = wall_time.as_secs_f64();
        Self {
            scene: source.to_string(),
            ticks,
            seconds: ticks as f64 / tick_rate(world),
            discs: after.len(),
            kinetic_energy_before: measure::kinetic_energy(before),
            kinetic_energy_after: measure::kinetic_energy(after),
            spin_energy_before: spin_energy(before),
            spin_energy_after: spin_energy(after),
            momentum_before: measure::momentum(before).to_array(),
            momentum_after: measure::momentum(after).to_array(),
            blocks: BlockSums::of(blocks),
            strike,
            flight,
            run: repeated,
            potted,
            left_table,
            collisions: space.report.collisions,
            stopped_by_solver: space.report.stopped,
            worst_overlap: overlap.worst,
            mean_overlap: overlap.mean,
            overlapping_pairs: overlap.pairs,
            worst_overlap_in_run: worst_in_run.max(overlap.worst),
            warnings: warnings.to_vec(),
            invalid: left_out.iter().map(InvalidEntry::from).collect(),
            unresolved: imprecise.unresolved.iter().map(UnresolvedEntry::from).collect(),
            too_small: imprecise.too_small.iter().map(TooSmallEntry::from).collect(),
            wall_time_s,
            ns_per_disc_per_tick: if disc_ticks > 0.0 { wall_time_s * 1e9 / disc_ticks } else { 0.0 },
            hash: format!("{hash:016x}"),
            mode: space.laws.settings.mode,
            left_out: account::lines(left_out).collect(),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scene, ticks, seconds, discs, collisions, hash, .. } = self;
        let micro = |value| decimals(value, 6);
        let [[px0, py0], [px1, py1]] = [self.momentum_before, self.momentum_after].map(|momentum| momentum.map(micro));
        writeln!(f, "{scene}: {discs} discs, {ticks} ticks, {seconds:.3} s simulated in {:.3} s", self.wall_time_s)?;
        if self.discs > 0 {
            writeln!(f, "  {:.1} ns per disc per tick", self.ns_per_disc_per_tick)?;
        } else {
            writeln!(f, "  {:.3} ms per tick", self.wall_time_s * 1e3 / self.ticks.max(1) as f64)?;
        }
        if let Some(strike) = &self.strike {
            writeln!(f, "  strike          {strike}")?;
        }
        if let Some(flight) = &self.flight {
            writeln!(f, "  flight          {flight}")?;
        }
        if let Some(run) = &self.run {
            writeln!(f, "  run             {run}")?;
        }
        writeln!(f, "  collisions      {collisions}")?;
        for fall in &self.potted {
            writeln!(f, "  potted          {fall}")?;
        }
        for fall in &self.left_table {
            writeln!(f, "  left the table  {fall}")?;
        }
        let stopped = self.stopped_by_solver;
        if stopped > 0 || self.mode == SolverMode::Continuous {
            writeln!(f, "{}", account::stopped_line(stopped))?;
        }
        let [before, after] = [self.kinetic_energy_before, self.kinetic_energy_after].map(micro);
        writeln!(f, "  kinetic energy  {before} J -> {after} J")?;
        if let (Some(before), Some(after)) = (self.spin_energy_before, self.spin_energy_after) {
            writeln!(f, "  energy of spin  {} J -> {} J", micro(before), micro(after))?;
        }
        writeln!(f, "  momentum        ({px0}, {py0}) -> ({px1}, {py1}) kg m/s")?;
        if let Some(blocks) = &self.blocks {
            let [before, after] = [blocks.kinetic_energy_before, blocks.kinetic_energy_after].map(micro);
            let [[px0, py0], [px1, py1]] = [blocks.momentum_before, blocks.momentum_after].map(|it| it.map(micro));
            writeln!(
                f,
                "  {:<15} {before} J -> {after} J, ({px0}, {py0}) -> ({px1}, {py1}) kg m/s",
                format!("of {}", count(blocks.count, "block", "blocks"))
            )?;
        }
        writeln!(
            f,
            "  overlap/radius  worst {:.2e}, mean {:.2e} ({} pairs); worst of the run {:.2e}",
            self.worst_overlap, self.mean_overlap, self.overlapping_pairs, self.worst_overlap_in_run
        )?;
        for line in &self.left_out {
            writeln!(f, "  left out        {line}")?;
        }
        writeln!(f, "  hash            {hash}")
    }
}
