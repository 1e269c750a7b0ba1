//! Gather, for pockets: components → circles, in the order of their [`StableId`]s. They are read anew with every tick,
//! and filed anew where one of them is another.

use bevy::prelude::*;

use crate::{
    collision::{
        pockets::PocketCircle,
        space::Space,
        validation::{InvalidEntities, check_pocket},
    },
    disc::{Inactive, Position, StableId},
    terrain::Pocket,
};

/// The components of a pocket.
pub type PocketItem = (Entity, &'static StableId, &'static Position, &'static Pocket);

/// Pockets that are active.
pub type Swallows = Without<Inactive>;

pub fn gather_pockets(
    mut space: ResMut<Space>,
    mut invalid_entities: ResMut<InvalidEntities>,
    pockets: Query<PocketItem, Swallows>,
) {
    let circles = collect_pockets(&pockets, |entity, check| match check {
        Ok(()) => invalid_entities.accept(entity),
        Err(invalid) => invalid_entities.reject(entity, invalid),
    });
    space.pockets.replace(circles);
}

/// Lists the pockets that make sense, in their order; what was found of each goes to `judge`.
pub fn collect_pockets(
    pockets: &Query<PocketItem, Swallows>,
    mut judge: impl FnMut(Entity, Result<(), crate::collision::validation::InvalidValue>),
) -> Vec<PocketCircle> {
    let mut circles = Vec::new();
    let mut keys: Vec<_> = pockets.iter().map(|(entity, id, ..)| (*id, entity)).collect();
    keys.sort_unstable();
    for (_, entity) in keys {
        let Ok((_, _, position, pocket)) = pockets.get(entity) else { continue };
        let check = check_pocket(*pocket, *position);
        if check.is_ok() {
            circles.push(PocketCircle { entity, centre: position.0, radius: pocket.radius });
        }
        judge(entity, check);
    }
    circles
}
