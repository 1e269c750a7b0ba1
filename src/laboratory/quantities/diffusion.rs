//! Self-diffusion: the mean square displacement of equal discs. The theory is Enskog's `D = kT / (m nu)` with
//! `4 D / nu (nu t - 1 + exp(-nu t))` for short times.
//!
//! In two dimensions there is no diffusion coefficient for long times: the velocity memory has a tail that makes it
//! grow without bound, though slowly (Alder and Wainwright 1970). So the value is the slope from five to ten hits per
//! disc.

use super::tracks::{LAGS, Tracks};
use crate::{
    laboratory::measurement::{Averages, Curve, Measurement, Moment, Quantity, Value, Values},
    notice::mark,
};

pub const DIFFUSION: Quantity = Quantity {
    name: "diffusion",
    title: mark("Diffusion"),
    about: mark("diffusion coefficient, a quarter of the slope of the mean square displacement from 5 to 10 hits"),
    unit: "m²/s",
    needs: mark("equal elastic discs, periodic along both axes, no gravity"),
    curve: Some(Curve { x: mark("hits per disc"), y: mark("mean square displacement (m²)") }),
    begin: |moment| {
        let tracks = Tracks::begin(moment)?;
        let mass = moment.gas.mass / moment.gas.count as f64;
        let thermal = moment.gas.share_of_temperature(mass) / mass;
        Ok(Box::new(Diffusion { tracks, kt_at_start: moment.kt, thermal }))
    },
};

struct Diffusion {
    tracks: Tracks,
    kt_at_start: f64,
    /// The mean square of a component of the velocity at kT = 1, m²/s².
    thermal: f64,
}

impl Measurement for Diffusion {
    fn terms(&self) -> usize {
        2 * (LAGS + 1)
    }

    fn add(&mut self, moment: &Moment, sums: &mut [f64]) {
        self.tracks.follow(moment, |lags, displacement, _, _| {
            sums[2 * lags] += 1.0;
            sums[2 * lags + 1] += displacement.length_squared();
        });
    }

    fn values(&self, averages: &Averages, sums: &[f64]) -> Result<Values, String> {
        if sums[2 * LAGS] == 0.0 {
            return Err(mark("no disc was followed for ten hits; measure for longer").to_owned());
        }
        let square = |lags: usize| sums[2 * lags + 1] / sums[2 * lags];
        let rate = self.tracks.hits_after(1, averages, self.kt_at_start) / self.tracks.lag;
        let coefficient = self.thermal * averages.kt / rate;
        let curve = (1..=LAGS).map(|lags| {
            let hits = self.tracks.hits_after(lags, averages, self.kt_at_start);
            let theory = 4.0 * coefficient / rate * (hits - 1.0 + libm::exp(-hits));
            (hits, Value { value: square(lags), theory: Some(theory) })
        });
        let half = LAGS / 2;
        let slope = (square(LAGS) - square(half)) / (4.0 * self.tracks.lag * (LAGS - half) as f64);
        Ok(Values { value: Value { value: slope, theory: Some(coefficient) }, curve: curve.collect() })
    }

    fn note(&self) -> Option<String> {
        Some(mark("the theory leaves out the memory of the velocities, which adds 7, 16 and 13 % at area fractions of 0.1, 0.3 and 0.5").to_owned())
    }
}
