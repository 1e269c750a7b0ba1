//! Snapshot: a [`Space`] made of the components as they are now, for running ahead of them.

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::{
    collision::{
        bridge::{
            gather_constant_forces::{ForcedItem, IsForced, collect_constant_forces},
            gather_filter::FilterComponents,
            gather_joints::JointComponents,
            gather_materials::{HasMaterial, MaterialItem, collect_materials},
            gather_moving::{Moves, MovingItem, collect_moving},
            gather_own_motion::{HasOwn, OwnItem, collect_own_motion},
            gather_pockets::{PocketItem, Swallows, collect_pockets},
            gather_terrain::{Stands, TerrainItem},
        },
        discs::DiscComponents,
        settings::CollisionSettings,
        space::Space,
        validation::{check_disc, check_restitution, check_terrain},
    },
    disc::InPlay,
};

/// The present discs and terrain, for running ahead of them.
#[derive(SystemParam)]
pub struct Snapshot<'w, 's> {
    discs: Query<'w, 's, DiscComponents, InPlay>,
    terrain: Query<'w, 's, TerrainItem<'static>, Stands>,
    moving: Query<'w, 's, MovingItem<'static>, Moves>,
    pockets: Query<'w, 's, PocketItem, Swallows>,
    filter: FilterComponents<'w, 's>,
    forced: Query<'w, 's, ForcedItem, IsForced>,
    own: Query<'w, 's, OwnItem, HasOwn>,
    materials: Query<'w, 's, MaterialItem, HasMaterial>,
    joints: JointComponents<'w, 's>,
    settings: Res<'w, CollisionSettings>,
    space: Res<'w, Space>,
}

impl Snapshot<'_, '_> {
    /// A space with them, as the next tick will gather it; what it will reject is left out.
    #[must_use]
    pub fn space(&self) -> Space {
        let discs = self.discs.iter().map(|components| components.disc());
        let discs = discs.filter(|disc| check_disc(disc).is_ok()).collect();
        let mut space = Space { discs, tick: self.space.tick, ..Space::default() };
        // Terrain is seen across the edges that the next tick has.
        space.settings.periodic = self.settings.in_range().periodic;
        space.discs.filter = self.filter.of_discs(&space.discs);
        space.discs.constant_forces = collect_constant_forces(&self.forced, &space.discs, |_, _| {});
        space.discs.own_motion = collect_own_motion(&self.own, &space.discs, |_, _| {});
        space.answers.materials = collect_materials(&self.materials, |_, _| {});
        space.set_joints(self.joints.joints(&space.discs, |_, _| {}));
        let mut pieces: Vec<_> = self.terrain.iter().map(|(entity, id, ..)| (*id, entity)).collect();
        pieces.sort_unstable();
        for (_, entity) in pieces {
            let Ok((_, _, terrain, position, rotation, restitution)) = self.terrain.get(entity) else { continue };
            let placed =
                check_terrain(&terrain, *position, *rotation).and_then(|()| check_restitution(restitution.as_deref()));
            if let Ok(restitution) = placed {
                space.add_terrain(entity, &terrain, *position, *rotation, restitution);
            }
        }
        for (piece, filter) in self.filter.of_terrain(&space.discs.filter) {
            space.terrain.filter.set(piece, filter);
        }
        space.finish_terrain();
        space.moving.pieces = collect_moving(&self.moving, &[], |_, _| {});
        space.find_unmet();
        space.pockets.replace(collect_pockets(&self.pockets, |_, _| {}));
        space
    }
}
