//! The last program of the chapter `docs/src/first-game.md`: air hockey, step by step.
//!
//! ```sh
//! cargo run --release --example first_game
//! cargo run --example first_game -- --headless    # two minutes without a window, with a robot at the mouse
//! ```

use bevy::{prelude::*, time::TimeUpdateStrategy};
use carom::{
    input::{Pointer, PointerPlugin},
    prelude::*,
    scene::{DiscLook, TerrainLook},
    sound::SoundPlugin,
    view::{Headline, ViewPlugin},
};

/// Half of the table, half of a goal, and the radii of puck and mallets, metres.
const HALF: Vec2 = vec2(0.6, 1.1);
const GOAL: f32 = 0.22;
const PUCK: f32 = 0.05;
const MALLET: f32 = 0.07;
/// The largest speed of a mallet, m/s.
const HAND: f32 = 5.0;
/// The colours of the puck, your side and that of the machine.
const RED: Color = Color::srgb(0.9, 0.22, 0.27);
const YOURS: Color = Color::srgb(0.3, 0.79, 0.94);
const ITS: Color = Color::srgb(0.95, 0.65, 0.35);

#[derive(Component)]
struct Puck;

#[derive(Component)]
struct You;

#[derive(Component)]
struct Machine;

#[derive(Resource, Default, Debug)]
struct Score {
    you: u32,
    machine: u32,
}

fn main() {
    let mut app = App::new();
    if std::env::args().any(|argument| argument == "--headless") {
        return check(app);
    }
    app.add_plugins((DefaultPlugins, PhysicsPlugins::default(), ViewPlugin, PointerPlugin, SoundPlugin, game))
        .add_systems(Update, (restart, show_score))
        .run();
}

/// The game itself, with a window or without.
fn game(app: &mut App) {
    app.insert_resource(Time::<Fixed>::from_hz(120.0))
        .insert_resource(CollisionSettings {
            mode: SolverMode::Continuous,
            restitution: 0.9,
            terrain_restitution: 0.9,
            ..default()
        })
        .insert_resource(MotionSettings { drag: 0.1, ..default() })
        .init_resource::<Score>()
        .add_systems(Startup, (build_table, spawn_discs))
        .add_systems(FixedUpdate, (lead, defend));
}

fn build_table(mut commands: Commands) {
    for x in [-HALF.x, HALF.x] {
        commands.spawn(Terrain::Segment { a: vec2(x, -HALF.y), b: vec2(x, HALF.y) });
        for y in [-HALF.y, HALF.y] {
            commands.spawn(Terrain::Segment { a: vec2(x, y), b: vec2(GOAL.copysign(x), y) });
        }
    }
    for (end, colour) in [(-1.0, YOURS), (1.0, ITS)] {
        // The puck touches this line as soon as all of it is behind the goal line.
        let goal = Terrain::Segment { a: vec2(-GOAL, 0.0), b: vec2(GOAL, 0.0) };
        let place = Position(vec2(0.0, end * (HALF.y + 2.0 * PUCK)));
        commands.spawn((Sensor, goal, place, TerrainLook { colour: Some(colour) })).observe(count);
    }
}

fn spawn_discs(mut commands: Commands) {
    let look = |colour| DiscLook { colour: Some(colour), ..default() };
    commands.spawn((Puck, Disc, Radius(PUCK), Mass(0.03), Velocity(vec2(0.4, 0.7)), look(RED)));
    let [below, above] = [-0.8, 0.8].map(|y| (Disc, Kinematic, Radius(MALLET), Position(vec2(0.0, y))));
    commands.spawn((You, below, MoveTo(vec2(0.0, -0.8)), look(YOURS)));
    commands.spawn((Machine, above, MoveTo(vec2(0.0, 0.8)), look(ITS)));
}

/// Moves your mallet toward the mouse, within your half and no faster than `HAND`.
fn lead(pointer: Res<Pointer>, time: Res<Time>, mallet: Single<(&Position, &mut MoveTo), With<You>>) {
    let (place, mut target) = mallet.into_inner();
    let reach = HALF - MALLET;
    let wanted = pointer.world.unwrap_or(place.0).clamp(-reach, vec2(reach.x, -MALLET));
    target.0 = place.0 + (wanted - place.0).clamp_length_max(HAND * time.delta_secs());
}

/// The machine guards its goal. It attacks when the puck is slow and in its half.
fn defend(
    puck: Single<(&Position, &Velocity), With<Puck>>,
    mallet: Single<(&Position, &mut MoveTo), With<Machine>>,
    time: Res<Time>,
) {
    let (puck, velocity) = *puck;
    let (place, mut target) = mallet.into_inner();
    let attacks = puck.y > 0.0 && velocity.length() < 3.0;
    let wanted = if attacks { puck.0 } else { vec2(puck.x.clamp(-GOAL, GOAL), HALF.y - 2.0 * MALLET) };
    let reach = HALF - MALLET;
    let wanted = wanted.clamp(vec2(-reach.x, MALLET), reach);
    target.0 = place.0 + (wanted - place.0).clamp_length_max(0.6 * HAND * time.delta_secs());
}

/// Counts a goal. The player who conceded it gets the puck.
fn count(entered: On<SensorOverlapStarted>, goals: Query<&Position>, mut score: ResMut<Score>, mut commands: Commands) {
    let Ok(goal) = goals.get(entered.entity) else { return };
    *(if goal.y > 0.0 { &mut score.you } else { &mut score.machine }) += 1;
    commands.entity(entered.other).teleport(vec2(0.0, goal.y.signum() * 0.3)).set_velocity(Vec2::ZERO);
}

fn restart(
    keys: Res<ButtonInput<KeyCode>>,
    puck: Single<Entity, With<Puck>>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    if keys.just_pressed(KeyCode::KeyR) {
        *score = Score::default();
        commands.entity(*puck).teleport(Vec2::ZERO).set_velocity(vec2(0.4, 0.7));
    }
}

fn show_score(score: Res<Score>, mut headline: ResMut<Headline>) {
    headline.title = format!("{} : {}", score.you, score.machine);
    headline.help = "Mouse: the blue mallet   ·   R: restart".into();
}

/// A robot holds the mouse on the puck. After two minutes both have scored, and the puck is on the table.
fn check(mut app: App) {
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), game))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .init_resource::<Pointer>()
        .add_systems(FixedPreUpdate, |puck: Single<&Position, With<Puck>>, mut pointer: ResMut<Pointer>| {
            pointer.world = Some(puck.0);
        });
    for _ in 0..120 * 120 {
        app.update();
    }
    let puck = app.world_mut().query_filtered::<&Position, With<Puck>>().single(app.world()).expect("there is one").0;
    let score = app.world().resource::<Score>();
    println!("{score:?}, the puck is at {puck}");
    assert!(score.you > 0 && score.machine > 0 && puck.abs().cmplt(HALF + 2.0 * PUCK).all());
}
