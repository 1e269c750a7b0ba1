//! Who meets whom, from a scene to components and back. A scene names those that a disc ignores by their ids.

use std::collections::{BTreeMap, BTreeSet};

use bevy::prelude::*;

use crate::{
    components::{CollisionLayers, IgnoredPairs, Kick, OneWay, Sensor, StableId},
    scene::entries::{DiscEntry, TerrainEntry},
};

pub(super) fn insert(entity: &mut EntityWorldMut, layers: CollisionLayers, (sensor, kick): (bool, f32)) {
    if layers != CollisionLayers::ALL {
        entity.insert(layers);
    }
    if sensor {
        entity.insert(Sensor);
    }
    if kick != 0.0 {
        entity.insert(Kick(kick));
    }
}

/// Gives discs what they ignore, by ids of which the entities are known.
pub(super) fn insert_ignored(world: &mut World, ignoring: &[(Entity, Vec<u64>)], entities: &BTreeMap<u64, Entity>) {
    for (entity, ignores) in ignoring {
        let others = ignores.iter().filter_map(|id| entities.get(id).copied()).collect();
        world.entity_mut(*entity).insert(IgnoredPairs(others));
    }
}

/// An entry with the number and the entity that it stands for.
type Keyed<T> = ((StableId, Entity), T);

/// Writes down whom the entities of entries meet. A piece of terrain that names discs is named by those.
pub(super) fn capture(world: &World, terrain: &mut [Keyed<TerrainEntry>], discs: &mut [Keyed<DiscEntry>]) {
    let layers = |entity: Entity| world.get::<CollisionLayers>(entity).copied().unwrap_or_default();
    let kick = |entity: Entity| world.get::<Kick>(entity).map_or(0.0, |kick| kick.0);
    let named = |entity: Entity| world.get::<IgnoredPairs>(entity).into_iter().flat_map(|ignored| ignored.0.iter());
    let mut by_terrain: BTreeMap<Entity, BTreeSet<u64>> = BTreeMap::new();
    for ((id, entity), piece) in terrain {
        piece.layers = layers(*entity);
        piece.kick = kick(*entity);
        piece.sensor = world.get::<Sensor>(*entity).is_some();
        piece.one_way = world.get::<OneWay>(*entity).copied();
        for &disc in named(*entity) {
            by_terrain.entry(disc).or_default().insert(id.0);
        }
    }
    for ((_, entity), disc) in discs {
        disc.layers = layers(*entity);
        disc.kick = kick(*entity);
        disc.sensor = world.get::<Sensor>(*entity).is_some();
        let others = named(*entity).filter_map(|&other| world.get::<StableId>(other)).map(|id| id.0);
        let all: BTreeSet<u64> = others.chain(by_terrain.remove(entity).into_iter().flatten()).collect();
        disc.ignores = all.into_iter().collect();
    }
}
