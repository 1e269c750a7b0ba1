//! Curved walls: arcs of circles, thin, with two sides. Whatever asks where a disc lies to a wall, or when it meets it,
//! comes here if the wall is curved.
//!
//! A disc outside of the circle touches it where its centre is both radii away from the middle, a quadratic with one
//! root that counts, as for two discs; one inside where it is their difference away, the other root of such a
//! quadratic. The ends are corners, like those of straight walls.
//!
//! **Along the inside.** What runs along the inside of an arc hits it the more often, the flatter it does: without
//! restitution, without an end. So there a disc is hit at no flatter an angle than [`GRAZING_ANGLE`], and leaves at no
//! flatter one, and at no less than the speed that makes about thirty hits in a tick; what is that slow has its
//! velocity turned, and keeps its length. Groups of discs that are held together leave it at that speed, too. All other
//! hits are exact.

use bevy::math::{DVec2, Vec2};

use crate::{
    collision::shape::{
        Bounds, Wall,
        rounding::{GAP_ROUNDING, SEAM},
        time_of_impact::{NEVER, time_of_impact},
        wall::{Touch, crosses_straight, is_left_of},
    },
    components::{Terrain, is_whole},
};

/// The circle that a curved [`Wall`] follows counter-clockwise from `a` to `b`, in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// Its centre, metres.
    pub centre: Vec2,
    /// Its radius, metres.
    pub radius: f32,
    /// The angle over which the wall follows it, radians; 2π or more is all around.
    pub extent: f32,
    /// Whether it acts from inside only: a disc that passes a one-way wall on the way in hits it on the way out.
    pub(crate) inside_only: bool,
}

/// The smallest angle at which a disc hits the inside of an arc, radians. A flatter path goes into the wall until it
/// meets it at this angle, by `1 - cos`, half a millionth of the radius.
const GRAZING_ANGLE: f64 = 1e-3;

/// Twice the number of hits in a tick of a disc that slides along the inside of an arc, about. Chosen by hand: it
/// bounds the work of a tick.
const HOPS_IN_TICK: f64 = 64.0;

/// A disc that approaches the inside of an arc at less than this many times the angle of a hop slides along it. It must
/// exceed 1, so that a hop is followed by a hop; the rest was chosen by hand.
pub const SLIDES: f64 = 2.5;

/// A curved wall in f64, the ends as seen from the centre of its circle.
#[derive(Clone, Copy, Debug)]
pub struct CurvedWall {
    centre: DVec2,
    radius: f64,
    a: DVec2,
    b: DVec2,
    extent: f32,
    inside_only: bool,
}

impl Wall {
    /// Whether a disc is on its way in through it, and meets it from inside alone.
    pub(crate) fn is_passed(&self) -> bool {
        self.curve.is_some_and(|curve| curve.inside_only)
    }

    /// The arc that it is, if it is curved.
    #[inline(always)]
    pub(crate) fn curved(&self) -> Option<CurvedWall> {
        self.curve.as_ref().map(|curve| CurvedWall::of(self, curve))
    }
}

impl CurvedWall {
    /// Out of the way of straight walls.
    #[inline(never)]
    fn of(wall: &Wall, &Curve { centre, radius, extent, inside_only }: &Curve) -> Self {
        let centre = centre.as_dvec2();
        let (a, b) = (wall.a.as_dvec2() - centre, wall.b.as_dvec2() - centre);
        Self { centre, radius: f64::from(radius), a, b, extent, inside_only }
    }

    /// Whether the ray from the centre through a place, as seen from there, meets the wall, or would if it were longer
    /// by so many metres.
    fn spans(&self, place: DVec2, beyond: f64) -> bool {
        if is_whole(self.extent) {
            return true;
        }
        let least = -beyond * self.radius;
        let (after, before) = (self.a.perp_dot(place) >= least, place.perp_dot(self.b) >= least);
        if self.extent <= std::f32::consts::PI { after && before } else { after || before }
    }

    /// The closest point of it.
    pub fn closest(&self, place: DVec2) -> DVec2 {
        let from = place - self.centre;
        self.centre
            + if self.spans(from, 0.0) {
                from.try_normalize().unwrap_or(self.a / self.radius) * self.radius
            } else if from.distance_squared(self.b) < from.distance_squared(self.a) {
                self.b
            } else {
                self.a
            }
    }

    /// How far a place is from it, metres.
    pub fn distance(&self, place: DVec2) -> f64 {
        (place - self.closest(place)).length_squared().sqrt()
    }

    /// How far from the centre of the circle that of a disc may be which is inside. One that is larger than the circle
    /// has no room there, and it is its centre alone that stays inside.
    fn room(&self, radius: f64) -> f64 {
        if radius < self.radius { self.radius - radius } else { 0.5 * self.radius }
    }

    /// What counts as the radius of a disc at a place: that of one which has room there.
    pub fn radius_at(&self, place: DVec2, radius: f64) -> f64 {
        let inside = place.distance_squared(self.centre) < self.radius * self.radius;
        if inside { self.radius - self.room(radius) } else { radius }
    }

    /// The direction from it to a disc that touches it and has this velocity, of any length, and where they touch.
    pub fn away_from(&self, centre: DVec2, velocity: DVec2) -> (DVec2, DVec2) {
        let from = centre - self.centre;
        let Some(outward) = from.try_normalize() else { return (-velocity, self.closest(centre)) };
        let gap = from.length_squared() - self.radius * self.radius;
        // A point on the rim is on the side to which it goes.
        let on_rim = gap.abs() <= GAP_ROUNDING * self.radius * self.radius;
        let outside = if on_rim { outward.dot(velocity) < 0.0 } else { gap >= 0.0 };
        (if outside { from } else { -from }, self.centre + outward * self.radius)
    }

    /// The distance from the rim of a disc to it, metres; none beyond its ends.
    pub fn gap(&self, centre: DVec2, radius: f64) -> Option<f64> {
        let from = centre - self.centre;
        let distance = from.length_squared().sqrt();
        let outside = distance >= self.radius;
        let gap = if outside { distance - self.radius - radius } else { self.room(radius) - distance };
        (self.spans(from, 0.0) && !(outside && self.inside_only)).then_some(gap)
    }

    /// In how many seconds a disc at `centre` with this velocity and radius touches it between its ends: now if it
    /// overlaps it and approaches.
    pub fn time_of_impact(&self, centre: DVec2, velocity: DVec2, radius: f64) -> f64 {
        self.time_of_impact_turning(centre, velocity, radius, |place, _| place)
    }

    /// The same where it turns about its centre: `turned_back` is a place around there in its own frame after so many
    /// seconds.
    pub fn time_of_impact_turning(
        &self,
        centre: DVec2,
        velocity: DVec2,
        radius: f64,
        turned_back: impl Fn(DVec2, f64) -> DVec2,
    ) -> f64 {
        let from = centre - self.centre;
        let (squared, half) = (velocity.length_squared(), from.dot(velocity));
        let (distance_squared, rim) = (from.length_squared(), self.radius * self.radius);
        // Also where it is NaN.
        if !(squared > 0.0) {
            return NEVER;
        }
        let beyond = SEAM * (self.centre.abs().max_element() + self.radius + radius);
        let spans_then = |time: f64| self.spans(turned_back(from + velocity * time, time), beyond);
        let on_rim = radius <= GAP_ROUNDING * self.radius && (distance_squared - rim).abs() <= 2.0 * GAP_ROUNDING * rim;
        let is_outside = if on_rim { half > 0.0 } else { distance_squared >= rim };
        if is_outside {
            let sum = self.radius + radius;
            let time = time_of_impact(-from, -velocity, sum, || velocity.x.abs() + velocity.y.abs());
            if time == NEVER || spans_then(time) && !self.inside_only {
                return time;
            }
            // It may get inside through the gap.
            if distance_squared - half * half / squared >= rim {
                return NEVER;
            }
        }
        let (room, cross) = (self.room(radius), from.perp_dot(velocity));
        let discriminant = squared * room * room - cross * cross;
        let grazing = GRAZING_ANGLE * room * squared.sqrt();
        let time = if discriminant <= grazing * grazing {
            (grazing - half) / squared
        } else if half > 0.0 {
            (room * room - distance_squared) / (discriminant.sqrt() + half)
        } else {
            (discriminant.sqrt() - half) / squared
        };
        let time = time.max(0.0);
        if spans_then(time) { time } else { NEVER }
    }

    /// How a disc slides along the inside within a time step of `h` seconds: what it leaves at, and below which speed
    /// of approach it slides, m/s; zero outside.
    pub fn slide_speeds(&self, centre: DVec2, velocity: DVec2, radius: f64, h: f64) -> [f64; 2] {
        let from = centre - self.centre;
        let distance = from.length_squared().sqrt();
        if !(distance > 0.0 && distance < self.radius) {
            return [0.0; 2];
        }
        let (onward, room) = (from.perp_dot(velocity) / distance, self.room(radius));
        // What is in the wall comes out of it, and by no more than some fourteen degrees, where there is hardly any
        // room.
        let overlap = (distance - room).max(0.0);
        let least = (GRAZING_ANGLE * GRAZING_ANGLE + 2.0 * overlap / room).sqrt();
        let angle = (onward.abs() * h / (room * HOPS_IN_TICK)).max(least).min(0.25);
        let left = self.left_ahead(from / distance, onward);
        let leaves_at = if left < 2.0 * angle { left } else { angle };
        [onward.abs() * leaves_at, onward.abs() * angle * SLIDES]
    }

    /// How far it is from a direction onward to the end, radians, or backward if `onward` is less than zero; infinite
    /// where that is far. Nearer than a hop, a sliding disc leaves in the direction of the wall's end, so that a
    /// straight wall which continues it takes no speed.
    fn left_ahead(&self, direction: DVec2, onward: f64) -> f64 {
        let (end, turn) = if onward > 0.0 { (self.b, 1.0) } else { (self.a, -1.0) };
        if is_whole(self.extent) || !(direction.dot(end) > 0.9 * self.radius) {
            return f64::INFINITY;
        }
        (turn * direction.perp_dot(end) / self.radius).max(0.0)
    }

    /// How a disc overlaps it, if it does between its ends. `crossed` says whether something has pushed its centre
    /// through.
    pub fn touch(&self, crossed: bool, centre: Vec2, radius: f32) -> Option<Touch> {
        let from = centre.as_dvec2() - self.centre;
        if !self.spans(from, 0.0) {
            return None;
        }
        let distance = from.length_squared().sqrt();
        // A disc whose centre was pushed through belongs to the other side.
        let outside = (distance >= self.radius) != crossed;
        if outside && self.inside_only {
            return None;
        }
        let radius = f64::from(radius);
        let room = self.room(radius);
        // What slides is let into it that far, between two hops.
        let penetration = match if outside { self.radius + radius - distance } else { distance - room } {
            hardly if !outside && hardly <= GRAZING_ANGLE * GRAZING_ANGLE * room => 0.0,
            penetration => penetration,
        };
        let outward = from.try_normalize().unwrap_or(self.a / self.radius);
        (penetration > 0.0).then(|| Touch {
            away: if outside { outward } else { -outward }.as_vec2(),
            penetration: penetration as f32,
            point: (self.centre + outward * self.radius).as_vec2(),
        })
    }

    /// Whether a place lies between the wall and the straight line from end to end.
    fn covers(&self, wall: &Wall, place: Vec2) -> bool {
        let inside = (place.as_dvec2() - self.centre).length_squared() < self.radius * self.radius;
        inside && (is_whole(self.extent) || !is_left_of(wall, place))
    }

    /// Whether a straight path crosses it an odd number of times, and so ends on its other side. It does as often as it
    /// crosses the line from end to end, or else comes into what the two enclose: so walls that share an end agree,
    /// straight or curved.
    pub fn is_crossed(&self, wall: &Wall, from: Vec2, to: Vec2) -> bool {
        !self.inside_only && crosses_straight(wall, from, to) != (self.covers(wall, from) != self.covers(wall, to))
    }

    /// The directions along it at a point of it: onward, and backward.
    pub fn directions_at(&self, point: Vec2) -> [Vec2; 2] {
        let onward = (point.as_dvec2() - self.centre).perp().as_vec2();
        [onward, -onward]
    }

    /// The lower left and the upper right corner of the box around it, metres.
    pub fn bounds(&self, wall: &Wall) -> Bounds {
        let axes = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y].into_iter();
        // With what a rounding of the ends makes of them.
        let reached = axes.filter(|axis| self.spans(*axis, SEAM)).map(|axis| {
            let point = (self.centre + axis * self.radius).as_vec2();
            Vec2::select(axis.as_vec2().cmpgt(Vec2::ZERO), point.map(f32::next_up), point.map(f32::next_down))
        });
        Bounds::of_points(reached.chain([wall.a, wall.b]))
    }

    /// The same wall along a circle larger by `by` metres.
    pub fn widened(&self, wall: &Wall, by: f64) -> Wall {
        let radius = self.radius + by;
        let end = |end: DVec2| (self.centre + end * (radius / self.radius)).as_vec2();
        let curve = wall.curve.map(|curve| Curve { radius: radius as f32, ..curve });
        Wall { a: end(self.a), b: end(self.b), curve, ..*wall }
    }

    /// The ends of short straight pieces along it.
    pub fn pieces(&self) -> Vec<[Vec2; 2]> {
        let start = bevy::math::ops::atan2(self.a.y as f32, self.a.x as f32);
        let arc = Terrain::Arc { radius: self.radius as f32, start, extent: self.extent };
        let (points, closed) = arc.outline();
        let ends = points.iter().zip(points.iter().cycle().skip(1)).take(points.len() - usize::from(!closed));
        let centre = self.centre.as_vec2();
        ends.map(|(&a, &b)| [centre + a, centre + b]).collect()
    }

    /// The same wall for discs that pass it on their way in.
    pub fn from_inside(wall: &Wall) -> Wall {
        Wall { curve: wall.curve.map(|curve| Curve { inside_only: true, ..curve }), ..*wall }
    }

    /// The middle of its circle, and the radius, metres.
    pub fn circle(&self) -> (DVec2, f64) {
        (self.centre, self.radius)
    }

    /// From the middle of the circle toward the middle of the wall; zero if that is all around.
    pub fn middle(&self) -> DVec2 {
        if is_whole(self.extent) {
            return DVec2::ZERO;
        }
        (self.b - self.a).perp() * -1.0
    }
}
