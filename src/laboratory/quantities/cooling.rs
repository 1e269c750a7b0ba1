//! The cooling of a gas whose hits lose energy, from the state at the start of the measurement: Haff's law (1983),
//! `E/E0 = (1 + t/tH)^-2` with `tH = 4 / ((1 - e^2) nu0)` in two dimensions, and against hits per disc
//! `exp(-(1 - e^2) hits / 2)`. It holds while the gas is uniform; later it clusters, and cools more slowly.

use crate::{
    laboratory::measurement::{Averages, Curve, Measurement, Moment, Quantity, Value, Values},
    notice::mark,
};

pub const COOLING: Quantity = Quantity {
    name: "cooling",
    title: mark("Cooling"),
    about: mark("share of the energy that is left after Haff's cooling time"),
    unit: "",
    needs: mark("a box with a restitution below 1 between discs and elastic walls, no gravity"),
    curve: Some(Curve { x: mark("time / Haff's cooling time"), y: mark("energy / energy at the start") }),
    begin: |moment| Ok(Box::new(Cooling::begin(moment, Clock::Time)?)),
};

pub const COOLING_BY_HITS: Quantity = Quantity {
    name: "cooling-by-hits",
    title: mark("Cooling by hits"),
    about: mark("share of the energy that is left after one hit per disc"),
    unit: "",
    needs: mark("a box with a restitution below 1 between discs and elastic walls, no gravity"),
    curve: Some(Curve { x: mark("hits per disc"), y: mark("energy / energy at the start") }),
    begin: |moment| Ok(Box::new(Cooling::begin(moment, Clock::Hits)?)),
};

/// The distance of two points of the curve, and their number without the start.
const STEP: f64 = 0.25;
const POINTS: usize = 24;

/// What x is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Clock {
    /// The time, in units of Haff's cooling time.
    Time,
    /// Hits per disc.
    Hits,
}

struct Cooling {
    clock: Clock,
    /// `1 - e^2`.
    loss: f64,
    /// Haff's cooling time, seconds.
    haff_time: f64,
    /// The energy at the start, joules.
    start: f64,
    hits: f64,
    /// x and the share of the energy after the last tick.
    last: [f64; 2],
    /// The shares at the points reached so far, starting with 1.
    shares: Vec<f64>,
}

impl Cooling {
    fn begin(moment: &Moment, clock: Clock) -> Result<Self, String> {
        let (mixture, container) = moment.gas.free()?;
        let restitution = moment.gas.restitution.unwrap_or(1.0);
        let loss = 1.0 - restitution * restitution;
        if loss == 0.0 {
            return Err(mark("hits lose no energy; set collision.restitution below 1").to_owned());
        }
        if !moment.gas.has_elastic_walls() {
            return Err(mark("the walls take energy too; set collision.terrain_restitution to 1").to_owned());
        }
        let rate = mixture.collision_rate(container.area()) * moment.kt.sqrt();
        if !(rate > 0.0) {
            return Err(mark("it needs at least two moving discs").to_owned());
        }
        let haff_time = 4.0 / (loss * rate);
        let start = moment.energy;
        Ok(Self { clock, loss, haff_time, start, hits: 0.0, last: [0.0, 1.0], shares: vec![1.0] })
    }

    fn theory(&self, x: f64) -> f64 {
        match self.clock {
            Clock::Time => 1.0 / ((1.0 + x) * (1.0 + x)),
            Clock::Hits => libm::exp(-0.5 * self.loss * x),
        }
    }
}

impl Measurement for Cooling {
    fn terms(&self) -> usize {
        0
    }

    fn is_stationary(&self) -> bool {
        false
    }

    fn add(&mut self, moment: &Moment, _: &mut [f64]) {
        self.hits += 2.0 * moment.disc_hits().count() as f64 / moment.gas.count as f64;
        let x = match self.clock {
            Clock::Time => moment.seconds / self.haff_time,
            Clock::Hits => self.hits,
        };
        let ([x_before, before], now) = (self.last, moment.energy / self.start);
        while self.shares.len() <= POINTS {
            let next = self.shares.len() as f64 * STEP;
            if x < next {
                break;
            }
            // Ticks are short, so the curve is straight between them.
            let part = if x > x_before { (next - x_before) / (x - x_before) } else { 1.0 };
            self.shares.push(before + (now - before) * part);
        }
        self.last = [x, now];
    }

    fn values(&self, _: &Averages, _: &[f64]) -> Result<Values, String> {
        let at = |point: usize| Value { value: self.shares[point], theory: Some(self.theory(point as f64 * STEP)) };
        let one = (1.0 / STEP) as usize;
        if self.shares.len() <= one {
            let unit = if self.clock == Clock::Time { "of the cooling time" } else { "hits per disc" };
            return Err(format!("the run reaches {:.2} {unit}; measure until 1", self.last[0]));
        }
        let curve = (0..self.shares.len()).map(|point| (point as f64 * STEP, at(point))).collect();
        Ok(Values { value: at(one), curve })
    }
}
