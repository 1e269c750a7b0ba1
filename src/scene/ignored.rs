//! Converts pairs that ignore each other between scenes and components. In a scene, a disc lists the ids that it
//! ignores.

use std::collections::{BTreeMap, BTreeSet};

use bevy::{ecs::entity::EntityHashMap, prelude::*};

use crate::{
    components::{IgnoredPairs, StableId},
    scene::entries::{DiscEntry, TerrainEntry},
};

/// Inserts the pairs that discs ignore. The map must contain the entities of all ids.
pub(super) fn insert(world: &mut World, ignoring: &[(Entity, Vec<u64>)], entities: &BTreeMap<u64, Entity>) {
    for (entity, ignores) in ignoring {
        let others = ignores.iter().filter_map(|id| entities.get(id).copied()).collect();
        world.entity_mut(*entity).insert(IgnoredPairs(others));
    }
}

/// An entry with its number and its entity.
type Keyed<T> = ((StableId, Entity), T);

/// Fills in the ids that discs ignore, as far as they are among these entries. If terrain ignores a disc, the disc's
/// entry lists the terrain.
pub(super) fn capture(world: &World, terrain: &[Keyed<TerrainEntry>], discs: &mut [Keyed<DiscEntry>]) {
    let named = |entity: Entity| world.get::<IgnoredPairs>(entity).into_iter().flat_map(|ignored| ignored.0.iter());
    let keys = terrain.iter().map(|(key, _)| key).chain(discs.iter().map(|(key, _)| key));
    let ids: EntityHashMap<u64> = keys.map(|(id, entity)| (*entity, id.0)).collect();
    let mut by_terrain: BTreeMap<Entity, BTreeSet<u64>> = BTreeMap::new();
    for ((id, entity), _) in terrain {
        for &disc in named(*entity) {
            by_terrain.entry(disc).or_default().insert(id.0);
        }
    }
    for ((_, entity), disc) in discs {
        let others = named(*entity).filter_map(|other| ids.get(other).copied());
        let all: BTreeSet<u64> = others.chain(by_terrain.remove(entity).into_iter().flatten()).collect();
        disc.ignores = all.into_iter().collect();
    }
}
