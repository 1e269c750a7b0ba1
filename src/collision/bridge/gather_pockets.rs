//! Gathers pockets: components → circles, in the order of their [`StableId`]s. They are read in every tick, and indexed
//! again if any of them has changed.

use bevy::{ecs::system::SystemParamItem, prelude::*};

use super::gather::{Gather, ValueLog};
use crate::{
    collision::{
        pockets::{PocketCircle, Pockets},
        space::PhysicsSpace,
        validation::check_pocket,
    },
    components::{Inactive, Pocket, Position, StableId},
};

/// The components of a pocket.
type PocketItem = (Entity, &'static StableId, &'static Position, &'static Pocket);

impl Gather for Pockets {
    type Components = Query<'static, 'static, PocketItem, Without<Inactive>>;

    fn gather(pockets: &SystemParamItem<Self::Components>, space: &mut PhysicsSpace, log: &mut ValueLog) {
        let mut circles = Vec::new();
        let mut keys: Vec<_> = pockets.iter().map(|(entity, id, ..)| (*id, entity)).collect();
        keys.sort_unstable();
        for (_, entity) in keys {
            let Ok((_, _, position, pocket)) = pockets.get(entity) else { continue };
            let checked = check_pocket(*pocket, *position);
            if checked.is_ok() {
                circles.push(PocketCircle { entity, centre: position.0, radius: pocket.radius });
            }
            log.judge(entity, &checked);
        }
        space.pockets.replace(circles);
    }
}
