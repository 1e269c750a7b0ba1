//! What a ray, or a disc that is cast, touches on a straight way. A ray is a disc of radius zero.

use bevy::{ecs::entity::EntityHashSet, math::DVec2, prelude::*};

use super::SpatialQueryFilter;
use crate::collision::{
    hit::HitTarget,
    shape::{
        Bounds,
        rounding::ROUNDING_F64,
        time_of_impact::{NEVER, time_of_impact},
    },
    space::PhysicsSpace,
    terrain::{TerrainView, away_from, index::Piece},
};

/// What a ray or a disc met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastHit {
    /// What it is: a disc, or a wall or a corner of a piece of terrain.
    pub target: HitTarget,
    /// How far from its start, metres.
    pub distance: f32,
    /// Where the centre of the disc is then, metres; of a ray, the same as `point`.
    pub centre: Vec2,
    /// Where they touch, metres.
    pub point: Vec2,
    /// Unit vector from what was met toward the disc, or toward where the ray came from.
    pub normal: Vec2,
}

impl CastHit {
    /// The disc or the piece of terrain.
    #[must_use]
    pub fn entity(&self) -> Entity {
        self.target.entity()
    }
}

/// What is met on a way: a disc by its index, or a piece of terrain. Discs come before walls before corners, as in the
/// tick.
#[derive(Clone, Copy)]
pub(super) enum Met<'a> {
    Disc(u32),
    /// Of terrain that stands or that moves.
    Terrain(TerrainView<'a>, Piece),
}

impl Met<'_> {
    /// Whether it is met before another: by the distance, and at the same one by this order.
    fn is_before(&self, distance: f64, (other_distance, other): &(f64, Self)) -> bool {
        let rank = |met: &Self| match *met {
            Self::Disc(disc) => (None, disc),
            Self::Terrain(_, piece) => (Some(piece), 0),
        };
        (distance, rank(self)) < (*other_distance, rank(other))
    }
}

/// A straight way of a disc: from where, in which direction (a unit vector), and how large it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) from: DVec2,
    pub(super) direction: DVec2,
    pub(super) radius: f64,
}

impl Way {
    fn of(centre: Vec2, direction: Dir2, radius: f32) -> Self {
        // A unit vector of f32 is one up to its rounding.
        Self { from: centre.as_dvec2(), direction: direction.as_dvec2().normalize(), radius: f64::from(radius) }
    }

    pub(super) fn at(&self, distance: f64) -> DVec2 {
        self.from + self.direction * distance
    }

    /// At which distances the disc begins and ends to touch a box (its low and high corner), at most; the first is
    /// infinite if it never does.
    fn within(&self, low: DVec2, high: DVec2) -> [f64; 2] {
        let rounding = 4.0 * ROUNDING_F64 * (low.abs().max(high.abs()).max_element() + self.radius);
        let reach = self.radius + rounding;
        let (mut start, mut end) = (0.0_f64, f64::INFINITY);
        for axis in 0..2 {
            let (from, speed) = (self.from[axis], self.direction[axis]);
            let (low, high) = (low[axis] - reach - from, high[axis] + reach - from);
            if speed == 0.0 {
                if !(low <= 0.0 && high >= 0.0) {
                    return [NEVER, 0.0];
                }
            } else {
                let (a, b) = (low / speed, high / speed);
                (start, end) = (start.max(a.min(b)), end.min(a.max(b)));
            }
        }
        if start <= end { [start, end] } else { [NEVER, 0.0] }
    }

    /// At which distance the disc touches a piece of terrain.
    fn distance_to(&self, terrain: &TerrainView, piece: Piece) -> f64 {
        terrain.time_of_impact(piece, [self.from, self.direction], self.radius)
    }

    fn entry(&self, Bounds { low, high }: Bounds) -> f64 {
        self.within(low.as_dvec2(), high.as_dvec2())[0]
    }
}

impl PhysicsSpace {
    /// Whether a disc is looked at.
    pub(super) fn allows_disc(&self, disc: u32, filter: &SpatialQueryFilter) -> bool {
        let entity = self.discs.entity.get(disc as usize);
        entity.is_some_and(|&entity| filter.allows(entity, self.discs.layers_of(disc as usize)))
    }

    /// Whether a piece is looked at. A corner where several pieces of terrain meet is, if one of them is.
    pub(super) fn allows_piece(&self, terrain: &TerrainView, piece: Piece, filter: &SpatialQueryFilter) -> bool {
        let allows = |entity: Entity| filter.allows(entity, self.terrain.filter.layers_of(entity));
        if allows(terrain.obstacle(piece).target.entity_of_terrain()) {
            return true;
        }
        let Piece::FixedCircle(circle) = piece else { return false };
        let corner = &terrain.fixed_circles[circle as usize];
        if corner.walls.is_empty() {
            return false;
        }
        let mut found = false;
        terrain.index.for_each_overlapping(Bounds::around(corner.centre, 0.0), |piece| {
            if let Piece::Wall(wall) = piece {
                let wall = &terrain.walls[wall as usize];
                found |= (wall.a == corner.centre || wall.b == corner.centre) && allows(wall.entity);
            }
        });
        found
    }
}

impl PhysicsSpace {
    /// What a ray meets first, within `max_distance` metres (which may be infinite); `None` if it meets nothing. What
    /// it begins in, it meets at once if it goes toward the centre of it, and not at all if it goes away, as a disc
    /// that leaves another does not hit it.
    #[must_use]
    pub fn cast_ray(
        &self,
        origin: Vec2,
        direction: Dir2,
        max_distance: f32,
        filter: &SpatialQueryFilter,
    ) -> Option<CastHit> {
        self.cast_disc(origin, 0.0, direction, max_distance, filter)
    }

    /// Everything that a ray meets within `max_distance` metres, by distance; each disc and each piece of terrain once,
    /// where it is met first.
    #[must_use]
    pub fn ray_hits(
        &self,
        origin: Vec2,
        direction: Dir2,
        max_distance: f32,
        filter: &SpatialQueryFilter,
    ) -> Vec<CastHit> {
        self.disc_hits(origin, 0.0, direction, max_distance, filter)
    }

    /// What a disc of this radius (metres, zero or more) meets first on a straight way from `centre`, within
    /// `max_distance` metres (which may be infinite); `None` if it meets nothing. Things touch as in the tick: what it
    /// overlaps at the start, it meets at once if it goes into it, and not at all if it leaves it; to graze is not to
    /// touch.
    #[must_use]
    pub fn cast_disc(
        &self,
        centre: Vec2,
        radius: f32,
        direction: Dir2,
        max_distance: f32,
        filter: &SpatialQueryFilter,
    ) -> Option<CastHit> {
        let way = Way::of(centre, direction, radius);
        let first = self.first_met_across(&way, f64::from(max_distance), filter)?;
        Some(CastHit { distance: first.distance as f32, ..self.cast_hit(&first.way, first.along, first.met) })
    }

    /// Everything that a disc of this radius meets on a straight way if it goes through all of it; by distance, each
    /// disc and each piece of terrain once, where it is met first.
    #[must_use]
    pub fn disc_hits(
        &self,
        centre: Vec2,
        radius: f32,
        direction: Dir2,
        max_distance: f32,
        filter: &SpatialQueryFilter,
    ) -> Vec<CastHit> {
        let way = Way::of(centre, direction, radius);
        let (mut seen, mut hits) = (EntityHashSet::default(), Vec::new());
        self.for_each_part(&way, f64::from(max_distance), |part, come, length| {
            let met = self.all_met(part, length, filter).into_iter();
            let found =
                met.map(|(along, met)| CastHit { distance: (come + along) as f32, ..self.cast_hit(part, along, met) });
            hits.extend(found.filter(|hit| seen.insert(hit.entity())));
            None::<()>
        });
        hits
    }

    /// All that is met on a way, in its order; some more than once.
    fn all_met(&self, way: &Way, limit: f64, filter: &SpatialQueryFilter) -> Vec<(f64, Met<'_>)> {
        let mut met: Vec<(f64, Met)> = Vec::new();
        if filter.discs() {
            let index = self.query_index();
            let [start, end] = index.bounds.map_or([NEVER, 0.0], |[low, high]| way.within(low, high));
            let end = end.min(limit);
            if start <= end {
                index.grid.for_each_along([way.at(start), way.at(end)], way.radius, |j| {
                    let distance = self.distance_to_disc(way, j);
                    if distance <= limit && self.allows_disc(self.owner(j), filter) {
                        met.push((distance, Met::Disc(j)));
                    }
                });
            }
        }
        for terrain in self.terrains().filter(|_| filter.terrain()) {
            let visit = |piece: Piece, _: &mut f64| {
                let distance = way.distance_to(&terrain, piece);
                if distance <= limit && self.allows_piece(&terrain, piece, filter) {
                    met.push((distance, Met::Terrain(terrain, piece)));
                }
            };
            terrain.index.for_each_by_key(&mut { limit }, |bounds| way.entry(bounds), visit);
        }
        met.retain(|(distance, _)| *distance != NEVER);
        met.sort_by(|a, b| match (a.1.is_before(a.0, b), b.1.is_before(b.0, a)) {
            (true, _) => core::cmp::Ordering::Less,
            (_, true) => core::cmp::Ordering::Greater,
            _ => core::cmp::Ordering::Equal,
        });
        met
    }

    /// What is met first, at which distance.
    pub(super) fn first_met(&self, way: &Way, limit: f64, filter: &SpatialQueryFilter) -> Option<(f64, Met<'_>)> {
        let mut first = if filter.discs() { self.first_disc(way, limit, filter) } else { None };
        for terrain in self.terrains().filter(|_| filter.terrain()) {
            let mut limit = first.as_ref().map_or(limit, |(distance, _)| *distance);
            let visit = |piece: Piece, limit: &mut f64| {
                let distance = way.distance_to(&terrain, piece);
                let found = Met::Terrain(terrain, piece);
                let is_first = distance <= *limit
                    && distance != NEVER
                    && first.as_ref().is_none_or(|first| found.is_before(distance, first));
                if is_first && self.allows_piece(&terrain, piece, filter) {
                    (first, *limit) = (Some((distance, found)), distance);
                }
            };
            terrain.index.for_each_by_key(&mut limit, |bounds| way.entry(bounds), visit);
        }
        first
    }

    /// Which disc is met first: the way is looked at in parts, each twice as long as the one before.
    fn first_disc(&self, way: &Way, limit: f64, filter: &SpatialQueryFilter) -> Option<(f64, Met<'_>)> {
        let index = self.query_index();
        let [low, high] = index.bounds?;
        let [mut start, end] = way.within(low, high);
        let end = end.min(limit);
        let mut length = 4.0 * index.grid.finest_side().max(way.radius);
        let mut first: Option<(f64, u32)> = None;
        while start <= end {
            let stop = (start + length).min(end);
            index.grid.for_each_along([way.at(start), way.at(stop)], way.radius, |j| {
                let distance = self.distance_to_disc(way, j);
                let is_first =
                    distance <= limit && distance != NEVER && first.is_none_or(|first| (distance, j) < first);
                if is_first && self.allows_disc(self.owner(j), filter) {
                    first = Some((distance, j));
                }
            });
            if stop >= end || first.is_some_and(|(distance, _)| distance <= stop) {
                break;
            }
            // However far away it is, there is a next part.
            length = (2.0 * length).max(stop * 1e-9);
            start = stop;
        }
        first.map(|(distance, j)| (distance, Met::Disc(j)))
    }

    fn distance_to_disc(&self, way: &Way, j: u32) -> f64 {
        let (centre, radius) = self.filed(j);
        time_of_impact(centre - way.from, -way.direction, way.radius + radius, || 1.0)
    }

    /// What there is to say about something that is met.
    pub(super) fn cast_hit(&self, way: &Way, distance: f64, met: Met<'_>) -> CastHit {
        let centre = way.at(distance);
        let (target, away, point) = match met {
            Met::Disc(j) => {
                let (at, radius) = self.filed(j);
                let away = (centre - at).try_normalize().unwrap_or(-way.direction);
                (HitTarget::Disc(self.discs.entity[self.owner(j) as usize]), away, at + away * radius)
            }
            Met::Terrain(terrain, piece) => {
                let (away, point) = away_from(piece, &terrain, centre, way.direction);
                let target = match terrain.obstacle(piece).target {
                    HitTarget::Wall(entity) => HitTarget::Wall(entity),
                    other => HitTarget::FixedCircle(other.entity_of_terrain()),
                };
                (target, away.try_normalize().unwrap_or(-way.direction), point)
            }
        };
        // A ray that runs against a wall may be on its other side by a rounding.
        let normal = if away.dot(way.direction) > 0.0 && way.radius == 0.0 { -away } else { away };
        CastHit {
            target,
            distance: distance as f32,
            centre: centre.as_vec2(),
            point: if way.radius == 0.0 { centre } else { point }.as_vec2(),
            normal: normal.as_vec2(),
        }
    }
}
