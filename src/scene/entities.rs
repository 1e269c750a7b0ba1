//! Spawns the contents of a scene as entities.

use std::collections::BTreeMap;

use bevy::prelude::*;

use super::{
    contents::Contents,
    entries::{DiscEntry, PocketEntry, TerrainEntry, TileEntry},
    ignored, joints,
    look::{CueBall, OwnLook, Surroundings, TerrainLook},
    optional::OptionalComponents,
    registry::SceneRegistry,
    ron_value::RonValue,
    running::{InstanceEntities, SceneEntity},
};
use crate::{
    components::{
        AngularVelocity, Ball, Disc, InPocket, Mass, Orientation, Pocket, Position, Radius, Rotation, StableId,
        Velocity,
    },
    plane::{SettledRect, TableRect, Tile},
    random::Random,
};

/// Spawns everything in a scene. Returns the entities of terrain, pockets, discs and joints in their order.
pub(super) fn put_entities(
    world: &mut World,
    contents: Contents,
    surroundings: Surroundings,
    registry: &SceneRegistry,
) -> InstanceEntities {
    let numbers = contents.numbers();
    let mut put = InstanceEntities::default();
    let mut entities = BTreeMap::new();
    for (piece, id) in contents.terrain.into_iter().zip(numbers.terrain) {
        let entity = spawn_terrain(world, piece, StableId(id), registry);
        entities.insert(id, entity);
        put.terrain.push(entity);
    }
    for (pocket, id) in contents.pockets.iter().zip(numbers.pockets) {
        put.pockets.push(spawn_pocket(world, pocket, StableId(id), registry));
    }
    let mut ignoring = Vec::new();
    for (disc, id) in contents.discs.into_iter().zip(numbers.discs) {
        let entity = spawn_disc(world, &disc, StableId(id), (surroundings, registry), &put.pockets);
        entities.insert(id, entity);
        if !disc.ignores.is_empty() {
            ignoring.push((entity, disc.ignores));
        }
        put.discs.push(entity);
    }
    for (TileEntry { min, max }, id) in contents.tiles.into_iter().zip(numbers.tiles) {
        let rect = Rect { min, max };
        world.spawn((SceneEntity, Tile, TableRect(rect), SettledRect { rect, before: rect }, StableId(id)));
    }
    ignored::insert(world, &ignoring, &entities);
    put.joints = joints::spawn(world, &contents.joints, &numbers.joints, &entities);
    put
}

/// Inserts the components of a game, which have been checked.
pub(super) fn insert_components(
    entity: &mut EntityWorldMut,
    components: &BTreeMap<String, RonValue>,
    registry: &SceneRegistry,
) {
    if let Err(problem) = registry.insert_components(entity, components) {
        tracing::warn!("{problem}");
    }
}

/// Inserts the optional components of an entry. It stays at its start, metres.
fn insert_optional(entity: &mut EntityWorldMut, optional: &OptionalComponents, start: Vec2) {
    optional.insert_into(entity);
    // A motion that was inserted before the target that overrides it has moved the entity to its path.
    if let Some(mut position) = entity.get_mut::<Position>() {
        position.set_if_neq(Position(start));
    }
}

pub(super) fn spawn_terrain(world: &mut World, piece: TerrainEntry, id: StableId, registry: &SceneRegistry) -> Entity {
    let look = TerrainLook { colour: piece.colour.map(Color::from) };
    let start = piece.start();
    let mut entity =
        world.spawn((SceneEntity, piece.shape.clone(), Position(start), Rotation(piece.rotation), look, id));
    if piece.own_look {
        entity.insert(OwnLook);
    }
    if let Some(velocity) = piece.velocity {
        entity.insert(Velocity(velocity));
    }
    if let Some(angular_velocity) = piece.angular_velocity {
        entity.insert(AngularVelocity(Vec3::Z * angular_velocity));
    }
    if let Some(mass) = piece.mass {
        // A block always has velocities, because hits can move it.
        let spin = Vec3::Z * piece.angular_velocity.unwrap_or_default();
        entity.insert((Mass(mass), Velocity(piece.velocity.unwrap_or_default()), AngularVelocity(spin)));
    }
    insert_optional(&mut entity, &piece.optional, start);
    insert_components(&mut entity, &piece.components, registry);
    entity.id()
}

pub(super) fn spawn_pocket(world: &mut World, pocket: &PocketEntry, id: StableId, registry: &SceneRegistry) -> Entity {
    let mut entity = world.spawn((SceneEntity, Pocket { radius: pocket.radius }, Position(pocket.position), id));
    insert_components(&mut entity, &pocket.components, registry);
    entity.id()
}

/// The initial orientation of a ball: slightly askew, by its id.
pub(super) fn lying(position: Vec2, id: StableId) -> Orientation {
    let mut random = Random::new(id.0);
    let axis = random.direction();
    let turn = Quat::from_axis_angle(axis.extend(0.0), random.between(0.1, 0.6));
    Orientation { turn: turn * Quat::from_rotation_z(random.between(-0.6, 0.6)), rolled_to: position }
}

pub(super) fn spawn_disc(
    world: &mut World,
    disc: &DiscEntry,
    id: StableId,
    (surroundings, registry): (Surroundings, &SceneRegistry),
    pockets: &[Entity],
) -> Entity {
    let start = disc.start();
    let mut entity = world.spawn((
        SceneEntity,
        Disc,
        Position(start),
        Velocity(disc.velocity),
        Radius(disc.radius),
        disc.mass(),
        disc.look(),
        id,
    ));
    if disc.own_look {
        entity.insert(OwnLook);
    }
    if disc.cue {
        entity.insert(CueBall);
    }
    if let Some(spin) = disc.spin() {
        entity.insert(AngularVelocity(spin.angular_velocity));
    }
    if disc.ball {
        entity.insert(Ball);
    }
    if let Some(&pocket) = disc.pocket.and_then(|pocket| pockets.get(pocket)) {
        entity.insert(InPocket { pocket });
    }
    insert_optional(&mut entity, &disc.optional, start);
    if surroundings == Surroundings::Table {
        entity.insert(lying(start, id));
    }
    insert_components(&mut entity, &disc.components, registry);
    entity.id()
}
