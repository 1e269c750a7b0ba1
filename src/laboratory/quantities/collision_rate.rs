//! The hits of a disc with other discs per second. The theory is Enskog's, for equal discs
//! `nu = 2 n s sqrt(pi kT / m) g(s)`.

use super::virial;
use crate::{
    laboratory::measurement::{Averages, Measurement, Moment, Quantity, Values},
    notice::mark,
};

pub const COLLISION_RATE: Quantity = Quantity {
    name: "collision-rate",
    title: mark("Collision rate"),
    about: mark("hits with other discs per disc and second"),
    unit: "1/s",
    needs: mark("two or more discs; for a theory, a box without gravity"),
    curve: None,
    begin: |moment| {
        if moment.gas.count < 2 {
            return Err(mark("it needs at least two discs").to_owned());
        }
        let theory = moment.gas.free().map(|(mixture, container)| mixture.collision_rate(container.area()));
        let resting = moment.gas.settings().resting_speed;
        let theory = if resting > 0.0 { Err(format!("hits below {resting} m/s do not count")) } else { theory };
        Ok(Box::new(CollisionRate { count: moment.gas.count as f64, theory }))
    },
};

struct CollisionRate {
    count: f64,
    /// At kT = 1.
    theory: Result<f64, String>,
}

impl Measurement for CollisionRate {
    fn terms(&self) -> usize {
        0
    }

    fn add(&mut self, _: &Moment, _: &mut [f64]) {}

    fn values(&self, averages: &Averages, _: &[f64]) -> Result<Values, String> {
        let rate = 2.0 * averages.disc_hits / (self.count * averages.seconds);
        Ok(Values::single(rate, self.theory.as_ref().ok().map(|theory| theory * averages.root_kt)))
    }

    fn note(&self) -> Option<String> {
        virial::note(self.theory.as_ref().err())
    }
}
