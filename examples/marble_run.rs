//! A marble run that sorts. Doors are terrain that becomes inactive, the lift and the mill are moving terrain, the way
//! to the lift is one-way, and baskets are sensors.
//!
//! ```sh
//! cargo run --release --example marble_run        # the arrow keys open the doors
//! cargo run --example marble_run -- --headless    # a minute without a window, with a machine at the keys
//! ```

use bevy::prelude::*;
use carom::{
    prelude::*,
    scene::{DiscLook, TerrainLook},
    sound::SoundPlugin,
    view::{Canvas, DrawView, Headline, Layer, Plate, ViewPlugin},
};

/// Half of the box, the radius of a marble, and the x coordinate of the shaft of the lift, metres.
const HALF: Vec2 = vec2(4.4, 3.2);
const MARBLE: f32 = 0.14;
const SHAFT: f32 = 3.98;
/// The lowest and highest position of the planks of the lift (m), and the time of a round (s).
const LIFT: [f32; 2] = [-3.22, 2.75];
const ROUND: f32 = 60.0;
const COLOURS: [Color; 3] =
    [Color::srgb(0.95, 0.65, 0.35), Color::srgb(0.18, 0.71, 0.58), Color::srgb(0.64, 0.6, 0.93)];
/// The start and end of each trapdoor on the slope, and its key; the third basket is at the end of the slope.
const DOORS: [([f32; 2], KeyCode); 2] = [([1.5, 2.2], KeyCode::ArrowRight), ([-1.1, -0.4], KeyCode::ArrowLeft)];

/// A marble and a basket with their colours, and the brightness of the basket, from 1 to 0; a door with its index, and
/// whether it is held open.
#[derive(Component)]
struct Marble(usize);
#[derive(Component)]
struct Basket(usize, f32);
#[derive(Component)]
struct Door(usize, bool);
#[derive(Component)]
struct Plank;

#[derive(Resource, Default, Debug)]
struct Round {
    right: u32,
    wrong: u32,
    seconds: f32,
}

fn main() {
    let headless = std::env::args().any(|argument| argument == "--headless");
    let mut app = App::new();
    if headless {
        app.add_plugins(MinimalPlugins).insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
    } else {
        app.add_plugins(DefaultPlugins);
    }
    let bounce = CollisionSettings { restitution: 0.5, terrain_restitution: 0.35, ..default() };
    app.add_plugins(PhysicsPlugins::default())
        .insert_resource(Time::<Fixed>::from_hz(120.0))
        .insert_resource(CollisionSettings { resting_speed: 0.2, substeps: 4, ..bounce })
        .insert_resource(MotionSettings { gravity: vec2(0.0, -9.81), drag: 0.6, ..default() })
        .init_resource::<Round>()
        .add_systems(Startup, (build, spawn_marbles))
        .add_systems(FixedUpdate, (work_doors, run_lift))
        .add_systems(FixedPostUpdate, count.after(SimulationSystems));
    if !headless {
        app.add_plugins((ViewPlugin, SoundPlugin))
            .add_systems(Update, (press, show))
            .add_systems(DrawView, draw_baskets)
            .run();
        return;
    }
    app.add_systems(FixedPreUpdate, play);
    (0..7200).for_each(|_| app.update());
    let mut marbles = app.world_mut().query_filtered::<&Position, With<Marble>>();
    let inside = marbles.iter(app.world()).filter(|place| place.abs().cmple(HALF).all()).count();
    let round = app.world().resource::<Round>();
    println!("{round:?}; {inside} marbles are in the box");
    assert!(round.right >= 20 && round.wrong <= 3 && inside == 12);
}

/// The slope, which leads left from the lift, and the floor, which leads back.
fn slope(x: f32) -> Vec2 {
    vec2(x, 1.95 - 0.1 * (SHAFT - x))
}
fn floor(x: f32) -> Vec2 {
    vec2(x, -2.75 + 0.078 * (SHAFT - x))
}

fn build(mut commands: Commands) {
    commands.spawn(Terrain::Arena { half_size: HALF });
    // The floor with the pit at its end, the mouth of the shaft with its wall, and the slope around its doors.
    let (mouth, roof, sides) = (floor(SHAFT), floor(SHAFT) + vec2(0.0, 0.38), [-HALF.x, -2.3, 0.55, SHAFT]);
    let mut walls = vec![vec![floor(-HALF.x), mouth, vec2(SHAFT, -HALF.y)], vec![roof, slope(SHAFT)]];
    let [[left, right], [far_left, far_right]] = DOORS.map(|(ends, _)| ends);
    walls.extend([[SHAFT, right], [left, far_right], [far_left, -3.5]].map(|ends| ends.map(slope).to_vec()));
    commands.spawn((Terrain::Segment { a: mouth, b: roof }, OneWay::Toward(Vec2::X)));
    let look = |colour: usize| TerrainLook { colour: Some(COLOURS[colour]) };
    for (number, [a, b]) in DOORS.map(|(ends, _)| ends.map(slope)).into_iter().enumerate() {
        commands.spawn((Door(number, false), Terrain::Segment { a, b }, look(number)));
    }
    // The walls between the baskets, and a funnel above each.
    walls.extend([sides[1], sides[2]].map(|x| vec![slope(x), floor(x) + vec2(0.0, 0.43)]));
    for (colour, (centre, rim)) in [(2.25, -0.9), (-0.875, -0.8), (-3.35, -0.9)].into_iter().enumerate() {
        for (side, edge) in [(-0.35, sides[2 - colour]), (0.35, sides[3 - colour])] {
            walls.push(vec![vec2(edge, rim), vec2(centre + side, rim - 0.5)]);
        }
        let basket = (Terrain::Block { half_size: vec2(0.35, 0.1) }, Position(vec2(centre, rim - 0.6)));
        commands.spawn((Basket(colour, 0.0), Sensor, basket, look(colour)));
    }
    commands.spawn_batch(walls.into_iter().map(|points| Terrain::Polyline { points }));
    for height in (0..6_u8).map(|plank| LIFT[0] + (LIFT[1] - LIFT[0]) * f32::from(plank) / 6.0) {
        let plank = Terrain::Segment { a: vec2(-0.19, -0.03), b: vec2(0.19, 0.03) };
        let place = vec2(0.5 * (SHAFT + HALF.x), height);
        commands.spawn((Plank, plank, Position(place), Velocity(vec2(0.0, 0.8))));
    }
    // Pins above the first basket, a mill above the second, bumpers with a kick above the third.
    for (row, column) in (0..24_u8).map(|k| (f32::from(k / 6), f32::from(k % 6))) {
        let place = Position(vec2(0.95 + 0.55 * column - 0.275 * (row % 2.0), 0.95 - 0.5 * row));
        commands.spawn((Terrain::Circle { radius: 0.05 }, place));
    }
    for turn in [0.0, std::f32::consts::FRAC_PI_2] {
        let arm = (Terrain::Block { half_size: vec2(0.85, 0.04) }, Position(vec2(-0.875, 0.3)), Rotation(turn));
        commands.spawn((arm, AngularVelocity(Vec3::Z * 1.6)));
    }
    for place in [vec2(-3.9, 0.2), vec2(-2.85, 0.1), vec2(-3.35, -0.5)] {
        commands.spawn((Terrain::Circle { radius: 0.17 }, Position(place), BumperKick(1.5)));
    }
}

/// Four marbles are moving, and eight wait on the floor.
fn spawn_marbles(mut commands: Commands) {
    for (k, colour) in (0..12_u8).zip([0, 2, 1].into_iter().cycle()) {
        let place = if k < 4 { slope(3.7 - 0.9 * f32::from(k)) } else { floor(4.9 - 0.3 * f32::from(k)) };
        let look = DiscLook { colour: Some(COLOURS[colour]), ..default() };
        commands.spawn((Marble(colour), Disc, Position(place + vec2(0.0, 0.15)), Radius(MARBLE), look));
    }
}

fn press(keys: Res<ButtonInput<KeyCode>>, mut doors: Query<&mut Door>, mut round: ResMut<Round>) {
    doors.iter_mut().for_each(|mut door| door.1 = keys.pressed(DOORS[door.0].1));
    if keys.just_pressed(KeyCode::KeyR) {
        *round = Round::default();
    }
}

/// The bot holds a door open only while a marble of its colour approaches.
fn play(mut doors: Query<&mut Door>, marbles: Query<(&Marble, &Position)>) {
    for mut door in &mut doors {
        let ([left, right], _) = DOORS[door.0];
        let comes = |at: &Position| at.y > slope(at.x).y - MARBLE && at.x > left - 0.1 && at.x < right + 0.3;
        let mut coming = marbles.iter().filter(|(_, at)| comes(at)).peekable();
        door.1 = coming.peek().is_some() && coming.all(|(marble, _)| marble.0 == door.0);
    }
}

fn work_doors(doors: Query<(Entity, &Door)>, mut commands: Commands) {
    for (entity, door) in &doors {
        let mut entity = commands.entity(entity);
        if door.1 {
            entity.insert(Inactive)
        } else {
            entity.remove::<Inactive>()
        };
    }
}

/// Moves a plank that has reached the top back to the bottom.
fn run_lift(mut planks: Query<&mut Position, With<Plank>>) {
    planks.iter_mut().filter(|place| place.y > LIFT[1]).for_each(|mut place| place.y -= LIFT[1] - LIFT[0]);
}

fn count(
    mut entered: MessageReader<SensorOverlapStarted>,
    (mut baskets, marbles): (Query<&mut Basket>, Query<&Marble>),
    (mut round, time): (ResMut<Round>, Res<Time>),
) {
    round.seconds += time.delta_secs();
    baskets.iter_mut().for_each(|mut basket| basket.1 *= 1.0 - 2.0 * time.delta_secs());
    for entry in entered.read() {
        let (Ok(mut basket), Ok(marble)) = (baskets.get_mut(entry.entity), marbles.get(entry.other)) else { continue };
        let is_right = basket.0 == marble.0;
        basket.1 = if is_right { 1.0 } else { 0.2 };
        let counts = u32::from(round.seconds < ROUND);
        *(if is_right { &mut round.right } else { &mut round.wrong }) += counts;
    }
}

fn show(round: Res<Round>, mut headline: ResMut<Headline>) {
    headline.title = format!("Marble run   {} right, {} wrong", round.right, round.wrong);
    headline.about = match (ROUND - round.seconds).ceil() {
        left if left > 0.0 => format!("{left} s left"),
        _ => "Time is up. R: restart".to_owned(),
    };
    headline.help = "Hold →: orange door   ·   hold ←: green door   ·   violet rolls on   ·   R: restart".into();
}

fn draw_baskets(mut canvas: ResMut<Canvas>, baskets: Query<(&Basket, &Position)>) {
    for (basket, place) in &baskets {
        let colour = Srgba::from(COLOURS[basket.0]);
        canvas.rect(Layer::Marks, Plate::new(place.0, vec2(0.35, 0.1)), colour.with_alpha(0.35));
        canvas.soft_rect(Layer::Marks, Plate::new(place.0, vec2(0.5, 0.25)), 0.3, colour.with_alpha(basket.1));
    }
}
