//! Geometry that both modes and the piles share: where a disc touches a wall, which paths cross one, what is closest.

use bevy::{math::DVec2, prelude::*};

use crate::collision::{
    bridge::report::Collider,
    broad_phase::terrain_index::{Piece, TerrainIndex},
    space::{FixedCircle, Wall},
};

/// How a disc overlaps a wall.
pub(in crate::collision) struct Touch {
    /// Perpendicular to the wall, toward the side of the disc; as long as the wall, or of length 1 if that is curved.
    pub(in crate::collision) away: Vec2,
    /// How deep the disc is in the wall, metres.
    pub(in crate::collision) penetration: f32,
    /// The closest point of the wall.
    pub(in crate::collision) point: Vec2,
}

#[inline]
pub(in crate::collision) fn touch(wall: &Wall, previous: Vec2, centre: Vec2, radius: f32) -> Option<Touch> {
    if let Some(curved) = wall.curved() {
        return curved.touch(curved.is_crossed(wall, previous, centre), centre, radius);
    }
    let along = wall.b - wall.a;
    let squared = along.length_squared();
    let share = (centre - wall.a).dot(along) / squared;
    if !(0.0..=1.0).contains(&share) {
        return None;
    }
    // The side from which the disc came, if something has pushed its centre through; a disc that came around an end is on
    // the side where it is.
    let witness = if crosses(wall, previous, centre) { previous } else { centre };
    let side = if cross(along, witness - wall.a) >= 0.0 { 1.0 } else { -1.0 };
    let distance = side * cross(along, centre - wall.a) / squared.sqrt();
    let penetration = radius - distance;
    if penetration <= 0.0 {
        return None;
    }
    Some(Touch { away: along.perp() * side, penetration, point: wall.a + along * share })
}

/// Whether a path crosses the wall between its ends.
///
/// Signs, not distances: two walls that share an end agree about it, so that nothing slips through between them.
#[inline]
pub(in crate::collision) fn crosses(wall: &Wall, from: Vec2, to: Vec2) -> bool {
    match wall.curved() {
        Some(curved) => curved.is_crossed(wall, from, to),
        None => crosses_straight(wall, from, to),
    }
}

/// Whether a path crosses any wall that stands.
pub(in crate::collision) fn crosses_any(fixed: &TerrainView, from: Vec2, to: Vec2) -> bool {
    let (low, high) = (from.min(to), from.max(to));
    let mut found = false;
    fixed.index.for_each_overlapping([low.x, low.y, high.x, high.y], |piece| {
        if let Piece::Wall(wall) = piece {
            found |= crosses(&fixed.walls[wall as usize], from, to);
        }
    });
    found
}

/// The same for the straight line between its ends.
#[inline]
pub(in crate::collision) fn crosses_straight(wall: &Wall, from: Vec2, to: Vec2) -> bool {
    let path = to - from;
    is_left_of(wall, from) != is_left_of(wall, to)
        && (cross(path, wall.a - from) > 0.0) != (cross(path, wall.b - from) > 0.0)
}

/// Whether a place lies to the left of the straight line from one end of a wall to the other.
#[inline]
pub(in crate::collision) fn is_left_of(wall: &Wall, place: Vec2) -> bool {
    cross(wall.b - wall.a, place - wall.a) > 0.0
}

/// When (as a share of the path `from`..`to`) a disc touches a wall that its centre crosses on that path.
#[inline]
pub(in crate::collision) fn crossing(wall: &Wall, from: Vec2, to: Vec2, radius: f32) -> Option<f32> {
    if !crosses(wall, from, to) {
        return None;
    }
    if let Some(curved) = wall.curved() {
        let [from, path] = [from.as_dvec2(), (to - from).as_dvec2()];
        let share = curved.time_of_impact(from, path, f64::from(radius)) as f32;
        return Some(if share <= 1.0 { share } else { 0.0 });
    }
    let along = wall.b - wall.a;
    let length = along.length();
    let (before, after) = (cross(along, from - wall.a), cross(along, to - wall.a));
    let distance = before.abs() / length;
    let total = (before - after).abs() / length;
    Some(((distance - radius) / total).max(0.0))
}

/// The z component of the cross product: twice the area of the triangle that two vectors span, positive if `b` lies
/// counter-clockwise of `a`.
pub(in crate::collision) fn cross(a: Vec2, b: Vec2) -> f32 {
    a.perp_dot(b)
}

/// All terrain, as one looks at it.
#[derive(Clone, Copy)]
pub(in crate::collision) struct TerrainView<'a> {
    pub(in crate::collision) walls: &'a [Wall],
    pub(in crate::collision) fixed_circles: &'a [FixedCircle],
    pub(in crate::collision) index: &'a TerrainIndex,
}

impl TerrainView<'_> {
    /// What a disc collides with at a piece, and the restitution that the piece carries, if it does.
    pub(in crate::collision) fn collider(&self, piece: Piece) -> (Collider<u32>, Option<f32>) {
        match piece {
            Piece::Wall(wall) => {
                let wall = &self.walls[wall as usize];
                (Collider::Wall(wall.entity), wall.restitution)
            }
            Piece::FixedCircle(circle) => {
                let circle = &self.fixed_circles[circle as usize];
                (Collider::FixedCircle(circle.entity), circle.restitution)
            }
        }
    }

    /// How far a point is from a piece, metres.
    #[inline]
    pub(in crate::collision) fn distance(&self, piece: Piece, from: DVec2) -> f64 {
        match piece {
            Piece::Wall(wall) => {
                let wall = &self.walls[wall as usize];
                if let Some(curved) = wall.curved() {
                    return curved.distance(from);
                }
                let Wall { a, b, .. } = *wall;
                let (a, along) = (a.as_dvec2(), b.as_dvec2() - a.as_dvec2());
                let share = ((from - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
                (from - a - along * share).length_squared().sqrt()
            }
            Piece::FixedCircle(circle) => {
                let FixedCircle { centre, radius, .. } = &self.fixed_circles[circle as usize];
                ((from - centre.as_dvec2()).length_squared().sqrt() - f64::from(*radius)).max(0.0)
            }
        }
    }

    /// Whether a point is farther than so many metres from a piece: its distance, without roots and quotients.
    #[inline]
    pub(in crate::collision) fn is_beyond(&self, piece: Piece, from: DVec2, least: f64) -> bool {
        match piece {
            Piece::Wall(wall) => {
                let wall = &self.walls[wall as usize];
                if let Some(curved) = wall.curved() {
                    return curved.distance(from) > least;
                }
                let Wall { a, b, .. } = *wall;
                let (from, along) = (from - a.as_dvec2(), b.as_dvec2() - a.as_dvec2());
                let (part, squared) = (from.dot(along), along.length_squared());
                if part > 0.0 && part < squared {
                    let beside = along.perp_dot(from);
                    beside * beside > least * least * squared
                } else {
                    let end = if part > 0.0 { from - along } else { from };
                    end.length_squared() > least * least
                }
            }
            Piece::FixedCircle(circle) => {
                let FixedCircle { centre, radius, .. } = &self.fixed_circles[circle as usize];
                let least = least + f64::from(*radius);
                (from - centre.as_dvec2()).length_squared() > least * least
            }
        }
    }

    /// The lower left and the upper right corner of the box around a piece, metres.
    pub(in crate::collision) fn bounds(&self, piece: Piece) -> (Vec2, Vec2) {
        match piece {
            Piece::Wall(wall) => self.walls[wall as usize].bounds(),
            Piece::FixedCircle(circle) => self.fixed_circles[circle as usize].bounds(),
        }
    }
}

/// The direction away from a piece of terrain at a point, not of length 1, and the point of the piece that is closest to it.
pub(in crate::collision) fn away_from(
    piece: Piece,
    fixed: &TerrainView,
    centre: DVec2,
    velocity: DVec2,
) -> (DVec2, DVec2) {
    match piece {
        Piece::Wall(wall) => {
            let wall = &fixed.walls[wall as usize];
            if let Some(curved) = wall.curved() {
                return curved.away_from(centre, velocity);
            }
            let (a, b) = (wall.a.as_dvec2(), wall.b.as_dvec2());
            let (along, from) = (b - a, centre - a);
            let side = if along.perp_dot(from) >= 0.0 { 1.0 } else { -1.0 };
            let share = (from.dot(along) / along.length_squared()).clamp(0.0, 1.0);
            (along.perp() * side, a + along * share)
        }
        Piece::FixedCircle(circle) => {
            let circle = &fixed.fixed_circles[circle as usize];
            let at = circle.centre.as_dvec2();
            let away = if centre == at { -velocity } else { centre - at };
            (away, at + away.normalize_or_zero() * f64::from(circle.radius))
        }
    }
}

/// The point of a wall that is closest to another. In f64: a rounding of a long wall is more than that of a place near it.
pub(in crate::collision) fn closest_point(wall: &Wall, point: Vec2) -> Vec2 {
    if let Some(curved) = wall.curved() {
        return curved.closest(point.as_dvec2()).as_vec2();
    }
    let (a, b) = (wall.a.as_dvec2(), wall.b.as_dvec2());
    let along = b - a;
    let share = (point.as_dvec2() - a).dot(along) / along.length_squared();
    if share >= 1.0 {
        wall.b
    } else if share > 0.0 {
        // Within the box of the wall, whatever was rounded.
        (a + along * share).as_vec2().clamp(wall.a.min(wall.b), wall.a.max(wall.b))
    } else {
        wall.a
    }
}
