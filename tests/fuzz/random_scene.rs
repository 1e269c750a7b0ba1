//! A scene from its number.

use bevy::prelude::*;
use carom::{
    collision::{CollisionSettings, CombineRule, Periodic, SolverMode},
    components::Terrain,
    scene::{DiscEntry, Pace, SceneFile, TerrainEntry},
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::features::{self, Feature};

/// A scene under construction.
pub struct Builder {
    pub rng: Pcg64,
    pub file: SceneFile,
    /// Half of the size of the arena or, with periodic edges, of the cell, metres.
    pub half: Vec2,
    /// The scale of all lengths and speeds, metres.
    pub scale: f32,
    /// Occupied circles: centres and radii, metres.
    taken: Vec<(Vec2, f32)>,
}

/// The number of attempts to place a piece before it is left out.
const TRIES: usize = 40;

impl Builder {
    pub fn range(&mut self, low: f32, high: f32) -> f32 {
        self.rng.random_range(low..high)
    }

    /// A random value with a uniform logarithm.
    pub fn log_range(&mut self, low: f32, high: f32) -> f32 {
        bevy::math::ops::exp(self.rng.random_range(bevy::math::ops::ln(low)..bevy::math::ops::ln(high)))
    }

    pub fn chance(&mut self, share: f64) -> bool {
        self.rng.random_bool(share)
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.rng.random_range(0..from.len())]
    }

    pub fn direction(&mut self) -> Vec2 {
        Vec2::from_angle(self.range(0.0, std::f32::consts::TAU))
    }

    /// A velocity, m/s: often moderate, sometimes zero, sometimes far too fast for the step.
    pub fn velocity(&mut self) -> Vec2 {
        let speed = match self.rng.random_range(0..10) {
            0 => 0.0,
            1 => self.log_range(0.001, 0.1),
            2 => self.log_range(30.0, 300.0),
            _ => self.log_range(0.1, 30.0),
        };
        self.direction() * speed * self.scale
    }

    /// A position at which a circle of this radius is inside and touches no occupied circle.
    pub fn place(&mut self, radius: f32) -> Option<Vec2> {
        let room = self.half - radius * 1.01;
        if room.min_element() <= 0.0 {
            return None;
        }
        for _ in 0..TRIES {
            let at = Vec2::new(self.range(-room.x, room.x), self.range(-room.y, room.y));
            if self.taken.iter().all(|(other, taken)| at.distance(*other) > 1.01 * (radius + taken)) {
                self.taken.push((at, radius));
                return Some(at);
            }
        }
        None
    }

    /// A free id for an entry.
    pub fn id(&self) -> u64 {
        100 + (self.file.discs.len() + self.file.terrain.len() + self.file.pockets.len()) as u64
    }

    /// Adds a disc at a free position, if there is one, and returns its index.
    pub fn disc(&mut self, radius: f32) -> Option<usize> {
        let position = self.place(radius)?;
        let (velocity, id) = (self.velocity(), Some(self.id()));
        self.file.discs.push(DiscEntry { id, position, velocity, radius, ..DiscEntry::default() });
        Some(self.file.discs.len() - 1)
    }

    /// Adds a piece of terrain at a free position, if there is one, and returns its index. `reach` is the radius of its
    /// bounding circle.
    pub fn terrain(&mut self, shape: Terrain, reach: f32) -> Option<usize> {
        let position = self.place(reach)?;
        let (rotation, id) = (self.range(-3.2, 3.2), Some(self.id()));
        self.file.terrain.push(TerrainEntry { id, position, rotation, ..TerrainEntry::new(shape) });
        Some(self.file.terrain.len() - 1)
    }

    /// A shape and the radius of its bounding circle, metres.
    pub fn shape(&mut self) -> (Terrain, f32) {
        let size = self.log_range(0.1, 0.6) * self.scale;
        match self.rng.random_range(0..6) {
            0 => (Terrain::Circle { radius: size }, size),
            1 => {
                let half_size = Vec2::new(size, size * self.range(0.1, 1.0));
                (Terrain::Block { half_size }, half_size.length())
            }
            2 => (Terrain::Segment { a: Vec2::new(-size, 0.0), b: Vec2::new(size, 0.0) }, size),
            3 => {
                let points =
                    vec![Vec2::new(-size, -0.5 * size), Vec2::new(0.0, 0.5 * size), Vec2::new(size, -0.5 * size)];
                (Terrain::Polyline { points }, 1.2 * size)
            }
            _ => (self.polygon(size), size),
        }
    }

    /// A shape with an inside, which can have a mass.
    pub fn solid(&mut self) -> (Terrain, f32) {
        loop {
            let (shape, reach) = self.shape();
            if !matches!(shape, Terrain::Segment { .. } | Terrain::Polyline { .. }) {
                return (shape, reach);
            }
        }
    }

    /// A segment: as a block, a straight rod.
    pub fn rod(&mut self) -> (Terrain, f32) {
        let size = self.log_range(0.05, 0.8) * self.scale;
        (Terrain::Segment { a: Vec2::new(-size, 0.0), b: Vec2::new(size, 0.0) }, size)
    }

    /// A regular polygon, or a star.
    fn polygon(&mut self, size: f32) -> Terrain {
        let corners = self.rng.random_range(3..9);
        let dent = if self.chance(0.25) { self.range(0.4, 0.8) } else { 1.0 };
        let points = (0..2 * corners).filter(|k| dent < 1.0 || k % 2 == 0).map(|k| {
            let share = if k % 2 == 0 { 1.0 } else { dent };
            Vec2::from_angle(std::f32::consts::PI * k as f32 / corners as f32) * size * share
        });
        Terrain::Polygon { points: points.collect() }
    }
}

/// The scene with this number.
pub fn scene(number: u64) -> SceneFile {
    let mut builder = Builder {
        rng: Pcg64::seed_from_u64(number),
        file: SceneFile { title: format!("fuzz {number}"), ..SceneFile::default() },
        half: Vec2::ZERO,
        scale: 1.0,
        taken: Vec::new(),
    };
    let mut features: Vec<Feature> = Vec::new();
    for _ in 0..builder.rng.random_range(1..=3) {
        let feature = builder.pick(&Feature::ALL);
        if !features.contains(&feature) {
            features.push(feature);
        }
    }
    // In the order of the list, because some features build on others.
    features.sort_unstable();
    // Spin and pockets do not support periodic edges.
    if features.contains(&Feature::Periodic) {
        features.retain(|feature| !matches!(feature, Feature::Table | Feature::Spin | Feature::Pockets));
    }
    surroundings(&mut builder, &features);
    settings(&mut builder);
    for &feature in features.iter().filter(|feature| **feature <= Feature::LAST_WITH_A_PLACE) {
        features::add(feature, &mut builder);
    }
    discs(&mut builder);
    for &feature in features.iter().filter(|feature| **feature > Feature::LAST_WITH_A_PLACE) {
        features::add(feature, &mut builder);
    }
    let names: Vec<String> = features.iter().map(|feature| format!("{feature:?}")).collect();
    builder.file.description = names.join(", ");
    builder.file
}

/// An arena around everything, or a periodic cell.
fn surroundings(builder: &mut Builder, features: &[Feature]) {
    builder.scale = builder.pick(&[0.1, 1.0, 1.0, 1.0, 10.0]);
    builder.half = Vec2::new(builder.range(1.5, 5.0), builder.range(1.0, 4.0)) * builder.scale;
    let half = builder.half;
    if features.contains(&Feature::Periodic) {
        let axes = builder.rng.random_range(0..3);
        builder.file.collision.periodic =
            Periodic { x: (axes != 1).then_some((-half.x, half.x)), y: (axes != 0).then_some((-half.y, half.y)) };
        let walls = match axes {
            0 => [-half.y, half.y].map(|y| [Vec2::new(-half.x, y), Vec2::new(half.x, y)]),
            1 => [-half.x, half.x].map(|x| [Vec2::new(x, -half.y), Vec2::new(x, half.y)]),
            _ => return,
        };
        for (id, [a, b]) in (0..).zip(walls) {
            builder.file.terrain.push(TerrainEntry { id: Some(id), ..TerrainEntry::new(Terrain::Segment { a, b }) });
        }
        return;
    }
    let shape = if builder.chance(0.15) {
        builder.half = Vec2::splat(half.min_element() * std::f32::consts::FRAC_1_SQRT_2);
        Terrain::Arc { radius: half.min_element(), start: 0.0, extent: std::f32::consts::TAU }
    } else {
        Terrain::Arena { half_size: half }
    };
    builder.file.terrain.push(TerrainEntry { id: Some(0), ..TerrainEntry::new(shape) });
}

fn settings(builder: &mut Builder) {
    let tick_rate = match builder.rng.random_range(0..6) {
        0 => 10.0,
        1 => 1000.0,
        2 => builder.log_range(10.0, 1000.0),
        3 => 120.0,
        _ => 60.0,
    };
    builder.file.pace = Pace { tick_rate: f64::from(tick_rate), ..Pace::default() };
    builder.file.collision = CollisionSettings {
        mode: builder.pick(&[SolverMode::Stepped, SolverMode::Continuous]),
        substeps: builder.pick(&[1, 1, 2, 3, 4, 6, 8]),
        restitution: builder.pick(&[1.0, 1.0, 0.9, 0.5, 0.0]),
        terrain_restitution: builder.pick(&[1.0, 1.0, 0.8, 0.3, 0.0]),
        push_apart_share: builder.pick(&[1.0, 1.0, 1.0, 0.3]),
        restitution_rule: builder.pick(&[
            CombineRule::Smallest,
            CombineRule::Largest,
            CombineRule::Product,
            CombineRule::Mean,
        ]),
        impact_budget: builder.pick(&[1000, 1000, 1000, 20, 3]),
        ..builder.file.collision.clone()
    };
}

fn discs(builder: &mut Builder) {
    let count = match builder.rng.random_range(0..4) {
        0 => builder.rng.random_range(1..4),
        1 => builder.rng.random_range(12..40),
        _ => builder.rng.random_range(3..14),
    };
    let largest = builder.half.min_element() * builder.log_range(0.02, 0.2);
    let ratio = builder.pick(&[1.0, 1.0, 2.0, 10.0, 1000.0]);
    let heaviest = builder.pick(&[1.0, 1.0, 100.0, 1e6]);
    for _ in 0..count {
        let radius = if ratio > 1.0 { largest / builder.log_range(1.0, ratio) } else { largest };
        let Some(disc) = builder.disc(radius) else { continue };
        if heaviest > 1.0 {
            builder.file.discs[disc].mass = Some(builder.log_range(1.0, heaviest) * 1e-3);
        }
    }
}
