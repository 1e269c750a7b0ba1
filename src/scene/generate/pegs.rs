//! Pegs: round fixed obstacles in rows, as on a Galton board.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::Generate;
use crate::{
    components::{InvalidValue, LIMIT, Terrain},
    scene::{Hex, contents::Contents, entries::TerrainEntry, registry::SceneRegistry},
};

/// The largest number of pegs that one generator makes.
const MAX_PEGS: usize = 10_000;

/// Round pegs in rows, from top to bottom. Each row is centred; every second row is shifted by half a space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pegs {
    /// Number of rows. Default: 12. With `columns`, at most 10,000 pegs.
    pub rows: usize,
    /// Pegs in the first row, and in every second one. The others have one more. Default: 13.
    pub columns: usize,
    /// The centre of the first row, metres. Default: zero.
    pub first: Vec2,
    /// Distance between neighbours in a row and between rows, metres. Default: 1 and 0.866.
    pub spacing: Vec2,
    /// Radius, metres. Default: 0.2.
    pub radius: f32,
    /// Their colour. Default: that of the surroundings.
    pub colour: Option<Hex>,
}

impl Default for Pegs {
    fn default() -> Self {
        Self { rows: 12, columns: 13, first: Vec2::ZERO, spacing: Vec2::new(1.0, 0.866), radius: 0.2, colour: None }
    }
}

impl Generate for Pegs {
    fn run(&self, contents: &mut Contents, _: &SceneRegistry) -> Result<(), InvalidValue> {
        let count = self.rows.saturating_mul(self.columns.saturating_add(1));
        if count > MAX_PEGS {
            let remedy = format!("set fewer, for {MAX_PEGS} pegs at most");
            return Err(InvalidValue::new("rows", self.rows.to_string(), remedy));
        }
        InvalidValue::check_positive("radius", self.radius, "m")?;
        InvalidValue::check_coordinates("first", self.first)?;
        InvalidValue::check_range("spacing.x", self.spacing.x, -LIMIT..=LIMIT, "m")?;
        InvalidValue::check_range("spacing.y", self.spacing.y, -LIMIT..=LIMIT, "m")?;
        for row in 0..self.rows {
            let columns = self.columns + row % 2;
            for column in 0..columns {
                let across = column as f32 - 0.5 * (columns as f32 - 1.0);
                contents.terrain.push(TerrainEntry {
                    position: self.first + Vec2::new(across, -(row as f32)) * self.spacing,
                    colour: self.colour,
                    ..TerrainEntry::new(Terrain::Circle { radius: self.radius })
                });
            }
        }
        Ok(())
    }
}
