//! Pinball: everything on the table is terrain with a component that says what it does. Flippers turn (`TurnTo`), the plunger goes (`MoveTo`), bumpers and slings kick
//! (`Kick`), the gate of the lane lets balls out and not in (`OneWay`), targets fall when they are hit (`Inactive`), the drain tells who is gone (`Sensor`).
//!
//! ```sh
//! cargo run --release --example pinball           # the machine plays until a key is pressed
//! cargo run --example pinball -- --headless       # a minute of the machine's without a window
//! ```

use std::f32::consts::PI;

use bevy::{math::ops, prelude::*};
use carom::{
    prelude::*,
    scene::{DiscLook, Hex, TerrainLook},
    sound::SoundPlugin,
    view::{Canvas, DrawPicture, Headline, Layer, OwnLook, Plate, Theme, ViewPlugin, ViewSettings},
};

/// Half of the table without the lane of the plunger at its right, and the middle and the radius of the arch over both; metres.
const HALF: Vec2 = vec2(0.3, 0.5);
const ARCH: (Vec2, f32) = (vec2(0.0225, 0.1775), 0.3225);
const BALL: f32 = 0.0135;
const BALLS: u32 = 3;
/// What is left of gravity on a table that slopes by seven degrees and a half, m/s².
const SLOPE: Vec2 = vec2(0.0, -1.28);
/// Where the right flipper is held, its length, its radius there and at the tip, metres; how far it hangs down and goes up, and how fast: radians a second.
const PIVOT: Vec2 = vec2(0.11, -0.37);
const FLIPPER: [f32; 3] = [0.085, 0.013, 0.007];
const SWING: f32 = 0.5;
const TURNS: f32 = 22.0;
/// Where the plunger rests, how far (m) and how fast (m/s) it is pulled back, and what its spring makes of a metre, 1/s.
const PLUNGER: Vec2 = vec2(0.3225, -0.42);
const PULL: [f32; 3] = [0.06, 0.08, 36.0];
const COLOURS: [Hex; 4] =
    [Hex([0xf2, 0xa6, 0x5a]), Hex([0x2f, 0xb5, 0x95]), Hex([0xa4, 0x98, 0xed]), Hex([0xe8, 0x5d, 0x75])];

/// -1: the left one, 1: the right one.
#[derive(Component)]
struct Flipper(f32);

/// What a hit is worth, how far its light reaches (m), and how bright that is, from 0 to 1.
#[derive(Component)]
struct Lamp(u32, f32, f32);

/// Falls when it is hit. When all are down they rise, and from then on a hit is worth more.
#[derive(Component)]
struct Target;

#[derive(Resource, Debug, Default)]
struct Game {
    score: u32,
    /// How often all targets were down, and how many balls are gone.
    cleared: u32,
    lost: u32,
    /// The left flipper, the right one, the plunger.
    pressed: [bool; 3],
    has_person: bool,
}

fn main() {
    let headless = std::env::args().any(|argument| argument == "--headless");
    let mut app = App::new();
    if headless {
        app.add_plugins(MinimalPlugins).insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
    } else {
        app.add_plugins(DefaultPlugins);
    }
    app.add_plugins(PhysicsPlugins::default());
    if !headless {
        app.add_plugins((ViewPlugin, SoundPlugin))
            .insert_resource(ViewSettings { trails: 0.15, ..default() })
            .add_systems(DrawPicture, draw)
            .add_systems(Update, show_score);
    }
    let bounce = CollisionSettings { wall_restitution: 0.45, resting_speed: 0.02, ..default() };
    app.insert_resource(Time::<Fixed>::from_hz(240.0))
        .insert_resource(CollisionSettings { mode: Mode::Continuous, ..bounce })
        .insert_resource(MotionSettings { gravity: SLOPE, ..default() })
        .init_resource::<Game>()
        .add_systems(Startup, (build, spawn_toys))
        .add_systems(FixedUpdate, (press_buttons, turn_flippers, pull_plunger).chain())
        .add_observer(count_hit)
        .add_observer(lose);
    if !headless {
        app.run();
        return;
    }
    (0..240 * 60).for_each(|_| app.update());
    let game = app.world().resource::<Game>();
    println!("{game:?}");
    assert!(game.score > 1000 && game.lost > 0, "only what has left the lane hits something, and falls into the drain");
}

/// What stands: walls, the arch, the lane with its gate, the drain; and what the player moves.
fn build(mut commands: Commands) {
    let (right, gate) = (ARCH.0.x + ARCH.1, vec2(HALF.x, 0.12));
    commands.spawn((Terrain::Arc { radius: ARCH.1, start: 0.0, extent: PI }, Position(ARCH.0)));
    for x in [-HALF.x, right] {
        commands.spawn(Terrain::Segment { a: vec2(x, -HALF.y), b: vec2(x, ARCH.0.y) });
    }
    commands.spawn(Terrain::Segment { a: vec2(HALF.x, -HALF.y), b: gate });
    // What has come out rolls down the gate, and not back.
    commands.spawn((Terrain::Segment { a: gate, b: vec2(right, gate.y + 0.045) }, OneWay::Toward(Vec2::Y)));
    let (left, right) = (vec2(-PIVOT.x, -HALF.y), vec2(PIVOT.x, -HALF.y));
    commands.spawn((Terrain::Segment { a: left, b: right }, Sensor, OwnLook));
    for side in [-1.0, 1.0] {
        // Down to the flipper, along which it goes on.
        let points =
            [vec2(HALF.x, -0.23), PIVOT + vec2(-0.0075, 0.0105), vec2(PIVOT.x, -HALF.y), vec2(HALF.x, -HALF.y)];
        commands.spawn(Terrain::Polygon { points: points.map(|point| vec2(side * point.x, point.y)).to_vec() });
        // Round at both ends.
        let outline = (0..14_u8).map(|k| {
            let (along, radius) = if k < 7 { (0.0, FLIPPER[1]) } else { (FLIPPER[0], FLIPPER[2]) };
            let around = Vec2::from_angle(PI * (0.5 + f32::from(k - k / 7) / 6.0));
            vec2(-side * (along + radius * around.x), radius * around.y)
        });
        let flipper = (Flipper(side), Terrain::Polygon { points: outline.collect() }, Restitution(0.4));
        let held = (Position(vec2(side * PIVOT.x, PIVOT.y)), Rotation(side * SWING), TurnTo(side * SWING));
        commands.spawn((flipper, held, TerrainLook { colour: Some(COLOURS[3]) }));
    }
    let plunger = (Terrain::Block { half_size: vec2(0.02, 0.01) }, Position(PLUNGER), MoveTo(PLUNGER));
    commands.spawn((plunger, Restitution(0.2)));
    let look = DiscLook { colour: Some(Hex([0xe8, 0xed, 0xf2])), ..default() };
    commands.spawn((Disc, Radius(BALL), Mass(0.08), Position(PLUNGER + vec2(0.0, 0.03)), look));
}

/// What counts: bumpers, slings, targets.
fn spawn_toys(mut commands: Commands) {
    let mut spawn = |terrain, place, lamp, colour: usize| {
        let look = TerrainLook { colour: Some(COLOURS[colour]) };
        commands.spawn((terrain, Position(place), lamp, look, ReportCollisions)).id()
    };
    let mut kicking = vec![];
    for (colour, place) in [vec2(-0.09, 0.16), vec2(0.11, 0.16), vec2(0.01, 0.29)].into_iter().enumerate() {
        let bumper = spawn(Terrain::Circle { radius: 0.038 }, place, Lamp(100, 0.055, 0.0), colour);
        kicking.push((bumper, Kick(1.3)));
    }
    let mut targets = vec![];
    for side in [-1.0, 1.0] {
        let points = [vec2(0.025, 0.07), vec2(0.025, -0.022), vec2(-0.045, -0.072)];
        let points = points.map(|point| vec2(side * point.x, point.y)).to_vec();
        let sling = spawn(Terrain::Polygon { points }, vec2(side * 0.2, -0.2), Lamp(10, 0.035, 0.0), 3);
        kicking.push((sling, Kick(0.7)));
        for (colour, height) in [-0.06, 0.0, 0.06].into_iter().enumerate() {
            let place = vec2(side * (HALF.x - 0.006), height);
            targets.push(spawn(Terrain::Block { half_size: vec2(0.006, 0.024) }, place, Lamp(250, 0.025, 0.0), colour));
        }
    }
    kicking.into_iter().for_each(|(toy, kick)| _ = commands.entity(toy).insert(kick));
    targets.into_iter().for_each(|target| _ = commands.entity(target).insert(Target));
}

fn count_hit(
    hit: On<CollisionEvent>,
    mut lamps: Query<&mut Lamp>,
    (targets, standing): (Query<Entity, With<Target>>, Query<Entity, (With<Target>, Without<Inactive>)>),
    (mut game, mut commands): (ResMut<Game>, Commands),
) {
    let Ok(mut lamp) = lamps.get_mut(hit.entity) else { return };
    lamp.2 = 1.0;
    game.score += lamp.0 * (1 + game.cleared);
    if standing.contains(hit.entity) {
        commands.entity(hit.entity).insert(Inactive);
    }
    if standing.iter().all(|target| target == hit.entity) {
        game.cleared += 1;
        targets.iter().for_each(|target| _ = commands.entity(target).remove::<Inactive>());
    }
}

/// The ball is put before the plunger again.
fn lose(drain: On<SensorEntered>, mut game: ResMut<Game>, mut commands: Commands) {
    game.lost += 1;
    commands.entity(drain.other).teleport(PLUNGER + vec2(0.0, 0.03)).set_velocity(Vec2::ZERO);
}

/// A flipper is where its `TurnTo` wants it when the tick ends, and what is on its way is hit as fast as it turns.
fn turn_flippers(mut flippers: Query<(&Flipper, &Rotation, &mut TurnTo)>, game: Res<Game>, time: Res<Time>) {
    for (&Flipper(side), rotation, mut target) in &mut flippers {
        let wanted = if game.pressed[usize::from(side > 0.0)] { -side * SWING } else { side * SWING };
        let step = TURNS * time.delta_secs();
        target.0 = rotation.0 + (wanted - rotation.0).clamp(-step, step);
    }
}

/// Slowly back while it is held, and then with its spring.
fn pull_plunger(plunger: Single<(&Position, &mut MoveTo)>, game: Res<Game>, time: Res<Time>) {
    let (position, mut target) = plunger.into_inner();
    let [most, pulling, spring] = PULL;
    let speed = if game.pressed[2] { -pulling } else { spring * (PLUNGER.y - position.y).max(0.02) };
    target.0.y = (position.y + speed * time.delta_secs()).clamp(PLUNGER.y - most, PLUNGER.y);
}

/// The keys; before any was pressed, the machine: it flips at what lies on a flipper, and pulls while the ball waits.
fn press_buttons(
    ball: Single<(&Position, &Velocity), With<Disc>>,
    plunger: Single<&Position, With<MoveTo>>,
    keys: Option<Res<ButtonInput<KeyCode>>>,
    mut game: ResMut<Game>,
) {
    use KeyCode::{ArrowDown, ArrowLeft, ArrowRight, KeyA, KeyD, KeyR, Space};
    let lies_on = |side: f32| {
        let out = PIVOT.x - side * ball.0.x;
        let above = ball.0.y - PIVOT.y + 0.5 * out;
        (0.03..0.085).contains(&out) && (-0.02..0.03).contains(&above) && ball.1.y < 0.3
    };
    let waits = ball.0.x > HALF.x && ball.0.y < PLUNGER.y + 0.05;
    let mut pressed = [lies_on(-1.0), lies_on(1.0), waits && plunger.y > PLUNGER.y - PULL[0]];
    if let Some(keys) = keys {
        let begins = !game.has_person && keys.get_just_pressed().len() > 0;
        if begins || keys.just_pressed(KeyR) {
            *game = Game { has_person: true, ..default() };
        }
        if game.has_person {
            pressed = [[ArrowLeft, KeyA], [ArrowRight, KeyD], [ArrowDown, Space]].map(|two| keys.any_pressed(two));
        } else if game.lost == BALLS {
            *game = Game::default();
        }
    }
    game.pressed = pressed.map(|pressed| pressed && game.lost < BALLS);
}

fn show_score(game: Res<Game>, mut headline: ResMut<Headline>) {
    let about = match game.lost {
        BALLS => "Game over: R begins anew".into(),
        lost => format!("Ball {} of {BALLS}   ·   each hit counts {}-fold", lost + 1, 1 + game.cleared),
    };
    let help = "Arrows, or A and D: flippers   ·   hold Space, let go: the plunger   ·   R: again".into();
    headline.set_if_neq(Headline { title: format!("Pinball   {}", game.score), about, help });
}

/// A wooden rim, the floor, the spring of the plunger; and what was hit lights up, and fades.
fn draw(
    mut canvas: ResMut<Canvas>,
    (mut lamps, plunger): (Query<(&mut Lamp, &Position, &TerrainLook)>, Single<&Position, With<MoveTo>>),
    (time, theme): (Res<Time>, Res<Theme>),
) {
    let (middle, radius) = ARCH;
    for (rim, colour) in [(0.022, theme.table.wood_dark), (0.017, theme.table.wood), (0.0, theme.ground.room_edge)] {
        let (low, high) = (vec2(middle.x - radius, -HALF.y) - rim, vec2(middle.x + radius + rim, middle.y));
        canvas.rect(Layer::Ground, Plate::new(low.midpoint(high), 0.5 * (high - low)), colour);
        canvas.disc(Layer::Ground, middle, radius + rim, colour);
    }
    let coil =
        |k: u8| vec2(PLUNGER.x - 0.012 + 0.024 * f32::from(k % 2), (-HALF.y).lerp(plunger.y, f32::from(k) / 12.0));
    canvas.polyline(Layer::Marks, &(0..=12).map(coil).collect::<Vec<_>>(), false, 0.004, theme.terrain.wall);
    for (mut lamp, place, look) in &mut lamps {
        lamp.2 *= ops::exp(-5.0 * time.delta_secs());
        let colour = look.colour.map_or(theme.terrain.block, Srgba::from);
        canvas.glow(Layer::Marks, place.0, lamp.1, lamp.1, colour.with_alpha(0.12 + 0.8 * lamp.2));
    }
}
