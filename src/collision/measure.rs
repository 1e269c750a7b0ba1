//! Measures of a state: energy, momentum, overlap, and a hash. They read [`Bodies`] and change nothing.

use bevy::math::DVec2;
use xxhash_rust::xxh3::Xxh3Default;

use super::space::{Bodies, Disc, Space};

/// The kinetic energy of all discs in joules, summed in f64.
#[must_use]
pub fn kinetic_energy(bodies: &Bodies) -> f64 {
    bodies.mass.iter().zip(&bodies.velocity).map(|(&m, v)| 0.5 * f64::from(m) * v.as_dvec2().length_squared()).sum()
}

/// The momentum of all discs in kilogram metres per second, summed in f64.
#[must_use]
pub fn momentum(bodies: &Bodies) -> DVec2 {
    bodies.mass.iter().zip(&bodies.velocity).map(|(&m, v)| f64::from(m) * v.as_dvec2()).sum()
}

/// How much discs overlap each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overlap {
    /// The largest overlap of two discs, as a share of the smaller radius.
    pub worst: f32,
    /// The mean over all pairs that overlap, as a share of the smaller radius; 0 if there are none.
    pub mean: f32,
    /// How many pairs overlap.
    pub pairs: usize,
}

/// Measures the overlaps of the present positions. It makes a grid of its own, so it costs about as much as a broad phase.
#[must_use]
pub fn overlap(bodies: &Bodies) -> Overlap {
    let mut space = Space { bodies: bodies.clone(), ..Space::default() };
    // Without movement the candidates are just the pairs that touch.
    space.bodies.velocity.fill(bevy::math::Vec2::ZERO);
    space.settings.substeps = 1;
    super::broad_phase::broad_phase(&mut space);
    let (mut worst, mut sum, mut pairs) = (0.0_f32, 0.0_f64, 0);
    for &[a, b] in &space.pairs {
        let (i, j) = (a as usize, b as usize);
        let sum_of_radii = bodies.radius[i] + bodies.radius[j];
        let depth = sum_of_radii - bodies.position[i].distance(bodies.position[j]);
        if depth > 0.0 {
            let share = depth / bodies.radius[i].min(bodies.radius[j]);
            worst = worst.max(share);
            sum += f64::from(share);
            pairs += 1;
        }
    }
    Overlap { worst, mean: if pairs > 0 { (sum / pairs as f64) as f32 } else { 0.0 }, pairs }
}

/// A 64-bit hash (XXH3) of the state of all discs, in their order: id, position, velocity, radius, mass, to the bit. Two
/// runs with the same hash at every tick are the same run.
#[must_use]
pub fn state_hash(bodies: &Bodies) -> u64 {
    let mut hasher = Xxh3Default::new();
    for i in 0..bodies.len() {
        let Disc { id, position, velocity, radius, mass, .. } = bodies.get(i);
        hasher.update(&id.to_le_bytes());
        for value in [position.x, position.y, velocity.x, velocity.y, radius, mass] {
            hasher.update(&value.to_bits().to_le_bytes());
        }
    }
    hasher.digest()
}
