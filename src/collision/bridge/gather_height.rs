//! Gather and scatter, for the heights of balls.

use bevy::{ecs::query::QueryItem, prelude::*};

use super::gather::DiscProperty;
use crate::{
    collision::{
        discs::{DiscHeight, Discs},
        space::PhysicsSpace,
        tick::Stage,
        validation::ignored::Values,
    },
    components::{Described, Height, InPlay, StableId},
};

impl DiscProperty for DiscHeight {
    type Components = &'static Height;
    type Has = With<Height>;

    fn list(discs: &Discs) -> &Vec<Self> {
        &discs.heights
    }

    fn list_mut(discs: &mut Discs) -> &mut Vec<Self> {
        &mut discs.heights
    }

    fn of(disc: u32, height: QueryItem<Self::Components>, values: &mut Values) -> Option<Self> {
        let Height { height, speed } = *values.usable(Some(height))?;
        (height != 0.0 || speed != 0.0).then_some(Self { disc, height, speed })
    }
}

/// Writes the heights of balls: those that took off in the tick get a [`Height`], and those that stay down lose it.
pub fn scatter_heights(
    mut space: ResMut<PhysicsSpace>,
    mut heights: Query<(Entity, &StableId, &mut Height), InPlay>,
    mut commands: Commands,
) {
    if !space.laws.balls_fly() || (space.discs.heights.is_empty() && heights.is_empty()) {
        return;
    }
    space.timed(Stage::Scatter, |space| {
        let discs = &space.discs;
        for (entity, id, mut height) in &mut heights {
            let Some(i) = discs.index_of(entity, *id) else { continue };
            match discs.height_of(i) {
                Some(&DiscHeight { height: above, speed, .. }) => {
                    height.set_if_neq(Height { height: above, speed });
                }
                // An invalid value stays, with its warning.
                None if height.check().is_ok() => _ = commands.entity(entity).try_remove::<Height>(),
                None => {}
            }
        }
        for &DiscHeight { disc, height, speed } in &discs.heights {
            let entity = discs.entity[disc as usize];
            if !heights.contains(entity) {
                commands.entity(entity).try_insert(Height { height, speed });
            }
        }
    });
}
