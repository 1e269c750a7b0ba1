//! The distribution of speeds.
//!
//! Each speed is divided by the thermal speed of its disc, so discs of all masses share one law. For an infinite gas it
//! is Maxwell's. For N discs that share an energy, the chance of a disc to have more than the energy `e kT` is `(1 -
//! e/D)^(D-1)`, with D of [`Gas::degrees`](crate::laboratory::Gas::degrees): counting of states at a fixed energy.

use crate::{
    laboratory::measurement::{Averages, Curve, Measurement, Moment, Quantity, Value, Values},
    notice::mark,
};

/// The width of a bin, in thermal speeds, and their number.
const BIN: f64 = 0.1;
const BINS: usize = 45;

pub const SPEEDS: Quantity = Quantity {
    name: "speeds",
    title: mark("Speeds"),
    about: mark("share of discs faster than the root mean square speed"),
    unit: "",
    needs: mark("moving discs"),
    curve: Some(Curve { x: mark("speed / √(kT/m)"), y: mark("probability density") }),
    begin: |moment| {
        let theory = moment.gas.smooth().err();
        Ok(Box::new(Speeds { degrees: moment.gas.degrees(), no_theory: theory }))
    },
};

struct Speeds {
    degrees: f64,
    no_theory: Option<String>,
}

/// The chance to have more than this energy, in kT.
fn share_above(energy: f64, degrees: f64) -> f64 {
    let left = 1.0 - energy / degrees;
    if left > 0.0 { libm::pow(left, degrees - 1.0) } else { 0.0 }
}

impl Measurement for Speeds {
    fn terms(&self) -> usize {
        2 + BINS
    }

    fn add(&mut self, moment: &Moment, sums: &mut [f64]) {
        if !moment.is_sample || !(moment.kt > 0.0) {
            return;
        }
        let discs = &moment.space.discs;
        for (velocity, &mass) in discs.velocity.iter().zip(&discs.mass) {
            let mass = f64::from(mass);
            let thermal = moment.kt * moment.gas.share_of_temperature(mass);
            let speed = ((velocity.as_dvec2() - moment.drift).length_squared() * mass / thermal).sqrt();
            if !speed.is_finite() {
                continue;
            }
            sums[0] += 1.0;
            // The root mean square of two components of 1.
            sums[1] += f64::from(u8::from(speed * speed > 2.0));
            if let Some(bin) = sums[2..].get_mut((speed / BIN) as usize) {
                *bin += 1.0;
            }
        }
    }

    fn values(&self, _: &Averages, sums: &[f64]) -> Result<Values, String> {
        let samples = sums[0];
        if samples == 0.0 {
            return Err(mark("no disc has moved yet; measure for longer").to_owned());
        }
        let has_theory = self.no_theory.is_none();
        let theory = |energy| share_above(energy, self.degrees);
        let curve = sums[2..].iter().enumerate().map(|(bin, count)| {
            let [low, high] = [bin, bin + 1].map(|edge| edge as f64 * BIN);
            let expected = (theory(0.5 * low * low) - theory(0.5 * high * high)) / BIN;
            (0.5 * (low + high), Value { value: count / samples / BIN, theory: has_theory.then_some(expected) })
        });
        let value = Value { value: sums[1] / samples, theory: has_theory.then(|| theory(1.0)) };
        Ok(Values { value, curve: curve.collect() })
    }

    fn note(&self) -> Option<String> {
        self.no_theory.as_ref().map(|reason| format!("no theory: {reason}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_discs_have_fewer_fast_ones_than_maxwells_law() {
        for (discs, expected) in [(10.0, 0.38742), (100.0, 0.36973), (1e9, 0.36788)] {
            let share = share_above(1.0, discs);
            assert!((share - expected).abs() < 1e-5, "{discs}: {share}");
        }
        assert!((share_above(2.0, 1e9) - 0.13534).abs() < 1e-5);
        assert_eq!(share_above(11.0, 10.0), 0.0, "no disc has more than all of the energy");
    }
}
