//! The pair function of equal discs: how many pairs have a distance, relative to discs that are spread at random. For
//! two discs in an area A, `pairs in a ring / (N (N - 1) / 2) * A / (area of the ring)`.
//!
//! The theory is the first order in the density: `1 + n (2 acos(r/2) - r sqrt(1 - r^2/4)) s^2` for distances r from one
//! to two diameters s. It is shown where it is good to about one percent, up to an area fraction of 0.05.

use std::f64::consts::PI;

use super::virial;
use crate::{
    laboratory::measurement::{Averages, Curve, Measurement, Moment, Quantity, Value, Values},
    notice::mark,
};

/// The width of a bin and the largest distance, in diameters.
const BIN: f64 = 0.02;
const FARTHEST: f64 = 3.0;

/// The largest area fraction for which the first order in the density is shown.
const DILUTE: f64 = 0.05;

pub const PAIR_FUNCTION: Quantity = Quantity {
    name: "pair-function",
    title: mark("Pair function"),
    about: mark("pairs of discs within two diameters, as a multiple of those of discs spread at random"),
    unit: "",
    needs: mark("equal discs, periodic along both axes"),
    curve: Some(Curve { x: mark("distance / diameter"), y: mark("pair function") }),
    begin: |moment| {
        let (species, container) = moment.gas.free_and_equal()?;
        if !container.is_torus() {
            return Err(mark("walls order the discs near them; it needs periodic edges along both axes").to_owned());
        }
        if species.count < 2 {
            return Err(mark("it needs at least two discs").to_owned());
        }
        let diameter = 2.0 * species.radius;
        let farthest = FARTHEST.min(0.5 * container.size.min_element() / diameter);
        let (mixture, _) = moment.gas.free()?;
        let eta = mixture.area_fraction(container.area());
        Ok(Box::new(PairFunction {
            diameter,
            bins: (((farthest - 1.0) / BIN) as usize).max(1),
            size: [container.size.x, container.size.y],
            low: [container.low.x, container.low.y],
            pairs_per_area: 0.5 * species.count as f64 * (species.count as f64 - 1.0) / container.area(),
            density: species.count as f64 / container.area() * diameter * diameter,
            is_dilute: eta <= DILUTE,
        }))
    },
};

struct PairFunction {
    /// Metres.
    diameter: f64,
    bins: usize,
    size: [f64; 2],
    low: [f64; 2],
    /// Pairs per square metre of distance, if spread at random.
    pairs_per_area: f64,
    /// Discs per square of a diameter.
    density: f64,
    is_dilute: bool,
}

/// The first order in the density, `r` in diameters: the area, in squared diameters, in which a third disc would
/// overlap both.
fn shared_area(r: f64) -> f64 {
    if r < 2.0 { 2.0 * libm::acos(0.5 * r) - r * (1.0 - 0.25 * r * r).sqrt() } else { 0.0 }
}

impl PairFunction {
    /// The area of the ring of a bin, m².
    fn ring(&self, bin: usize) -> f64 {
        let [low, high] = [bin, bin + 1].map(|edge| (1.0 + edge as f64 * BIN) * self.diameter);
        PI * (high * high - low * low)
    }

    /// Calls `count` with the distance of every pair that is near enough, in diameters.
    fn for_each_pair(&self, moment: &Moment, mut count: impl FnMut(f64)) {
        let positions = &moment.space.discs.position;
        let reach = (1.0 + self.bins as f64 * BIN) * self.diameter;
        // At least three cells along each axis, so that no neighbour is the same cell twice.
        let cells = self.size.map(|size| (size / reach) as usize);
        let mut distance = |i: usize, j: usize| {
            count(f64::from(moment.space.difference(positions[i], positions[j]).length()) / self.diameter);
        };
        if cells.iter().any(|&cells| cells < 3) {
            (0..positions.len()).for_each(|i| (0..i).for_each(|j| distance(i, j)));
            return;
        }
        // No more cells than discs.
        let most = ((positions.len() as f64).sqrt() as usize).max(3);
        let cells = cells.map(|cells| cells.min(most));
        let cell_of = |at: bevy::math::Vec2| {
            [0, 1].map(|axis| {
                let share = (f64::from(at[axis]) - self.low[axis]) / self.size[axis];
                ((share * cells[axis] as f64) as usize).min(cells[axis] - 1)
            })
        };
        let mut listed = vec![Vec::new(); cells[0] * cells[1]];
        for (i, &at) in positions.iter().enumerate() {
            let [x, y] = cell_of(at);
            listed[y * cells[0] + x].push(i);
        }
        for (i, &at) in positions.iter().enumerate() {
            let [x, y] = cell_of(at);
            for across in 0..3 {
                for up in 0..3 {
                    let column = (x + cells[0] + across - 1) % cells[0];
                    let row = (y + cells[1] + up - 1) % cells[1];
                    listed[row * cells[0] + column].iter().filter(|&&j| j < i).for_each(|&j| distance(i, j));
                }
            }
        }
    }
}

impl Measurement for PairFunction {
    fn terms(&self) -> usize {
        1 + self.bins
    }

    fn add(&mut self, moment: &Moment, sums: &mut [f64]) {
        if !moment.is_sample {
            return;
        }
        sums[0] += 1.0;
        let pairs = &mut sums[1..];
        self.for_each_pair(moment, |distance| {
            // Overlaps by rounding, or of the stepped mode, count as contacts.
            if let Some(bin) = pairs.get_mut(((distance - 1.0).max(0.0) / BIN) as usize) {
                *bin += 1.0;
            }
        });
    }

    fn values(&self, _: &Averages, sums: &[f64]) -> Result<Values, String> {
        let samples = sums[0];
        if samples == 0.0 {
            return Err(mark("nothing was sampled; measure for longer").to_owned());
        }
        let first_order = |bin: usize| 1.0 + self.density * shared_area(1.0 + (bin as f64 + 0.5) * BIN);
        let curve = (0..self.bins).map(|bin| {
            let value = sums[1 + bin] / (samples * self.pairs_per_area * self.ring(bin));
            let theory = self.is_dilute.then(|| first_order(bin));
            (1.0 + (bin as f64 + 0.5) * BIN, Value { value, theory })
        });
        let near = self.bins.min((1.0 / BIN).round() as usize);
        let random = self.pairs_per_area * (0..near).map(|bin| self.ring(bin)).sum::<f64>();
        let expected = self.pairs_per_area * (0..near).map(|bin| self.ring(bin) * first_order(bin)).sum::<f64>();
        let value = sums[1..=near].iter().sum::<f64>() / (samples * random);
        let theory = self.is_dilute.then_some(expected / random);
        Ok(Values { value: Value { value, theory }, curve: curve.collect() })
    }

    fn note(&self) -> Option<String> {
        let reason =
            mark("there is none above an area fraction of 0.05; contact-value has one for the first point").to_owned();
        virial::note((!self.is_dilute).then_some(&reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_disc_near_two_others_is_excluded_from_an_area() {
        assert!((shared_area(1.0) - 1.22837).abs() < 1e-5, "{}", shared_area(1.0));
        assert!((shared_area(1.5) - 0.45331).abs() < 1e-5, "{}", shared_area(1.5));
        assert_eq!(shared_area(2.5), 0.0);
    }
}
