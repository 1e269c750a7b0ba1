//! Gather, for pockets: components → circles, in the order of their [`StableId`]s. They are few, and read anew with every tick.

use bevy::prelude::*;

use crate::{
    collision::{
        bridge::validation::{InvalidEntities, check_pocket},
        space::{PocketCircle, Space},
    },
    disc::{Position, StableId},
    terrain::Pocket,
};

/// The components of a pocket.
pub(in crate::collision) type PocketItem = (Entity, &'static StableId, &'static Position, &'static Pocket);

pub(in crate::collision) fn gather_pockets(
    mut space: ResMut<Space>,
    mut invalid_entities: ResMut<InvalidEntities>,
    pockets: Query<PocketItem>,
) {
    space.pockets.clear();
    collect_pockets(&pockets, &mut space.pockets, |entity, check| match check {
        Ok(()) => invalid_entities.accept(entity),
        Err(invalid) => invalid_entities.reject(entity, invalid),
    });
}

/// Lists the pockets that make sense, in their order; what was found of each goes to `judge`.
pub(in crate::collision) fn collect_pockets(
    pockets: &Query<PocketItem>,
    list: &mut Vec<PocketCircle>,
    mut judge: impl FnMut(Entity, Result<(), super::validation::InvalidValue>),
) {
    let mut keys: Vec<_> = pockets.iter().map(|(entity, id, ..)| (*id, entity)).collect();
    keys.sort_unstable();
    for (_, entity) in keys {
        let Ok((_, _, position, pocket)) = pockets.get(entity) else { continue };
        let check = check_pocket(*pocket, *position);
        if check.is_ok() {
            list.push(PocketCircle { entity, centre: position.0, radius: pocket.radius });
        }
        judge(entity, check);
    }
}
