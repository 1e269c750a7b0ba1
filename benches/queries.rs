//! The cost of queries among 10,000 discs and a hundred walls. Measured are a thousand rays, disc casts, paths of ten
//! bounces, and searches for the nearest disc or for all discs near a place. Also measured are the first query of a
//! tick, which sorts the discs, and for comparison a tick of the same gas.

use bevy::prelude::*;
use carom::{
    collision::{CollisionSettings, DiscState, PathCast, PhysicsSpace, SpatialQueryFilter, Threads, run_tick},
    prelude::*,
};
use criterion::{Criterion, criterion_group, criterion_main};
use std::{hint::black_box, time::Duration};

const TIME_STEP: f32 = 1.0 / 60.0;

/// A gas of 10,000 discs of radius 0.4 m in a box of 200 m (area fraction 0.125), with 25 blocks.
fn gas() -> PhysicsSpace {
    let mut space = PhysicsSpace::default();
    space.compute.threads = Threads::Tasks(1);
    let arena = Terrain::Arena { half_size: Vec2::splat(100.5) };
    space.add_terrain(Entity::PLACEHOLDER, &arena, Position::default(), Rotation::default(), None);
    for i in 0..25_u16 {
        let at = Vec2::new(f32::from(i % 5), f32::from(i / 5)) * 40.0 - 79.0;
        let block = Terrain::Block { half_size: Vec2::splat(0.4) };
        space.add_terrain(Entity::PLACEHOLDER, &block, Position(at), Rotation(0.5), None);
    }
    space.finish_terrain();
    for i in 0..10_000_u16 {
        let position = Vec2::new(f32::from(i % 100), f32::from(i / 100)) * 2.0 - 99.0;
        let velocity = Vec2::new(f32::from(i * 7 % 13) - 6.0, f32::from(i % 17) - 8.0) * 0.5;
        space.discs.push(DiscState { id: i.into(), position, velocity, radius: 0.4, ..DiscState::default() });
    }
    for _ in 0..200 {
        tick(&mut space);
    }
    space
}

fn tick(space: &mut PhysicsSpace) {
    run_tick(space, &CollisionSettings::default(), TIME_STEP, |_| {});
}

/// A thousand positions and directions.
fn places() -> Vec<(Vec2, Dir2)> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32 * 2.0 - 1.0
    };
    (0..1_000)
        .map(|_| (Vec2::new(next(), next()) * 95.0, Dir2::new(Vec2::new(next(), next())).unwrap_or(Dir2::X)))
        .collect()
}

fn queries(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("queries");
    group.sample_size(10).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    let mut space = gas();
    let (places, all) = (places(), SpatialQueryFilter::default());
    let through_discs = all.only_terrain();
    let far = f32::INFINITY;
    group.bench_function("a tick", |bencher| bencher.iter(|| tick(&mut space)));
    group.bench_function("a tick and one ray", |bencher| {
        bencher.iter(|| {
            tick(&mut space);
            black_box(space.cast_ray(Vec2::ZERO, Dir2::X, far, &all));
        });
    });
    let mut thousand = |name: &str, ask: &dyn Fn(Vec2, Dir2)| {
        group.bench_function(name, |bencher| bencher.iter(|| places.iter().for_each(|&(at, way)| ask(at, way))));
    };
    thousand("1,000 rays", &|at, way| _ = black_box(space.cast_ray(at, way, far, &all)));
    thousand("1,000 rays past the discs", &|at, way| _ = black_box(space.cast_ray(at, way, far, &through_discs)));
    thousand("1,000 discs cast", &|at, way| _ = black_box(space.cast_disc(at, 0.4, way, far, &all)));
    thousand("1,000 rays, all hits", &|at, way| _ = black_box(space.ray_hits(at, way, far, &all.only_discs())));
    thousand("1,000 paths of ten bounces", &|at, way| {
        let cast = PathCast { position: at, velocity: *way, radius: 0.4, bounces: 10, length: far, ..default() };
        let _ = black_box(space.cast_path(&cast, &through_discs));
    });
    thousand("1,000 nearest discs", &|at, _| _ = black_box(space.nearest_disc(at, far, &all)));
    thousand("1,000 nearest walls", &|at, _| _ = black_box(space.nearest_terrain(at, far, &all)));
    thousand("1,000 lists within 2 m", &|at, _| _ = black_box(space.discs_overlapping(at, 2.0, &all)));
    group.finish();
}

criterion_group!(benches, queries);
criterion_main!(benches);
