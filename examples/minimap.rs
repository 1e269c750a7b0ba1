//! A minimap: one camera follows the player, another shows everything in a corner of the window.
//!
//! ```sh
//! cargo run --release --example minimap      # the arrow keys push the white disc
//! cargo run --example minimap -- --headless  # ten seconds without a window
//! ```

use bevy::{camera, prelude::*};
use carom::{
    prelude::*,
    scene::DiscLook,
    view::{Canvas, CurrentView, DrawView, Layer, Plate, View2d, ViewCamera, ViewPlugin, Views},
};

/// Half of the arena, metres.
const HALF: Vec2 = vec2(24.0, 16.0);
/// The acceleration by the keys, m/s².
const PUSH: f32 = 12.0;
/// The size of the minimap and its distance from the edges of the window, logical pixels.
const MAP: Vec2 = vec2(300.0, 200.0);
const MARGIN: f32 = 16.0;

#[derive(Component)]
struct Player;

#[derive(Component)]
struct Minimap;

fn main() {
    let headless = std::env::args().any(|argument| argument == "--headless");
    let mut app = App::new();
    if headless {
        app.add_plugins(MinimalPlugins)
            .init_resource::<ButtonInput<KeyCode>>()
            .insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
    } else {
        app.add_plugins(DefaultPlugins);
    }
    app.add_plugins(PhysicsPlugins::default())
        .insert_resource(CollisionSettings { restitution: 0.9, terrain_restitution: 0.9, ..default() })
        .insert_resource(MotionSettings { drag: 0.15, ..default() })
        .add_systems(Startup, (set_up, spawn_cameras).chain())
        .add_systems(FixedUpdate, push);
    if !headless {
        app.add_plugins(ViewPlugin).add_systems(Update, keep_in_corner).add_systems(DrawView, draw_frame);
        app.run();
        return;
    }
    for _ in 0..600 {
        app.update();
    }
    let discs =
        app.world_mut().query::<&Position>().iter(app.world()).filter(|place| place.abs().cmple(HALF).all()).count();
    println!("{discs} discs and walls are in the arena");
    assert!(discs > 150);
}

fn set_up(mut commands: Commands) {
    commands.spawn(Terrain::Arena { half_size: HALF });
    let white = DiscLook { colour: Some(Color::WHITE), ..default() };
    commands.spawn((Player, Disc, Radius(0.6), Mass(2.0), white));
    for place in 0..160 {
        let column = vec2((place % 16) as f32 - 7.5, (place / 16) as f32 - 4.5);
        let radius = 0.3 + 0.05 * (place % 7) as f32;
        let velocity = Velocity(column.perp() * 0.4);
        commands.spawn((
            Disc,
            Position(column * vec2(2.9, 3.1)),
            Radius(radius),
            Mass(radius * radius * 5.0),
            velocity,
        ));
    }
}

fn spawn_cameras(mut commands: Commands, player: Single<Entity, With<Player>>) {
    // The initial rectangle sets the scale: twelve metres in height.
    let near = Rect::from_center_size(Vec2::ZERO, Vec2::splat(12.0));
    commands.spawn((ViewCamera, View2d::showing(near).following(*player)));
    // The other camera draws over a part of the first one.
    let camera = Camera { order: 1, clear_color: ClearColorConfig::None, ..default() };
    commands.spawn((Minimap, ViewCamera, camera));
}

/// Keeps the minimap in the lower left corner of a window of any size.
fn keep_in_corner(window: Single<&Window>, mut camera: Single<&mut Camera, With<Minimap>>) {
    let scale = window.scale_factor();
    let physical_size = (MAP * scale).as_uvec2();
    let corner = vec2(MARGIN, window.height() - MAP.y - MARGIN).max(Vec2::ZERO);
    let physical_position = (corner * scale).as_uvec2();
    camera.viewport = Some(camera::Viewport { physical_position, physical_size, ..default() });
}

/// Shows the view of the main camera on the minimap.
fn draw_frame(
    mut canvas: ResMut<Canvas>,
    (view, views): (Res<CurrentView>, Views),
    minimap: Single<Entity, With<Minimap>>,
) {
    if view.camera == *minimap {
        let seen = views.main().frame_in_world();
        let plate = Plate::new(seen.center(), seen.half_size());
        canvas.rect_outline(Layer::Gesture, plate, view.px(2.0), Srgba::WHITE);
    }
}

fn push(keys: Res<ButtonInput<KeyCode>>, time: Res<Time>, mut velocity: Single<&mut Velocity, With<Player>>) {
    let pressed = |key| f32::from(u8::from(keys.pressed(key)));
    let direction = vec2(
        pressed(KeyCode::ArrowRight) - pressed(KeyCode::ArrowLeft),
        pressed(KeyCode::ArrowUp) - pressed(KeyCode::ArrowDown),
    );
    velocity.0 += direction.normalize_or_zero() * PUSH * time.delta_secs();
}
