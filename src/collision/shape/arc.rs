//! Curved walls: thin arcs of circles with two sides. All questions about a disc and a curved wall are answered here.
//!
//! A disc outside the circle touches it if its centre is at the sum of the two radii from the middle. That is a
//! quadratic with one relevant root, as for two discs. A disc inside touches it at their difference, the other root of
//! such a quadratic. The ends are corners, like those of straight walls.
//!
//! **Sliding along the inside.** A disc that moves along the inside of an arc hits it more often the flatter its path
//! is, without restitution infinitely often. So the angle of a hit there is at least [`GRAZING_ANGLE`], and so is the
//! angle at which the disc leaves. The disc also leaves at a speed that limits the hits to about thirty in a tick. The
//! velocity of a slower disc is rotated and keeps its length. Resting groups of discs leave it at that speed, too. All
//! other hits are exact.

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
    /// The angle over which the wall follows it, radians; 2π or more makes a full circle.
    pub extent: f32,
    /// Whether it acts only from inside: a disc that enters through a one-way wall hits it on the way out.
    pub(crate) inside_only: bool,
}

/// The smallest angle at which a disc hits the inside of an arc, radians. A flatter path goes into the wall until it
/// reaches this angle, by `1 - cos`, half a millionth of the radius.
const GRAZING_ANGLE: f64 = 1e-3;

/// About twice the number of hits in a tick of a disc that slides along the inside of an arc. Chosen by hand: it bounds
/// the work of a tick.
const HOPS_IN_TICK: f64 = 64.0;

/// A disc slides along the inside of an arc if it approaches at less than this multiple of the angle of a hop. It must
/// exceed 1, so that a hop is followed by a hop; the rest was chosen by hand.
pub const SLIDES: f64 = 2.5;

/// A curved wall in f64, with the ends relative to the centre of its circle.
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
    /// Whether a disc is entering through it, and collides with it only from inside.
    pub(crate) fn is_passed(&self) -> bool {
        self.curve.is_some_and(|curve| curve.inside_only)
    }

    /// The arc of a curved wall.
    #[inline(always)]
    pub(crate) fn curved(&self) -> Option<CurvedWall> {
        self.curve.as_ref().map(|curve| CurvedWall::of(self, curve))
    }
}

impl CurvedWall {
    /// Not inlined, to keep the code for straight walls short.
    #[inline(never)]
    fn of(wall: &Wall, &Curve { centre, radius, extent, inside_only }: &Curve) -> Self {
        let centre = centre.as_dvec2();
        let (a, b) = (wall.a.as_dvec2() - centre, wall.b.as_dvec2() - centre);
        Self { centre, radius: f64::from(radius), a, b, extent, inside_only }
    }

    /// Whether the ray from the centre through a place (relative to the centre) hits the wall, or would if the wall
    /// were longer by `beyond` metres.
    fn spans(&self, place: DVec2, beyond: f64) -> bool {
        if is_whole(self.extent) {
            return true;
        }
        let least = -beyond * self.radius;
        let (after, before) = (self.a.perp_dot(place) >= least, place.perp_dot(self.b) >= least);
        if self.extent <= std::f32::consts::PI { after && before } else { after || before }
    }

    /// The closest point on it.
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

    /// The distance from a place, metres.
    pub fn distance(&self, place: DVec2) -> f64 {
        (place - self.closest(place)).length_squared().sqrt()
    }

    /// The largest distance of the centre of a disc inside from the centre of the circle. Of a disc larger than the
    /// circle, only the centre stays inside.
    fn room(&self, radius: f64) -> f64 {
        if radius < self.radius { self.radius - radius } else { 0.5 * self.radius }
    }

    /// The effective radius of a disc at a place: that of a disc with room there.
    pub fn radius_at(&self, place: DVec2, radius: f64) -> f64 {
        let inside = place.distance_squared(self.centre) < self.radius * self.radius;
        if inside { self.radius - self.room(radius) } else { radius }
    }

    /// The direction from it to a touching disc with this velocity, of any length, and the point of contact.
    pub fn away_from(&self, centre: DVec2, velocity: DVec2) -> (DVec2, DVec2) {
        let from = centre - self.centre;
        let Some(outward) = from.try_normalize() else { return (-velocity, self.closest(centre)) };
        let gap = from.length_squared() - self.radius * self.radius;
        // A point on the rim is on the side that it moves to.
        let on_rim = gap.abs() <= GAP_ROUNDING * self.radius * self.radius;
        let outside = if on_rim { outward.dot(velocity) < 0.0 } else { gap >= 0.0 };
        (if outside { from } else { -from }, self.centre + outward * self.radius)
    }

    /// The distance from the rim of a disc, metres; `None` beyond its ends.
    pub fn gap(&self, centre: DVec2, radius: f64) -> Option<f64> {
        let from = centre - self.centre;
        let distance = from.length_squared().sqrt();
        let outside = distance >= self.radius;
        let gap = if outside { distance - self.radius - radius } else { self.room(radius) - distance };
        (self.spans(from, 0.0) && !(outside && self.inside_only)).then_some(gap)
    }

    /// The time until a disc with this centre, velocity and radius touches it between its ends, in seconds: now if they
    /// overlap and approach.
    pub fn time_of_impact(&self, centre: DVec2, velocity: DVec2, radius: f64) -> f64 {
        self.time_of_impact_turning(centre, velocity, radius, |place, _| place)
    }

    /// The same for an arc that turns about its centre: `turned_back` maps a place near it to its own frame after this
    /// many seconds.
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
        // Also true for NaN.
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
            // The disc may get inside through the gap.
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

    /// The speed at which a disc leaves after sliding along the inside within a time step of `h` seconds, and the speed
    /// of approach below which it slides, m/s. Both are zero outside.
    pub fn slide_speeds(&self, centre: DVec2, velocity: DVec2, radius: f64, h: f64) -> [f64; 2] {
        let from = centre - self.centre;
        let distance = from.length_squared().sqrt();
        if !(distance > 0.0 && distance < self.radius) {
            return [0.0; 2];
        }
        let (onward, room) = (from.perp_dot(velocity) / distance, self.room(radius));
        // A disc in the wall comes out, but turns by at most some fourteen degrees, where there is hardly any room.
        let overlap = (distance - room).max(0.0);
        let least = (GRAZING_ANGLE * GRAZING_ANGLE + 2.0 * overlap / room).sqrt();
        let angle = (onward.abs() * h / (room * HOPS_IN_TICK)).max(least).min(0.25);
        let left = self.left_ahead(from / distance, onward);
        let leaves_at = if left < 2.0 * angle { left } else { angle };
        [onward.abs() * leaves_at, onward.abs() * angle * SLIDES]
    }

    /// The angle from a direction to the end, radians; backward if `onward` is negative; infinite if that is far.
    /// Closer than a hop, a sliding disc leaves in the direction of the end of the wall, so that a straight
    /// continuation takes no speed from it.
    fn left_ahead(&self, direction: DVec2, onward: f64) -> f64 {
        let (end, turn) = if onward > 0.0 { (self.b, 1.0) } else { (self.a, -1.0) };
        if is_whole(self.extent) || !(direction.dot(end) > 0.9 * self.radius) {
            return f64::INFINITY;
        }
        (turn * direction.perp_dot(end) / self.radius).max(0.0)
    }

    /// The overlap of a disc with it between its ends, if any. `crossed` says whether something has pushed the centre
    /// through.
    pub fn touch(&self, crossed: bool, centre: Vec2, radius: f32) -> Option<Touch> {
        let from = centre.as_dvec2() - self.centre;
        if !self.spans(from, 0.0) {
            return None;
        }
        let distance = from.length_squared().sqrt();
        // A disc whose centre was pushed through belongs on the other side.
        let outside = (distance >= self.radius) != crossed;
        if outside && self.inside_only {
            return None;
        }
        let radius = f64::from(radius);
        let room = self.room(radius);
        // A sliding disc may be that deep in it between two hops.
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

    /// Whether a place is between the wall and its chord.
    fn covers(&self, wall: &Wall, place: Vec2) -> bool {
        let inside = (place.as_dvec2() - self.centre).length_squared() < self.radius * self.radius;
        inside && (is_whole(self.extent) || !is_left_of(wall, place))
    }

    /// Whether a straight path crosses it an odd number of times, and so ends on its other side. The parity is that of
    /// crossing the chord and of entering the area between the two. So straight and curved walls that share an end
    /// agree.
    pub fn is_crossed(&self, wall: &Wall, from: Vec2, to: Vec2) -> bool {
        !self.inside_only && crosses_straight(wall, from, to) != (self.covers(wall, from) != self.covers(wall, to))
    }

    /// The directions along it at one of its points: forward and backward.
    pub fn directions_at(&self, point: Vec2) -> [Vec2; 2] {
        let onward = (point.as_dvec2() - self.centre).perp().as_vec2();
        [onward, -onward]
    }

    /// The lower left and upper right corner of its bounding box, metres.
    pub fn bounds(&self, wall: &Wall) -> Bounds {
        let axes = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y].into_iter();
        // With a margin for the rounding of the ends.
        let reached = axes.filter(|axis| self.spans(*axis, SEAM)).map(|axis| {
            let point = (self.centre + axis * self.radius).as_vec2();
            Vec2::select(axis.as_vec2().cmpgt(Vec2::ZERO), point.map(f32::next_up), point.map(f32::next_down))
        });
        Bounds::of_points(reached.chain([wall.a, wall.b]))
    }

    /// The same wall along a circle that is larger by `by` metres.
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

    /// The same wall for discs that pass it on the way in.
    pub fn from_inside(wall: &Wall) -> Wall {
        Wall { curve: wall.curve.map(|curve| Curve { inside_only: true, ..curve }), ..*wall }
    }

    /// The centre and radius of its circle, metres.
    pub fn circle(&self) -> (DVec2, f64) {
        (self.centre, self.radius)
    }

    /// The direction from the centre of the circle to the middle of the wall; zero for a full circle.
    pub fn middle(&self) -> DVec2 {
        if is_whole(self.extent) {
            return DVec2::ZERO;
        }
        (self.b - self.a).perp() * -1.0
    }
}
