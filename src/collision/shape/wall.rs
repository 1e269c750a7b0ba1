//! Walls and fixed circles in world coordinates: contacts with discs, crossings of paths, closest points.

use bevy::{math::DVec2, prelude::*};

use crate::collision::shape::{Bounds, arc::Curve};

/// A wall between two points, in world coordinates (metres): straight, or along an arc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// The piece of terrain that it belongs to.
    pub entity: Entity,
    /// One end.
    pub a: Vec2,
    /// The other end.
    pub b: Vec2,
    /// The circle that it follows from `a` to `b`; `None` if it is straight.
    pub curve: Option<Curve>,
    /// The restitution of the wall itself, if it has one.
    pub restitution: Option<f32>,
}

impl Wall {
    /// The ends of its straight pieces, metres: the wall itself, or short pieces along a curve.
    #[must_use]
    pub fn pieces(&self) -> Vec<[Vec2; 2]> {
        match self.curved() {
            Some(curved) => curved.pieces(),
            None => vec![[self.a, self.b]],
        }
    }

    /// The lower left and upper right corner of its bounding box, metres.
    pub(crate) fn bounds(&self) -> Bounds {
        match self.curved() {
            Some(curved) => curved.bounds(self),
            None => Bounds::of_points([self.a, self.b]),
        }
    }

    /// The closest point on it to a place, in f64: the rounding error of a long wall exceeds that of a place near it.
    #[inline]
    pub(crate) fn closest(&self, place: DVec2) -> Closest {
        if let Some(curved) = self.curved() {
            let point = curved.closest(place);
            let distance = (place - point).length_squared().sqrt();
            let away = if distance > 0.0 { place - point } else { curved.away_from(place, DVec2::ZERO).0 };
            return Closest { point, away, distance };
        }
        let (a, b) = (self.a.as_dvec2(), self.b.as_dvec2());
        let (along, from) = (b - a, place - a);
        let (share, squared) = (from.dot(along), along.length_squared());
        if share > 0.0 && share < squared {
            let beside = along.perp_dot(from);
            let away = along.perp() * if beside >= 0.0 { 1.0 } else { -1.0 };
            return Closest { point: a + along * (share / squared), away, distance: beside.abs() / squared.sqrt() };
        }
        let point = if share > 0.0 { b } else { a };
        Closest { point, away: place - point, distance: (place - point).length_squared().sqrt() }
    }

    /// The distance from the rim of a disc, metres; `None` beyond its ends.
    pub(crate) fn gap(&self, centre: DVec2, radius: f64) -> Option<f64> {
        if let Some(curved) = self.curved() {
            return curved.gap(centre, radius);
        }
        let (a, b) = (self.a.as_dvec2(), self.b.as_dvec2());
        let share = (centre - a).dot(b - a) / (b - a).length_squared();
        (0.0..=1.0).contains(&share).then(|| self.closest(centre).distance - radius)
    }
}

/// The closest point of a wall or fixed circle to a place.
#[derive(Clone, Copy, Debug)]
pub struct Closest {
    pub point: DVec2,
    /// From there to the place, of any length.
    pub away: DVec2,
    /// The distance of the place, metres; negative inside a circle.
    pub distance: f64,
}

/// A fixed circle in world coordinates (metres): a bumper, or, with radius zero, a corner.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedCircle {
    /// The piece of terrain that it belongs to; if several share it, the first of them.
    pub entity: Entity,
    /// Its centre.
    pub centre: Vec2,
    /// Its radius.
    pub radius: f32,
    /// The restitution of the circle itself, if it has one.
    pub restitution: Option<f32>,
    /// Directions from the corner along every wall that starts here or runs through it. A disc touches the corner
    /// itself, and not one of those walls, only if its centre is behind the start of all of them. Of the walls that run
    /// through it without ending there, the first 32 count.
    pub walls: Vec<Vec2>,
}

impl FixedCircle {
    /// The lower left and upper right corner of its bounding box, metres.
    pub(crate) fn bounds(&self) -> Bounds {
        Bounds::around(self.centre, self.radius)
    }

    /// The closest point on it to a place.
    #[inline]
    pub(crate) fn closest(&self, place: DVec2) -> Closest {
        let (centre, radius) = (self.centre.as_dvec2(), f64::from(self.radius));
        let from_centre = (place - centre).length_squared().sqrt();
        let away = if from_centre > 0.0 { (place - centre) / from_centre } else { DVec2::X };
        Closest { point: centre + away * radius, away, distance: from_centre - radius }
    }

    /// Whether a disc touches the corner, and not one of the walls that start here. The centre of the disc is at `away`
    /// from the corner, and `sum` is that of both radii.
    pub(crate) fn is_touched(&self, away: Vec2, sum: f32) -> bool {
        away.length_squared() < sum * sum && !self.walls.iter().any(|along| away.dot(*along) > 0.0)
    }
}

/// The overlap of a disc with a wall.
pub struct Touch {
    /// Perpendicular to the wall, toward the side of the disc; as long as the wall, or of length 1 if the wall is
    /// curved.
    pub away: Vec2,
    /// The depth of the disc in the wall, metres.
    pub penetration: f32,
    /// The closest point of the wall.
    pub point: Vec2,
}

#[inline]
pub fn touch(wall: &Wall, previous: Vec2, centre: Vec2, radius: f32) -> Option<Touch> {
    if let Some(curved) = wall.curved() {
        return curved.touch(curved.is_crossed(wall, previous, centre), centre, radius);
    }
    let along = wall.b - wall.a;
    let squared = along.length_squared();
    let share = (centre - wall.a).dot(along) / squared;
    if !(0.0..=1.0).contains(&share) {
        return None;
    }
    // The side that the disc came from, if something has pushed its centre through. A disc that came around an end
    // belongs on the side where it is.
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
/// It compares signs, not distances: two walls that share an end agree, so that nothing slips through between them.
#[inline]
pub fn crosses(wall: &Wall, from: Vec2, to: Vec2) -> bool {
    match wall.curved() {
        Some(curved) => curved.is_crossed(wall, from, to),
        None => crosses_straight(wall, from, to),
    }
}

/// The same for the chord.
#[inline]
pub fn crosses_straight(wall: &Wall, from: Vec2, to: Vec2) -> bool {
    let path = to - from;
    is_left_of(wall, from) != is_left_of(wall, to)
        && (cross(path, wall.a - from) > 0.0) != (cross(path, wall.b - from) > 0.0)
}

/// Whether a place is to the left of the chord.
#[inline]
pub fn is_left_of(wall: &Wall, place: Vec2) -> bool {
    cross(wall.b - wall.a, place - wall.a) > 0.0
}

/// When a disc touches a wall that its centre crosses on a path, as a share of the path `from`..`to`.
#[inline]
pub fn crossing(wall: &Wall, from: Vec2, to: Vec2, radius: f32) -> Option<f32> {
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

/// The z component of the cross product: twice the area of the triangle that two vectors span, positive if `b` is
/// counter-clockwise of `a`.
pub fn cross(a: Vec2, b: Vec2) -> f32 {
    a.perp_dot(b)
}

/// The point of a wall closest to another point.
pub fn closest_point(wall: &Wall, point: Vec2) -> Vec2 {
    let closest = wall.closest(point.as_dvec2()).point.as_vec2();
    // Within the bounding box of a straight wall, despite rounding.
    if wall.curve.is_some() { closest } else { closest.clamp(wall.a.min(wall.b), wall.a.max(wall.b)) }
}
