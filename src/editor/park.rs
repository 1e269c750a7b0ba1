//! Parking. A removed entity keeps all components and is [hidden](hide) from every query until the edit is undone or
//! dropped. While it is hidden, it outlives its scene.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};

use crate::{
    scene::OutlivesScene,
    timeline::history::{Absent, hide, show},
};

/// Hides an entity and its descendants from every query.
pub(super) fn park(world: &mut World, entity: Entity) {
    hide(world, entity);
    if is_hidden(world, entity) {
        world.entity_mut(entity).insert(OutlivesScene);
    }
}

/// Restores a parked entity and the descendants that were parked with it.
pub(super) fn unpark(world: &mut World, entity: Entity) {
    if is_hidden(world, entity) {
        show(world, entity);
        world.entity_mut(entity).remove::<OutlivesScene>();
    }
}

/// Despawns an entity if it is parked.
pub(super) fn despawn_parked(world: &mut World, entity: Entity) {
    if is_hidden(world, entity) && world.get::<OutlivesScene>(entity).is_some() {
        world.despawn(entity);
    }
}

/// Whether an entity exists and is not hidden from queries.
pub(super) fn is_there(world: &World, entity: Entity) -> bool {
    world.get_entity(entity).is_ok_and(|entity| !entity.contains::<Disabled>())
}

/// Whether an entity itself was hidden, and not an ancestor. The history may have shown or hidden it since it was
/// parked.
fn is_hidden(world: &World, entity: Entity) -> bool {
    world.get::<Absent>(entity).is_some_and(|absent| absent.root == entity)
}
