//! The heights of discs under gravity. In theory each layer carries the weight of those above, `dP/dy = -m n g` with
//! the pressure `n kT Z` of Henderson at the density there. For a dilute gas this is `exp(-m g y / kT)` with the mean
//! height `kT / mg`. The theory is good where the density changes little over a diameter.

use super::virial;
use crate::laboratory::{
    measurement::{Averages, Curve, Measurement, Moment, Quantity, Value, Values},
    mixture::stiffness,
};
use crate::notice::mark;

/// The width of a bin in scale heights `kT / mg` of the start, and their number.
const BIN: f64 = 0.1;
const BINS: usize = 60;

pub const HEIGHT: Quantity = Quantity {
    name: "height",
    title: mark("Height"),
    about: mark("mean height of the centres above their lowest place"),
    unit: "m",
    needs: mark("equal discs in a box, gravity straight down"),
    curve: Some(Curve { x: mark("height (m)"), y: mark("discs per metre of height, as a share (1/m)") }),
    begin: |moment| {
        let (mixture, container) = moment.gas.smooth()?;
        let species = mixture.single().ok_or("the discs are not equal")?;
        let gravity = moment.gas.gravity;
        if !(gravity.y < 0.0 && gravity.x == 0.0) || container.periodic[1] {
            return Err(mark("it needs gravity straight down onto a floor; set motion.gravity to 0,-9.81").to_owned());
        }
        if !moment.gas.is_elastic() {
            return Err(mark("hits lose energy, so there is no equilibrium; set both restitutions to 1").to_owned());
        }
        if !(moment.kt > 0.0) {
            return Err(mark("the discs do not move").to_owned());
        }
        let room = container.size.y - 2.0 * species.radius;
        let weight = -species.mass * gravity.y;
        let width = container.size.x - if container.periodic[0] { 0.0 } else { 2.0 * species.radius };
        let column = Column {
            weight,
            room,
            per_width: species.count as f64 / width,
            disc: std::f64::consts::PI * species.radius * species.radius,
        };
        if !(room > 0.0 && width > 0.0) {
            return Err(mark("the discs fill the box").to_owned());
        }
        let is_fluid = column.profile(moment.kt).is_some();
        let bin = (BIN * moment.kt / weight).min(room);
        Ok(Box::new(Height { column, lowest: container.low.y + species.radius, bin, is_fluid }))
    },
};

/// A gas over a floor.
#[derive(Clone, Copy, Debug)]
struct Column {
    /// Of a disc, newtons.
    weight: f64,
    /// The range of heights, metres.
    room: f64,
    /// Discs per metre of the floor.
    per_width: f64,
    /// The area of a disc, m².
    disc: f64,
}

/// The steps of the integral over the height.
const STEPS: usize = 600;

impl Column {
    /// The densities at the steps, discs per m², for an area fraction at the floor.
    fn densities(&self, kt: f64, floor: f64) -> Vec<f64> {
        let step = self.step(kt);
        let mut eta = floor;
        let slope = |eta: f64| -self.weight / kt * eta / stiffness(eta);
        (0..=STEPS)
            .map(|_| {
                let now = eta;
                // The midpoint method.
                eta += step * slope((eta + 0.5 * step * slope(eta)).max(0.0));
                eta = eta.max(0.0);
                now / self.disc
            })
            .collect()
    }

    /// The length of a step, metres. Forty scale heights of a dilute gas hold all but the last of 10^17 discs; a dense
    /// one needs more.
    fn step(&self, kt: f64) -> f64 {
        let dense = self.per_width * self.disc / 0.5;
        self.room.min(40.0 * kt / self.weight + dense) / STEPS as f64
    }

    /// The densities at the steps, if a fluid can carry itself.
    fn profile(&self, kt: f64) -> Option<Vec<f64>> {
        let step = self.step(kt);
        let held = |densities: &[f64]| integral(densities, step, |_| 1.0);
        let (mut low, mut high) = (0.0, 0.7);
        if held(&self.densities(kt, high)) < self.per_width {
            return None;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if held(&self.densities(kt, middle)) < self.per_width { low = middle } else { high = middle }
        }
        Some(self.densities(kt, high))
    }

    /// The mean height, metres.
    fn mean_height(&self, kt: f64, densities: &[f64]) -> f64 {
        integral(densities, self.step(kt), |height| height) / self.per_width
    }
}

/// The integral of a density times a function of the height (trapezoids).
fn integral(densities: &[f64], step: f64, weight: impl Fn(f64) -> f64) -> f64 {
    let ends = densities.len() - 1;
    let part = |i: usize| if i == 0 || i == ends { 0.5 } else { 1.0 };
    densities.iter().enumerate().map(|(i, density)| part(i) * density * weight(i as f64 * step) * step).sum()
}

struct Height {
    column: Column,
    /// The lowest place of a centre, metres.
    lowest: f64,
    /// The width of a bin, metres.
    bin: f64,
    /// Whether the gas can carry itself as a fluid at the temperature of the start.
    is_fluid: bool,
}

impl Measurement for Height {
    fn terms(&self) -> usize {
        2 + BINS
    }

    fn add(&mut self, moment: &Moment, sums: &mut [f64]) {
        if !moment.is_sample {
            return;
        }
        for position in &moment.space.discs.position {
            let height = f64::from(position.y) - self.lowest;
            sums[0] += 1.0;
            sums[1] += height;
            if let Some(bin) = sums[2..].get_mut((height.max(0.0) / self.bin) as usize) {
                *bin += 1.0;
            }
        }
    }

    fn values(&self, averages: &Averages, sums: &[f64]) -> Result<Values, String> {
        let samples = sums[0];
        if samples == 0.0 {
            return Err(mark("nothing was sampled; measure for longer").to_owned());
        }
        let profile = self.column.profile(averages.kt);
        let step = self.column.step(averages.kt);
        let bins = BINS.min((self.column.room / self.bin) as usize);
        let curve = (0..bins).map(|bin| {
            let height = (bin as f64 + 0.5) * self.bin;
            let theory = profile.as_ref().map(|densities| {
                let at = height / step;
                let density = |i: usize| densities.get(i).copied().unwrap_or(0.0);
                let (i, part) = (at as usize, at.fract());
                (density(i) * (1.0 - part) + density(i + 1) * part) / self.column.per_width
            });
            (height, Value { value: sums[2 + bin] / samples / self.bin, theory })
        });
        let theory = profile.as_ref().map(|densities| self.column.mean_height(averages.kt, densities));
        Ok(Values { value: Value { value: sums[1] / samples, theory }, curve: curve.collect() })
    }

    fn note(&self) -> Option<String> {
        let reason = mark("the discs are too many to carry themselves as a fluid").to_owned();
        virial::note((!self.is_fluid).then_some(&reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dilute_gas_has_the_barometric_profile() {
        let column = Column { weight: 2.0, room: 1000.0, per_width: 1.0, disc: 1e-6 };
        let kt = 6.0;
        let densities = column.profile(kt).unwrap();
        let mean = column.mean_height(kt, &densities);
        assert!((mean / 3.0 - 1.0).abs() < 2e-3, "{mean} instead of kT/mg = 3");
        let at = (3.0 / column.step(kt)).round();
        let expected = libm::exp(-at * column.step(kt) / 3.0) / 3.0;
        assert!((densities[at as usize] / expected - 1.0).abs() < 5e-3, "{}", densities[at as usize]);
    }

    #[test]
    fn a_low_ceiling_spreads_the_discs_evenly() {
        let column = Column { weight: 1.0, room: 0.01, per_width: 1.0, disc: 1e-6 };
        let mean = column.mean_height(100.0, &column.profile(100.0).unwrap());
        assert!((mean / 0.005 - 1.0).abs() < 1e-3, "{mean}");
    }

    #[test]
    fn a_dense_gas_stands_higher_and_a_heap_has_no_profile() {
        let column = Column { weight: 1.0, room: 1000.0, per_width: 3.0, disc: 0.1 };
        let mean = column.mean_height(1.0, &column.profile(1.0).unwrap());
        assert!(mean > 1.1, "{mean}");
        assert!(Column { disc: 10.0, ..column }.profile(0.01).is_none());
    }
}
