//! The description of a component, defined beside the component. It contains its name, help text and unit, its field in
//! scene files, the kinds of entities that it acts on, and the check of its value. Reflection, undo, the panel, scene
//! files and the warning about components without effect all use it. A new component implements [`Described`] and gets
//! a line in `visit_all`.

use core::fmt::Debug;

use bevy::{
    prelude::*,
    reflect::{GetTypeRegistration, Typed},
};
use serde::{Serialize, de::DeserializeOwned};

use super::{frame::Frame, invalid::InvalidValue};

/// The kind of an entity, as far as it decides which components act on the entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntityKind {
    /// A disc that impulses move.
    Disc,
    /// A kinematic disc, which keeps its own velocity.
    KinematicDisc,
    /// Static terrain.
    StaticTerrain,
    /// Kinematic terrain, which the game moves.
    KinematicTerrain,
    /// Dynamic terrain: a block, which has a mass.
    DynamicTerrain,
}

impl EntityKind {
    /// All kinds.
    #[cfg(test)]
    pub const ALL: [Self; 5] =
        [Self::Disc, Self::KinematicDisc, Self::StaticTerrain, Self::KinematicTerrain, Self::DynamicTerrain];
}

/// A set of [`EntityKind`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntityKinds(u8);

impl EntityKinds {
    /// No kind.
    pub const NONE: Self = Self(0);
    /// All discs.
    pub const DISCS: Self = Self::of(&[EntityKind::Disc, EntityKind::KinematicDisc]);
    /// All terrain.
    pub const TERRAIN: Self =
        Self::of(&[EntityKind::StaticTerrain, EntityKind::KinematicTerrain, EntityKind::DynamicTerrain]);
    /// All kinds.
    pub const ALL: Self = Self::DISCS.or(Self::TERRAIN);
    /// The kinds that impulses move.
    pub const FREE: Self = Self::of(&[EntityKind::Disc, EntityKind::DynamicTerrain]);
    /// The kinds that a target or a periodic motion can move.
    pub const DRIVEN: Self = Self::TERRAIN.or(Self::of(&[EntityKind::KinematicDisc]));

    /// The set of these kinds.
    #[must_use]
    pub const fn of(kinds: &[EntityKind]) -> Self {
        let (mut bits, mut i) = (0, 0);
        // Iterators are not const.
        while i < kinds.len() {
            bits |= 1 << kinds[i] as u8;
            i += 1;
        }
        Self(bits)
    }

    /// The kinds in either set.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether a kind is in the set.
    #[must_use]
    pub const fn contains(self, kind: EntityKind) -> bool {
        self.overlaps(Self::of(&[kind]))
    }

    /// Whether the two sets have a kind in common.
    #[must_use]
    pub const fn overlaps(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

pub(super) const IS_LED: &str = "kinematic discs and terrain without a Mass do not respond to it; remove it";

/// Everything known about a component besides its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Description {
    /// The name within a sentence, such as `gravity`, in English, marked for translation.
    pub noun: &'static str,
    /// The title in the list of components to add, such as `Gravity`; empty if it is not in that list.
    pub title: &'static str,
    /// A sentence of help; empty if there is none.
    pub help: &'static str,
    /// The unit of its values, with a space before it.
    pub unit: &'static str,
    /// The kinds that it acts on. Default: all.
    pub acts_on: EntityKinds,
    /// The kinds that an invalid value excludes from the simulation. For all other kinds, the value is ignored.
    /// Default: none.
    pub rejects: EntityKinds,
    /// What to do where it has no effect.
    pub remedy: &'static str,
    /// The name of its field in scene files, such as `friction`; empty if it has none.
    pub field: &'static str,
}

impl Description {
    /// A component that acts on all kinds and is not offered in the user interface.
    #[must_use]
    pub const fn new(noun: &'static str) -> Self {
        Self {
            noun,
            title: "",
            help: "",
            unit: "",
            acts_on: EntityKinds::ALL,
            rejects: EntityKinds::NONE,
            remedy: "",
            field: "",
        }
    }

    /// The same, with a sentence of help.
    #[must_use]
    pub const fn with_help(self, help: &'static str) -> Self {
        Self { help, ..self }
    }

    /// The same, offered in the user interface.
    #[must_use]
    pub const fn offered(self, title: &'static str, help: &'static str, unit: &'static str) -> Self {
        Self { title, help, unit, ..self }
    }

    /// The same, with a field in scene files. A component without a value is `true` there.
    #[must_use]
    pub const fn in_field(self, field: &'static str) -> Self {
        Self { field, ..self }
    }

    /// The same, acting only on these kinds, with a remedy for the others.
    #[must_use]
    pub const fn on(self, acts_on: EntityKinds, remedy: &'static str) -> Self {
        Self { acts_on, remedy, ..self }
    }

    /// The same; an invalid value excludes entities of these kinds from the simulation.
    #[must_use]
    pub const fn rejecting(self, rejects: EntityKinds) -> Self {
        Self { rejects, ..self }
    }
}

/// A component of discs or terrain with its [`Description`]. Scene files contain its serde form.
pub trait Described:
    Component + Reflect + Typed + GetTypeRegistration + Clone + PartialEq + Debug + Serialize + DeserializeOwned
{
    /// The description.
    const DESCRIPTION: Description;

    /// The value with which the user interface adds it to a piece of terrain or a disc, chosen to change as little as
    /// possible. `None` if it is not offered. Default: `None`.
    #[must_use]
    fn first(entity: EntityRef, is_terrain: bool) -> Option<Self> {
        let _ = (entity, is_terrain);
        None
    }

    /// Whether the solver can work with its value. Default: always.
    ///
    /// # Errors
    /// The reason why the value is invalid. The field of the error is empty, or names a field of the component.
    fn check(&self) -> Result<(), InvalidValue> {
        Ok(())
    }

    /// Transforms it from a frame into the world. Default: unchanged, for a value without a place or direction.
    fn put_at(&mut self, frame: Frame) {
        let _ = frame;
    }
}

/// Checks whether the solver can work with the value of a component.
///
/// # Errors
/// [`Described::check`], with the name of the component.
pub fn check_component<C: Described>(component: &C) -> Result<(), InvalidValue> {
    check_field(C::type_ident().unwrap_or_default(), component)
}

/// Checks whether the solver can work with the value of a field, which is this component.
///
/// # Errors
/// [`Described::check`], with the name of the field.
pub fn check_field<C: Described>(field: &str, component: &C) -> Result<(), InvalidValue> {
    component.check().map_err(|invalid| invalid.of(field))
}

/// Visits the described components.
pub trait ComponentVisitor {
    /// Visits one component.
    fn visit<C: Described>(&mut self);
}

/// Marks an entity that is kinematic only while it is being dragged. It gets no warnings about idle components.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct HeldByHand;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_a_disc_or_terrain_and_none_is_both() {
        use EntityKind::{Disc, KinematicDisc};
        assert!(!EntityKinds::DISCS.overlaps(EntityKinds::TERRAIN));
        for kind in EntityKind::ALL {
            let is_in = |kinds: EntityKinds| kinds.contains(kind);
            assert!(is_in(EntityKinds::ALL) && !is_in(EntityKinds::NONE));
            assert_eq!(is_in(EntityKinds::DISCS), matches!(kind, Disc | KinematicDisc));
            assert_eq!(is_in(EntityKinds::TERRAIN), !is_in(EntityKinds::DISCS));
            assert_eq!(is_in(EntityKinds::DRIVEN), kind != Disc);
        }
    }
}
