//! Parking: an entity that an edit has removed keeps all components and is hidden from every query, until the edit is
//! undone or forgotten.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};

use crate::scene::OutlivesScene;

/// What was parked here, by itself or with this entity above it: nothing is brought back that somebody else has
/// disabled, or that was parked before.
#[derive(Component, Clone, Copy, Debug)]
struct Parked(Entity);

/// Takes an entity and all below it out of every query.
pub(super) fn park(world: &mut World, entity: Entity) {
    for below in with_descendants(world, entity) {
        let mut below = world.entity_mut(below);
        if !below.contains::<Disabled>() {
            below.insert((Disabled, Parked(entity), OutlivesScene));
        }
    }
}

/// Brings a parked entity back, and all below it that was parked with it.
pub(super) fn unpark(world: &mut World, entity: Entity) {
    for below in with_descendants(world, entity) {
        let mut below = world.entity_mut(below);
        if below.get::<Parked>().is_some_and(|parked| parked.0 == entity) {
            below.remove::<(Disabled, Parked, OutlivesScene)>();
        }
    }
}

/// Despawns an entity if it is parked.
pub(super) fn despawn_parked(world: &mut World, entity: Entity) {
    if let Ok(entity) = world.get_entity_mut(entity)
        && entity.contains::<Parked>()
    {
        entity.despawn();
    }
}

/// Whether an entity exists and is not hidden from queries.
pub(super) fn is_there(world: &World, entity: Entity) -> bool {
    world.get_entity(entity).is_ok_and(|entity| !entity.contains::<Disabled>())
}

/// An entity, if it is there, and all below it.
fn with_descendants(world: &World, entity: Entity) -> Vec<Entity> {
    let mut found: Vec<Entity> = world.get_entity(entity).iter().map(|_| entity).collect();
    let mut next = 0;
    while let Some(&entity) = found.get(next) {
        found.extend(world.get::<Children>(entity).into_iter().flatten());
        next += 1;
    }
    found
}
