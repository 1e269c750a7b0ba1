//! The optional components of discs and terrain in scene files. Their fields follow from the descriptions in
//! [`components`](crate::components). The code that reads, writes, checks, spawns and captures them is generic.

use core::{
    any::{Any, TypeId},
    fmt::Debug,
};
use std::sync::LazyLock;

use bevy::{ecs::world::EntityWorldMut, prelude::*};
use serde::de::{self, MapAccess};

use crate::components::{
    ComponentVisitor, Described, Description, EntityKind, EntityKinds, Frame, InvalidValue, MoveTo, PeriodicMotion,
    check_field, visit_all,
};

/// The kind of an entry in a scene file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    Disc,
    Terrain,
}

impl EntryKind {
    /// Whether entries of this kind have a field for a component.
    fn has(self, description: &Description) -> bool {
        let kinds = match self {
            Self::Disc => EntityKinds::DISCS,
            Self::Terrain => EntityKinds::TERRAIN,
        };
        !description.field.is_empty() && description.acts_on.overlaps(kinds)
    }

    /// The fields of entries of this kind, in the order in which they are written.
    pub(super) fn fields(self) -> &'static [&'static str] {
        static FIELDS: LazyLock<[Vec<&str>; 2]> = LazyLock::new(|| [EntryKind::Disc, EntryKind::Terrain].map(names));
        match self {
            Self::Disc => &FIELDS[0],
            Self::Terrain => &FIELDS[1],
        }
    }
}

fn names(kind: EntryKind) -> Vec<&'static str> {
    struct Names(EntryKind, Vec<&'static str>);
    impl ComponentVisitor for Names {
        fn visit<C: Described>(&mut self) {
            if self.0.has(&C::DESCRIPTION) {
                self.1.push(C::DESCRIPTION.field);
            }
        }
    }
    let mut names = Names(kind, Vec::new());
    visit_all(&mut names);
    names.1
}

/// The optional components of a disc or a piece of terrain in a scene, at most one of each.
#[derive(Debug, Default)]
pub struct OptionalComponents(Vec<Box<dyn OptionalComponent>>);

/// A component of any type.
trait OptionalComponent: Any + Debug + Send + Sync {
    fn description(&self) -> Description;
    fn duplicate(&self) -> Box<dyn OptionalComponent>;
    fn equals(&self, other: &dyn Any) -> bool;
    fn insert_into(&self, entity: &mut EntityWorldMut);
    fn check(&self) -> Result<(), InvalidValue>;
    fn put_at(&mut self, frame: Frame);
}

impl<C: Described> OptionalComponent for C {
    fn description(&self) -> Description {
        C::DESCRIPTION
    }

    fn duplicate(&self) -> Box<dyn OptionalComponent> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn insert_into(&self, entity: &mut EntityWorldMut) {
        entity.insert(self.clone());
    }

    fn check(&self) -> Result<(), InvalidValue> {
        check_field(C::DESCRIPTION.field, self)
    }

    fn put_at(&mut self, frame: Frame) {
        Described::put_at(self, frame);
    }
}

impl Clone for OptionalComponents {
    fn clone(&self) -> Self {
        Self(self.0.iter().map(|component| component.duplicate()).collect())
    }
}

impl PartialEq for OptionalComponents {
    fn eq(&self, other: &Self) -> bool {
        let has =
            |component: &dyn OptionalComponent| other.0.iter().any(|other| component.equals(&**other as &dyn Any));
        self.0.len() == other.0.len() && self.0.iter().all(|component| has(&**component))
    }
}

impl OptionalComponents {
    /// The component of this type, if there is one.
    #[must_use]
    pub fn get<C: Described>(&self) -> Option<&C> {
        self.0.iter().find_map(|component| (&**component as &dyn Any).downcast_ref())
    }

    /// Adds a component, or replaces the one of the same type.
    pub fn set<C: Described>(&mut self, component: C) {
        const { assert!(!C::DESCRIPTION.field.is_empty(), "scene files have no field for this component") }
        self.remove::<C>();
        self.0.push(Box::new(component));
    }

    /// Removes the component of this type.
    pub fn remove<C: Described>(&mut self) {
        self.0.retain(|component| !(&**component as &dyn Any).is::<C>());
    }

    /// The periodic motion of an entity with these components, unless a target overrides it.
    pub(super) fn path(&self) -> Option<PeriodicMotion> {
        PeriodicMotion::of(self.get(), self.get()).filter(|_| self.get::<MoveTo>().is_none())
    }

    /// Checks that all of them belong to entries of this kind, and that the solver accepts their values.
    pub(super) fn check(&self, kind: EntryKind) -> Result<(), InvalidValue> {
        self.0.iter().try_for_each(|component| {
            let description = component.description();
            if !kind.has(&description) {
                return Err(InvalidValue::without_value(description.field, description.remedy));
            }
            component.check()
        })
    }

    /// Removes those whose values the solver rejects, and returns the reasons.
    pub(super) fn leave_out_invalid(&mut self) -> Vec<InvalidValue> {
        let (sound, invalid) = std::mem::take(&mut self.0).into_iter().partition(|component| component.check().is_ok());
        self.0 = sound;
        let invalid: Vec<Box<dyn OptionalComponent>> = invalid;
        invalid.iter().filter_map(|component| component.check().err()).collect()
    }

    /// Checks those whose invalid values exclude an entity of this kind from the simulation.
    pub(super) fn check_rejecting(&self, kind: EntityKind) -> Result<(), InvalidValue> {
        let mut rejecting = self.0.iter().filter(|component| component.description().rejects.contains(kind));
        rejecting.try_for_each(|component| component.check())
    }

    /// Whether there is a component of this type.
    pub(super) fn contains(&self, component: TypeId) -> bool {
        self.0.iter().any(|other| (&**other as &dyn Any).type_id() == component)
    }

    /// Inserts all of them into an entity.
    pub(super) fn insert_into(&self, entity: &mut EntityWorldMut) {
        self.0.iter().for_each(|component| component.insert_into(entity));
    }

    /// The optional components of an entity.
    pub(super) fn capture(kind: EntryKind, entity: EntityRef) -> Self {
        struct Capture<'w>(EntryKind, EntityRef<'w>, OptionalComponents);
        impl ComponentVisitor for Capture<'_> {
            fn visit<C: Described>(&mut self) {
                if self.0.has(&C::DESCRIPTION)
                    && let Some(component) = self.1.get::<C>()
                {
                    self.2.0.push(Box::new(component.clone()));
                }
            }
        }
        let mut capture = Capture(kind, entity, Self::default());
        visit_all(&mut capture);
        capture.2
    }

    /// Transforms all of them from a frame to the world.
    pub(super) fn put_at(&mut self, frame: Frame) {
        self.0.iter_mut().for_each(|component| component.put_at(frame));
    }

    /// Whether a field of this name has been read.
    pub(super) fn has(&self, field: &str) -> bool {
        self.0.iter().any(|component| component.description().field == field)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Reads the value of a field.
    pub(super) fn read<'de, A: MapAccess<'de>>(
        &mut self,
        kind: EntryKind,
        field: &str,
        map: &mut A,
    ) -> Result<(), A::Error> {
        struct Read<'a, A, E> {
            kind: EntryKind,
            field: &'a str,
            map: &'a mut A,
            found: Result<Option<Box<dyn OptionalComponent>>, E>,
        }
        impl<'de, A: MapAccess<'de>> ComponentVisitor for Read<'_, A, A::Error> {
            fn visit<C: Described>(&mut self) {
                if C::DESCRIPTION.field == self.field && self.kind.has(&C::DESCRIPTION) {
                    self.found = value::<C, A>(self.map);
                }
            }
        }
        fn value<'de, C: Described, A: MapAccess<'de>>(
            map: &mut A,
        ) -> Result<Option<Box<dyn OptionalComponent>>, A::Error> {
            let component = if size_of::<C>() == 0 {
                let there = map.next_value::<bool>()?;
                there.then(|| C::deserialize(de::value::UnitDeserializer::new())).transpose()?
            } else {
                map.next_value::<Option<C>>()?
            };
            Ok(component.map(|component| Box::new(component) as Box<dyn OptionalComponent>))
        }
        let mut read = Read { kind, field, map, found: Ok(None) };
        visit_all(&mut read);
        self.0.extend(read.found?);
        Ok(())
    }

    /// Writes each of them with the name of its field.
    pub(super) fn write<S: serde::ser::SerializeStruct>(&self, to: &mut S) -> Result<(), S::Error> {
        struct Write<'a, S, E>(&'a OptionalComponents, &'a mut S, Result<(), E>);
        impl<S: serde::ser::SerializeStruct> ComponentVisitor for Write<'_, S, S::Error> {
            fn visit<C: Described>(&mut self) {
                let Self(components, to, result) = self;
                let Some(component) = components.get::<C>().filter(|_| result.is_ok()) else { return };
                let field = C::DESCRIPTION.field;
                *result = if size_of::<C>() == 0 {
                    to.serialize_field(field, &true)
                } else {
                    to.serialize_field(field, component)
                };
            }
        }
        let mut write = Write(self, to, Ok(()));
        visit_all(&mut write);
        write.2
    }
}
