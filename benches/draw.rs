//! The processor time for drawing: discs from components to the instances that the graphics card reads, between two
//! ticks. No graphics card is needed.

use bevy::prelude::*;
use carom::{
    interpolation::interpolate,
    prelude::*,
    scene::{
        self, SceneFile, ScenePlugin, SceneSource,
        generate::{Gas, Generator},
    },
    timeline::advance,
    view::{
        ColourBy, DiscsPlugin, ViewSettings,
        scene::discs::{DiscInstances, list_discs, repaint},
    },
};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::path::PathBuf;

/// A gas after two ticks.
fn app(count: usize) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin, DiscsPlugin));
    app.finish();
    app.cleanup();
    let file =
        SceneFile { generate: vec![Generator::Gas(Gas { count, seed: 1, ..Gas::default() })], ..SceneFile::default() };
    scene::spawn(app.world_mut(), SceneSource::Path(PathBuf::from("bench")), file).expect("the scene is sound");
    advance(app.world_mut(), 2);
    app
}

fn draw(criterion: &mut Criterion) {
    for colour_by in [ColourBy::Look, ColourBy::Speed] {
        let mut group = criterion.benchmark_group(format!("draw/{colour_by:?}"));
        group.sample_size(20);
        for count in [1_000, 100_000, 1_000_000] {
            let mut app = app(count);
            app.world_mut().resource_mut::<ViewSettings>().colour_by = colour_by;
            let mut picture = Schedule::default();
            picture.add_systems((interpolate, repaint, list_discs).chain());
            picture.set_executor(bevy::ecs::schedule::SingleThreadedExecutor::new());
            let mut upload = Vec::new();
            group.throughput(Throughput::Elements(count as u64));
            group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
                bencher.iter(|| {
                    picture.run(app.world_mut());
                    // As if the driver had taken it over.
                    upload.clear();
                    app.world().resource::<DiscInstances>().copy_to(&mut upload);
                });
            });
            assert!(upload.is_empty() || upload.len() == count);
        }
        group.finish();
    }
}

criterion_group!(benches, draw);
criterion_main!(benches);
