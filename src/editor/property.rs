//! Properties: the components and settings whose changes are edits. Each knows how its value is read, written and
//! compared, without its type being part of the history.

use bevy::{
    ecs::component::Mutable,
    prelude::*,
    reflect::{PartialReflect, ReflectRef},
};
use core::fmt::Debug;
use std::sync::Arc;
use tr::tr;

use crate::components::{MoveTo, Position};
#[cfg(test)]
use crate::notice::mark;

/// A value at some time; none where there was none.
pub(super) type Value = Option<Arc<dyn Reflect>>;

/// What can be kept and compared.
pub trait Keepable: Reflect + Clone + PartialEq + Debug {}

impl<T: Reflect + Clone + PartialEq + Debug> Keepable for T {}

/// A component or a setting.
#[derive(Clone)]
pub(super) struct Property(Arc<Access>);

struct Access {
    /// In English, as it is marked for translation.
    name: &'static str,
    is_setting: bool,
    #[cfg(test)]
    of: std::any::TypeId,
    take: Box<dyn Fn(&World, Entity) -> Value + Send + Sync>,
    put: Box<dyn Fn(&mut World, Entity, &Value) + Send + Sync>,
    same: fn(&dyn Reflect, &dyn Reflect) -> bool,
}

/// Whether two values are the same. Unlike for `==`, a NaN is the same as another: a value that holds one has not
/// changed for that.
pub(crate) fn is_same<T: PartialEq + Debug>(a: &T, b: &T) -> bool {
    a == b || format!("{a:?}") == format!("{b:?}")
}

fn same<T: Keepable>(a: &dyn Reflect, b: &dyn Reflect) -> bool {
    match (a.as_any().downcast_ref::<T>(), b.as_any().downcast_ref::<T>()) {
        (Some(a), Some(b)) => is_same(a, b),
        _ => false,
    }
}

fn value<T: Keepable>(value: Option<&T>) -> Value {
    value.map(|value| Arc::new(value.clone()) as Arc<dyn Reflect>)
}

fn downcast<T: Keepable>(value: &Value) -> Option<T> {
    value.as_ref().and_then(|value| (**value).as_any().downcast_ref::<T>()).cloned()
}

impl Property {
    fn component<C: Component + Keepable>(name: &'static str) -> Self {
        Self(Arc::new(Access {
            name,
            is_setting: false,
            #[cfg(test)]
            of: std::any::TypeId::of::<C>(),
            take: Box::new(|world, entity| value(world.get::<C>(entity))),
            put: Box::new(|world, entity, value| {
                let Ok(mut entity) = world.get_entity_mut(entity) else { return };
                match downcast::<C>(value) {
                    Some(component) => entity.insert(component),
                    None => entity.remove::<C>(),
                };
            }),
            same: same::<C>,
        }))
    }

    fn resource<R: Resource + Keepable>(name: &'static str) -> Self {
        Self(Arc::new(Access {
            name,
            is_setting: true,
            #[cfg(test)]
            of: std::any::TypeId::of::<R>(),
            take: Box::new(|world, _| value(world.get_resource::<R>())),
            put: Box::new(|world, _, value| match downcast::<R>(value) {
                Some(resource) => world.insert_resource(resource),
                None => {
                    world.remove_resource::<R>();
                }
            }),
            same: same::<R>,
        }))
    }

    fn part<R: Resource<Mutability = Mutable>, T: Keepable>(
        name: &'static str,
        get: fn(&R) -> T,
        set: fn(&mut R, T),
    ) -> Self {
        Self(Arc::new(Access {
            name,
            is_setting: true,
            #[cfg(test)]
            of: std::any::TypeId::of::<T>(),
            take: Box::new(move |world, _| value(world.get_resource::<R>().map(get).as_ref())),
            put: Box::new(move |world, _, value| {
                if let (Some(mut resource), Some(part)) = (world.get_resource_mut::<R>(), downcast::<T>(value)) {
                    set(&mut resource, part);
                }
            }),
            same: same::<T>,
        }))
    }

    pub(super) fn name(&self) -> &'static str {
        self.0.name
    }

    pub(super) fn is_setting(&self) -> bool {
        self.0.is_setting
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(super) fn take(&self, world: &World, entity: Entity) -> Value {
        (self.0.take)(world, entity)
    }

    pub(super) fn put(&self, world: &mut World, entity: Entity, value: &Value) {
        (self.0.put)(world, entity, value);
    }

    pub(super) fn same(&self, a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Some(a), Some(b)) => (self.0.same)(&**a, &**b),
            (None, None) => true,
            _ => false,
        }
    }

    /// What changes from one value to another, in the words of the window's language: of a setting the field and both
    /// its values.
    pub(super) fn in_words(&self, before: &Value, after: &Value) -> String {
        let mut path = Vec::new();
        let (Some(before), Some(after)) = (before, after) else { return self.part_in_words(path) };
        let (from, to) = first_difference((**before).as_partial_reflect(), (**after).as_partial_reflect(), &mut path);
        let name = self.part_in_words(path);
        match (from, to) {
            (Some(from), Some(to)) => tr!("{}, {} → {}", name, from, to),
            _ => name,
        }
    }

    /// The property, or the part of it to which these fields lead.
    fn part_in_words(&self, mut path: Vec<String>) -> String {
        let own = self.0.name;
        let own = (!self.0.is_setting || path.is_empty()).then(|| tr!(own));
        let axis = path.pop_if(|field| is_axis(field));
        let fields = path.join(" ");
        let fields = fields.as_str();
        let fields = (!fields.is_empty()).then(|| tr!(fields));
        [own, fields, axis].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// Whether a field is an axis, whose name is the same in every language.
fn is_axis(field: &str) -> bool {
    field.len() == 1
}

/// Finds the first field in which two values differ: the path to it, and both values where they are short.
fn first_difference(
    before: &dyn PartialReflect,
    after: &dyn PartialReflect,
    path: &mut Vec<String>,
) -> (Option<String>, Option<String>) {
    if let (ReflectRef::Struct(a), ReflectRef::Struct(b)) = (before.reflect_ref(), after.reflect_ref()) {
        for index in 0..a.field_len() {
            let (Some(name), Some(a), Some(b)) = (a.name_at(index), a.field_at(index), b.field_at(index)) else {
                continue;
            };
            if a.reflect_partial_eq(b) == Some(false) {
                path.push(name.replace('_', " "));
                return first_difference(a, b, path);
            }
        }
        return (None, None);
    }
    if let (ReflectRef::TupleStruct(a), ReflectRef::TupleStruct(b)) = (before.reflect_ref(), after.reflect_ref())
        && let (1, Some(a), Some(b)) = (a.field_len(), a.field(0), b.field(0))
    {
        return first_difference(a, b, path);
    }
    (in_short(before), in_short(after))
}

fn in_short(value: &dyn PartialReflect) -> Option<String> {
    let text = if let Some(number) = value.try_downcast_ref::<f32>() {
        format!("{number}")
    } else if let Some(number) = value.try_downcast_ref::<Option<f32>>() {
        number.map_or_else(|| tr!("none"), |number| format!("{number}"))
    } else if let Some(number) = value.try_downcast_ref::<Option<f64>>() {
        number.map_or_else(|| tr!("none"), |number| format!("{number}"))
    } else if let Some(&on) = value.try_downcast_ref::<bool>() {
        if on { tr!("on") } else { tr!("off") }
    } else {
        match value.reflect_ref() {
            ReflectRef::Opaque(_) => format!("{value:?}"),
            ReflectRef::Enum(value) if value.field_len() == 0 => {
                let name = value.variant_name();
                tr!(name)
            }
            _ => return None,
        }
    };
    (text.chars().count() <= 16).then_some(text)
}

/// The components and settings whose changes are edits.
#[derive(Resource, Clone, Default)]
pub(super) struct Properties {
    components: Vec<Property>,
    settings: Vec<Property>,
}

/// Makes changes of more components and settings edits that can be taken back, before or after
/// [`UndoPlugin`](super::UndoPlugin) is there.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::editor::UndoApp;
/// #[derive(Component, Reflect, Clone, PartialEq, Debug)]
/// struct Colour(u8);
///
/// # let mut app = App::new();
/// app.undo_component::<Colour>("colour");
/// ```
pub trait UndoApp {
    /// Changes of this component of what is selected are edits, when the panel makes them or [`change`](super::change)
    /// does. The name is for the words of the undo button, which has it in the language of the window where that has a
    /// translation.
    fn undo_component<C: Component + Keepable>(&mut self, name: &'static str) -> &mut Self;

    /// Changes that the panel makes to this resource are edits.
    fn undo_resource<R: Resource + Keepable>(&mut self, name: &'static str) -> &mut Self;

    /// Changes that the panel makes to a part of a resource are edits.
    fn undo_part<R: Resource<Mutability = Mutable>, T: Keepable>(
        &mut self,
        name: &'static str,
        get: fn(&R) -> T,
        set: fn(&mut R, T),
    ) -> &mut Self;
}

impl UndoApp for App {
    fn undo_component<C: Component + Keepable>(&mut self, name: &'static str) -> &mut Self {
        let mut properties = self.world_mut().get_resource_or_init::<Properties>();
        properties.components.push(Property::component::<C>(name));
        self
    }

    fn undo_resource<R: Resource + Keepable>(&mut self, name: &'static str) -> &mut Self {
        let mut properties = self.world_mut().get_resource_or_init::<Properties>();
        properties.settings.push(Property::resource::<R>(name));
        self
    }

    fn undo_part<R: Resource<Mutability = Mutable>, T: Keepable>(
        &mut self,
        name: &'static str,
        get: fn(&R) -> T,
        set: fn(&mut R, T),
    ) -> &mut Self {
        let mut properties = self.world_mut().get_resource_or_init::<Properties>();
        properties.settings.push(Property::part(name, get, set));
        self
    }
}

/// The values of some properties at one time.
#[derive(Clone, Default)]
pub(super) struct Values(Vec<(Property, Entity, Value)>);

impl Values {
    /// All that are kept of these entities.
    pub(super) fn of_entities(world: &World, entities: &[Entity]) -> Self {
        let Some(properties) = world.get_resource::<Properties>() else { return Self::default() };
        let of = |&entity: &Entity| {
            let properties = properties.components.iter();
            properties.map(move |property| (property.clone(), entity, property.take(world, entity)))
        };
        Self(entities.iter().filter(|&&entity| world.get_entity(entity).is_ok()).flat_map(of).collect())
    }

    /// All settings.
    pub(super) fn of_settings(world: &World) -> Self {
        let Some(properties) = world.get_resource::<Properties>() else { return Self::default() };
        let take =
            |property: &Property| (property.clone(), Entity::PLACEHOLDER, property.take(world, Entity::PLACEHOLDER));
        Self(properties.settings.iter().map(take).collect())
    }

    pub(super) fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// The same ones as they are now.
    pub(super) fn again(&self, world: &World) -> Self {
        let take = |(property, entity, _): &(Property, Entity, Value)| {
            (property.clone(), *entity, property.take(world, *entity))
        };
        Self(self.0.iter().map(take).collect())
    }

    /// The same ones where all is that is being led: at its target, if it had none before, and without it.
    pub(super) fn arrived(mut self, before: &Self) -> Self {
        for at in 0..self.0.len() {
            let (_, entity, value) = &self.0[at];
            let target = value.as_deref().and_then(|value| value.downcast_ref::<MoveTo>());
            let (entity, Some(&MoveTo(target)), None) = (*entity, target, &before.0[at].2) else { continue };
            self.0[at].2 = None;
            let places = self
                .0
                .iter_mut()
                .filter(|(_, of, value)| *of == entity && value.as_deref().is_some_and(<dyn Reflect>::is::<Position>));
            for (.., place) in places {
                *place = Some(Arc::new(Position(target)));
            }
        }
        self
    }

    /// Which of them differ from the same ones at a later time.
    pub(super) fn changes(self, later: Self) -> impl Iterator<Item = (Property, Entity, Value, Value)> {
        let pairs = self.0.into_iter().zip(later.0);
        pairs.filter(|(before, after)| !before.0.same(&before.2, &after.2)).map(|(before, after)| {
            let (property, entity, before) = before;
            (property, entity, before, after.2)
        })
    }
}

/// The fields and values that the words of an edit name, marked for translation. They come from reflection, so a test
/// tells which are missing.
#[cfg(test)]
const NAMED_BY_REFLECTION: [&str; 60] = [
    mark("mode"),
    mark("wall restitution"),
    mark("restitution rule"),
    mark("restitution"),
    mark("substeps"),
    mark("push apart"),
    mark("push apart share"),
    mark("resting speed"),
    mark("sleep speed"),
    mark("report above"),
    mark("impact budget"),
    mark("periodic"),
    mark("gravity"),
    mark("drag"),
    mark("friction"),
    mark("cloth"),
    mark("cloth sliding"),
    mark("cloth rolling"),
    mark("cloth spinning"),
    mark("cloth gravity"),
    mark("balls"),
    mark("cushion"),
    mark("cushion model"),
    mark("cushion nose height"),
    mark("cushion friction"),
    mark("cushion cloth friction"),
    mark("cushion restitution"),
    mark("centre"),
    mark("amplitude"),
    mark("frequency"),
    mark("phase"),
    mark("ends"),
    mark("kind"),
    mark("memberships"),
    mark("filters"),
    mark("colour"),
    mark("ball colour"),
    mark("number"),
    mark("striped"),
    mark("arrow"),
    mark("label"),
    mark("translation"),
    mark("rotation"),
    mark("min"),
    mark("max"),
    mark("Stepped"),
    mark("Continuous"),
    mark("Smallest"),
    mark("Largest"),
    mark("Product"),
    mark("Mean"),
    mark("None"),
    mark("Alciatore"),
    mark("Mirror"),
    mark("HalfSpace"),
    mark("Stronge"),
    mark("Mathavan"),
    mark("Han"),
    mark("Left"),
    mark("Right"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use bevy::reflect::TypeInfo;

    use super::*;
    use crate::{
        PhysicsPlugins,
        collision::{CollisionSettings, Mode},
        editor::{EditHistory, UndoPlugin},
        motion::MotionSettings,
        view::words::language::in_japanese,
    };

    /// All that [`Property::in_words`] may say of a value of this type besides numbers.
    fn names(info: &TypeInfo, path: &[String], found: &mut BTreeSet<String>) {
        let part = |name: &str| path.iter().cloned().chain([name.replace('_', " ")]).collect::<Vec<_>>();
        match info {
            TypeInfo::Struct(info) => {
                for field in info.iter() {
                    let path = part(field.name());
                    let axis = usize::from(path.last().is_some_and(|name| is_axis(name)));
                    found.insert(path[..path.len() - axis].join(" "));
                    if let Some(info) = field.type_info().filter(|_| axis == 0) {
                        names(info, &path, found);
                    }
                }
            }
            TypeInfo::TupleStruct(info) if info.field_len() == 1 => {
                if let Some(info) = info.field_at(0).and_then(bevy::reflect::UnnamedField::type_info) {
                    names(info, path, found);
                }
            }
            TypeInfo::Enum(info) => {
                let is_option = info.type_path().starts_with("core::option");
                let plain = info.iter().filter(|it| it.as_unit_variant().is_ok() && !is_option);
                found.extend(plain.map(|it| it.name().to_owned()));
            }
            _ => {}
        }
        // Of a struct within a struct the first part that differs is named, not the whole.
        found.remove("");
    }

    #[test]
    fn every_field_and_value_that_reflection_names_is_marked_for_translation() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), UndoPlugin));
        app.register_type::<crate::scene::DiscLook>().register_type::<crate::scene::TerrainLook>();
        let (properties, types) = (app.world().resource::<Properties>(), app.world().resource::<AppTypeRegistry>());
        let mut found = BTreeSet::new();
        for property in properties.components.iter().chain(&properties.settings) {
            let registered = types.read();
            if let Some(info) = registered.get_type_info(property.0.of) {
                names(info, &[], &mut found);
            } else {
                assert!(property.name() == "time scale" || property.name() == "tick rate", "{}", property.name());
            }
        }
        let marked: BTreeSet<String> = NAMED_BY_REFLECTION.iter().map(|&name| name.to_owned()).collect();
        assert_eq!(found, marked);
    }

    #[test]
    fn edits_are_told_in_the_language_of_the_window() {
        let words = |mut app: App| {
            let change = |velocity: Vec2| value(Some(&crate::components::Velocity(velocity)));
            let mut words = vec![
                Property::component::<crate::components::Velocity>("velocity")
                    .in_words(&change(Vec2::ZERO), &change(Vec2::X)),
                Property::resource::<CollisionSettings>("collision settings").in_words(
                    &value(Some(&CollisionSettings { mode: Mode::Stepped, ..default() })),
                    &value(Some(&CollisionSettings { mode: Mode::Continuous, ..default() })),
                ),
            ];
            let world = app.world_mut();
            let disc = world.spawn(crate::components::Disc).id();
            let words_of_drag = crate::editor::moves::words(world, &[disc], false);
            crate::editor::change(world, words_of_drag, &[disc], |world| {
                world.entity_mut(disc).insert(Position(Vec2::X));
            });
            words.extend(world.resource::<EditHistory>().next_undo());
            words
        };
        let app = || {
            let mut app = App::new();
            app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), UndoPlugin));
            app
        };
        assert_eq!(words(app()), ["velocity x, 0 → 1", "mode, Stepped → Continuous", "move a disc"]);
        in_japanese(|| {
            for words in words(app()) {
                let english = words.split(|letter: char| !letter.is_ascii_alphabetic()).find(|word| word.len() > 1);
                assert_eq!(english, None, "{words}");
            }
        });
    }

    #[test]
    fn a_setting_is_named_by_its_field_with_both_values() {
        let words = |change: fn(&mut CollisionSettings)| {
            let before = CollisionSettings { restitution: 0.95, mode: Mode::Stepped, push_apart: true, ..default() };
            let mut after = before.clone();
            change(&mut after);
            Property::resource::<CollisionSettings>("collisions").in_words(&value(Some(&before)), &value(Some(&after)))
        };
        assert_eq!(words(|settings| settings.restitution = 0.5), "restitution, 0.95 → 0.5");
        assert_eq!(words(|settings| settings.mode = Mode::Continuous), "mode, Stepped → Continuous");
        assert_eq!(words(|settings| settings.push_apart = false), "push apart, on → off");
        let forces = |y: f32| value(Some(&MotionSettings { gravity: vec2(0.0, y), ..default() }));
        let gravity = Property::resource::<MotionSettings>("forces").in_words(&forces(0.0), &forces(-9.81));
        assert_eq!(gravity, "gravity y, 0 → -9.81");
        let velocity = |x: f32| value(Some(&crate::components::Velocity(vec2(x, 1.0))));
        let property = Property::component::<crate::components::Velocity>("velocity");
        assert_eq!(property.in_words(&velocity(0.0), &velocity(2.5)), "velocity x, 0 → 2.5");
    }

    #[test]
    fn what_is_not_a_number_has_not_changed_for_that() {
        let radius = |r: f32| value(Some(&crate::components::Radius(r)));
        let property = Property::component::<crate::components::Radius>("radius");
        assert!(property.same(&radius(f32::NAN), &radius(f32::NAN)));
        assert!(!property.same(&radius(f32::NAN), &radius(1.0)));
        assert!(!property.same(&None, &radius(1.0)));
    }
}
