//! The filter of a query.

use core::fmt;

use bevy::prelude::*;

use crate::components::CollisionLayers;

/// The entities that a query considers. By default these are all discs and all terrain, without sensors and without
/// entities that are in no layer.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::collision::SpatialQueryFilter;
/// # let (player, ghosts) = (Entity::PLACEHOLDER, [Entity::PLACEHOLDER]);
/// let is_solid = |entity: Entity| !ghosts.contains(&entity);
/// let own = [player];
/// let filter = SpatialQueryFilter::default().excluding(&own).with_predicate(&is_solid).only_discs();
/// # let _ = filter;
/// ```
#[derive(Clone, Copy)]
pub struct SpatialQueryFilter<'a> {
    excluded: &'a [Entity],
    predicate: Option<&'a dyn Fn(Entity) -> bool>,
    layers: CollisionLayers,
    discs: bool,
    terrain: bool,
}

impl Default for SpatialQueryFilter<'_> {
    fn default() -> Self {
        Self { excluded: &[], predicate: None, layers: CollisionLayers::ALL, discs: true, terrain: true }
    }
}

impl<'a> SpatialQueryFilter<'a> {
    /// Excludes these entities, such as the entity that asks: a ray that starts inside a disc may hit that disc at
    /// once.
    #[must_use]
    pub fn excluding(self, excluded: &'a [Entity]) -> Self {
        Self { excluded, ..self }
    }

    /// Considers only entities for which this returns true. It is called only for entities that would be in the result.
    #[must_use]
    pub fn with_predicate(self, predicate: &'a dyn Fn(Entity) -> bool) -> Self {
        Self { predicate: Some(predicate), ..self }
    }

    /// Considers only entities that can collide with a disc in these layers.
    #[must_use]
    pub fn with_layers(self, layers: CollisionLayers) -> Self {
        Self { layers, ..self }
    }

    /// Ignores terrain.
    #[must_use]
    pub fn only_discs(self) -> Self {
        Self { terrain: false, ..self }
    }

    /// Ignores discs.
    #[must_use]
    pub fn only_terrain(self) -> Self {
        Self { discs: false, ..self }
    }

    pub(super) fn discs(&self) -> bool {
        self.discs
    }

    pub(super) fn terrain(&self) -> bool {
        self.terrain
    }

    pub(super) fn allows(&self, entity: Entity, layers: CollisionLayers) -> bool {
        self.layers.can_collide(layers)
            && !self.excluded.contains(&entity)
            && self.predicate.is_none_or(|predicate| predicate(entity))
    }
}

impl fmt::Debug for SpatialQueryFilter<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { excluded, predicate, layers, discs, terrain } = self;
        formatter
            .debug_struct("SpatialQueryFilter")
            .field("excluded", excluded)
            .field("has_predicate", &predicate.is_some())
            .field("layers", layers)
            .field("discs", discs)
            .field("terrain", terrain)
            .finish()
    }
}
