//! The continuous mode compared with an independent event-driven simulation in f64, and with itself under time
//! reversal.

use bevy::{
    math::{DVec2, ops::powf},
    prelude::*,
};
use carom::{
    collision::{DiscState, PhysicsSpace, run_tick},
    prelude::*,
};

use crate::support::{Dice, continuous, run, space};

const HALF: f32 = 3.0;

const TICK: f32 = 1.0 / 60.0;

/// A disc in f64.
#[derive(Clone, Copy)]
struct Particle {
    at: DVec2,
    velocity: DVec2,
    radius: f64,
    mass: f64,
}

/// The next event: two discs collide, or a disc hits a side of the box along an axis.
enum Event {
    Pair(usize, usize),
    Side(usize, usize),
}

/// Simulates elastic discs in a box for some seconds and returns the number of hits of two discs. Every step searches
/// all discs for the next event and moves all of them.
fn simulate(particles: &mut [Particle], seconds: f64) -> usize {
    let (mut left, mut met) = (seconds, 0);
    loop {
        let (mut first, mut event) = (left, None);
        for i in 0..particles.len() {
            let a = particles[i];
            for axis in 0..2 {
                let room = f64::from(HALF) - a.radius - a.at[axis] * a.velocity[axis].signum();
                let time = (room / a.velocity[axis].abs()).max(0.0);
                if time < first {
                    (first, event) = (time, Some(Event::Side(i, axis)));
                }
            }
            for j in 0..i {
                let b = particles[j];
                let (p, v, sum) = (a.at - b.at, a.velocity - b.velocity, a.radius + b.radius);
                // |p + v t| = sum.
                let (square, half, rest) = (v.dot(v), p.dot(v), p.dot(p) - sum * sum);
                let root = half * half - square * rest;
                if half < 0.0 && root > 0.0 {
                    let time = ((-half - root.sqrt()) / square).max(0.0);
                    if time < first {
                        (first, event) = (time, Some(Event::Pair(i, j)));
                    }
                }
            }
        }
        for particle in &mut *particles {
            particle.at += particle.velocity * first;
        }
        left -= first;
        match event {
            None => return met,
            Some(Event::Side(i, axis)) => particles[i].velocity[axis] *= -1.0,
            Some(Event::Pair(i, j)) => {
                // Centre-of-mass form: in the frame of the centre of mass, the component along the line of centres is
                // reversed.
                let (a, b) = (particles[i], particles[j]);
                let line = (b.at - a.at).normalize();
                let middle = (a.velocity * a.mass + b.velocity * b.mass) / (a.mass + b.mass);
                for k in [i, j] {
                    let along = (particles[k].velocity - middle).dot(line);
                    particles[k].velocity -= line * (2.0 * along);
                }
                met += 1;
            }
        }
    }
}

/// Discs of mixed masses and radii that fill about a quarter of a box.
fn box_of(count: usize, seed: u64) -> PhysicsSpace {
    let mut dice = Dice(seed);
    let typical = HALF / (count as f32).sqrt();
    let mut discs: Vec<DiscState> = Vec::new();
    while discs.len() < count {
        let radius = typical * dice.range(0.45, 0.65);
        let position = dice.vec(HALF - radius - 0.01);
        let velocity = dice.vec(2.0);
        let mass = powf(4.0, dice.range(-1.0, 1.0));
        if discs.iter().all(|other| other.position.distance(position) > other.radius + radius + 0.01) {
            discs.push(DiscState { position, velocity, radius, mass, ..DiscState::default() });
        }
    }
    space(discs, &[(Terrain::Arena { half_size: Vec2::splat(HALF) }, Vec2::ZERO, 0.0)])
}

fn particles(space: &PhysicsSpace) -> Vec<Particle> {
    (0..space.discs.len())
        .map(|i| {
            let DiscState { position, velocity, radius, mass, .. } = space.discs.get(i);
            Particle {
                at: position.as_dvec2(),
                velocity: velocity.as_dvec2(),
                radius: f64::from(radius),
                mass: f64::from(mass),
            }
        })
        .collect()
}

/// The largest distance, metres, between corresponding discs.
fn difference(space: &PhysicsSpace, particles: &[Particle]) -> f64 {
    let pairs = space.discs.position.iter().zip(particles);
    pairs.map(|(p, particle)| p.as_dvec2().distance(particle.at)).fold(0.0, f64::max)
}

#[test]
fn within_a_tick_it_is_where_another_simulation_is_after_many_hits() {
    for (count, seconds, seed) in [(16, 2.4, 1), (24, 2.0, 2), (40, 1.6, 3), (40, 1.6, 4)] {
        let mut space = box_of(count, seed);
        let mut expected = particles(&space);
        let met = simulate(&mut expected, f64::from(seconds));
        run_tick(&mut space, &continuous(), seconds, |_| {});
        let each = 2.0 * met as f64 / count as f64;
        assert!(each > 3.0, "{each} hits per disc");
        // All of the tick is in f64, whose rounding errors grow about tenfold per hit. After ten hits per disc they are
        // still below the rounding of the result to f32.
        let difference = difference(&space, &expected);
        assert!(difference < 1e-6, "{count} discs, {each} hits per disc: off by {difference:e}");
    }
}

#[test]
fn tick_by_tick_it_is_where_another_simulation_is_that_rounds_as_often() {
    for (count, ticks, seed) in [(16, 480, 5), (30, 300, 6), (40, 240, 7)] {
        let mut space = box_of(count, seed);
        let mut expected = particles(&space);
        let time_step = TICK;
        let mut met = 0;
        for _ in 0..ticks {
            met += simulate(&mut expected, f64::from(time_step));
            for particle in &mut expected {
                particle.at = particle.at.as_vec2().as_dvec2();
                particle.velocity = particle.velocity.as_vec2().as_dvec2();
            }
        }
        run(&mut space, &continuous(), time_step, ticks);
        let each = 2.0 * met as f64 / count as f64;
        // Two values that differ by about 1e-16 are rounded to the same f32, except for one in a hundred million. So
        // the two are bit-identical for any duration.
        let difference = difference(&space, &expected);
        assert!(each > 10.0, "{each} hits per disc");
        assert!(difference == 0.0, "{count} discs, {each} hits per disc: off by {difference:e}");
    }
}

#[test]
fn with_all_velocities_turned_around_everything_comes_back() {
    for (time_step, ticks) in [(TICK, 60), (60.0 * TICK, 1)] {
        for seed in 8..12 {
            let mut space = box_of(16, seed);
            let start = particles(&space);
            run(&mut space, &continuous(), time_step, ticks);
            let hits = space.report.collisions;
            for velocity in &mut space.discs.velocity {
                *velocity = -*velocity;
            }
            run(&mut space, &continuous(), time_step, ticks);
            // At the reversal, and possibly after every tick, everything is rounded to f32, 2e-7 m. A few hits per disc
            // later the error is about a hundred times as large.
            let difference = difference(&space, &start);
            assert!(hits > 12 && difference < 1e-4, "{hits} hits, off by {difference:e}");
        }
    }
}
