//! Gather: components → arrays. Reads the components of discs and terrain, writes only [`Space`] and [`Refused`].
//!
//! A disc or a piece of terrain with a value that cannot be simulated is left out until the value is mended, with one
//! warning that names the entity and the field; everything else goes on, whole columns at a time.

use bevy::{
    ecs::{
        entity::{EntityHashMap, EntityHashSet},
        system::SystemParam,
    },
    prelude::*,
};
use tracing::warn;

use super::{
    settings::{CollisionSettings, LIMIT},
    space::{Corner, Disc, DiscComponents, Kick, Space, Stage, Wall},
    tables::{Columns, IsDisc},
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
        self.clearing = self.find_clearing();
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

impl Space {
    /// A box in which there is no terrain, as large as a simple rule finds one: from the box around all of it, whatever reaches
    /// into it is cut off on the side where the least is lost.
    fn find_clearing(&self) -> [f32; 4] {
        let pieces = self.walls.iter().map(Wall::bounds).chain(self.corners.iter().map(Corner::bounds));
        let pieces: Vec<(Vec2, Vec2)> = pieces.collect();
        let Some((mut low, mut high)) = pieces.iter().copied().reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else {
            return [f32::NEG_INFINITY, f32::NEG_INFINITY, f32::INFINITY, f32::INFINITY];
        };
        for &(from, to) in &pieces {
            if !(from.cmplt(high).all() && low.cmplt(to).all()) {
                continue;
            }
            let size = high - low;
            let area = |width: f32, height: f32| width.max(0.0) * height.max(0.0);
            let left = [
                area(high.x - to.x, size.y),
                area(from.x - low.x, size.y),
                area(size.x, high.y - to.y),
                area(size.x, from.y - low.y),
            ];
            let most = (0..4).fold(0, |best, side| if left[side] > left[best] { side } else { best });
            match most {
                0 => low.x = to.x,
                1 => high.x = from.x,
                2 => low.y = to.y,
                _ => high.y = from.y,
            }
        }
        [low.x, low.y, high.x, high.y]
    }
}

/// Points closer than a few roundings of their coordinates are one.
fn near(a: Vec2, b: Vec2) -> bool {
    let scale = a.abs().max_element().max(b.abs().max_element());
    a.distance_squared(b) <= (1e-6 * scale) * (1e-6 * scale) + 1e-18
}
