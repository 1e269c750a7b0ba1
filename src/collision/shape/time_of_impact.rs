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
/// seconds; never without gravity (m/s²) unless it moves down. Both forms of the root are sums, which keep their
/// digits.
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

/// How far the centre of one body is above that of another, and how that changes with time.
#[derive(Clone, Copy, Debug)]
pub struct Rise {
    /// Metres.
    pub height: f64,
    /// Metres per second, positive up.
    pub speed: f64,
    /// Metres per second squared.
    pub acceleration: f64,
}

impl Rise {
    /// The height and the speed after a time (seconds).
    #[must_use]
    pub fn after(&self, time: f64) -> [f64; 2] {
        let gained = self.acceleration * time;
        [self.height + (self.speed + 0.5 * gained) * time, self.speed + gained]
    }
}

/// The number of Newton steps on the true equation. Each doubles the correct digits, of which the chord has four; at a
/// graze the first steps only halve the error.
const NEWTON_STEPS: u32 = 10;

/// The time until two balls touch in space, in seconds, or a ball and the edge of a nose. Seen from above, the second
/// is at `p` from the first and moves with `d`; `rise` is its height above the first. Their radii add up to `sum`. Now
/// if they overlap and approach; never if they separate, or touch later than `until`. `speed` is as in
/// [`time_of_impact`].
///
/// Where only one of them falls, the equation has degree 4. The quadratic of the chord of the parabola from now to
/// `until` gives a first root, and Newton steps on the true equation refine it. A graze that the chord misses is
/// missed; it is at most `a until² / 8` deep. See section 6 of `docs/src/flight.md`.
pub fn time_of_impact_in_space(p: DVec2, d: DVec2, rise: Rise, sum: f64, until: f64, speed: f64) -> f64 {
    let chord = rise.speed + 0.5 * rise.acceleration * until;
    let (from, moves) = (p.extend(rise.height), d.extend(chord));
    let c = from.length_squared() - sum * sum;
    let separates = p.dot(d) + rise.height * rise.speed;
    let rounding = SPEED_ROUNDING * sum * speed;
    if separates > rounding && rise.acceleration != 0.0 {
        return return_time(p, d, rise, until, c);
    }
    if c <= GAP_ROUNDING * sum * sum {
        // They touch: their true velocities decide.
        if !(separates < -rounding) {
            return NEVER;
        }
        if c <= 0.0 {
            return 0.0;
        }
    }
    let half = from.dot(moves);
    let discriminant = moves.length_squared() * sum * sum - from.cross(moves).length_squared();
    if !(half < 0.0 && discriminant > 0.0) {
        return NEVER;
    }
    let mut time = c / (discriminant.sqrt() - half);
    if rise.acceleration == 0.0 || time > until {
        return time;
    }
    for _ in 0..NEWTON_STEPS {
        let ([height, rising], at) = (rise.after(time), p + d * time);
        let slope = at.dot(d) + height * rising;
        // At a graze the parabola may pass where its chord touches.
        if !(slope < 0.0) {
            return NEVER;
        }
        time -= 0.5 * (at.length_squared() + height * height - sum * sum) / slope;
    }
    let ([height, _], at) = (rise.after(time), p + d * time);
    let gap = at.length_squared() + height * height - sum * sum;
    if gap.abs() <= GAP_ROUNDING * sum * sum { time.max(0.0) } else { NEVER }
}

/// The number of bisections of the rest of a tick: as many as `f64` has digits.
const BISECTIONS: u32 = 52;

/// When two bodies that separate have fallen back on each other, seconds; never before `until` if they do not overlap
/// then. `gap` is the difference of the squares of their distance and of the sum of their radii. Two that overlap may
/// not do so more deeply.
fn return_time(p: DVec2, d: DVec2, rise: Rise, until: f64, gap: f64) -> f64 {
    let Rise { height, speed, acceleration } = rise;
    let first = 2.0 * (p.dot(d) + height * speed);
    let second = d.length_squared() + speed * speed + height * acceleration;
    let (third, fourth) = (speed * acceleration, 0.25 * acceleration * acceleration);
    let is_apart = |time: f64| time * (first + time * (second + time * (third + time * fourth))) >= -gap.max(0.0);
    if is_apart(until) {
        return NEVER;
    }
    let (mut apart, mut inside) = (0.0, until);
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (apart + inside);
        *(if is_apart(middle) { &mut apart } else { &mut inside }) = middle;
    }
    inside
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
    fn f49_and_f52_to_f54_contacts_in_space_happen_when_the_true_equation_says() {
        const R: f64 = 0.028575;
        let falls_together = Rise { height: -0.02, speed: 0.05, acceleration: 0.0 };
        let time =
            time_of_impact_in_space(DVec2::new(0.3, 0.01), DVec2::new(-3.0, 0.1), falls_together, 2.0 * R, 1.0, 3.0);
        assert!((time - 0.082742).abs() < 5e-7, "F49: {time}");
        // The distance, the height of the target above the centre, the take-off speed, the sum of the radii.
        for (ahead, above, speed, sum, expected) in
            [(0.2, 0.0, 0.6, 2.0 * R, 0.072827), (0.2, 0.0, 0.95, 2.0 * R, 0.082367), (0.1, 0.27 * R, 0.9, R, 0.040019)]
        {
            let mut exact = None;
            for rate in [7.0, 60.0, 120.0, 240.0, 1000.0] {
                // The piece of the path within a tick.
                let began = f64::floor(expected * rate) / rate;
                let [height, rising] = Rise { height: above, speed: -speed, acceleration: 9.81 }.after(began);
                let rise = Rise { height, speed: rising, acceleration: 9.81 };
                let (p, d) = (DVec2::new(ahead - 2.0 * began, 0.0), DVec2::new(-2.0, 0.0));
                let time = began + time_of_impact_in_space(p, d, rise, sum, 1.0 / rate, 2.0);
                assert!((time - expected).abs() < 5e-7, "{time} instead of {expected} at {rate}");
                // The same at every rate, to rounding.
                assert!((time - *exact.get_or_insert(time)).abs() < 1e-13, "{time} at {rate}");
            }
        }
    }

    #[test]
    fn what_touches_in_space_is_hit_only_if_it_approaches() {
        let on_top = |speed| Rise { height: -1.0, speed, acceleration: 9.81 };
        let time = |speed| time_of_impact_in_space(DVec2::ZERO, DVec2::ZERO, on_top(speed), 1.0, 0.01, 1.0);
        // The first falls on the second, or rises from it for longer than the tick.
        assert_eq!((time(0.5), time(-0.5)), (0.0, NEVER));
        // A slow bounce is back after `2 v / g`.
        assert!((time(-0.04) - 2.0 * 0.04 / 9.81).abs() < 1e-15);
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
