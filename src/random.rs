//! Random numbers that are the same on every platform and with every version of the crates below.

use bevy::{math::ops, prelude::*};
use rand::Rng;
use rand_pcg::Pcg32;

/// A stream of random numbers determined by a seed: PCG-32 (O'Neill 2014). The conversion to floats is defined here,
/// because a library might change its own.
#[derive(Clone, Debug)]
pub struct Random(Pcg32);

impl Random {
    /// The stream for this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        // The stream number is that of the PCG reference code.
        Self(Pcg32::new(seed, 0x0a02_bdbf_7bb3_c0a7))
    }

    /// Uniform in `0..1`, in steps of 2^-24, all of which `f32` represents exactly.
    pub fn unit(&mut self) -> f32 {
        (self.0.next_u32() >> 8) as f32 / 16_777_216.0
    }

    /// A random index: uniform in `0..count`. It is 0 if `count` is 0. It always takes one number from the stream.
    pub fn below(&mut self, count: usize) -> usize {
        ((self.unit() * count as f32) as usize).min(count.saturating_sub(1))
    }

    /// Uniform between two values.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// Uniform in the rectangle between two corners.
    pub fn within(&mut self, low: Vec2, high: Vec2) -> Vec2 {
        let x = self.between(low.x, high.x);
        Vec2::new(x, self.between(low.y, high.y))
    }

    /// Two independent normal values with mean 0 and standard deviation 1 (Box and Muller 1958).
    pub fn normal(&mut self) -> Vec2 {
        // 1 - unit is in (0, 1], so the logarithm is finite.
        let length = (-2.0 * ops::ln(1.0 - self.unit())).sqrt();
        self.direction() * length
    }

    /// A vector of length 1 in a random direction.
    pub fn direction(&mut self) -> Vec2 {
        let (sin, cos) = ops::sin_cos(std::f32::consts::TAU * self.unit());
        Vec2::new(cos, sin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_uniform_and_normals_are_normal() {
        let mut random = Random::new(7);
        let count = 20_000;
        let mean = (0..count).map(|_| f64::from(random.unit())).sum::<f64>() / f64::from(count);
        // The mean of 20,000 has a standard deviation of 0.002: five of them.
        assert!((mean - 0.5).abs() < 0.01, "{mean}");
        let normals: Vec<Vec2> = (0..count).map(|_| random.normal()).collect();
        let square = normals.iter().map(|v| f64::from(v.length_squared())).sum::<f64>() / f64::from(count);
        assert!((square - 2.0).abs() < 0.07, "{square}");
        assert!(normals.iter().all(|v| v.is_finite()));
    }

    #[test]
    fn an_index_is_in_range_favours_none_and_takes_one_number() {
        let mut random = Random::new(3);
        let mut counts = [0; 7];
        for _ in 0..7000 {
            counts[random.below(7)] += 1;
        }
        // 1000 each, with a deviation of 29: five of them.
        assert!(counts.iter().all(|count| (855..1145).contains(count)), "{counts:?}");
        let mut other = random.clone();
        assert_eq!((random.below(0), random.below(1)), (0, 0));
        let _ = [other.unit(), other.unit()];
        assert_eq!(random.unit().to_bits(), other.unit().to_bits());
    }

    #[test]
    fn a_seed_fixes_the_stream_to_the_bit() {
        let mut random = Random::new(42);
        let bits: Vec<u32> = (0..3).map(|_| random.unit().to_bits()).collect();
        let mut again = Random::new(42);
        assert_eq!(bits, (0..3).map(|_| again.unit().to_bits()).collect::<Vec<_>>());
        assert_ne!(Random::new(43).unit().to_bits(), bits[0]);
    }
}
