//! Gather, for constant forces: components of single discs → a list beside the arrays. Few discs have one.

use bevy::prelude::*;

use crate::{
    collision::{
        discs::{DiscForce, Discs},
        space::Space,
        validation::ignored::{Ignored, Values, Warned},
    },
    disc::{ConstantForce, ConstantTorque, Disc, InPlay, StableId},
};

/// The discs that have a force of their own.
pub type ForcedItem = (Entity, &'static StableId, Option<&'static ConstantForce>, Option<&'static ConstantTorque>);

/// Those of them that are in play.
pub type IsForced = (InPlay, With<Disc>, Or<(With<ConstantForce>, With<ConstantTorque>)>);

pub fn gather_constant_forces(
    mut space: ResMut<Space>,
    forced: Query<ForcedItem, IsForced>,
    mut warned: Local<Warned>,
) {
    if !forced.is_empty() || !space.discs.constant_forces.is_empty() {
        space.discs.constant_forces =
            collect_constant_forces(&forced, &space.discs, |entity, ignored| warned.note(entity, ignored));
    }
    warned.finish();
}

/// Lists the forces of the discs that are in the arrays, in their order. Of each disc `note` gets the value that is
/// ignored, if there is one.
pub fn collect_constant_forces(
    forced: &Query<ForcedItem, IsForced>,
    discs: &Discs,
    mut note: impl FnMut(Entity, Option<Ignored>),
) -> Vec<DiscForce> {
    let mut found = Vec::new();
    for (entity, id, force, torque) in forced {
        let Some(disc) = discs.index_of(entity, *id) else { continue };
        let mut values = Values::default();
        let (force, torque) = (values.force(force), values.torque(torque));
        note(entity, values.ignored);
        if force != Vec2::ZERO || torque != 0.0 {
            found.push(DiscForce { disc: disc as u32, force, torque });
        }
    }
    found.sort_unstable_by_key(|force| force.disc);
    found
}
