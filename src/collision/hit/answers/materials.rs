//! Materials of single discs and pieces of terrain: a rule for restitution, a kick, friction, a moving surface.

use bevy::prelude::*;

use crate::components::CombineRule;

/// The material of an entity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Material {
    pub rule: Option<CombineRule>,
    /// Metres per second.
    pub kick: f32,
    pub friction: Option<f32>,
    /// Metres per second; in the frame of a moving piece, otherwise in the frame of the world.
    pub surface_velocity: Vec2,
}

/// The entities that have a material, in order; empty if none has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Materials(Vec<(Entity, Material)>);

impl Materials {
    /// Collects materials in any order; empty ones are left out.
    pub fn of(materials: impl Iterator<Item = (Entity, Material)>) -> Self {
        let mut materials: Vec<_> = materials.filter(|(_, material)| *material != Material::default()).collect();
        materials.sort_unstable_by_key(|material| material.0);
        Self(materials)
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The material of an entity.
    pub fn of_entity(&self, entity: Entity) -> Material {
        let found = self.0.binary_search_by_key(&entity, |material| material.0);
        found.map_or(Material::default(), |at| self.0[at].1)
    }

    /// Whether any terrain or disc has friction.
    pub(super) fn rub(&self) -> bool {
        self.0.iter().any(|(_, material)| material.friction.is_some())
    }
}
