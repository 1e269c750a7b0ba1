//! Gather: components → arrays. Reads the components of discs and terrain, writes only [`Space`] and [`Refused`].
//!
//! A disc or a piece of terrain with a value that cannot be simulated is left out until the value is mended, with one
//! warning that names the entity and the field; everything else goes on.

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use core::ops::Range;
use tracing::warn;

use super::{
    lanes::{Job, Lanes, Sixteen},
    settings::{CollisionSettings, LIMIT},
    space::{Bodies, Corner, Disc, DiscComponents, DiscComponentsContiguousItem, Space, Stage, Wall},
    threads::{self, Threads, take},
};
use crate::{
    body::{Ball, Mass, Position, Radius, Restitution, StableId, Velocity},
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
        self.gravity = Vec2::ZERO;
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

/// The query of `Gather` reads these tables, and that of `Scatter` writes them, in the same order.
pub(super) type IsDisc = (With<Ball>, With<StableId>, With<Position>, With<Velocity>, With<Radius>, With<Mass>);

/// How the tables of the ECS lie to the arrays of [`Bodies`], for the way back. What is in it follows from the components;
/// it is kept between ticks for its memory, and because the order of the discs rarely changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    /// The rows of each table, counted over all of them; without the discs that were refused.
    spans: Vec<Range<usize>>,
    /// The discs as they came, if that is not their order of resolution.
    discs: Bodies,
    /// The row of each disc; empty if they came in order.
    row: Vec<u32>,
}

/// Discs row by row, as they lie in the tables.
pub(super) struct Rows<'a> {
    pub(super) spans: &'a [Range<usize>],
    pub(super) entity: &'a [Entity],
    pub(super) position: &'a [Vec2],
    pub(super) velocity: &'a [Vec2],
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
        let (in_order, unsound) = if let Some(in_order) = tables.copy(&columns, bodies, *lanes, *threads) {
            (in_order, Vec::new())
        } else {
            let unsound = tables.copy_one_by_one(&columns, bodies, &mut refused);
            (bodies.id.is_sorted_by(|a, b| a < b), unsound)
        };
        if !refused.0.is_empty() {
            refused.0.retain(|entity, _| unsound.contains(entity) || terrain.contains(*entity));
        }
        if in_order {
            tables.row.clear();
        } else {
            tables.restore_order(bodies);
        }
    });
    Ok(())
}

/// The discs of one table, column by column.
#[derive(Clone)]
struct Columns<'a> {
    entity: &'a [Entity],
    id: &'a [StableId],
    position: &'a [Position],
    velocity: &'a [Velocity],
    radius: &'a [Radius],
    mass: &'a [Mass],
    restitution: Option<&'a [Restitution]>,
}

impl<'a> Columns<'a> {
    fn of(table: DiscComponentsContiguousItem<'a, '_>) -> Self {
        let DiscComponentsContiguousItem { entity, id, position, velocity, radius, mass, restitution } = table;
        Self { entity, id, position, velocity, radius, mass, restitution }
    }

    fn rows(&self, rows: Range<usize>) -> Self {
        Self {
            entity: &self.entity[rows.clone()],
            id: &self.id[rows.clone()],
            position: &self.position[rows.clone()],
            velocity: &self.velocity[rows.clone()],
            radius: &self.radius[rows.clone()],
            mass: &self.mass[rows.clone()],
            restitution: self.restitution.map(|column| &column[rows]),
        }
    }

    fn disc(&self, row: usize) -> Disc {
        Disc {
            entity: self.entity[row],
            id: self.id[row].0,
            position: self.position[row].0,
            velocity: self.velocity[row].0,
            radius: self.radius[row].0,
            mass: self.mass[row].0,
            restitution: self.restitution.map(|column| column[row].0),
        }
    }

    /// Whether every disc can be simulated; see [`check_disc`].
    ///
    /// Positive numbers are ordered as their bits are, NaN is above them all and what is negative above that: so the least
    /// and the greatest of the bits tell, and are found for many discs at once.
    #[inline(always)]
    fn are_sound(&self) -> bool {
        let magnitude = |v: Vec2| (v.x.to_bits() & !SIGN).max(v.y.to_bits() & !SIGN);
        let finite = |magnitudes: (u32, u32)| magnitudes.1 <= LIMIT.to_bits();
        let positive = |values: (u32, u32)| values.0 >= (1.0 / LIMIT).to_bits() && values.1 <= LIMIT.to_bits();
        finite(least_and_greatest(self.position.iter().map(|position| magnitude(position.0))))
            && finite(least_and_greatest(self.velocity.iter().map(|velocity| magnitude(velocity.0))))
            && positive(least_and_greatest(self.radius.iter().map(|radius| radius.0.to_bits())))
            && positive(least_and_greatest(self.mass.iter().map(|mass| mass.0.to_bits())))
            && self.restitution.is_none_or(|column| column.iter().all(|e| (0.0..=1.0).contains(&e.0)))
    }
}

/// The sign bit of an `f32`.
const SIGN: u32 = 1 << 31;

#[inline(always)]
fn least_and_greatest(bits: impl Iterator<Item = u32>) -> (u32, u32) {
    bits.fold((u32::MAX, 0), |(least, greatest), bits| (least.min(bits), greatest.max(bits)))
}

/// Whether all are true; without leaving early, so that many are compared at once.
#[inline(always)]
fn all(each: impl Iterator<Item = bool>) -> bool {
    each.fold(true, |all, this| all & this)
}

/// Where the values of some discs go.
struct Slots<'a> {
    entity: &'a mut [Entity],
    id: &'a mut [u64],
    position: &'a mut [Vec2],
    velocity: &'a mut [Vec2],
    radius: &'a mut [f32],
    mass: &'a mut [f32],
    restitution: &'a mut [Option<f32>],
}

impl<'a> Slots<'a> {
    fn of(bodies: &'a mut Bodies) -> Self {
        let Bodies { entity, id, position, velocity, radius, mass, restitution, .. } = bodies;
        Self { entity, id, position, velocity, radius, mass, restitution }
    }

    /// The first `count` of them; the rest stays.
    fn take(&mut self, count: usize) -> Self {
        Self {
            entity: take(&mut self.entity, count),
            id: take(&mut self.id, count),
            position: take(&mut self.position, count),
            velocity: take(&mut self.velocity, count),
            radius: take(&mut self.radius, count),
            mass: take(&mut self.mass, count),
            restitution: take(&mut self.restitution, count),
        }
    }
}

/// Takes over some rows of a table.
struct Copy<'a> {
    from: Columns<'a>,
    into: Slots<'a>,
}

/// Whether rows that were taken over can be simulated, whether they came in order, and the first and the last id.
struct Copied {
    sound: bool,
    in_order: bool,
    first: u64,
    last: u64,
}

impl Job for Copy<'_> {
    type Output = Copied;

    #[inline(always)]
    fn run<L: Sixteen>(self, _: L) -> Copied {
        /// So many rows are read, checked and written before the next, while they are at hand.
        const BLOCK: usize = 512;
        let Self { from, mut into } = self;
        let count = from.entity.len();
        let (first, last) = (from.id.first().map_or(0, |id| id.0), from.id.last().map_or(0, |id| id.0));
        let (mut sound, mut in_order, mut before) = (true, true, first);
        for start in (0..count).step_by(BLOCK) {
            let end = count.min(start + BLOCK);
            let from = from.rows(start..end);
            let Slots { entity, id, position, velocity, radius, mass, restitution } = into.take(end - start);
            sound &= from.are_sound();
            entity.copy_from_slice(from.entity);
            for k in 0..id.len() {
                id[k] = from.id[k].0;
            }
            in_order &= all(id.windows(2).map(|ids| ids[0] < ids[1]));
            in_order &= start == 0 || before < id[0];
            before = id[id.len() - 1];
            for k in 0..position.len() {
                position[k] = from.position[k].0;
            }
            for k in 0..velocity.len() {
                velocity[k] = from.velocity[k].0;
            }
            for k in 0..radius.len() {
                radius[k] = from.radius[k].0;
            }
            for k in 0..mass.len() {
                mass[k] = from.mass[k].0;
            }
            match from.restitution {
                Some(column) => {
                    for k in 0..restitution.len() {
                        restitution[k] = Some(column[k].0);
                    }
                }
                None => restitution.fill(None),
            }
        }
        Copied { sound, in_order, first, last }
    }
}

impl Tables {
    /// Takes over all rows, and tells whether they came in order; or nothing if there is a disc among them that cannot be
    /// simulated.
    fn copy(&mut self, tables: &[Columns], bodies: &mut Bodies, lanes: Lanes, threads: Threads) -> Option<bool> {
        self.spans.clear();
        let mut count = 0;
        for table in tables {
            self.spans.push(count..count + table.entity.len());
            count += table.entity.len();
        }
        bodies.resize(count);
        let mut slots = Slots::of(bodies);
        let mut jobs = Vec::new();
        for table in tables.iter().filter(|table| !table.entity.is_empty()) {
            for rows in threads.divide(table.entity.len(), 3) {
                let job = Copy { into: slots.take(rows.len()), from: table.rows(rows) };
                jobs.push(move || lanes.run(job));
            }
        }
        let copied = threads::run(jobs);
        let in_order =
            copied.iter().all(|part| part.in_order) && copied.windows(2).all(|two| two[0].last < two[1].first);
        copied.iter().all(|part| part.sound).then_some(in_order)
    }

    /// Takes over the discs that can be simulated, refuses the others, and tells which those are.
    fn copy_one_by_one(&mut self, tables: &[Columns], bodies: &mut Bodies, refused: &mut Refused) -> Vec<Entity> {
        let mut unsound = Vec::new();
        bodies.clear();
        self.spans.clear();
        for table in tables {
            let first = bodies.len();
            for row in 0..table.entity.len() {
                let disc = table.disc(row);
                match check_disc(&disc) {
                    Ok(()) => bodies.push(disc),
                    Err(refusal) => {
                        refused.refuse(disc.entity, refusal);
                        unsound.push(disc.entity);
                    }
                }
            }
            self.spans.push(first..bodies.len());
        }
        unsound
    }
}

impl Tables {
    /// Puts the discs into their order of resolution.
    fn restore_order(&mut self, bodies: &mut Bodies) {
        std::mem::swap(&mut self.discs, bodies);
        let discs = &self.discs;
        let rank = |row: u32| (discs.id[row as usize], discs.entity[row as usize]);
        if self.row.len() != discs.entity.len() || !self.row.is_sorted_by_key(|&row| rank(row)) {
            self.row.clear();
            self.row.extend(0..discs.entity.len() as u32);
            self.row.sort_unstable_by_key(|&row| rank(row));
        }
        discs.reordered(&self.row, bodies);
    }

    /// The discs as the tables have them, with what the tick has made of them.
    pub(super) fn rows<'a>(&'a mut self, bodies: &'a Bodies) -> Rows<'a> {
        let Self { spans, discs, row } = self;
        if spans.last().map_or(0, |span| span.end) != bodies.len() {
            // A system between the steps has added discs to the arrays or taken some out.
            row.clear();
            spans.clear();
            spans.push(0..bodies.len());
        }
        if !row.is_empty() {
            for (disc, &row) in row.iter().enumerate() {
                discs.position[row as usize] = bodies.position[disc];
                discs.velocity[row as usize] = bodies.velocity[disc];
            }
        }
        let discs = if row.is_empty() { bodies } else { discs };
        Rows { spans, entity: &discs.entity, position: &discs.position, velocity: &discs.velocity }
    }
}

type TerrainItem<'a> =
    (Entity, Ref<'a, StableId>, Ref<'a, Terrain>, Ref<'a, Position>, Ref<'a, Rotation>, Option<Ref<'a, Restitution>>);

pub(super) fn gather_terrain(
    mut space: ResMut<Space>,
    mut refused: ResMut<Refused>,
    pieces: Query<TerrainItem>,
    mut restitutions_gone: RemovedComponents<Restitution>,
) {
    space.timed(Stage::Gather, |space| {
        let mut changed = restitutions_gone.read().any(|entity| pieces.contains(entity));
        let mut order: Vec<(StableId, Entity)> = Vec::with_capacity(space.pieces.len());
        for (entity, id, terrain, position, rotation, restitution) in &pieces {
            changed |= id.is_changed()
                || terrain.is_changed()
                || position.is_changed()
                || rotation.is_changed()
                || restitution.is_some_and(|e| e.is_changed());
            order.push((*id, entity));
        }
        order.sort_unstable();
        if !changed && order == space.pieces {
            return;
        }
        space.walls.clear();
        space.corners.clear();
        for &(_, entity) in &order {
            let Ok((_, _, terrain, position, rotation, restitution)) = pieces.get(entity) else { continue };
            let placed =
                check_terrain(&terrain, *position, *rotation).and_then(|()| check_restitution(restitution.as_deref()));
            match placed {
                Ok(restitution) => {
                    refused.accept(entity);
                    space.add_terrain(entity, &terrain, *position, *rotation, restitution);
                }
                Err(refusal) => refused.refuse(entity, refusal),
            }
        }
        space.finish_terrain();
        space.pieces = order;
    });
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
        if let Terrain::Circle { radius } = *terrain {
            self.corners.push(Corner { entity, centre: position.0, radius, restitution, walls: Vec::new() });
            return;
        }
        let (outline, closed) = terrain.outline();
        let points: Vec<Vec2> = outline.into_iter().map(|p| position.0 + rotation.turn(p)).collect();
        let joins = points.len() - usize::from(!closed);
        for i in 0..joins {
            let (a, b) = (points[i], points[(i + 1) % points.len()]);
            // A wall without length is only its corner.
            if a != b {
                self.walls.push(Wall { entity, a, b, restitution });
            }
        }
        for point in points {
            self.corners.push(Corner { entity, centre: point, radius: 0.0, restitution, walls: Vec::new() });
        }
    }

    /// Makes one corner of those that coincide, and tells every corner which walls start there or run through it.
    pub fn finish_terrain(&mut self) {
        let mut merged: Vec<Corner> = Vec::with_capacity(self.corners.len());
        for corner in self.corners.drain(..) {
            let twin = merged
                .iter_mut()
                .find(|other| other.radius == 0.0 && corner.radius == 0.0 && near(other.centre, corner.centre));
            match twin {
                Some(twin) => {
                    twin.restitution = match (twin.restitution, corner.restitution) {
                        (Some(a), Some(b)) => Some(a.min(b)),
                        (a, b) => a.or(b),
                    }
                }
                None => merged.push(corner),
            }
        }
        self.corners = merged;
        for corner in self.corners.iter_mut().filter(|corner| corner.radius == 0.0) {
            for wall in &self.walls {
                let along = wall.b - wall.a;
                let share = (corner.centre - wall.a).dot(along) / along.length_squared();
                let closest = wall.a + along * share.clamp(0.0, 1.0);
                if !near(closest, corner.centre) {
                    continue;
                }
                if !near(corner.centre, wall.b) {
                    corner.walls.push(along);
                }
                if !near(corner.centre, wall.a) {
                    corner.walls.push(-along);
                }
            }
        }
    }
}

/// Points closer than a few roundings of their coordinates are one.
fn near(a: Vec2, b: Vec2) -> bool {
    let scale = a.abs().max_element().max(b.abs().max_element());
    a.distance_squared(b) <= (1e-6 * scale) * (1e-6 * scale) + 1e-18
}
