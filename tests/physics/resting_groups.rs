//! Discs that rest on each other in the continuous mode. Rows on tilted floors and heaps in a box come to rest, stay in
//! place, and gain no energy on the way.

use bevy::{math::ops, prelude::*};
use carom::{
    collision::{CollisionSettings, DiscState, PhysicsSpace, measure, run_tick},
    motion::gravity,
    prelude::*,
};

use crate::support::{self, Dice, continuous};

const G: Vec2 = Vec2::new(0.0, -9.81);

/// Kinetic and potential energy, joules.
fn energy(space: &PhysicsSpace) -> f64 {
    let discs = &space.discs;
    let potential = (0..discs.len()).map(|i| -f64::from(discs.mass[i]) * f64::from(G.dot(discs.position[i])));
    measure::kinetic_energy(discs) + potential.sum::<f64>()
}

/// The result of a run.
#[derive(Debug)]
struct Settled {
    /// The largest rise of the energy above an earlier value, as a share of the total loss.
    rise: f64,
    /// The distance that a disc moved in the time of observation, radii.
    drift: f32,
    /// The fastest at the end, m/s.
    speed: f32,
}

/// Lets discs fall until they are at rest, but no longer than `most` seconds, and observes them for some more.
fn settle(space: &mut PhysicsSpace, settings: &CollisionSettings, hertz: f32, [most, watch]: [f32; 2]) -> Settled {
    let begin = energy(space);
    let (mut least, mut rise) = (begin, 0.0_f64);
    let mut tick = |space: &mut PhysicsSpace| {
        run_tick(space, settings, 1.0 / hertz, |space| gravity(space, G));
        let now = energy(space);
        rise = rise.max(now - least);
        least = least.min(now);
        space.discs.velocity.iter().any(|velocity| *velocity != Vec2::ZERO)
    };
    let mut still = 0.0;
    for _ in 0..(most * hertz) as u32 {
        still = if tick(space) { 0.0 } else { still + 1.0 };
        if still > hertz {
            break;
        }
    }
    let places = space.discs.position.clone();
    let mut drift = 0.0_f32;
    for _ in 0..(watch * hertz) as u32 {
        tick(space);
        for (i, place) in places.iter().enumerate() {
            drift = drift.max(space.discs.position[i].distance(*place) / space.discs.radius[i]);
        }
    }
    let speed = space.discs.velocity.iter().map(|velocity| velocity.length()).fold(0.0, f32::max);
    Settled { rise: rise / (begin - least), drift, speed }
}

/// A row of discs slightly above a floor that is tilted by this many degrees, above a stop.
fn row(count: usize, degrees: f32, masses: [f32; 2], seed: u64) -> PhysicsSpace {
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
fn heap(count: usize, masses: [f32; 2], seed: u64) -> PhysicsSpace {
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
    CollisionSettings { restitution: e, terrain_restitution: e, ..continuous() }
}

/// Checks that they came to rest and gained no energy beyond the rounding of `f32`, which for a row at rest is one per
/// disc and tick.
fn judge(what: &str, got: &Settled) {
    assert!(got.rise < 4e-6, "{what}: {got:?}");
    assert!(got.drift == 0.0 && got.speed == 0.0, "{what}: {got:?}");
}

#[test]
fn a_row_on_a_tilted_floor_comes_to_rest_and_stays() {
    let mut turn = 0;
    for hertz in [30.0, 60.0, 240.0] {
        for e in [0.0, 0.3, 0.6, 0.9] {
            for (degrees, count) in [(0.5, 2), (3.0, 20), (20.0, 3), (60.0, 5)] {
                // Heavy discs throw light ones far up a slight slope.
                let masses = if e < 0.9 && degrees > 10.0 { MASSES[turn % 3] } else { MASSES[0] };
                turn += 1;
                let mut space = row(count, degrees, masses, count as u64);
                let got = settle(&mut space, &damped(e), hertz, [300.0, 5.0]);
                judge(&format!("{count} at {degrees} degrees, e {e}, {masses:?}, {hertz} Hz"), &got);
            }
        }
    }
}

#[test]
fn a_heap_in_a_box_comes_to_rest_and_stays() {
    let mut turn = 0;
    for hertz in [30.0, 60.0, 240.0] {
        for e in [0.0, 0.3, 0.6] {
            for count in [3, 8, 15] {
                let masses = MASSES[turn % 3];
                turn += 1;
                let mut space = heap(count, masses, count as u64);
                let got = settle(&mut space, &damped(e), hertz, [300.0, 5.0]);
                judge(&format!("{count}, e {e}, {masses:?}, {hertz} Hz"), &got);
            }
        }
    }
}

#[test]
#[ignore = "takes minutes: every row and every heap, watched for a minute"]
fn no_row_and_no_heap_gains_energy() {
    for hertz in [30.0, 60.0, 240.0] {
        for (e, masses) in [0.0, 0.3, 0.6, 0.9].into_iter().flat_map(|e| MASSES.map(|masses| (e, masses))) {
            let row = |count: usize, degrees: f32| {
                (format!("{count} at {degrees} degrees"), row(count, degrees, masses, count as u64))
            };
            let rows =
                [2, 3, 5, 10, 20].into_iter().flat_map(|count| [0.5, 3.0, 20.0, 60.0].map(|tilt| row(count, tilt)));
            let heaps = [3, 8, 15, 30].map(|count| (format!("heap of {count}"), heap(count, masses, count as u64)));
            for (name, mut space) in rows.chain(heaps) {
                let got = settle(&mut space, &damped(e), hertz, [600.0, 60.0]);
                let what = format!("{name}, e {e}, {masses:?}, {hertz} Hz");
                assert!(got.rise < 1e-5, "{what}: {got:?}");
                // Nothing slows discs that slide on a level floor, and heavy ones that lose little throw light ones
                // about for minutes.
                if got.drift > 0.0 || got.speed > 0.0 {
                    println!("not at rest after ten minutes: {what}: {got:?}");
                }
            }
        }
    }
}

/// A collapsing heap need not be at rest at once, but every tick of it must end soon: the groups of a tick are solved
/// only up to a limit.
#[test]
fn the_ticks_of_a_collapsing_heap_have_an_end() {
    for (count, resting_speed) in [(100, 0.0), (100, 1.0), (300, 1.0)] {
        let mut space = heap(count, MASSES[0], 5);
        space.clear_terrain();
        let arena = Terrain::Arena { half_size: Vec2::new(1.7, 40.0) };
        let height = Position(Vec2::new(0.0, 38.0));
        space.add_terrain(Entity::PLACEHOLDER, &arena, height, Rotation::default(), None);
        space.finish_terrain();
        let settings = CollisionSettings { resting_speed, ..damped(0.3) };
        let (begin, mut most) = (energy(&space), 0);
        for _ in 0..150 {
            run_tick(&mut space, &settings, 1.0 / 60.0, |space| gravity(space, G));
            most = most.max(space.report.path_vertices.len());
        }
        let lost = begin - energy(&space);
        assert!(lost > 0.1 * begin.abs(), "{count} discs lost {lost} J of {begin} J");
        assert!(most < 2000 * count, "{count} discs turned {most} times in a tick");
    }
}

/// A heavy disc rests on a light one that is wedged in a sharp corner, and on the wall below it. It slides down,
/// whatever the mass of the light one.
#[test]
fn a_heavy_disc_slides_off_a_light_one_in_a_corner() {
    let gravity_there = Vec2::new(-5.726, 8.198);
    for e in [0.0, 0.5] {
        for hertz in [30.0, 60.0, 240.0] {
            let end = |light: f32| {
                let points = vec![Vec2::ZERO, Vec2::new(8.8398, 4.6752), Vec2::new(4.6823, -8.8361)];
                let [wedged, heavy] = [(7.6624, 3.2527, 0.70699, light), (6.2425, 1.7347, 1.37163, 1000.0)].map(
                    |(x, y, radius, mass)| DiscState {
                        position: Vec2::new(x, y),
                        radius,
                        mass,
                        ..DiscState::default()
                    },
                );
                let mut space = support::space([wedged, heavy], &[(Terrain::Polyline { points }, Vec2::ZERO, 0.0)]);
                let mut most = 0;
                for _ in 0..hertz as usize {
                    run_tick(&mut space, &damped(e), 1.0 / hertz, |space| gravity(space, gravity_there));
                    most = most.max(space.report.path_vertices.len());
                }
                assert!(most < 100, "light one of {light} kg, e {e}, {hertz} Hz: {most} times met in a tick");
                assert_eq!(space.report.stopped, 0, "light one of {light} kg, e {e}, {hertz} Hz");
                space.discs.position[1]
            };
            let expected = end(1.0);
            assert!(expected.distance(Vec2::new(6.2425, 1.7347)) > 0.5, "{expected}");
            for light in [1e-2, 1e-3, 1e-4, 1e-6] {
                let at = end(light);
                assert!(at.distance(expected) < 1e-3, "{light} kg, e {e}, {hertz} Hz: at {at} instead of {expected}");
            }
        }
    }
}

/// Contacts of discs with extreme mass ratios give finite numbers and no energy.
#[test]
fn no_ratio_of_masses_makes_energy() {
    let mut dice = Dice(3);
    for turn in 0..300 {
        let half = dice.range(0.1, 1.4);
        let axis = Vec2::from_angle(dice.range(0.0, std::f32::consts::TAU));
        let sides = [half, -half].map(|angle| axis.rotate(Vec2::from_angle(angle)));
        let down = -axis.rotate(Vec2::from_angle(dice.range(-1.6, 1.6))) * 9.81;
        let (radius, big, ratio) = (dice.range(0.2, 0.8), dice.range(0.2, 1.5), ops::powf(10.0, dice.range(0.0, 20.0)));
        let at = axis * (radius / ops::sin(half));
        let heavy = at + axis.rotate(Vec2::from_angle(dice.range(-1.2, 1.2))) * (radius + big);
        if sides.iter().any(|side| side.perp_dot(heavy).abs() < big) {
            continue;
        }
        let points = vec![sides[0] * 40.0, Vec2::ZERO, sides[1] * 40.0];
        let light = DiscState { position: at, radius, mass: 1e6 / ratio, ..DiscState::default() };
        let heavy = DiscState { position: heavy, radius: big, mass: 1e6, ..DiscState::default() };
        let mut space = support::space([light, heavy], &[(Terrain::Polyline { points }, Vec2::ZERO, 0.0)]);
        let energy = |space: &PhysicsSpace| {
            let height = (0..2).map(|i| -f64::from(space.discs.mass[i]) * f64::from(down.dot(space.discs.position[i])));
            (measure::kinetic_energy(&space.discs) + height.sum::<f64>()) / 1e6
        };
        let begin = energy(&space);
        for _ in 0..60 {
            run_tick(&mut space, &damped([0.0, 0.5, 0.9][turn % 3]), 1.0 / 60.0, |space| gravity(space, down));
        }
        let end = energy(&space);
        assert!(end <= begin + 1e-3, "turn {turn}, ratio {ratio}: {begin} to {end} J/kg");
    }
}
