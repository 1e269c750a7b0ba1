//! Discs followed from many starting points: their displacements and velocities after multiples of a lag. Diffusion and
//! the velocity memory are averages over them.

use std::collections::VecDeque;

use bevy::{math::DVec2, prelude::*};

use crate::laboratory::measurement::{Averages, Moment};
use crate::notice::mark;

/// The number of lags, and their length in mean times between hits: up to ten hits per disc.
pub(super) const LAGS: usize = 40;
const LAG: f64 = 0.25;

/// The largest number of discs that are followed. It limits the memory to 6 MB; more discs add little.
const MOST: usize = 4096;

/// The longest tick, in mean times between hits.
const LONGEST_TICK: f64 = 1.0;

/// The motion of some discs since the start.
struct State {
    /// Without wrapping at periodic edges and without the drift, metres.
    displacements: Vec<DVec2>,
    /// Metres per second, without the drift.
    velocities: Vec<DVec2>,
}

/// The followed discs.
pub(super) struct Tracks {
    /// The hits per disc and second of the theory, at the temperature of the start.
    pub(super) rate: f64,
    /// The length of a lag, seconds and ticks.
    pub(super) lag: f64,
    lag_ticks: u64,
    /// Every how many discs one is followed.
    stride: usize,
    displacements: Vec<DVec2>,
    positions: Vec<Vec2>,
    /// The latest starting points, the newest first.
    starts: VecDeque<State>,
}

impl Tracks {
    /// Begins to follow.
    ///
    /// # Errors
    /// Why the scene is not suitable.
    pub(super) fn begin(moment: &Moment) -> Result<Self, String> {
        let (mixture, container) = moment.gas.free()?;
        moment.gas.free_and_equal()?;
        if !container.is_torus() {
            return Err(mark("walls turn the discs back; it needs periodic edges along both axes").to_owned());
        }
        if !moment.gas.is_elastic() {
            return Err(mark("the gas cools; set collision.restitution to 1").to_owned());
        }
        let rate = mixture.collision_rate(container.area()) * moment.kt.sqrt();
        if !(rate > 0.0) {
            return Err(mark("it needs at least two moving discs").to_owned());
        }
        let per_tick = rate * moment.time_step();
        if per_tick > LONGEST_TICK {
            return Err(format!("a disc has {per_tick:.1} hits in a tick; raise pace.tick_rate for at most one"));
        }
        let lag_ticks = ((LAG / per_tick).round() as u64).max(1);
        let discs = &moment.space.discs;
        let stride = discs.len().div_ceil(MOST);
        let positions: Vec<Vec2> = discs.position.iter().copied().step_by(stride).collect();
        Ok(Self {
            rate,
            lag: lag_ticks as f64 * moment.time_step(),
            lag_ticks,
            stride,
            displacements: vec![DVec2::ZERO; positions.len()],
            positions,
            starts: VecDeque::with_capacity(LAGS + 1),
        })
    }

    /// Follows the discs through a tick. After each lag it calls `pair` with the number of lags, from 0, and the
    /// displacement, velocity before and velocity after of each disc.
    pub(super) fn follow(&mut self, moment: &Moment, mut pair: impl FnMut(usize, DVec2, DVec2, DVec2)) {
        let discs = &moment.space.discs;
        let drift = moment.drift * moment.time_step();
        let now = discs.position.iter().step_by(self.stride);
        for ((before, now), displacement) in self.positions.iter_mut().zip(now).zip(&mut self.displacements) {
            *displacement += moment.space.difference(*before, *now).as_dvec2() - drift;
            *before = *now;
        }
        if !moment.ticks.is_multiple_of(self.lag_ticks) {
            return;
        }
        self.starts.truncate(LAGS);
        let velocities = discs.velocity.iter().step_by(self.stride).map(|v| v.as_dvec2() - moment.drift).collect();
        self.starts.push_front(State { displacements: self.displacements.clone(), velocities });
        let current = &self.starts[0];
        for (lags, start) in self.starts.iter().enumerate() {
            for i in 0..self.positions.len() {
                let displacement = current.displacements[i] - start.displacements[i];
                pair(lags, displacement, start.velocities[i], current.velocities[i]);
            }
        }
    }

    /// The mean number of hits after some lags, by the rate of the theory at the mean temperature.
    pub(super) fn hits_after(&self, lags: usize, averages: &Averages, kt_at_start: f64) -> f64 {
        self.rate * averages.root_kt / kt_at_start.sqrt() * self.lag * lags as f64
    }
}
