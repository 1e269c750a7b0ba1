//! Endless series of impacts, heaps and overlaps in the continuous mode: every tick ends, and no energy is added.

use bevy::{math::DVec2, prelude::*};
use carom::{
    collision::{CollisionSettings, DiscState, PhysicsSpace, ScanLimit, measure, run_tick},
    prelude::*,
};

use crate::support::{Dice, continuous, excess_overlap, random_discs, run, space};

const TICK: f32 = 1.0 / 60.0;

/// Runs ticks and checks that energy never grows and everything stays finite.
fn run_and_watch(space: &mut PhysicsSpace, settings: &CollisionSettings, ticks: usize) {
    let mut energy = measure::kinetic_energy(&space.discs);
    for _ in 0..ticks {
        run_tick(space, settings, TICK, |_| {});
        let now = measure::kinetic_energy(&space.discs);
        assert!(now <= energy * (1.0 + 1e-6), "energy rose from {energy} to {now}");
        assert!(space.discs.position.iter().chain(&space.discs.velocity).all(|v| v.is_finite()));
        energy = now;
    }
}

#[test]
fn bounces_under_gravity_die_out_when_the_sum_says() {
    // Dropped from rest, the series of bounces ends at t0 (1 + e) / (1 - e), where t0 is the time to the first impact.
    for e in [0.3, 0.5, 0.8] {
        let time_step = 0.001;
        let floor = Terrain::Segment { a: Vec2::new(-5.0, 0.0), b: Vec2::new(5.0, 0.0) };
        let dropped = DiscState { position: Vec2::new(0.0, 0.5 + 1.25), ..DiscState::default() };
        let mut space = space([dropped], &[(floor, Vec2::ZERO, 0.0)]);
        // The speed that gravity adds in two ticks.
        let settings = CollisionSettings { terrain_restitution: e, resting_speed: 0.02, ..continuous() };
        let forces = MotionSettings { gravity: Vec2::new(0.0, -10.0), ..MotionSettings::default() };
        let mut last = 0.0;
        for tick in 0..6000 {
            run_tick(&mut space, &settings, time_step, |space| Forces::from(&forces).act(space));
            if space.discs.position[0].y > 0.5 + 1e-3 {
                last = f64::from(tick) * 0.001;
            }
        }
        let expected = 0.5 * f64::from((1.0 + e) / (1.0 - e));
        // The last hops, the longest of 0.028 s, are lower than the threshold of a millimetre.
        let unseen = 0.045 / f64::from(1.0 - e);
        assert!((-unseen..=0.003).contains(&(last - expected)), "e = {e}: in the air until {last}, not {expected}");
        let hits = space.report.collisions;
        run_tick(&mut space, &settings, time_step, |space| Forces::from(&forces).act(space));
        assert_eq!(hits, space.report.collisions, "it lies");
        assert!((space.discs.position[0].y - 0.5).abs() < 1e-4);
    }
}

#[test]
fn a_row_that_collapses_comes_to_rest_together() {
    let mut rested = 0;
    for count in 3..=10 {
        for e in [0.0, 0.01, 0.05, 0.1] {
            for scan_limit in [0, 64] {
                let discs = (0..count).map(|i| DiscState {
                    position: Vec2::new(i as f32 * 1.1, 0.0),
                    velocity: Vec2::new(count as f32 / 2.0 - i as f32, 0.0),
                    ..DiscState::default()
                });
                let mut space = space(discs, &[]);
                space.compute.scan_limit = ScanLimit(scan_limit);
                let momentum = measure::momentum(&space.discs);
                run_and_watch(&mut space, &CollisionSettings { restitution: e, ..continuous() }, 120);
                assert!((measure::momentum(&space.discs) - momentum).length() < 1e-5, "{count} discs, e = {e}");
                let velocity = &space.discs.velocity;
                assert!(e > 0.0 || velocity.iter().all(|v| v.distance(velocity[0]) < 1e-5), "{velocity:?}");
                rested += space.report.stopped;
            }
        }
    }
    assert!(rested > 0);
}

#[test]
fn a_disc_that_is_crushed_between_a_wall_and_a_heavy_one_comes_to_rest() {
    for (mass, e) in [(3.0, 0.05), (100.0, 0.3), (1e6, 0.7), (1e6, 0.9)] {
        let near = DiscState { position: Vec2::new(1.0, 0.0), ..DiscState::default() };
        let heavy =
            DiscState { position: Vec2::new(3.0, 0.0), velocity: Vec2::new(-2.0, 0.0), mass, ..DiscState::default() };
        let wall = Terrain::Segment { a: Vec2::new(0.0, -1.0), b: Vec2::new(0.0, 1.0) };
        let mut space = space([near, heavy], &[(wall, Vec2::ZERO, 0.0)]);
        let settings = CollisionSettings { restitution: e, terrain_restitution: e, ..continuous() };
        run_and_watch(&mut space, &settings, 240);
        assert_eq!(space.discs.velocity, [Vec2::ZERO; 2]);
        assert!(space.report.stopped > 0 && excess_overlap(&space) <= 0.0);
    }
}

#[test]
fn a_block_of_many_takes_a_blow_without_restitution() {
    let block =
        (0..2500).map(|i| DiscState { position: Vec2::new((i % 50) as f32, (i / 50) as f32), ..DiscState::default() });
    let cue = DiscState { position: Vec2::new(-3.0, 20.3), velocity: Vec2::new(30.0, 0.0), ..DiscState::default() };
    let mut space = space(block.chain([cue]), &[]);
    run_and_watch(&mut space, &CollisionSettings { restitution: 0.0, ..continuous() }, 30);
    let momentum = measure::momentum(&space.discs);
    assert!(momentum.distance(DVec2::new(30.0, 0.0)) < 1e-4, "{momentum}");
    // Not by passing through: the hit disc moves, and little of the 450 J is left.
    let energy = measure::kinetic_energy(&space.discs);
    let moving = space.discs.velocity.iter().filter(|velocity| velocity.length() > 1e-3).count();
    assert!(energy < 45.0 && moving > 50, "{energy} J in {moving} discs");
}

#[test]
fn a_gas_without_restitution_goes_on() {
    for scan_limit in [0, 10_000] {
        let (discs, half_size) = random_discs(200, 4);
        let mut space = space(discs, &[(Terrain::Arena { half_size }, Vec2::ZERO, 0.0)]);
        space.compute.scan_limit = ScanLimit(scan_limit);
        let settings = CollisionSettings { restitution: 0.0, terrain_restitution: 0.0, ..continuous() };
        let energy = measure::kinetic_energy(&space.discs);
        run_and_watch(&mut space, &settings, 300);
        assert!(excess_overlap(&space) <= 0.0);
        let (left, hits) = (measure::kinetic_energy(&space.discs), space.report.collisions);
        assert!(left < 0.5 * energy, "it cools: {left} of {energy} J");
        run_and_watch(&mut space, &settings, 30);
        assert!(space.report.collisions > hits && left > 0.0, "it goes on");
    }
}

#[test]
fn a_thousand_discs_in_one_point_spread_if_they_are_to_be_parted() {
    for (push_apart, scan_limit) in [(true, 0), (true, 10_000), (false, 0)] {
        let half_size = Vec2::splat(25.0);
        let discs = (0..1000).map(|_| DiscState { position: Vec2::new(1.0, 2.0), ..DiscState::default() });
        let mut space = space(discs, &[(Terrain::Arena { half_size }, Vec2::ZERO, 0.0)]);
        space.compute.scan_limit = ScanLimit(scan_limit);
        run_and_watch(&mut space, &CollisionSettings { push_apart, ..continuous() }, 200);
        assert!(space.discs.velocity.iter().all(|v| *v == Vec2::ZERO), "being pushed gives no speed");
        let inside = |p: &Vec2| p.abs().cmple(half_size).all();
        assert!(space.discs.position.iter().all(inside));
        let overlap = measure::overlap(&space.discs);
        assert!(if push_apart { overlap.mean < 0.5 } else { overlap.mean == 2.0 }, "{overlap:?}");
    }
}

#[test]
fn a_hundred_discs_in_one_point_fly_apart_without_a_gain() {
    for scan_limit in [0, 10_000] {
        let mut dice = Dice(7);
        let discs: Vec<DiscState> =
            (0..100).map(|_| DiscState { velocity: dice.vec(3.0), ..DiscState::default() }).collect();
        let mut space = space(discs, &[(Terrain::Arena { half_size: Vec2::splat(9.0) }, Vec2::ZERO, 0.0)]);
        space.compute.scan_limit = ScanLimit(scan_limit);
        run_and_watch(&mut space, &CollisionSettings { restitution: 0.9, ..continuous() }, 300);
        assert!(excess_overlap(&space) <= 0.0, "{:?}", measure::overlap(&space.discs));
    }
}

#[test]
fn an_overlap_at_the_start_is_parted_or_stays() {
    for (push_apart, apart) in [(true, 1.0), (false, 0.6)] {
        let mut space =
            space([DiscState::default(), DiscState { position: Vec2::new(0.6, 0.0), ..DiscState::default() }], &[]);
        let settings = CollisionSettings { push_apart, ..continuous() };
        run_and_watch(&mut space, &settings, 2);
        let distance = space.discs.position[1].x - space.discs.position[0].x;
        assert!((distance - apart).abs() < 1e-6, "{distance}");
        // Whether it stays or not, approaching contacts are resolved, and separating ones are not.
        space.discs.velocity = vec![Vec2::X, Vec2::ZERO];
        run_and_watch(&mut space, &settings, 1);
        assert_eq!(space.discs.velocity, [Vec2::ZERO, Vec2::X]);
        run_and_watch(&mut space, &settings, 60);
        assert_eq!(space.report.collisions, 1);
    }
}

#[test]
fn a_row_that_collapses_at_a_wall_keeps_its_way_along_it() {
    let mut rested = 0;
    for count in 3..=10 {
        for slant in [0.1, 0.5, 1.0, 3.0, 10.0] {
            let along = Vec2::new(1.0, slant).normalize();
            let corner = Vec2::new(count as f32 * 1.1 - 0.5, 0.0);
            let wall = Terrain::Segment { a: corner - along * 60.0, b: corner + along * 60.0 };
            // The row closes up while it moves against the wall.
            let discs = (0..count).map(|i| DiscState {
                position: Vec2::new(i as f32 * 1.1, 0.0) + along.perp() * 2.0,
                velocity: Vec2::new(count as f32 - i as f32, -3.0 * slant.min(1.0)),
                ..DiscState::default()
            });
            let apart = |disc: &DiscState| (disc.position - corner).dot(along.perp()) > 0.6;
            let mut space = space(discs.filter(apart), &[(wall, Vec2::ZERO, 0.0)]);
            let momentum = |space: &PhysicsSpace| measure::momentum(&space.discs).dot(along.as_dvec2());
            let before = momentum(&space);
            let settings = CollisionSettings { restitution: 0.0, terrain_restitution: 0.0, ..continuous() };
            run_and_watch(&mut space, &settings, 120);
            let after = momentum(&space);
            assert!((after - before).abs() < 1e-4, "{count} discs, slant {slant}: {after} instead of {before}");
            rested += space.report.stopped;
        }
    }
    assert!(rested > 0);
}

/// Between a wall and a disc that is ten thousand million times as heavy, a light disc has 300,000 impacts. A single
/// one may have many of them, and so may others that it does not interact with. Forty in a row that hit each other
/// share the additional budget.
#[test]
fn elastic_wedges_take_a_bounded_time_and_those_that_hit_each_other_share_it() {
    let disc = |position: Vec2, radius: f32, mass: f32, speed: f32| DiscState {
        position,
        velocity: Vec2::new(-speed, 0.0),
        radius,
        mass,
        ..DiscState::default()
    };
    let most_in_a_tick = |discs: Vec<DiscState>| {
        let wall = Terrain::Segment { a: Vec2::new(0.0, -10.0), b: Vec2::new(0.0, 200.0) };
        let mut space = space(discs, &[(wall, Vec2::ZERO, 0.0)]);
        let (mut most, mut before) = (0, 0);
        let energy = measure::kinetic_energy(&space.discs);
        for _ in 0..4 {
            run(&mut space, &continuous(), 1.0 / 60.0, 1);
            most = most.max(space.report.collisions - before);
            before = space.report.collisions;
        }
        assert!((measure::kinetic_energy(&space.discs) / energy - 1.0).abs() < 1e-5);
        most
    };
    let pair = |x: f32, y: f32, speed: f32| {
        [disc(Vec2::new(x + 0.101, y), 0.1, 1e-6, speed - 1.0), disc(Vec2::new(x + 0.702, y), 0.5, 1e4, speed)]
    };
    let beside = |count: u32| most_in_a_tick((0..count).flat_map(|lane| pair(0.0, lane as f32 * 3.0, 1.0)).collect());
    let one = beside(1);
    assert!((10_000..=40_000).contains(&one), "{one} impacts in a tick");
    assert_eq!(beside(8), 8 * one, "each as if it were alone");
    let row = most_in_a_tick((0..40).flat_map(|k| pair(k as f32 * 1.202, 0.0, k as f32 + 1.0)).collect());
    assert!((50_000..30 * one).contains(&row), "{row} impacts in a tick, {one} alone");
}

/// A row with endless impacts in front of a moving wall comes to rest against that wall, too, and moves along with it.
/// After that nothing hits anything.
#[test]
fn what_comes_to_rest_before_a_wall_that_moves_goes_along_with_it() {
    for count in [2, 4, 8, 30] {
        for e in [0.0, 0.05, 0.1] {
            let mut app = crate::support::app_in((SolverMode::Continuous, 1));
            crate::support::settings(&mut app, |s| {
                (s.restitution, s.terrain_restitution, s.impact_budget) = (e, e, 40);
            });
            let wall = Terrain::Block { half_size: Vec2::new(0.5, 3.0) };
            app.world_mut().spawn((wall, Position(Vec2::new(-1.0, 0.0)), Velocity(Vec2::X)));
            let discs: Vec<Entity> = (0..count)
                .map(|i| {
                    let at = Vec2::new(0.1 + i as f32 * 1.01, 0.0);
                    crate::support::disc(&mut app, at, Vec2::new(-0.2 * i as f32, 0.0))
                })
                .collect();
            crate::support::ticks(&mut app, 90);
            // Each comes to rest several times, with all that it touches then; at the sixteenth time in a tick it would
            // freeze.
            let stopped = app.world().resource::<PhysicsSpace>().report.stopped;
            assert!(stopped > 0 && stopped < 16 * count as u64, "{count} discs, e = {e}: stopped {stopped} times");
            crate::support::collisions(&mut app);
            crate::support::ticks(&mut app, 30);
            assert_eq!(crate::support::collisions(&mut app).len(), 0, "{count} discs, e = {e}");
            for disc in discs {
                let velocity = crate::support::velocity(&app, disc);
                assert!((velocity - Vec2::X).length() < 1e-5, "{count} discs, e = {e}: {velocity}");
            }
        }
    }
}
