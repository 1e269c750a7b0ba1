//! The same scene gives the same bits however it is run. It is repeated, spawned in another order, stored in other
//! archetypes, run with and without an ECS, and restored from a snapshot of its components.

use bevy::prelude::*;
use carom::{
    collision::{CollisionSettings, DiscState, Discs, PhysicsSpace, SimdLevel, SolverMode, Threads, measure, run_tick},
    motion,
    prelude::*,
};

use crate::support;

const DISCS: usize = 120;
const TICKS: usize = 240;

fn hashes(app: &mut App) -> Vec<u64> {
    (0..TICKS)
        .map(|_| {
            app.update();
            support::hash(app)
        })
        .collect()
}

fn crowded_app(order: impl FnOnce(&mut Vec<DiscState>)) -> App {
    let mut app = support::app();
    support::settings(&mut app, |s| {
        s.restitution = 0.9;
        s.substeps = 2;
    });
    let (mut discs, half_size) = support::random_discs(DISCS, 7);
    order(&mut discs);
    support::fill(&mut app, &discs, half_size);
    app
}

#[test]
fn every_tick_of_a_repeated_run_has_the_same_hash() {
    assert_eq!(hashes(&mut crowded_app(|_| {})), hashes(&mut crowded_app(|_| {})));
}

#[test]
fn the_order_of_spawning_does_not_matter() {
    let plain = hashes(&mut crowded_app(|_| {}));
    assert_eq!(plain, hashes(&mut crowded_app(|discs| discs.reverse())));
    assert_eq!(plain, hashes(&mut crowded_app(|discs| discs.rotate_left(41))));
    for kind in 4..KINDS {
        let ordered =
            |order: fn(&mut Vec<DiscState>)| hashes_in_order(kind, SimdLevel::default(), Threads::Auto, order);
        let plain = ordered(|_| {});
        assert_eq!(plain, ordered(|_| {}), "kind {kind}, again");
        assert_eq!(plain, ordered(|discs| discs.reverse()), "kind {kind}, reversed");
        assert_eq!(plain, ordered(|discs| discs.rotate_left(23)), "kind {kind}, turned");
    }
}

#[derive(Component)]
struct Decoration;

#[test]
fn other_entities_and_components_do_not_matter() {
    let plain = hashes(&mut crowded_app(|_| {}));
    let mut app = support::app();
    let clutter: Vec<Entity> = (0..50).map(|_| app.world_mut().spawn(Decoration).id()).collect();
    for entity in clutter.iter().step_by(3) {
        app.world_mut().despawn(*entity);
    }
    support::settings(&mut app, |s| {
        s.restitution = 0.9;
        s.substeps = 2;
    });
    let (discs, half_size) = support::random_discs(DISCS, 7);
    support::fill(&mut app, &discs, half_size);
    let some: Vec<Entity> =
        app.world_mut().query_filtered::<Entity, With<Disc>>().iter(app.world()).step_by(5).collect();
    for entity in some {
        app.world_mut().entity_mut(entity).insert(Decoration);
    }
    assert_eq!(plain, hashes(&mut app));
}

#[test]
fn the_plain_functions_give_what_the_systems_give() {
    let with_ecs = hashes(&mut crowded_app(|_| {}));
    let (discs, half_size) = support::random_discs(DISCS, 7);
    let mut space = PhysicsSpace::default();
    for disc in discs {
        space.discs.push(disc);
    }
    space.add_terrain(
        Entity::PLACEHOLDER,
        &Terrain::Arena { half_size },
        Position::default(),
        Rotation::default(),
        None,
    );
    space.finish_terrain();
    let settings = CollisionSettings { restitution: 0.9, substeps: 2, ..CollisionSettings::default() };
    // 1/60 s as represented by Bevy's clock.
    let time_step = std::time::Duration::from_secs_f64(1.0 / 60.0).as_secs_f32();
    let without: Vec<u64> = (0..TICKS)
        .map(|_| {
            run_tick(&mut space, &settings, time_step, |_| {});
            measure::state_hash(&space.discs)
        })
        .collect();
    assert_eq!(with_ecs, without);
}

/// The number of kinds of [`varied`].
const KINDS: usize = 7;

/// Gas, pile, radii of 100:1, and a pile that falls asleep; in the continuous mode many, few that collapse, and radii
/// of 100:1. Each uses other parts of the search and the solver.
fn varied(kind: usize) -> (Vec<DiscState>, Vec2, CollisionSettings, Vec2) {
    let (mut discs, half_size) = support::random_discs(DISCS, 7 + kind as u64);
    let mut settings = CollisionSettings { restitution: 0.9, substeps: 1, ..CollisionSettings::default() };
    let mut gravity = Vec2::ZERO;
    match kind {
        0 => {}
        1 | 3 => {
            let sleep_speed = if kind == 3 { 0.02 } else { 0.0 };
            settings = CollisionSettings { restitution: 0.3, substeps: 4, resting_speed: 1.0, sleep_speed, ..settings };
            gravity = Vec2::new(2.0, -10.0);
        }
        4 => settings.mode = SolverMode::Continuous,
        5 => {
            settings = CollisionSettings { restitution: 0.1, terrain_restitution: 0.2, impact_budget: 100, ..settings };
            settings.mode = SolverMode::Continuous;
            gravity = Vec2::new(2.0, -10.0);
            discs.truncate(30);
        }
        _ => {
            let mut dice = support::Dice(5);
            settings.substeps = 3;
            settings.mode = if kind == 6 { SolverMode::Continuous } else { SolverMode::Stepped };
            for disc in &mut discs {
                disc.radius *= [1.0, 0.3, 0.05, 0.01][(dice.next() % 4) as usize];
                disc.mass = disc.radius * disc.radius;
            }
        }
    }
    (discs, half_size, settings, gravity)
}

fn hashes_with(kind: usize, simd: SimdLevel, threads: Threads) -> Vec<u64> {
    hashes_in_order(kind, simd, threads, |_| {})
}

fn hashes_in_order(
    kind: usize,
    simd: SimdLevel,
    threads: Threads,
    order: impl FnOnce(&mut Vec<DiscState>),
) -> Vec<u64> {
    let (mut discs, half_size, settings, gravity) = varied(kind);
    order(&mut discs);
    let mut app = support::app();
    app.insert_resource(settings);
    app.insert_resource(MotionSettings { gravity, ..MotionSettings::default() });
    let mut space = app.world_mut().resource_mut::<PhysicsSpace>();
    (space.compute.simd, space.compute.threads) = (simd, threads);
    support::fill(&mut app, &discs, half_size);
    hashes(&mut app)
}

#[test]
fn the_simd_level_and_the_number_of_threads_do_not_matter() {
    for kind in 0..KINDS {
        let plain = hashes_with(kind, SimdLevel::available()[0], Threads::Tasks(1));
        // Falling discs come to rest.
        let lively = if [3, 5].contains(&kind) { 60 } else { TICKS };
        assert!(plain[..lively].windows(2).all(|two| two[0] != two[1]), "something happens in every tick");
        for simd in SimdLevel::available() {
            assert_eq!(plain, hashes_with(kind, simd, Threads::Auto), "kind {kind}, {}", simd.name());
        }
        for tasks in [2, 3, 4, 8] {
            assert_eq!(
                plain,
                hashes_with(kind, SimdLevel::default(), Threads::Tasks(tasks)),
                "kind {kind}, {tasks} tasks"
            );
        }
    }
}

#[test]
fn a_snapshot_of_a_dense_moment_restores_the_run() {
    for kind in 0..KINDS {
        let (discs, half_size, settings, gravity) = varied(kind);
        let app = |discs: &[DiscState]| {
            let mut app = support::app();
            app.insert_resource(settings.clone());
            app.insert_resource(MotionSettings { gravity, ..MotionSettings::default() });
            support::fill(&mut app, discs, half_size);
            app
        };
        let mut first = app(&discs);
        support::ticks(&mut first, 100);
        let overlap = measure::overlap(&Discs::of(first.world_mut()));
        assert!(overlap.pairs > 0 || settings.mode == SolverMode::Continuous, "kind {kind}: nothing touches");
        let snapshot = Discs::of(first.world_mut());
        let snapshot: Vec<DiscState> = (0..snapshot.len()).rev().map(|i| snapshot.get(i)).collect();
        assert_eq!(hashes(&mut first), hashes(&mut app(&snapshot)), "kind {kind}");
    }
}

#[test]
fn a_snapshot_of_the_components_restores_the_run() {
    let mut first = crowded_app(|_| {});
    support::ticks(&mut first, 100);
    let mut second = support::app();
    support::settings(&mut second, |s| {
        s.restitution = 0.9;
        s.substeps = 2;
    });
    let (_, half_size) = support::random_discs(DISCS, 7);
    let snapshot = Discs::of(first.world_mut());
    let snapshot: Vec<DiscState> = (0..snapshot.len()).map(|i| snapshot.get(i)).collect();
    support::fill(&mut second, &snapshot, half_size);
    assert_eq!(hashes(&mut first), hashes(&mut second));
}

/// Pairs of a pile are searched again only where it has moved: that must not affect the result, whatever happens
/// between the ticks.
#[test]
fn a_tick_of_a_pile_follows_from_its_discs_alone() {
    let (discs, half_size, mut settings, gravity) = varied(3);
    let space_of = |discs: Discs| {
        let mut space = PhysicsSpace::default();
        space.discs = discs;
        let arena = Terrain::Arena { half_size };
        space.add_terrain(Entity::PLACEHOLDER, &arena, Position::default(), Rotation::default(), None);
        space.finish_terrain();
        space
    };
    let tick = |space: &mut PhysicsSpace, settings: &CollisionSettings| {
        run_tick(space, settings, 1.0 / 60.0, |space| motion::gravity(space, gravity));
    };
    let mut space = space_of(discs.into_iter().collect());
    let mut dice = support::Dice(11);
    for turn in 0..300_usize {
        settings.mode = if turn % 50 == 49 { SolverMode::Continuous } else { SolverMode::Stepped };
        let mut alone = space_of(space.discs.clone());
        tick(&mut alone, &settings);
        tick(&mut space, &settings);
        assert_eq!(measure::state_hash(&space.discs), measure::state_hash(&alone.discs), "turn {turn}");
        let discs = &mut space.discs;
        let (i, j) = (dice.next() as usize % discs.len(), dice.next() as usize % discs.len());
        match turn % 10 {
            3 => discs.velocity[i] = dice.vec(20.0),
            4 => discs.position[i] = discs.position[j] + Vec2::new(0.3, 0.1),
            6 => discs.radius[i] *= dice.range(0.5, 1.6),
            8 => discs.position.swap(i, j),
            9 => {
                // Another disc in its place.
                let mut others: Vec<DiscState> = (0..discs.len()).map(|k| discs.get(k)).collect();
                let last = others.iter().map(|disc| disc.id).max().unwrap();
                others[i] = DiscState { id: last + 1, position: others[j].position * 0.5, ..others[i] };
                *discs = others.into_iter().collect();
            }
            _ => {}
        }
    }
}
