//! How hits of single discs and pieces of terrain are resolved. For anything that depends on more than the two sides,
//! use a [`ContactHook`](crate::collision::ContactHook).

use super::{
    Ball,
    description::{Described, Description, EntityKind, EntityKinds},
    invalid::{InvalidValue, LIMIT},
};
use crate::notice::mark;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// The kinds of terrain whose surface can move.
const CONVEYORS: EntityKinds = EntityKinds::of(&[EntityKind::StaticTerrain, EntityKind::KinematicTerrain]);

/// The coefficient of restitution of one disc or one piece of terrain, from 0 (dead) to 1 (elastic). Optional.
///
/// A hit combines the values of its two sides by a [`CombineRule`](crate::collision::CombineRule); by default the
/// smaller value counts. If only one side has a value, that value counts. If neither has one, the setting for that kind
/// of hit counts (see [`CollisionSettings`](crate::collision::CollisionSettings)).
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Debug, PartialEq)]
#[serde(transparent)]
pub struct Restitution(pub f32);

impl Described for Restitution {
    const DESCRIPTION: Description = Description::new(mark("restitution"))
        .in_field("restitution")
        .with_help(mark("Its own coefficient of restitution, 0 to 1, instead of the scene's."))
        .rejecting(EntityKinds::ALL);

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_range("", self.0, 0.0..=1.0, "")
    }
}

/// How the restitutions of the two sides of a hit are combined if both have a value.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "carom::components"]
pub enum CombineRule {
    /// The smaller of the two.
    #[default]
    Smallest,
    /// The larger of the two.
    Largest,
    /// The product of the two.
    Product,
    /// The arithmetic mean of the two.
    Mean,
}

impl CombineRule {
    /// Combines the values of two sides. If only one side has a value, the result is that value; if neither has one,
    /// `None`.
    #[must_use]
    pub fn combine(self, a: Option<f32>, b: Option<f32>) -> Option<f32> {
        let (Some(one), Some(other)) = (a, b) else { return a.or(b) };
        Some(match self {
            Self::Smallest => one.min(other),
            Self::Largest => one.max(other),
            Self::Product => one * other,
            Self::Mean => 0.5 * (one + other),
        })
    }

    /// The rule that wins if both sides have one: largest before product before smallest before mean.
    pub(crate) fn stronger(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        let rank =
            |rule: &Self| [Self::Mean, Self::Smallest, Self::Product, Self::Largest].iter().position(|r| r == rule);
        a.into_iter().chain(b).max_by_key(rank)
    }
}

/// How the restitutions of the two sides are combined in hits of this disc or piece of [`Terrain`](super::Terrain). It
/// replaces [`CollisionSettings::restitution_rule`](crate::collision::CollisionSettings::restitution_rule). If both
/// sides have a rule, the first of [`Largest`](CombineRule::Largest), [`Product`](CombineRule::Product),
/// [`Smallest`](CombineRule::Smallest) and [`Mean`](CombineRule::Mean) wins.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn spawn(mut commands: Commands) {
///     // A bumper off which even a dead ball bounces.
///     commands.spawn((Terrain::Circle { radius: 0.2 }, Restitution(0.9), RestitutionRule(CombineRule::Largest)));
/// }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Deref, DerefMut, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct RestitutionRule(pub CombineRule);

impl Described for RestitutionRule {
    const DESCRIPTION: Description = Description::new(mark("combine")).in_field("restitution_rule").offered(
        mark("Combine"),
        mark("How its restitution combines with the other side's, if both have one"),
        "",
    );

    fn first(_: EntityRef, _: bool) -> Option<Self> {
        Some(Self::default())
    }
}

/// The Coulomb coefficient of friction of a disc or a piece of [`Terrain`](super::Terrain), from 0 (smooth) to 1e12.
/// Optional; without it the surface is smooth.
///
/// In a hit, the speed along the surface decreases by at most the coefficient times the change of the speed along the
/// normal. For a disc that rests on a piece under gravity, the limit is the coefficient times the normal force.
/// Friction never reverses a speed. If both sides have a coefficient, the square root of their product counts, as in
/// `Box2D`; if only one has, that one counts.
///
/// It acts on discs that do not turn. Discs that spin on a table use its friction instead (see
/// [`TablePhysics`](crate::collision::spin::TablePhysics)). For the friction of the cloth under all discs, see
/// [`ClothFriction`](super::ClothFriction).
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(transparent)]
pub struct Friction(pub f32);

impl Described for Friction {
    const DESCRIPTION: Description = Description::new(mark("friction"))
        .in_field("friction")
        .offered(mark("Friction"), mark("Coefficient of friction in contacts. 0: frictionless."), "")
        .on(EntityKinds::DISCS.or(CONVEYORS), "blocks have no friction; remove Mass or Friction");

    fn first(entity: EntityRef, _: bool) -> Option<Self> {
        (!entity.contains::<Ball>() && !entity.contains::<SurfaceVelocity>()).then(Self::default)
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_range("", self.0, 0.0..=LIMIT, "")
    }
}

impl Friction {
    /// The friction of a conveyor that sets none.
    pub const DEFAULT: Self = Self(0.5);
}

impl Default for Friction {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The velocity of the surface of a piece of [`Terrain`](super::Terrain), in m/s in the frame of the piece: a conveyor.
/// The piece itself does not move. Only the part along the surface counts, so the top of a block with `(2, 0)` carries
/// to the right.
///
/// It acts through the [`Friction`] of the piece, by default 0.5: a disc on it reaches its speed `v` in
/// `v / (friction * gravity)` seconds. Where discs spin on a table, it acts through the friction of the cushions.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn spawn(mut commands: Commands) {
///     let belt = Terrain::Segment { a: vec2(-4.0, 0.0), b: vec2(4.0, 0.0) };
///     commands.spawn((belt, SurfaceVelocity(vec2(2.0, 0.0)), Friction(0.3)));
/// }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(Friction)]
#[serde(transparent)]
pub struct SurfaceVelocity(pub Vec2);

impl Described for SurfaceVelocity {
    const DESCRIPTION: Description = Description::new(mark("conveyor"))
        .in_field("surface_velocity")
        .offered(
            mark("Conveyor"),
            mark("Speed of its surface along itself, m/s, and the coefficient of friction that carries discs along"),
            " m/s",
        )
        .on(CONVEYORS, "discs and blocks cannot be conveyors; put it on terrain without a Mass");

    fn first(_: EntityRef, is_terrain: bool) -> Option<Self> {
        is_terrain.then_some(Self(Vec2::X))
    }

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_components("", self.0, "m/s")
    }
}
