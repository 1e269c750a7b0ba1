//! The velocity memory: the mean of `v(0) v(t)` relative to that of `v^2`, for equal discs. The theory `exp(-nu t)` has
//! the exact initial slope. It leaves out the tail in proportion to `1/t` (Alder and Wainwright 1970).

use super::tracks::{LAGS, Tracks};
use crate::{
    laboratory::measurement::{Averages, Curve, Measurement, Moment, Quantity, Value, Values},
    notice::mark,
};

pub const VELOCITY_MEMORY: Quantity = Quantity {
    name: "velocity-memory",
    title: mark("Velocity memory"),
    about: mark("share of its velocity that a disc keeps after about one hit"),
    unit: "",
    needs: mark("equal elastic discs, periodic along both axes, no gravity"),
    curve: Some(Curve { x: mark("hits per disc"), y: mark("velocity correlation") }),
    begin: |moment| Ok(Box::new(VelocityMemory { tracks: Tracks::begin(moment)?, kt_at_start: moment.kt })),
};

struct VelocityMemory {
    tracks: Tracks,
    kt_at_start: f64,
}

impl Measurement for VelocityMemory {
    fn terms(&self) -> usize {
        2 * (LAGS + 1)
    }

    fn add(&mut self, moment: &Moment, sums: &mut [f64]) {
        self.tracks.follow(moment, |lags, _, before, after| {
            sums[2 * lags] += 1.0;
            sums[2 * lags + 1] += before.dot(after);
        });
    }

    fn values(&self, averages: &Averages, sums: &[f64]) -> Result<Values, String> {
        if sums[2 * LAGS] == 0.0 || sums[1] == 0.0 {
            return Err(mark("no disc was followed for ten hits; measure for longer").to_owned());
        }
        let mean = |lags: usize| sums[2 * lags + 1] / sums[2 * lags];
        let hits = |lags: usize| self.tracks.hits_after(lags, averages, self.kt_at_start);
        let at = |lags: usize| Value { value: mean(lags) / mean(0), theory: Some(libm::exp(-hits(lags))) };
        let about_one = ((1.0 / hits(1)).round() as usize).clamp(1, LAGS);
        Ok(Values { value: at(about_one), curve: (0..=LAGS).map(|lags| (hits(lags), at(lags))).collect() })
    }

    fn note(&self) -> Option<String> {
        Some(mark("the theory leaves out the long tail of dense gases").to_owned())
    }
}
