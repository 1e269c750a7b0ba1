//! The pockets of a [`PhysicsSpace`].

use bevy::prelude::*;

use super::PhysicsSpace;
use crate::collision::pockets::PocketCircle;

impl PhysicsSpace {
    /// The pockets in order.
    #[must_use]
    pub fn pockets(&self) -> &[PocketCircle] {
        self.pockets.circles()
    }

    /// Adds a pocket around `centre`, metres. Pockets that are components are added by each `Gather`.
    pub fn add_pocket(&mut self, entity: Entity, centre: Vec2, radius: f32) {
        self.pockets.add(PocketCircle { entity, centre, radius });
    }
}
