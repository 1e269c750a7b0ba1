//! The shape of a piece in its own frame: its parts, closest points, and its inside.

use bevy::{math::DVec2, prelude::*};

use super::parts_contact::Capsule;
use crate::{
    collision::{
        shape::{Bounds, FixedCircle, Wall, arc::CurvedWall, wall::Closest},
        terrain::{
            TerrainView, crosses_any,
            index::{Piece, Pieces, PlacedTerrain, TerrainArrays, TerrainIndex},
        },
    },
    components::{Position, Rotation, Terrain},
};

/// The rotation and translation from the frame of a piece to the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    pub origin: DVec2,
    /// Cosine and sine of the angle.
    pub turn: DVec2,
}

impl Frame {
    pub fn new(origin: DVec2, angle: f64) -> Self {
        let (sin, cos) = libm::sincos(angle);
        Self { origin, turn: DVec2::new(cos, sin) }
    }

    /// Transforms a direction from the world to the frame of the piece.
    pub fn turn_back(&self, vector: DVec2) -> DVec2 {
        let DVec2 { x: cos, y: sin } = self.turn;
        DVec2::new(vector.x * cos + vector.y * sin, vector.y * cos - vector.x * sin)
    }

    /// Transforms a direction from the frame of the piece to the world.
    pub fn turn(&self, vector: DVec2) -> DVec2 {
        let DVec2 { x: cos, y: sin } = self.turn;
        DVec2::new(vector.x * cos - vector.y * sin, vector.x * sin + vector.y * cos)
    }

    /// Transforms a place from the world to the frame of the piece.
    pub fn to_local(self, place: DVec2) -> DVec2 {
        self.turn_back(place - self.origin)
    }

    /// Transforms a place from the frame of the piece to the world.
    pub fn to_world(self, place: DVec2) -> DVec2 {
        self.origin + self.turn(place)
    }
}

/// A piece in its own frame.
#[derive(Clone, Debug, Default)]
pub struct PieceShape {
    pub walls: Vec<Wall>,
    /// Its corners, or its circle.
    pub circles: Vec<FixedCircle>,
    index: TerrainIndex,
    /// Whether it is solid: discs inside are pushed out.
    pub solid: bool,
    /// The box around it.
    bounds: Bounds,
    /// Its parts that can touch another piece.
    pub capsules: Vec<Capsule>,
}

/// The radius of a straight rod as a share of half its length, dimensionless. A line without thickness that sinks into
/// a wall by a rounding error would be on the other side of it.
const ROD_THICKNESS: f64 = 3e-4;

impl PieceShape {
    pub fn of(terrain: &Terrain, entity: Entity) -> Self {
        let placed = PlacedTerrain::of(terrain, Position::default(), Rotation::default(), None);
        let mut walls: Vec<Wall> = placed.walls(entity).collect();
        let PlacedTerrain { points, radius, restitution, .. } = placed;
        let circle = |centre| FixedCircle { entity, centre, radius, restitution, walls: Vec::new() };
        let mut circles: Vec<FixedCircle> = points.into_iter().map(circle).collect();
        let mut index = TerrainIndex::default();
        let mut pieces = Pieces::from_loose(&walls, &circles);
        pieces.weld(&mut TerrainArrays { walls: &mut walls, fixed_circles: &mut circles, index: &mut index });
        let boxes = walls.iter().map(Wall::bounds).chain(circles.iter().map(FixedCircle::bounds));
        let bounds = boxes.fold(Bounds::NOTHING, Bounds::union);
        let solid = matches!(terrain, Terrain::Block { .. } | Terrain::Polygon { .. });
        let of_walls = walls.iter().flat_map(|wall| Capsule::of_wall_with_corners(wall, circles.iter()));
        let sides = walls.iter().map(|wall| (wall.b - wall.a).perp_dot(-wall.a) > 0.0);
        let is_solid = solid && (sides.clone().all(|left| left) || sides.clone().all(|left| !left));
        // Chains of walls need no thickness: their corners determine the sides.
        let is_rod = walls.len() == 1 && !solid && walls[0].curve.is_none();
        let thickness = |part: &Capsule| if is_rod { ROD_THICKNESS * part.size() } else { 0.0 };
        let of_walls = of_walls.map(|part| Capsule { is_solid, radius: thickness(&part), ..part });
        let capsules = of_walls.chain(circles.iter().filter_map(Capsule::of_circle)).collect();
        Self { walls, circles, index, solid, bounds, capsules }
    }

    /// The arc of a part; `None` if it is straight or a circle.
    pub fn curved(&self, part: Piece) -> Option<CurvedWall> {
        match part {
            Piece::Wall(wall) => self.walls.get(wall as usize).and_then(Wall::curved),
            Piece::FixedCircle(_) => None,
        }
    }

    /// Whether it is an arc.
    pub fn is_arc(&self) -> bool {
        self.walls.first().is_some_and(|wall| wall.curve.is_some())
    }

    /// The corners of its bounding box.
    pub fn corners(&self) -> [DVec2; 4] {
        let (low, high) = (self.bounds.low.as_dvec2(), self.bounds.high.as_dvec2());
        [low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)]
    }

    /// Whether a place is inside a solid piece.
    pub fn is_inside(&self, place: DVec2) -> bool {
        let (low, high) = (self.bounds.low.as_dvec2(), self.bounds.high.as_dvec2());
        let in_bounds = place.cmpge(low).all() && place.cmple(high).all();
        if !(self.solid && in_bounds) {
            return false;
        }
        let mut inside = false;
        for wall in &self.walls {
            let (a, b) = (wall.a.as_dvec2(), wall.b.as_dvec2());
            if (a.y > place.y) != (b.y > place.y) {
                let beside = (b - a).perp_dot(place - a);
                inside ^= (beside > 0.0) == (b.y > a.y);
            }
        }
        inside
    }

    /// Calls `visit` with all parts whose boxes are within `reach` of a place, and some more.
    pub fn for_each_near(&self, place: DVec2, reach: f64, visit: impl FnMut(Piece)) {
        let reach = reach * 1.001 + 1e-6 * (place.x.abs() + place.y.abs());
        self.index.for_each_overlapping(Bounds::around(place.as_vec2(), reach as f32), visit);
    }

    /// Its parts as if they were static terrain.
    fn view(&self) -> TerrainView<'_> {
        TerrainView { walls: &self.walls, fixed_circles: &self.circles, index: &self.index }
    }

    /// The closest point of one of its parts.
    pub fn closest_of(&self, part: Piece, place: DVec2) -> Closest {
        self.view().closest(part, place)
    }

    /// The closest point of all parts within `reach`, with the part; of several the first.
    pub fn closest(&self, place: DVec2, reach: f64) -> Option<(Piece, Closest)> {
        let mut first: Option<(Piece, Closest)> = None;
        self.for_each_near(place, reach, |part| {
            let closest = self.closest_of(part, place);
            let is_closer = |first: &(Piece, Closest)| (closest.distance, part) < (first.1.distance, first.0);
            if closest.distance < reach && first.as_ref().is_none_or(is_closer) {
                first = Some((part, closest));
            }
        });
        first
    }

    /// Whether a straight path crosses one of its walls.
    pub fn is_crossed(&self, from: DVec2, to: DVec2) -> bool {
        crosses_any(&self.view(), from.as_vec2(), to.as_vec2())
    }

    /// The places where a disc with its centre inside could come out, nearest first.
    pub fn exits(&self, place: DVec2, radius: f64) -> Vec<DVec2> {
        let mut exits: Vec<(f64, DVec2)> = Vec::new();
        for wall in 0..self.walls.len() as u32 {
            let Closest { point, away, distance } = self.closest_of(Piece::Wall(wall), place);
            let Some(away) = (-away).try_normalize() else { continue };
            let exit = point + away * radius;
            if !self.is_inside(exit) && self.closest(exit, radius * (1.0 - 1e-4)).is_none() {
                exits.push((distance, exit));
            }
        }
        exits.sort_by(|a, b| a.0.total_cmp(&b.0));
        exits.into_iter().map(|(_, exit)| exit).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_inside_of_a_block_comes_out_by_the_nearest_way() {
        let block = PieceShape::of(&Terrain::Block { half_size: Vec2::new(2.0, 1.0) }, Entity::PLACEHOLDER);
        let place = DVec2::new(1.9, 0.0);
        assert!(block.is_inside(place) && !block.is_inside(DVec2::new(2.1, 0.0)));
        assert_eq!(block.exits(place, 0.5)[0], DVec2::new(2.5, 0.0));
        let arena = PieceShape::of(&Terrain::Arena { half_size: Vec2::ONE }, Entity::PLACEHOLDER);
        assert!(!arena.is_inside(DVec2::ZERO), "an outline");
    }

    #[test]
    fn a_frame_turns_forth_and_back() {
        let frame = Frame::new(DVec2::new(1.0, 2.0), 0.7);
        let place = DVec2::new(-3.0, 0.5);
        assert!(frame.to_world(frame.to_local(place)).distance(place) < 1e-15);
    }
}
