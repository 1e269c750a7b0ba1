//! Asteroids in a world with periodic edges instead of walls. A shot pushes the ship back, a hit transfers momentum,
//! and the parts of a broken rock share the momentum that it had.
//!
//! ```sh
//! cargo run --release --example asteroids        # the arrow keys fly, Space shoots
//! cargo run --example asteroids -- --headless    # a minute without a window, flown by the machine
//! ```

use bevy::prelude::*;
use carom::{
    collision::Periodic,
    prelude::*,
    sound::SoundPlugin,
    view::{Canvas, CurrentView, DrawView, Drawn, Headline, Layer, OwnLook, Theme, View2d, ViewCamera, ViewPlugin},
};

/// Half of the world, metres.
const HALF: Vec2 = vec2(8.0, 5.0);
/// The ship and a shot: radius (m) and mass (kg); the thrust of the ship (N), its turning rate (rad/s), the speed of a
/// shot (m/s).
const SHIP: (f32, f32) = (0.25, 1.0);
const SHOT: (f32, f32) = (0.07, 0.04);
const THRUST: f32 = 6.0;
const TURN: f32 = 4.0;
const SHOT_SPEED: f32 = 9.0;
/// Small, middle and large rocks: radius (m) and mass (kg).
const ROCKS: [(f32, f32); 3] = [(0.3, 0.5), (0.5, 1.0), (0.85, 2.0)];
/// The layer of the ship and its shots, which do not collide.
const OF_SHIP: u32 = 1;

#[derive(Component, Default)]
struct Ship {
    heading: f32,
    turn: f32,
    has_thrust: bool,
    fires: bool,
    reload: f32,
    /// From 0 to 1, which ends the game.
    damage: f32,
}

/// A rock with its size, 0 to 2; a shot with its remaining time of flight, s.
#[derive(Component)]
struct Rock(usize);
#[derive(Component)]
struct Shot(f32);

#[derive(Resource, Default, Debug)]
struct Game {
    score: u32,
    wave: u32,
}

fn main() {
    let headless = std::env::args().any(|argument| argument == "--headless");
    let mut app = App::new();
    if headless {
        app.add_plugins(MinimalPlugins).insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
    } else {
        app.add_plugins(DefaultPlugins);
    }
    let periodic = Periodic { x: Some((-HALF.x, HALF.x)), y: Some((-HALF.y, HALF.y)) };
    app.add_plugins(PhysicsPlugins::default())
        .insert_resource(Time::<Fixed>::from_hz(120.0))
        .insert_resource(CollisionSettings { mode: SolverMode::Continuous, periodic, ..default() })
        .init_resource::<Game>()
        .add_systems(Startup, set_up)
        .add_systems(FixedUpdate, (send_wave, fly, end_shots))
        .add_observer(hit);
    if !headless {
        app.add_plugins((ViewPlugin, SoundPlugin)).add_systems(DrawView, draw_ship);
        app.add_systems(Update, (steer, restart, show)).run();
        return;
    }
    app.add_systems(FixedPreUpdate, pilot);
    (0..7200).for_each(|_| app.update());
    let game = app.world().resource::<Game>();
    println!("{game:?}");
    assert!(game.score >= 20 && game.wave >= 2, "the machine hits");
}

fn set_up(mut commands: Commands) {
    commands.spawn((ViewCamera, View2d::showing(Rect::from_center_half_size(Vec2::ZERO, HALF))));
    let ship = (Ship::default(), CollisionLayers::new(OF_SHIP, u32::MAX), OwnLook);
    commands.spawn((ship, Disc, Radius(SHIP.0), Mass(SHIP.1)));
}

/// When no rock is left, spawns more than before.
fn send_wave(
    rocks: Query<(), With<Rock>>,
    ship: Single<&Position, With<Ship>>,
    (mut game, mut commands): (ResMut<Game>, Commands),
) {
    let count = if rocks.is_empty() { game.wave + 4 } else { return };
    game.wave += 1;
    let around = (0..count).map(|k| Vec2::from_angle(std::f32::consts::TAU * k as f32 / count as f32));
    for way in around.filter(|way| ship.distance(0.8 * HALF * *way) > 2.0) {
        spawn_rock(&mut commands, 2, 0.8 * HALF * way, way.perp());
    }
}

fn spawn_rock(commands: &mut Commands, size: usize, place: Vec2, velocity: Vec2) {
    let disc = (Disc, Radius(ROCKS[size].0), Mass(ROCKS[size].1), Position(place), Velocity(velocity));
    commands.spawn((Rock(size), disc, ReportCollisions));
}

/// The engine and the gun: exhaust and shots push back with the opposite momentum.
fn fly(ship: Single<(Entity, &mut Ship, &Position, &Velocity)>, time: Res<Time>, mut commands: Commands) {
    let (entity, mut ship, place, velocity) = ship.into_inner();
    let h = time.delta_secs();
    ship.heading += ship.turn * TURN * h;
    ship.reload -= h;
    let (ahead, is_whole) = (Vec2::from_angle(ship.heading), ship.damage < 1.0);
    if ship.has_thrust && is_whole {
        commands.entity(entity).apply_impulse(ahead * THRUST * h);
    }
    if ship.fires && is_whole && ship.reload <= 0.0 {
        ship.reload = 0.2;
        commands.entity(entity).apply_impulse(-ahead * SHOT.1 * SHOT_SPEED);
        let motion = (Position(place.0 + ahead * SHIP.0), Velocity(velocity.0 + ahead * SHOT_SPEED));
        let shot = (Shot(1.2), CollisionLayers::new(OF_SHIP, !OF_SHIP));
        commands.spawn((shot, Disc, Radius(SHOT.0), Mass(SHOT.1), motion));
    }
}

fn end_shots(mut shots: Query<(Entity, &mut Shot)>, time: Res<Time>, mut commands: Commands) {
    shots.iter_mut().for_each(|(_, mut shot)| shot.0 -= time.delta_secs());
    shots.iter().filter(|(_, shot)| shot.0 < 0.0).for_each(|(entity, _)| commands.entity(entity).despawn());
}

/// A rock that hits the ship weakens its shield. A rock that is shot becomes two, each with half of its mass. Together
/// they have the momentum of the rock and the shot.
fn hit(
    hit: On<CollisionEvent>,
    (rocks, shots): (Query<(&Rock, &Position, &Velocity)>, Query<(), With<Shot>>),
    mut ship: Single<(Entity, &mut Ship)>,
    (mut game, mut commands): (ResMut<Game>, Commands),
) {
    let Ok((rock, place, velocity)) = rocks.get(hit.entity) else { return };
    if hit.other() == ship.0 {
        ship.1.damage += 0.04 * hit.impulse();
    } else if shots.contains(hit.other()) {
        game.score += 1;
        for part in [-1.0, 1.0].into_iter().filter(|_| rock.0 > 0) {
            let across = hit.normal().perp() * part;
            let place = place.0 + across * ROCKS[rock.0 - 1].0;
            spawn_rock(&mut commands, rock.0 - 1, place, velocity.0 + across * 1.2);
        }
        _ = [hit.entity, hit.other()].map(|gone| commands.entity(gone).try_despawn());
    }
}

fn steer(mut ship: Single<&mut Ship>, keys: Res<ButtonInput<KeyCode>>) {
    let pressed = |key| f32::from(u8::from(keys.pressed(key)));
    ship.turn = pressed(KeyCode::ArrowLeft) - pressed(KeyCode::ArrowRight);
    ship.has_thrust = keys.pressed(KeyCode::ArrowUp);
    ship.fires = keys.pressed(KeyCode::Space);
}

/// The bot turns toward the future position of the nearest rock, and shoots all the time.
fn pilot(
    ship: Single<(&mut Ship, &Position, &Velocity)>,
    (rocks, space): (Query<(&Position, &Velocity), With<Rock>>, Res<PhysicsSpace>),
) {
    let (mut ship, place, velocity) = ship.into_inner();
    let ways = rocks.iter().map(|(at, speed)| (space.difference(place.0, at.0), speed.0 - velocity.0));
    let Some((way, speed)) = ways.min_by(|a, b| a.0.length().total_cmp(&b.0.length())) else { return };
    let off = Vec2::from_angle(ship.heading).angle_to(way + speed * (way.length() / SHOT_SPEED));
    (ship.turn, ship.fires, ship.damage) = ((4.0 * off).clamp(-1.0, 1.0), true, 0.0);
}

fn restart(
    keys: Res<ButtonInput<KeyCode>>,
    others: Query<Entity, Or<(With<Rock>, With<Shot>)>>,
    mut ship: Single<(&mut Ship, &mut Position, &mut Velocity)>,
    (mut game, mut commands): (ResMut<Game>, Commands),
) {
    if keys.just_pressed(KeyCode::KeyR) {
        others.iter().for_each(|entity| commands.entity(entity).despawn());
        *game = Game::default();
        (*ship.0, ship.1.0, ship.2.0) = (Ship::default(), Vec2::ZERO, Vec2::ZERO);
    }
}

fn show(game: Res<Game>, ship: Single<&Ship>, mut headline: ResMut<Headline>) {
    headline.title = format!("Asteroids   {}", game.score);
    headline.about = match 100.0 * (1.0 - ship.damage) {
        shield if shield > 0.0 => format!("wave {}   ·   shield {shield:.0} %", game.wave),
        _ => "The ship is lost. R: restart".to_owned(),
    };
    headline.help = "← →: turn   ·   ↑: thrust   ·   Space: shoot   ·   R: restart".into();
}

fn draw_ship(mut canvas: ResMut<Canvas>, (theme, view): (Res<Theme>, Res<CurrentView>), ship: Single<(&Ship, &Drawn)>) {
    let ((ship, drawn), ahead) = (*ship, Vec2::from_angle(ship.0.heading));
    let size = if ship.damage < 1.0 { SHIP.0 } else { 0.0 };
    let corner = |along: f32, across: f32| drawn.shown + size * (along * ahead + across * ahead.perp());
    let (layer, rim) = (Layer::Highlight, theme.lesson.along.with_alpha(0.8 * (1.0 - ship.damage)));
    let flame = corner(if ship.has_thrust { -1.7 } else { -0.5 }, 0.0);
    canvas.triangle(layer, [flame, corner(-0.5, -0.4), corner(-0.5, 0.4)], theme.aim.strong);
    canvas.triangle(layer, [corner(1.1, 0.0), corner(-0.8, 0.75), corner(-0.8, -0.75)], theme.text.first);
    canvas.ring(layer, drawn.shown, size, view.px(2.0), rim);
}
