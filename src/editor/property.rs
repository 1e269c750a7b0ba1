//! Properties: the components and settings whose changes are edits. A [`Recording`] stores their values before a
//! change. Each one that differs afterwards is a [`ValueChange`].

use core::{
    any::{Any, TypeId},
    fmt::Debug,
    marker::PhantomData,
};
use std::sync::Arc;

use bevy::{ecs::component::Mutable, prelude::*, reflect::PartialReflect};

use super::difference;
use crate::components::{InPocket, OffTable, Position};

/// A type whose values can be stored and compared.
pub trait Keepable: Reflect + Clone + PartialEq + Debug {}

impl<T: Reflect + Clone + PartialEq + Debug> Keepable for T {}

/// Whether two values are the same. Unlike with `==`, NaN equals NaN, so a value with a NaN does not count as changed.
pub(crate) fn is_same<T: PartialEq + Debug>(a: &T, b: &T) -> bool {
    a == b || format!("{a:?}") == format!("{b:?}")
}

/// Access to the values of a property.
pub(super) trait Place: Send + Sync + 'static {
    type Value: Keepable;
    const IS_SETTING: bool = true;

    /// The current value, if there is one. A setting belongs to no entity.
    fn get(&self, world: &World, entity: Entity) -> Option<Self::Value>;

    /// Writes a value, or removes it.
    fn put(&self, world: &mut World, entity: Entity, value: Option<Self::Value>);
}

/// A component.
pub(super) struct OnEntity<C>(PhantomData<fn() -> C>);

/// A resource.
struct OfWorld<R>(PhantomData<fn() -> R>);

/// A part of a resource.
struct PartOf<R, T> {
    get: fn(&R) -> T,
    set: fn(&mut R, T),
}

impl<C: Component + Keepable> Place for OnEntity<C> {
    type Value = C;
    const IS_SETTING: bool = false;

    fn get(&self, world: &World, entity: Entity) -> Option<C> {
        world.get(entity).cloned()
    }

    fn put(&self, world: &mut World, entity: Entity, value: Option<C>) {
        let Ok(mut entity) = world.get_entity_mut(entity) else { return };
        match value {
            Some(component) => entity.insert(component),
            None => entity.remove::<C>(),
        };
        // Placing a disc takes it out of a pocket, and puts it back on the table.
        if TypeId::of::<C>() == TypeId::of::<Position>() {
            entity.remove::<(InPocket, OffTable)>();
        }
    }
}

impl<R: Resource + Keepable> Place for OfWorld<R> {
    type Value = R;

    fn get(&self, world: &World, _: Entity) -> Option<R> {
        world.get_resource().cloned()
    }

    fn put(&self, world: &mut World, _: Entity, value: Option<R>) {
        match value {
            Some(resource) => world.insert_resource(resource),
            None => _ = world.remove_resource::<R>(),
        }
    }
}

impl<R: Resource<Mutability = Mutable>, T: Keepable> Place for PartOf<R, T> {
    type Value = T;

    fn get(&self, world: &World, _: Entity) -> Option<T> {
        world.get_resource().map(self.get)
    }

    fn put(&self, world: &mut World, _: Entity, value: Option<T>) {
        if let (Some(mut resource), Some(part)) = (world.get_resource_mut::<R>(), value) {
            (self.set)(&mut resource, part);
        }
    }
}

/// A property of an entity or a setting, before and after a change. Registered properties are prototypes of these
/// changes.
pub(super) trait ValueChange: Any + Send + Sync {
    /// A new change that starts with the current value of this property for an entity.
    fn begin(&self, world: &World, entity: Entity) -> Box<dyn ValueChange>;

    /// Stores the current value as the one after the change.
    fn end(&mut self, world: &World);

    /// Whether nothing has changed.
    fn is_nothing(&self) -> bool;

    /// Writes the value after the change (`forward`), or the one before.
    fn put(&self, world: &mut World, forward: bool);

    /// Extends this change to the end of a later change of the same value. Returns false for a change of another value.
    fn join(&mut self, later: &dyn ValueChange) -> bool;

    /// The description in the language of the window. For a setting it has the field and both values.
    fn in_words(&self) -> String;

    /// Whether it is a setting.
    fn is_of_setting(&self) -> bool;

    #[cfg(test)]
    fn type_of_value(&self) -> TypeId;
}

/// A [`ValueChange`] with its type.
pub(super) struct Change<P: Place> {
    /// In English, marked for translation.
    name: &'static str,
    place: Arc<P>,
    /// A placeholder for settings.
    entity: Entity,
    pub(super) before: Option<P::Value>,
    pub(super) after: Option<P::Value>,
}

impl<P: Place> ValueChange for Change<P> {
    fn begin(&self, world: &World, entity: Entity) -> Box<dyn ValueChange> {
        let before = self.place.get(world, entity);
        Box::new(Self { name: self.name, place: self.place.clone(), entity, after: before.clone(), before })
    }

    fn end(&mut self, world: &World) {
        self.after = self.place.get(world, self.entity);
    }

    fn is_nothing(&self) -> bool {
        is_same(&self.before, &self.after)
    }

    fn put(&self, world: &mut World, forward: bool) {
        let value = if forward { &self.after } else { &self.before };
        self.place.put(world, self.entity, value.clone());
    }

    fn join(&mut self, later: &dyn ValueChange) -> bool {
        let later = (later as &dyn Any).downcast_ref::<Self>();
        let same = later.filter(|it| Arc::ptr_eq(&it.place, &self.place) && it.entity == self.entity);
        if let Some(later) = same {
            self.after.clone_from(&later.after);
        }
        same.is_some()
    }

    fn in_words(&self) -> String {
        let [before, after] = [&self.before, &self.after].map(|it| it.as_ref().map(PartialReflect::as_partial_reflect));
        difference::in_words(self.name, P::IS_SETTING, before.zip(after))
    }

    fn is_of_setting(&self) -> bool {
        P::IS_SETTING
    }

    #[cfg(test)]
    fn type_of_value(&self) -> TypeId {
        TypeId::of::<P::Value>()
    }
}

/// The components and settings whose changes are edits.
#[derive(Resource, Default)]
pub(super) struct Properties(pub(super) Vec<Box<dyn ValueChange>>);

/// Makes changes of further components and settings undoable. Call it before or after adding
/// [`UndoPlugin`](super::UndoPlugin).
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::editor::UndoAppExt;
/// #[derive(Component, Reflect, Clone, PartialEq, Debug)]
/// struct Colour(u8);
///
/// # let mut app = App::new();
/// app.undo_component::<Colour>("colour");
/// ```
pub trait UndoAppExt {
    /// Makes changes of this component on selected entities undoable, if the panel or [`change`](super::change) makes
    /// them. The undo button shows the name, translated if the language of the window has a translation.
    fn undo_component<C: Component + Keepable>(&mut self, name: &'static str) -> &mut Self;

    /// Makes the panel's changes to this resource undoable.
    fn undo_resource<R: Resource + Keepable>(&mut self, name: &'static str) -> &mut Self;

    /// Makes the panel's changes to a part of a resource undoable.
    fn undo_part<R: Resource<Mutability = Mutable>, T: Keepable>(
        &mut self,
        name: &'static str,
        get: fn(&R) -> T,
        set: fn(&mut R, T),
    ) -> &mut Self;
}

impl UndoAppExt for App {
    fn undo_component<C: Component + Keepable>(&mut self, name: &'static str) -> &mut Self {
        register(self, name, OnEntity::<C>(PhantomData))
    }

    fn undo_resource<R: Resource + Keepable>(&mut self, name: &'static str) -> &mut Self {
        register(self, name, OfWorld::<R>(PhantomData))
    }

    fn undo_part<R: Resource<Mutability = Mutable>, T: Keepable>(
        &mut self,
        name: &'static str,
        get: fn(&R) -> T,
        set: fn(&mut R, T),
    ) -> &mut Self {
        register(self, name, PartOf { get, set })
    }
}

fn register<'a, P: Place>(app: &'a mut App, name: &'static str, place: P) -> &'a mut App {
    let change = Change { name, place: Arc::new(place), entity: Entity::PLACEHOLDER, before: None, after: None };
    app.world_mut().get_resource_or_init::<Properties>().0.push(Box::new(change));
    app
}

/// The values of properties before a change.
#[derive(Default)]
pub(super) struct Recording(Vec<Box<dyn ValueChange>>);

impl Recording {
    /// All properties of these entities.
    pub(super) fn of_entities(world: &World, entities: &[Entity]) -> Self {
        let there = entities.iter().copied().filter(|&entity| world.get_entity(entity).is_ok());
        Self::begin(world, false, there)
    }

    /// All settings.
    pub(super) fn of_settings(world: &World) -> Self {
        Self::begin(world, true, [Entity::PLACEHOLDER])
    }

    fn begin(world: &World, of_settings: bool, entities: impl IntoIterator<Item = Entity>) -> Self {
        let Some(Properties(properties)) = world.get_resource() else { return Self::default() };
        let begin = |entity: Entity| {
            let properties = properties.iter().filter(move |property| property.is_of_setting() == of_settings);
            properties.map(move |property| property.begin(world, entity))
        };
        Self(entities.into_iter().flat_map(begin).collect())
    }

    pub(super) fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Stores the current values as those after the change.
    pub(super) fn end(&mut self, world: &World) {
        for change in &mut self.0 {
            change.end(world);
        }
    }

    /// The differences between the start and the end.
    pub(super) fn changes(mut self) -> Vec<Box<dyn ValueChange>> {
        self.0.retain(|change| !change.is_nothing());
        self.0
    }

    /// The change of a component.
    pub(super) fn change_mut<C: Component + Keepable>(&mut self, of: Entity) -> Option<&mut Change<OnEntity<C>>> {
        let changes = self.0.iter_mut().filter_map(|change| (&mut **change as &mut dyn Any).downcast_mut());
        changes.into_iter().find(|change: &&mut Change<OnEntity<C>>| change.entity == of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::Radius;

    #[test]
    fn what_is_not_a_number_has_not_changed_for_that() {
        let radius = |r: f32| Some(Radius(r));
        assert!(is_same(&radius(f32::NAN), &radius(f32::NAN)));
        assert!(!is_same(&radius(f32::NAN), &radius(1.0)));
        assert!(!is_same(&None, &radius(1.0)));
    }
}
