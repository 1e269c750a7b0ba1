//! Gather: components → arrays. Reads the components of discs and terrain, writes only [`Space`] and [`Refused`].
//!
//! A disc or a piece of terrain with a value that cannot be simulated is left out until the value is mended, with one
//! warning that names the entity and the field; everything else goes on, whole columns at a time.

use bevy::{
    ecs::{
        change_detection::ContiguousRef,
        entity::{EntityHashMap, EntityHashSet},
        system::SystemParam,
    },
    prelude::*,
};
use std::sync::Arc;
use tracing::warn;

use super::{
    settings::{CollisionSettings, LIMIT},
    space::{Corner, Disc, DiscComponents, Kick, Space, Stage, Wall},
    tables::{Columns, IsDisc},
    terrain_index::{Arrays, Change, Pieces, Placed},
};
use crate::{
    body::{Ball, Position, Restitution, StableId},
    terrain::{Rotation, Terrain, TerrainError},
};

/// The discs and pieces of terrain that the last tick left out, with the reason. They are back as soon as they are mended.
#[derive(Resource, Clone, Debug, Default)]
pub struct Refused(pub EntityHashMap<Refusal>);

/// Why a disc or a piece of terrain is left out.
#[derive(thiserror::Error, Clone, Copy, Debug, PartialEq)]
pub enum Refusal {
    /// A coordinate of the position is not a finite number within [`LIMIT`].
    #[error("Position is {0}; set it to finite coordinates within 1e12 m")]
    Position(Vec2),
    /// A component of the velocity is not a finite number within [`LIMIT`].
    #[error("Velocity is {0}; set it to finite components within 1e12 m/s")]
    Velocity(Vec2),
    /// The radius is not a number above zero within [`LIMIT`].
    #[error("Radius is {0}; set it above zero, from 1e-12 to 1e12 m")]
    Radius(f32),
    /// The mass is not a number above zero within [`LIMIT`].
    #[error("Mass is {0}; set it above zero, from 1e-12 to 1e12 kg")]
    Mass(f32),
    /// The restitution is not a number from 0 to 1.
    #[error("Restitution is {0}; set it from 0 to 1")]
    Restitution(f32),
    /// The angle is not finite.
    #[error("Rotation is {0}; set it to a finite angle in radians")]
    Rotation(f32),
    /// The shape of the terrain makes no sense.
    #[error("Terrain: {0}")]
    Terrain(#[from] TerrainError),
}

impl Space {
    /// Starts a tick of `time_step` seconds: takes over the settings and forgets what the last tick reported.
    pub fn begin_tick(&mut self, settings: &CollisionSettings, time_step: f32) {
        self.settings = settings.in_range();
        self.time_step = time_step;
        self.tick += 1;
        self.hits.clear();
        self.contacts.clear();
        self.turns.clear();
        self.begin_forces(Kick::Substep);
        self.now = 0.0;
        self.continuous.goes_on = false;
        self.stage_times = Default::default();
    }
}

pub(super) fn begin_tick(
    mut space: ResMut<Space>,
    settings: Res<CollisionSettings>,
    time: Res<Time>,
    mut warned: Local<bool>,
) {
    match settings.check() {
        Ok(()) => *warned = false,
        Err(error) if !*warned => {
            warn!("collision settings: {error}; the nearest allowed value is used");
            *warned = true;
        }
        Err(_) => {}
    }
    space.begin_tick(&settings, time.delta_secs());
}

fn finite(vector: Vec2) -> bool {
    // A comparison with NaN is false, so this refuses NaN, infinity and what lies beyond the limit at once.
    vector.abs().cmple(Vec2::splat(LIMIT)).all()
}

fn positive(value: f32) -> bool {
    (1.0 / LIMIT..=LIMIT).contains(&value)
}

fn check_restitution(restitution: Option<&Restitution>) -> Result<Option<f32>, Refusal> {
    match restitution {
        Some(&Restitution(e)) if !(0.0..=1.0).contains(&e) => Err(Refusal::Restitution(e)),
        other => Ok(other.map(|e| e.0)),
    }
}

/// Whether a disc can be simulated.
///
/// # Errors
/// The first value that cannot.
pub fn check_disc(disc: &Disc) -> Result<(), Refusal> {
    if !finite(disc.position) {
        return Err(Refusal::Position(disc.position));
    }
    if !finite(disc.velocity) {
        return Err(Refusal::Velocity(disc.velocity));
    }
    if !positive(disc.radius) {
        return Err(Refusal::Radius(disc.radius));
    }
    if !positive(disc.mass) {
        return Err(Refusal::Mass(disc.mass));
    }
    check_restitution(disc.restitution.map(Restitution).as_ref()).map(|_| ())
}

impl Refused {
    /// Notes a refusal, and warns if it is a new one.
    fn refuse(&mut self, entity: Entity, refusal: Refusal) {
        let known = self.0.insert(entity, refusal);
        if known.is_none_or(|known| std::mem::discriminant(&known) != std::mem::discriminant(&refusal)) {
            warn!("{entity} is left out of the simulation: {refusal}");
        }
    }

    /// Forgets a refusal, if there was one.
    fn accept(&mut self, entity: Entity) {
        if !self.0.is_empty() {
            self.0.remove(&entity);
        }
    }
}

pub(super) fn gather_bodies(
    mut space: ResMut<Space>,
    mut refused: ResMut<Refused>,
    bodies: Query<DiscComponents, IsDisc>,
    terrain: Query<(), With<Terrain>>,
) -> Result {
    let columns = bodies.contiguous_iter()?.map(Columns::of);
    space.timed(Stage::Gather, |space| {
        let Space { bodies, tables, lanes, threads, .. } = space;
        let columns: Vec<Columns> = columns.collect();
        let mut unsound = EntityHashSet::default();
        tables.gather(&columns, bodies, (*lanes, *threads), |entity, refusal| {
            refused.refuse(entity, refusal);
            unsound.insert(entity);
        });
        if !refused.0.is_empty() {
            refused.0.retain(|entity, _| unsound.contains(entity) || terrain.contains(*entity));
        }
    });
    Ok(())
}

type TerrainItem<'a> =
    (Entity, Ref<'a, StableId>, Ref<'a, Terrain>, Ref<'a, Position>, Ref<'a, Rotation>, Option<Ref<'a, Restitution>>);

pub(super) fn gather_terrain(
    mut space: ResMut<Space>,
    mut refused: ResMut<Refused>,
    pieces: Query<TerrainItem>,
    mut restitutions_gone: RemovedComponents<Restitution>,
) -> Result {
    let gone: Vec<Entity> = restitutions_gone.read().filter(|&entity| pieces.contains(entity)).collect();
    space.timed(Stage::Gather, |space| {
        let (mut changed, entities) = (gone, &space.pieces.entities);
        let (mut count, mut same) = (0, true);
        for (table, id, terrain, position, rotation, restitution) in pieces.contiguous_iter()? {
            same &= entities.get(count..count + table.len()) == Some(table);
            count += table.len();
            note_changes(table, &id, &mut changed);
            note_changes(table, &terrain, &mut changed);
            note_changes(table, &position, &mut changed);
            note_changes(table, &rotation, &mut changed);
            if let Some(restitution) = restitution {
                note_changes(table, &restitution, &mut changed);
            }
        }
        same &= count == entities.len();
        if same && changed.is_empty() {
            return Ok(());
        }
        let key_of = |entity: Entity| pieces.get(entity).ok().map(|(_, id, ..)| (*id, entity));
        let mut keys: Vec<(StableId, Entity)> = changed.into_iter().filter_map(key_of).collect();
        keys.sort_unstable();
        keys.dedup();
        let mut gone = Vec::new();
        if !same || !keys.iter().all(|&key| space.pieces.has(key)) {
            let mut order: Vec<_> = pieces.iter().map(|(entity, id, ..)| (*id, entity)).collect();
            order.sort_unstable();
            let is_new = |key: &(StableId, Entity)| !space.pieces.has(*key);
            keys.extend(order.iter().copied().filter(is_new));
            keys.sort_unstable();
            keys.dedup();
            gone.extend(space.pieces.keys().filter(|key| order.binary_search(key).is_err()));
            let entities = pieces.contiguous_iter()?.flat_map(|(table, ..)| table.iter().copied());
            Arc::make_mut(&mut space.pieces).entities = entities.collect();
            if (keys.len() + gone.len()) * REBUILD > order.len() {
                (keys, gone) = (order, Vec::new());
            }
        } else if keys.len() * REBUILD > space.pieces.len() {
            keys = space.pieces.keys().collect();
        }
        let all = keys.len() == count;
        let changes = keys.into_iter().filter_map(|key| {
            let (_, _, terrain, position, rotation, restitution) = pieces.get(key.1).ok()?;
            let placed = check_terrain(&terrain, *position, *rotation)
                .and_then(|()| check_restitution(restitution.as_deref()))
                .map(|restitution| Placed::of(&terrain, *position, *rotation, restitution));
            match &placed {
                Ok(_) => refused.accept(key.1),
                Err(refusal) => refused.refuse(key.1, *refusal),
            }
            Some(Change { key, placed: Some(placed.unwrap_or(Placed::nothing())) })
        });
        let Space { walls, corners, terrain_index, pieces: known, .. } = space;
        let mut arrays = Arrays { walls, corners, index: terrain_index };
        if all {
            Arc::make_mut(known).replace(changes, &mut arrays);
        } else {
            let mut changes: Vec<Change> = changes.collect();
            changes.extend(gone.into_iter().map(|key| Change { key, placed: None }));
            changes.sort_unstable_by_key(|change| change.key);
            Arc::make_mut(known).change(&changes, &mut arrays);
        }
        Ok(())
    })
}

/// If more than one in so many pieces of terrain has changed, all of it is made anew.
const REBUILD: usize = 4;

/// Notes the entities whose component has changed since the system last ran.
fn note_changes<T>(entities: &[Entity], column: &ContiguousRef<T>, changed: &mut Vec<Entity>) {
    let (last, this) = (column.last_run_tick(), column.this_run_tick());
    let ticks = column.changed_ticks_slice();
    // Without leaving early, so that many are compared at once.
    if ticks.iter().fold(false, |any, tick| any | tick.is_newer_than(last, this)) {
        let rows = entities.iter().zip(ticks).filter(|(_, tick)| tick.is_newer_than(last, this));
        changed.extend(rows.map(|(entity, _)| entity));
    }
}

/// The present discs and terrain, for running ahead of them.
#[derive(SystemParam)]
pub struct Present<'w, 's> {
    discs: Query<'w, 's, DiscComponents, With<Ball>>,
    terrain: Query<'w, 's, TerrainItem<'static>>,
}

impl Present<'_, '_> {
    /// A space with them, as the next tick will gather it; what it will refuse is left out.
    #[must_use]
    pub fn space(&self) -> Space {
        let discs = self.discs.iter().map(|components| components.disc());
        let mut space = Space { bodies: discs.filter(|disc| check_disc(disc).is_ok()).collect(), ..Space::default() };
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
        space.finish_terrain();
        space
    }
}

fn check_terrain(terrain: &Terrain, position: Position, rotation: Rotation) -> Result<(), Refusal> {
    if !finite(position.0) {
        return Err(Refusal::Position(position.0));
    }
    if !rotation.0.is_finite() {
        return Err(Refusal::Rotation(rotation.0));
    }
    Ok(terrain.check()?)
}

impl Space {
    /// Adds the walls and corners of one piece of terrain. Call [`Space::finish_terrain`] after the last one.
    pub fn add_terrain(
        &mut self,
        entity: Entity,
        terrain: &Terrain,
        position: Position,
        rotation: Rotation,
        restitution: Option<f32>,
    ) {
        let Placed { walls, points, radius, restitution } = Placed::of(terrain, position, rotation, restitution);
        self.walls.extend(walls.into_iter().map(|[a, b]| Wall { entity, a, b, restitution }));
        let corner = |centre| Corner { entity, centre, radius, restitution, walls: Vec::new() };
        self.corners.extend(points.into_iter().map(corner));
    }

    /// Makes one corner of those that coincide, puts the ends of walls there, and tells every corner which walls start there or
    /// run through it.
    pub fn finish_terrain(&mut self) {
        let Self { walls, corners, terrain_index, .. } = self;
        let mut pieces = Pieces::loose(walls, corners);
        pieces.join(&mut Arrays { walls, corners, index: terrain_index });
        // What was added by hand belongs to no entities that could change.
        self.pieces = Arc::default();
    }
}
