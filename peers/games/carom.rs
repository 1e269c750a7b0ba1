//! A game in the manner of Peggle, on carom. `avian.rs` is the same game on Avian, and `shared.rs` contains all that is
//! not physics.
//!
//! ```sh
//! cargo run --release --manifest-path peers/Cargo.toml --features games --example pegs_carom
//! ```
//!
//! With `-- --headless` it checks itself, with `-- --measure` it measures its preview.

mod shared;

use bevy::prelude::*;
use carom::prelude::*;
use shared::{
    Aim, BALL, BUCKET, BUCKET_AMPLITUDE, BUCKET_CENTRE, BUCKET_FREQUENCY, Ball, BallGone, BallRacked, Bounces, Bucket,
    DRAIN, DRAIN_CENTRE, GRAVITY, LAUNCHER, LevelStarted, PEG, PREVIEW, Peg, PegHit, Preview, RESTITUTION, Shot, WALLS,
    play,
};

fn main() {
    play::<Position>(game);
}

fn game(app: &mut App) {
    app.add_plugins(PhysicsPlugins::default())
        .insert_resource(MotionSettings { gravity: GRAVITY, ..default() })
        .insert_resource(CollisionSettings { mode: SolverMode::Continuous, terrain_restitution: RESTITUTION, ..default() })
        .add_systems(Startup, set_up)
        .add_systems(Update, preview)
        .add_observer(spawn_pegs)
        .add_observer(shoot)
        .add_observer(rack);
}

fn set_up(mut commands: Commands) {
    commands.spawn(Terrain::Polyline { points: WALLS.to_vec() });
    commands.spawn((Ball, Disc, Inactive, Radius(BALL), Position(LAUNCHER)));
    let swing =
        Oscillation { centre: BUCKET_CENTRE, amplitude: BUCKET_AMPLITUDE, frequency: BUCKET_FREQUENCY, ..default() };
    commands
        .spawn((Bucket, Sensor, Terrain::Block { half_size: BUCKET }, swing))
        .observe(|_: On<SensorOverlapStarted>, mut commands: Commands| commands.trigger(BallGone { is_caught: true }));
    commands
        .spawn((Sensor, Terrain::Block { half_size: DRAIN }, Position(DRAIN_CENTRE)))
        .observe(|_: On<SensorOverlapStarted>, mut commands: Commands| commands.trigger(BallGone { is_caught: false }));
}

fn spawn_pegs(level: On<LevelStarted>, mut commands: Commands) {
    for &place in &level.0 {
        commands.spawn((Peg, Terrain::Circle { radius: PEG }, Position(place))).observe(hit_peg);
    }
}

fn hit_peg(hit: On<CollisionEvent>, mut commands: Commands) {
    commands.entity(hit.entity).despawn();
    commands.trigger(PegHit(hit.impulse()));
}

fn shoot(shot: On<Shot>, ball: Single<Entity, With<Ball>>, mut commands: Commands) {
    commands.entity(*ball).remove::<Inactive>().set_velocity(shot.0);
}

fn rack(_: On<BallRacked>, ball: Single<Entity, With<Ball>>, mut commands: Commands) {
    commands.entity(*ball).insert(Inactive).teleport(LAUNCHER);
}

fn preview(
    predictor: Predictor,
    ball: Single<Entity, With<Ball>>,
    sensors: Query<Entity, With<Sensor>>,
    pegs: Query<Entity, With<Peg>>,
    (aim, bounces, mut preview): (Res<Aim>, Res<Bounces>, ResMut<Preview>),
) {
    preview.0.clear();
    let Some(velocity) = aim.0 else { return };
    let horizon = Horizon { seconds: PREVIEW, impacts: bounces.0, ..default() };
    let Some(prediction) = predictor.shot(*ball, velocity, horizon) else { return };
    if let Some(path) = prediction.vanishing(&pegs).until(&sensors).finished().path_of(*ball) {
        preview.0.extend(&path.points);
    }
}
