//! Nanoseconds per disc and tick: the whole tick in an app, each of its stages, and the gain by SIMD and threads.
//!
//! `cargo bench` prints criterion's table; throughput is in discs, so "1/throughput" is the time per disc and tick. The
//! scenes are common benchmarks of collision engines: an elastic gas (area fraction 0.4, one substep) and a pile.
//! `peers/` runs them in other engines, too.

use bevy::prelude::*;
use carom::{
    collision::{PhysicsSpace, SimdLevel, Stage, Threads},
    prelude::*,
    scene::{
        self, SceneFile, ScenePlugin, SceneSource,
        generate::{Gas, Generator, Pile},
    },
    timeline,
};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::{path::PathBuf, time::Duration};

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// Makes a scene with this many discs.
type Scene = fn(usize) -> SceneFile;

const SCENES: [(&str, Scene); 2] = [("gas", gas), ("pile", pile)];

fn gas(count: usize) -> SceneFile {
    SceneFile { generate: vec![Generator::Gas(Gas { count, seed: 1, ..Gas::default() })], ..SceneFile::default() }
}

/// The shipped pile with this many discs.
fn pile(count: usize) -> SceneFile {
    let mut file =
        SceneFile::parse(include_str!("../assets/scenes/pile.ron"), "pile").expect("the shipped pile is sound");
    file.generate = vec![Generator::Pile(Pile { count, seed: 1, ..Pile::default() })];
    file
}

/// An app in the middle of the scene: the gas has mixed, the pile has fallen.
fn app(file: SceneFile) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin));
    timeline::run_in_order(&mut app);
    app.finish();
    app.cleanup();
    scene::spawn(app.world_mut(), SceneSource::Path(PathBuf::from("bench")), file).expect("the scene is sound");
    for _ in 0..300 {
        tick(&mut app);
    }
    app
}

fn tick(app: &mut App) {
    timeline::advance(app.world_mut(), 1);
}

fn whole_tick(criterion: &mut Criterion) {
    for (name, scene) in SCENES {
        let mut group = criterion.benchmark_group(format!("tick/{name}"));
        group.sample_size(10);
        for count in SIZES {
            let mut app = app(scene(count));
            group.throughput(Throughput::Elements(count as u64));
            group.bench_function(BenchmarkId::from_parameter(count), |bencher| bencher.iter(|| tick(&mut app)));
        }
        group.finish();
    }
}

/// The time of each stage of the tick, as measured for the panel, without stages that take next to nothing.
fn stages(criterion: &mut Criterion) {
    let count = 10_000;
    for (name, scene) in SCENES {
        let mut app = app(scene(count));
        let mut group = criterion.benchmark_group(format!("stage/{name}"));
        group.throughput(Throughput::Elements(count as u64));
        // Whole ticks run to measure a stage, so a short time per stage is plenty.
        group.sample_size(10).warm_up_time(Duration::from_millis(50)).measurement_time(Duration::from_millis(30));
        let whole: Duration = app.world().resource::<PhysicsSpace>().report.stage_times.iter().sum();
        for (stage, name) in Stage::ALL {
            let time = |app: &App| app.world().resource::<PhysicsSpace>().report.stage_times[stage as usize];
            if time(&app) < whole / 100 {
                continue;
            }
            group.bench_function(name, |bencher| {
                bencher.iter_custom(|ticks| {
                    (0..ticks)
                        .map(|_| {
                            tick(&mut app);
                            time(&app)
                        })
                        .sum()
                });
            });
        }
        group.finish();
    }
}

/// The same tick at each SIMD level of the processor, and divided into more and more tasks.
fn simd_and_threads(criterion: &mut Criterion) {
    for (count, tasks) in [(10_000, 1), (100_000, 1), (100_000, 2), (100_000, 4)] {
        let mut app = app(gas(count));
        let mut group = criterion.benchmark_group(format!("simd/{count} discs, {tasks} tasks"));
        group.throughput(Throughput::Elements(count as u64));
        for simd in SimdLevel::available() {
            let mut space = app.world_mut().resource_mut::<PhysicsSpace>();
            (space.compute.simd, space.compute.threads) = (simd, Threads::Tasks(tasks));
            group.bench_function(simd.name(), |bencher| bencher.iter(|| tick(&mut app)));
        }
        group.finish();
    }
}

/// A component of a game, which moves a disc into another table of the ECS.
#[derive(Component)]
struct Marked;

/// Gather and scatter for uniform discs, with some that are rejected, and with some of another kind.
fn to_and_fro(criterion: &mut Criterion) {
    let count = 100_000;
    let mut group = criterion.benchmark_group(format!("gather and scatter/{count} discs"));
    group.throughput(Throughput::Elements(count as u64));
    group.sample_size(10).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(300));
    for (rejected, marked) in [(0, 0), (1, 0), (1000, 0), (0, 1), (0, 1000)] {
        let mut app = app(gas(count));
        let world = app.world_mut();
        let discs: Vec<Entity> = world.query_filtered::<Entity, With<Disc>>().iter(world).collect();
        let some =
            |share: usize| discs.iter().skip(count / (2 * share.max(1))).step_by(count / share.max(1)).take(share);
        for &disc in some(rejected) {
            world.entity_mut(disc).insert(Radius(f32::NAN));
        }
        for &disc in some(marked) {
            world.entity_mut(disc).insert(Marked);
        }
        tick(&mut app);
        group.bench_function(format!("{rejected} rejected, {marked} of another kind"), |bencher| {
            bencher.iter_custom(|ticks| {
                (0..ticks)
                    .map(|_| {
                        tick(&mut app);
                        let times = app.world().resource::<PhysicsSpace>().report.stage_times;
                        times[Stage::Gather as usize] + times[Stage::Scatter as usize]
                    })
                    .sum()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, whole_tick, stages, simd_and_threads, to_and_fro);
criterion_main!(benches);
