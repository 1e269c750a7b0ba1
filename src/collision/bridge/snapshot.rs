//! Snapshot: a [`PhysicsSpace`] built from the current components, for predictions.

use bevy::{
    ecs::system::{StaticSystemParam, SystemParam, SystemState},
    prelude::*,
};

use super::gather::{Everything, Gather, ValueLog};
use crate::{
    collision::{
        discs::{DiscComponents, DiscState, Discs},
        settings::CollisionSettings,
        space::PhysicsSpace,
        validation::check_disc,
    },
    components::{Disc, InPocket, Inactive, OffTable, StableId},
};

/// The current discs and terrain, for predictions.
#[derive(SystemParam)]
pub struct Snapshot<'w, 's> {
    components: StaticSystemParam<'w, 's, <Everything as Gather>::Components>,
    waiting: Query<'w, 's, DiscComponents, (With<Disc>, Or<(With<Inactive>, With<InPocket>, With<OffTable>)>)>,
    ids: Query<'w, 's, &'static StableId, With<Disc>>,
    settings: Res<'w, CollisionSettings>,
    space: Res<'w, PhysicsSpace>,
}

impl Snapshot<'_, '_> {
    /// A space with the current state, as the next tick will gather it, without the entities that it will reject.
    #[must_use]
    pub fn space(&self) -> PhysicsSpace {
        let mut space = PhysicsSpace::default();
        (space.clock.tick, space.clock.seconds) = (self.space.clock.tick, self.space.clock.seconds);
        // Terrain has images across the edges of the next tick.
        space.laws.settings.periodic = self.settings.in_range().periodic;
        Everything::gather(&self.components, &mut space, &mut ValueLog::Silent);
        space
    }

    /// [`Snapshot::space`] with one disc released: without its [`Inactive`], [`InPocket`], [`OffTable`] and
    /// [`Kinematic`](crate::components::Kinematic). Returns the space and the index of the disc in it, or `None` if the
    /// entity is not a disc, or one that the next tick will reject.
    #[must_use]
    pub fn space_with_free(&self, disc: Entity) -> Option<(PhysicsSpace, usize)> {
        let id = *self.ids.get(disc).ok()?;
        let mut space = self.space();
        if let Ok(waiting) = self.waiting.get(disc) {
            let waiting: DiscState = waiting.disc();
            check_disc(&waiting).ok()?;
            let discs = &space.discs;
            space.discs = (0..discs.len()).map(|i| discs.get(i)).chain([waiting]).collect::<Discs>();
            Everything::gather_rare(&self.components, &mut space, &mut ValueLog::Silent);
        }
        let i = space.discs.index_of(disc, id)?;
        space.discs.set_kinematic(i, false, None);
        space.discs.periodic.retain(|periodic| periodic.disc as usize != i);
        Some((space, i))
    }
}

/// Shows the discs and the terrain to readers of [`PhysicsSpace`] before the next tick gathers them.
pub(crate) fn show_components(world: &mut World) {
    let Some(periodic) = world.get_resource::<CollisionSettings>().map(|settings| settings.periodic) else { return };
    let Some(mut space) = world.get_resource_mut::<PhysicsSpace>() else { return };
    space.laws.settings.periodic = periodic;
    let Ok(snapshot) = SystemState::<Snapshot>::new(world).get(world).map(|snapshot| snapshot.space()) else { return };
    world.resource_mut::<PhysicsSpace>().show(snapshot);
}
