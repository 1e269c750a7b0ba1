//! Nanoseconds per disc and tick: the whole tick as an app runs it, and each step by itself.
//!
//! `cargo bench` prints criterion's table; throughput is in discs, so "1/throughput" is the time per disc and tick. The
//! scenes are those by which collision engines are compared: an elastic gas (area fraction 0.4, one substep) and a pile.

use bevy::{ecs::schedule::SingleThreadedExecutor, prelude::*};
use carom::{
    collision::{Space, broad_phase, corners, impulse, integrate, measure, push_apart, settle, walls},
    prelude::*,
    scene::{
        self, SceneFile, ScenePlugin, SceneSource,
        generate::{Gas, Generator, Pile},
    },
    timeline,
};
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::{hint::black_box, path::PathBuf};

const SIZES: [usize; 2] = [1_000, 10_000];

fn gas(count: usize) -> SceneFile {
    SceneFile { generate: vec![Generator::Gas(Gas { count, seed: 1, ..Gas::default() })], ..SceneFile::default() }
}

/// The shipped pile, with as many discs as asked for.
fn pile(count: usize) -> SceneFile {
    let mut file =
        SceneFile::parse(include_str!("../assets/scenes/pile.ron"), "pile").expect("the shipped pile is sound");
    file.generate = vec![Generator::Pile(Pile { count, seed: 1, ..Pile::default() })];
    file
}

/// An app that stands in the middle of the scene: the gas has mixed, the pile has fallen.
fn app(file: SceneFile) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins, ScenePlugin));
    app.edit_schedule(FixedUpdate, |schedule| {
        schedule.set_executor(SingleThreadedExecutor::new());
    });
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
    for (name, scene) in [("gas", gas as fn(usize) -> SceneFile), ("pile", pile)] {
        let mut group = criterion.benchmark_group(format!("tick/{name}"));
        for count in SIZES {
            let mut app = app(scene(count));
            group.throughput(Throughput::Elements(count as u64));
            group.bench_function(BenchmarkId::from_parameter(count), |bencher| bencher.iter(|| tick(&mut app)));
        }
        group.finish();
    }
}

/// A step, by name.
type Step = (&'static str, fn(&mut Space));

const STEPS: [Step; 7] = [
    ("broad_phase", broad_phase::broad_phase),
    ("integrate", integrate::integrate),
    ("push_apart", push_apart::push_apart),
    ("impulse", impulse::impulse),
    ("walls", walls::walls),
    ("corners", corners::corners),
    ("settle", settle::settle),
];

fn steps(criterion: &mut Criterion) {
    let count = 10_000;
    for (name, scene) in [("gas", gas as fn(usize) -> SceneFile), ("pile", pile)] {
        let app = app(scene(count));
        let mut space = app.world().resource::<Space>().clone();
        let mut group = criterion.benchmark_group(format!("step/{name}"));
        group.throughput(Throughput::Elements(count as u64));
        for (step, run) in STEPS {
            // Each step is measured on what the steps before it left.
            group.bench_function(step, |bencher| {
                bencher.iter_batched_ref(|| space.clone(), |space| run(black_box(space)), BatchSize::LargeInput);
            });
            run(&mut space);
        }
        group.bench_function("state_hash", |bencher| bencher.iter(|| measure::state_hash(black_box(&space.bodies))));
        group.finish();
    }
}

criterion_group!(benches, whole_tick, steps);
criterion_main!(benches);
