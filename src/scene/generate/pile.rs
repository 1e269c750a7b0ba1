//! Pile: discs dropped into a box, a common benchmark of collision engines.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Generate, Lattice, check_count, check_mass, check_speed};
use crate::{
    components::{InvalidValue, Radius, Terrain, check_field},
    scene::{contents::Contents, entries::TerrainEntry, registry::SceneRegistry, whole::read_count},
};

/// A box with its floor at y = 0 and rows of discs above it. Every second row is shifted by 0.02 of a diameter, and
/// discs start with small random sideways speeds. The scene sets the gravity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pile {
    /// Number of discs. Default: 1000.
    #[serde(deserialize_with = "read_count")]
    pub count: usize,
    /// Radius, metres. Default: 0.5.
    pub radius: f32,
    /// Mass, kilograms. Default: the square of the radius.
    pub mass: Option<f32>,
    /// The largest sideways speed at the start, m/s; zero or more. Default: 0.1.
    pub speed: f32,
    /// The seed of the random numbers. Default: 0.
    pub seed: u64,
}

impl Default for Pile {
    fn default() -> Self {
        Self { count: 1000, radius: 0.5, mass: None, speed: 0.1, seed: 0 }
    }
}

impl Generate for Pile {
    fn run(&self, contents: &mut Contents, _: &SceneRegistry) -> Result<(), InvalidValue> {
        check_count(self.count, contents)?;
        check_field("radius", &Radius(self.radius))?;
        check_mass(self.mass)?;
        check_speed("speed", self.speed)?;
        if self.count == 0 {
            return Ok(());
        }
        let diameter = 2.0 * self.radius;
        let spacing = 1.05 * diameter;
        let width = (1.5 * (self.count as f32).sqrt() * diameter).max(1.1 * spacing);
        let columns = (width / spacing) as usize;
        let rows = self.count.div_ceil(columns);
        let half_size = Vec2::new(0.5 * width, 0.5 * spacing * (rows as f32 + 2.0));
        contents.terrain.push(TerrainEntry {
            position: Vec2::new(0.0, half_size.y),
            ..TerrainEntry::new(Terrain::Arena { half_size })
        });
        Lattice {
            count: self.count,
            columns,
            // Half of the space that the columns leave free, so that the shifted rows fit too.
            first: Vec2::new(-0.5 * (columns - 1) as f32 * spacing, 0.5 * spacing),
            spacing: Vec2::splat(spacing),
            odd_row_shift: 0.02 * diameter,
            radius: self.radius,
            mass: Some(self.mass.unwrap_or(self.radius * self.radius)),
            speed_range: Vec2::new(self.speed, 0.0),
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
