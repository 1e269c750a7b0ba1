//! The quantities of the laboratory against published and computed values of hard discs, in both modes.
//!
//! The gases have discs of diameter 1 and mass 1 m and kg, with kT = 1 J, so values have no other scale. Check values
//! are closed forms (Henderson, Enskog, Maxwell, Haff), or come from an independent event-driven program in f64 with
//! 1024 discs and nine million collisions per density. Tolerances are four standard errors by the laboratory's own
//! estimate, plus what is said at each test.

use std::f64::consts::PI;

use bevy::{math::ops::sqrt, prelude::*};
use carom::{
    collision::{CollisionSettings, DiscState, Periodic, PhysicsSpace, SolverMode, run_tick},
    laboratory::{Estimate, Laboratory, Measured, Reading, quantity},
    motion::gravity,
    prelude::*,
    random::Random,
};

use crate::support;

const RADIUS: f32 = 0.5;

/// A gas to measure.
#[derive(Clone)]
struct Scene {
    columns: usize,
    eta: f64,
    /// Whether the edges are periodic; otherwise there are walls.
    is_periodic: bool,
    settings: CollisionSettings,
    /// Seconds.
    time_step: f32,
    gravity: Vec2,
    mass: fn(usize) -> f32,
}

impl Scene {
    fn periodic(columns: usize, eta: f64, mode: SolverMode, time_step: f32) -> Self {
        let settings = CollisionSettings { mode, ..CollisionSettings::default() };
        Self { columns, eta, is_periodic: true, settings, time_step, gravity: Vec2::ZERO, mass: |_| 1.0 }
    }

    fn side(&self) -> f64 {
        let count = (self.columns * self.columns) as f64;
        (count * PI / 4.0 / self.eta).sqrt()
    }

    /// The discs at rest positions of a lattice with random velocities. In a periodic cell without drift.
    fn space(&self, seed: u64) -> PhysicsSpace {
        let mut random = Random::new(seed);
        let (columns, count, side) = (self.columns, self.columns * self.columns, self.side() as f32);
        let mut velocities: Vec<Vec2> = (0..count).map(|i| random.normal() / sqrt((self.mass)(i))).collect();
        let masses: f32 = (0..count).map(self.mass).sum();
        let momentum: Vec2 = velocities.iter().enumerate().map(|(i, &velocity)| velocity * (self.mass)(i)).sum();
        if self.is_periodic {
            velocities.iter_mut().for_each(|velocity| *velocity -= momentum / masses);
        }
        let energy: f32 = velocities.iter().enumerate().map(|(i, v)| 0.5 * (self.mass)(i) * v.length_squared()).sum();
        let degrees = if self.is_periodic { count - 1 } else { count } as f32;
        // Exactly kT = 1.
        velocities.iter_mut().for_each(|velocity| *velocity *= sqrt(degrees / energy));
        // Centres reach up to a radius from the walls.
        let pitch = if self.is_periodic { side } else { side - 1.0 } / columns as f32;
        let discs = (0..count).map(|i| DiscState {
            position: (Vec2::new((i % columns) as f32, (i / columns) as f32) + 0.5 - 0.5 * columns as f32) * pitch,
            velocity: velocities[i],
            radius: RADIUS,
            mass: (self.mass)(i),
            ..DiscState::default()
        });
        let arena = Terrain::Arena { half_size: Vec2::splat(0.5 * side) };
        let terrain = [(arena, Vec2::ZERO, 0.0)];
        support::space(discs, if self.is_periodic { &[] } else { &terrain })
    }

    fn settings(&self) -> CollisionSettings {
        let half = 0.5 * self.side() as f32;
        let periodic = if self.is_periodic {
            Periodic { x: Some((-half, half)), y: Some((-half, half)) }
        } else {
            Periodic::default()
        };
        CollisionSettings { periodic, ..self.settings.clone() }
    }

    fn run(&self, space: &mut PhysicsSpace, settings: &CollisionSettings, seconds: f32, laboratory: &mut Laboratory) {
        for _ in 0..(seconds / self.time_step).round() as u32 {
            run_tick(space, settings, self.time_step, |space| {
                if self.gravity != Vec2::ZERO {
                    gravity(space, self.gravity);
                }
            });
            laboratory.observe(space);
        }
    }

    /// Measures quantities after a warm-up, seconds.
    fn measure(&self, names: &[&str], warm_up: f32, seconds: f32, seed: u64) -> Vec<Measured> {
        let (mut space, settings, mut laboratory) = (self.space(seed), self.settings(), Laboratory::default());
        self.run(&mut space, &settings, warm_up, &mut laboratory);
        laboratory.start(names.iter().map(|name| quantity(name).expect(name)));
        self.run(&mut space, &settings, seconds, &mut laboratory);
        laboratory.results()
    }
}

fn reading(measured: &Measured) -> &Reading {
    measured.outcome.as_ref().unwrap_or_else(|reason| panic!("{}: {reason}", measured.quantity.name))
}

/// Checks a value against a figure, within four standard errors and a share of the figure.
#[track_caller]
fn check(what: &str, estimate: Estimate, expected: f64, share: f64) {
    let error = estimate.error.unwrap_or_else(|| panic!("{what} has no error"));
    let off = (estimate.value - expected).abs();
    println!("{what}: {:.5} +- {error:.5}, expected {expected:.5}", estimate.value);
    assert!(off < 4.0 * error + share * expected.abs(), "{what}: {estimate:?} instead of {expected}");
    // A large error would pass anything.
    assert!(error < 0.02 * expected.abs(), "{what}: an error of {error} is too large for a test");
}

const FROM_HITS: [&str; 4] = ["compression-factor", "contact-value", "collision-rate", "pressure"];

/// Compression factor, contact value, hits per disc and second, for each area fraction: measured by the other program.
const MEASURED: [(f64, [f64; 3]); 3] =
    [(0.1, [1.2363, 1.1813, 0.5327]), (0.3, [2.0636, 1.7727, 2.3978]), (0.5, [4.1077, 3.1077, 7.0056])];

fn check_hits(scene: &Scene, seconds: f32, share: f64) {
    let (eta, expected) = MEASURED.into_iter().find(|(eta, _)| *eta == scene.eta).expect("it is in the table");
    let results = scene.measure(&FROM_HITS, 0.1 * seconds, seconds, 1);
    for (measured, expected) in results.iter().zip(expected) {
        check(&format!("{} at {eta}", measured.quantity.name), reading(measured).value, expected, share);
    }
    let pressure = reading(&results[3]).value;
    let count = (scene.columns * scene.columns) as f64;
    // P A = K Z, K = (N - 1) kT.
    let per_factor = (count - 1.0) / (scene.side() * scene.side());
    check("pressure", pressure, expected[0] * per_factor, share);
    // Henderson's Z is good to 0.5 % here.
    let theory = pressure.theory.expect("it is a box");
    assert!((theory / (expected[0] * per_factor) - 1.0).abs() < 0.005, "{theory}");
}

#[test]
fn pressure_contact_value_and_hits_are_those_of_hard_discs_in_the_continuous_mode() {
    for (eta, seconds) in [(0.1, 240.0), (0.3, 90.0), (0.5, 30.0)] {
        check_hits(&Scene::periodic(20, eta, SolverMode::Continuous, 0.05), seconds, 0.0);
    }
}

#[test]
fn pressure_contact_value_and_hits_are_those_of_hard_discs_in_the_stepped_mode() {
    // Hits are late by half a tick on average, which costs 1 % here (see `collision`).
    check_hits(&Scene::periodic(16, 0.3, SolverMode::Stepped, 0.002), 60.0, 0.01);
}

#[test]
#[ignore = "takes a minute: cargo test --release --test physics laboratory -- --ignored"]
fn the_long_run_agrees_with_the_other_program_to_three_parts_in_a_thousand() {
    for (eta, seconds) in [(0.1, 6000.0), (0.3, 1500.0), (0.5, 500.0)] {
        let results = Scene::periodic(32, eta, SolverMode::Continuous, 0.05).measure(&FROM_HITS, 20.0, seconds, 2);
        let (_, expected) = MEASURED.into_iter().find(|row| row.0 == eta).expect("it is in the table");
        for (measured, expected) in results.iter().zip(expected) {
            let Estimate { value, .. } = reading(measured).value;
            assert!((value / expected - 1.0).abs() < 0.003, "{} at {eta}: {value}", measured.quantity.name);
        }
    }
}

#[test]
fn the_pressure_on_walls_is_that_of_the_reachable_length() {
    // N = 400 at eta = 0.1: F/L = 0.16057, with F (L - s) 0.2 % over Henderson.
    let scene = |mode, time_step| Scene { is_periodic: false, ..Scene::periodic(20, 0.1, mode, time_step) };
    for (scene, seconds, share) in
        [(scene(SolverMode::Continuous, 0.1), 1000.0, 0.0), (scene(SolverMode::Stepped, 0.01), 200.0, 0.01)]
    {
        assert!((scene.side() - 56.050).abs() < 1e-3);
        let results = scene.measure(&["wall-pressure", "pressure"], 10.0, seconds, 3);
        let walls = reading(&results[0]).value;
        check("wall pressure", walls, 0.16057, share + 0.002);
        assert!((walls.theory.expect("it is a box") / 0.16057 - 1.0).abs() < 0.003, "{walls:?}");
        // The virial of the hits between the discs gives the same.
        check("virial pressure", reading(&results[1]).value, 0.16057, share + 0.002);
    }
}

#[test]
fn speeds_follow_maxwells_law_and_few_discs_follow_theirs() {
    for (columns, eta, expected, share) in [(20, 0.3, 0.36788, 0.003), (3, 0.1, 0.39270, 0.003)] {
        // Nine discs without walls have eight degrees of freedom: (7/8)^7.
        let scene = Scene::periodic(columns, eta, SolverMode::Continuous, 0.1);
        let seconds = if columns == 3 { 4000.0 } else { 150.0 };
        let results = scene.measure(&["speeds"], 10.0, seconds, 4);
        let speeds = reading(&results[0]);
        check("faster than the rms speed", speeds.value, expected, share);
        let theory = speeds.value.theory.expect("it is a box");
        assert!((theory / expected - 1.0).abs() < 0.002, "{theory}");
        if columns == 20 {
            // P(v > 2) = e^-2, and the mean speed is sqrt(pi/2).
            let width = 0.1;
            let above: f64 = speeds.curve.iter().filter(|p| p.x > 2.0).map(|p| p.estimate.value * width).sum();
            assert!((above / 0.13534 - 1.0).abs() < 0.03, "{above}");
            let mean: f64 = speeds.curve.iter().map(|point| point.x * point.estimate.value * width).sum();
            assert!((mean / 1.2533 - 1.0).abs() < 0.005, "{mean}");
        }
        for point in &speeds.curve {
            let theory = point.estimate.theory.expect("it is a box");
            let error = point.estimate.error.expect("the run is long enough");
            let off = (point.estimate.value - theory).abs();
            // Some of 45 points are off by more than three errors.
            assert!(off < 5.0 * error + 0.003, "at {}: {:?}", point.x, point.estimate);
        }
    }
}
