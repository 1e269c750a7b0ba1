//! The contacts of a part of one piece with a part of another: points, normals and gaps. Every part is a capsule: a
//! wall has radius zero, a circle has length zero.
//!
//! Contacts are found for one pair of walls at a time. So each end of a wall has the walls that continue from it, as
//! with the ghost vertices of `Box2D`, and does not touch where a neighbour does.

use bevy::math::{DVec2, Vec2};

use super::{MovingPiece, shape::Frame};
use crate::collision::shape::{FixedCircle, Wall};

/// A part in the frame of its piece.
#[derive(Clone, Copy, Debug)]
pub struct Capsule {
    pub ends: [DVec2; 2],
    pub radius: f64,
    pub beyond: Beyond,
    /// Whether it is the wall of a solid piece, and the origin of the piece is inside all its walls.
    pub is_solid: bool,
}

/// For each end of a wall, the directions along other walls that start there; zero if there are fewer than two.
pub type Beyond = [[DVec2; 2]; 2];

impl Capsule {
    /// A circle.
    pub fn circle(centre: DVec2, radius: f64) -> Self {
        Self { ends: [centre; 2], radius, beyond: Beyond::default(), is_solid: false }
    }

    /// The parts of a wall, which ends at some of `corners`.
    pub fn of_wall_with_corners<'a>(wall: &Wall, corners: impl Iterator<Item = &'a FixedCircle>) -> Vec<Self> {
        let mut beyond = Beyond::default();
        for corner in corners {
            for (k, (end, other)) in [(wall.a, wall.b), (wall.b, wall.a)].into_iter().enumerate() {
                if corner.centre == end {
                    let own = (other - end).normalize_or_zero();
                    let directions = corner.walls.iter().map(|along| along.normalize_or_zero());
                    let others = directions.filter(|direction| direction.dot(own) < SAME_DIRECTION);
                    for (place, direction) in beyond[k].iter_mut().zip(others) {
                        *place = direction.as_dvec2();
                    }
                }
            }
        }
        Self::of_wall(wall).map(|part| Self { beyond, ..part }).collect()
    }

    /// The parts of a wall; for an arc, the short straight walls of its drawing.
    fn of_wall(wall: &Wall) -> impl Iterator<Item = Self> + use<> {
        let straight = wall.curve.is_none().then_some([wall.a, wall.b]);
        let along_curve = wall.curved().map(|curved| curved.pieces()).into_iter().flatten();
        straight.into_iter().chain(along_curve).map(|ends| Self {
            ends: ends.map(Vec2::as_dvec2),
            radius: 0.0,
            beyond: Beyond::default(),
            is_solid: false,
        })
    }

    /// The part of a circle. `None` for a corner at which walls end, because they include their ends.
    pub fn of_circle(circle: &FixedCircle) -> Option<Self> {
        let centre = circle.centre.as_dvec2();
        circle.walls.is_empty().then(|| Self::circle(centre, f64::from(circle.radius)))
    }

    /// Half its length plus its radius, metres.
    pub fn size(&self) -> f64 {
        0.5 * self.ends[0].distance(self.ends[1]) + self.radius
    }

    /// Its largest distance from the origin, metres.
    pub fn reach(&self) -> f64 {
        self.arm() + self.radius
    }

    /// The largest distance of its ends from the origin, metres.
    pub fn arm(&self) -> f64 {
        self.ends[0].length_squared().max(self.ends[1].length_squared()).sqrt()
    }

    /// The part in the world, given the frame of its piece.
    pub fn placed(&self, frame: &Frame) -> PlacedPart {
        let beyond = self.beyond.map(|directions| directions.map(|direction| frame.turn(direction)));
        let Self { radius, is_solid, .. } = *self;
        let (ends, middle) = (self.ends.map(|end| frame.to_world(end)), frame.origin);
        PlacedPart { ends, radius, beyond, is_solid, middle, is_static: false }
    }
}

/// A part in the world.
#[derive(Clone, Copy, Debug)]
pub struct PlacedPart {
    pub ends: [DVec2; 2],
    pub radius: f64,
    beyond: Beyond,
    is_solid: bool,
    /// A place on the side of its piece.
    middle: DVec2,
    /// Whether it is static terrain.
    is_static: bool,
}

impl PlacedPart {
    /// A part of static terrain.
    pub fn of_static(capsule: &Capsule) -> Self {
        let Capsule { ends, radius, beyond, .. } = *capsule;
        Self { ends, radius, beyond, is_solid: false, middle: (ends[0] + ends[1]) * 0.5, is_static: true }
    }

    /// The unit vector along it from one of its ends.
    fn direction_from(&self, end: usize) -> DVec2 {
        (self.ends[1 - end] - self.ends[end]).normalize_or_zero()
    }

    /// Whether the middle of its piece is to one side of it. It is not for a single straight wall, or for static
    /// terrain.
    fn has_side(&self) -> bool {
        let beside = self.direction_from(0).perp_dot(self.middle - self.ends[0]);
        beside.abs() > SAME_CORNER * self.length()
    }

    /// Whether no other wall starts at an end.
    fn is_tip(&self, end: usize) -> bool {
        self.beyond[end] == [DVec2::ZERO; 2]
    }

    fn length(&self) -> f64 {
        self.ends[0].distance(self.ends[1])
    }

    /// Whether the boxes around both are farther apart than a distance, metres.
    pub fn is_farther_than(&self, other: &Self, distance: f64) -> bool {
        let [own, others] = [self, other].map(|part| [part.ends[0].min(part.ends[1]), part.ends[0].max(part.ends[1])]);
        let apart = (others[0] - own[1]).max(own[0] - others[1]);
        apart.max_element() > distance + self.radius + other.radius
    }

    /// The middle of the part, not of its piece.
    pub fn centre(&self) -> DVec2 {
        (self.ends[0] + self.ends[1]) * 0.5
    }

    fn is_point(&self) -> bool {
        self.ends[0] == self.ends[1]
    }

    /// The number of other walls that start at an end and are below a place at `line` from the end.
    fn others_below(&self, end: usize, line: DVec2) -> usize {
        self.beyond[end].iter().filter(|direction| line.dot(**direction) > 0.0).count()
    }

    /// The same for all walls that start there. A place over no wall touches the end, and over one wall it touches that
    /// wall. Over several it has sunk in or is inside.
    fn walls_below(&self, end: usize, line: DVec2) -> usize {
        usize::from(line.dot(self.direction_from(end)) > 0.0) + self.others_below(end, line)
    }

    /// Whether a direction from an end points into the corner that it forms with another wall that starts there.
    fn is_corner_around(&self, end: usize, direction: DVec2) -> bool {
        let own = self.direction_from(end);
        self.beyond[end].iter().any(|other| {
            let turn = own.perp_dot(*other);
            turn * own.perp_dot(direction) > 0.0 && turn * direction.perp_dot(*other) > 0.0
        })
    }

    /// Its distinct ends.
    pub fn corners(&self) -> &[DVec2] {
        if self.is_point() { &self.ends[..1] } else { &self.ends }
    }
}

/// A place where two parts are close to each other.
#[derive(Clone, Copy, Debug)]
pub struct PartsContact {
    /// On the surface of the second, metres.
    pub point: DVec2,
    /// The unit vector from the first to the second.
    pub normal: DVec2,
    /// The distance between them, metres; negative if they overlap.
    pub gap: f64,
    /// Whether they can touch there. Two corners cannot if another wall of either piece is closer to the other's
    /// corner.
    pub can_touch: bool,
}

impl PartsContact {
    /// The contact from the perspective of the other part.
    fn reversed(self) -> Self {
        Self { point: self.point + self.normal * self.gap, normal: -self.normal, ..self }
    }
}

/// A corner closer than this share of the length of an edge (dimensionless) to its end touches the end, not the edge.
/// This holds only if either is over another wall that starts at the other. It is of the order of the rounding of
/// corners in `f32`.
const END_ZONE: f64 = 1e-5;

/// Two corners closer than this share of their size, dimensionless, are at one place, so that the line between them is
/// no normal. It is of the order of the rounding of corners in `f32`.
const SAME_CORNER: f64 = 1e-5;

/// Two directions with a greater cosine, dimensionless, are equal: less than 1.4e-3 rad apart.
const SAME_DIRECTION: f32 = 1.0 - 1e-6;

/// The sine, dimensionless, up to which two edges are parallel.
const PARALLEL: f64 = 1e-4;

/// The places where the ends of each part are closest to the other, in a fixed order: up to four.
pub fn contacts_of(a: &PlacedPart, b: &PlacedPart) -> impl Iterator<Item = PartsContact> + use<> {
    let crossing = cross(a, b);
    let end_of_a = |k| (k < a.corners().len()).then(|| end_on(a, k, b, crossing));
    let end_of_b = |k| (k < b.corners().len()).then(|| end_on(b, k, a, crossing).reversed());
    let contacts = [end_of_a(0), end_of_a(1), end_of_b(0), end_of_b(1)];
    // Walls that cross overlap by the depth of their least deep end; deeper ends are no contacts.
    let gaps = contacts.iter().flatten().map(|contact| contact.gap);
    let depth = gaps.filter(|gap| *gap < 0.0).fold(f64::NEG_INFINITY, f64::max);
    contacts.into_iter().flatten().filter(move |contact| !crossing || contact.gap >= depth)
}

/// Whether two walls cross.
fn cross(a: &PlacedPart, b: &PlacedPart) -> bool {
    let side = |wall: &PlacedPart, place: DVec2| (wall.ends[1] - wall.ends[0]).perp_dot(place - wall.ends[0]);
    side(a, b.ends[0]) * side(a, b.ends[1]) < 0.0 && side(b, a.ends[0]) * side(b, a.ends[1]) < 0.0
}

/// The contact of an end of one part with the closest place of another.
fn end_on(one: &PlacedPart, k: usize, other: &PlacedPart, crossing: bool) -> PartsContact {
    let (end, sum) = (one.ends[k], one.radius + other.radius);
    let (along, from) = (other.ends[1] - other.ends[0], end - other.ends[0]);
    let squared = along.length_squared();
    let share = if squared > 0.0 { from.dot(along) / squared } else { 0.0 };
    let contact = |foot: DVec2, normal: DVec2, distance: f64| PartsContact {
        point: foot - normal * other.radius,
        normal,
        gap: distance - sum,
        can_touch: true,
    };
    let length = squared.sqrt();
    let left = if length > 0.0 { along.perp() / length } else { DVec2::ZERO };
    let beside = left.dot(from);
    // The distance from the nearer end of the wall, metres; negative beyond it.
    let inside = share.min(1.0 - share) * length;
    let corner = usize::from(share > 0.5);
    let is_above = || {
        let line = other.ends[corner] - end;
        other.others_below(corner, -line) == 0 && one.walls_below(k, line) == 0
    };
    // A part in a corner touches both of its walls, however close to their common end.
    let is_in_corner = || !one.is_static && other.is_corner_around(corner, one.middle - other.ends[corner]);
    if inside > END_ZONE * length || inside > 0.0 && is_above() || inside > -END_ZONE * length && is_in_corner() {
        let tiny = SAME_CORNER * (length + sum);
        let side_of = |place: DVec2| left.dot(place - other.ends[0]);
        let reach = one.length().min(length);
        let seen = side_of(end + one.direction_from(k) * reach);
        // If the two are parallel, the rest may be beyond the end of the other, on its other side.
        let has_side = seen.abs() > tiny.max(PARALLEL * reach);
        let side = if !crossing && beside.abs() > tiny {
            beside
        } else if !crossing && other.is_solid && !one.has_side() {
            // Outside the solid piece.
            -side_of(other.middle)
        } else if has_side {
            // On the side of the rest of the wall or piece.
            seen
        } else if side_of(one.middle).abs() > tiny {
            side_of(one.middle)
        } else {
            beside
        };
        let outward = if side >= 0.0 { left } else { -left };
        return contact(other.ends[0] + along * share, -outward, outward.dot(from));
    }
    let foot = other.ends[corner];
    let line = foot - end;
    let distance = line.length_squared().sqrt();
    let below = [other.walls_below(corner, -line), one.walls_below(k, line)];
    let has_sunk_in = below.iter().any(|&below| below > 1) && distance < END_ZONE * (length + one.length());
    let can_touch = below == [0; 2];
    let is_apart = distance > SAME_CORNER * (length + sum);
    if is_apart && !has_sunk_in || one.is_point() && distance > 0.0 {
        return PartsContact { can_touch, ..contact(foot, line / distance, distance) };
    }
    let n = corner_normal([one, other], [k, corner], foot);
    n.map_or(contact(foot, DVec2::X, f64::INFINITY), |n| contact(foot, n, line.dot(n)))
}

/// The normal of two corners at one place, which have no direction between them; `None` if other parts of the pieces
/// determine it. Edges that lie on each other separate across them, collinear ones along them.
fn corner_normal([one, other]: [&PlacedPart; 2], [own_end, end]: [usize; 2], foot: DVec2) -> Option<DVec2> {
    let between = other.middle - one.middle;
    if one.is_point() || other.is_point() {
        return between.try_normalize();
    }
    let [own, along] = [one.direction_from(own_end), other.direction_from(end)];
    if own.perp_dot(along).abs() > PARALLEL {
        return None;
    }
    let left = along.perp();
    let [own_side, side] = [one.middle, other.middle].map(|middle| left.dot(middle - foot));
    // A static wall has no side. There the test is whether they lie along each other.
    let least = 2.0 * SAME_CORNER * (one.length() + other.length());
    let have_sides = side.abs() > least && own_side.abs() > least;
    let are_across = if have_sides { own_side * side < 0.0 } else { own.dot(along) > 0.0 };
    let is_tip = one.is_tip(own_end) && other.is_tip(end);
    let n = if are_across {
        left
    } else if have_sides || is_tip {
        along
    } else {
        return None;
    };
    Some(if n.dot(between) >= 0.0 { n } else { -n })
}

impl MovingPiece {
    /// Its parts that can touch another piece.
    pub fn capsules(&self) -> impl Iterator<Item = Capsule> + use<'_> {
        self.shape.capsules.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wall(a: [f64; 2], b: [f64; 2]) -> PlacedPart {
        PlacedPart {
            ends: [a.into(), b.into()],
            radius: 0.0,
            beyond: Beyond::default(),
            is_solid: false,
            middle: (DVec2::from(a) + DVec2::from(b)) * 0.5,
            is_static: false,
        }
    }

    #[test]
    fn a_corner_that_comes_into_a_corner_meets_both_walls() {
        // The right and the lower wall of an arena.
        let corner = DVec2::new(4.0, -3.0);
        let mut walls = [wall([4.0, -3.0], [4.0, 3.0]), wall([4.0, -3.0], [-4.0, -3.0])];
        for (wall, other) in walls.iter_mut().zip([DVec2::NEG_X, DVec2::Y]) {
            (wall.beyond[0][0], wall.is_static) = (other, true);
        }
        let out = [DVec2::X, DVec2::NEG_Y];
        for away in [0.0, 1e-9, 1e-6, 3e-5, 1e-3] {
            // One of the edges of a polygon whose middle is in the arena.
            let tip = corner + DVec2::new(-away, 0.5 * away);
            let edge = PlacedPart { middle: DVec2::new(3.6, -2.5), ..wall([3.2, -2.9], tip.to_array()) };
            for (wall, normal) in walls.iter().zip(out) {
                let met = contacts_of(&edge, wall).any(|contact| contact.can_touch && contact.normal == normal);
                assert!(met, "{away} m away, {normal}");
            }
        }
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
