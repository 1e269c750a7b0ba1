//! The pressure by the virial theorem: `P A = K + sum(J s) / 2t` over the hits between discs. The theory is Henderson's
//! equation of state, for unlike discs the sum over pairs with the contact values of Jenkins and Mancini.

use super::virial;
use crate::{
    laboratory::measurement::{Averages, Measurement, Moment, Quantity, Values},
    notice::mark,
};

pub const PRESSURE: Quantity = Quantity {
    name: "pressure",
    title: mark("Pressure of hits"),
    about: mark("pressure by the virial of the hits between discs"),
    unit: "N/m",
    needs: mark("a box of four walls or periodic edges, no gravity"),
    curve: None,
    begin: |moment| {
        virial::check(moment)?;
        let Some(container) = moment.gas.container else {
            return Err(mark("it needs a box: four walls or periodic edges, without other terrain").to_owned());
        };
        let per_virial = container.pressure_per_virial(2.0 * moment.gas.mean_radius);
        let factor = super::compression_factor::theory(moment);
        Ok(Box::new(Pressure { degrees: moment.gas.degrees(), per_virial, factor }))
    },
};

struct Pressure {
    degrees: f64,
    per_virial: f64,
    factor: Result<f64, String>,
}

impl Measurement for Pressure {
    fn terms(&self) -> usize {
        1
    }

    fn add(&mut self, moment: &Moment, sums: &mut [f64]) {
        sums[0] += virial::of_hits(moment);
    }

    fn values(&self, averages: &Averages, sums: &[f64]) -> Result<Values, String> {
        let ideal = self.degrees * averages.kt * self.per_virial;
        let factor = virial::compression_factor(sums[0], self.degrees, averages);
        let theory = self.factor.as_ref().ok().map(|factor| ideal * factor);
        virial::moving(averages)?;
        Ok(Values::single(ideal * factor, theory))
    }

    fn note(&self) -> Option<String> {
        virial::note(self.factor.as_ref().err())
    }
}
