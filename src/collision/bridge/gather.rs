//! Gather: components → arrays. Reads the components of discs and terrain, writes only [`Space`], [`InvalidEntities`]
//! and where the discs lie in their tables. This is the system; the copying itself is in `columns`.
//!
//! A disc or a piece of terrain with a value that cannot be simulated is left out until the value is mended, with one
//! warning that names the entity and the field; everything else goes on, whole columns at a time.

use bevy::{ecs::entity::EntityHashSet, prelude::*};

use crate::{
    collision::{
        bridge::columns::{ColumnLayout, Columns, IsDisc},
        discs::DiscComponents,
        space::{Space, Stage},
        validation::InvalidEntities,
    },
    disc::Inactive,
    terrain::{Pocket, Terrain},
};

pub fn gather_discs(
    mut space: ResMut<Space>,
    mut column_layout: ResMut<ColumnLayout>,
    mut invalid_entities: ResMut<InvalidEntities>,
    discs: Query<DiscComponents, IsDisc>,
    terrain: Query<(), (Or<(With<Terrain>, With<Pocket>)>, Without<Inactive>)>,
) -> Result {
    let columns = discs.contiguous_iter()?.map(Columns::of);
    space.timed(Stage::Gather, |space| {
        let Space { discs, simd, threads, .. } = space;
        let columns: Vec<Columns> = columns.collect();
        let mut found_invalid = EntityHashSet::default();
        // Who meets whom is gathered afterwards, and compared with what it was.
        let filter = std::mem::take(&mut discs.filter);
        column_layout.gather(&columns, discs, (*simd, *threads), |entity, invalid| {
            invalid_entities.reject(entity, invalid);
            found_invalid.insert(entity);
        });
        discs.filter = filter;
        // So is what single discs have of their own, where any does.
        discs.constant_forces.clear();
        discs.own_motion.clear();
        ColumnLayout::gather_spin(&columns, discs);
        ColumnLayout::gather_kinematic(&columns, discs);
        if !invalid_entities.0.is_empty() {
            invalid_entities.0.retain(|entity, _| found_invalid.contains(entity) || terrain.contains(*entity));
        }
    });
    Ok(())
}
