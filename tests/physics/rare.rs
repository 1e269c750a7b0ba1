//! Rare components are skipped while no entity has any. They act from the tick in which the first is added until the
//! last is removed.

use bevy::prelude::*;
use carom::prelude::*;

use crate::support::{self, Dice, MODES, app_in};

/// A component that is added to a disc or a wall, given the other of the two, and removed again.
struct Rare {
    name: &'static str,
    on_wall: bool,
    put: fn(&mut EntityWorldMut, Entity),
    take: fn(&mut EntityWorldMut),
}

/// A component added in this way, and removed by its type.
macro_rules! rare {
    ($on_wall:expr, $type:ty, $bundle:expr) => {
        Rare {
            name: stringify!($type),
            on_wall: $on_wall,
            put: |entity, other| {
                let bundle: fn(Entity, Entity) -> $type = $bundle;
                let bundle = bundle(entity.id(), other);
                entity.insert(bundle);
            },
            take: |entity| _ = entity.remove::<$type>(),
        }
    };
}

const DISC: bool = false;
const WALL: bool = true;

fn all() -> Vec<Rare> {
    vec![
        rare!(DISC, CollisionLayers, |_, _| CollisionLayers::NONE),
        rare!(WALL, CollisionLayers, |_, _| CollisionLayers::NONE),
        rare!(DISC, IgnoredPairs, |_, wall| IgnoredPairs(vec![wall])),
        rare!(DISC, Sensor, |_, _| Sensor),
        rare!(WALL, Sensor, |_, _| Sensor),
        rare!(WALL, OneWay, |_, _| OneWay::Toward(Vec2::X)),
        rare!(WALL, BumperKick, |_, _| BumperKick(3.0)),
        rare!(WALL, Friction, |_, _| Friction(0.5)),
        rare!(WALL, (Friction, SurfaceVelocity), |_, _| (Friction(0.5), SurfaceVelocity(Vec2::Y))),
        rare!(DISC, ConstantForce, |_, _| ConstantForce(vec2(3.0, 4.0))),
        rare!(DISC, GravityScale, |_, _| GravityScale(-1.0)),
        rare!(DISC, LinearDamping, |_, _| LinearDamping(2.0)),
        rare!(DISC, ClothFriction, |_, _| ClothFriction(5.0)),
        rare!(DISC, SpeedLimit, |_, _| SpeedLimit(0.5)),
        rare!(DISC, Joint, |disc, _| Joint::spring(disc, Vec2::ZERO, 1.0, 50.0)),
        rare!(WALL, Velocity, |_, _| Velocity(vec2(-3.0, 0.0))),
        rare!(WALL, AngularVelocity, |_, _| AngularVelocity(Vec3::Z)),
        rare!(WALL, MoveTo, |_, _| MoveTo(vec2(1.0, 0.5))),
        rare!(WALL, TurnTo, |_, _| TurnTo(0.3)),
        rare!(WALL, Oscillation, |_, _| Oscillation { amplitude: Vec2::X, frequency: 2.0, ..default() }),
        rare!(WALL, Orbit, |_, _| Orbit { radius: 1.0, frequency: 2.0, ..default() }),
        rare!(DISC, (Kinematic, Orbit), |_, _| (Kinematic, Orbit { radius: 1.0, frequency: 2.0, ..default() })),
        rare!(WALL, (Mass, Velocity, AngularVelocity), |_, _| (Mass(2.0), default(), default())),
        rare!(DISC, CollidingEntities, |_, _| default()),
        rare!(WALL, CollidingEntities, |_, _| default()),
    ]
}

/// A crowd in a box divided by a wall; returns the disc and the wall that components are added to.
fn crowd(app: &mut App) -> [Entity; 2] {
    app.world_mut().resource_mut::<MotionSettings>().gravity = vec2(0.0, -3.0);
    app.world_mut().spawn((StableId(1000), Terrain::Arena { half_size: Vec2::splat(6.0) }));
    let wall = Terrain::Segment { a: vec2(0.0, -6.0), b: vec2(0.0, 6.0) };
    let wall = app.world_mut().spawn((StableId(1001), wall)).id();
    let mut dice = Dice(3);
    let discs: Vec<Entity> = (0..36_u16)
        .map(|k| {
            let place = vec2(f32::from(k % 6), f32::from(k / 6)) * 1.7 - 4.25;
            let motion = (Position(place + dice.vec(0.2)), Velocity(dice.vec(20.0)));
            app.world_mut().spawn((Disc, StableId(u64::from(k)), motion, Radius(dice.range(0.2, 0.5)))).id()
        })
        .collect();
    // Beside the wall, moving toward it.
    app.world_mut().entity_mut(discs[14]).insert(Velocity(vec2(15.0, 4.0)));
    [discs[14], wall]
}

/// Everything that a tick leaves: the discs, the pieces of terrain, and the lists of contacts and sensors.
fn state(app: &mut App) -> (u64, Vec<(Vec2, f32)>, Vec<Vec<Entity>>) {
    let hash = support::hash(app);
    let world = app.world_mut();
    let mut pieces = world.query_filtered::<(&StableId, &Position, &Rotation), With<Terrain>>();
    let mut pieces: Vec<_> = pieces.iter(world).collect();
    pieces.sort_unstable_by_key(|(id, ..)| **id);
    let pieces = pieces.into_iter().map(|(_, position, rotation)| (position.0, rotation.0)).collect();
    let mut kept = world.query::<(&StableId, Option<&CollidingEntities>, Option<&Sensed>)>();
    let mut kept: Vec<_> = kept.iter(world).collect();
    kept.sort_unstable_by_key(|(id, ..)| **id);
    let kept = kept.into_iter().filter(|(id, ..)| id.0 <= 1001);
    let lists = kept.flat_map(|(_, contacts, sensed)| [contacts.map(|c| c.to_vec()), sensed.map(|s| s.to_vec())]);
    (hash, pieces, lists.flatten().collect())
}

#[test]
fn it_acts_as_where_there_always_is_some() {
    for mode in MODES {
        for Rare { name, on_wall, put, take } in all() {
            let [mut app, mut control, mut plain] = [app_in(mode), app_in(mode), app_in(mode)];
            let sides = [&mut app, &mut control, &mut plain].map(crowd);
            assert!(sides.iter().all(|other| *other == sides[0]));
            // It touches nothing and is nowhere, but it exists.
            control.world_mut().spawn((StableId(2000), CollidingEntities::default()));
            let [disc, wall] = sides[0];
            let (on, other) = if on_wall { (wall, disc) } else { (disc, wall) };
            let mut acted = false;
            for tick in 0..50 {
                for app in [&mut app, &mut control] {
                    match tick {
                        // Before the disc reaches the wall.
                        1 => put(&mut app.world_mut().entity_mut(on), other),
                        26 => take(&mut app.world_mut().entity_mut(on)),
                        _ => {}
                    }
                }
                for app in [&mut app, &mut control, &mut plain] {
                    support::ticks(app, 1);
                }
                let state = [&mut app, &mut control, &mut plain].map(state);
                assert_eq!(state[0], state[1], "{name} on {on_wall}, {mode:?}, tick {tick}");
                acted |= state[0] != state[2];
                assert!(!acted || tick >= 1);
            }
            assert!(acted, "{name}, {mode:?}: nothing was tried");
        }
    }
}
