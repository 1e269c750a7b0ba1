//! Pinball: everything on the table is terrain with a component for its function. Flippers turn (`TurnTo`), the plunger
//! moves (`MoveTo`), bumpers and slings kick (`BumperKick`). The gate of the lane lets balls out but not in (`OneWay`),
//! targets drop when they are hit (`Inactive`), and the drain reports lost balls (`Sensor`).
//!
//! ```sh
//! cargo run --release --example pinball        # the machine plays until a key is pressed
//! cargo run --example pinball -- --headless    # a minute of the machine's without a window
//! ```

use bevy::{math::ops, prelude::*};
use carom::{
    prelude::*,
    scene::{DiscLook, TerrainLook},
    sound::SoundPlugin,
    view::{Canvas, DrawView, Headline, Layer, Plate, Theme, ViewPlugin, ViewSettings},
};
use std::f32::consts::PI;

/// Half of the table without the lane of the plunger on its right, and the centre and radius of the arch over both;
/// metres.
const HALF: Vec2 = vec2(0.3, 0.5);
const ARCH: (Vec2, f32) = (vec2(0.0225, 0.1775), 0.3225);
/// The pivot of the right flipper; its lowest and highest angle, radians, and its speed, radians per second.
const PIVOT: Vec2 = vec2(0.11, -0.37);
const SWING: (f32, f32) = (0.5, 22.0);
/// The position of the plunger at rest, and of the ball on it. Then the distance (m) and speed (m/s) of pulling back,
/// and the speed by its spring per metre, 1/s.
const PLUNGER: Vec2 = vec2(0.3225, -0.42);
const START: Vec2 = vec2(PLUNGER.x, PLUNGER.y + 0.03);
const PULL: [f32; 3] = [0.06, 0.08, 36.0];
const BALLS: u32 = 3;
/// The score for a target, which then drops. When all have dropped they rise, and each hit scores more from then on.
const TARGET: u32 = 250;
const COLOURS: [Color; 5] = [
    Color::srgb(0.95, 0.65, 0.35),
    Color::srgb(0.18, 0.71, 0.58),
    Color::srgb(0.64, 0.6, 0.93),
    Color::srgb(0.91, 0.36, 0.46),
    Color::srgb(0.23, 0.27, 0.32),
];

/// The score of a hit, the radius of its light (m), and the brightness, from 0 to 1.
#[derive(Component)]
struct Lamp(u32, f32, f32);

#[derive(Resource, Debug, Default)]
struct Game {
    score: u32,
    /// How often all targets have dropped, and the number of lost balls.
    cleared: u32,
    lost: u32,
    /// The left flipper, the right one, the plunger.
    pressed: [bool; 3],
}

fn main() {
    let headless = std::env::args().any(|argument| argument == "--headless");
    let mut app = App::new();
    if headless {
        app.add_plugins(MinimalPlugins).insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
    } else {
        app.add_plugins(DefaultPlugins);
    }
    let rules =
        CollisionSettings { mode: SolverMode::Continuous, terrain_restitution: 0.45, resting_speed: 0.02, ..default() };
    // The component of gravity on a table with a slope of seven and a half degrees.
    let slope = MotionSettings { gravity: vec2(0.0, -1.28), ..default() };
    app.add_plugins(PhysicsPlugins::default()).insert_resource(Time::<Fixed>::from_hz(240.0));
    app.insert_resource(rules).insert_resource(slope).init_resource::<Game>().add_systems(Startup, build);
    app.add_systems(FixedUpdate, (press_buttons, move_parts).chain()).add_observer(count_hit).add_observer(lose);
    if !headless {
        app.add_plugins((ViewPlugin, SoundPlugin)).insert_resource(ViewSettings { trails: 0.15, ..default() });
        app.add_systems(DrawView, draw).add_systems(Update, show_score).run();
        return;
    }
    (0..240 * 60).for_each(|_| app.update());
    let game = app.world().resource::<Game>();
    println!("{game:?}");
    assert!(game.score > 1000 && game.lost > 0, "only what has left the lane hits something, and falls into the drain");
}

fn build(mut commands: Commands) {
    let (right, gate) = (ARCH.0.x + ARCH.1, vec2(HALF.x, 0.12));
    commands.spawn((Terrain::Arc { radius: ARCH.1, start: 0.0, extent: PI }, Position(ARCH.0)));
    let walls = [vec2(-HALF.x, ARCH.0.y), vec2(right, ARCH.0.y), gate];
    commands.spawn_batch(walls.map(|top| Terrain::Segment { a: vec2(top.x, -HALF.y), b: top }));
    // A ball that has come out rolls down the gate, and not back.
    commands.spawn((Terrain::Segment { a: gate, b: vec2(right, gate.y + 0.045) }, OneWay::Toward(Vec2::Y)));
    commands.spawn((Terrain::Segment { a: vec2(-PIVOT.x, -HALF.y), b: vec2(PIVOT.x, -HALF.y) }, Sensor));
    let plunger = Terrain::Block { half_size: vec2(0.02, 0.01) };
    commands.spawn((plunger, Position(PLUNGER), MoveTo(PLUNGER), Restitution(0.2)));
    let silver = DiscLook { colour: Some(Color::srgb_u8(0xe8, 0xed, 0xf2)), ..default() };
    commands.spawn((Disc, Radius(0.0135), Mass(0.08), Position(START), silver));
    let look = |colour: usize| TerrainLook { colour: Some(COLOURS[colour]) };
    let lit = |place, lamp, colour| (Position(place), lamp, look(colour), ReportCollisions);
    let bumpers = [(-0.09, 0.16, 0.038), (0.11, 0.16, 0.038), (0.01, 0.29, 0.038), (-0.17, 0.395, 0.02)];
    for (colour, (x, y, radius)) in bumpers.into_iter().enumerate() {
        commands.spawn((
            Terrain::Circle { radius },
            BumperKick(1.3),
            lit(vec2(x, y), Lamp(100, 1.5 * radius, 0.0), colour),
        ));
    }
    for side in [-1.0, 1.0] {
        let mirrored = |(x, y): (f32, f32)| vec2(side * x, y);
        // Down to the flipper, which continues the line.
        let points = [(0.3, -0.23), (0.1025, -0.3595), (0.11, -0.5), (0.3, -0.5)].map(mirrored).to_vec();
        commands.spawn((Terrain::Polygon { points }, look(4)));
        // Round at both ends; the left end is round about the pivot.
        let outline = (0..14_u8).map(|k| {
            let (along, radius) = if k < 7 { (0.0, 0.013) } else { (-0.085, 0.007) };
            let around = Vec2::from_angle(PI * (f32::from(k - k / 7) / 6.0 - 0.5));
            mirrored((along + radius * around.x, radius * around.y))
        });
        let flipper = (Terrain::Polygon { points: outline.collect() }, Position(mirrored(PIVOT.into())));
        let turned = (Rotation(side * SWING.0), TurnTo(side * SWING.0), Restitution(0.4));
        commands.spawn((flipper, turned, look(3)));
        let points = [(0.025, 0.07), (0.025, -0.022), (-0.045, -0.072)].map(mirrored).to_vec();
        commands.spawn((
            Terrain::Polygon { points },
            BumperKick(0.7),
            lit(mirrored((0.2, -0.2)), Lamp(10, 0.035, 0.0), 3),
        ));
        for (colour, y) in [-0.06, 0.0, 0.06].into_iter().enumerate() {
            let lamp = lit(mirrored((0.294, y)), Lamp(TARGET, 0.025, 0.0), colour);
            commands.spawn((Terrain::Block { half_size: vec2(0.006, 0.024) }, lamp));
        }
    }
}

fn count_hit(
    hit: On<CollisionEvent>,
    mut lamps: Query<(Entity, &mut Lamp, Has<Inactive>)>,
    (mut game, mut commands): (ResMut<Game>, Commands),
) {
    let Ok((_, mut lamp, _)) = lamps.get_mut(hit.entity) else { return };
    lamp.2 = 1.0;
    game.score += lamp.0 * (1 + game.cleared);
    if lamp.0 == TARGET {
        commands.entity(hit.entity).insert(Inactive);
        let mut targets = lamps.iter().filter(|(_, lamp, _)| lamp.0 == TARGET);
        if targets.all(|(target, _, is_down)| is_down || target == hit.entity) {
            game.cleared += 1;
            lamps.iter().for_each(|(lamp, ..)| _ = commands.entity(lamp).remove::<Inactive>());
        }
    }
}

fn lose(drain: On<SensorOverlapStarted>, mut game: ResMut<Game>, mut commands: Commands) {
    game.lost += 1;
    commands.entity(drain.other).teleport(START).set_velocity(Vec2::ZERO);
}

/// A piece is at its `TurnTo` or `MoveTo` at the end of the tick, and hits what is on its way at its own speed.
fn move_parts(
    mut flippers: Query<(&Position, &Rotation, &mut TurnTo)>,
    (plunger, game, time): (Single<(&Position, &mut MoveTo)>, Res<Game>, Res<Time>),
) {
    for (at, rotation, mut target) in &mut flippers {
        let (hanging, step) = (SWING.0.copysign(at.x), SWING.1 * time.delta_secs());
        let wanted = if game.pressed[usize::from(at.x > 0.0)] { -hanging } else { hanging };
        *target = TurnTo::toward(rotation.0, wanted, step);
    }
    // Slowly back while the key is held, then forward by its spring.
    let (at, mut target) = plunger.into_inner();
    let [most, pulling, spring] = PULL;
    let speed = if game.pressed[2] && game.lost < BALLS { -pulling } else { spring * (PLUNGER.y - at.y).max(0.02) };
    target.0.y = (at.y + speed * time.delta_secs()).clamp(PLUNGER.y - most, PLUNGER.y);
}

/// The keys. Before any key is pressed, a bot plays: it flips at balls near the middle of a flipper, and pulls the
/// plunger while the ball waits.
fn press_buttons(
    (ball, plunger): (Single<(Entity, &Position), With<Disc>>, Single<&Position, With<MoveTo>>),
    (keys, mut has_person): (Option<Res<ButtonInput<KeyCode>>>, Local<bool>),
    (down, mut commands): (Query<Entity, (With<Lamp>, With<Inactive>)>, Commands),
    mut game: ResMut<Game>,
) {
    use KeyCode::{ArrowDown, ArrowLeft, ArrowRight, KeyA, KeyD, KeyR, Space};
    let (ball, place) = *ball;
    let is_near = |side: f32| place.distance(vec2(side * (PIVOT.x - 0.06), PIVOT.y - 0.015)) < 0.03;
    let waits = place.x > HALF.x && place.y < PLUNGER.y + 0.05;
    game.pressed = [is_near(-1.0), is_near(1.0), waits && plunger.y > PLUNGER.y - PULL[0]];
    let Some(keys) = keys else { return };
    let takes_over = !*has_person && keys.get_just_pressed().len() > 0;
    *has_person |= takes_over;
    if takes_over || keys.just_pressed(KeyR) || !*has_person && game.lost == BALLS {
        *game = Game::default();
        commands.entity(ball).teleport(START).set_velocity(Vec2::ZERO);
        down.iter().for_each(|target| _ = commands.entity(target).remove::<Inactive>());
    }
    if *has_person {
        game.pressed = [[ArrowLeft, KeyA], [ArrowRight, KeyD], [ArrowDown, Space]].map(|two| keys.any_pressed(two));
    }
}

fn show_score(game: Res<Game>, mut headline: ResMut<Headline>) {
    let about = match game.lost {
        BALLS => "Game over. R: restart".into(),
        lost => format!("Ball {} of {BALLS}   ·   each hit counts ×{}", lost + 1, 1 + game.cleared),
    };
    let help = "Arrows or A and D: flippers   ·   hold and release Space: plunger   ·   R: restart".into();
    headline.set_if_neq(Headline { title: format!("Pinball   {}", game.score), about, help });
}

/// Draws a wooden rim, the floor and the spring of the plunger; lamps light up when hit, and fade.
fn draw(
    (mut canvas, time, theme): (ResMut<Canvas>, Res<Time>, Res<Theme>),
    (mut lamps, plunger): (Query<(&mut Lamp, &Position, &TerrainLook)>, Single<&Position, With<MoveTo>>),
) {
    let (middle, radius) = ARCH;
    for (rim, colour) in [(0.022, theme.table.wood_dark), (0.017, theme.table.wood), (0.0, theme.ground.room_edge)] {
        let (low, high) = (vec2(middle.x - radius, -HALF.y) - rim, vec2(middle.x + radius + rim, middle.y));
        canvas.rect(Layer::Ground, Plate::new(low.midpoint(high), 0.5 * (high - low)), colour);
        canvas.disc(Layer::Ground, middle, radius + rim, colour);
    }
    let coil = |k: u8| vec2(0.31 + 0.024 * f32::from(k % 2), (-HALF.y).lerp(plunger.y, f32::from(k) / 12.0));
    canvas.polyline(Layer::Marks, &(0..=12).map(coil).collect::<Vec<_>>(), false, 0.004, theme.terrain.wall);
    for (mut lamp, place, look) in &mut lamps {
        lamp.2 *= ops::exp(-5.0 * time.delta_secs());
        let colour = look.colour.map_or(theme.terrain.block, Srgba::from);
        canvas.glow(Layer::Marks, place.0, lamp.1, lamp.1, colour.with_alpha(0.12 + 0.8 * lamp.2));
    }
}
