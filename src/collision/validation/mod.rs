//! Validation: which discs and pieces of terrain can be simulated. An entity with an invalid value is left out until
//! the value is corrected, with one warning that names the entity and the field.

pub mod ignored;

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use tracing::warn;

use crate::{
    collision::discs::DiscState,
    components::{
        AngularVelocity, InvalidValue, Mass, MoveTo, Pocket, Position, Radius, Restitution, Rotation, Terrain,
        Velocity, check_component, check_field,
    },
};

/// The discs and pieces of terrain that the last tick left out, with the reasons. They return as soon as their values
/// are corrected.
#[derive(Resource, Clone, Debug, Default)]
pub struct InvalidEntities(pub EntityHashMap<InvalidValue>);

impl InvalidEntities {
    /// The entities that are left out, in no order, with the reasons.
    pub fn iter(&self) -> impl Iterator<Item = (Entity, &InvalidValue)> {
        self.0.iter().map(|(&entity, invalid)| (entity, invalid))
    }

    /// Whether no entity is left out.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Accepts or rejects an entity.
    pub(crate) fn judge<T>(&mut self, entity: Entity, checked: &Result<T, InvalidValue>) {
        match checked {
            Ok(_) => self.accept(entity),
            Err(invalid) => self.reject(entity, invalid.clone()),
        }
    }

    /// Records a rejection, and logs a warning if it is new.
    pub(crate) fn reject(&mut self, entity: Entity, invalid: InvalidValue) {
        if self.0.get(&entity).is_none_or(|known| known.field != invalid.field) {
            warn!("{entity} is excluded from the simulation: {invalid}");
        }
        self.0.insert(entity, invalid);
    }

    /// Forgets the rejection of an entity, if any.
    fn accept(&mut self, entity: Entity) {
        if !self.0.is_empty() {
            self.0.remove(&entity);
        }
    }
}

/// Whether a disc can be simulated.
///
/// # Errors
/// The first invalid value. These are the components whose descriptions
/// [reject](crate::components::Description::rejects) discs.
pub fn check_disc(disc: &DiscState) -> Result<(), InvalidValue> {
    check_component(&Position(disc.position))?;
    check_component(&Velocity(disc.velocity))?;
    check_component(&Radius(disc.radius))?;
    check_component(&Mass(disc.mass))?;
    if let Some(spin) = disc.spin {
        check_component(&AngularVelocity(spin.angular_velocity))?;
    }
    if let Some(target) = disc.move_to {
        check_component(&MoveTo(target))?;
    }
    disc.restitution.map_or(Ok(()), |e| check_component(&Restitution(e)))
}

pub fn check_terrain(terrain: &Terrain, position: Position, rotation: Rotation) -> Result<(), InvalidValue> {
    check_component(&position)?;
    check_component(&rotation)?;
    check_component(terrain)
}

pub fn check_pocket(pocket: Pocket, position: Position) -> Result<(), InvalidValue> {
    check_component(&position)?;
    check_field("radius", &Radius(pocket.radius)).map_err(|invalid| invalid.of("Pocket"))
}

pub fn check_restitution(restitution: Option<&Restitution>) -> Result<Option<f32>, InvalidValue> {
    restitution.map_or(Ok(()), check_component)?;
    Ok(restitution.map(|e| e.0))
}
