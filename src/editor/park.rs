//! Parking. A removed entity keeps all components and is hidden from every query until the edit is undone or dropped.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};

use crate::scene::OutlivesScene;

/// An entity parked here, with the ancestor that was parked. Unparking thus restores neither entities disabled by other
/// code nor those parked earlier.
#[derive(Component, Clone, Copy, Debug)]
struct Parked(Entity);

/// Hides an entity and its descendants from every query.
pub(super) fn park(world: &mut World, entity: Entity) {
    for below in with_descendants(world, entity) {
        let mut below = world.entity_mut(below);
        if !below.contains::<Disabled>() {
            below.insert((Disabled, Parked(entity), OutlivesScene));
        }
    }
}

/// Restores a parked entity and the descendants that were parked with it.
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

/// An entity, if it exists, and all its descendants.
fn with_descendants(world: &World, entity: Entity) -> Vec<Entity> {
    let mut found: Vec<Entity> = world.get_entity(entity).iter().map(|_| entity).collect();
    let mut next = 0;
    while let Some(&entity) = found.get(next) {
        found.extend(world.get::<Children>(entity).into_iter().flatten());
        next += 1;
    }
    found
}
