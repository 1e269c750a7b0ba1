//! Collision filtering of terrain: the pieces that do not collide with every disc, and the walls and corners that a
//! disc collides with.
//!
//! A corner may belong to several pieces. It acts on a disc that collides with any of them, and for that disc only the
//! walls that it collides with start there. So the end of a wall is a corner for a disc that passes through the next
//! wall, and no corner for a disc that collides with both.
//!
//! A one-way wall acts on discs whose centres are in front of it at the start of their paths. A disc that is still
//! passing has its centre in front but its rim not yet out. It collides with the wall shifted back by its reach: it may
//! continue outward, and neither jumps out nor sinks back, whatever pushes it. So no state has to be remembered. The
//! ends of such walls act on discs in front that do not reach over them.

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
/// The discs that a piece of terrain collides with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PieceFilter {
    pub layers: CollisionLayers,
    /// The direction in which discs pass; a direction vector is in the frame of the world.
    pub one_way: Option<OneWay>,
}

impl PieceFilter {
    /// The side to which discs pass a wall: 1 for its left, -1 for its right, 0 for neither. The left of an arc is
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

/// The pieces that do not collide with every disc; empty if all do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TerrainFilter {
    /// The pieces by their entities.
    pieces: Vec<(Entity, PieceFilter)>,
    /// For each wall its place among them; [`UNFILTERED`] for walls that collide with every disc.
    walls: Vec<u32>,
    /// The corners and bumpers that belong to some of them, or where their walls start, by index.
    circles: Vec<FilteredCircle>,
    /// The version of the terrain that this was found for; `None` if unknown.
    version: Option<u64>,
}

/// A corner or bumper that does not collide with every disc, or not as a whole.
#[derive(Clone, Debug, PartialEq)]
struct FilteredCircle {
    /// Its index.
    circle: u32,
    /// The pieces that it belongs to, with their restitutions.
    members: Vec<(Entity, Option<f32>)>,
    /// The directions along the walls that start at it or run through it, and those walls.
    directions: Vec<(Vec2, u32)>,
}

/// The index of a wall without a filter.
const UNFILTERED: u32 = u32::MAX;

/// The disc that the filter is applied for.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    pub discs: &'a DiscFilter,
    pub disc: usize,
    /// The disc at the start of its current path.
    pub start: Circle,
}

impl Seen<'_> {
    /// Whether the disc collides with an unfiltered piece of terrain.
    fn meets_plain(&self, piece: Entity) -> bool {
        self.discs.layers_of(self.disc).can_collide(CollisionLayers::ALL) && !self.discs.drops_terrain(self.disc, piece)
    }
}

impl TerrainFilter {
    /// Whether no piece filters any disc.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Sets the filter of a piece, before [`TerrainFilter::replace`] finds its walls and corners.
    pub fn set(&mut self, piece: Entity, filter: PieceFilter) {
        match self.pieces.binary_search_by_key(&piece, |piece| piece.0) {
            Ok(at) => self.pieces[at].1 = filter,
            Err(at) => self.pieces.insert(at, (piece, filter)),
        }
    }

    /// Call this before the arrays that it was found for are replaced by others, whose version may be the same.
    pub fn forget_version(&mut self) {
        self.version = None;
    }

    /// Finds the walls and corners of the pieces again, after all terrain was rebuilt.
    pub fn find(&mut self, known: &Pieces, terrain: &TerrainView) {
        let pieces = std::mem::take(&mut self.pieces);
        self.replace(pieces, known, terrain);
    }

    /// The same for an arc, whose front is inside or outside its circle.
    fn one_way_arc(seen: &Seen, wall: &Wall, curved: &CurvedWall, filter: &PieceFilter) -> Option<Wall> {
        let Some(side) = filter.side_of(wall).filter(|side| *side != 0.0) else { return Some(*wall) };
        let (centre, radius) = curved.circle();
        let distance = (radius - seen.start.centre.distance(centre)) * side;
        if !(distance > 0.0) {
            // A disc that enters collides with the far side in the same way.
            return (side > 0.0).then(|| CurvedWall::from_inside(wall));
        }
        let missing = seen.start.radius - distance;
        // A disc that merely touches it has come from the front.
        if missing <= CONTACT_MARGIN_F64 * seen.start.radius {
            return Some(*wall);
        }
        // A disc larger than the circle may reach over all of it.
        (radius + side * missing > 0.0).then(|| curved.widened(wall, side * missing))
    }

    /// The wall as a disc collides with it, if the wall lets the disc pass only in the other direction.
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
        // A disc that merely touches it has come from the front.
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

    /// Replaces the pieces, in the order of their entities, and finds their walls and corners if they or the terrain
    /// have changed.
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

    /// Whether a disc collides with a piece of terrain, by its entity.
    fn meets(&self, seen: &Seen, piece: Entity) -> bool {
        self.disc_meets(seen.discs, seen.disc, piece)
    }

    /// Whether a disc of the arrays can collide with a piece of terrain, by its entity, at any place.
    pub fn disc_meets(&self, discs: &DiscFilter, i: usize, piece: Entity) -> bool {
        discs.meets_terrain(i, piece, self.filter_of(piece).layers)
    }

    /// A wall as a disc collides with it, if it does.
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

    /// A corner or bumper as a disc collides with it, if it does.
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
