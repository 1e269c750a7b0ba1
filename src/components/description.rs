//! The description of a component, beside its definition: its name and help for people, its unit, its field in scene
//! files, the kinds of entities on which it acts, and the check of its value. Reflection, undo, the panel, scene files
//! and the warning about components without effect go through it. A new component implements [`Described`] and gets a
//! line in `visit_all`.

use core::fmt::Debug;

use bevy::{
    prelude::*,
    reflect::{GetTypeRegistration, Typed},
};
use serde::{Serialize, de::DeserializeOwned};

use super::{frame::Frame, invalid::InvalidValue};

/// What an entity is to a tick, as far as that decides which components act on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntityKind {
    /// A disc that impulses move.
    Disc,
    /// A disc that goes on with its own velocity.
    KinematicDisc,
    /// Terrain that stands.
    Terrain,
    /// Terrain that something else than impulses moves.
    MovingTerrain,
    /// Terrain with a mass, which impulses move.
    Block,
}

use EntityKind::{Block, KinematicDisc, MovingTerrain};

/// All kinds.
pub const ANY: &[EntityKind] = &[EntityKind::Disc, KinematicDisc, EntityKind::Terrain, MovingTerrain, Block];
pub(super) const ANY_TERRAIN: &[EntityKind] = &[EntityKind::Terrain, MovingTerrain, Block];
/// What impulses move.
pub(super) const FREE: &[EntityKind] = &[EntityKind::Disc, Block];
pub(super) const IS_LED: &str = "kinematic discs and terrain without a Mass do not respond to it; remove it";

/// What is said of a component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Description {
    /// What it is within a sentence, such as `gravity`, in English, marked for translation.
    pub noun: &'static str,
    /// Its title where people add it, such as `Gravity`; empty where nobody does.
    pub title: &'static str,
    /// A sentence for whoever may add it.
    pub help: &'static str,
    /// The unit of its values, with a space before it.
    pub unit: &'static str,
    /// On what it acts. Default: [`ANY`].
    pub acts_on: &'static [EntityKind],
    /// What to do where it does not act.
    pub remedy: &'static str,
    /// The name of the field in which scene files write it, such as `friction`; empty where none does.
    pub field: &'static str,
}

impl Description {
    /// A component that acts on all kinds, and that nobody adds by hand.
    #[must_use]
    pub const fn new(noun: &'static str) -> Self {
        Self { noun, title: "", help: "", unit: "", acts_on: ANY, remedy: "", field: "" }
    }

    /// The same, as people may add it.
    #[must_use]
    pub const fn offered(self, title: &'static str, help: &'static str, unit: &'static str) -> Self {
        Self { title, help, unit, ..self }
    }

    /// The same, in a field of scene files. A component without a value is `true` there.
    #[must_use]
    pub const fn in_field(self, field: &'static str) -> Self {
        Self { field, ..self }
    }

    /// The same, acting on these kinds alone, with what to do elsewhere.
    #[must_use]
    pub const fn on(self, acts_on: &'static [EntityKind], remedy: &'static str) -> Self {
        Self { acts_on, remedy, ..self }
    }
}

/// A component of discs or terrain with its [`Description`]. Scene files write it as serde does.
pub trait Described:
    Component + Reflect + Typed + GetTypeRegistration + Clone + PartialEq + Debug + Serialize + DeserializeOwned
{
    /// What is said of it.
    const DESCRIPTION: Description;

    /// The value with which a person adds it to a piece of terrain, or else to a disc, so that at first it changes as
    /// little as can be; none where it is not offered. Default: never.
    #[must_use]
    fn first(entity: EntityRef, is_terrain: bool) -> Option<Self> {
        let _ = (entity, is_terrain);
        None
    }

    /// Whether the solver can work with its value. Default: always.
    ///
    /// # Errors
    /// What is wrong with it. The field of the error is empty, or a field of the component.
    fn check(&self) -> Result<(), InvalidValue> {
        Ok(())
    }

    /// Brings it from a frame into the world. Default: it has neither a place nor a direction.
    fn put_at(&mut self, frame: Frame) {
        let _ = frame;
    }
}

/// Whether the solver can work with the value of a component.
///
/// # Errors
/// [`Described::check`], with the name of the component.
pub fn check_component<C: Described>(component: &C) -> Result<(), InvalidValue> {
    component.check().map_err(|invalid| invalid.of(C::type_ident().unwrap_or_default()))
}

/// Goes through the described components.
pub trait ComponentVisitor {
    /// Meets one of them.
    fn visit<C: Described>(&mut self);
}

/// On what is led for as long as a hand holds it: nothing is said about that.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct ForNow;
