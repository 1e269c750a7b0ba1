//! Discs that lie on each other in the continuous mode: rows on tilted floors and heaps in a box come to rest, stay where they are, and
//! gain no energy on the way.

use bevy::prelude::*;
use carom::{
    collision::{CollisionSettings, DiscState, Space, measure, run_tick},
    motion::gravity,
    prelude::*,
};

use crate::support::{self, Dice, continuous};

const G: Vec2 = Vec2::new(0.0, -9.81);

/// Kinetic energy and that of height, joules.
fn energy(space: &Space) -> f64 {
    let discs = &space.discs;
    let potential = (0..discs.len()).map(|i| -f64::from(discs.mass[i]) * f64::from(G.dot(discs.position[i])));
    measure::kinetic_energy(discs) + potential.sum::<f64>()
}

/// What a run was like.
#[derive(Debug)]
struct Settled {
    /// The most by which the energy was above what it had been before, as a share of what was lost in all.
    rise: f64,
    /// When all had come to rest for good, seconds; infinite if they never did.
    rested: f64,
    /// How far a disc got in the time that it was watched at rest, radii.
    drift: f32,
    /// The fastest of them at the end, m/s.
    speed: f32,
    worst: (f64, u32, u64, usize),
}

/// Lets discs fall for `settle` seconds, and looks at them for `watch` more.
fn settle(space: &mut Space, settings: &CollisionSettings, hertz: f32, [settle, watch]: [f32; 2]) -> Settled {
    let begin = energy(space);
    let (mut least, mut rise, mut rested) = (begin, 0.0_f64, 0.0);
    let ticks = |seconds: f32| (seconds * hertz) as u32;
    let mut worst = (0.0, 0, 0, 0);
    let mut tick = |space: &mut Space, number: u32| {
        let (b, r) = (energy(space), space.rested);
        run_tick(space, settings, 1.0 / hertz, |space| gravity(space, G));
        let now = energy(space);
        rise = rise.max(now - least);
        if now - b > worst.0 {
            worst = (now - b, number, space.rested - r, space.path_vertices.len());
        }
        least = least.min(now);
        if space.discs.velocity.iter().any(|velocity| *velocity != Vec2::ZERO) {
            rested = f64::from(number + 1) / f64::from(hertz);
        }
    };
    (0..ticks(settle)).for_each(|number| tick(space, number));
    let places = space.discs.position.clone();
    let mut drift = 0.0_f32;
    for number in 0..ticks(watch) {
        tick(space, ticks(settle) + number);
        for i in 0..space.discs.len() {
            drift = drift.max(space.discs.position[i].distance(places[i]) / space.discs.radius[i]);
        }
    }
    let speed = space.discs.velocity.iter().map(|velocity| velocity.length()).fold(0.0, f32::max);
    let rested = if speed > 0.0 { f64::INFINITY } else { rested };
    Settled { rise: rise / (begin - least).max(1e-9), rested, drift, speed, worst }
}

/// A row of discs a little over a floor that is tilted by so many degrees, above a stop.
fn row(count: usize, degrees: f32, masses: [f32; 2], seed: u64) -> Space {
    let turn = Rot2::degrees(degrees);
    let arena = Terrain::Arena { half_size: Vec2::new(20.0, 20.0) };
    let mut dice = Dice(seed);
    let mut x = 0.0;
    let discs: Vec<DiscState> = (0..count)
        .map(|i| {
            let radius = dice.range(0.2, 0.3);
            x += radius * 1.02;
            let position = turn * Vec2::new(x, radius * 1.1);
            x += radius * 1.02;
            DiscState { position, radius, mass: masses[i % 2], ..DiscState::default() }
        })
        .collect();
    support::space(discs, &[(arena, turn * Vec2::splat(20.0), turn.as_radians())])
}

/// A heap of discs over the floor of a box.
fn heap(count: usize, masses: [f32; 2], seed: u64) -> Space {
    let mut dice = Dice(seed);
    let discs: Vec<DiscState> = (0..count)
        .map(|i| {
            let position = Vec2::new((i % 5) as f32 * 0.65 - 1.3, (i / 5) as f32 * 0.65 - 1.5) + dice.vec(0.02);
            DiscState { position, radius: dice.range(0.2, 0.3), mass: masses[i % 2], ..DiscState::default() }
        })
        .collect();
    let arena = Terrain::Arena { half_size: Vec2::new(1.7, 2.0) };
    support::space(discs, &[(arena, Vec2::new(0.0, 0.0), 0.0)])
}

const MASSES: [[f32; 2]; 3] = [[1.0, 1.0], [1.0, 1000.0], [1000.0, 1.0]];

fn damped(e: f32) -> CollisionSettings {
    CollisionSettings { restitution: e, wall_restitution: e, ..continuous() }
}

#[test]
fn sweep() {
    let only: Option<f32> = std::env::var("HZ").ok().and_then(|v| v.parse().ok());
    let kinds = std::env::var("KIND").unwrap_or_default();
    let [settle_time, watch] = [40.0, 60.0];
    for hertz in [30.0, 60.0, 240.0] {
        if only.is_some_and(|only| only != hertz) {
            continue;
        }
        for e in [0.0, 0.3, 0.6, 0.9] {
            if std::env::var("E").is_ok_and(|v| v.parse() != Ok(e)) { continue; }
            for masses in &MASSES[..] {
                if !kinds.contains("heap") {
                    for count in [2, 3, 5, 10, 20] {
                        for degrees in [0.5, 3.0, 20.0, 60.0] {
                            let mut space = row(count, degrees, *masses, count as u64);
                            let start = std::time::Instant::now();
                            let got = settle(&mut space, &damped(e), hertz, [settle_time, watch]);
                            let us = start.elapsed().as_secs_f64() * 1e6 / f64::from(100.0 * hertz);
                            println!("row {count} deg {degrees} e {e} m {masses:?} hz {hertz}: {got:?} {us:.1} us");
                        }
                    }
                }
                if !kinds.contains("row") {
                    for count in [3, 8, 15, 30] {
                        let mut space = heap(count, *masses, count as u64);
                        let start = std::time::Instant::now();
                        let got = settle(&mut space, &damped(e), hertz, [settle_time, watch]);
                        let us = start.elapsed().as_secs_f64() * 1e6 / f64::from(100.0 * hertz);
                        println!("heap {count} e {e} m {masses:?} hz {hertz}: {got:?} {us:.1} us");
                    }
                }
            }
        }
    }
}

#[test]
fn one() {
    let mut space = row(10, 60.0, MASSES[0], 10);
    println!("{:?}", settle(&mut space, &damped(0.0), 60.0, [3.0, 0.0]));
}
