//! The time of impact of a disc on a straight path with a part of a moving piece.
//!
//! In the frame of a piece that does not turn, the path is straight too, and the formulas are those of static terrain.
//! In the frame of one that turns, the path is a curve `q`. The distance from a wall is a convex function of the place.
//! So a gap `g` with the rate `g'` is at least `g + g' t - B t²/2` after `t` seconds, where `B` is an upper bound of
//! `|q''|`. A step to the zero of that misses nothing. Such steps approach the first touch from the safe side, and
//! fast, because the bound is exact up to the square of the step. A disc that slides along may get into the piece by
//! [`SLIDING_DEPTH`], which bounds the number of steps.

use bevy::math::DVec2;

use super::{MovingPiece, MovingTerrain, tolerances::SLIDING_DEPTH};
use crate::collision::{
    shape::{
        Wall,
        arc::CurvedWall,
        rounding::GAP_ROUNDING,
        time_of_impact::{NEVER, SPEED_ROUNDING, circle_time_of_impact, is_beside_wall, wall_time_of_impact},
    },
    terrain::index::Piece,
};

/// The rounding of a gap as a share of the coordinates, dimensionless: a few roundings of an `f64`.
const COORDINATE_ROUNDING: f64 = 4e-15;

/// The largest number of steps of a search: more than needed for a disc that slides along the tip of a piece which
/// turns once in a tick. After them, the time reached counts as that of an impact, which is charged to the impact
/// budget of the disc.
const MAX_STEPS: u32 = 4096;

/// A disc at the end of a wall that is deeper than this many sliding depths (dimensionless) beside another wall of the
/// piece has hit that wall before.
const MAX_SLIDING_DEPTHS: f64 = 4.0;

impl MovingTerrain {
    /// The time of the tick, in seconds, at which a disc touches a part of a moving piece and approaches it. The disc
    /// is at `centre` at the time `from`, and has this `velocity`. [`NEVER`] if that is later than `until`. No earlier
    /// touch is missed. If a piece turns so fast that the search stops early, the two may only be close.
    pub fn time_of_impact(
        &self,
        part: u32,
        [centre, velocity]: [DVec2; 2],
        radius: f64,
        [from, until]: [f64; 2],
    ) -> f64 {
        let Some((piece, part)) = self.part(part) else { return NEVER };
        // The path of a block starts at its last impact.
        let (centre, from) =
            if piece.since > from { (centre + velocity * (piece.since - from), piece.since) } else { (centre, from) };
        if piece.motion.spin != 0.0 && piece.shape.curved(part).is_none() {
            return piece.turning_time_of_impact(part, [centre, velocity], radius, [from, until]).0;
        }
        if let Some(curved) = piece.shape.curved(part) {
            return piece.time_of_impact_of_arc(&curved, [centre, velocity], radius, [from, until]);
        }
        let frame = piece.frame_at(from);
        let speed = velocity.x.abs() + velocity.y.abs() + piece.motion.speed;
        let (centre, velocity) = (frame.to_local(centre), frame.turn_back(velocity - piece.motion.velocity));
        let after = match part {
            Piece::Wall(wall) => {
                wall_time_of_impact(centre, velocity, radius, speed, &piece.shape.walls[wall as usize])
            }
            Piece::FixedCircle(circle) => {
                circle_time_of_impact(centre, velocity, radius, speed, &piece.shape.circles[circle as usize])
            }
        };
        let time = from + after;
        if time <= until { time } else { NEVER }
    }
}

impl MovingPiece {
    /// The time of the tick, in seconds, at which a disc touches a part of a piece that turns; and the number of steps
    /// that the search took.
    fn turning_time_of_impact(
        &self,
        part: Piece,
        [centre, velocity]: [DVec2; 2],
        radius: f64,
        [from, until]: [f64; 2],
    ) -> (f64, u32) {
        // Straight walls include their ends; those of an arc are separate parts.
        if let Piece::FixedCircle(circle) = part
            && !self.shape.is_arc()
            && !self.shape.circles[circle as usize].walls.is_empty()
        {
            return (NEVER, 0);
        }
        let spin = self.motion.spin.abs();
        let relative = velocity - self.motion.velocity;
        let start = centre - self.origin_at(from);
        let far = self.reach_of(part) + radius * (1.0 + SLIDING_DEPTH);
        let Some([enters, leaves]) = times_within(start, relative, far) else { return (NEVER, 0) };
        let last = leaves.min(until - from);
        let bend = spin * (2.0 * relative.length_squared().sqrt() + spin * far);
        let noise = SPEED_ROUNDING * (velocity.x.abs() + velocity.y.abs() + self.motion.speed + spin * far);
        let rounding = COORDINATE_ROUNDING * (centre.abs().max_element() + self.origin.abs().max_element() + far);
        // The gap at which it touches is far below the slack.
        let (slack, touch) = (SLIDING_DEPTH * radius, GAP_ROUNDING * radius + rounding);
        let mut time = enters.max(0.0);
        for step in 0..MAX_STEPS {
            if !(time <= last) {
                return (NEVER, step);
            }
            let frame = self.frame_at(from + time);
            let to_centre = start + relative * time;
            let place = frame.turn_back(to_centre);
            let closest = self.shape.closest_of(part, place);
            let gap = closest.distance - radius;
            let rate = frame.turn_back(relative) + place.perp() * -self.motion.spin;
            let rate =
                if closest.distance == 0.0 { -rate.length() } else { closest.away.normalize_or_zero().dot(rate) };
            if gap <= touch && rate < -noise {
                if !self.belongs_to_other(part, closest.point, place, radius) {
                    return (from + time, step);
                }
                if gap < -MAX_SLIDING_DEPTHS * slack && matches!(part, Piece::Wall(_)) {
                    return (NEVER, step);
                }
            }
            let is_slow = rate * rate <= 2.0 * bend * slack;
            let allowed = if is_slow || gap <= touch { gap.max(slack) } else { gap };
            let root = (rate * rate + 2.0 * bend * allowed).sqrt();
            time += if rate < 0.0 { 2.0 * allowed / (root - rate) } else { (root + rate) / bend };
        }
        (if time <= last { from + time } else { NEVER }, MAX_STEPS)
    }

    /// When a disc touches an arc between its ends. The arc turns about its own centre, so turning does not move its
    /// circle.
    fn time_of_impact_of_arc(
        &self,
        curved: &CurvedWall,
        [centre, velocity]: [DVec2; 2],
        radius: f64,
        [from, until]: [f64; 2],
    ) -> f64 {
        let place = centre - (self.origin + self.motion.velocity * from);
        let turned_back = |place: DVec2, time: f64| self.frame_at(from + time).turn_back(place);
        let time = from + curved.time_of_impact_turning(place, velocity - self.motion.velocity, radius, turned_back);
        if time <= until { time } else { NEVER }
    }

    /// Whether the contact belongs to another part. A disc that touches the end of a wall at this point may be beside
    /// another wall that starts there, and then touches that one. A disc that touches the end of an arc may be beside
    /// the arc.
    fn belongs_to_other(&self, part: Piece, point: DVec2, place: DVec2, radius: f64) -> bool {
        let wall = match part {
            Piece::Wall(wall) => wall,
            Piece::FixedCircle(circle) => {
                return is_beside_wall(&self.shape.circles[circle as usize], place - point, radius);
            }
        };
        let Wall { a, b, .. } = self.shape.walls[wall as usize];
        let end = [a, b].into_iter().find(|end| end.as_dvec2() == point);
        end.is_some_and(|end| {
            let mut beside = false;
            self.shape.for_each_near(end.as_dvec2(), 0.0, |part| {
                if let Piece::FixedCircle(circle) = part {
                    let circle = &self.shape.circles[circle as usize];
                    beside |= circle.centre == end && is_beside_wall(circle, place - point, radius);
                }
            });
            beside
        })
    }

    /// The extent of a part from the pivot, metres.
    pub fn reach_of(&self, part: Piece) -> f64 {
        match part {
            Piece::Wall(wall) => {
                let Wall { a, b, .. } = self.shape.walls[wall as usize];
                a.as_dvec2().length_squared().max(b.as_dvec2().length_squared()).sqrt()
            }
            Piece::FixedCircle(circle) => {
                let circle = &self.shape.circles[circle as usize];
                circle.centre.as_dvec2().length_squared().sqrt() + f64::from(circle.radius)
            }
        }
    }
}

/// The times at which a point enters and leaves a circle around the origin, seconds from now.
fn times_within(place: DVec2, velocity: DVec2, radius: f64) -> Option<[f64; 2]> {
    let (square, half) = (velocity.length_squared(), place.dot(velocity));
    let c = place.length_squared() - radius * radius;
    if square == 0.0 {
        return (c <= 0.0).then_some([0.0, f64::INFINITY]);
    }
    let cross = place.perp_dot(velocity);
    let discriminant = square * radius * radius - cross * cross;
    if !(discriminant >= 0.0) {
        return None;
    }
    let root = discriminant.sqrt();
    let larger = if half < 0.0 { -half + root } else { -half - root };
    if larger == 0.0 {
        return Some([0.0, 0.0]);
    }
    let (one, other) = (larger / square, c / larger);
    let [enters, leaves] = [one.min(other), one.max(other)];
    (leaves >= 0.0).then_some([enters, leaves])
}

#[cfg(test)]
mod tests {
    use bevy::prelude::*;
    use std::sync::Arc;

    use super::*;
    use crate::{
        collision::{
            moving::{Drive, MovingPiece, PieceShape, Pose},
            space::PhysicsSpace,
        },
        components::{StableId, Terrain},
    };

    fn moving(terrain: &Terrain, pose: Pose, drive: Drive, time_step: f32) -> PhysicsSpace {
        let entity = Entity::PLACEHOLDER;
        let piece =
            MovingPiece::new((StableId(0), entity), Arc::new(PieceShape::of(terrain, entity)), None, pose, drive, None);
        let mut space = PhysicsSpace::default();
        space.clock.time_step = time_step;
        space.moving.pieces.push(piece);
        space.begin_moving_terrain();
        space
    }

    #[test]
    fn gap_times_speed_is_constant_to_twelve_digits_before_a_closing_wall() {
        let wall = Terrain::Segment { a: Vec2::new(0.0, -4.0), b: Vec2::new(0.0, 4.0) };
        let (u, radius) = (0.015_625, 0.25);
        let drive = Drive { velocity: Vec2::new(-u as f32, 0.0), ..Drive::default() };
        let pose = Pose { position: Vec2::new(1.0 + radius as f32, 0.0), rotation: 0.0 };
        let space = moving(&wall, pose, drive, 60.0);
        // A disc between a wall that it touches at zero and this one, 1 m away.
        let (mut place, mut speed, mut time) = (0.0, 1.0, 0.0);
        for _ in 0..8 {
            let way = [DVec2::new(place, 0.0), DVec2::new(speed, 0.0)];
            let met = space.moving.time_of_impact(0, way, radius, [time, 60.0]);
            let gap = place + speed * (met - time);
            assert!((gap * (speed + u) - 1.0).abs() < 1e-12, "{gap} m at {speed} m/s");
            // Back to the other wall, and off it.
            speed += 2.0 * u;
            (place, time) = (0.0, met + gap / speed);
        }
    }

    #[test]
    fn what_takes_too_many_steps_is_not_missed() {
        // The tip of the bar passes a hundred thousand times while the disc moves in by thirty times the slack.
        let bar = Terrain::Segment { a: Vec2::ZERO, b: Vec2::new(1.0, 0.0) };
        let drive = Drive { spin: 10_000.0, ..Drive::default() };
        let space = moving(&bar, Pose::default(), drive, 60.0);
        let way = [DVec2::new(0.0, 1.1), DVec2::new(0.0, -1e-6)];
        let (met, steps) = space.moving.pieces[0].turning_time_of_impact(Piece::Wall(0), way, 0.1, [0.0, 60.0]);
        assert!(met < 60.0 && steps <= MAX_STEPS, "at {met} s, after {steps} steps");
    }

    #[test]
    fn a_way_through_a_corner_is_followed_in_few_steps() {
        // It hits one side of the block beside a corner. The other side that starts there is not searched for inside
        // the block, slack by slack.
        let block = Terrain::Block { half_size: Vec2::new(1.0, 0.5) };
        let drive = Drive { spin: 0.1, ..Drive::default() };
        let space = moving(&block, Pose::default(), drive, 0.1);
        let way = [DVec2::new(0.95, 0.8), DVec2::new(0.0, -10.0)];
        let found = [0, 1, 2, 3]
            .map(|wall| space.moving.pieces[0].turning_time_of_impact(Piece::Wall(wall), way, 0.1, [0.0, 0.1]));
        assert!(found.iter().all(|&(_, steps)| steps < 100), "{found:?}");
        let first = found.iter().map(|&(time, _)| time).fold(NEVER, f64::min);
        assert!((first - 0.02).abs() < 1e-3, "{found:?}");
    }

    #[test]
    fn the_end_of_a_bar_that_turns_meets_a_disc_when_it_is_there() {
        let bar = Terrain::Segment { a: Vec2::ZERO, b: Vec2::new(2.0, 0.0) };
        let drive = Drive { spin: 3.0, ..Drive::default() };
        let space = moving(&bar, Pose::default(), drive, 1.0);
        // A resting disc halfway out: touched when the bar is at an angle of asin(r / 1 m) before its own.
        let (radius, angle) = (0.1, 1.0_f64);
        let (sin, cos) = libm::sincos(angle);
        let met = space.moving.time_of_impact(0, [DVec2::new(cos, sin), DVec2::ZERO], radius, [0.0, 1.0]);
        let expected = (angle - libm::asin(radius)) / 3.0;
        assert!((met - expected).abs() < 1e-9, "{met}, {expected}");
        // Another one out of reach.
        let far = space.moving.time_of_impact(0, [DVec2::new(0.0, 2.2), DVec2::ZERO], radius, [0.0, 1.0]);
        assert_eq!(far, NEVER);
    }
}
