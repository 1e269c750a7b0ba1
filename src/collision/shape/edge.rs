//! The edge of a nose, above the ground: when a ball that flies touches it.

use bevy::math::DVec2;

use super::{
    rounding::{GAP_ROUNDING, SPEED_ROUNDING},
    time_of_impact::{NEVER, Rise},
};

/// A level edge as seen from above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edge {
    /// A straight line through a point, with its unit normal on the side of the ball.
    Line(DVec2, DVec2),
    /// A circle around a centre, with its radius; the ball is outside.
    Ring(DVec2, f64),
}

impl Edge {
    /// The distance of a place from it as seen from above, metres, and the unit vector in which it grows. Negative
    /// behind a line and inside a ring.
    #[must_use]
    pub fn across(&self, place: DVec2) -> (f64, DVec2) {
        match *self {
            Self::Line(point, normal) => ((place - point).dot(normal), normal),
            Self::Ring(centre, radius) => {
                let away = place - centre;
                let distance = away.length_squared().sqrt();
                let normal = if distance > 0.0 { away / distance } else { DVec2::X };
                (distance - radius, normal)
            }
        }
    }
}

/// More steps than any approach takes.
const MAX_STEPS: u32 = 4096;

/// The share of the radius that a ball which already touches the edge moves before it is looked at again.
const LOOK_AGAIN: f64 = 1e-3;

/// The time until a ball touches an edge, in seconds: now if it touches it and approaches; never after `until`. Seen
/// from above it moves straight. `rise` is the height of its centre above the edge, and its acceleration is at most 0.
///
/// The distance is convex along a straight path, so its tangent is a lower bound, and gravity lowers that by at most
/// `g t²/2`. Steps to the root of this bound never pass the contact, and double the correct digits like Newton's.
#[must_use]
pub fn edge_time_of_impact(edge: &Edge, [place, velocity]: [DVec2; 2], rise: Rise, radius: f64, until: f64) -> f64 {
    let fall = -rise.acceleration;
    let speed = velocity.x.abs() + velocity.y.abs() + rise.speed.abs() + fall * until;
    let (touching, rounding) = (GAP_ROUNDING * radius, SPEED_ROUNDING * speed);
    let mut time = 0.0;
    for _ in 0..MAX_STEPS {
        let ([height, rising], (across, normal)) = (rise.after(time), edge.across(place + velocity * time));
        let distance = (across * across + height * height).sqrt();
        let rate = (across * velocity.dot(normal) + height * rising) / distance;
        let gap = distance - radius;
        if gap <= touching && rate < -rounding {
            return time;
        }
        let free = gap.max(0.0);
        let step = match (rate * rate + 2.0 * fall * free).sqrt() {
            root if rate < 0.0 => 2.0 * free / (root - rate),
            root if fall > 0.0 => (rate + root) / fall,
            _ => NEVER,
        };
        time += if gap <= touching { step.max(LOOK_AGAIN * radius / speed) } else { step };
        // Also for NaN.
        if !(time <= until) {
            return NEVER;
        }
    }
    NEVER
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const R: f64 = 0.028_575;
    const G: f64 = 9.81;

    fn rise(height: f64, speed: f64) -> Rise {
        Rise { height, speed, acceleration: -G }
    }

    #[test]
    fn f54_a_ball_in_flight_meets_the_edge_of_a_nose() {
        // It takes off 0.1 m before an edge at 1.27 R with (2, 0, 0.9) m/s: `docs/src/flight.md`.
        let edge = Edge::Line(DVec2::new(0.1, 0.0), DVec2::NEG_X);
        let time = edge_time_of_impact(&edge, [DVec2::ZERO, DVec2::X * 2.0], rise(-0.27 * R, 0.9), R, 1.0);
        assert!((time - 0.040_019).abs() < 5e-7, "{time}");
        let height = 0.9 * time - 0.5 * G * time * time;
        assert!((height - 0.028_161_692).abs() < 5e-9, "{height}");
        // As a ring of a large radius.
        let ring = Edge::Ring(DVec2::new(1e5 + 0.1, 0.0), 1e5);
        let bent = edge_time_of_impact(&ring, [DVec2::ZERO, DVec2::X * 2.0], rise(-0.27 * R, 0.9), R, 1.0);
        assert!((bent - time).abs() < 1e-8);
    }

    #[test]
    fn a_ball_that_tips_over_an_edge_does_not_touch_it_again() {
        for across in [0.0, 0.2, 0.5] {
            let drop = 0.5 * R - across * across / (2.0 * G);
            let way = [DVec2::ZERO, DVec2::X * (G * R).sqrt()];
            let edge = Edge::Line(DVec2::ZERO, DVec2::X);
            assert_eq!(edge_time_of_impact(&edge, way, rise(R - drop, 0.0), R, 0.05), NEVER, "{across}");
        }
    }

    proptest! {
        #[test]
        fn nothing_is_inside_an_edge_before_the_time_of_impact(
            x in 0.0..0.2, y in -0.1..0.1, height in -0.03..0.3, vx in -8.0..8.0, vy in -8.0..8.0, vz in -4.0..4.0,
            ring in proptest::bool::ANY,
        ) {
            let edge = if ring { Edge::Ring(DVec2::new(-0.1, 0.0), 0.1) } else { Edge::Line(DVec2::ZERO, DVec2::X) };
            let (place, velocity, rise) = (DVec2::new(x, y), DVec2::new(vx, vy), rise(height, vz));
            let gap = |time: f64| {
                let ([height, _], (across, _)) = (rise.after(time), edge.across(place + velocity * time));
                (across * across + height * height).sqrt() - R
            };
            prop_assume!(gap(0.0) > 0.0 && edge.across(place).0 >= 0.0);
            let until = 0.05;
            let time = edge_time_of_impact(&edge, [place, velocity], rise, R, until);
            // The bound does not hold where the centre is within a ring: from there on, nothing is claimed.
            let moment = |k: u32| until * f64::from(k) / 500.0;
            let inside = (1..=500).find(|&k| edge.across(place + velocity * moment(k)).0 < 0.0).filter(|_| ring);
            let end = inside.map_or(until, |k| moment(k - 1));
            for k in 0..=500 {
                let at = end.min(time) * f64::from(k) / 500.0;
                prop_assert!(gap(at) > -1e-9, "{} at {at} of {time}", gap(at));
            }
            if time <= end {
                prop_assert!(gap(time).abs() < 1e-9, "{}", gap(time));
            }
        }
    }
}
