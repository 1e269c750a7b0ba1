//! The nearest disc or terrain to a point, and the discs that overlap a disc or a box.

use bevy::{math::DVec2, prelude::*};

use super::SpatialQueryFilter;
use crate::collision::{
    shape::{Bounds, rounding::GAP_ROUNDING, wall::closest_point},
    space::PhysicsSpace,
    terrain::{TerrainView, away_from, index::Piece},
};

/// The nearest point of a disc or a piece of terrain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestPoint {
    /// The disc or piece.
    pub entity: Entity,
    /// The nearest point, metres: on the rim of a disc or bumper, on a wall, or a corner.
    pub point: Vec2,
    /// The distance to it, metres; negative inside a disc or bumper.
    pub distance: f32,
}

impl PhysicsSpace {
    /// The disc whose rim is nearest to a point, or that contains the point most deeply. `None` if there is none within
    /// `max_distance` metres. Ties go to the lowest [`StableId`](crate::components::StableId).
    #[must_use]
    pub fn nearest_disc(&self, point: Vec2, max_distance: f32, filter: &SpatialQueryFilter) -> Option<NearestPoint> {
        let index = self.query_index();
        let [low, high] = index.bounds.filter(|_| filter.discs() && point.is_finite())?;
        let (at, most) = (self.wrapped_exactly(point.as_dvec2()), f64::from(max_distance));
        // Beyond the farthest disc there is nothing to find.
        let all = (at - low).abs().max((at - high).abs()).length();
        let outside = (at - at.clamp(low, high)).length();
        let mut reach = outside + index.grid.finest_side();
        let mut nearest: Option<(f64, u32)> = None;
        let mut found = Vec::new();
        loop {
            found.clear();
            self.list_discs_near(at, reach.min(most), &mut found);
            for &j in &found {
                let (centre, radius) = self.filed(j);
                let distance = (at - centre).length() - radius;
                let is_nearest = distance <= most && nearest.is_none_or(|nearest| (distance, j) < nearest);
                if is_nearest && self.allows_disc(self.owner(j), filter) {
                    nearest = Some((distance, j));
                }
            }
            if nearest.is_some_and(|(distance, _)| distance <= reach) || reach >= most.min(all) {
                break;
            }
            reach *= 2.0;
        }
        let (distance, j) = nearest?;
        let (centre, radius) = self.filed(j);
        let outward = (at - centre).try_normalize().unwrap_or(DVec2::X);
        Some(NearestPoint {
            entity: self.discs.entity[self.owner(j) as usize],
            point: (centre + outward * radius).as_vec2(),
            distance: distance as f32,
        })
    }

    /// The nearest point of terrain; `None` if there is none within `max_distance` metres. Walls are lines: from the
    /// middle of a block, the nearest terrain is its nearest side.
    #[must_use]
    pub fn nearest_terrain(&self, point: Vec2, max_distance: f32, filter: &SpatialQueryFilter) -> Option<NearestPoint> {
        if !filter.terrain() || !point.is_finite() {
            return None;
        }
        let at = self.wrapped_exactly(point.as_dvec2());
        let mut nearest: Option<(f64, TerrainView, Piece)> = None;
        let to_box = |Bounds { low, high }: Bounds| {
            let [low, high] = [low, high].map(Vec2::as_dvec2);
            let away = (at - at.clamp(low, high)).length();
            // Inside a bumper the distance is smaller.
            if away > 0.0 { away * (1.0 - GAP_ROUNDING) } else { f64::NEG_INFINITY }
        };
        for terrain in self.terrains() {
            let mut limit = nearest.map_or(f64::from(max_distance), |(distance, ..)| distance);
            let visit = |piece: Piece, limit: &mut f64| {
                let distance = terrain.closest(piece, at).distance;
                let is_nearest =
                    distance <= *limit && nearest.is_none_or(|first| (distance, piece) < (first.0, first.2));
                if is_nearest && self.allows_piece(&terrain, piece, filter) {
                    (nearest, *limit) = (Some((distance, terrain, piece)), distance);
                }
            };
            terrain.index.for_each_by_key(&mut limit, to_box, visit);
        }
        let (distance, terrain, piece) = nearest?;
        let on = match piece {
            Piece::Wall(wall) => closest_point(&terrain.walls[wall as usize], at.as_vec2()),
            Piece::FixedCircle(_) => away_from(piece, &terrain, at, DVec2::NEG_X).1.as_vec2(),
        };
        let entity = terrain.obstacle(piece).target.entity_of_terrain();
        Some(NearestPoint { entity, point: on, distance: distance as f32 })
    }

    /// All discs that overlap or touch a disc at `centre` with this radius (metres; zero for a point), ordered by
    /// [`StableId`](crate::components::StableId).
    #[must_use]
    pub fn discs_overlapping(&self, centre: Vec2, radius: f32, filter: &SpatialQueryFilter) -> Vec<Entity> {
        let at = self.wrapped_exactly(centre.as_dvec2());
        let mut found = Vec::new();
        if filter.discs() && centre.is_finite() && !self.discs.is_empty() {
            self.list_discs_near(at, f64::from(radius), &mut found);
        }
        found.retain(|&j| {
            let (centre, own) = self.filed(j);
            let sum = f64::from(radius) + own;
            (centre - at).length_squared() <= sum * sum
        });
        self.allowed(found, filter)
    }

    /// All discs that overlap or touch a box (metres), ordered by [`StableId`](crate::components::StableId).
    #[must_use]
    pub fn discs_in_box(&self, bounds: Rect, filter: &SpatialQueryFilter) -> Vec<Entity> {
        let middle = bounds.center().as_dvec2();
        let shift = self.wrapped_exactly(middle) - middle;
        let (low, high) = (bounds.min.as_dvec2() + shift, bounds.max.as_dvec2() + shift);
        let mut found = Vec::new();
        if filter.discs() && low.cmple(high).all() {
            self.query_index().grid.for_each_in_box([low, high], |j| {
                let (at, radius) = self.filed(j);
                if (at - at.clamp(low, high)).length_squared() <= radius * radius {
                    found.push(j);
                }
            });
        }
        self.allowed(found, filter)
    }

    fn allowed(&self, mut found: Vec<u32>, filter: &SpatialQueryFilter) -> Vec<Entity> {
        for j in &mut found {
            *j = self.owner(*j);
        }
        found.sort_unstable();
        found.dedup();
        let allowed = found.into_iter().filter(|&j| self.allows_disc(j, filter));
        allowed.map(|j| self.discs.entity[j as usize]).collect()
    }
}
