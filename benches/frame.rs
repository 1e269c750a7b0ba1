//! The cost of a whole frame with many moving discs, from the tick to the finished image: drawn by the view, as Bevy's
//! sprites, and as Bevy's meshes. The image is small, so that mainly the processor is measured; the view is also
//! measured at the size of a screen. It needs a graphics adapter, which may be a software renderer; without one it
//! prints that and measures nothing.

use bevy::{
    asset::RenderAssetUsages,
    camera::{ImageRenderTarget, RenderTarget},
    image::Image,
    log::LogPlugin,
    prelude::*,
    render::{
        RenderPlugin,
        pipelined_rendering::PipelinedRenderingPlugin,
        render_resource::{PollType, TextureFormat},
        renderer::RenderDevice,
    },
    time::TimeUpdateStrategy,
    window::ExitCondition,
    winit::WinitPlugin,
};
use carom::{
    prelude::*,
    view::{OwnLook, ViewCamera, ViewPlugin},
};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::time::Duration;

/// The width and height of the small image, pixels.
const SMALL: [u32; 2] = [64, 64];
/// The width and height of a common screen, pixels.
const SCREEN: [u32; 2] = [1920, 1080];
const RADIUS: f32 = 0.1;

/// How discs are drawn.
#[derive(Clone, Copy, Debug)]
enum By {
    View,
    Sprites,
    Meshes,
}

/// A lattice of discs that move to the right, drawn in one of three ways. `None` without a graphics adapter.
fn app(count: usize, by: By, [width, height]: [u32; 2]) -> Option<App> {
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .build()
            .disable::<WinitPlugin>()
            .disable::<LogPlugin>()
            .disable::<PipelinedRenderingPlugin>()
            .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
            .set(RenderPlugin { synchronous_pipeline_compilation: true, ..default() }),
    );
    app.add_plugins((PhysicsPlugins::default(), ViewPlugin));
    // Every frame has one tick, so that all discs move in each.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 64.0)));
    app.finish();
    app.cleanup();
    app.world().get_resource::<RenderDevice>()?;
    app.update();
    let image = Image::new_target_texture(width, height, TextureFormat::Rgba8UnormSrgb, None);
    let image = Image { asset_usage: RenderAssetUsages::default(), ..image };
    let world = app.world_mut();
    let handle = world.resource_mut::<Assets<Image>>().add(image);
    let target = RenderTarget::Image(ImageRenderTarget { handle, scale_factor: 1.0 });
    let cameras: Vec<Entity> = world.query_filtered::<Entity, With<ViewCamera>>().iter(world).collect();
    for camera in cameras {
        world.entity_mut(camera).insert(target.clone());
    }
    let mesh = world.resource_mut::<Assets<Mesh>>().add(Circle::new(RADIUS));
    let material = world.resource_mut::<Assets<ColorMaterial>>().add(Color::srgb(0.8, 0.3, 0.2));
    let columns = (count as f32).sqrt().ceil() as usize;
    for i in 0..count {
        let place = vec2((i % columns) as f32, (i / columns) as f32) * (3.0 * RADIUS);
        let disc = (Disc, Position(place), Radius(RADIUS), Velocity(vec2(0.1, 0.0)));
        let mut disc = world.spawn(disc);
        match by {
            By::View => {}
            By::Sprites => {
                let sprite = Sprite::from_color(Color::srgb(0.8, 0.3, 0.2), Vec2::splat(2.0 * RADIUS));
                disc.insert((OwnLook, Transform::from_xyz(0.0, 0.0, 5.0), sprite));
            }
            By::Meshes => {
                let look = (Mesh2d(mesh.clone()), MeshMaterial2d(material.clone()));
                disc.insert((OwnLook, Transform::from_xyz(0.0, 0.0, 5.0), look));
            }
        }
    }
    for _ in 0..5 {
        app.update();
    }
    Some(app)
}

/// One frame, until the graphics adapter has drawn it.
fn frame(app: &mut App) {
    app.update();
    app.world().resource::<RenderDevice>().poll(PollType::wait_indefinitely()).expect("the adapter answers");
}

fn frames(criterion: &mut Criterion) {
    let small = [1_000, 10_000, 50_000]
        .into_iter()
        .flat_map(|count| [By::View, By::Sprites, By::Meshes].map(|by| (count, by, SMALL)));
    let crowds = [10_000, 100_000, 1_000_000].map(|count| (count, By::View, SCREEN));
    for (count, by, size) in small.chain(crowds) {
        let Some(mut app) = app(count, by, size) else {
            println!("there is no graphics adapter: whole frames are not measured");
            return;
        };
        let [width, height] = size;
        let mut group = criterion.benchmark_group(format!("frame/{width}x{height}/{count}"));
        group.sample_size(20).throughput(Throughput::Elements(count as u64));
        group
            .bench_function(BenchmarkId::from_parameter(format!("{by:?}")), |bencher| bencher.iter(|| frame(&mut app)));
        group.finish();
    }
}

criterion_group!(benches, frames);
criterion_main!(benches);
