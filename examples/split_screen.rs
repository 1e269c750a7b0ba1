//! A split screen: two players in one arena, each with a camera that follows their disc.
//!
//! ```sh
//! cargo run --release --example split_screen      # left: W A S D; right: the arrow keys
//! cargo run --example split_screen -- --headless  # ten seconds without a window, with both players at full push
//! ```

use bevy::{camera::Viewport, prelude::*};
use carom::{
    prelude::*,
    scene::DiscLook,
    view::{View2d, ViewCamera, ViewPlugin},
};

/// Half of the arena, metres.
const HALF: Vec2 = vec2(18.0, 12.0);
/// The acceleration by the keys, m/s².
const PUSH: f32 = 12.0;
/// The visible part of the arena per player, metres across and up.
const SEEN: f32 = 12.0;
/// The gap between the two views, physical pixels.
const GAP: u32 = 4;

/// A player: 0 has the left half of the window, 1 the right one.
#[derive(Component, Clone, Copy)]
struct Player(usize);

/// The camera of a player.
#[derive(Component)]
struct CameraOf(usize);

/// Left, right, down and up, for each player.
const KEYS: [[KeyCode; 4]; 2] = [
    [KeyCode::KeyA, KeyCode::KeyD, KeyCode::KeyS, KeyCode::KeyW],
    [KeyCode::ArrowLeft, KeyCode::ArrowRight, KeyCode::ArrowDown, KeyCode::ArrowUp],
];

fn main() {
    let headless = std::env::args().any(|argument| argument == "--headless");
    let mut app = App::new();
    if headless {
        app.add_plugins(MinimalPlugins)
            .init_resource::<ButtonInput<KeyCode>>()
            .insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
    } else {
        app.add_plugins((DefaultPlugins, ViewPlugin));
    }
    app.add_plugins(PhysicsPlugins::default())
        .insert_resource(CollisionSettings { restitution: 0.9, terrain_restitution: 0.9, ..default() })
        .insert_resource(MotionSettings { drag: 0.15, ..default() })
        .add_systems(Startup, (set_up, spawn_cameras).chain())
        .add_systems(FixedUpdate, push);
    if !headless {
        app.add_systems(Update, share_window).run();
        return;
    }
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::KeyD);
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::ArrowLeft);
    app.update();
    for _ in 0..600 {
        app.update();
    }
    let world = app.world_mut();
    let mut pushed = world.query_filtered::<&Velocity, With<Player>>();
    let moved = pushed.iter(world).filter(|velocity| velocity.0 != Vec2::ZERO).count();
    let views: Vec<View2d> = world.query::<&View2d>().iter(world).cloned().collect();
    let players: Vec<Entity> = world.query_filtered::<Entity, With<Player>>().iter(world).collect();
    println!("{moved} players are moving, {} cameras follow them", views.len());
    assert!(moved == 2 && players.iter().all(|player| views.iter().any(|view| view.followed == Some(*player))));
}

fn set_up(mut commands: Commands) {
    commands.spawn(Terrain::Arena { half_size: HALF });
    for (number, [red, green, blue]) in [[235, 95, 70], [70, 150, 235]].into_iter().enumerate() {
        let look = DiscLook { colour: Some(Color::srgb_u8(red, green, blue)), ..default() };
        let place = Position(vec2([-9.0, 9.0][number], 0.0));
        commands.spawn((Player(number), Disc, place, Radius(0.6), Mass(2.0), look));
    }
    for place in 0..60 {
        let at = vec2((place % 10) as f32 - 4.5, (place / 10) as f32 - 2.5) * vec2(3.3, 3.7);
        let radius = 0.3 + 0.05 * (place % 7) as f32;
        commands.spawn((Disc, Position(at + vec2(0.0, 1.2)), Radius(radius), Mass(radius * radius * 5.0)));
    }
}

/// Two cameras, each with the part of the window that [`share_window`] gives it, and a view that follows its player.
fn spawn_cameras(mut commands: Commands, players: Query<(Entity, &Player)>) {
    // The initial rectangle sets the scale.
    let near = Rect::from_center_size(Vec2::ZERO, Vec2::splat(SEEN));
    for (disc, &Player(number)) in &players {
        let camera = Camera { order: number as isize, ..default() };
        commands.spawn((CameraOf(number), ViewCamera, camera, View2d::showing(near).following(disc)));
    }
}

/// Divides a window of any size equally between the cameras.
fn share_window(window: Single<&Window>, mut cameras: Query<(&CameraOf, &mut Camera)>) {
    let size = window.physical_size();
    let half = uvec2((size.x.saturating_sub(GAP) / 2).max(1), size.y.max(1));
    for (&CameraOf(number), mut camera) in &mut cameras {
        let physical_position = uvec2(number as u32 * (half.x + GAP), 0);
        camera.viewport = Some(Viewport { physical_position, physical_size: half, ..default() });
    }
}

fn push(keys: Res<ButtonInput<KeyCode>>, time: Res<Time>, mut players: Query<(&Player, &mut Velocity)>) {
    for (&Player(number), mut velocity) in &mut players {
        let [left, right, down, up] = KEYS[number].map(|key| f32::from(u8::from(keys.pressed(key))));
        velocity.0 += vec2(right - left, up - down).normalize_or_zero() * PUSH * time.delta_secs();
    }
}
