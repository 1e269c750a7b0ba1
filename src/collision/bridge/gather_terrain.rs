//! Gathers terrain: components → walls and fixed circles, rebuilt only for pieces that were added, changed or removed.

use std::sync::Arc;

use bevy::{
    ecs::{
        change_detection::ContiguousRef,
        query::QueryItem,
        schedule::ScheduleConfigs,
        system::{ScheduleSystem, SystemParamItem},
    },
    prelude::*,
};

use super::gather::{Gather, ValueLog};
use crate::{
    collision::{
        periodic::Cell,
        space::PhysicsSpace,
        terrain::{
            StandingTerrain,
            index::{PlacedTerrain, TerrainArrays, TerrainChange, TerrainTables},
        },
        tick::Stage,
        validation::{InvalidEntities, check_restitution, check_terrain},
    },
    components::{
        AngularVelocity, Inactive, InvalidValue, Mass, NotDriven, Position, Restitution, Rotation, Sensor, StableId,
        Terrain, Velocity,
    },
};

type TerrainItem<'a> =
    (Entity, Ref<'a, StableId>, Ref<'a, Terrain>, Ref<'a, Position>, Ref<'a, Rotation>, Option<Ref<'a, Restitution>>);

/// Active static terrain that is not a sensor: no component controls its motion.
type Stands =
    ((Without<Velocity>, Without<AngularVelocity>, Without<Mass>), NotDriven, (Without<Inactive>, Without<Sensor>));

impl Gather for StandingTerrain {
    type Components = Query<'static, 'static, TerrainItem<'static>, Stands>;

    fn gather(pieces: &SystemParamItem<Self::Components>, space: &mut PhysicsSpace, log: &mut ValueLog) {
        let mut keys: Vec<_> = pieces.iter().map(|(entity, id, ..)| (*id, entity)).collect();
        keys.sort_unstable();
        let cell = Cell::of(&space.laws.settings.periodic);
        let changes = keys.into_iter().filter_map(|key| {
            let placed = place(pieces.get(key.1).ok()?, cell);
            log.judge(key.1, &placed);
            Some(TerrainChange { key, placed: placed.ok() })
        });
        let Self { walls, fixed_circles, index, pieces: known, .. } = &mut space.terrain;
        Arc::make_mut(known).replace(changes, &mut TerrainArrays { walls, fixed_circles, index });
    }

    /// As terrain seldom changes, a tick rebuilds only the changed pieces; the resulting arrays are the same.
    fn system() -> ScheduleConfigs<ScheduleSystem> {
        gather_changed_terrain.into_configs()
    }
}

/// The place of a piece, if it can be simulated.
fn place(
    (_, _, terrain, position, rotation, restitution): QueryItem<TerrainItem<'static>>,
    cell: Option<Cell>,
) -> Result<PlacedTerrain, InvalidValue> {
    check_terrain(&terrain, *position, *rotation)?;
    let restitution = check_restitution(restitution.as_deref())?;
    Ok(PlacedTerrain::of(&terrain, *position, *rotation, restitution).seen_across(cell))
}

fn gather_changed_terrain(
    mut space: ResMut<PhysicsSpace>,
    mut invalid_entities: ResMut<InvalidEntities>,
    pieces: Query<TerrainItem<'static>, Stands>,
) -> Result {
    space.timed(Stage::Gather, |space| {
        let tables = || Ok::<_, BevyError>(pieces.contiguous_iter()?.map(|(table, .., e)| (table, e.is_some())));
        let same = space.terrain.pieces.tables.are(tables()?);
        let (mut changed, mut count) = (Vec::new(), 0);
        for (table, id, terrain, position, rotation, restitution) in pieces.contiguous_iter()? {
            count += table.len();
            collect_changes(table, &id, &mut changed);
            collect_changes(table, &terrain, &mut changed);
            collect_changes(table, &position, &mut changed);
            collect_changes(table, &rotation, &mut changed);
            if let Some(restitution) = restitution {
                collect_changes(table, &restitution, &mut changed);
            }
        }
        if !same {
            let mut now = TerrainTables::default();
            tables()?.for_each(|(table, have_restitution)| now.push(table, have_restitution));
            changed.extend(now.lost_restitutions(&space.terrain.pieces.tables));
            Arc::make_mut(&mut space.terrain.pieces).tables = now;
        }
        let cell = Cell::of(&space.laws.settings.periodic);
        let same_cell = std::mem::replace(&mut space.terrain.cell, cell) == cell;
        if same && same_cell && changed.is_empty() {
            return Ok(());
        }
        let key_of = |entity: Entity| pieces.get(entity).ok().map(|(_, id, ..)| (*id, entity));
        let mut keys: Vec<(StableId, Entity)> = changed.into_iter().filter_map(key_of).collect();
        keys.sort_unstable();
        keys.dedup();
        let mut gone = Vec::new();
        if !same || !keys.iter().all(|&key| space.terrain.pieces.has(key)) {
            let mut order: Vec<_> = pieces.iter().map(|(entity, id, ..)| (*id, entity)).collect();
            order.sort_unstable();
            let is_new = |key: &(StableId, Entity)| !space.terrain.pieces.has(*key);
            keys.extend(order.iter().copied().filter(is_new));
            keys.sort_unstable();
            keys.dedup();
            gone.extend(space.terrain.pieces.keys().filter(|key| order.binary_search(key).is_err()));
            if !same_cell || (keys.len() + gone.len()) * REBUILD > order.len() {
                (keys, gone) = (order, Vec::new());
            }
        } else if !same_cell || keys.len() * REBUILD > space.terrain.pieces.len() {
            keys = space.terrain.pieces.keys().collect();
        }
        let all = keys.len() == count;
        let changes = keys.into_iter().filter_map(|key| {
            let placed = place(pieces.get(key.1).ok()?, cell);
            invalid_entities.judge(key.1, &placed);
            Some(TerrainChange { key, placed: Some(placed.unwrap_or(PlacedTerrain::empty())) })
        });
        let StandingTerrain { walls, fixed_circles, index, pieces: known, .. } = &mut space.terrain;
        let mut arrays = TerrainArrays { walls, fixed_circles, index };
        if all {
            Arc::make_mut(known).replace(changes, &mut arrays);
        } else {
            let mut changes: Vec<TerrainChange> = changes.collect();
            changes.extend(gone.into_iter().map(|key| TerrainChange { key, placed: None }));
            changes.sort_unstable_by_key(|change| change.key);
            Arc::make_mut(known).change(&changes, &mut arrays);
        }
        Ok(())
    })
}

/// If more than one in this many pieces of terrain has changed, all terrain is rebuilt.
const REBUILD: usize = 4;

/// Records the entities whose component has changed since the system last ran.
fn collect_changes<T>(entities: &[Entity], column: &ContiguousRef<T>, changed: &mut Vec<Entity>) {
    let (last, this) = (column.last_run_tick(), column.this_run_tick());
    let ticks = column.changed_ticks_slice();
    // No early exit, so that many values are compared at once.
    if ticks.iter().fold(false, |any, tick| any | tick.is_newer_than(last, this)) {
        let rows = entities.iter().zip(ticks).filter(|(_, tick)| tick.is_newer_than(last, this));
        changed.extend(rows.map(|(entity, _)| entity));
    }
}
