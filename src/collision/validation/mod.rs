//! Validation: which discs and pieces of terrain can be simulated. One with a value that cannot be is left out until
//! the value is mended, with one warning that names the entity and the field.

pub mod ignored;

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use tracing::warn;

use crate::{
    collision::discs::DiscState,
    components::{LIMIT, Pocket, Position, Restitution, Rotation, Terrain, TerrainError},
};

/// The discs and pieces of terrain that the last tick left out, with the reason. They are back as soon as they are
/// mended.
#[derive(Resource, Clone, Debug, Default)]
pub struct InvalidEntities(pub EntityHashMap<InvalidValue>);

impl InvalidEntities {
    /// The entities that are left out, in no order, each with the reason.
    pub fn iter(&self) -> impl Iterator<Item = (Entity, &InvalidValue)> {
        self.0.iter().map(|(&entity, invalid)| (entity, invalid))
    }

    /// Whether none is left out.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Accepts or rejects an entity.
    pub(crate) fn judge<T>(&mut self, entity: Entity, checked: &Result<T, InvalidValue>) {
        match checked {
            Ok(_) => self.accept(entity),
            Err(invalid) => self.reject(entity, *invalid),
        }
    }

    /// Records a rejection, and warns if it is a new one.
    pub(crate) fn reject(&mut self, entity: Entity, invalid: InvalidValue) {
        let known = self.0.insert(entity, invalid);
        if known.is_none_or(|known| std::mem::discriminant(&known) != std::mem::discriminant(&invalid)) {
            warn!("{entity} is left out of the simulation: {invalid}");
        }
    }

    /// Forgets a rejection, if there was one.
    fn accept(&mut self, entity: Entity) {
        if !self.0.is_empty() {
            self.0.remove(&entity);
        }
    }
}

/// Why a disc or a piece of terrain is left out.
#[derive(thiserror::Error, Clone, Copy, Debug, PartialEq)]
pub enum InvalidValue {
    /// A coordinate of the position is not a finite number within [`LIMIT`].
    #[error("Position is {0}; set it to finite coordinates within 1e12 m")]
    Position(Vec2),
    /// A component of the velocity is not a finite number within [`LIMIT`].
    #[error("Velocity is {0}; set it to finite components within 1e12 m/s")]
    Velocity(Vec2),
    /// A component of the angular velocity is not a finite number within [`LIMIT`].
    #[error("AngularVelocity is {0}; set it to finite components within 1e12 rad/s")]
    AngularVelocity(Vec3),
    /// The radius of a pocket is not a number above zero within [`LIMIT`].
    #[error("Pocket: its radius is {0}; set it above zero, from 1e-12 to 1e12 m")]
    Pocket(f32),
    /// The radius is not a number above zero within [`LIMIT`].
    #[error("Radius is {0}; set it above zero, from 1e-12 to 1e12 m")]
    Radius(f32),
    /// The mass is not a number above zero within [`LIMIT`].
    #[error("Mass is {0}; set it above zero, from 1e-12 to 1e12 kg")]
    Mass(f32),
    /// An arc has a mass.
    #[error("Mass: an Arc cannot have one; remove it, or write a Polyline")]
    MassOfArc,
    /// The moment of inertia is not a number above zero within [`LIMIT`].
    #[error("MomentOfInertia is {0}; set it above zero, from 1e-12 to 1e12 kg m²")]
    MomentOfInertia(f32),
    /// The restitution is not a number from 0 to 1.
    #[error("Restitution is {0}; set it from 0 to 1")]
    Restitution(f32),
    /// The angle is not finite.
    #[error("Rotation is {0}; set it to a finite angle in radians")]
    Rotation(f32),
    /// A coordinate of the target of a move is not a finite number within [`LIMIT`].
    #[error("MoveTo is {0}; set it to finite coordinates within 1e12 m")]
    MoveTo(Vec2),
    /// The target of a turn is not finite.
    #[error("TurnTo is {0}; set it to a finite angle in radians")]
    TurnTo(f32),
    /// A value of the oscillation is not a finite number within [`LIMIT`].
    #[error("Oscillation: set all its values to finite numbers within 1e12")]
    Oscillation,
    /// The shape of the terrain makes no sense.
    #[error("Terrain: {0}")]
    Terrain(#[from] TerrainError),
}

/// Whether a disc can be simulated.
///
/// # Errors
/// The first value that cannot.
pub fn check_disc(disc: &DiscState) -> Result<(), InvalidValue> {
    if !finite(disc.position) {
        return Err(InvalidValue::Position(disc.position));
    }
    if !finite(disc.velocity) {
        return Err(InvalidValue::Velocity(disc.velocity));
    }
    if !positive(disc.radius) {
        return Err(InvalidValue::Radius(disc.radius));
    }
    if !positive(disc.mass) {
        return Err(InvalidValue::Mass(disc.mass));
    }
    if let Some(spin) = disc.spin
        && !spin.angular_velocity.abs().cmple(Vec3::splat(LIMIT)).all()
    {
        return Err(InvalidValue::AngularVelocity(spin.angular_velocity));
    }
    if let Some(target) = disc.move_to
        && !finite(target)
    {
        return Err(InvalidValue::MoveTo(target));
    }
    check_restitution(disc.restitution.map(Restitution).as_ref()).map(|_| ())
}

pub fn check_terrain(terrain: &Terrain, position: Position, rotation: Rotation) -> Result<(), InvalidValue> {
    if !finite(position.0) {
        return Err(InvalidValue::Position(position.0));
    }
    if !rotation.0.is_finite() {
        return Err(InvalidValue::Rotation(rotation.0));
    }
    Ok(terrain.check()?)
}

pub fn check_pocket(pocket: Pocket, position: Position) -> Result<(), InvalidValue> {
    if !finite(position.0) {
        return Err(InvalidValue::Position(position.0));
    }
    if !positive(pocket.radius) {
        return Err(InvalidValue::Pocket(pocket.radius));
    }
    Ok(())
}

pub fn check_restitution(restitution: Option<&Restitution>) -> Result<Option<f32>, InvalidValue> {
    match restitution {
        Some(&Restitution(e)) if !(0.0..=1.0).contains(&e) => Err(InvalidValue::Restitution(e)),
        other => Ok(other.map(|e| e.0)),
    }
}

pub fn finite(vector: Vec2) -> bool {
    // A comparison with NaN is false, so this rejects NaN, infinity and what lies beyond the limit at once.
    vector.abs().cmple(Vec2::splat(LIMIT)).all()
}

pub fn positive(value: f32) -> bool {
    (1.0 / LIMIT..=LIMIT).contains(&value)
}
