//! `Space`: the dense arrays that are the truth inside a tick, and that the step files share.

use bevy::{ecs::query::QueryData, platform::time::Instant, prelude::*};
use std::{sync::Arc, time::Duration};

use super::{lanes::Lanes, report::Hit, settings::CollisionSettings, threads::Threads};
use crate::body::{Ball, Mass, Position, Radius, Restitution, StableId, Velocity};

/// The discs as a structure of arrays. Index `i` of every array is the same disc; the order is that of [`StableId`].
#[derive(Clone, Debug, Default)]
pub struct Bodies {
    /// The entity that each disc was read from.
    pub entity: Vec<Entity>,
    /// Its [`StableId`].
    pub id: Vec<u64>,
    /// Centre, metres.
    pub position: Vec<Vec2>,
    /// Velocity, metres per second.
    pub velocity: Vec<Vec2>,
    /// Radius, metres.
    pub radius: Vec<f32>,
    /// Mass, kilograms.
    pub mass: Vec<f32>,
    /// The disc's own coefficient of restitution, if it has one.
    pub restitution: Vec<Option<f32>>,
    /// From where the way of the current substep is judged, metres: the centre before the substep moved it; after a bounce off terrain, where
    /// the disc is then.
    pub previous: Vec<Vec2>,
    /// Whether it is held from below: by terrain, or by a disc that is. Noted anew by every `Settle`; false without it.
    pub supported: Vec<bool>,
    /// How far `PushApart` may still move it within the current substep, metres.
    pub push_budget: Vec<f32>,
}

impl Bodies {
    /// How many discs there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// Forgets all discs and keeps the memory.
    pub fn clear(&mut self) {
        self.entity.clear();
        self.id.clear();
        self.position.clear();
        self.velocity.clear();
        self.radius.clear();
        self.mass.clear();
        self.restitution.clear();
        self.previous.clear();
        self.supported.clear();
        self.push_budget.clear();
    }

    /// Makes room for `count` discs, whose values are those of before or nothing in particular.
    pub(super) fn resize(&mut self, count: usize) {
        self.entity.resize(count, Entity::PLACEHOLDER);
        self.id.resize(count, 0);
        self.position.resize(count, Vec2::ZERO);
        self.velocity.resize(count, Vec2::ZERO);
        self.radius.resize(count, 0.0);
        self.mass.resize(count, 0.0);
        self.restitution.resize(count, None);
        self.previous.resize(count, Vec2::ZERO);
        self.supported.resize(count, false);
        self.push_budget.resize(count, 0.0);
    }

    /// These discs in another order: that of the indices in `order`.
    pub(super) fn reordered(&self, order: &[u32], into: &mut Self) {
        fn pick<T: Copy>(order: &[u32], from: &[T], into: &mut Vec<T>) {
            into.clear();
            into.extend(order.iter().map(|&i| from[i as usize]));
        }
        pick(order, &self.entity, &mut into.entity);
        pick(order, &self.id, &mut into.id);
        pick(order, &self.position, &mut into.position);
        pick(order, &self.velocity, &mut into.velocity);
        pick(order, &self.radius, &mut into.radius);
        pick(order, &self.mass, &mut into.mass);
        pick(order, &self.restitution, &mut into.restitution);
        into.resize(order.len());
    }

    /// Adds a disc at the end. Its entity is [`Entity::PLACEHOLDER`] unless `Gather` sets one.
    pub fn push(&mut self, disc: Disc) {
        self.entity.push(disc.entity);
        self.id.push(disc.id);
        self.position.push(disc.position);
        self.velocity.push(disc.velocity);
        self.radius.push(disc.radius);
        self.mass.push(disc.mass);
        self.restitution.push(disc.restitution);
        self.previous.push(disc.position);
        self.supported.push(false);
        self.push_budget.push(disc.radius);
    }

    /// The index of a disc, by its entity and number: a binary search, for a force on a few of many discs. `None` if it is not
    /// here: refused, disabled, or spawned since the tick began.
    ///
    /// The discs must lie in their order of resolution, as `Gather` leaves them and as collecting them puts them.
    #[must_use]
    pub fn index_of(&self, entity: Entity, id: StableId) -> Option<usize> {
        let first = self.id.partition_point(|&other| other < id.0);
        let same = self.id[first..].partition_point(|&other| other == id.0);
        self.entity[first..first + same].binary_search(&entity).ok().map(|found| first + found)
    }

    /// One disc by its index.
    ///
    /// # Panics
    /// If there is no such disc.
    #[must_use]
    pub fn get(&self, i: usize) -> Disc {
        Disc {
            entity: self.entity[i],
            id: self.id[i],
            position: self.position[i],
            velocity: self.velocity[i],
            radius: self.radius[i],
            mass: self.mass[i],
            restitution: self.restitution[i],
        }
    }
}

/// One disc, as values; for filling [`Bodies`] by hand and for reading one out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// The entity it was read from, or [`Entity::PLACEHOLDER`].
    pub entity: Entity,
    /// Its [`StableId`].
    pub id: u64,
    /// Centre, metres.
    pub position: Vec2,
    /// Velocity, metres per second.
    pub velocity: Vec2,
    /// Radius, metres.
    pub radius: f32,
    /// Mass, kilograms.
    pub mass: f32,
    /// Its own coefficient of restitution, if it has one.
    pub restitution: Option<f32>,
}

impl Default for Disc {
    fn default() -> Self {
        Self {
            entity: Entity::PLACEHOLDER,
            id: 0,
            position: Vec2::ZERO,
            velocity: Vec2::ZERO,
            radius: 0.5,
            mass: 1.0,
            restitution: None,
        }
    }
}

/// The components of a disc, as a query reads them: one by one, or whole columns of a table at once.
#[derive(QueryData)]
#[query_data(contiguous(all))]
pub struct DiscComponents {
    pub(super) entity: Entity,
    pub(super) id: &'static StableId,
    pub(super) position: &'static Position,
    pub(super) velocity: &'static Velocity,
    pub(super) radius: &'static Radius,
    pub(super) mass: &'static Mass,
    pub(super) restitution: Option<&'static Restitution>,
}

impl DiscComponentsItem<'_, '_> {
    /// Their values.
    #[must_use]
    pub fn disc(&self) -> Disc {
        Disc {
            entity: self.entity,
            id: self.id.0,
            position: self.position.0,
            velocity: self.velocity.0,
            radius: self.radius.0,
            mass: self.mass.0,
            restitution: self.restitution.map(|e| e.0),
        }
    }
}

impl Bodies {
    /// Every [`Ball`] of a world as its components are now, in the order of resolution; also those that a tick would refuse.
    #[must_use]
    pub fn of(world: &mut World) -> Self {
        world.query_filtered::<DiscComponents, With<Ball>>().iter(world).map(|components| components.disc()).collect()
    }
}

/// Collects discs in the order of resolution: by id, and of equal ids by entity.
impl FromIterator<Disc> for Bodies {
    fn from_iter<T: IntoIterator<Item = Disc>>(discs: T) -> Self {
        let mut discs: Vec<Disc> = discs.into_iter().collect();
        discs.sort_unstable_by_key(|disc| (disc.id, disc.entity));
        let mut bodies = Self::default();
        for disc in discs {
            bodies.push(disc);
        }
        bodies
    }
}

/// A straight wall between two points, in world coordinates (metres).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// The piece of terrain that it belongs to.
    pub entity: Entity,
    /// One end.
    pub a: Vec2,
    /// The other end.
    pub b: Vec2,
    /// Its own coefficient of restitution, if it has one.
    pub restitution: Option<f32>,
}

impl Wall {
    /// The lower left and the upper right corner of the box around it, metres.
    pub(super) fn bounds(&self) -> (Vec2, Vec2) {
        (self.a.min(self.b), self.a.max(self.b))
    }
}

/// A fixed circle in world coordinates (metres): a bumper, or, with radius zero, a corner.
#[derive(Clone, Debug, PartialEq)]
pub struct Corner {
    /// The piece of terrain that it belongs to; where several meet, the first of them.
    pub entity: Entity,
    /// Its centre.
    pub centre: Vec2,
    /// Its radius.
    pub radius: f32,
    /// Its own coefficient of restitution, if it has one.
    pub restitution: Option<f32>,
    /// Directions from the corner along every wall that starts here or runs through it. A disc touches the corner, and
    /// not one of those walls, only where its centre lies behind the start of all of them.
    pub walls: Vec<Vec2>,
}

impl Corner {
    /// The lower left and the upper right corner of the box around it, metres.
    pub(super) fn bounds(&self) -> (Vec2, Vec2) {
        (self.centre - self.radius, self.centre + self.radius)
    }

    /// Whether a disc whose centre lies `away` from the corner's touches it, `sum` being that of both radii; and not one of
    /// the walls that start here.
    pub(super) fn is_touched(&self, away: Vec2, sum: f32) -> bool {
        away.length_squared() < sum * sum && !self.walls.iter().any(|along| away.dot(*along) > 0.0)
    }
}

/// An overlap of two discs, found by `PushApart` and consumed by `Impulse`; those at rest are left to `Settle`. `a < b` are
/// indices into [`Bodies`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The first disc.
    pub a: u32,
    /// The second disc.
    pub b: u32,
    /// Unit vector from the centre of `a` to that of `b`, before they were pushed apart.
    pub normal: Vec2,
    /// The overlap in metres, before they were pushed apart.
    pub penetration: f32,
}

/// A disc's path turned here: an impact of the continuous mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// The disc, as an index into [`Bodies`].
    pub disc: u32,
    /// When, seconds from the start of the tick.
    pub time: f32,
    /// Where its centre was, metres.
    pub position: Vec2,
}

/// The part of a tick for which forces act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kick {
    /// One of the substeps of the stepped mode.
    #[default]
    Substep,
    /// The first half of a tick of the continuous mode, before the discs move.
    First,
    /// The second half, after they have moved.
    Second,
}

/// A stage of the tick, for the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Components to arrays.
    Gather,
    /// Candidate pairs.
    BroadPhase,
    /// Piles come to rest.
    Settle,
    /// Impact by impact through the tick, in the continuous mode.
    Impacts,
    /// Positions move by their velocities.
    Integrate,
    /// Overlapping discs part.
    PushApart,
    /// Restitution between discs.
    Impulse,
    /// Discs and walls.
    Walls,
    /// Discs and corners, discs and bumpers.
    Corners,
    /// Arrays to components.
    Scatter,
    /// Messages.
    Report,
}

impl Stage {
    /// All stages in their order within the tick, with the names that people read.
    pub const ALL: [(Self, &str); 11] = [
        (Self::Gather, "gather"),
        (Self::BroadPhase, "broad phase"),
        (Self::Settle, "settle"),
        (Self::Impacts, "impacts"),
        (Self::Integrate, "integrate"),
        (Self::PushApart, "push apart"),
        (Self::Impulse, "impulse"),
        (Self::Walls, "walls"),
        (Self::Corners, "corners"),
        (Self::Scatter, "scatter"),
        (Self::Report, "report"),
    ];
}

/// Up to how many discs the continuous mode looks at all of them; more get a grid and a queue. The result does not depend on
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Few(pub usize);

impl Default for Few {
    fn default() -> Self {
        Self(64)
    }
}

/// All that a tick works on. Between ticks it holds the last tick's arrays, for reading only: the components are the truth.
#[derive(Resource, Clone, Debug, Default)]
pub struct Space {
    /// The discs.
    pub bodies: Bodies,
    /// The walls, in the order of their pieces. Their ends are the centres of the corners there.
    pub walls: Vec<Wall>,
    /// The corners and bumpers, in the order of their pieces; where several corners are one, it has the place of the first.
    pub corners: Vec<Corner>,
    /// Pairs of discs (`a < b`) among which are all that overlap where `PushApart` begins to push, in no particular order, some perhaps
    /// twice.
    pub pairs: Vec<[u32; 2]>,
    /// Overlaps of the current substep.
    pub contacts: Vec<Contact>,
    /// What was answered in the current tick, in order.
    pub hits: Vec<Hit>,
    /// Where paths turned in the current tick, by time; only in the continuous mode.
    pub turns: Vec<Turn>,
    /// How many impulses were given since the scene began.
    pub collisions: u64,
    /// How often discs were stopped for the rest of a tick or substep since the scene began, because their impacts would not end: brought
    /// to rest, where impacts take energy, else waiting with the velocity that they have.
    pub rested: u64,
    /// The number of the current tick; the first is 1.
    pub tick: u64,
    /// The length of the tick in seconds.
    pub time_step: f32,
    /// Which part of the tick forces act for.
    pub kick: Kick,
    /// How much of the tick has passed at the end of the present substep, seconds; only in the stepped mode.
    pub(super) now: f32,
    /// Where the walls and corners are, as of the last [`Space::finish_terrain`].
    pub(super) terrain_index: super::terrain_index::TerrainIndex,
    /// The acceleration that acts on all discs, m/s²: the sum of what forces have told since the substep began, zero if none
    /// did. [`motion::gravity`](crate::motion::gravity) tells it and changes the velocities; a force that only changes velocities
    /// leaves piles without springs and awake, and bounces under it without their exact energy: `Settle`, `Integrate` and
    /// `Impacts` go by this.
    pub gravity: Vec2,
    /// The settings of this tick, moved into their ranges.
    pub settings: CollisionSettings,
    /// How long each [`Stage`] of the last tick took, by `Stage as usize`, summed over its substeps.
    pub stage_times: [Duration; Stage::ALL.len()],
    /// The instructions that the broad phase may use. The result does not depend on them.
    pub lanes: Lanes,
    /// Into how many jobs a stage may be divided. The result does not depend on it.
    pub threads: Threads,
    /// Which discs are few for the continuous mode. The result does not depend on it.
    pub few: Few,
    pub(super) continuous: super::continuous::Continuous,
    pub(super) grid: super::grid::Grid,
    pub(super) candidates: super::candidates::Candidates,
    /// The pairs that overlap where `PushApart` begins, and memory for sorting them.
    pub(super) overlapping: [Vec<(u32, u32)>; 2],
    pub(super) near_terrain: super::near_terrain::NearTerrain,
    /// Overlaps up to this share of the smaller radius are left as they are. Zero in the stepped mode.
    pub(super) left_overlap: f32,
    pub(super) pile: super::pile::Pile,
    pub(super) tables: super::tables::Tables,
    /// What the walls and corners were made of, so that they are made anew only where a piece came, went or changed.
    pub(super) pieces: Arc<super::terrain_index::Pieces>,
}

impl Space {
    /// For how many seconds forces act at once: the length of a substep, or half a tick in the continuous mode.
    #[must_use]
    pub fn substep(&self) -> f32 {
        match self.kick {
            Kick::Substep => self.time_step / self.settings.substeps as f32,
            Kick::First | Kick::Second => self.time_step / 2.0,
        }
    }

    /// Before forces act for this part of the tick: none has told of a gravity yet.
    pub(super) fn begin_forces(&mut self, kick: Kick) {
        self.kick = kick;
        self.gravity = Vec2::ZERO;
    }

    /// Runs one stage and adds its time to the clock.
    pub fn timed<T>(&mut self, stage: Stage, run: impl FnOnce(&mut Self) -> T) -> T {
        let start = Instant::now();
        let result = run(self);
        self.stage_times[stage as usize] += start.elapsed();
        result
    }
}
