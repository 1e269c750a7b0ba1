//! Times of impact, when paths first touch: the precise check, and what both modes make of it.
//!
//! With the relative position `p`, the relative velocity `d` and the sum of the radii `s`, two discs touch when
//! `|p + d t| = s`: a quadratic with `A = d·d`, `B/2 = p·d`, `C = p·p - s²`. Its discriminant is computed as
//! `A s² - (p × d)²`, which is the same and does not lose its digits far from the contact, and the earlier root as
//! `C / (-B/2 + √D)`, a quotient of sums instead of a difference.

use bevy::math::DVec2;

use crate::collision::{
    discs::DiscState,
    shape::{FixedCircle, Wall},
};

/// How two discs meet, by the table of the precise check, if both keep their velocities. `f0` is when they touch and `f1` when they
/// part again if they go through each other, counted in frames from now; negative is past.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeOfImpact {
    /// They touch within this frame: `0 <= f0 <= 1`.
    WithinFrame {
        /// When they touch, frames.
        f0: f64,
        /// When they part, frames.
        f1: f64,
    },
    /// They approach and touch later: `1 < f0 <= f1`.
    Approaching {
        /// When they touch, frames.
        f0: f64,
        /// When they part, frames.
        f1: f64,
    },
    /// They overlap now: `f0 < 0 < f1`. Without relative motion they always did and always will: both are infinite.
    Overlapping {
        /// When they began to touch, frames; negative.
        f0: f64,
        /// When they part, frames.
        f1: f64,
    },
    /// They recede: `f0 <= f1 <= 0`.
    Receding {
        /// When they would have touched, frames; negative.
        f0: f64,
        /// When they would have parted, frames; negative, or zero for discs that have just parted.
        f1: f64,
    },
    /// Their paths never bring them together, or only to a touch in passing: the discriminant is zero or less.
    Never,
}

impl TimeOfImpact {
    /// How two discs meet, `frame` (seconds) being the length of a frame.
    ///
    /// ```
    /// use bevy::math::vec2;
    /// use carom::collision::{DiscState, TimeOfImpact};
    /// let a = DiscState { velocity: vec2(2.0, 0.0), ..DiscState::default() }; // radius 0.5
    /// let b = DiscState { position: vec2(4.0, 0.0), ..DiscState::default() };
    /// assert_eq!(TimeOfImpact::of(&a, &b, 1.0), TimeOfImpact::Approaching { f0: 1.5, f1: 2.5 });
    /// assert_eq!(TimeOfImpact::of(&a, &b, 2.0), TimeOfImpact::WithinFrame { f0: 0.75, f1: 1.25 });
    /// ```
    #[must_use]
    pub fn of(a: &DiscState, b: &DiscState, frame: f32) -> Self {
        let p = b.position.as_dvec2() - a.position.as_dvec2();
        let d = (b.velocity.as_dvec2() - a.velocity.as_dvec2()) * f64::from(frame);
        let sum = f64::from(a.radius) + f64::from(b.radius);
        let (square, half, c) = (d.length_squared(), p.dot(d), p.length_squared() - sum * sum);
        if square == 0.0 {
            let always = Self::Overlapping { f0: f64::NEG_INFINITY, f1: f64::INFINITY };
            return if c < 0.0 { always } else { Self::Never };
        }
        let discriminant = square * sum * sum - p.perp_dot(d) * p.perp_dot(d);
        if discriminant <= 0.0 {
            return Self::Never;
        }
        // The root of larger magnitude is a sum, the other follows from their product, C / A.
        let larger = -half - discriminant.sqrt() * if half < 0.0 { -1.0 } else { 1.0 };
        let roots = [larger / square, c / larger];
        let (f0, f1) = (roots[0].min(roots[1]), roots[0].max(roots[1]));
        if f1 <= 0.0 {
            Self::Receding { f0, f1 }
        } else if f0 < 0.0 {
            Self::Overlapping { f0, f1 }
        } else if f0 <= 1.0 {
            Self::WithinFrame { f0, f1 }
        } else {
            Self::Approaching { f0, f1 }
        }
    }

    /// When they touch and when they part, in frames; none if they never do.
    #[must_use]
    pub fn times(self) -> Option<[f64; 2]> {
        match self {
            Self::WithinFrame { f0, f1 }
            | Self::Approaching { f0, f1 }
            | Self::Overlapping { f0, f1 }
            | Self::Receding { f0, f1 } => Some([f0, f1]),
            Self::Never => None,
        }
    }
}

/// No time at all: these two do not meet.
pub(in crate::collision) const NEVER: f64 = f64::INFINITY;

/// What rounding leaves of a speed, as a share of the speeds that went into it: two discs that have just taken on the same
/// speed along their line of centres may still seem to approach by that.
pub(in crate::collision) const SPEED_ROUNDING: f64 = 1e-14;

/// Closer than this share of a length, two things touch as far as [`SPEED_ROUNDING`] is concerned, and a corner acts on beside a wall
/// that starts there.
const GAP_ROUNDING: f64 = 1e-9;

/// A wall acts on this share of its coordinates, and of the radius, beyond its ends: the ends of two walls that make one corner
/// may lie so far apart, and where one wall ends and the next begins nothing must slip through.
pub(in crate::collision) const SEAM: f64 = 2e-6;

/// In how many seconds a point enters a circle of this radius around the origin, from `p` with velocity `d`: now if it is inside.
pub(in crate::collision) fn entry_time(p: DVec2, d: DVec2, radius: f64) -> f64 {
    let (half, c) = (p.dot(d), p.length_squared() - radius * radius);
    if c <= 0.0 {
        return 0.0;
    }
    let square = d.length_squared();
    let discriminant = square * radius * radius - p.perp_dot(d) * p.perp_dot(d);
    if !(half < 0.0 && discriminant > 0.0) {
        return NEVER;
    }
    c / (discriminant.sqrt() - half)
}

/// In how many seconds two discs touch whose centres lie `p` apart, whose relative velocity is `d` and whose radii add up
/// to `sum`: now if they overlap and approach, never if they recede. `speed` is that of both together, for the rounding.
#[inline(always)]
pub(in crate::collision) fn time_of_impact(p: DVec2, d: DVec2, sum: f64, speed: impl Fn() -> f64) -> f64 {
    let half = p.dot(d);
    // Also where it is NaN.
    if !(half < 0.0) {
        return NEVER;
    }
    let c = p.length_squared() - sum * sum;
    if c <= GAP_ROUNDING * sum * sum {
        if -half <= SPEED_ROUNDING * sum * speed() {
            return NEVER;
        }
        if c <= 0.0 {
            return 0.0;
        }
    }
    let cross = p.perp_dot(d);
    let discriminant = d.length_squared() * sum * sum - cross * cross;
    if discriminant <= 0.0 {
        return NEVER;
    }
    c / (discriminant.sqrt() - half)
}

/// In how many seconds a disc at `centre` with this velocity and radius touches the inner part of a wall: now if it overlaps
/// it and approaches. Linear, as the distance from a line is; for a curved wall a quadratic.
pub(in crate::collision) fn wall_time_of_impact(centre: DVec2, velocity: DVec2, radius: f64, wall: &Wall) -> f64 {
    if let Some(curved) = wall.curved() {
        return curved.time_of_impact(centre, velocity, radius);
    }
    let (a, b) = (wall.a.as_dvec2(), wall.b.as_dvec2());
    let (along, from) = (b - a, centre - a);
    let (distance, speed) = (along.perp_dot(from), along.perp_dot(velocity));
    let side = if distance >= 0.0 { 1.0 } else { -1.0 };
    if !(side * speed < 0.0) {
        return NEVER;
    }
    let squared = along.length_squared();
    let length = squared.sqrt();
    let (distance, closing) = (distance / length, -side * (speed / length));
    if !(closing > SPEED_ROUNDING * (velocity.x.abs() + velocity.y.abs())) {
        return NEVER;
    }
    let time = (side * distance - radius).max(0.0) / closing;
    let share = (from + velocity * time).dot(along) / squared;
    let beyond = SEAM * (a.abs().max(b.abs()).max_element() + radius) / length;
    if (-beyond..=1.0 + beyond).contains(&share) { time } else { NEVER }
}

/// In how many seconds a disc at `centre` with this velocity and radius touches a corner or a bumper, and not one of the
/// walls that start there.
pub(in crate::collision) fn circle_time_of_impact(
    centre: DVec2,
    velocity: DVec2,
    radius: f64,
    circle: &FixedCircle,
) -> f64 {
    let away = centre - circle.centre.as_dvec2();
    let sum = radius + f64::from(circle.radius);
    let time = time_of_impact(-away, -velocity, sum, || velocity.x.abs() + velocity.y.abs());
    if time == NEVER || circle.walls.is_empty() {
        return time;
    }
    let then = away + velocity * time;
    let beside = circle.walls.iter().any(|along| {
        let along = along.as_dvec2();
        let inside = then.dot(along);
        inside > 0.0 && inside * inside > (GAP_ROUNDING * sum) * (GAP_ROUNDING * sum) * along.length_squared()
    });
    if beside { NEVER } else { time }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::math::{Vec2, vec2};

    fn pair(p: Vec2, d: Vec2) -> [DiscState; 2] {
        [DiscState::default(), DiscState { position: p, velocity: d, ..DiscState::default() }]
    }

    #[test]
    fn two_discs_are_classified_by_their_times_of_impact() {
        let of = |p, d| {
            let [a, b] = pair(p, d);
            TimeOfImpact::of(&a, &b, 1.0)
        };
        assert_eq!(of(vec2(3.0, 0.0), vec2(-4.0, 0.0)), TimeOfImpact::WithinFrame { f0: 0.5, f1: 1.0 });
        assert_eq!(of(vec2(3.0, 0.0), vec2(-1.0, 0.0)), TimeOfImpact::Approaching { f0: 2.0, f1: 4.0 });
        assert_eq!(of(vec2(3.0, 0.0), vec2(1.0, 0.0)), TimeOfImpact::Receding { f0: -4.0, f1: -2.0 });
        assert_eq!(of(vec2(0.5, 0.0), vec2(1.0, 0.0)), TimeOfImpact::Overlapping { f0: -1.5, f1: 0.5 });
        assert_eq!(of(vec2(3.0, 2.0), vec2(-1.0, 0.0)), TimeOfImpact::Never);
        assert_eq!(of(vec2(3.0, 1.0), vec2(-1.0, 0.0)), TimeOfImpact::Never, "a touch in passing");
        assert_eq!(of(vec2(3.0, 0.0), Vec2::ZERO), TimeOfImpact::Never);
        let always = TimeOfImpact::Overlapping { f0: f64::NEG_INFINITY, f1: f64::INFINITY };
        assert_eq!(of(vec2(0.5, 0.0), Vec2::ZERO), always);
        assert_eq!(of(vec2(1.0, 0.0), vec2(1.0, 0.0)), TimeOfImpact::Receding { f0: -2.0, f1: 0.0 }, "just parted");
        assert_eq!(
            of(vec2(1.0, 0.0), vec2(-1.0, 0.0)),
            TimeOfImpact::WithinFrame { f0: 0.0, f1: 2.0 },
            "just touching"
        );
    }

    #[test]
    fn a_contact_far_away_keeps_its_digits() {
        // The textbook form loses all of them here: B² and 4 A C agree to 17 digits.
        let (p, d) = (DVec2::new(1e9, 0.999_999_9), DVec2::new(-1.0, 0.0));
        let expected = 1e9 - (1.0 - 0.999_999_9_f64 * 0.999_999_9).sqrt();
        assert!((time_of_impact(p, d, 1.0, || 1.0) - expected).abs() < 1e-6);
    }

    #[test]
    fn what_overlaps_has_an_impact_now_if_it_approaches_and_never_if_it_recedes() {
        assert_eq!(time_of_impact(DVec2::new(0.5, 0.0), DVec2::new(-1.0, 0.0), 1.0, || 1.0), 0.0);
        assert_eq!(time_of_impact(DVec2::new(0.5, 0.0), DVec2::new(1.0, 0.0), 1.0, || 1.0), NEVER);
        assert_eq!(time_of_impact(DVec2::new(0.5, 0.0), DVec2::ZERO, 1.0, || 0.0), NEVER);
    }

    #[test]
    fn a_wall_is_hit_between_its_ends_from_either_side() {
        let wall = Wall {
            entity: bevy::prelude::Entity::PLACEHOLDER,
            a: vec2(0.0, -1.0),
            b: vec2(0.0, 1.0),
            curve: None,
            restitution: None,
        };
        let met = |x, y, vx| wall_time_of_impact(DVec2::new(x, y), DVec2::new(vx, 0.0), 0.5, &wall);
        assert_eq!(met(-2.5, 0.0, 1.0), 2.0);
        assert_eq!(met(2.5, 0.0, -4.0), 0.5);
        assert_eq!(met(2.5, 1.1, -4.0), NEVER);
        assert_eq!(met(0.3, 0.0, -1.0), 0.0);
        assert_eq!(met(0.3, 0.0, 1.0), NEVER);
    }
}
