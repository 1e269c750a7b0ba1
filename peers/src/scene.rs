//! Initial states: the same discs for every engine, fixed by a seed.
//!
//! Units are metres, kilograms and seconds; y points up. The masses are the squares of the radii, so that an engine
//! which asks for a density gets [`DENSITY`].

use std::{f64::consts::PI, fmt};

use clap::ValueEnum;
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, Normal};
use rand_pcg::Pcg32;
use serde::{Deserialize, Serialize};

/// Mass per area of a disc whose mass is the square of its radius, kg/m².
pub const DENSITY: f32 = std::f32::consts::FRAC_1_PI;

/// Length of a step, seconds.
pub const TIME_STEP: f32 = 1.0 / 60.0;

/// The share of the box that the discs of the gas and of the mixture cover.
const AREA_FRACTION: f64 = 0.4;
/// Standard deviation of the velocity components of the gas and of the mixture, m/s.
const SPEED_SIGMA: f64 = 5.0;
/// The radius of the discs of the gas and of the pile, metres.
const RADIUS: f64 = 0.5;
/// The smallest and the largest radius of the mixture, metres: the range for which Box2D's tolerances are made.
const MIXED_RADII: (f64, f64) = (0.1, 10.0);
/// From one disc of the pile to the next, metres.
const PILE_SPACING: f64 = 1.05;
const SEED: u64 = 1;

/// The scenes.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scene {
    /// Equal elastic discs in a square box
    Gas,
    /// Equal discs dropped into a box, e = 0.3
    Pile,
    /// Elastic discs whose radii differ by up to 100 : 1
    Radii,
}

impl fmt::Display for Scene {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.pad(match self {
            Self::Gas => "gas",
            Self::Pile => "pile",
            Self::Radii => "radii",
        })
    }
}

/// A disc at the start.
#[derive(Clone, Copy, Debug)]
pub struct Disc {
    /// Centre, metres.
    pub position: [f32; 2],
    /// Velocity, m/s.
    pub velocity: [f32; 2],
    /// Radius, metres.
    pub radius: f32,
}

impl Disc {
    /// Its mass, kilograms.
    pub fn mass(self) -> f32 {
        self.radius * self.radius
    }
}

/// The input of an engine.
#[derive(Clone, Debug)]
pub struct State {
    /// Which scene this is.
    pub scene: Scene,
    /// The discs.
    pub discs: Vec<Disc>,
    /// Half the width and half the height of the box around the origin that contains the discs, metres.
    pub half_size: [f32; 2],
    /// Coefficient of restitution, between discs and at the walls.
    pub restitution: f32,
    /// Acceleration along y, m/s².
    pub gravity: f32,
}

impl State {
    /// The scene with this many discs.
    pub fn new(scene: Scene, count: usize) -> Self {
        match scene {
            Scene::Gas => gas(count),
            Scene::Pile => pile(count),
            Scene::Radii => radii(count),
        }
    }
}

/// One disc in each cell of a square lattice, displaced from the middle by up to 0.9 of its slack.
fn gas(count: usize) -> State {
    let mut random = Pcg32::seed_from_u64(SEED);
    let columns = (count as f64).sqrt().ceil();
    let side = (count as f64 * PI * RADIUS * RADIUS / AREA_FRACTION).sqrt().max(2.04 * RADIUS * columns);
    let cell = side / columns;
    let reach = 0.9 * (0.5 * cell - RADIUS);
    let columns = columns as usize;
    let discs = (0..count)
        .map(|i| {
            let middle = |index: usize| (index as f64 + 0.5) * cell - 0.5 * side;
            let (x, y) = (middle(i % columns), middle(i / columns));
            let position = [x, y].map(|middle| (middle + random.random_range(-reach..=reach)) as f32);
            Disc { position, velocity: thermal(&mut random), radius: RADIUS as f32 }
        })
        .collect();
    let half_size = [0.5 * side as f32; 2];
    State { scene: Scene::Gas, discs, half_size, restitution: 1.0, gravity: 0.0 }
}

/// Rows above the floor, every second one shifted a little, with small sideways speeds.
fn pile(count: usize) -> State {
    let mut random = Pcg32::seed_from_u64(SEED);
    let width = (1.5 * (count as f64).sqrt()).max(1.1 * PILE_SPACING);
    let columns = (width / PILE_SPACING) as usize;
    let height = PILE_SPACING * (count.div_ceil(columns) + 2) as f64;
    let left = -0.5 * (columns - 1) as f64 * PILE_SPACING;
    let discs = (0..count)
        .map(|i| {
            let (row, column) = (i / columns, i % columns);
            let shift = if row % 2 == 1 { 0.02 } else { 0.0 };
            let x = left + column as f64 * PILE_SPACING + shift;
            let y = (row as f64 + 0.5) * PILE_SPACING - 0.5 * height;
            let velocity = [random.random_range(-0.1..=0.1), 0.0];
            Disc { position: [x as f32, y as f32], velocity, radius: RADIUS as f32 }
        })
        .collect();
    let half_size = [0.5 * width as f32, 0.5 * height as f32];
    State { scene: Scene::Pile, discs, half_size, restitution: 0.3, gravity: -10.0 }
}

/// Log-uniform radii; the largest discs first, each at a random place that is still free.
fn radii(count: usize) -> State {
    let mut random = Pcg32::seed_from_u64(SEED);
    let (low, high) = MIXED_RADII;
    let mut radii: Vec<f64> = (0..count).map(|_| low * (high / low).powf(random.random())).collect();
    radii.sort_by(|a, b| b.total_cmp(a));
    let side = (radii.iter().map(|radius| PI * radius * radius).sum::<f64>() / AREA_FRACTION).sqrt();
    let mut taken = Taken::new(side, high);
    for radius in radii {
        let reach = 0.5 * side - radius;
        let place = std::iter::repeat_with(|| [(); 2].map(|()| random.random_range(-reach..=reach)))
            .find(|&centre| taken.is_free(centre, radius))
            .expect("an endless iterator ends only with a find");
        taken.add(place, radius);
    }
    let mut discs: Vec<Disc> = taken
        .discs
        .iter()
        .map(|&(centre, radius)| Disc {
            position: centre.map(|x| x as f32),
            velocity: thermal(&mut random),
            radius: radius as f32,
        })
        .collect();
    // Shuffles the discs, so that no engine gets them sorted by size.
    for last in (1..discs.len()).rev() {
        discs.swap(last, random.random_range(0..=last));
    }
    State { scene: Scene::Radii, discs, half_size: [0.5 * side as f32; 2], restitution: 1.0, gravity: 0.0 }
}

fn thermal(random: &mut Pcg32) -> [f32; 2] {
    let normal = Normal::new(0.0, SPEED_SIGMA).expect("the deviation is finite");
    [(); 2].map(|()| normal.sample(random) as f32)
}

/// The discs placed so far, in cells as wide as the largest disc. So a disc can touch only discs in its cell and the
/// cells around it.
struct Taken {
    discs: Vec<([f64; 2], f64)>,
    cells: Vec<Vec<usize>>,
    columns: usize,
    cell: f64,
    half_side: f64,
}

impl Taken {
    fn new(side: f64, largest: f64) -> Self {
        let columns = ((side / (2.0 * largest)) as usize).max(1);
        let cell = side / columns as f64;
        Self { discs: Vec::new(), cells: vec![Vec::new(); columns * columns], columns, cell, half_side: 0.5 * side }
    }

    fn cell_of(&self, centre: [f64; 2]) -> [usize; 2] {
        centre.map(|x| (((x + self.half_side) / self.cell) as usize).min(self.columns - 1))
    }

    fn is_free(&self, centre: [f64; 2], radius: f64) -> bool {
        let [column, row] = self.cell_of(centre);
        let around = |index: usize| index.saturating_sub(1)..=(index + 1).min(self.columns - 1);
        around(row).flat_map(|row| around(column).map(move |column| row * self.columns + column)).all(|cell| {
            self.cells[cell].iter().all(|&other| {
                let (place, other_radius) = self.discs[other];
                let (x, y) = (place[0] - centre[0], place[1] - centre[1]);
                // A small margin, so that rounding to f32 causes no overlap.
                let reach = (radius + other_radius) * 1.0001;
                x * x + y * y > reach * reach
            })
        })
    }

    fn add(&mut self, centre: [f64; 2], radius: f64) {
        let [column, row] = self.cell_of(centre);
        self.cells[row * self.columns + column].push(self.discs.len());
        self.discs.push((centre, radius));
    }
}
