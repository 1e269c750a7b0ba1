//! Periodic edges: a disc that leaves on one side enters on the opposite side, and everything collides across an edge
//! as it does in the middle.

use bevy::{math::DVec2, prelude::*};
use carom::{
    collision::{
        CollisionSettings, DiscState, Discs, Periodic, PhysicsSpace, SimdLevel, SolverMode, Threads, measure, run_tick,
    },
    motion,
    prelude::*,
};
use proptest::prelude::*;
use std::f64::consts::PI;

use crate::support::{self, Dice, MODES, run};

const TICK: f32 = 1.0 / 64.0;

/// A torus of this width and height about the origin.
fn torus(size: Vec2) -> Periodic {
    Periodic { x: Some((-0.5 * size.x, 0.5 * size.x)), y: Some((-0.5 * size.y, 0.5 * size.y)) }
}

fn settings((mode, substeps): (SolverMode, u32), periodic: Periodic) -> CollisionSettings {
    CollisionSettings { mode, substeps, periodic, ..CollisionSettings::default() }
}

/// A space with periodic edges, including images of terrain.
fn space(discs: impl IntoIterator<Item = DiscState>, terrain: &[(Terrain, Vec2)], periodic: Periodic) -> PhysicsSpace {
    let mut space = PhysicsSpace::default();
    space.laws.settings.periodic = periodic;
    for (id, disc) in discs.into_iter().enumerate() {
        space.discs.push(DiscState { id: id as u64, ..disc });
    }
    for (piece, position) in terrain {
        space.add_terrain(Entity::PLACEHOLDER, piece, Position(*position), Rotation::default(), None);
    }
    space.finish_terrain();
    space
}

fn disc(position: [f32; 2], velocity: [f32; 2]) -> DiscState {
    DiscState { position: position.into(), velocity: velocity.into(), ..DiscState::default() }
}

/// Discs of mixed sizes on a lattice that fills a torus of `columns` squared places 1.25 m apart; and the torus.
fn gas(columns: usize, speed: f32, seed: u64) -> (Vec<DiscState>, Periodic) {
    let (mut dice, side) = (Dice(seed), 1.25 * columns as f32);
    let discs = (0..columns * columns).map(|i| {
        let at = Vec2::new((i % columns) as f32, (i / columns) as f32) * 1.25 - 0.5 * side;
        let (radius, mass) = (dice.range(0.2, 0.5), dice.range(0.3, 3.0));
        DiscState { position: at, velocity: dice.vec(speed), radius, mass, ..DiscState::default() }
    });
    (discs.collect(), torus(Vec2::splat(side)))
}

/// The largest overlap of two discs, as a share of the smaller radius, also across the edges.
fn worst_overlap(space: &PhysicsSpace) -> f32 {
    let Discs { position, radius, .. } = &space.discs;
    let mut worst = 0.0_f32;
    for i in 0..position.len() {
        for j in 0..i {
            let distance = space.difference(position[i], position[j]).length();
            worst = worst.max((radius[i] + radius[j] - distance) / radius[i].min(radius[j]));
        }
    }
    worst
}

fn is_inside(space: &PhysicsSpace, periodic: Periodic) -> bool {
    let within = |ends: Option<(f32, f32)>, at: f32| ends.is_none_or(|(low, high)| (low..=high).contains(&at));
    space.discs.position.iter().all(|at| within(periodic.x, at.x) && within(periodic.y, at.y))
}

#[test]
fn a_pair_that_meets_across_an_edge_resolves_to_the_bit_as_in_the_middle() {
    let pair = [disc([-1.0, 0.0], [3.0, 0.25]), disc([1.0, 0.5], [-2.0, 0.0])];
    let periodic = torus(Vec2::new(16.0, 8.0));
    // Steps that are powers of two round no position.
    for mode in [(SolverMode::Stepped, 1), (SolverMode::Stepped, 4), (SolverMode::Continuous, 1)] {
        let settings = settings(mode, periodic);
        let ends = [Vec2::ZERO, Vec2::new(8.0, 0.0), Vec2::new(0.0, 4.0), Vec2::new(8.0, -4.0)].map(|shift| {
            let moved = pair.map(|disc| DiscState { position: disc.position + shift, ..disc });
            let mut space = space(moved, &[], periodic);
            let mut ticks = 0;
            while space.report.collisions == 0 && ticks < 64 {
                run(&mut space, &settings, TICK, 1);
                ticks += 1;
            }
            assert_eq!(space.report.collisions, 1, "{mode:?}, {shift}");
            (ticks, space.discs.velocity.clone())
        });
        assert!(ends.iter().all(|end| *end == ends[0]), "{mode:?}: {ends:?}");
        assert_ne!(ends[0].1[0], pair[0].velocity);
    }
}

#[test]
fn a_disc_that_leaves_comes_in_on_the_other_side_and_keeps_its_velocity() {
    for mode in MODES {
        for velocity in [[5.0, 0.0], [-5.0, 3.0], [0.0, -400.0], [1.0e4, 2.0e4]] {
            let periodic = torus(Vec2::new(4.0, 6.0));
            let mut space = space([disc([1.5, -2.5], velocity)], &[], periodic);
            let settings = settings(mode, periodic);
            for _ in 0..100 {
                run(&mut space, &settings, TICK, 1);
                assert!(is_inside(&space, periodic), "{mode:?}, {}", space.discs.position[0]);
            }
            assert_eq!(space.discs.velocity[0], Vec2::from(velocity));
            // In the stepped mode the longest path is a quarter of the shortest period per substep.
            let way = Vec2::from(velocity) * TICK * 100.0;
            if mode.0 == SolverMode::Continuous || way.length() < 100.0 {
                let error = space.difference(Vec2::new(1.5, -2.5) + way, space.discs.position[0]).length();
                assert!(error < 1e-5 * (10.0 + way.length()), "{mode:?}, {velocity:?}: {error}");
            }
        }
    }
}

#[test]
fn momentum_and_energy_of_a_gas_without_walls_are_kept() {
    for mode in MODES {
        let (discs, periodic) = gas(8, 3.0, 5);
        let mut space = space(discs, &[], periodic);
        let (energy, momentum) = (measure::kinetic_energy(&space.discs), measure::momentum(&space.discs));
        let settings = settings(mode, periodic);
        run(&mut space, &settings, TICK, 1500);
        assert!(space.report.collisions > 2000, "{mode:?}: {} hits", space.report.collisions);
        let (energy_now, momentum_now) = (measure::kinetic_energy(&space.discs), measure::momentum(&space.discs));
        assert!((energy_now / energy - 1.0).abs() < 2e-5, "{mode:?}: {energy} to {energy_now}");
        assert!(momentum.distance(momentum_now) < 1e-3, "{mode:?}: {momentum} to {momentum_now}");
        assert!(is_inside(&space, periodic));
        if mode.0 == SolverMode::Continuous {
            assert!(worst_overlap(&space) < 2e-4, "{}", worst_overlap(&space));
        }
    }
}

#[test]
fn order_of_spawning_threads_and_simd_change_nothing() {
    for mode in MODES {
        let hashes: Vec<u64> = SimdLevel::available()
            .into_iter()
            .flat_map(|simd| [Threads::Tasks(1), Threads::Tasks(3)].map(|threads| (simd, threads)))
            .map(|(simd, threads)| {
                let (discs, periodic) = gas(12, 4.0, 9);
                let mut space = space(discs, &[(Terrain::Circle { radius: 0.4 }, Vec2::splat(7.4))], periodic);
                (space.compute.simd, space.compute.threads) = (simd, threads);
                run(&mut space, &settings(mode, periodic), TICK, 60);
                measure::state_hash(&space.discs)
            })
            .collect();
        assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{mode:?}");
        let spawned = |reversed: bool| {
            let mut app = support::app_in(mode);
            let (mut discs, periodic) = gas(6, 4.0, 9);
            support::settings(&mut app, |settings| settings.periodic = periodic);
            discs.iter_mut().zip(0..).for_each(|(disc, id)| disc.id = id);
            if reversed {
                discs.reverse();
            }
            for disc in discs {
                let bundle = (Position(disc.position), Velocity(disc.velocity), Radius(disc.radius), Mass(disc.mass));
                app.world_mut().spawn((Disc, StableId(disc.id), bundle));
            }
            support::ticks(&mut app, 60);
            support::hash(&mut app)
        };
        assert_eq!(spawned(false), spawned(true), "{mode:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// The physics has no special place: a scene shifted by any vector develops identically, except for the growth of
    /// rounding errors in a few hits.
    #[test]
    fn a_scene_that_is_shifted_runs_to_the_same(seed: u64, x in -20.0f32..20.0, y in -20.0f32..20.0, mode in 0usize..3) {
        let (discs, periodic) = gas(4, 2.0, seed);
        let (bumper, shift) = ((Terrain::Circle { radius: 0.1 }, Vec2::splat(-1.9)), Vec2::new(x, y));
        let settings = settings(MODES[mode], periodic);
        let ends = [Vec2::ZERO, shift].map(|shift| {
            let moved = discs.iter().map(|disc| DiscState { position: disc.position + shift, ..*disc });
            let mut space = space(moved, &[(bumper.0.clone(), bumper.1 + shift)], periodic);
            run(&mut space, &settings, TICK, 12);
            space
        });
        let [plain, shifted] = ends;
        prop_assert!(plain.report.collisions.abs_diff(shifted.report.collisions) <= 1);
        for i in 0..plain.discs.len() {
            let error = shifted.difference(plain.discs.position[i] + shift, shifted.discs.position[i]).length();
            prop_assert!(error < 5e-3, "{} is off by {error}", i);
        }
    }

    /// At any speed, the first image on the path is hit, and none before it.
    #[test]
    fn no_image_is_missed_at_any_speed(seed: u64, log_speed in 0.0f32..4.0) {
        let mut dice = Dice(seed);
        let periodic = torus(Vec2::new(4.0, 3.0));
        let speed = bevy::math::ops::powf(10.0, log_speed);
        let (radius, at, target) = (0.1, dice.vec(1.4), dice.vec(1.4));
        prop_assume!(at.distance(target) > 0.5 && at.distance(target) < 1.4);
        let velocity = Vec2::from_angle(dice.range(0.0, std::f32::consts::TAU)) * speed;
        let bullet = DiscState { radius, velocity, mass: 1e-6, ..disc(at.to_array(), [0.0; 2]) };
        let wall = DiscState { radius, mass: 1e6, ..disc(target.to_array(), [0.0; 2]) };
        let mut space = space([bullet, wall], &[], periodic);
        run(&mut space, &settings((SolverMode::Continuous, 1), periodic), TICK, 1);
        let hit = space.report.hits.first().map(|hit| f64::from(hit.time));
        let (expected, is_clear) = first_image([at, target].map(Vec2::as_dvec2), velocity.as_dvec2(), 0.2, [4.0, 3.0], f64::from(TICK));
        match (hit, expected) {
            _ if !is_clear => {}
            (Some(hit), Some(expected)) => {
                prop_assert!((hit - expected).abs() < 1e-4 * f64::from(TICK) + 1e-9, "{hit} and not {expected}");
            }
            (None, Some(expected)) => prop_assert!(false, "nothing was hit, and not at {expected}"),
            (Some(hit), None) => prop_assert!(false, "nothing is there at {hit}"),
            (None, None) => {}
        }
    }

    /// A room in the middle of the cell extends across its edges, and nothing gets out of it.
    #[test]
    fn nothing_gets_through_terrain_across_an_edge(seed: u64, log_speed in -1.0f32..4.0, mode in 0usize..3) {
        let mut dice = Dice(seed);
        let periodic = Periodic { x: Some((-2.0, 2.0)), y: None };
        let speed = bevy::math::ops::powf(10.0, log_speed);
        // The block is the area outside the room.
        let walls = [(Terrain::Arena { half_size: Vec2::new(1.0, 3.0) }, Vec2::new(2.0, 0.0))];
        let discs = (0..6).map(|i| DiscState {
            position: Vec2::new(if i % 2 == 0 { 1.5 } else { -1.5 }, i as f32 - 2.5) + dice.vec(0.1),
            velocity: dice.vec(speed),
            radius: 0.2,
            ..DiscState::default()
        });
        let mut space = space(discs.collect::<Vec<_>>(), &walls, periodic);
        let settings = settings(MODES[mode], periodic);
        for tick in 0..20 {
            run(&mut space, &settings, TICK, 1);
            for at in &space.discs.position {
                prop_assert!(at.x.abs() >= 0.999 && at.y.abs() <= 3.001, "{at} in tick {tick}");
            }
        }
    }
}

/// When a disc first touches an image of a static one, by testing all images; and whether that is certain, because it
/// grazes none of them before.
fn first_image([at, target]: [DVec2; 2], velocity: DVec2, sum: f64, size: [f64; 2], time: f64) -> (Option<f64>, bool) {
    let reach = (velocity.length() * time / size[1]).ceil() as i32 + 2;
    let (mut first, mut grazes): (Option<f64>, Vec<f64>) = (None, Vec::new());
    for column in -reach..=reach {
        // Only the rows near the path there, and all that a steep path can reach.
        let x = target.x + f64::from(column) * size[0] - at.x;
        let is_steep = velocity.x.abs() <= 0.05 * velocity.y.abs();
        let here = if is_steep { 0.0 } else { velocity.y * x / velocity.x };
        let middle = ((here - (target.y - at.y)) / size[1]).round();
        let half = if is_steep { reach } else { 8 };
        for row in -half..=half {
            let line = DVec2::new(x, target.y - at.y + (middle + f64::from(row)) * size[1]);
            let (along, across) =
                (line.dot(velocity) / velocity.length(), line.perp_dot(velocity).abs() / velocity.length());
            let t = (along - (sum * sum - across * across).max(0.0).sqrt()) / velocity.length();
            if t < 0.0 || t > time {
                continue;
            }
            if (across - sum).abs() < 1e-3 {
                grazes.push(t);
            }
            if across < sum && first.is_none_or(|first| t < first) {
                first = Some(t);
            }
        }
    }
    let end = first.unwrap_or(time);
    (first, grazes.iter().all(|graze| *graze > end) && first.is_none_or(|first| first < 0.999 * time))
}

#[test]
fn the_collision_rate_and_the_pressure_are_those_of_enskog_and_henderson() {
    let (columns, radius) = (24, 0.5_f64);
    // About ten thousand hits each. The stepped mode is late by half a substep and has fewer: a larger tolerance.
    let ways = [
        ((SolverMode::Continuous, 1), 0.1, 0.1, 120.0, 0.025),
        ((SolverMode::Continuous, 1), 0.05, 0.3, 40.0, 0.025),
        ((SolverMode::Stepped, 3), 0.01, 0.1, 60.0, 0.04),
    ];
    for (mode, tick, eta, seconds, tolerance) in ways {
        let count = columns * columns;
        let side = (f64::from(count) * PI * radius * radius / eta).sqrt() as f32;
        let mut dice = Dice(11);
        let mut discs: Vec<DiscState> = (0..count)
            .map(|i| {
                let at = Vec2::new((i % columns) as f32, (i / columns) as f32) * (side / columns as f32);
                DiscState { position: at, velocity: dice.vec(1.0) + dice.vec(1.0), ..DiscState::default() }
            })
            .collect();
        let mean = discs.iter().map(|disc| disc.velocity).sum::<Vec2>() / count as f32;
        for disc in &mut discs {
            disc.velocity -= mean;
        }
        let periodic = torus(Vec2::splat(side));
        let mut space = space(discs, &[], periodic);
        let settings = settings(mode, periodic);
        run(&mut space, &settings, tick, (8.0 / tick) as usize);
        let (began, mut virial) = (space.report.collisions, 0.0);
        let ticks = (seconds / tick) as usize;
        for _ in 0..ticks {
            run(&mut space, &settings, tick, 1);
            virial += space.report.hits.iter().map(|hit| f64::from(hit.impulse) * 2.0 * radius).sum::<f64>();
        }
        let time = ticks as f64 * f64::from(tick);
        let temperature = measure::kinetic_energy(&space.discs) / f64::from(count - 1);
        let (n, s) = (f64::from(count) / f64::from(side).powi(2), 2.0 * radius);
        let g = (1.0 - 7.0 * eta / 16.0) / (1.0 - eta).powi(2);
        let rate = f64::from(count) * n * s * (PI * temperature).sqrt() * g;
        let measured = (space.report.collisions - began) as f64 / time;
        let z = 1.0 + 0.5 * virial / (time * f64::from(count) * temperature);
        let henderson = (1.0 + eta * eta / 8.0) / (1.0 - eta).powi(2);
        assert!((measured / rate - 1.0).abs() < tolerance, "{mode:?}, {eta}: {measured} and not {rate}");
        assert!((z / henderson - 1.0).abs() < tolerance, "{mode:?}, {eta}: {z} and not {henderson}");
    }
}

#[test]
fn the_stepped_mode_tends_to_the_continuous_one() {
    let periodic = torus(Vec2::new(4.0, 4.0));
    let pair = [disc([1.4, 1.7], [6.0, 2.0]), disc([-1.2, -1.6], [-3.0, 0.5])];
    let ends = [(SolverMode::Continuous, 1), (SolverMode::Stepped, 64)].map(|mode| {
        let mut space = space(pair, &[], periodic);
        let settings = settings(mode, periodic);
        run(&mut space, &settings, TICK / 16.0, 8 * 16);
        assert_eq!(space.report.collisions, 1, "{mode:?}");
        (space.discs.velocity[0], space.discs.position[0])
    });
    assert!(ends[0].0.distance(ends[1].0) < 2e-2, "{ends:?}");
    assert!(ends[0].1.distance(ends[1].1) < 2e-2, "{ends:?}");
}

#[test]
fn a_kinematic_disc_hits_across_the_edge_at_any_speed() {
    for mode in MODES {
        for speed in [2.0, 64.0, 200.0] {
            let periodic = torus(Vec2::new(8.0, 8.0));
            let racket = DiscState { kinematic: true, mass: 1.0, ..disc([3.5, 0.0], [speed, 0.0]) };
            let ball = disc([-3.0, 0.0], [-1.0, 0.0]);
            let mut space = space([racket, ball], &[], periodic);
            let settings = settings(mode, periodic);
            let mut ticks = 0;
            while space.report.collisions == 0 && ticks < 64 {
                run(&mut space, &settings, TICK, 1);
                ticks += 1;
            }
            let expected = 2.0 * speed + 1.0;
            let got = space.discs.velocity[1].x;
            assert!((got / expected - 1.0).abs() < 1e-4, "{mode:?}, {speed}: {got} and not {expected}");
            assert_eq!(space.discs.velocity[0], Vec2::new(speed, 0.0));
        }
    }
}

/// The racket extends across the edge by 1.3 m, and the block falls on it on the other side.
#[test]
fn a_block_hits_a_kinematic_disc_that_reaches_across_the_edge() {
    for mode in MODES {
        for racket_speed in [0.0, 2.0] {
            let mut app = support::app_in(mode);
            support::settings(&mut app, |settings| {
                settings.periodic = torus(Vec2::splat(8.0));
                settings.terrain_restitution = 1.0;
            });
            let racket = support::disc(&mut app, Vec2::new(3.8, -1.0), Vec2::Y * racket_speed);
            app.world_mut().entity_mut(racket).insert((Kinematic, Radius(1.5)));
            let block = app.world_mut().spawn((
                Terrain::Block { half_size: Vec2::splat(0.25) },
                Position(Vec2::new(-3.7, 3.0)),
                Velocity(Vec2::NEG_Y * 4.0),
                Mass(1.0),
            ));
            let block = block.id();
            support::ticks(&mut app, 45);
            let velocity = support::velocity(&app, block);
            assert!(velocity.y > 1.0, "{mode:?}, {racket_speed}: {velocity}");
        }
    }
}

#[test]
fn terrain_that_moves_sweeps_across_the_edge() {
    for mode in MODES {
        let mut app = support::app_in(mode);
        support::settings(&mut app, |settings| settings.periodic = torus(Vec2::new(8.0, 8.0)));
        app.world_mut().spawn((
            Terrain::Block { half_size: Vec2::new(0.5, 2.0) },
            Position(Vec2::new(3.0, 0.0)),
            Velocity(Vec2::X * 3.0),
        ));
        let ball = support::disc(&mut app, Vec2::new(-3.0, 0.3), Vec2::ZERO);
        support::ticks(&mut app, 60);
        let velocity = support::velocity(&app, ball);
        assert!(velocity.distance(Vec2::X * 6.0) < 1e-3, "{mode:?}: {velocity}");
        // It continues around the torus, and stays within the cell.
        support::ticks(&mut app, 600);
        let block = app.world_mut().query_filtered::<&Position, With<Terrain>>().single(app.world()).unwrap().0;
        assert!(block.x.abs() <= 4.0, "{mode:?}: {block}");
    }
}

#[test]
fn a_heap_lies_across_the_edge_of_a_channel() {
    for mode in [(SolverMode::Stepped, 8), (SolverMode::Continuous, 1)] {
        let periodic = Periodic { x: Some((-3.0, 3.0)), y: None };
        let floor = [(Terrain::Segment { a: Vec2::new(-3.0, 0.0), b: Vec2::new(3.0, 0.0) }, Vec2::ZERO)];
        let discs = (0..18).map(|i| DiscState {
            radius: 0.49,
            ..disc([(i % 6) as f32 - 2.5 + 0.5 * (i / 6) as f32, 0.5 + 0.9 * (i / 6) as f32], [0.3, 0.0])
        });
        let mut space = space(discs.collect::<Vec<_>>(), &floor, periodic);
        let settings = CollisionSettings {
            restitution: 0.2,
            terrain_restitution: 0.2,
            resting_speed: 1.0,
            ..settings(mode, periodic)
        };
        for _ in 0..300 {
            run_tick(&mut space, &settings, TICK, |space| motion::gravity(space, Vec2::new(0.0, -9.81)));
        }
        assert!(is_inside(&space, periodic));
        assert!(space.discs.position.iter().all(|at| at.y > 0.45), "{mode:?}: {:?}", space.discs.position);
        assert!(worst_overlap(&space) < 0.1, "{mode:?}: {}", worst_overlap(&space));
        let fastest = space.discs.velocity.iter().map(|velocity| velocity.length()).fold(0.0, f32::max);
        assert!(fastest < 1.0, "{mode:?}: {fastest}");
    }
}

#[test]
fn the_prediction_is_what_happens() {
    for mode in MODES {
        let mut app = support::app_in(mode);
        let (discs, periodic) = gas(6, 4.0, 3);
        support::settings(&mut app, |settings| settings.periodic = periodic);
        for disc in discs {
            app.world_mut().spawn((
                Disc,
                Position(disc.position),
                Velocity(disc.velocity),
                Radius(disc.radius),
                Mass(disc.mass),
            ));
        }
        app.world_mut().spawn((Terrain::Circle { radius: 0.3 }, Position(Vec2::new(3.12, 0.62))));
        support::ticks(&mut app, 5);
        let prediction = support::prediction(&mut app, 0.5);
        support::ticks(&mut app, prediction.ticks() as usize);
        let now = Discs::of(app.world_mut());
        assert_eq!(measure::state_hash(prediction.discs()), measure::state_hash(&now), "{mode:?}");
    }
}

#[test]
fn a_cell_that_is_too_small_is_refused_and_the_rest_goes_on() {
    for mode in MODES {
        let periodic = torus(Vec2::splat(2.0));
        let mut space = space([disc([0.5, 0.0], [1.0, 0.0])], &[], periodic);
        run(&mut space, &settings(mode, periodic), 1.0, 3);
        assert!((space.discs.position[0].x - 3.5).abs() < 1e-5, "the edges are open: {}", space.discs.position[0]);
        // As soon as there is room, the edges become periodic.
        let periodic = torus(Vec2::splat(4.0));
        run(&mut space, &settings(mode, periodic), 0.5, 1);
        assert!(space.discs.position[0].x.abs() < 1e-5, "{}", space.discs.position[0]);
    }
}

#[test]
fn no_setting_and_no_place_breaks_anything() {
    let odd = [f32::NAN, f32::INFINITY, -1e12, 0.0, 1e-30, 1e12];
    for mode in [MODES[0], MODES[2]] {
        for low in odd {
            for high in odd {
                let periodic = Periodic { x: Some((low, high)), y: Some((high, low)) };
                let discs =
                    [disc([0.0, 0.0], [1e5, -1e3]), disc([1e11, 0.3], [1e9, -1e6]), disc([0.0, 0.0], [0.0, 1.0])];
                let mut space = space(discs, &[(Terrain::Arena { half_size: Vec2::splat(3.0) }, Vec2::ZERO)], periodic);
                run(&mut space, &settings(mode, periodic), TICK, 3);
                assert!(space.discs.position.iter().all(|at| at.is_finite()), "{mode:?}, {low} to {high}");
            }
        }
    }
}

#[test]
fn hundreds_in_one_spot_part_and_nothing_hangs() {
    for mode in MODES {
        let periodic = torus(Vec2::splat(40.0));
        let mut space = space((0..400).map(|_| disc([20.0, -20.0], [1.0, 1.0])), &[], periodic);
        run(&mut space, &settings(mode, periodic), TICK, 30);
        assert!(is_inside(&space, periodic));
        let spread = space.discs.position.iter().filter(|at| at.x > 0.0).count();
        assert!((40..360).contains(&spread), "{mode:?}: {spread} on one side of the edge");
    }
}

#[test]
fn a_rod_goes_round_the_torus_and_keeps_its_length() {
    for mode in MODES {
        let mut app = support::app_in(mode);
        support::settings(&mut app, |settings| settings.periodic = torus(Vec2::new(8.0, 8.0)));
        let one = support::disc(&mut app, Vec2::new(2.0, 0.0), Vec2::new(3.0, 1.0));
        let other = support::disc(&mut app, Vec2::new(3.5, 0.0), Vec2::new(3.0, -1.0));
        app.world_mut().spawn(Joint::rod(one, other, 1.5));
        for tick in 0..300 {
            app.update();
            let [one, other] = [one, other].map(|disc| support::position(&app, disc));
            let length = app.world().resource::<PhysicsSpace>().difference(one, other).length();
            assert!((length - 1.5).abs() < 1e-3, "{mode:?}, tick {tick}: {length}");
        }
        let sum = support::velocity(&app, one) + support::velocity(&app, other);
        assert!(sum.distance(Vec2::new(6.0, 0.0)) < 1e-3, "{mode:?}: {sum}");
    }
}

#[test]
fn queries_see_across_the_edges() {
    let periodic = torus(Vec2::new(8.0, 8.0));
    let discs = [disc([3.0, 0.0], [0.0; 2]), disc([-3.5, 3.0], [0.0; 2])];
    let mut space = space(discs, &[(Terrain::Circle { radius: 0.25 }, Vec2::new(3.9, -3.9))], periodic);
    for i in 0..2 {
        space.discs.entity[i] = Entity::from_raw_u32(i as u32 + 1).unwrap();
    }
    run(&mut space, &settings((SolverMode::Stepped, 1), periodic), TICK, 1);
    let filter = carom::collision::SpatialQueryFilter::default();
    let entity = |i: usize| space.discs.entity[i];
    // To the left, around the edge, to the disc from its right side.
    let hit = space.cast_ray(Vec2::new(-2.0, 0.0), Dir2::NEG_X, 20.0, &filter).expect("it meets the disc");
    assert_eq!(hit.entity(), entity(0));
    assert!(
        (hit.distance - 2.5).abs() < 1e-5 && hit.point.distance(Vec2::new(3.5, 0.0)) < 1e-5 && hit.normal == Vec2::X
    );
    // A long path around the torus without a hit: it ends.
    let miss = space.cast_ray(Vec2::new(0.0, 1.0), Dir2::X, f32::INFINITY, &filter);
    assert!(miss.is_none(), "{miss:?}");
    let both = space.ray_hits(Vec2::new(0.0, 0.0), Dir2::X, 100.0, &filter);
    assert_eq!(both.len(), 1, "each once: {both:?}");
    // The bumper in the corner, seen from the opposite corner.
    let nearest = space.nearest_terrain(Vec2::new(-3.5, 3.5), 2.0, &filter).expect("it is near");
    let away = 0.6 * 2.0_f32.sqrt() - 0.25;
    assert!((nearest.distance - away).abs() < 1e-5, "{nearest:?}");
    let nearest = space.nearest_disc(Vec2::new(3.9, 3.0), 2.0, &filter).expect("it is near");
    assert!(nearest.entity == entity(1) && (nearest.distance - 0.1).abs() < 1e-5, "{nearest:?}");
    assert_eq!(space.discs_overlapping(Vec2::new(3.9, 3.0), 0.2, &filter), [entity(1)]);
    let across = Rect::from_corners(Vec2::new(3.95, 2.5), Vec2::new(4.4, 3.5));
    assert_eq!(space.discs_in_box(across, &filter), [entity(1)]);
    let all = Rect::from_corners(Vec2::splat(-50.0), Vec2::splat(50.0));
    assert_eq!(space.discs_in_box(all, &filter).len(), 2);
    // A cast disc hits the image of the bumper on the other side.
    let hit = space.cast_disc(Vec2::new(-3.0, -3.9), 0.25, Dir2::NEG_X, 5.0, &filter).expect("it meets the bumper");
    assert!((hit.distance - 0.6).abs() < 1e-5, "{hit:?}");
}

#[test]
fn sensors_see_across_the_edges_at_the_exact_times() {
    for mode in MODES {
        let mut app = support::app_in(mode);
        support::settings(&mut app, |settings| settings.periodic = torus(Vec2::new(8.0, 8.0)));
        let area = app
            .world_mut()
            .spawn((Terrain::Block { half_size: Vec2::new(0.5, 4.0) }, Position(Vec2::new(-4.0, 0.0)), Sensor))
            .id();
        // Its rim enters at x = 3.5 and leaves at -3.5, which is 1 m plus its diameter farther.
        let ball = support::disc(&mut app, Vec2::new(1.0, 0.0), Vec2::new(6.0, 0.0));
        let mut told = Vec::new();
        for tick in 0..60 {
            app.update();
            let inside = app.world().get::<carom::components::Sensed>(area).is_some_and(|sensed| !sensed.is_empty());
            if told.last().is_none_or(|&(_, was)| was != inside) {
                told.push((tick, inside));
            }
        }
        // 2 m at 0.1 m per tick, and 2 m through it.
        assert_eq!(told.len(), 3, "{mode:?}: {told:?}");
        assert!(!told[0].1 && told[1].1 && !told[2].1);
        assert!((told[1].0 - 20_i32).abs() <= 1 && (told[2].0 - 40_i32).abs() <= 1, "{mode:?}: {told:?}");
        assert!(support::position(&app, ball).x < 4.0);
    }
}
