//! What a history tracks: components and values of the world, each stored whole in keyframes and one by one in edits.

use std::{
    any::{Any, type_name},
    marker::PhantomData,
    sync::Arc,
};

use bevy::{
    ecs::{
        change_detection::Tick,
        component::Mutable,
        entity::{EntityHashMap, EntityHashSet},
        query::QueryState,
    },
    prelude::*,
};

use super::presence::Successors;

/// A kind of state that a history tracks.
pub(super) trait Tracked: Send + Sync + 'static {
    /// The name of its type, or that under which a value is tracked.
    fn name(&self) -> &'static str;

    /// All current values. If they are those of an earlier capture, the two share their memory.
    fn capture(&mut self, world: &mut World, last: Option<&Column>) -> Column;

    /// Writes the values of a capture, and removes all others.
    fn restore(&mut self, world: &mut World, column: &Column, successors: &mut Successors);

    /// The values written or removed by others since a change tick, and all values of entities that have appeared; if
    /// `shadow` is given, only those that differ from it. `None` if there are none.
    fn edits(&mut self, world: &mut World, since: Tick, appeared: &[Entity], shadow: Option<&Column>) -> Option<Edit>;

    /// Writes the values of an edit.
    fn apply(&self, world: &mut World, edit: &Edit, successors: &mut Successors);

    /// Whether an edit changes anything besides components that these new entities have never had.
    fn changes(&self, edit: &Edit, new: &EntityHashSet) -> bool;

    /// Ignores what has been removed until now.
    fn forget_removed(&mut self, world: &mut World);
}

/// All values of one kind at one time.
#[derive(Clone)]
pub(crate) struct Column {
    data: Arc<dyn Any + Send + Sync>,
    /// The memory that it takes, unless it shares it.
    pub bytes: usize,
}

impl Column {
    fn new<T: Any + Send + Sync>(data: T, bytes: usize) -> Self {
        Self { data: Arc::new(data), bytes }
    }

    pub fn get<T: Any>(&self) -> Option<&T> {
        self.data.downcast_ref()
    }

    /// Whether two columns share their memory.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.data, &other.data)
    }

    /// Whether dropping it frees its memory.
    pub fn is_last(&self) -> bool {
        Arc::strong_count(&self.data) == 1
    }
}

/// The values of one kind that were written at one time.
pub(crate) type Edit = Column;

impl Edit {
    /// The edit that writes or removes these components.
    pub(crate) fn of_components<C: Component>(edits: Vec<(Entity, Option<C>)>) -> Self {
        let bytes = edits.len() * size_of::<(Entity, Option<C>)>();
        Self::new(ComponentEdits(edits), bytes)
    }

    /// The components that it writes or removes, if they are of this type.
    pub(crate) fn components<C: Component>(&self) -> Option<&[(Entity, Option<C>)]> {
        self.get::<ComponentEdits<C>>().map(|edits| edits.0.as_slice())
    }

    /// The edit that writes or removes a value.
    pub(crate) fn of_value<T: Send + Sync + 'static>(value: Option<T>) -> Self {
        Self::new(value, size_of::<T>())
    }

    /// The value that it writes or removes, if it is of this type.
    pub(crate) fn value<T: 'static>(&self) -> Option<&Option<T>> {
        self.get()
    }
}

/// The components of one type, with their entities.
pub(super) struct Components<C> {
    pub entities: Arc<[Entity]>,
    pub values: Vec<C>,
}

/// The components of one type that were written, or removed.
pub(super) struct ComponentEdits<C>(Vec<(Entity, Option<C>)>);

/// Tracks a component.
pub(super) struct TrackedComponent<C: Component> {
    all: Option<QueryState<(Entity, Ref<'static, C>)>>,
    /// Writes another value.
    write: fn(&mut EntityWorldMut, C),
}

impl<C: Component> TrackedComponent<C> {
    /// Tracks any component.
    pub fn new() -> Self {
        Self { all: None, write: |entity, value| _ = entity.insert(value) }
    }

    /// The same, faster.
    pub fn mutable() -> Self
    where
        C: Component<Mutability = Mutable>,
    {
        let write = |entity: &mut EntityWorldMut, value| match entity.get_mut::<C>() {
            Some(mut current) => *current = value,
            None => _ = entity.insert(value),
        };
        Self { all: None, write }
    }

    /// Writes or removes a component, if that changes it.
    fn put(&self, world: &mut World, entity: Entity, value: Option<C>)
    where
        C: PartialEq,
    {
        let Ok(mut entity) = world.get_entity_mut(entity) else { return };
        match (value, entity.get::<C>()) {
            (Some(value), Some(current)) if value == *current => {}
            (Some(value), _) => (self.write)(&mut entity, value),
            (None, Some(_)) => _ = entity.remove::<C>(),
            (None, None) => {}
        }
    }
}

/// The entities that a component has been removed from since they were last read.
#[derive(Resource)]
pub(super) struct Removed<C> {
    entities: Vec<Entity>,
    of: PhantomData<fn() -> C>,
}

impl<C: Component> Removed<C> {
    /// Watches for removals.
    pub fn watch(app: &mut App) {
        app.insert_resource(Self { entities: Vec::new(), of: PhantomData })
            .add_observer(|removed: On<Remove, C>, mut list: ResMut<Self>| list.entities.push(removed.entity));
    }
}

impl<C: Component + Clone + PartialEq> Tracked for TrackedComponent<C> {
    fn name(&self) -> &'static str {
        type_name::<C>()
    }

    fn capture(&mut self, world: &mut World, last: Option<&Column>) -> Column {
        let all = self.all.get_or_insert_with(|| world.query());
        let (entities, values): (Vec<Entity>, Vec<C>) =
            all.iter(world).map(|(entity, value)| (entity, C::clone(&value))).unzip();
        let last_components = last.and_then(Column::get::<Components<C>>);
        let same_entities = last_components.filter(|last| *last.entities == *entities);
        if let (Some(same), Some(last)) = (same_entities, last)
            && same.values == values
        {
            return last.clone();
        }
        let shared = same_entities.map(|same| same.entities.clone());
        let own = if shared.is_some() { 0 } else { size_of::<Entity>() };
        let bytes = values.len() * (size_of::<C>() + own);
        Column::new(Components { entities: shared.unwrap_or_else(|| entities.into()), values }, bytes)
    }

    fn restore(&mut self, world: &mut World, column: &Column, successors: &mut Successors) {
        let Some(Components { entities, values }) = column.get::<Components<C>>() else { return };
        for (&entity, value) in entities.iter().zip(values) {
            let entity = successors.of(entity);
            let mut value = value.clone();
            successors.map(&mut value);
            self.put(world, entity, Some(value));
        }
        let all = self.all.get_or_insert_with(|| world.query());
        if all.iter(world).count() == entities.len() {
            return;
        }
        let wanted: EntityHashSet = entities.iter().map(|&entity| successors.of(entity)).collect();
        let others: Vec<Entity> = all.iter(world).map(|(entity, _)| entity).filter(|it| !wanted.contains(it)).collect();
        for entity in others {
            self.put(world, entity, None);
        }
    }

    fn edits(&mut self, world: &mut World, since: Tick, appeared: &[Entity], shadow: Option<&Column>) -> Option<Edit> {
        let now = world.change_tick();
        let all = self.all.get_or_insert_with(|| world.query());
        // An entity that is hidden at another time keeps the components of that time, so all must be written or
        // removed.
        let mut edits: Vec<(Entity, Option<C>)> =
            appeared.iter().map(|&entity| (entity, world.get::<C>(entity).cloned())).collect();
        let new: EntityHashSet = appeared.iter().copied().collect();
        for (entity, value) in all.iter(world) {
            if value.last_changed().is_newer_than(since, now) && !new.contains(&entity) {
                edits.push((entity, Some(C::clone(&value))));
            }
        }
        let mut removed = std::mem::take(&mut world.resource_mut::<Removed<C>>().entities);
        removed.sort_unstable();
        removed.dedup();
        for entity in removed {
            let is_without =
                all.get(world, entity).is_err() && world.get_entity(entity).is_ok_and(|it| !it.contains::<C>());
            if is_without && !new.contains(&entity) {
                edits.push((entity, None));
            }
        }
        if edits.is_empty() {
            return None;
        }
        if let Some(shadow) = shadow {
            let shadow = shadow.get::<Components<C>>();
            let before: EntityHashMap<&C> =
                shadow.map(|shadow| shadow.entities.iter().copied().zip(&shadow.values).collect()).unwrap_or_default();
            edits.retain(|(entity, value)| before.get(entity).copied() != value.as_ref());
        }
        (!edits.is_empty()).then(|| Edit::of_components(edits))
    }

    fn apply(&self, world: &mut World, edit: &Edit, successors: &mut Successors) {
        let Some(ComponentEdits(edits)) = edit.get::<ComponentEdits<C>>() else { return };
        for (entity, value) in edits {
            let mut value = value.clone();
            if let Some(value) = &mut value {
                successors.map(value);
            }
            self.put(world, successors.of(*entity), value);
        }
    }

    fn changes(&self, edit: &Edit, new: &EntityHashSet) -> bool {
        let mut edits = edit.components::<C>().unwrap_or_default().iter();
        edits.any(|(entity, value)| value.is_some() || !new.contains(entity))
    }

    fn forget_removed(&mut self, world: &mut World) {
        world.resource_mut::<Removed<C>>().entities.clear();
    }
}

/// Tracks a value of the world, such as a resource.
pub(super) struct TrackedValue<T> {
    /// Its name.
    pub name: &'static str,
    /// Reads it, if it is there.
    pub get: fn(&World) -> Option<T>,
    /// Writes or removes it.
    pub set: fn(&mut World, Option<T>),
    /// The value at the last capture or edit.
    pub last: Option<T>,
}

impl<T: Clone + PartialEq + Send + Sync + 'static> Tracked for TrackedValue<T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn capture(&mut self, world: &mut World, last: Option<&Column>) -> Column {
        let value = (self.get)(world);
        self.last.clone_from(&value);
        match last {
            Some(last) if last.get::<Option<T>>() == Some(&value) => last.clone(),
            _ => Column::new(value, size_of::<T>()),
        }
    }

    fn restore(&mut self, world: &mut World, column: &Column, _: &mut Successors) {
        let Some(value) = column.get::<Option<T>>() else { return };
        if (self.get)(world) != *value {
            (self.set)(world, value.clone());
        }
        self.last.clone_from(value);
    }

    fn edits(&mut self, world: &mut World, _: Tick, _: &[Entity], shadow: Option<&Column>) -> Option<Edit> {
        let value = (self.get)(world);
        let before = shadow.and_then(Column::get::<Option<T>>).unwrap_or(&self.last);
        if value == *before {
            return None;
        }
        self.last.clone_from(&value);
        Some(Edit::of_value(value))
    }

    fn apply(&self, world: &mut World, edit: &Edit, _: &mut Successors) {
        let Some(value) = edit.get::<Option<T>>() else { return };
        if (self.get)(world) != *value {
            (self.set)(world, value.clone());
        }
    }

    fn changes(&self, _: &Edit, _: &EntityHashSet) -> bool {
        true
    }

    fn forget_removed(&mut self, world: &mut World) {
        self.last = (self.get)(world);
    }
}
