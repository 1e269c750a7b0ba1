//! How a part of one piece lies to a part of another: where they touch, and along which normal. Every part is a capsule: a wall is one of radius zero, a circle
//! one of length zero.

use bevy::math::{DVec2, Vec2};

use super::{MovingPiece, shape::Frame};
use crate::collision::space::{FixedCircle, Wall};

/// A part in the frame of its piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Capsule {
    pub(super) ends: [DVec2; 2],
    pub(super) radius: f64,
}

impl Capsule {
    /// Of an arc the short straight walls that it is drawn with.
    pub(super) fn of_wall(wall: &Wall) -> impl Iterator<Item = Self> + use<> {
        let straight = wall.curve.is_none().then_some([wall.a, wall.b]);
        let along_curve = wall.curved().map(|curved| curved.pieces()).into_iter().flatten();
        straight.into_iter().chain(along_curve).map(|ends| Self { ends: ends.map(Vec2::as_dvec2), radius: 0.0 })
    }

    /// None for a corner at which walls end: they have their ends.
    pub(super) fn of_circle(circle: &FixedCircle) -> Option<Self> {
        let centre = circle.centre.as_dvec2();
        circle.walls.is_empty().then(|| Self { ends: [centre; 2], radius: f64::from(circle.radius) })
    }

    /// Half its length and its radius, metres.
    pub(super) fn size(&self) -> f64 {
        0.5 * self.ends[0].distance(self.ends[1]) + self.radius
    }

    /// How far it reaches from the origin, metres.
    pub(super) fn reach(&self) -> f64 {
        self.ends[0].length_squared().max(self.ends[1].length_squared()).sqrt() + self.radius
    }

    /// Where it is in a frame.
    pub(super) fn placed(&self, frame: &Frame) -> Placed {
        Placed { ends: self.ends.map(|end| frame.to_world(end)), radius: self.radius, middle: frame.origin }
    }
}

/// A part in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) ends: [DVec2; 2],
    pub(super) radius: f64,
    /// A place on the side of its piece.
    middle: DVec2,
}

impl Placed {
    /// One that stands.
    pub(super) fn standing(capsule: &Capsule) -> Self {
        let Capsule { ends, radius } = *capsule;
        Self { ends, radius, middle: (ends[0] + ends[1]) * 0.5 }
    }

    fn is_point(&self) -> bool {
        self.ends[0] == self.ends[1]
    }

    /// The different ends that it has.
    pub(super) fn corners(&self) -> &[DVec2] {
        if self.is_point() { &self.ends[..1] } else { &self.ends }
    }
}

/// Where two parts are close to each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartsContact {
    /// On the surface of the second, metres.
    pub(super) point: DVec2,
    /// The unit vector from the first to the second.
    pub(super) normal: DVec2,
    /// How far they are from each other, metres; negative where they overlap.
    pub(super) gap: f64,
}

/// A corner this close to the end of an edge, as a share of the length, meets that end and not the edge.
const END: f64 = 1e-5;

/// Where the ends of each part are closest to the other, in a fixed order: up to four places.
pub(super) fn contacts_of(a: &Placed, b: &Placed) -> impl Iterator<Item = PartsContact> + use<> {
    let crossing = cross(a, b);
    let contacts = ends_of(a, b, crossing);
    // Where two cross, they are in each other by as much as at the end that is the least deep; the others are beyond.
    let depth = contacts.clone().map(|contact| contact.gap).filter(|gap| *gap < 0.0).fold(f64::NEG_INFINITY, f64::max);
    contacts.filter(move |contact| !crossing || contact.gap >= depth)
}

fn ends_of(a: &Placed, b: &Placed, crossing: bool) -> impl Iterator<Item = PartsContact> + Clone + use<> {
    let (a, b) = (*a, *b);
    let of_a = (0..a.corners().len()).map(move |k| end_on(&a, k, &b, crossing));
    let of_b = (0..b.corners().len()).map(move |k| {
        let PartsContact { point, normal, gap } = end_on(&b, k, &a, crossing);
        PartsContact { point: point + normal * gap, normal: -normal, gap }
    });
    of_a.chain(of_b)
}

/// Whether two walls cross.
fn cross(a: &Placed, b: &Placed) -> bool {
    let side = |wall: &Placed, place: DVec2| (wall.ends[1] - wall.ends[0]).perp_dot(place - wall.ends[0]);
    side(a, b.ends[0]) * side(a, b.ends[1]) < 0.0 && side(b, a.ends[0]) * side(b, a.ends[1]) < 0.0
}

/// An end of one part, and where the other is closest to it.
fn end_on(one: &Placed, k: usize, other: &Placed, crossing: bool) -> PartsContact {
    let (end, sum) = (one.ends[k], one.radius + other.radius);
    let (along, from) = (other.ends[1] - other.ends[0], end - other.ends[0]);
    let squared = along.length_squared();
    let share = if squared > 0.0 { from.dot(along) / squared } else { 0.0 };
    let contact = |foot: DVec2, normal: DVec2, distance: f64| PartsContact {
        point: foot - normal * other.radius,
        normal,
        gap: distance - sum,
    };
    if share > END && share < 1.0 - END {
        let left = along.perp() / squared.sqrt();
        let beside = left.dot(from);
        // Where the end itself is no guide, the rest of its piece tells on which side it is.
        let seen = left.dot(one.ends[1 - k] - other.ends[0]);
        let tiny = TOGETHER * (squared.sqrt() + sum);
        let middle = left.dot(one.middle - other.ends[0]);
        let side = if !crossing && beside.abs() > tiny {
            beside
        } else if seen.abs() > tiny {
            seen
        } else if middle.abs() > tiny {
            middle
        } else {
            beside
        };
        let outward = if side >= 0.0 { left } else { -left };
        return contact(other.ends[0] + along * share, -outward, outward.dot(from));
    }
    let foot = if share > 0.5 { other.ends[1] } else { other.ends[0] };
    let line = foot - end;
    let distance = line.length_squared().sqrt();
    if distance > TOGETHER * (squared.sqrt() + sum) || one.is_point() && distance > 0.0 {
        return contact(foot, line / distance, distance);
    }
    let n = corner_normal(one, other, foot);
    n.map_or(contact(foot, DVec2::X, f64::INFINITY), |n| contact(foot, n, line.dot(n)))
}

/// The normal where two corners are in one place, and the way from the one to the other says nothing; none where other parts of the pieces say it. Edges that lie on
/// each other part across them, those in line part along them.
fn corner_normal(one: &Placed, other: &Placed, foot: DVec2) -> Option<DVec2> {
    let between = other.middle - one.middle;
    if one.is_point() || other.is_point() {
        return between.try_normalize();
    }
    let [own, along] = [one, other].map(|wall| (wall.ends[1] - wall.ends[0]).normalize_or_zero());
    if own.perp_dot(along).abs() > PARALLEL {
        return None;
    }
    let left = along.perp();
    let [own_side, side] = [one.middle, other.middle].map(|middle| left.dot(middle - foot));
    let n = if own_side * side < 0.0 { left } else { along };
    Some(if n.dot(between) >= 0.0 { n } else { -n })
}

/// Two corners closer than this share of the size are in one place.
const TOGETHER: f64 = 1e-5;

/// The sine up to which two edges are parallel.
const PARALLEL: f64 = 1e-4;

impl MovingPiece {
    /// Its parts that can meet another piece.
    pub(super) fn capsules(&self) -> impl Iterator<Item = Capsule> + use<'_> {
        let shape = &*self.shape;
        let walls = shape.walls.iter().flat_map(Capsule::of_wall);
        walls.chain(shape.circles.iter().filter_map(Capsule::of_circle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wall(a: [f64; 2], b: [f64; 2]) -> Placed {
        Placed { ends: [a.into(), b.into()], radius: 0.0, middle: (DVec2::from(a) + DVec2::from(b)) * 0.5 }
    }

    #[test]
    fn an_edge_that_has_sunk_in_by_a_rounding_is_seen_from_its_own_side() {
        let floor = wall([-5.0, 0.0], [5.0, 0.0]);
        for depth in [-1e-7, 0.0, 1e-7] {
            let edge = wall([1.0, -depth], [1.5, 2.0]);
            let nearest = contacts_of(&edge, &floor).min_by(|a, b| a.gap.total_cmp(&b.gap)).unwrap();
            assert!((nearest.gap + depth).abs() < 1e-12 && nearest.normal == DVec2::NEG_Y, "{nearest:?}");
        }
    }

    #[test]
    fn parallel_edges_touch_at_the_two_ends_of_what_they_share() {
        let (floor, edge) = (wall([-5.0, 0.0], [2.0, 0.0]), wall([1.0, 0.5], [4.0, 0.5]));
        let contacts: Vec<_> = contacts_of(&edge, &floor).filter(|contact| contact.gap < 0.6).collect();
        let places: Vec<f64> = contacts.iter().map(|contact| contact.point.x).collect();
        assert_eq!(places, [1.0, 2.0], "{contacts:?}");
        assert!(contacts.iter().all(|contact| contact.normal == DVec2::NEG_Y));
    }
}
