//! Gather, for constant forces: components of single discs → a list beside the arrays. Few discs have one.

use bevy::{ecs::entity::EntityHashSet, prelude::*};

use crate::{
    collision::{
        settings::LIMIT,
        space::{DiscForce, Discs, Space},
    },
    disc::{ConstantForce, ConstantTorque, Disc, InPlay, StableId},
};

/// The discs that have a force of their own.
pub(in crate::collision) type ForcedItem =
    (Entity, &'static StableId, Option<&'static ConstantForce>, Option<&'static ConstantTorque>);

/// Those of them that are in play.
pub(in crate::collision) type IsForced = (InPlay, With<Disc>, Or<(With<ConstantForce>, With<ConstantTorque>)>);

pub(in crate::collision) fn gather_constant_forces(
    mut space: ResMut<Space>,
    forced: Query<ForcedItem, IsForced>,
    mut warned: Local<EntityHashSet>,
) {
    if forced.is_empty() && space.discs.constant_forces.is_empty() {
        return;
    }
    let found = collect_constant_forces(&forced, &space.discs, |entity, problem| match problem {
        Some(problem) if warned.insert(entity) => tracing::warn!("{entity}: {problem}; it is taken as zero"),
        Some(_) => {}
        None => _ = warned.remove(&entity),
    });
    space.discs.constant_forces = found;
}

/// Lists the forces of the discs that are in the arrays, in their order; those that are no numbers count as zero, and `judge` is told of all.
pub(in crate::collision) fn collect_constant_forces(
    forced: &Query<ForcedItem, IsForced>,
    discs: &Discs,
    mut judge: impl FnMut(Entity, Option<String>),
) -> Vec<DiscForce> {
    let mut found = Vec::new();
    for (entity, id, force, torque) in forced {
        let Some(disc) = discs.index_of(entity, *id) else { continue };
        let (mut force, mut torque) =
            (force.map_or(Vec2::ZERO, |force| force.0), torque.map_or(0.0, |torque| torque.0));
        let mut problem = None;
        if !force.abs().cmple(Vec2::splat(LIMIT)).all() {
            problem = Some(format!("ConstantForce is {force}; set it to finite components within 1e12 N"));
            force = Vec2::ZERO;
        }
        if !(torque.abs() <= LIMIT) {
            problem = Some(format!("ConstantTorque is {torque}; set it to a finite number within 1e12 N m"));
            torque = 0.0;
        }
        judge(entity, problem);
        if force != Vec2::ZERO || torque != 0.0 {
            found.push(DiscForce { disc: disc as u32, force, torque });
        }
    }
    found.sort_unstable_by_key(|force| force.disc);
    found
}
