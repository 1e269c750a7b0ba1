//! The contact value of equal discs, `g(s) = (Z - 1) / (2 eta)`: how much more often two discs touch than if all were
//! spread at random. It is the pair function at a distance of one diameter, by the hits instead of by distances.

use super::virial;
use crate::{
    laboratory::measurement::{Averages, Measurement, Moment, Quantity, Values},
    notice::mark,
};

pub const CONTACT_VALUE: Quantity = Quantity {
    name: "contact-value",
    title: mark("Contact value"),
    about: mark("pair function at contact, by the virial of the hits"),
    unit: "",
    needs: mark("equal elastic discs in a box, no gravity"),
    curve: None,
    begin: |moment| {
        virial::check(moment)?;
        let (species, container) = moment.gas.free_and_equal()?;
        if moment.gas.restitution != Some(1.0) {
            return Err(mark("it needs elastic discs; set collision.restitution to 1").to_owned());
        }
        let (mixture, _) = moment.gas.free()?;
        let theory = mixture.contact_value(&species, &species, container.area());
        let area_fraction = mixture.area_fraction(container.area());
        Ok(Box::new(ContactValue { degrees: moment.gas.degrees(), area_fraction, theory }))
    },
};

struct ContactValue {
    degrees: f64,
    area_fraction: f64,
    theory: f64,
}

impl Measurement for ContactValue {
    fn terms(&self) -> usize {
        1
    }

    fn add(&mut self, moment: &Moment, sums: &mut [f64]) {
        sums[0] += virial::of_hits(moment);
    }

    fn values(&self, averages: &Averages, sums: &[f64]) -> Result<Values, String> {
        let factor = virial::compression_factor(sums[0], self.degrees, averages);
        virial::moving(averages)?;
        Ok(Values::single((factor - 1.0) / (2.0 * self.area_fraction), Some(self.theory)))
    }
}
