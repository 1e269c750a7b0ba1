//! Casts: what a ray or a moving disc touches on a straight path. A ray is a disc of radius zero.

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

/// A hit of a ray or a cast disc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastHit {
    /// A disc, or a wall or corner of a piece of terrain.
    pub target: HitTarget,
    /// The distance from the start, metres.
    pub distance: f32,
    /// The centre of the cast disc at the hit, metres; for a ray the same as `point`.
    pub centre: Vec2,
    /// The point of contact, metres.
    pub point: Vec2,
    /// Unit vector from the target toward the cast disc or the origin of the ray.
    pub normal: Vec2,
}

impl CastHit {
    /// The disc or the piece of terrain.
    #[must_use]
    pub fn entity(&self) -> Entity {
        self.target.entity()
    }
}

/// A possible target: a disc by its index, or a piece of terrain. At equal distances discs come before walls and walls
/// before corners, as in the tick.
#[derive(Clone, Copy)]
pub(super) enum Met<'a> {
    Disc(u32),
    /// A piece of static or moving terrain.
    Terrain(TerrainView<'a>, Piece),
}

impl Met<'_> {
    /// Whether it is hit before another: by distance, at equal distances by the order above.
    fn is_before(&self, distance: f64, (other_distance, other): &(f64, Self)) -> bool {
        let rank = |met: &Self| match *met {
            Self::Disc(disc) => (None, disc),
            Self::Terrain(_, piece) => (Some(piece), 0),
        };
        (distance, rank(self)) < (*other_distance, rank(other))
    }
}

/// A straight path of a disc: its start, its direction (a unit vector), and the radius.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) from: DVec2,
    pub(super) direction: DVec2,
    pub(super) radius: f64,
}

impl Way {
    fn of(centre: Vec2, direction: Dir2, radius: f32) -> Self {
        // An `f32` unit vector has length 1 only up to rounding.
        Self { from: centre.as_dvec2(), direction: direction.as_dvec2().normalize(), radius: f64::from(radius) }
    }

    pub(super) fn at(&self, distance: f64) -> DVec2 {
        self.from + self.direction * distance
    }

    /// Bounds for the distances at which the disc starts and stops touching a box (its low and high corner). The first
    /// is infinite if it never does.
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

    /// The distance at which the disc touches a piece of terrain.
    fn distance_to(&self, terrain: &TerrainView, piece: Piece) -> f64 {
        terrain.time_of_impact(piece, [self.from, self.direction], self.radius)
    }

    fn entry(&self, Bounds { low, high }: Bounds) -> f64 {
        self.within(low.as_dvec2(), high.as_dvec2())[0]
    }
}

impl PhysicsSpace {
    /// Whether the filter admits a disc.
    pub(super) fn allows_disc(&self, disc: u32, filter: &SpatialQueryFilter) -> bool {
        let entity = self.discs.entity.get(disc as usize);
        entity.is_some_and(|&entity| filter.allows(entity, self.discs.layers_of(disc as usize)))
    }

    /// Whether the filter admits a piece. A corner shared by several pieces is admitted if one of them is.
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
    /// The first hit of a ray within `max_distance` metres (which may be infinite); `None` if there is none. A ray that
    /// starts inside a disc or circle hits it at once if it points toward the centre, and not at all if it points away.
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

    /// All hits of a ray within `max_distance` metres, by distance. Each disc and each piece of terrain is listed once,
    /// at its first hit.
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

    /// The first hit of a disc with this radius (metres, zero or more) on a straight path from `centre`. Returns `None`
    /// if there is none within `max_distance` metres (which may be infinite). Contacts follow the rules of the tick.
    /// Anything that it overlaps at the start is hit at once if the two approach, and not at all if they separate.
    /// Grazing is not a hit.
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

    /// All hits of a disc with this radius on a straight path, as if it passed through everything; by distance. Each
    /// disc and each piece of terrain is listed once, at its first hit.
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

    /// All hits on a path in order; some targets appear more than once.
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

    /// The first hit, with its distance.
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

    /// The first disc that is hit. The path is searched in parts, each twice as long as the one before.
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
            // However far away the start is, the next part is longer than a rounding error.
            length = (2.0 * length).max(stop * 1e-9);
            start = stop;
        }
        first.map(|(distance, j)| (distance, Met::Disc(j)))
    }

    fn distance_to_disc(&self, way: &Way, j: u32) -> f64 {
        let (centre, radius) = self.filed(j);
        time_of_impact(centre - way.from, -way.direction, way.radius + radius, || 1.0)
    }

    /// The full description of a hit.
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
        // At a wall, rounding may put the end of a ray on the other side.
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
