//! The compression factor `Z = P A / (N kT)`: how many times the pressure is that of discs without size.

use super::virial;
use crate::{
    laboratory::measurement::{Averages, Measurement, Moment, Quantity, Values},
    notice::mark,
};

pub const COMPRESSION_FACTOR: Quantity = Quantity {
    name: "compression-factor",
    title: mark("Compression factor"),
    about: mark("pressure as a multiple of that of discs without size"),
    unit: "",
    needs: mark("no gravity; for a theory, a box of four walls or periodic edges"),
    curve: None,
    begin: |moment| {
        virial::check(moment)?;
        Ok(Box::new(CompressionFactor { degrees: moment.gas.degrees(), theory: theory(moment) }))
    },
};

/// What Z is in theory.
///
/// # Errors
/// Why there is none.
pub(super) fn theory(moment: &Moment) -> Result<f64, String> {
    let (mixture, container) = moment.gas.free()?;
    let restitution = moment.gas.restitution.ok_or("the restitution differs between discs")?;
    Ok(mixture.compression_factor(container.area(), restitution))
}

struct CompressionFactor {
    degrees: f64,
    theory: Result<f64, String>,
}

impl Measurement for CompressionFactor {
    fn terms(&self) -> usize {
        1
    }

    fn add(&mut self, moment: &Moment, sums: &mut [f64]) {
        sums[0] += virial::of_hits(moment);
    }

    fn values(&self, averages: &Averages, sums: &[f64]) -> Result<Values, String> {
        let factor = virial::compression_factor(sums[0], self.degrees, averages);
        virial::moving(averages)?;
        Ok(Values::single(factor, self.theory.as_ref().ok().copied()))
    }

    fn note(&self) -> Option<String> {
        virial::note(self.theory.as_ref().err())
    }
}
