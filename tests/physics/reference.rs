//! Exact and published results that a gas of discs must show, whoever simulates it. Sources: equilibrium statistical
//! mechanics; the equation of state is Henderson's (1975), the cooling law Haff's (1983), the counts Galperin's (2003).
//!
//! The stepped mode sees a hit up to one substep late, which these tests keep small by short steps; the tolerances are that,
//! the finite number of discs, and the noise of the sample.

use bevy::{
    math::ops::{ln, sin_cos, sqrt},
    prelude::*,
};
use carom::{
    collision::{CollisionSettings, Disc, Space, measure, report::Struck, run_tick},
    prelude::*,
};
use std::f64::consts::PI;

use crate::support::Dice;

const RADIUS: f32 = 0.5;

/// Two independent normal deviates (Box and Muller).
fn normal(dice: &mut Dice) -> Vec2 {
    let (sin, cos) = sin_cos(dice.range(0.0, std::f32::consts::TAU));
    Vec2::new(cos, sin) * sqrt(-2.0 * ln(dice.range(1e-7, 1.0)))
}

/// A gas of `columns`² discs with kT = m = 1 on average, whose centres have an area in which they fill the share `eta`, and
/// the side of that area.
fn gas(columns: usize, eta: f64, mass: impl Fn(usize) -> f32, seed: u64) -> (Space, f64) {
    let mut dice = Dice(seed);
    let count = columns * columns;
    let side = (count as f64 * PI * f64::from(RADIUS).powi(2) / eta).sqrt();
    let cell = side as f32 / columns as f32;
    let mut space = Space::default();
    for i in 0..count {
        let at = Vec2::new((i % columns) as f32, (i / columns) as f32) + 0.5;
        space.bodies.push(Disc {
            id: i as u64,
            position: (at - columns as f32 / 2.0) * cell,
            velocity: normal(&mut dice) / sqrt(mass(i)),
            radius: RADIUS,
            mass: mass(i),
            ..Disc::default()
        });
    }
    // The walls stand one radius outside of what the centres reach.
    let arena = Terrain::Arena { half_size: Vec2::splat(side as f32 / 2.0 + RADIUS) };
    space.add_terrain(Entity::PLACEHOLDER, &arena, Position::default(), Rotation::default(), None);
    space.finish_terrain();
    (space, side)
}

fn run(space: &mut Space, settings: &CollisionSettings, time_step: f32, ticks: usize, mut look: impl FnMut(&Space)) {
    for _ in 0..ticks {
        run_tick(space, settings, time_step, |_| {});
        look(space);
    }
}

/// Mean kinetic energy per disc, which in two dimensions is kT.
fn temperature(space: &Space) -> f64 {
    measure::kinetic_energy(&space.bodies) / space.bodies.len() as f64
}

#[test]
fn pressure_and_collision_rate_are_those_of_a_gas_of_hard_discs() {
    for (mean_eta, columns, time_step, ticks) in [(0.1, 32, 0.002_f32, 60_000), (0.3, 24, 0.001, 48_000)] {
        let (mut space, side) = gas(columns, mean_eta, |_| 1.0, 3);
        let radius = f64::from(RADIUS);
        let settings = CollisionSettings::default();
        run(&mut space, &settings, time_step, 8000, |_| {});

        // Walls order the discs beside them, so only what happens in the middle counts: some 13,000 hits, which leaves 1 %
        // of noise. The step costs 0.5 % more, in proportion to its length (2 % at 0.004 s and eta = 0.3).
        let middle = |p: Vec2| p.abs().max_element() < 0.3 * side as f32;
        let (mut virial, mut pairs, mut inside, mut samples) = (0.0, 0_u64, 0_u64, 0_u64);
        run(&mut space, &settings, time_step, ticks, |space| {
            for hit in space.hits.iter().filter(|hit| matches!(hit.struck, Struck::Disc(_)) && middle(hit.point)) {
                virial += 2.0 * radius * f64::from(hit.impulse);
                pairs += 1;
            }
            if space.tick % 10 == 0 {
                inside += space.bodies.position.iter().filter(|p| middle(**p)).count() as u64;
                samples += 1;
            }
        });
        let time = ticks as f64 * f64::from(time_step);
        let kt = temperature(&space);
        let inside = inside as f64 / samples as f64;
        let density = inside / (0.6 * side).powi(2);
        let eta = density * PI * radius * radius;

        // The virial of the hits gives the pressure: Z = p / (n kT) = 1 + sum(sigma J) / (2 N kT t).
        // Henderson: Z = (1 + eta^2 / 8) / (1 - eta)^2.
        let z = 1.0 + virial / (2.0 * inside * kt * time);
        let henderson = (1.0 + eta * eta / 8.0) / (1.0 - eta).powi(2);
        assert!((z / henderson - 1.0).abs() < 0.03, "eta {eta}: Z = {z} instead of {henderson}");

        // Per disc: 2 n sigma sqrt(pi kT / m) g(sigma).
        let rate = 2.0 * pairs as f64 / (inside * time);
        let contact = (1.0 - 7.0 * eta / 16.0) / (1.0 - eta).powi(2);
        let expected = 2.0 * density * 2.0 * radius * (PI * kt).sqrt() * contact;
        assert!((rate / expected - 1.0).abs() < 0.03, "eta {eta}: {rate} hits a second instead of {expected}");
        println!("eta {eta:.4}: Z {:.4}, rate {:.4} of what is expected", z / henderson, rate / expected);
    }
}

#[test]
fn light_and_heavy_discs_come_to_the_same_mean_energy_and_speeds_to_maxwells_law() {
    let mass = |i: usize| if i.is_multiple_of(2) { 1.0 } else { 5.0 };
    let (mut space, _) = gas(20, 0.3, mass, 5);
    // All of the energy begins in the light ones.
    for i in 0..space.bodies.len() {
        space.bodies.velocity[i] *= if mass(i) == 1.0 { 2.0_f32.sqrt() } else { 0.0 };
    }
    let settings = CollisionSettings::default();
    run(&mut space, &settings, 0.005, 6000, |_| {});
    let (mut energies, mut speed, mut square, mut samples) = ([0.0; 2], 0.0, 0.0, 0.0);
    run(&mut space, &settings, 0.005, 60_000, |space| {
        if space.tick % 100 != 0 {
            return;
        }
        for (velocity, &mass) in space.bodies.velocity.iter().zip(&space.bodies.mass) {
            let squared = f64::from(velocity.length_squared());
            energies[usize::from(mass > 1.0)] += 0.5 * f64::from(mass) * squared;
            if mass == 1.0 {
                speed += squared.sqrt();
                square += squared;
                samples += 1.0;
            }
        }
    });
    // At any moment the energy of 200 discs is 5 % off; it takes them a second or two to forget that, and they are watched
    // for five minutes: 0.6 % of noise on the ratio.
    let ratio = energies[0] / energies[1];
    assert!((ratio - 1.0).abs() < 0.03, "light to heavy {ratio}");
    // Maxwell in two dimensions: mean speed squared over mean square speed is pi / 4.
    let shape = (speed / samples).powi(2) / (square / samples);
    assert!((shape - PI / 4.0).abs() < 0.01, "{shape} instead of {}", PI / 4.0);
}

#[test]
fn an_inelastic_gas_cools_by_haffs_law() {
    // tau is hits per disc: E = E0 exp(-(1 - e^2) tau / 2), as long as the gas stays even.
    for (e, expected) in [(0.8_f32, 0.5827), (0.95, 0.8639)] {
        let mut ratios = 0.0;
        let runs = 8;
        for seed in 0..runs {
            let (mut space, _) = gas(24, 0.2, |_| 1.0, 100 + seed);
            let elastic = CollisionSettings::default();
            run(&mut space, &elastic, 0.005, 1500, |_| {});
            // Energy is 1.4 % too high at this time if the step is four times as long.
            let time_step = 0.00125;
            let before = measure::kinetic_energy(&space.bodies);
            let settings = CollisionSettings { restitution: e, ..elastic };
            let target = 3.0 * space.bodies.len() as f64 / 2.0;
            let mut hits = 0.0;
            while hits < target {
                run(&mut space, &settings, time_step, 1, |space| {
                    hits += space.hits.iter().filter(|hit| matches!(hit.struck, Struck::Disc(_))).count() as f64;
                });
            }
            ratios += measure::kinetic_energy(&space.bodies) / before;
        }
        let ratio = ratios / f64::from(runs as u32);
        // The published scatter of one run is 0.004.
        assert!((ratio - expected).abs() < 0.006, "e = {e}: {ratio} instead of {expected}");
    }
}

#[test]
fn galperins_collisions_spell_pi() {
    // A disc rests before a wall; one of mass 100^d comes in. The hits, counted with those at the wall, are the first d + 1
    // digits of pi.
    for (digits, expected) in [(0, 3), (1, 31), (2, 314)] {
        let mut space = Space::default();
        space.bodies.push(Disc { position: Vec2::new(1.0, 0.0), radius: 0.1, ..Disc::default() });
        space.bodies.push(Disc {
            id: 1,
            position: Vec2::new(3.0, 0.0),
            velocity: Vec2::new(-1.0, 0.0),
            radius: 0.1,
            mass: [1.0, 100.0, 10_000.0][digits],
            ..Disc::default()
        });
        let wall = Terrain::Segment { a: Vec2::new(0.0, -1.0), b: Vec2::new(0.0, 1.0) };
        space.add_terrain(Entity::PLACEHOLDER, &wall, Position::default(), Rotation::default(), None);
        space.finish_terrain();
        run(&mut space, &CollisionSettings::default(), 2e-5, 400_000, |_| {});
        assert_eq!(space.collisions, expected, "mass 100^{digits}");
    }
}
