//! Predictions: the same ticks on a copy of the state.
//!
//! A [`Prediction`], created by a [`Predictor`](super::Predictor), runs the functions of the tick itself under the same
//! [`Forces`]. Its result is bit-identical to the real ticks, as long as nobody interferes. It can run in small parts,
//! within a frame or on a task (see [`BackgroundPrediction`](super::BackgroundPrediction)).

use bevy::{platform::time::Instant, prelude::*};
use std::time::Duration;

use crate::{
    collision::{
        CollisionSettings, Discs, Hit, HitTarget, PhysicsSpace, PottedDisc, begin_ticks, run_next_tick, run_tick,
    },
    motion::Forces,
};

/// How far to predict. A [`Prediction`] ends earlier if all discs are permanently at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Horizon {
    /// The longest time, in seconds. Default: 60.
    pub seconds: f32,
    /// The largest number of impacts. Default: unlimited.
    pub impacts: usize,
    /// Counts only the impacts of one disc, by its index. Default: `None`, which counts all.
    pub of: Option<u32>,
}

impl Default for Horizon {
    fn default() -> Self {
        Self { seconds: 60.0, impacts: usize::MAX, of: None }
    }
}

/// The path of one disc: its start, its turning points, and its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// Positions (metres) with their times (seconds from the start).
    pub points: Vec<(Vec2, f32)>,
    /// The velocity after the last point, for detecting bends.
    heading: Vec2,
}

impl Path {
    /// Adds a point if the path has bent since the last one.
    fn bend(&mut self, position: Vec2, velocity: Vec2, now: f32) {
        let turned = self.heading.perp_dot(velocity);
        let lengths = self.heading.length_squared() * velocity.length_squared();
        if turned * turned > BEND * BEND * lengths || self.heading.dot(velocity) < 0.0 {
            self.points.push((position, now));
            self.heading = velocity;
        } else if self.heading == Vec2::ZERO {
            self.heading = velocity;
        }
    }
}

/// A copy of a state that runs ahead, and a record of what happened in it.
#[derive(Clone, Debug)]
pub struct Prediction {
    space: PhysicsSpace,
    forces: Forces,
    horizon: Horizon,
    start: Discs,
    paths: Vec<Path>,
    impacts: Vec<(f32, Hit)>,
    potted: Vec<(f32, PottedDisc)>,
    /// The number of impacts that count for the horizon.
    counted: usize,
    ticks: u64,
    /// The positions after the last tick as bits, if no disc moved.
    at_rest: Option<Vec<[u32; 2]>>,
    done: bool,
}

/// A path gets a point once it has turned by this sine since the last one.
const BEND: f32 = 0.02;

/// The most ticks between two readings of the clock. Reading it takes up to half as long as a tick with a few discs and
/// no events.
const MAX_TICKS_PER_LOOK: u32 = 16;

impl Prediction {
    /// A prediction for a given space, in ticks of `time_step` seconds with these settings and forces. To predict a
    /// world, use [`Predictor`](super::Predictor), which takes all of these from it (the forces of the real ticks are
    /// in [`CurrentForces`](crate::motion::CurrentForces)). The velocities are those in `space.discs`; for a shot, set
    /// the velocity of the disc before. The length of the real ticks is
    /// [`Playback::time_step`](super::Playback::time_step). If `time_step` is not above zero, a warning is logged and
    /// nothing is predicted.
    #[must_use]
    pub fn of(
        mut space: PhysicsSpace,
        forces: Forces,
        settings: &CollisionSettings,
        time_step: f32,
        horizon: Horizon,
    ) -> Self {
        let done = !(time_step > 0.0 && time_step.is_finite());
        if done {
            tracing::warn!(
                "a prediction needs a time step above zero, and was given {time_step} s: it predicts nothing"
            );
        }
        // Records every impact, however slow.
        let settings = CollisionSettings { report_above: 0.0, ..settings.clone() };
        begin_ticks(&mut space, &settings, time_step);
        let start = space.discs.clone();
        let paths = (0..start.len())
            .map(|i| Path { points: vec![(start.position[i], 0.0)], heading: start.velocity[i] })
            .collect();
        let (impacts, potted, counted, ticks, at_rest) = (Vec::new(), Vec::new(), 0, 0, None);
        Self { space, forces, horizon, start, paths, impacts, potted, counted, ticks, at_rest, done }
    }

    /// Runs to the horizon, however long that takes. To spread a long prediction over frames, use
    /// [`Prediction::run_for`].
    #[must_use]
    pub fn finished(mut self) -> Self {
        while !self.done {
            self.tick();
        }
        self
    }

    /// Continues for about `duration`, and returns whether the prediction is done. It runs at least one tick, and ends
    /// with the tick that exceeds the time. If ticks without impacts suddenly take much longer, it may run a few more.
    /// The result does not depend on the number of calls or their durations.
    pub fn run_for(&mut self, duration: Duration) -> bool {
        let begin = Instant::now();
        let (mut ticks, mut spent) = (1, Duration::ZERO);
        while !self.done {
            for _ in 0..ticks {
                self.tick();
                // Ticks with impacts take longest.
                if self.done || !self.space.report.hits.is_empty() {
                    break;
                }
            }
            let now = begin.elapsed();
            if now >= duration {
                break;
            }
            // Twice as many ticks take about twice as long.
            let took = now.saturating_sub(spent);
            ticks = if took * 4 <= duration.saturating_sub(now) { (2 * ticks).min(MAX_TICKS_PER_LOOK) } else { 1 };
            spent = now;
        }
        self.done
    }

    /// Runs one tick, unless the prediction is done.
    pub fn tick(&mut self) {
        if self.done {
            return;
        }
        let began = self.seconds();
        if self.forces.only_accelerate() {
            run_next_tick(&mut self.space, |space| self.forces.act(space));
        } else {
            // A force of the game may have moved discs, and `Gather` reads values again that are not written back.
            let (space, start) = (&mut self.space, &self.start);
            space.discs.radius.clone_from(&start.radius);
            space.discs.mass.clone_from(&start.mass);
            space.discs.restitution.clone_from(&start.restitution);
            space.forget_fallen();
            let (settings, time_step) = (space.laws.settings.clone(), space.clock.time_step);
            run_tick(space, &settings, time_step, |space| self.forces.act(space));
        }
        self.ticks += 1;
        let now = self.seconds();
        let Self { space, forces, paths, impacts, potted, horizon, done, ticks, counted, at_rest, .. } = self;
        impacts.extend(space.report.hits.iter().map(|&hit| (began + hit.time, hit)));
        potted.extend(space.report.potted.iter().map(|&fallen| (began + fallen.time, fallen)));
        for vertex in &space.report.path_vertices {
            paths[vertex.disc as usize].points.push((vertex.position, began + vertex.time));
        }
        for vertex in &space.report.path_vertices {
            paths[vertex.disc as usize].heading = space.discs.velocity[vertex.disc as usize];
        }
        // Nothing moves, and nothing will. Discs at the top of their flight, and discs under a wind to come, continue.
        let spins = space.discs.spin.iter().flatten().any(|spin| spin.angular_velocity != Vec3::ZERO);
        let mut motions = space.discs.position.iter().zip(&space.discs.velocity);
        // Includes velocities that a force gives to a fallen disc.
        let moving = spins || motions.any(|(position, velocity)| position.is_finite() && *velocity != Vec2::ZERO);
        let places = || space.discs.position.iter().map(|position| position.to_array().map(f32::to_bits)).collect();
        let before = std::mem::replace(at_rest, (!moving).then(places));
        let pushed = space.terrain_moves() || !space.discs.constant_forces.is_empty() || space.has_joints();
        let all_rest = !moving && !pushed && before == *at_rest && forces.keep_rest();
        // Forces bend paths slowly.
        if ticks.is_multiple_of(4) || !space.report.hits.is_empty() {
            for (i, path) in paths.iter_mut().enumerate() {
                path.bend(space.discs.position[i], space.discs.velocity[i], now);
            }
        }
        let counts = |hit: &Hit| horizon.of.is_none_or(|disc| hit.disc == disc || hit.target == HitTarget::Disc(disc));
        *counted += space.report.hits.iter().filter(|hit| counts(hit)).count();
        *done = all_rest || now >= horizon.seconds || *counted >= horizon.impacts;
        if *done {
            for (path, &position) in paths.iter_mut().zip(&space.discs.position) {
                if position.is_finite() && path.points.last().is_some_and(|&(at, _)| at != position) {
                    path.points.push((position, now));
                }
            }
        }
    }

    /// Whether the prediction is done: all discs are permanently at rest, or the time or the number of impacts is used
    /// up.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// The time simulated so far, seconds.
    #[must_use]
    pub fn seconds(&self) -> f32 {
        (self.ticks as f64 * f64::from(self.space.clock.time_step)) as f32
    }

    /// The ticks simulated so far.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The discs at the start.
    #[must_use]
    pub fn start(&self) -> &Discs {
        &self.start
    }

    /// The discs at the current end of the prediction. Positions of discs in pockets are NaN.
    #[must_use]
    pub fn discs(&self) -> &Discs {
        &self.space.discs
    }

    /// The path of every disc, by its index. Until the prediction is done, the last point may be behind the disc.
    #[must_use]
    pub fn paths(&self) -> &[Path] {
        &self.paths
    }

    /// The discs that fall into pockets, by time (seconds from the start).
    #[must_use]
    pub fn potted(&self) -> &[(f32, PottedDisc)] {
        &self.potted
    }

    /// Every impact, by time (seconds from the start).
    #[must_use]
    pub fn impacts(&self) -> &[(f32, Hit)] {
        &self.impacts
    }
}
