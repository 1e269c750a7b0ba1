//! A carrom board: pull back from the striker and release, and pot the nine white coins in as few shots as you can.
//! Coins are flat discs with friction, pockets are circles, and the preview is the shot.
//!
//! ```sh
//! cargo run --release --example carrom
//! cargo run --example carrom -- --headless    # three shots without a window
//! ```

use bevy::prelude::*;
use carom::{
    input::{AimPlugin, AimSettings, Shootable, ShotTaken, Strength},
    prelude::*,
    scene::DiscLook,
    sound::SoundPlugin,
    view::ViewPlugin,
};

/// By the rules of the International Carrom Federation, metres and kilograms.
const HALF: f32 = 0.37;
const POCKET: f32 = 0.0222;
const COIN: (f32, f32) = (0.0155, 0.0055);
const STRIKER: (f32, f32) = (0.0206, 0.015);
/// From the middle to the base line of the striker.
const BASE_LINE: f32 = 0.26;

/// The owner of a coin.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
enum Coin {
    White,
    Black,
    Queen,
}

#[derive(Component)]
struct Striker;

#[derive(Resource, Default, Debug)]
struct Score {
    shots: u32,
    white: u32,
    black: u32,
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
        app.add_plugins((ViewPlugin, AimPlugin, SoundPlugin)).add_systems(Update, show_score);
    }
    app.insert_resource(Time::<Fixed>::from_hz(120.0))
        .insert_resource(CollisionSettings {
            mode: SolverMode::Continuous,
            restitution: 0.9,
            terrain_restitution: 0.7,
            ..default()
        })
        .insert_resource(MotionSettings { friction: 1.2, ..default() })
        .insert_resource(AimSettings { only_at_rest: true })
        // A pull of ten centimetres is 2 m/s.
        .insert_resource(Strength { per_metre: 20.0, most: 5.0 })
        .init_resource::<Score>()
        .add_message::<ShotTaken>()
        .add_systems(Startup, set_up)
        .add_systems(FixedPostUpdate, (count, take_up_striker).chain().after(SimulationSystems));
    if !headless {
        app.run();
        return;
    }
    app.update();
    for angle in [1.5_f32, 1.62, 1.57] {
        let mut strikers = app.world_mut().query_filtered::<&mut Velocity, With<Striker>>();
        strikers.single_mut(app.world_mut()).expect("there is a striker").0 = Vec2::from_angle(angle) * 4.0;
        for _ in 0..600 {
            app.update();
        }
    }
    println!("{:?}", app.world().resource::<Score>());
    let striker = app.world_mut().query_filtered::<(&Position, Has<InPocket>), With<Striker>>().single(app.world());
    assert_eq!(striker.ok(), Some((&Position(vec2(0.0, -BASE_LINE)), false)), "it is back on its line");
}

fn set_up(mut commands: Commands) {
    commands.spawn(Terrain::Arena { half_size: Vec2::splat(HALF) });
    for corner in [vec2(-1.0, -1.0), vec2(1.0, -1.0), vec2(1.0, 1.0), vec2(-1.0, 1.0)] {
        commands.spawn((Pocket { radius: POCKET }, Position(corner * (HALF - POCKET))));
    }
    let disc = |place: Vec2, (radius, mass): (f32, f32), [red, green, blue]: [u8; 3]| {
        let look = DiscLook { colour: Some(Color::srgb_u8(red, green, blue)), ..default() };
        (Disc, Position(place), Radius(radius), Mass(mass), look)
    };
    commands.spawn((Striker, Shootable, disc(vec2(0.0, -BASE_LINE), STRIKER, [0xf4, 0xd3, 0x5e])));
    commands.spawn((Coin::Queen, disc(Vec2::ZERO, COIN, [0xc1, 0x12, 0x1f])));
    // A ring of six, and one of twelve, with small gaps between all of them.
    for (ring, count) in [(1_u8, 6_u8), (2, 12)] {
        for k in 0..count {
            let around = Vec2::from_angle(std::f32::consts::TAU * f32::from(k) / f32::from(count));
            let apart = if ring == 2 && k % 2 == 1 { 3.0_f32.sqrt() } else { f32::from(ring) };
            let place = around * (apart * 2.001 * COIN.0);
            let (coin, colour) = match k % 2 {
                0 => (Coin::White, [0xf5, 0xeb, 0xdd]),
                _ => (Coin::Black, [0x7f, 0x5a, 0x3c]),
            };
            commands.spawn((coin, disc(place, COIN, colour)));
        }
    }
}

fn count(
    mut potted: MessageReader<Potted>,
    mut shots: MessageReader<ShotTaken>,
    coins: Query<&Coin>,
    mut score: ResMut<Score>,
) {
    let taken = shots.read().count() as u32;
    if taken > 0 {
        score.shots += taken;
    }
    for coin in potted.read().filter_map(|fall| coins.get(fall.disc).ok()) {
        match coin {
            Coin::White => score.white += 1,
            Coin::Black => score.black += 1,
            Coin::Queen => {}
        }
    }
}

/// When all discs are at rest, returns the striker to its line, also from a pocket, as near to the middle as there is
/// room.
fn take_up_striker(
    mut rests: MessageReader<AllAtRest>,
    striker: Single<(Entity, &mut Position), With<Striker>>,
    coins: Query<&Position, (With<Coin>, Without<InPocket>, Without<Striker>)>,
    mut commands: Commands,
) {
    if rests.read().count() == 0 {
        return;
    }
    let (entity, mut position) = striker.into_inner();
    let is_free = |place: &Vec2| coins.iter().all(|coin| coin.distance(*place) > STRIKER.0 + COIN.0);
    let places = (0..40_i8).map(|k| vec2(f32::from(k / 2) * 0.01 * if k % 2 == 0 { 1.0 } else { -1.0 }, -BASE_LINE));
    position.0 = places.into_iter().find(is_free).unwrap_or(vec2(0.0, -BASE_LINE));
    commands.entity(entity).remove::<InPocket>();
}

fn show_score(score: Res<Score>, mut window: Single<&mut Window>) {
    if score.is_changed() {
        window.title = format!("Carrom: {} white and {} black in {} shots", score.white, score.black, score.shots);
    }
}
