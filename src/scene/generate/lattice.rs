//! Lattice: equal discs in rows and columns, optionally jittered.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Generate, check_count, check_mass, check_speed};
use crate::{
    components::{CollisionLayers, InvalidValue, LIMIT, Radius, check_field},
    random::Random,
    scene::{
        contents::Contents,
        entries::DiscEntry,
        registry::SceneRegistry,
        whole::{read_columns, read_count},
    },
};

/// Equal discs in rows and columns, filled row by row from the lower left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lattice {
    /// Number of discs. Default: 100.
    #[serde(deserialize_with = "read_count")]
    pub count: usize,
    /// Discs per row. Default: 10.
    #[serde(deserialize_with = "read_columns")]
    pub columns: usize,
    /// Position of the first disc before jitter, metres. Default: zero.
    pub first: Vec2,
    /// Distance between the centres of neighbours along x and y, metres. Default: 1.05 each.
    pub spacing: Vec2,
    /// Shift of every second row along x, metres. Default: 0.
    pub odd_row_shift: f32,
    /// Uniform random displacement of each disc, as a fraction of the gap between neighbours, 0 to 1. Default: 0.
    pub jitter: f32,
    /// Radius, metres. Default: 0.5.
    pub radius: f32,
    /// Mass, kilograms. Default: from a density of 1 kg/m².
    pub mass: Option<f32>,
    /// The standard deviation of the components of the velocities (normal distribution), m/s; zero or more. Default: 0.
    pub speed_sigma: f32,
    /// The largest components of a uniform velocity that is added to it, m/s; each zero or more. Default: zero.
    pub speed_range: Vec2,
    /// Whether the discs collide with each other. If not, each is in the layer 1 and does not collide with that layer.
    /// Default: yes.
    pub collide: bool,
    /// The seed of the random numbers. Default: 0.
    pub seed: u64,
}

impl Default for Lattice {
    fn default() -> Self {
        Self {
            count: 100,
            columns: 10,
            first: Vec2::ZERO,
            spacing: Vec2::splat(1.05),
            odd_row_shift: 0.0,
            jitter: 0.0,
            radius: 0.5,
            mass: None,
            speed_sigma: 0.0,
            speed_range: Vec2::ZERO,
            collide: true,
            seed: 0,
        }
    }
}

impl Generate for Lattice {
    fn run(&self, contents: &mut Contents, _: &SceneRegistry) -> Result<(), InvalidValue> {
        check_count(self.count, contents)?;
        check_field("radius", &Radius(self.radius))?;
        check_mass(self.mass)?;
        InvalidValue::check_range("jitter", self.jitter, 0.0..=1.0, "")?;
        InvalidValue::check_coordinates("first", self.first)?;
        InvalidValue::check_coordinates("spacing", self.spacing)?;
        InvalidValue::check_range("odd_row_shift", self.odd_row_shift, -LIMIT..=LIMIT, "m")?;
        check_speed("speed_sigma", self.speed_sigma)?;
        let Vec2 { x, y } = self.speed_range;
        if !((0.0..=LIMIT).contains(&x) && (0.0..=LIMIT).contains(&y)) {
            let range = "set both from 0 to 1e12 m/s; they are the largest speeds along x and along y";
            return Err(InvalidValue::new("speed_range", self.speed_range, range));
        }
        if self.columns == 0 {
            return Err(InvalidValue::new("columns", 0.0_f32, "set it to 1 or more"));
        }
        self.make(contents);
        Ok(())
    }

    fn count_mut(&mut self) -> Option<&mut usize> {
        Some(&mut self.count)
    }

    fn seed_mut(&mut self) -> Option<&mut u64> {
        Some(&mut self.seed)
    }
}

impl Lattice {
    /// Makes the discs. The values must have been checked.
    pub(super) fn make(&self, contents: &mut Contents) {
        let mut random = Random::new(self.seed);
        let reach = (self.spacing - 2.0 * self.radius).max(Vec2::ZERO) * (0.5 * self.jitter);
        for i in 0..self.count {
            let (row, column) = (i / self.columns, i % self.columns);
            let shift = if row % 2 == 1 { self.odd_row_shift } else { 0.0 };
            let place = self.first + Vec2::new(column as f32, row as f32) * self.spacing + Vec2::new(shift, 0.0);
            let disc = DiscEntry {
                position: place + random.within(-reach, reach),
                velocity: random.normal() * self.speed_sigma + random.within(-self.speed_range, self.speed_range),
                radius: self.radius,
                mass: self.mass,
                ..DiscEntry::default()
            };
            let disc = if self.collide { disc } else { disc.with(CollisionLayers::new(1, !1)) };
            contents.discs.push(disc);
        }
    }
}
