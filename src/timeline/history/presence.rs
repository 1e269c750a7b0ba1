//! Entities that are there at some times only. An entity that is not there keeps its components and is hidden from
//! every query.

use bevy::{
    ecs::{
        entity::{EntityHashMap, EntityHashSet, EntityMapper},
        entity_disabling::Disabled,
    },
    prelude::*,
};

use crate::components::StableId;

/// An entity that has been hidden, with the ancestor that was hidden. Showing that ancestor thus restores neither
/// entities that other code has disabled nor those that were hidden earlier.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Absent {
    /// The entity that was hidden, or an ancestor of it.
    pub root: Entity,
}

/// Hides an entity and its descendants from every query, with Bevy's [`Disabled`]. They keep all components.
pub fn hide(world: &mut World, entity: Entity) {
    for below in with_descendants(world, entity) {
        let mut below = world.entity_mut(below);
        if !below.contains::<Disabled>() {
            below.insert((Disabled, Absent { root: entity }));
        }
    }
}

/// Shows an entity and the descendants that were hidden with it.
pub fn show(world: &mut World, entity: Entity) {
    for below in with_descendants(world, entity) {
        let mut below_mut = world.entity_mut(below);
        if below == entity || below_mut.get::<Absent>().is_some_and(|absent| absent.root == entity) {
            below_mut.remove::<(Disabled, Absent)>();
        }
    }
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

/// The entities that have taken the place of others: of despawned ones, or in another world.
#[derive(Debug, Default)]
pub(super) struct Successors {
    of: EntityHashMap<Entity>,
    /// Whether they are in another world, where the same numbers are other entities.
    are_elsewhere: bool,
}

impl Successors {
    /// The entities of a copy of the world. It has none yet.
    pub fn of_copy() -> Self {
        Self { are_elsewhere: true, ..Self::default() }
    }

    /// The entity that is now what this one was. In another world, that is none unless it was put there.
    pub fn of(&self, mut entity: Entity) -> Entity {
        if self.are_elsewhere {
            return self.of.get(&entity).copied().unwrap_or(Entity::PLACEHOLDER);
        }
        while let Some(&next) = self.of.get(&entity) {
            entity = next;
        }
        entity
    }

    pub fn put(&mut self, entity: Entity, successor: Entity) {
        self.of.insert(entity, successor);
    }

    pub fn take(&mut self, entity: Entity) {
        self.of.remove(&entity);
    }

    pub fn drain(&mut self) -> Vec<Entity> {
        self.of.drain().map(|(_, successor)| successor).collect()
    }

    /// Replaces the entities that a component refers to.
    pub fn map<C: Component>(&mut self, component: &mut C) {
        if !self.of.is_empty() {
            C::map_entities(component, self);
        }
    }
}

impl EntityMapper for Successors {
    fn get_mapped(&mut self, source: Entity) -> Entity {
        self.of(source)
    }

    fn set_mapped(&mut self, source: Entity, target: Entity) {
        self.put(source, target);
    }
}

/// Whether an entity may have appeared or disappeared since this was last cleared.
#[derive(Resource, Default)]
pub(super) struct PresenceChanged(pub bool);

/// Watches for entities that appear and disappear.
pub(super) fn watch_presence(app: &mut App) {
    app.init_resource::<PresenceChanged>()
        .add_observer(|_: On<Add, StableId>, mut changed: ResMut<PresenceChanged>| changed.0 = true)
        .add_observer(|_: On<Remove, StableId>, mut changed: ResMut<PresenceChanged>| changed.0 = true)
        .add_observer(|_: On<Add, Disabled>, mut changed: ResMut<PresenceChanged>| changed.0 = true)
        .add_observer(|_: On<Remove, Disabled>, mut changed: ResMut<PresenceChanged>| changed.0 = true);
}

/// The entities that appear and disappear with the history: those with a [`StableId`].
pub(super) fn present(world: &mut World) -> EntityHashSet {
    world.query_filtered::<Entity, With<StableId>>().iter(world).collect()
}

/// Makes exactly these entities present. One that has been despawned gets a successor without components.
pub(super) fn put_presence(world: &mut World, wanted: &EntityHashSet, successors: &mut Successors) {
    let now = present(world);
    let wanted: EntityHashSet = wanted.iter().map(|&entity| bring(world, entity, &now, successors)).collect();
    for &entity in now.difference(&wanted) {
        hide(world, entity);
    }
}

/// Makes an entity present, and returns it or its successor.
pub(super) fn bring(world: &mut World, entity: Entity, now: &EntityHashSet, successors: &mut Successors) -> Entity {
    let entity = successors.of(entity);
    if now.contains(&entity) {
        return entity;
    }
    if world.get_entity(entity).is_ok() {
        show(world, entity);
        return entity;
    }
    let successor = world.spawn_empty().id();
    successors.put(entity, successor);
    successor
}
