//! Snapshot: a [`PhysicsSpace`] made of the components as they are now, for running ahead of them.

use bevy::{
    ecs::system::{StaticSystemParam, SystemParam},
    prelude::*,
};

use super::gather::{Everything, Gather, ValueLog};
use crate::collision::{settings::CollisionSettings, space::PhysicsSpace};

/// The present discs and terrain, for running ahead of them.
#[derive(SystemParam)]
pub struct Snapshot<'w, 's> {
    components: StaticSystemParam<'w, 's, <Everything as Gather>::Components>,
    settings: Res<'w, CollisionSettings>,
    space: Res<'w, PhysicsSpace>,
}

impl Snapshot<'_, '_> {
    /// A space with them, as the next tick will gather it; what it will reject is left out.
    #[must_use]
    pub fn space(&self) -> PhysicsSpace {
        let mut space = PhysicsSpace::default();
        space.clock.tick = self.space.clock.tick;
        // Terrain is seen across the edges that the next tick has.
        space.laws.settings.periodic = self.settings.in_range().periodic;
        Everything::gather(&self.components, &mut space, &mut ValueLog::Silent);
        space
    }
}
