//! What a measurement is: it is given each tick, adds to its sums, and turns the sums into values.

use super::gas::Gas;
use crate::collision::{Hit, HitTarget, PhysicsSpace};
use bevy::{math::DVec2, prelude::*};

/// The tick that has just run, as measurements see it.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// The space after the tick, with all of its hits.
    pub space: &'a PhysicsSpace,
    /// The facts that do not change during the measurement.
    pub gas: &'a Gas,
    /// The velocities of the discs before the tick, m/s.
    pub velocities_before: &'a [Vec2],
    /// The seconds since the measurement began, up to the end of this tick.
    pub seconds: f64,
    /// The ticks since the measurement began, with this one.
    pub ticks: u64,
    /// The kinetic energy of the discs relative to `drift`, joules.
    pub energy: f64,
    /// The velocity of the centre of mass where the momentum is conserved, m/s.
    pub drift: DVec2,
    /// The measured temperature as an energy, joules: `energy` per degree of freedom of [`Gas::degrees`].
    pub kt: f64,
    /// Whether to sample positions and velocities: true whenever the discs have moved by a radius on average since the
    /// last sample. Sampling in every tick would cost more and tell nothing new.
    pub is_sample: bool,
}

impl Moment<'_> {
    /// The length of the tick, seconds.
    #[must_use]
    pub fn time_step(&self) -> f64 {
        f64::from(self.space.clock.time_step)
    }

    /// The hits between two discs in this tick, each with both discs.
    pub fn disc_hits(&self) -> impl Iterator<Item = (&Hit, [usize; 2])> {
        self.space.report.hits.iter().filter_map(|hit| match hit.target {
            HitTarget::Disc(other) => Some((hit, [hit.disc as usize, other as usize])),
            HitTarget::Wall(_) | HitTarget::FixedCircle(_) => None,
        })
    }

    /// The hits of discs on terrain in this tick.
    pub fn wall_hits(&self) -> impl Iterator<Item = &Hit> {
        self.space.report.hits.iter().filter(|hit| !matches!(hit.target, HitTarget::Disc(_)))
    }
}

/// Averages over a run or a part of it that theories need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Averages {
    /// The length of the run, seconds.
    pub seconds: f64,
    /// The mean of kT, joules.
    pub kt: f64,
    /// The mean of the square root of kT.
    pub root_kt: f64,
    /// The number of hits between discs.
    pub disc_hits: f64,
}

/// A value and what the theory says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The measured value.
    pub value: f64,
    /// The theory at the measured temperature, if there is one for this scene.
    pub theory: Option<f64>,
}

/// The values of a measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// The single value that stands for the quantity.
    pub value: Value,
    /// The curve, if the quantity has one, as pairs of x and the value there.
    pub curve: Vec<(f64, Value)>,
}

impl Values {
    /// A single value without a curve.
    #[must_use]
    pub fn single(value: f64, theory: Option<f64>) -> Self {
        Self { value: Value { value, theory }, curve: Vec::new() }
    }
}

/// A measurement of one quantity in one run.
pub trait Measurement: Send + Sync + 'static {
    /// The number of sums that it keeps. A measurement with none uses the averages, or keeps all in itself.
    fn terms(&self) -> usize;

    /// Adds the tick to the sums.
    fn add(&mut self, moment: &Moment, sums: &mut [f64]);

    /// The values that follow from sums over a run or over a part of it.
    ///
    /// # Errors
    /// Why there are none yet.
    fn values(&self, averages: &Averages, sums: &[f64]) -> Result<Values, String>;

    /// Whether parts of a run are alike, so that their scatter gives an error. Default: yes.
    fn is_stationary(&self) -> bool {
        true
    }

    /// Whether the state is forgotten by hits between discs, so that a run with few of them is short. Default: yes.
    fn mixes_by_disc_hits(&self) -> bool {
        true
    }

    /// What a reader should know about the values: why there is no theory, or what it leaves out.
    fn note(&self) -> Option<String> {
        None
    }
}

/// A quantity that can be measured. Each is a constant in its own file, and a line in
/// [`QUANTITIES`](super::QUANTITIES).
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    /// Its name, in lower case with dashes.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What its value is, in a few words.
    pub about: &'static str,
    /// The unit of its value; empty for a number without one.
    pub unit: &'static str,
    /// What the scene needs, in a few words.
    pub needs: &'static str,
    /// Its curve, if it has one.
    pub curve: Option<Curve>,
    /// Begins a measurement. It is called before the first tick that is measured, with the state after the tick before.
    ///
    /// # Errors
    /// Why the quantity does not apply to the scene.
    pub begin: fn(&Moment) -> Result<Box<dyn Measurement>, String>,
}

/// The axes of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Curve {
    /// What x is, with its unit.
    pub x: &'static str,
    /// What the value at x is, with its unit.
    pub y: &'static str,
}
