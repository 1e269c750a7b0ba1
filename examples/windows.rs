//! Several windows as one table: balls pass between windows that touch on the desktop, and a dragged window hits them.
//!
//! ```sh
//! cargo run --release --example windows      # drag and resize the windows
//! cargo run --example windows -- --headless  # ten seconds without a window: rectangles that the program moves
//! ```
//!
//! X11, Windows and macOS report the positions of windows. On Wayland and in browsers a game writes its `TableRect`s
//! itself, as this example does without a window.

use bevy::{
    camera::RenderTarget,
    math::ops,
    prelude::*,
    window::{ExitCondition, PrimaryWindow, WindowRef, WindowResolution},
};
use carom::{
    plane::TableOutline,
    prelude::*,
    view::{DesktopWindow, ViewCamera, ViewPlugin},
};

/// The size of each window, and its position on the desktop, pixels.
const SIZE: UVec2 = uvec2(520, 380);
const PLACES: [IVec2; 3] = [ivec2(80, 80), ivec2(600, 140), ivec2(340, 460)];

fn main() {
    let mut app = App::new();
    let headless = std::env::args().any(|argument| argument == "--headless");
    if headless {
        app.add_plugins(MinimalPlugins).insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
    } else {
        let windows = WindowPlugin {
            primary_window: Some(window(0)),
            exit_condition: ExitCondition::OnPrimaryClosed,
            ..default()
        };
        app.add_plugins((DefaultPlugins.set(windows), ViewPlugin)).add_systems(Startup, open_windows);
    }
    app.add_plugins(PhysicsPlugins::default())
        .insert_resource(CollisionSettings { mode: SolverMode::Continuous, ..default() })
        .add_systems(Startup, spawn_discs);
    if headless { run_headless(app) } else { _ = app.run() }
}

fn window(number: usize) -> Window {
    Window {
        title: format!("Table {}", number + 1),
        resolution: WindowResolution::new(SIZE.x, SIZE.y),
        position: WindowPosition::At(PLACES[number]),
        ..default()
    }
}

/// A window on the table has a `DesktopWindow`, and a camera that draws into it.
fn open_windows(mut commands: Commands, primary: Single<Entity, With<PrimaryWindow>>) {
    commands.entity(*primary).insert(DesktopWindow::default());
    commands.spawn(ViewCamera);
    for number in 1..PLACES.len() {
        let window = commands.spawn((window(number), DesktopWindow::default())).id();
        let camera = Camera { order: number as isize, ..default() };
        commands.spawn((ViewCamera, camera, RenderTarget::Window(WindowRef::Entity(window))));
    }
}

/// The centre of the first window is the origin, and 200 pixels are a metre.
fn spawn_discs(mut commands: Commands) {
    for place in 0..15 {
        let at = vec2((place % 5) as f32 - 2.0, (place / 5) as f32 - 1.0) * 0.45;
        let velocity = Velocity(vec2(1.5, 0.6).rotate(Vec2::from_angle(place as f32)));
        commands.spawn((Disc, Position(at), Radius(0.08 + 0.015 * (place % 6) as f32), velocity));
    }
}

/// Two rectangles that touch. The right one moves up and down, separates, and is finally thrown away.
fn run_headless(mut app: App) {
    app.world_mut().spawn(TableRect(Rect::new(-1.3, -0.95, 1.3, 0.95)));
    let right = app.world_mut().spawn(TableRect(Rect::new(1.3, -0.95, 3.9, 0.95))).id();
    app.update();
    let mut passed = 0;
    for tick in 0..600 {
        let swing = 0.6 * ops::sin(tick as f32 / 40.0);
        let at = Rect::from_center_size(vec2(2.6 + swing.max(0.0), swing), vec2(2.6, 1.9));
        app.world_mut().get_mut::<TableRect>(right).unwrap().0 = at;
        app.update();
        let mut discs = app.world_mut().query_filtered::<&Position, With<Disc>>();
        passed = passed.max(discs.iter(app.world()).filter(|position| position.x > 1.5).count());
    }
    app.world_mut().entity_mut(right).despawn();
    app.update();
    app.update();
    let outline = app.world().resource::<TableOutline>().clone();
    let mut discs = app.world_mut().query_filtered::<&Position, With<Disc>>();
    let inside = discs.iter(app.world()).filter(|position| outline.contains(position.0)).count();
    println!("up to {passed} discs were on the right; after it closed, {inside} of 15 were on the left");
    assert!(passed >= 3 && inside == 15);
}
