//! Times of impact: when paths first touch, for both modes.
//!
//! With the relative position `p`, the relative velocity `d` and the sum of the radii `s`, two discs touch when
//! `|p + d t| = s`: a quadratic with `A = d·d`, `B/2 = p·d`, `C = p·p - s²`. Its discriminant is computed as
//! `A s² - (p × d)²`, which is equal but keeps its digits far from the contact. The earlier root is computed as
//! `C / (-B/2 + √D)`, a quotient of sums instead of a difference.

use bevy::math::DVec2;

pub use super::rounding::SPEED_ROUNDING;
use super::{
    FixedCircle, Wall,
    rounding::{GAP_ROUNDING, SEAM},
};

/// The time of impact of two shapes that never touch, seconds.
pub const NEVER: f64 = f64::INFINITY;

/// The time until a point enters a circle of this radius around the origin, in seconds, from `p` with velocity `d`: now
/// if it is inside.
pub fn entry_time(p: DVec2, d: DVec2, radius: f64) -> f64 {
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

/// The time until a body at a height (metres) with a vertical velocity (m/s, positive up) has fallen to height zero, in
/// seconds; never without gravity (m/s²) unless it moves down. Both forms of the root are sums, which keep their digits.
pub fn fall_time(height: f64, vertical: f64, gravity: f64) -> f64 {
    let lands_with = (vertical * vertical + 2.0 * gravity * height).sqrt();
    if vertical < 0.0 {
        2.0 * height / (lands_with - vertical)
    } else if gravity > 0.0 {
        (vertical + lands_with) / gravity
    } else {
        NEVER
    }
}

/// The time until two discs touch, in seconds. Their centres are `p` apart, their relative velocity is `d`, and their
/// radii add up to `sum`. Now if they overlap and approach; never if they separate. `speed` is the speed of both
/// together, for the rounding.
#[inline(always)]
pub fn time_of_impact(p: DVec2, d: DVec2, sum: f64, speed: impl Fn() -> f64) -> f64 {
    let half = p.dot(d);
    // Also true for NaN.
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

/// The time until a disc with this centre, velocity and radius touches the inner part of a wall, in seconds: now if
/// they overlap and approach. It is linear, as the distance from a line is; for a curved wall it is a quadratic.
/// `velocity` is relative to the wall, and `speed` bounds the two velocities of which it is the difference, for the
/// rounding.
pub fn wall_time_of_impact(centre: DVec2, velocity: DVec2, radius: f64, speed: f64, wall: &Wall) -> f64 {
    if let Some(curved) = wall.curved() {
        return curved.time_of_impact(centre, velocity, radius);
    }
    let (a, b) = (wall.a.as_dvec2(), wall.b.as_dvec2());
    let (along, from) = (b - a, centre - a);
    let (distance, rate) = (along.perp_dot(from), along.perp_dot(velocity));
    let side = if distance >= 0.0 { 1.0 } else { -1.0 };
    if !(side * rate < 0.0) {
        return NEVER;
    }
    let squared = along.length_squared();
    let length = squared.sqrt();
    let (distance, closing) = (distance / length, -side * (rate / length));
    if !(closing > SPEED_ROUNDING * speed) {
        return NEVER;
    }
    let time = (side * distance - radius).max(0.0) / closing;
    let share = (from + velocity * time).dot(along) / squared;
    let beyond = SEAM * (a.abs().max(b.abs()).max_element() + radius) / length;
    if (-beyond..=1.0 + beyond).contains(&share) { time } else { NEVER }
}

/// The time until a disc with this centre, velocity and radius touches a corner or a bumper, in seconds. Touching one
/// of the walls that start there does not count. `velocity` and `speed` are as for a wall.
pub fn circle_time_of_impact(centre: DVec2, velocity: DVec2, radius: f64, speed: f64, circle: &FixedCircle) -> f64 {
    let away = centre - circle.centre.as_dvec2();
    let sum = radius + f64::from(circle.radius);
    let time = time_of_impact(-away, -velocity, sum, || speed);
    if time == NEVER || !is_beside_wall(circle, away + velocity * time, sum) { time } else { NEVER }
}

/// Whether a disc that touches a corner is beside a wall that starts there, by more than rounding. Its centre is at
/// `away` from the corner, and `sum` is that of both radii.
pub fn is_beside_wall(circle: &FixedCircle, away: DVec2, sum: f64) -> bool {
    circle.walls.iter().any(|along| {
        let along = along.as_dvec2();
        let inside = away.dot(along);
        inside > 0.0 && inside * inside > (GAP_ROUNDING * sum) * (GAP_ROUNDING * sum) * along.length_squared()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::math::vec2;

    #[test]
    fn a_contact_far_away_keeps_its_digits() {
        // The textbook form loses all digits here: B² and 4 A C agree to 17 digits.
        let (p, d) = (DVec2::new(1e9, 0.999_999_9), DVec2::new(-1.0, 0.0));
        let expected = 1e9 - (1.0 - 0.999_999_9_f64 * 0.999_999_9).sqrt();
        assert!((time_of_impact(p, d, 1.0, || 1.0) - expected).abs() < 1e-6);
    }

    #[test]
    fn f50_f51_and_f55_a_ball_falls_in_the_time_of_the_closed_form() {
        // `docs/src/flight.md`; F55 falls to the top of a rail at 1.27 R.
        for (height, vertical, time) in [
            (0.05, 0.3, 0.136075),
            (0.02, -1.2, 0.015664),
            (0.06 - 1.27 * 0.028575, 0.2, 0.092840),
            (1.0, 0.0, 0.451524),
        ] {
            let falls = fall_time(height, vertical, 9.81);
            assert!((falls - time).abs() < 5e-7, "{falls} instead of {time}");
            // It is there then, to rounding.
            assert!((height + vertical * falls - 0.5 * 9.81 * falls * falls).abs() < 1e-15);
        }
        assert_eq!(fall_time(0.0, -2.0, 9.81), 0.0);
        assert_eq!((fall_time(1.0, -2.0, 0.0), fall_time(1.0, 0.0, 0.0)), (0.5, NEVER));
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
        let met = |x, y, vx| wall_time_of_impact(DVec2::new(x, y), DVec2::new(vx, 0.0), 0.5, vx.abs(), &wall);
        assert_eq!(met(-2.5, 0.0, 1.0), 2.0);
        assert_eq!(met(2.5, 0.0, -4.0), 0.5);
        assert_eq!(met(2.5, 1.1, -4.0), NEVER);
        assert_eq!(met(0.3, 0.0, -1.0), 0.0);
        assert_eq!(met(0.3, 0.0, 1.0), NEVER);
    }
}
