//! Collision filtering of terrain: which pieces do not collide with every disc, and with which walls and corners a disc
//! collides.
//!
//! A corner may belong to several pieces. It acts on a disc that meets any of them, and for that disc only the walls
//! that it meets start there: so the end of a wall is one for those that go through the next wall, and no end for those
//! that meet both.
//!
//! A one-way wall acts on the discs whose centres are in front of it where their paths begin. One that is still
//! passing, its centre in front and its rim not yet out, meets the wall as far behind as it reaches: it may go on
//! outward, and neither jumps out nor sinks back, whatever pushes it. So there is nothing to remember. The ends of such
//! walls act on discs in front that do not reach over them.

use std::borrow::Cow;

use bevy::prelude::*;

use crate::{
    collision::{
        discs::DiscFilter,
        shape::{Circle, FixedCircle, Wall, arc::CurvedWall, rounding::CONTACT_MARGIN_F64},
        terrain::{
            TerrainView,
            index::{Pieces, corner_directions, corners_among},
        },
    },
    components::{CollisionLayers, OneWay},
};
/// Which discs a piece of terrain collides with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PieceFilter {
    pub layers: CollisionLayers,
    /// Which way discs pass; a direction is one of the world.
    pub one_way: Option<OneWay>,
}

impl PieceFilter {
    /// In which direction discs pass a wall: to its left, 1, to its right, -1, or not at all, 0. The left of an arc is
    /// inside.
    fn side_of(&self, wall: &Wall) -> Option<f64> {
        let left = match wall.curved() {
            Some(curved) => -curved.middle(),
            None => (wall.b.as_dvec2() - wall.a.as_dvec2()).perp(),
        };
        Some(match self.one_way? {
            OneWay::Left => 1.0,
            OneWay::Right => -1.0,
            OneWay::Toward(direction) => match left.dot(direction.as_dvec2()) {
                to_the_left if to_the_left > 0.0 => 1.0,
                to_the_left if to_the_left < 0.0 => -1.0,
                _ => 0.0,
            },
        })
    }
}

/// The pieces that do not meet every disc; empty where all do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TerrainFilter {
    /// The pieces by their entities.
    pieces: Vec<(Entity, PieceFilter)>,
    /// For each wall its place among them; [`UNFILTERED`] for those that meet every disc.
    walls: Vec<u32>,
    /// The corners and bumpers that belong to some of them, or at which their walls start, by their indices.
    circles: Vec<FilteredCircle>,
    /// For which version of the terrain that was found; none if it is not known which.
    version: Option<u64>,
}

/// A corner or a bumper that not every disc meets, or not all of it.
#[derive(Clone, Debug, PartialEq)]
struct FilteredCircle {
    /// Its index.
    circle: u32,
    /// The pieces that it belongs to, with their restitutions.
    members: Vec<(Entity, Option<f32>)>,
    /// The directions along the walls that start at it or run through it, and which walls those are.
    directions: Vec<(Vec2, u32)>,
}

/// The index of a wall without a filter.
const UNFILTERED: u32 = u32::MAX;

/// The disc that looks at terrain.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    pub discs: &'a DiscFilter,
    pub disc: usize,
    /// The disc where its present path began.
    pub start: Circle,
}

impl Seen<'_> {
    /// Whether the disc meets an unfiltered piece of terrain.
    fn meets_plain(&self, piece: Entity) -> bool {
        self.discs.layers_of(self.disc).meets(CollisionLayers::ALL) && !self.discs.drops_terrain(self.disc, piece)
    }
}

impl TerrainFilter {
    /// Whether every piece meets every disc, as far as that is up to the piece.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Sets which discs a piece collides with, before [`TerrainFilter::replace`] finds its walls and corners.
    pub fn set(&mut self, piece: Entity, filter: PieceFilter) {
        match self.pieces.binary_search_by_key(&piece, |piece| piece.0) {
            Ok(at) => self.pieces[at].1 = filter,
            Err(at) => self.pieces.insert(at, (piece, filter)),
        }
    }

    /// The arrays that it was found for are about to be replaced by others, whose version may be the same.
    #[cfg(feature = "scene")]
    pub fn forget_version(&mut self) {
        self.version = None;
    }

    /// Finds the walls and corners of the pieces again, after all terrain was rebuilt.
    pub fn find(&mut self, known: &Pieces, terrain: &TerrainView) {
        let pieces = std::mem::take(&mut self.pieces);
        self.replace(pieces, known, terrain);
    }

    /// The same for an arc, whose front is inside or outside of its circle.
    fn one_way_arc(seen: &Seen, wall: &Wall, curved: &CurvedWall, filter: &PieceFilter) -> Option<Wall> {
        let Some(side) = filter.side_of(wall).filter(|side| *side != 0.0) else { return Some(*wall) };
        let (centre, radius) = curved.circle();
        let distance = (radius - seen.start.centre.distance(centre)) * side;
        if !(distance > 0.0) {
            // A disc on its way in collides with the far side in the same way.
            return (side > 0.0).then(|| CurvedWall::from_inside(wall));
        }
        let missing = seen.start.radius - distance;
        // One that merely touches it has come from the front.
        if missing <= CONTACT_MARGIN_F64 * seen.start.radius {
            return Some(*wall);
        }
        // One that is larger than the circle may reach over all of it.
        (radius + side * missing > 0.0).then(|| curved.widened(wall, side * missing))
    }

    /// A wall of a piece as a disc meets it, if the wall lets it pass only the other way.
    fn one_way_wall(seen: &Seen, wall: &Wall, filter: &PieceFilter) -> Option<Wall> {
        if let Some(curved) = wall.curved() {
            return Self::one_way_arc(seen, wall, &curved, filter);
        }
        let (a, along) = (wall.a.as_dvec2(), wall.b.as_dvec2() - wall.a.as_dvec2());
        let Some(side) = filter.side_of(wall).filter(|side| *side != 0.0) else { return Some(*wall) };
        let outward = along.perp() * (side / along.length());
        let distance = (seen.start.centre - a).dot(outward);
        if !(distance > 0.0) {
            return None;
        }
        let missing = seen.start.radius - distance;
        // One that merely touches it has come from the front.
        if missing <= CONTACT_MARGIN_F64 * seen.start.radius {
            return Some(*wall);
        }
        let back = (outward * missing).as_vec2();
        Some(Wall { a: wall.a - back, b: wall.b - back, ..*wall })
    }

    /// Whether a corner of a one-way piece, or a circle, acts on a disc for that piece.
    fn one_way_corner(
        &self,
        seen: &Seen,
        at: &FilteredCircle,
        circle: &FixedCircle,
        piece: Entity,
        walls: &[Wall],
    ) -> bool {
        let filter = self.filter_of(piece);
        let own = || at.directions.iter().map(|&(_, wall)| &walls[wall as usize]).filter(|wall| wall.entity == piece);
        if filter.one_way.is_none() || own().next().is_none() || own().any(|wall| filter.side_of(wall) == Some(0.0)) {
            return true;
        }
        let reach = (seen.start.radius + f64::from(circle.radius)) * (1.0 - CONTACT_MARGIN_F64);
        seen.start.centre.distance_squared(circle.centre.as_dvec2()) >= reach * reach
            && own().any(|wall| Self::one_way_wall(seen, wall, &filter).is_some_and(|wall| !wall.is_passed()))
    }

    /// Takes these pieces instead of those of before, in the order of their entities, and finds their walls and corners
    /// if they or the terrain have changed.
    pub fn replace(
        &mut self,
        pieces: Vec<(Entity, PieceFilter)>,
        known: &Pieces,
        &TerrainView { walls, fixed_circles, index }: &TerrainView,
    ) {
        if pieces == self.pieces && (pieces.is_empty() || self.version == Some(index.version())) {
            return;
        }
        *self = Self { pieces, version: Some(index.version()), ..Self::default() };
        if self.pieces.is_empty() {
            return;
        }
        let place = |entity: Entity| self.pieces.binary_search_by_key(&entity, |piece| piece.0);
        self.walls = walls.iter().map(|wall| place(wall.entity).map_or(UNFILTERED, |at| at as u32)).collect();
        let corners: Vec<(u32, Vec2)> = corners_among(0..fixed_circles.len() as u32, fixed_circles).collect();
        let mut directions = vec![Vec::new(); fixed_circles.len()];
        corner_directions(&corners, walls, index, |corner, along, wall| {
            directions[corner as usize].push((along, wall));
        });
        for (circle, directions) in directions.into_iter().enumerate() {
            let members = known.members_of(circle);
            let is_filtered = members.iter().any(|member| place(member.0).is_ok())
                || directions.iter().any(|&(_, wall)| self.walls[wall as usize] != UNFILTERED);
            if is_filtered {
                self.circles.push(FilteredCircle { circle: circle as u32, members, directions });
            }
        }
    }

    /// The layers of a piece of terrain.
    pub fn layers_of(&self, piece: Entity) -> CollisionLayers {
        self.filter_of(piece).layers
    }

    pub fn filter_of(&self, piece: Entity) -> PieceFilter {
        let place = self.pieces.binary_search_by_key(&piece, |piece| piece.0);
        place.map_or(PieceFilter::default(), |at| self.pieces[at].1)
    }

    /// Whether a disc meets a piece of terrain, by its entity.
    fn meets(&self, seen: &Seen, piece: Entity) -> bool {
        self.disc_meets(seen.discs, seen.disc, piece)
    }

    /// Whether one of some discs meets a piece of terrain, by its entity, wherever they are.
    pub fn disc_meets(&self, discs: &DiscFilter, i: usize, piece: Entity) -> bool {
        discs.meets_terrain(i, piece, self.filter_of(piece).layers)
    }

    /// A wall as a disc meets it, if it does.
    pub fn wall(&self, seen: &Seen, at: u32, wall: &Wall) -> Option<Wall> {
        let place = self.walls.get(at as usize).copied().unwrap_or(UNFILTERED);
        let Some(&(entity, filter)) = self.pieces.get(place as usize) else {
            return seen.meets_plain(wall.entity).then_some(*wall);
        };
        if !seen.discs.meets_terrain(seen.disc, entity, filter.layers) {
            return None;
        }
        Self::one_way_wall(seen, wall, &filter)
    }

    /// A corner or a bumper as a disc meets it, if it does.
    pub fn circle<'a>(
        &self,
        seen: &Seen,
        at: u32,
        circle: &'a FixedCircle,
        walls: &[Wall],
    ) -> Option<Cow<'a, FixedCircle>> {
        let Ok(found) = self.circles.binary_search_by_key(&at, |circle| circle.circle) else {
            return seen.meets_plain(circle.entity).then_some(Cow::Borrowed(circle));
        };
        let filtered = &self.circles[found];
        let FilteredCircle { members, directions, .. } = filtered;
        let acts = |piece: Entity| self.meets(seen, piece) && self.one_way_corner(seen, filtered, circle, piece, walls);
        let mut acting = members.iter().filter(|(piece, _)| acts(*piece));
        let &(entity, _) = acting.clone().next()?;
        let restitution = acting.clone().filter_map(|member| member.1).min_by(f32::total_cmp);
        let starts = |&&(_, wall): &&(Vec2, u32)| {
            self.wall(seen, wall, &walls[wall as usize]).is_some_and(|wall| !wall.is_passed())
        };
        if acting.by_ref().count() == members.len() && directions.iter().all(|direction| starts(&direction)) {
            return Some(Cow::Borrowed(circle));
        }
        let walls = directions.iter().filter(starts).map(|direction| direction.0).collect();
        Some(Cow::Owned(FixedCircle { entity, restitution, walls, ..*circle }))
    }
}
