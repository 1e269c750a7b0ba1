//! The continuous mode: impacts per second in dense gases, and the prediction of whole break shots.
//!
//! Throughput is in impacts, with discs and walls, on one core and without an ECS. "1/throughput" is the time per
//! impact, including all other costs of a tick. The gas is that of `tick.rs`, but dense: its discs cover 0.65 of the
//! box, so that each has about 90 impacts per second.

use bevy::{ecs::system::SystemState, prelude::*};
use carom::{
    billiards::tables::Rack,
    collision::{
        CollisionSettings, PhysicsSpace, Snapshot, SolverMode, Threads, run_tick,
        spin::{
            Cloth, Spin, TablePhysics,
            cushion::{Cushion, CushionRestitution},
        },
    },
    motion::{ForceLaw, Forces},
    prelude::*,
    scene::{
        self, SceneFile, ScenePlugin, SceneSource,
        generate::{Gas, Generator},
    },
    timeline::{Horizon, Prediction, advance},
};
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::{path::PathBuf, time::Duration};

const TIME_STEP: f32 = 1.0 / 60.0;

/// The state of a scene after this many ticks.
fn state(file: SceneFile, ticks: u64) -> PhysicsSpace {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin));
    app.finish();
    app.cleanup();
    scene::spawn(app.world_mut(), SceneSource::Path(PathBuf::from("bench")), file).expect("the scene is sound");
    advance(app.world_mut(), ticks);
    let mut snapshot = SystemState::<Snapshot>::new(app.world_mut());
    snapshot.get(app.world()).expect("discs and terrain can be read").space()
}

/// A dense gas after one second, with its settings.
fn dense_gas(count: usize) -> (PhysicsSpace, CollisionSettings) {
    let collision = CollisionSettings { mode: SolverMode::Continuous, ..CollisionSettings::default() };
    let gas = Gas { count, seed: 1, area_fraction: 0.65, ..Gas::default() };
    let file = SceneFile { collision: collision.clone(), generate: vec![Generator::Gas(gas)], ..SceneFile::default() };
    let mut start = state(file, 60);
    start.compute.threads = Threads::Tasks(1);
    (start, collision)
}

fn impacts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("impacts");
    for (count, ticks) in [(16, 600), (1_000, 20), (10_000, 4)] {
        let (start, collision) = dense_gas(count);
        let run = |space: &mut PhysicsSpace| {
            for _ in 0..ticks {
                run_tick(space, &collision, TIME_STEP, |_| {});
            }
        };
        let mut once = start.clone();
        run(&mut once);
        group.throughput(Throughput::Elements(once.report.collisions));
        group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
            bencher.iter_batched_ref(|| start.clone(), run, BatchSize::LargeInput);
        });
    }
    group.finish();
}

/// The same gas with balls that have spin and friction, on a table without friction.
fn impacts_with_spin(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("impacts with spin");
    for (count, ticks) in [(16, 600), (1_000, 20)] {
        let (mut start, collision) = dense_gas(count);
        for i in 0..start.discs.len() {
            start.discs.set_spin(i, Some(Spin::default()));
        }
        let cloth = Cloth { sliding: 0.0, rolling: 0.0, spinning: 0.0, ..Cloth::default() };
        let cushion = Cushion { restitution: CushionRestitution::Constant(1.0), ..Cushion::default() };
        let table = TablePhysics { cloth, cushion, ..TablePhysics::default() };
        let run = |space: &mut PhysicsSpace| {
            for _ in 0..ticks {
                run_tick(space, &collision, TIME_STEP, |space| table.act(space));
            }
        };
        let mut once = start.clone();
        run(&mut once);
        group.throughput(Throughput::Elements(once.report.collisions - start.report.collisions));
        group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
            bencher.iter_batched_ref(|| start.clone(), run, BatchSize::LargeInput);
        });
    }
    group.finish();
}

/// From the stroke until all balls are at rest: on a table with smooth discs, and on one with spin and pockets.
fn preview(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("preview");
    for (scene, name, velocity) in [
        ("break", "break", Vec2::new(9.0, 0.05)),
        ("break", "soft shot", Vec2::new(1.5, 0.05)),
        ("nine-ball", "nine-ball break with spin and pockets", Vec2::new(9.0, 0.05)),
        ("eight-ball", "eight-ball break with spin and pockets", Vec2::new(9.0, 0.05)),
    ] {
        let mut file = SceneSource::Shipped(if scene == "eight-ball" { "nine-ball" } else { scene })
            .load()
            .expect("the shipped scenes are sound");
        if let (Some(Generator::Table(table)), "eight-ball") = (file.generate.first_mut(), scene) {
            table.rack = Some(Rack::EightBall);
        }
        let (collision, time_step) = (file.collision.clone(), 1.0 / file.pace.tick_rate as f32);
        let mut forces = Forces::from(&file.motion);
        if let Some(table) = file.expand().expect("the shipped scenes are sound").table {
            forces.set(table);
        }
        let mut start = state(file, 0);
        let cue_ball = (0..start.discs.len())
            .min_by(|&a, &b| start.discs.position[a].x.total_cmp(&start.discs.position[b].x))
            .expect("there are balls");
        start.discs.velocity[cue_ball] = velocity;
        let horizon = Horizon { seconds: 100.0, ..Horizon::default() };
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || start.clone(),
                |space| {
                    let mut prediction = Prediction::of(space, forces.clone(), &collision, time_step, horizon);
                    prediction.run_for(Duration::MAX);
                    prediction
                },
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, impacts, impacts_with_spin, preview);
criterion_main!(benches);
