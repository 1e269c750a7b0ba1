//! The cost of terrain: a tick of 1,000 discs near ten walls, with more and more other walls that no disc is near; and
//! one moving block among many.
//!
//! "tick" is without an ECS and on one core, and should not depend on the number of walls. "one block" is a whole tick
//! of an app without discs, with and without a system that moves one of the blocks. The difference is the cost of the
//! move.

use bevy::prelude::*;
use carom::{
    collision::{CollisionSettings, DiscState, PhysicsSpace, SolverMode, Threads, run_tick},
    prelude::*,
    timeline,
};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::time::Duration;

const TIME_STEP: f32 = 1.0 / 60.0;

/// The numbers of walls, in any pieces.
const WALLS: [usize; 3] = [10, 1_000, 100_000];

/// Half of the side of the box around the discs, metres.
const HALF: f32 = 34.0;

/// Ten walls in and around the box of the discs; around it, blocks of 1 m at a distance of 3 m.
fn pieces(walls: usize) -> impl Iterator<Item = (Terrain, Vec2)> {
    let arena = (Terrain::Arena { half_size: Vec2::splat(HALF) }, Vec2::ZERO);
    let inside = (0..6).map(|i| {
        let along = Vec2::new(2.0, if i % 2 == 0 { 1.0 } else { -1.5 });
        (Terrain::Segment { a: -along, b: along }, Vec2::new(i as f32 * 10.0 - 25.0, 1.0))
    });
    [arena].into_iter().chain(inside).chain(blocks((walls - 10) / 4))
}

fn blocks(count: usize) -> impl Iterator<Item = (Terrain, Vec2)> {
    let side = (count as f32 + 4.0 * HALF * HALF / 9.0).sqrt().ceil() as usize + 3;
    let places =
        (0..side * side).map(move |i| (Vec2::new((i % side) as f32, (i / side) as f32) - side as f32 / 2.0) * 3.0);
    let outside = places.filter(|at| at.abs().max_element() > HALF + 1.0).take(count);
    outside.map(|at| (Terrain::Block { half_size: Vec2::splat(0.5) }, at))
}

fn tick(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("terrain/tick");
    group.sample_size(10).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    for walls in WALLS {
        let mut space = PhysicsSpace::default();
        space.compute.threads = Threads::Tasks(1);
        for (piece, at) in pieces(walls) {
            space.add_terrain(Entity::PLACEHOLDER, &piece, Position(at), Rotation::default(), None);
        }
        space.finish_terrain();
        for i in 0..1_000_u16 {
            let place = Vec2::new(f32::from(i % 32), f32::from(i / 32)) * 2.0 - 31.0;
            let velocity = Vec2::new(f32::from(i * 7 % 13) - 6.0, f32::from(i * 11 % 17) - 8.0) * 0.5;
            space.discs.push(DiscState {
                id: i.into(),
                position: place,
                velocity,
                radius: 0.3,
                ..DiscState::default()
            });
        }
        for mode in [SolverMode::Stepped, SolverMode::Continuous] {
            let settings = CollisionSettings { mode, ..CollisionSettings::default() };
            group.bench_function(BenchmarkId::new(format!("{mode:?}"), walls), |bencher| {
                bencher.iter(|| run_tick(&mut space, &settings, TIME_STEP, |_| {}));
            });
        }
    }
    group.finish();
}

/// The moving block.
#[derive(Component)]
struct Moves;

fn one_block(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("terrain/one block");
    group.sample_size(10).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    for walls in WALLS {
        for what in ["still", "moves"] {
            let mut app = App::new();
            app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
            app.add_systems(FixedPostUpdate, move_it.before(SimulationSystems));
            timeline::run_in_order(&mut app);
            app.finish();
            app.cleanup();
            for (piece, at) in blocks(walls / 4) {
                app.world_mut().spawn((piece, Position(at)));
            }
            if what == "moves" {
                app.world_mut().spawn((Terrain::Block { half_size: Vec2::splat(0.5) }, Moves));
            }
            timeline::advance(app.world_mut(), 1);
            group.bench_function(BenchmarkId::new(what, walls), |bencher| {
                bencher.iter(|| timeline::advance(app.world_mut(), 1));
            });
        }
    }
    group.finish();
}

fn move_it(mut blocks: Query<&mut Position, With<Moves>>, mut angle: Local<f32>) {
    for mut position in &mut blocks {
        *angle += 0.01;
        position.0 = Vec2::new(bevy::math::ops::cos(*angle), bevy::math::ops::sin(*angle)) * (HALF + 10.0);
    }
}

criterion_group!(benches, tick, one_block);
criterion_main!(benches);
