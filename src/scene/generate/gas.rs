//! Gas: discs in random motion in a square box, a common benchmark of collision engines.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Generate, Lattice, check_count, check_mass, check_speed};
use crate::{
    components::{InvalidValue, Radius, Terrain, check_field},
    scene::{contents::Contents, entries::TerrainEntry, registry::SceneRegistry, whole::read_count},
};

/// A square box around the origin with discs in random motion. Its size follows from the fraction that the discs cover.
///
/// There is one disc in each cell of a lattice, jittered by 0.9 of its slack. Velocities are normally distributed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Gas {
    /// Number of discs. Default: 1000.
    #[serde(deserialize_with = "read_count")]
    pub count: usize,
    /// Radius, metres. Default: 0.5.
    pub radius: f32,
    /// Mass, kilograms. Default: the square of the radius.
    pub mass: Option<f32>,
    /// The fraction of the box that the discs cover, above 0 to 0.75. Default: 0.4.
    pub area_fraction: f32,
    /// The standard deviation of the components of the velocities, m/s; zero or more. Default: 5.
    pub speed_sigma: f32,
    /// The seed of the random numbers. Default: 0.
    pub seed: u64,
}

impl Default for Gas {
    fn default() -> Self {
        Self { count: 1000, radius: 0.5, mass: None, area_fraction: 0.4, speed_sigma: 5.0, seed: 0 }
    }
}

impl Generate for Gas {
    fn run(&self, contents: &mut Contents, _: &SceneRegistry) -> Result<(), InvalidValue> {
        check_count(self.count, contents)?;
        check_field("radius", &Radius(self.radius))?;
        check_mass(self.mass)?;
        check_speed("speed_sigma", self.speed_sigma)?;
        if !(self.area_fraction > 0.0 && self.area_fraction <= 0.75) {
            return Err(InvalidValue::new("area_fraction", self.area_fraction, "set it above 0, up to 0.75"));
        }
        if self.count == 0 {
            return Ok(());
        }
        let count = self.count as f32;
        let columns = count.sqrt().ceil();
        let discs_area = count * std::f32::consts::PI * self.radius * self.radius;
        // Keeps the cells of the lattice larger than a disc.
        let side = (discs_area / self.area_fraction).sqrt().max(2.04 * self.radius * columns);
        let cell = side / columns;
        contents.terrain.push(TerrainEntry::new(Terrain::Arena { half_size: Vec2::splat(0.5 * side) }));
        Lattice {
            count: self.count,
            columns: columns as usize,
            first: Vec2::splat(0.5 * (cell - side)),
            spacing: Vec2::splat(cell),
            jitter: 0.9,
            radius: self.radius,
            mass: Some(self.mass.unwrap_or(self.radius * self.radius)),
            speed_sigma: self.speed_sigma,
            seed: self.seed,
            ..Lattice::default()
        }
        .make(contents);
        Ok(())
    }

    fn count_mut(&mut self) -> Option<&mut usize> {
        Some(&mut self.count)
    }

    fn seed_mut(&mut self) -> Option<&mut u64> {
        Some(&mut self.seed)
    }
}
