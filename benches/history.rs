//! The costs of a history: a tick with and without it, and a seek back by a second, in an elastic gas.

use bevy::prelude::*;
use carom::{
    prelude::*,
    scene::{
        self, SceneFile, ScenePlugin, SceneSource,
        generate::{Gas, Generator},
    },
    timeline::{self, History, HistoryPlugin},
};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// Ticks in a second of the scene.
const SECOND: u64 = 60;

/// An app after three seconds of a gas.
fn app(count: usize, with_history: bool) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin));
    if with_history {
        app.add_plugins(HistoryPlugin::default());
    }
    timeline::run_in_order(&mut app);
    app.finish();
    app.cleanup();
    let gas = Generator::Gas(Gas { count, seed: 1, ..Gas::default() });
    let file = SceneFile { generate: vec![gas], ..SceneFile::default() };
    scene::spawn(app.world_mut(), SceneSource::Path(PathBuf::from("bench")), file).expect("the scene is sound");
    timeline::advance(app.world_mut(), 3 * SECOND);
    app
}

fn ticks(criterion: &mut Criterion) {
    for (name, with_history) in [("without", false), ("with", true)] {
        let mut group = criterion.benchmark_group(format!("history/tick {name}"));
        group.sample_size(10);
        for count in SIZES {
            let mut app = app(count, with_history);
            group.throughput(Throughput::Elements(count as u64));
            group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
                bencher.iter(|| timeline::advance(app.world_mut(), 1));
            });
        }
        group.finish();
    }
}

fn seek_back(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("history/seek back 1 s");
    group.sample_size(10);
    for count in SIZES {
        let mut app = app(count, true);
        let end = app.world().resource::<History>().end();
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
            bencher.iter_custom(|seeks| {
                let mut time = Duration::ZERO;
                for _ in 0..seeks {
                    timeline::seek(app.world_mut(), end).expect("it is in the history");
                    let start = Instant::now();
                    timeline::seek(app.world_mut(), end - SECOND).expect("it is in the history");
                    time += start.elapsed();
                }
                time
            });
        });
    }
    group.finish();
}

criterion_group!(benches, ticks, seek_back);
criterion_main!(benches);
