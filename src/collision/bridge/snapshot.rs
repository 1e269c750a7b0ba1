//! Snapshot: a [`PhysicsSpace`] built from the current components, for predictions.

use bevy::{
    ecs::system::{StaticSystemParam, SystemParam},
    prelude::*,
};

use super::gather::{Everything, Gather, ValueLog};
use crate::collision::{settings::CollisionSettings, space::PhysicsSpace};

/// The current discs and terrain, for predictions.
#[derive(SystemParam)]
pub struct Snapshot<'w, 's> {
    components: StaticSystemParam<'w, 's, <Everything as Gather>::Components>,
    settings: Res<'w, CollisionSettings>,
    space: Res<'w, PhysicsSpace>,
}

impl Snapshot<'_, '_> {
    /// A space with the current state, as the next tick will gather it, without the entities that it will reject.
    #[must_use]
    pub fn space(&self) -> PhysicsSpace {
        let mut space = PhysicsSpace::default();
        space.clock.tick = self.space.clock.tick;
        // Terrain has images across the edges of the next tick.
        space.laws.settings.periodic = self.settings.in_range().periodic;
        Everything::gather(&self.components, &mut space, &mut ValueLog::Silent);
        space
    }
}
