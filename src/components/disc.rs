//! The disc, with what it requires.

use bevy::{
    ecs::{lifecycle::HookContext, world::DeferredWorld},
    prelude::*,
};
use serde::{Deserialize, Serialize};

use super::{
    description::{Described, Description, EntityKinds},
    invalid::InvalidValue,
    mass::{Density, Mass},
    position::{Position, Velocity},
    stable_id::StableId,
};
use crate::notice::mark;

/// A disc that moves and collides. It requires every component that it needs.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn spawn(mut commands: Commands) {
///     commands.spawn((Disc, Position(vec2(1.0, 0.0)), Velocity(vec2(-2.0, 0.0)), Radius(0.25)));
/// }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(Position, Velocity, Radius, Mass, StableId)]
#[component(on_add = fill_mass)]
pub struct Disc;

fn fill_mass(mut world: DeferredWorld, context: HookContext) {
    let entity = context.entity;
    if !world.get::<Mass>(entity).is_some_and(|mass| mass.is_placeholder()) {
        return;
    }
    let radius = world.get::<Radius>(entity).copied().unwrap_or_default();
    let density = world.get::<Density>(entity).copied().unwrap_or_default();
    if let Some(mut mass) = world.get_mut::<Mass>(entity) {
        *mass = Mass::of_disc(radius.0, density.0);
    }
}

/// The radius of a disc in metres, above zero. Default: 0.5.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct Radius(pub f32);

impl Described for Radius {
    const DESCRIPTION: Description = Description::new(mark("radius")).rejecting(EntityKinds::DISCS);

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_positive("", self.0, "m")
    }
}

impl Default for Radius {
    fn default() -> Self {
        Self(0.5)
    }
}
