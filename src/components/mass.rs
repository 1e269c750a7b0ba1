//! The mass of discs and blocks.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    description::{Described, Description, EntityKind, EntityKinds},
    invalid::InvalidValue,
};
use crate::notice::mark;

/// The mass of a disc in kilograms, above zero. A piece of [`Terrain`](super::Terrain) with a mass is a dynamic block
/// that discs push and turn; see [`MassProperties`](super::MassProperties).
///
/// A [`Disc`](super::Disc) spawned without a mass gets one from its [`Radius`](super::Radius) and [`Density`] at that
/// moment. Changing the radius later does not change the mass.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct Mass(pub f32);

impl Described for Mass {
    const DESCRIPTION: Description = Description::new(mark("mass"))
        .offered(
            mark("Mass"),
            mark("Mass, kg. Terrain with a mass is a block that discs and other blocks push and turn."),
            " kg",
        )
        .on(Self::ACTS_ON, "it cannot be combined with MoveTo, TurnTo, Oscillation or Orbit; remove one of the two")
        .rejecting(Self::ACTS_ON);

    fn first(_: EntityRef, is_terrain: bool) -> Option<Self> {
        is_terrain.then_some(Self(1.0))
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_positive("", self.0, "kg")
    }
}

impl Mass {
    const ACTS_ON: EntityKinds = EntityKinds::DISCS.or(EntityKinds::of(&[EntityKind::DynamicTerrain]));

    /// A placeholder that spawning a [`Disc`](super::Disc) replaces by density times area. It is one particular NaN, so
    /// a NaN from a faulty computation is still rejected.
    pub const FROM_DENSITY: Self = Self(f32::from_bits(0x7fc0_ca40));

    /// The mass of a disc of this radius (metres) and density (kilograms per square metre): `density * pi * radius^2`.
    #[must_use]
    pub fn of_disc(radius: f32, density: f32) -> Self {
        Self(density * std::f32::consts::PI * radius * radius)
    }

    pub(super) fn is_placeholder(self) -> bool {
        self.0.to_bits() == Self::FROM_DENSITY.0.to_bits()
    }
}

impl Default for Mass {
    fn default() -> Self {
        Self::FROM_DENSITY
    }
}

/// Mass per area in kilograms per square metre. It is read once, when a [`Disc`](super::Disc) is spawned without a
/// [`Mass`]. Default: 1.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct Density(pub f32);

impl Default for Density {
    fn default() -> Self {
        Self(1.0)
    }
}
