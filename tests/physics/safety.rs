//! Hard cases: nothing panics, hangs or affects a neighbour, and no wall lets a centre through.

use bevy::prelude::*;
use carom::{
    collision::{CollisionSettings, DiscState, LIMIT, PhysicsSpace, ScanLimit, SolverMode, measure, run_tick},
    prelude::*,
};
use proptest::prelude::*;

use crate::support::{self, Dice};

const MODES: [SolverMode; 2] = [SolverMode::Stepped, SolverMode::Continuous];

fn all_finite(space: &PhysicsSpace) -> bool {
    space.discs.position.iter().chain(&space.discs.velocity).all(|v| v.is_finite())
}

#[test]
fn none_one_and_two_discs() {
    for (count, mode) in (0..3).flat_map(|count| MODES.map(|mode| (count, mode))) {
        let mut app = support::app();
        support::settings(&mut app, |settings| settings.mode = mode);
        for i in 0..count {
            support::disc(&mut app, Vec2::new(i as f32, 0.0), Vec2::X);
        }
        support::ticks(&mut app, 10);
        assert_eq!(app.world().resource::<PhysicsSpace>().discs.len(), count);
    }
}

#[test]
fn a_thousand_discs_in_one_spot_spread_and_stay_inside() {
    let mut app = support::app();
    app.world_mut().spawn(Terrain::Arena { half_size: Vec2::splat(25.0) });
    for _ in 0..1000 {
        support::disc(&mut app, Vec2::new(1.0, 2.0), Vec2::ZERO);
    }
    // Each disc moves by at most its radius per tick, so a heap that needs 17 m takes its time.
    support::ticks(&mut app, 1200);
    let space = app.world().resource::<PhysicsSpace>();
    assert!(all_finite(space));
    assert!(space.discs.position.iter().all(|p| p.abs().max_element() <= 25.0));
    assert!(space.discs.velocity.iter().all(|v| *v == Vec2::ZERO), "being pushed gives no speed");
    let worst = carom::collision::measure::overlap(&space.discs);
    assert!(worst.mean < 0.2, "{worst:?}");
}

#[test]
fn no_speed_gets_a_centre_through_the_walls_of_an_arena() {
    let mut dice = Dice(11);
    for speed in [10.0, 1e3, 1e5, 1e6, 1e9] {
        for substeps in [1, 4] {
            let mut space = PhysicsSpace::default();
            let half_size = Vec2::new(3.0, 2.0);
            for id in 0..40 {
                let direction = dice.vec(1.0).normalize_or(Vec2::X);
                space.discs.push(DiscState {
                    id,
                    position: dice.vec(1.4),
                    velocity: direction * speed,
                    radius: dice.range(0.02, 0.3),
                    mass: dice.range(0.1, 5.0),
                    ..DiscState::default()
                });
            }
            let rotation = Rotation(dice.range(0.0, 3.0));
            space.add_terrain(Entity::PLACEHOLDER, &Terrain::Arena { half_size }, Position::default(), rotation, None);
            space.finish_terrain();
            let settings = CollisionSettings { substeps, ..CollisionSettings::default() };
            for _ in 0..200 {
                run_tick(&mut space, &settings, 1.0 / 60.0, |_| {});
                assert!(all_finite(&space));
                for p in &space.discs.position {
                    let local = Rotation(-rotation.0).turn(*p);
                    assert!((local.abs() - half_size).max_element() < 1e-4, "{speed} m/s: {local} is outside");
                }
            }
        }
    }
}

#[test]
fn the_largest_and_smallest_values_that_are_allowed() {
    for (count, mode) in [(60, SolverMode::Stepped), (60, SolverMode::Continuous), (200, SolverMode::Continuous)] {
        let mut dice = Dice(12);
        let extremes = [LIMIT, 1.0, 1.0 / LIMIT];
        let discs = (0..count).map(|_| {
            let mut pick = || extremes[(dice.next() % 3) as usize];
            let (scale, speed, radius, mass) = (pick(), pick(), pick(), pick());
            let (position, velocity) = (dice.vec(1.0) * scale, dice.vec(1.0) * speed);
            DiscState { position, velocity, radius, mass, ..DiscState::default() }
        });
        let discs: Vec<DiscState> = discs.collect();
        ticked_with(&CollisionSettings { mode, impact_budget: 10, ..CollisionSettings::default() }, discs, 20);
    }
}

#[test]
fn far_from_the_origin_discs_still_meet() {
    // At 1e7 m, the spacing of f32 is 1 m: discs of 50 m there collide as anywhere.
    let mut app = support::app();
    let far = Vec2::splat(1e7);
    let a = support::disc(&mut app, far - Vec2::new(200.0, 0.0), Vec2::new(600.0, 0.0));
    let b = support::disc(&mut app, far, Vec2::ZERO);
    for entity in [a, b] {
        app.world_mut().entity_mut(entity).insert(Radius(50.0));
    }
    support::ticks(&mut app, 30);
    assert_eq!(support::velocity(&app, b), Vec2::new(600.0, 0.0));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_mixture_of_numbers_is_survived(
        values in proptest::collection::vec(
            (any::<f32>(), any::<f32>(), any::<f32>(), any::<f32>(), any::<f32>(), any::<f32>()), 1..30),
        mode in 0usize..2, scan_limit in 0usize..2,
    ) {
        let mut app = support::app();
        support::settings(&mut app, |settings| settings.mode = MODES[mode]);
        app.world_mut().resource_mut::<PhysicsSpace>().compute.scan_limit = ScanLimit([0, 64][scan_limit]);
        app.world_mut().spawn(Terrain::Arena { half_size: Vec2::splat(5.0) });
        let witness = support::disc(&mut app, Vec2::new(3.0e4, 0.0), Vec2::X);
        for (x, y, vx, vy, r, m) in values {
            // Keep them away from the witness, which must not be affected.
            let near = |value: f32| if value.abs() < 1e4 { value } else { f32::NAN };
            app.world_mut().spawn((
                Disc, Position(Vec2::new(near(x), near(y))), Velocity(Vec2::new(vx, vy)), Radius(r.min(1e3)), Mass(m),
            ));
        }
        app.world_mut().spawn((Terrain::Circle { radius: -1.0 }, Position(Vec2::NAN)));
        support::ticks(&mut app, 5);
        let space = app.world().resource::<PhysicsSpace>();
        prop_assert!(all_finite(space));
        prop_assert!(support::position(&app, witness).is_finite());
    }

    #[test]
    fn the_grid_finds_every_pair_that_touches(
        seed: u64, n in 2usize..200, spread in 5.0f32..50.0, speed in 0.0f32..40.0, ratio in 0usize..4, apart in 0usize..3,
    ) {
        let mut dice = Dice(seed);
        let mut space = PhysicsSpace::default();
        // Radii of 1, 30 : 1, 900 : 1 and 27000 : 1; one crowd, or two of them far apart, or a long thin line.
        let smallest = 1.5 * [0.7_f32, 0.3, 0.01, 1e-4][ratio];
        for id in 0..n as u64 {
            let radius = smallest * bevy::math::ops::powf(1.5 / smallest, dice.range(0.0, 1.0));
            let place = dice.vec(spread);
            let position = match apart {
                0 => place,
                1 => place + Vec2::new(if id % 2 == 0 { 4e5 } else { 0.0 }, -3e4),
                _ => Vec2::new(place.x * 20.0, place.x * 300.0) + dice.vec(2.0),
            };
            space.discs.push(DiscState { id, position, velocity: dice.vec(speed), radius, ..DiscState::default() });
        }
        let settings = CollisionSettings { push_apart: false, ..CollisionSettings::default() };
        run_tick(&mut space, &settings, 1.0 / 60.0, |_| {});
        let mut expected = Vec::new();
        for a in 0..n {
            for b in a + 1..n {
                let sum = space.discs.radius[a] + space.discs.radius[b];
                if space.discs.position[a].distance_squared(space.discs.position[b]) < sum * sum {
                    expected.push([a as u32, b as u32]);
                }
            }
        }
        let mut found: Vec<[u32; 2]> = space.contacts.iter().map(|c| [c.a, c.b]).collect();
        found.sort_unstable();
        prop_assert_eq!(found, expected);
        let mut pairs = space.pairs().to_vec();
        pairs.sort_unstable();
        let all = pairs.len();
        pairs.dedup();
        prop_assert_eq!(pairs.len(), all, "no pair twice");
        let filed: usize = space.grid().cells().map(|(_, _, discs)| discs).sum();
        prop_assert_eq!(filed, n, "every disc is in one cell");
    }
}

/// A space with discs after some ticks of the stepped mode.
fn ticked(discs: impl IntoIterator<Item = DiscState>, ticks: usize) -> PhysicsSpace {
    ticked_with(&CollisionSettings::default(), discs, ticks)
}

fn ticked_with(settings: &CollisionSettings, discs: impl IntoIterator<Item = DiscState>, ticks: usize) -> PhysicsSpace {
    let mut space = PhysicsSpace::default();
    for (id, disc) in discs.into_iter().enumerate() {
        space.discs.push(DiscState { id: id as u64, ..disc });
    }
    for _ in 0..ticks {
        run_tick(&mut space, settings, 1.0 / 60.0, |_| {});
    }
    assert!(all_finite(&space));
    space
}

#[test]
fn a_hundred_thousand_discs_in_one_point_take_bounded_time_and_memory() {
    let space = ticked((0..100_000).map(|_| DiscState::default()), 2);
    assert!(space.pairs().len() < 130 * 100_000, "{} pairs", space.pairs().len());
    assert!(space.discs.velocity.iter().all(|v| *v == Vec2::ZERO));
}

/// All of them overlap, and half of the pairs approach. Elsewhere two discs collide normally.
#[test]
fn many_thousand_discs_in_one_point_take_bounded_time_in_the_continuous_mode() {
    let mut dice = Dice(5);
    let heap = (0..20_000).map(|_| DiscState { velocity: dice.vec(3.0), ..DiscState::default() });
    let two = [-1.0, 1.0].map(|side| DiscState {
        position: Vec2::new(100.0 + 0.55 * side, 0.0),
        velocity: Vec2::X * -6.0 * side,
        ..DiscState::default()
    });
    let discs: Vec<DiscState> = heap.chain(two).collect();
    let before: f64 = discs.iter().map(|disc| 0.5 * f64::from(disc.velocity.length_squared())).sum();
    let space = ticked_with(&support::continuous(), discs, 3);
    assert!(space.report.collisions >= 1 && space.report.collisions < 20_000, "{} hits", space.report.collisions);
    assert_eq!(space.discs.velocity[20_000..], [Vec2::X * -6.0, Vec2::X * 6.0]);
    let after = carom::collision::measure::kinetic_energy(&space.discs);
    assert!((after / before - 1.0).abs() < 1e-6, "{before} J to {after} J");
}

#[test]
fn a_hundred_thousand_discs_in_one_cell_of_a_large_one_hardly_notice_it() {
    let mut dice = Dice(3);
    let small = (0..100_000).map(|i| DiscState {
        position: Vec2::new((i % 316) as f32, (i / 316) as f32) * 2.1,
        velocity: dice.vec(3.0),
        radius: 1.0,
        ..DiscState::default()
    });
    let large = DiscState { position: Vec2::new(-1010.0, 300.0), radius: 1000.0, mass: 1e6, ..DiscState::default() };
    let small: Vec<DiscState> = small.collect();
    let space = ticked(small.into_iter().chain([large]), 3);
    assert!(space.pairs().len() < 200_000, "{} pairs", space.pairs().len());
    // The cells are as small as the small discs allow.
    assert!(space.grid().cells().filter(|&(_, side, _)| side < 3.0).count() > 50_000);
}

#[test]
fn a_vast_world_needs_no_more_memory_than_a_small_one() {
    let mut dice = Dice(4);
    // Three crowds of touching discs, as far apart as f32 can resolve discs of this size.
    let crowds = [Vec2::ZERO, Vec2::new(1e5, 0.0), Vec2::new(-3e4, 9e4)];
    let discs = (0..30_000).map(|i| DiscState {
        position: crowds[i % 3] + dice.vec(60.0),
        radius: 0.5,
        ..DiscState::default()
    });
    let space = ticked(discs.collect::<Vec<_>>(), 1);
    let cells: Vec<_> = space.grid().cells().collect();
    assert!(cells.iter().all(|&(_, side, _)| side < 1.1), "cells of the size of a disc");
    assert!(cells.len() <= 30_000 && space.pairs().len() > 10_000);
}

#[test]
fn speeds_of_a_million_and_positions_of_ten_million_are_survived() {
    for mode in MODES {
        let mut dice = Dice(6);
        let discs =
            (0..500).map(|_| DiscState { position: dice.vec(1e7), velocity: dice.vec(1e6), ..DiscState::default() });
        let fast: Vec<DiscState> = discs.collect();
        let settings = CollisionSettings { mode, impact_budget: 10, ..CollisionSettings::default() };
        let space = ticked_with(&settings, fast, 20);
        assert!(space.discs.velocity.iter().all(|v| v.length() < 1.5e6));
    }
}

#[test]
fn the_fastest_that_is_allowed_ends_its_tick_in_a_small_arena() {
    for (count, fast) in [(1, 1), (40, 1), (40, 40), (200, 200)] {
        let mut dice = Dice(13);
        let discs = (0..count).map(|i| DiscState {
            position: Vec2::new((i % 15) as f32, (i / 15) as f32) * 1.5 - 10.0,
            velocity: dice.vec(1.0) * if i < fast { LIMIT } else { 1.0 },
            ..DiscState::default()
        });
        let discs: Vec<DiscState> = discs.collect();
        let mut space = support::space(discs, &[(Terrain::Arena { half_size: Vec2::splat(12.0) }, Vec2::ZERO, 0.0)]);
        let settings = CollisionSettings { impact_budget: 10, ..support::continuous() };
        for _ in 0..4 {
            run_tick(&mut space, &settings, 1.0 / 60.0, |_| {});
            assert!(all_finite(&space));
            assert!(space.discs.position.iter().all(|p| p.abs().max_element() < 12.0));
        }
    }
}

#[test]
fn a_million_discs_come_and_go_at_once() {
    let mut app = support::app();
    let discs: Vec<Entity> =
        app.world_mut()
            .spawn_batch((0..1_000_000).map(|i| {
                (Disc, Position(Vec2::new((i % 1000) as f32, (i / 1000) as f32) * 1.5), Radius(0.5), Mass(1.0))
            }))
            .collect();
    support::ticks(&mut app, 1);
    assert_eq!(app.world().resource::<PhysicsSpace>().discs.len(), 1_000_000);
    for disc in discs {
        app.world_mut().despawn(disc);
    }
    support::ticks(&mut app, 1);
    assert!(app.world().resource::<PhysicsSpace>().discs.is_empty());
}

#[test]
fn a_force_that_makes_no_sense_of_a_disc_harms_only_that_disc() {
    for (settings, scan_limit) in
        [(CollisionSettings::default(), 0), (support::continuous(), 0), (support::continuous(), 64)]
    {
        for bad in [Vec2::INFINITY, Vec2::NAN, Vec2::new(1e30, 0.0)] {
            for place in [false, true] {
                let discs =
                    (0..5).map(|i| DiscState { position: Vec2::new(2.0 * i as f32, 0.0), ..DiscState::default() });
                let mut space =
                    support::space(discs, &[(Terrain::Arena { half_size: Vec2::splat(20.0) }, Vec2::ZERO, 0.0)]);
                space.compute.scan_limit = ScanLimit(scan_limit);
                run_tick(&mut space, &settings, 1.0 / 60.0, |space| {
                    let values = if place { &mut space.discs.position } else { &mut space.discs.velocity };
                    values[2] = bad;
                });
                for i in [0, 1, 3, 4] {
                    assert_eq!(space.discs.position[i], Vec2::new(2.0 * i as f32, 0.0));
                    assert_eq!(space.discs.velocity[i], Vec2::ZERO);
                }
            }
        }
    }
}

#[test]
fn discs_that_a_system_adds_in_the_middle_of_a_tick_are_taken_in() {
    let settings =
        CollisionSettings { substeps: 4, resting_speed: 1.0, sleep_speed: 0.001, ..CollisionSettings::default() };
    let discs = (0..30).map(|i| DiscState {
        position: Vec2::new(0.9 * (i % 6) as f32, 0.5 + 0.9 * (i / 6) as f32),
        ..DiscState::default()
    });
    let floor = Terrain::Segment { a: Vec2::new(-20.0, 0.0), b: Vec2::new(20.0, 0.0) };
    let mut space = support::space(discs, &[(floor, Vec2::ZERO, 0.0)]);
    for tick in 0..20 {
        let mut calls = 0;
        run_tick(&mut space, &settings, 1.0 / 60.0, |space| {
            carom::motion::gravity(space, Vec2::new(0.0, -10.0));
            calls += 1;
            if calls == 3 && tick % 5 == 2 {
                let id = 100 + tick;
                space.discs.push(DiscState { id, position: Vec2::new(2.0, 6.0), ..DiscState::default() });
            }
        });
        assert!(all_finite(&space));
    }
    assert_eq!(space.discs.len(), 34);
}

/// A tick may leave a disc anywhere; the next one takes it out. Between the two, its overlaps may be measured.
#[test]
fn overlaps_can_be_measured_wherever_discs_are() {
    for far in [1e13, 1e20, 1e30, f32::MAX] {
        for (far, small) in [(vec2(-far, far), 0.1), (vec2(far, -far), 0.1), (vec2(far, far), 0.5)] {
            let places = [(Vec2::ZERO, 0.5), (vec2(0.5, 0.0), 0.5), (far, small)];
            let discs = places.map(|(position, radius)| DiscState { position, radius, ..DiscState::default() });
            let overlap = measure::overlap(&discs.into_iter().collect());
            assert_eq!((overlap.pairs, overlap.worst), (1, 1.0), "{far}");
        }
    }
}
