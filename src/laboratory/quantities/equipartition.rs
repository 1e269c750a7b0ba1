//! The mean kinetic energy of discs of each mass. In equilibrium it is kT for all masses, less the share
//! `m / (mass of all)` where the momentum is conserved. So it also shows the energy of a single heavy disc among many.

use super::virial;
use crate::{
    laboratory::measurement::{Averages, Curve, Measurement, Moment, Quantity, Value, Values},
    notice::mark,
};

pub const EQUIPARTITION: Quantity = Quantity {
    name: "equipartition",
    title: mark("Equipartition"),
    about: mark("mean kinetic energy of the heaviest discs, as a multiple of that of the lightest"),
    unit: "",
    needs: mark("discs of 2 to 64 masses"),
    curve: Some(Curve { x: mark("mass (kg)"), y: mark("mean kinetic energy (J)") }),
    begin: |moment| {
        let Some(mixture) = &moment.gas.mixture else {
            return Err(mark("there are more than 64 kinds of discs").to_owned());
        };
        let mut masses: Vec<f64> = mixture.species.iter().map(|species| species.mass).collect();
        masses.dedup();
        if masses.len() < 2 {
            return Err(mark("all discs have the same mass").to_owned());
        }
        let theory = moment.gas.smooth().and_then(|_| {
            let is_elastic = moment.gas.is_elastic();
            if is_elastic { Ok(()) } else { Err(mark("hits lose energy, so there is no equilibrium").to_owned()) }
        });
        let shares = masses.iter().map(|&mass| moment.gas.share_of_temperature(mass)).collect();
        Ok(Box::new(Equipartition { masses, shares, no_theory: theory.err() }))
    },
};

struct Equipartition {
    /// The masses, kilograms, from the lightest.
    masses: Vec<f64>,
    /// The energies of the theory, as shares of kT.
    shares: Vec<f64>,
    no_theory: Option<String>,
}

impl Measurement for Equipartition {
    fn terms(&self) -> usize {
        2 * self.masses.len()
    }

    fn add(&mut self, moment: &Moment, sums: &mut [f64]) {
        if !moment.is_sample {
            return;
        }
        let discs = &moment.space.discs;
        for (velocity, &mass) in discs.velocity.iter().zip(&discs.mass) {
            let mass = f64::from(mass);
            let Some(kind) = self.masses.iter().position(|&other| other == mass) else { continue };
            sums[2 * kind] += 1.0;
            sums[2 * kind + 1] += 0.5 * mass * (velocity.as_dvec2() - moment.drift).length_squared();
        }
    }

    fn values(&self, averages: &Averages, sums: &[f64]) -> Result<Values, String> {
        let energy = |kind: usize| sums[2 * kind + 1] / sums[2 * kind];
        let last = self.masses.len() - 1;
        let has_theory = self.no_theory.is_none();
        if !(energy(0) > 0.0) {
            return Err(mark("the discs do not move").to_owned());
        }
        let curve = self.masses.iter().zip(&self.shares).enumerate().map(|(kind, (&mass, share))| {
            (mass, Value { value: energy(kind), theory: has_theory.then_some(share * averages.kt) })
        });
        let theory = has_theory.then(|| self.shares[last] / self.shares[0]);
        Ok(Values { value: Value { value: energy(last) / energy(0), theory }, curve: curve.collect() })
    }

    fn note(&self) -> Option<String> {
        virial::note(self.no_theory.as_ref())
    }
}
