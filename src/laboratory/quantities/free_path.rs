//! The distance that a disc flies from one hit with another disc to its next. The mean is
//! `1 / (2 sqrt(2) n s g)` for equal discs (Maxwell, Enskog). Paths are not exactly exponential, because fast discs fly
//! further: the theory of the curve is the integral over their speeds (Boltzmann), computed here.

use std::f64::consts::PI;

use bevy::math::DVec2;

use crate::{
    laboratory::measurement::{Averages, Curve, Measurement, Moment, Quantity, Value, Values},
    notice::mark,
};

/// The width of a bin of path lengths, in mean free paths of the theory, and their number. Longer paths share the last.
const BIN: f64 = 0.05;
const BINS: usize = 160;

/// The points of the curve, in mean free paths.
const STEP: f64 = 0.25;
const POINTS: usize = 16;

pub const FREE_PATH: Quantity = Quantity {
    name: "free-path",
    title: mark("Free path"),
    about: mark("mean distance between two hits with other discs"),
    unit: "m",
    needs: mark("equal discs in a box, no gravity"),
    curve: Some(Curve { x: mark("path / mean path"), y: mark("share of longer paths") }),
    begin: |moment| {
        let (mixture, container) = moment.gas.free()?;
        moment.gas.free_and_equal()?;
        if moment.gas.count < 2 {
            return Err(mark("it needs at least two discs").to_owned());
        }
        let mean = mixture.mean_speed() / mixture.collision_rate(container.area());
        let count = moment.gas.count;
        Ok(Box::new(FreePath {
            theory: mean,
            curve: (1..=POINTS).map(|point| point as f64 * STEP).zip(longer_paths()).collect(),
            paths: vec![None; count],
            now: vec![0.0; count],
            velocities: Vec::with_capacity(count),
        }))
    },
};

struct FreePath {
    /// The mean free path of the theory, metres.
    theory: f64,
    /// The points of the curve and the theory there.
    curve: Vec<(f64, f64)>,
    /// The path of each disc since its last hit, metres; `None` before its first.
    paths: Vec<Option<f64>>,
    /// The time up to which each path is complete, seconds from the start of the tick.
    now: Vec<f64>,
    /// The velocities at that time, m/s.
    velocities: Vec<DVec2>,
}

impl FreePath {
    /// Extends the path of a disc to a time of the tick. Returns the added length, metres.
    fn fly(&mut self, disc: usize, time: f64) -> f64 {
        let length = self.velocities[disc].length() * (time - self.now[disc]).max(0.0);
        self.now[disc] = time;
        if let Some(path) = &mut self.paths[disc] {
            *path += length;
        }
        length
    }
}

impl Measurement for FreePath {
    fn terms(&self) -> usize {
        // The length of all paths, the number of complete ones, and their histogram.
        2 + BINS
    }

    fn add(&mut self, moment: &Moment, sums: &mut [f64]) {
        let discs = &moment.space.discs;
        self.now.fill(0.0);
        self.velocities.clear();
        self.velocities.extend(moment.velocities_before.iter().map(|velocity| velocity.as_dvec2() - moment.drift));
        for hit in &moment.space.report.hits {
            let time = f64::from(hit.time);
            let push = hit.normal.as_dvec2() * f64::from(hit.impulse);
            let disc = hit.disc as usize;
            let other = match hit.target {
                crate::collision::HitTarget::Disc(other) => Some(other as usize),
                _ => None,
            };
            for (disc, push) in [Some((disc, -push)), other.map(|other| (other, push))].into_iter().flatten() {
                sums[0] += self.fly(disc, time);
                self.velocities[disc] += push / f64::from(discs.mass[disc]);
                if other.is_some()
                    && let Some(path) = self.paths[disc].replace(0.0)
                {
                    sums[1] += 1.0;
                    sums[2 + ((path / self.theory / BIN) as usize).min(BINS - 1)] += 1.0;
                }
            }
        }
        for disc in 0..discs.len() {
            sums[0] += self.fly(disc, moment.time_step());
        }
    }

    fn values(&self, averages: &Averages, sums: &[f64]) -> Result<Values, String> {
        if averages.disc_hits == 0.0 || sums[1] == 0.0 {
            return Err(mark("no disc hit another twice; measure for longer").to_owned());
        }
        let mean = sums[0] / (2.0 * averages.disc_hits);
        let longer = |path: f64| {
            let edge = path / self.theory / BIN;
            let bin = (edge as usize).min(BINS - 1);
            let above: f64 = sums[3 + bin..].iter().sum();
            (above + sums[2 + bin] * (1.0 - (edge - bin as f64)).clamp(0.0, 1.0)) / sums[1]
        };
        let curve = self.curve.iter().map(|&(x, theory)| (x, Value { value: longer(x * mean), theory: Some(theory) }));
        Ok(Values { value: Value { value: mean, theory: Some(self.theory) }, curve: curve.collect() })
    }
}

/// The shares of paths that are longer than each of the [`POINTS`]. A disc of speed v, in thermal speeds, is hit at a
/// rate in proportion to its mean speed relative to the others, h(v). Paths begin at hits, so their speeds have the
/// weight `f(v) h(v)` with Maxwell's f, and a path outlasts the length x with the chance `exp(-h(v) x / v)`.
fn longer_paths() -> [f64; POINTS] {
    const STEPS: usize = 400;
    const FASTEST: f64 = 8.0;
    // The unit of length in which h is the rate: there, the mean path is the mean speed over the mean relative speed.
    let mean = 0.5_f64.sqrt();
    let (mut sums, mut all) = ([0.0; POINTS], 0.0);
    for step in 1..STEPS {
        let v = FASTEST * step as f64 / STEPS as f64;
        let (rate, share) = (relative_speed(v), v * libm::exp(-0.5 * v * v));
        all += share * rate;
        for (point, sum) in sums.iter_mut().enumerate() {
            let length = (point + 1) as f64 * STEP * mean;
            *sum += share * rate * libm::exp(-rate * length / v);
        }
    }
    sums.map(|sum| sum / all)
}

/// The mean speed of a disc of speed `v` relative to others with normally distributed velocities of variance 1 along
/// each axis: the mean of Rice's distribution, with its Bessel functions as integrals over an angle.
fn relative_speed(v: f64) -> f64 {
    const ANGLES: usize = 64;
    let z = 0.25 * v * v;
    let (mut zeroth, mut first) = (0.0, 0.0);
    for step in 0..ANGLES {
        let cos = libm::cos(2.0 * PI * step as f64 / ANGLES as f64);
        let weight = libm::exp(z * (cos - 1.0)) / ANGLES as f64;
        zeroth += weight;
        first += weight * cos;
    }
    (0.5 * PI).sqrt() * ((1.0 + 2.0 * z) * zeroth + 2.0 * z * first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_of_long_paths_are_the_published_ones() {
        let shares = longer_paths();
        assert!((shares[3] - 0.3549).abs() < 1e-4, "longer than the mean: {}", shares[3]);
        assert!((shares[7] - 0.1394).abs() < 1e-4, "longer than twice the mean: {}", shares[7]);
    }

    #[test]
    fn relative_speeds_have_the_known_limits() {
        // At rest it is the mean speed of the others; far above their speeds it is the own speed.
        assert!((relative_speed(0.0) - (0.5 * PI).sqrt()).abs() < 1e-12);
        assert!((relative_speed(8.0) - 8.0 - 1.0 / 16.0).abs() < 1e-3);
    }
}
