//! The pressure by the impulses on the walls of a box: force per length. In theory `F (L - s) = N kT Z` for the walls
//! at the ends of a length L, as centres reach only `L - s` (virial theorem), with Henderson's Z.

use super::{compression_factor, virial};
use crate::{
    laboratory::measurement::{Averages, Measurement, Moment, Quantity, Values},
    notice::mark,
};

pub const WALL_PRESSURE: Quantity = Quantity {
    name: "wall-pressure",
    title: mark("Pressure on walls"),
    about: mark("pressure by the impulses on the walls"),
    unit: "N/m",
    needs: mark("a box with walls, no gravity"),
    curve: None,
    begin: |moment| {
        virial::check(moment)?;
        let container = moment.gas.container.filter(|container| !container.is_torus());
        let Some(container) = container else {
            return Err(mark("it needs a box with walls, without other terrain").to_owned());
        };
        let theory = compression_factor::theory(moment).and_then(|factor| {
            moment.gas.free_and_equal()?;
            if !moment.gas.has_elastic_walls() {
                return Err(mark("the walls are not elastic").to_owned());
            }
            Ok(factor * moment.gas.degrees() * container.pressure_per_virial(2.0 * moment.gas.mean_radius))
        });
        Ok(Box::new(WallPressure { wall_length: container.wall_length(), theory }))
    },
};

struct WallPressure {
    wall_length: f64,
    /// At kT = 1.
    theory: Result<f64, String>,
}

impl Measurement for WallPressure {
    fn terms(&self) -> usize {
        1
    }

    fn add(&mut self, moment: &Moment, sums: &mut [f64]) {
        sums[0] += moment.wall_hits().map(|hit| f64::from(hit.impulse)).sum::<f64>();
    }

    fn values(&self, averages: &Averages, sums: &[f64]) -> Result<Values, String> {
        let value = sums[0] / (averages.seconds * self.wall_length);
        Ok(Values::single(value, self.theory.as_ref().ok().map(|theory| theory * averages.kt)))
    }

    fn note(&self) -> Option<String> {
        virial::note(self.theory.as_ref().err())
    }
}
