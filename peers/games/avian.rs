//! A game in the manner of Peggle, on Avian. `carom.rs` is the same game on carom, and `shared.rs` contains all that is
//! not physics.
//!
//! ```sh
//! cargo run --release --manifest-path peers/Cargo.toml --features games --example pegs_avian
//! ```
//!
//! With `-- --headless` it checks itself, with `-- --measure` it measures its preview.

mod shared;

use std::f32::consts::TAU;

use avian2d::{dynamics::solver::SolverConfig, prelude::*};
use bevy::{math::ops, prelude::*};
use shared::{
    Aim, BALL, BUCKET, BUCKET_AMPLITUDE, BUCKET_CENTRE, BUCKET_FREQUENCY, Ball, BallGone, BallRacked, Bounces, Bucket,
    DRAIN, DRAIN_CENTRE, GRAVITY, LAUNCHER, LevelStarted, PEG, PREVIEW, Peg, PegHit, Preview, RESTITUTION, Shot, WALLS,
    play,
};

fn main() {
    play::<Position>(game);
}

fn game(app: &mut App) {
    app.add_plugins(PhysicsPlugins::default().set(PhysicsInterpolationPlugin::interpolate_all()))
        .insert_resource(Gravity(GRAVITY))
        .insert_resource(DefaultRestitution(Restitution::new(RESTITUTION)))
        .insert_resource(DefaultFriction(Friction::ZERO))
        .add_systems(Startup, set_up)
        .add_systems(FixedUpdate, swing_bucket)
        .add_systems(Update, preview)
        .add_observer(spawn_pegs)
        .add_observer(shoot)
        .add_observer(rack);
}

fn set_up(mut commands: Commands) {
    commands.spawn((RigidBody::Static, Collider::polyline(WALLS.to_vec(), None)));
    // Static until it is shot. Removing a `RigidBodyDisabled` can make Avian 0.7 panic at a later hit (issue 1067).
    let place = Transform::from_translation(LAUNCHER.extend(0.0));
    commands.spawn((Ball, RigidBody::Static, Collider::circle(BALL), place));
    let bucket = (RigidBody::Kinematic, Collider::rectangle(2.0 * BUCKET.x, 2.0 * BUCKET.y));
    let place = Transform::from_translation(bucket_at(0.0).extend(0.0));
    commands
        .spawn((Bucket, Sensor, bucket, place, CollisionEventsEnabled))
        .observe(|_: On<CollisionStart>, mut commands: Commands| commands.trigger(BallGone { is_caught: true }));
    let drain = (RigidBody::Static, Collider::rectangle(2.0 * DRAIN.x, 2.0 * DRAIN.y));
    commands
        .spawn((Sensor, drain, Transform::from_translation(DRAIN_CENTRE.extend(0.0)), CollisionEventsEnabled))
        .observe(|_: On<CollisionStart>, mut commands: Commands| commands.trigger(BallGone { is_caught: false }));
}

fn bucket_at(seconds: f32) -> Vec2 {
    BUCKET_CENTRE + BUCKET_AMPLITUDE * ops::cos(TAU * BUCKET_FREQUENCY * seconds)
}

/// Gives the bucket the velocity with which it is at its place after the tick.
fn swing_bucket(bucket: Single<(&Position, &mut LinearVelocity), With<Bucket>>, time: Res<Time>) {
    let (place, mut velocity) = bucket.into_inner();
    velocity.0 = (bucket_at(time.elapsed_secs()) - place.0) / time.delta_secs();
}

fn spawn_pegs(level: On<LevelStarted>, mut commands: Commands) {
    for place in &level.0 {
        let body = (RigidBody::Static, Collider::circle(PEG), Transform::from_translation(place.extend(0.0)));
        commands.spawn((Peg, body, CollisionEventsEnabled)).observe(hit_peg);
    }
}

fn hit_peg(hit: On<CollisionStart>, collisions: Collisions, mut commands: Commands) {
    let contact = collisions.get(hit.collider1, hit.collider2);
    let impulse = contact.map_or(0.0, ContactPair::total_normal_impulse_magnitude);
    commands.entity(hit.collider1).despawn();
    commands.trigger(PegHit(impulse));
}

fn shoot(shot: On<Shot>, ball: Single<Entity, With<Ball>>, mut commands: Commands) {
    commands.entity(*ball).insert((RigidBody::Dynamic, LinearVelocity(shot.0)));
}

fn rack(_: On<BallRacked>, ball: Single<Entity, With<Ball>>, mut commands: Commands) {
    commands.entity(*ball).insert((RigidBody::Static, Position(LAUNCHER)));
}

/// Avian has no prediction. This casts the ball along the substeps of its integrator. As in its solver, a hit stops the
/// ball along the normal, and restitution acts when the tick ends. Contacts that the solver foresees are left out, and
/// so is the bucket, whose motion a cast does not know.
fn preview(
    query: SpatialQuery,
    ball: Single<(Entity, &Collider), With<Ball>>,
    sensors: Query<Entity, With<Sensor>>,
    pegs: Query<(), With<Peg>>,
    (time, substeps): (Res<Time<Fixed>>, Res<SubstepCount>),
    (gravity, solver): (Res<Gravity>, Res<SolverConfig>),
    (aim, bounces, mut preview): (Res<Aim>, Res<Bounces>, ResMut<Preview>),
) {
    preview.0.clear();
    let Some(mut velocity) = aim.0 else { return };
    let (ball, shape) = *ball;
    let mut filter = SpatialQueryFilter::from_excluded_entities(sensors.iter().chain([ball]));
    let (tick, mut place, mut now, mut count) = (time.timestep().as_secs_f32(), LAUNCHER, 0.0, 0);
    preview.0.push((place, now));
    while now < PREVIEW && count < bounces.0 {
        let (before, mut hits) = (velocity, Vec::new());
        for _ in 0..substeps.0 {
            let mut left = tick / substeps.0 as f32;
            velocity += gravity.0 * left;
            while let Ok((direction, speed)) = Dir2::new_and_length(velocity) {
                let config = ShapeCastConfig {
                    ignore_origin_penetration: true,
                    ..ShapeCastConfig::from_max_distance(speed * left)
                };
                let Some(hit) = query.cast_shape(shape, place, 0.0, direction, &config, &filter) else { break };
                place += direction * hit.distance;
                left -= hit.distance / speed;
                velocity = velocity.reject_from_normalized(hit.normal1);
                filter.excluded_entities.insert(hit.entity);
                hits.push(hit);
            }
            place += velocity * left;
        }
        for hit in hits {
            let approach = -before.dot(hit.normal1);
            if approach > solver.restitution_threshold {
                velocity += RESTITUTION * approach * hit.normal1;
            }
            // A peg is gone after the tick.
            if !pegs.contains(hit.entity) {
                filter.excluded_entities.remove(&hit.entity);
            }
            count += 1;
        }
        now += tick;
        preview.0.push((place, now));
    }
}
