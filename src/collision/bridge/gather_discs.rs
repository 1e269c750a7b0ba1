//! Gathers the discs; `columns` does the copying by columns in a tick.
//!
//! A disc or a piece of terrain with an invalid value is left out until the value is corrected, with one warning that
//! names the entity and the field. All others are simulated, whole columns at a time.

use bevy::{
    ecs::{
        entity::EntityHashSet,
        schedule::ScheduleConfigs,
        system::{ScheduleSystem, SystemParamItem},
    },
    prelude::*,
};

use super::gather::{Gather, ValueLog};
use crate::{
    collision::{
        bridge::columns::{ColumnLayout, Columns, IsDisc},
        discs::{DiscComponents, DiscState, Discs},
        space::PhysicsSpace,
        tick::Stage,
        validation::{InvalidEntities, check_disc},
    },
    components::{InPlay, Inactive, Pocket, Terrain},
};

impl Gather for Discs {
    type Components = Query<'static, 'static, DiscComponents, InPlay>;

    fn gather(discs: &SystemParamItem<Self::Components>, space: &mut PhysicsSpace, log: &mut ValueLog) {
        let can_be_simulated = |disc: &DiscState| {
            let checked = check_disc(disc);
            log.judge(disc.entity, &checked);
            checked.is_ok()
        };
        space.discs = discs.iter().map(|components| components.disc()).filter(can_be_simulated).collect();
    }

    /// A tick copies whole columns; the resulting arrays are the same.
    fn system() -> ScheduleConfigs<ScheduleSystem> {
        gather_columns.into_configs()
    }
}

fn gather_columns(
    mut space: ResMut<PhysicsSpace>,
    mut column_layout: ResMut<ColumnLayout>,
    mut invalid_entities: ResMut<InvalidEntities>,
    discs: Query<DiscComponents, IsDisc>,
    terrain: Query<(), (Or<(With<Terrain>, With<Pocket>)>, Without<Inactive>)>,
) -> Result {
    let columns = discs.contiguous_iter()?.map(Columns::of);
    space.timed(Stage::Gather, |space| {
        let PhysicsSpace { discs, compute, .. } = space;
        let columns: Vec<Columns> = columns.collect();
        let mut found_invalid = EntityHashSet::default();
        column_layout.gather(&columns, discs, compute, |entity, invalid| {
            invalid_entities.reject(entity, invalid);
            found_invalid.insert(entity);
        });
        ColumnLayout::gather_spin(&columns, discs);
        ColumnLayout::gather_kinematic(&columns, discs);
        if !invalid_entities.0.is_empty() {
            invalid_entities.0.retain(|entity, _| found_invalid.contains(entity) || terrain.contains(*entity));
        }
    });
    Ok(())
}
