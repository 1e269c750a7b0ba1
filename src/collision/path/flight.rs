//! Free flight and bounces off terrain within a time step, for both modes.
//!
//! Within a time step of `h` seconds a disc moves straight, with the mean velocity of its parabola. Its true velocity
//! at a time `t` of the step is that plus `acceleration (t - h/2)`, where `acceleration` does not depend on the
//! velocity (gravity). A bounce reverses the *true* velocity. Then the sum of kinetic and potential energy is conserved
//! exactly, for a step of any length and a bounce at any time in it. Proof: for `v' = v + d n` with the straight paths
//! `v` and `v'`, the energy changes by `½ (v'² - v²) + (t - h/2) acceleration · (v' - v)`, which is zero if
//! `v' + v = -2 (t - h/2) acceleration` along `n`.
//!
//! A disc is held if it bounces so low that gravity brings it back within the step. Then it does not move along the
//! normal, feels no gravity there, and has the remaining speed of its bounces at the end of the step. So a disc that
//! comes to rest is at rest.

use bevy::math::DVec2;

use crate::collision::{
    hit::{
        Surface,
        answers::{Answer, rubbed},
        hop,
        response::bounce_share,
    },
    shape::time_of_impact::SPEED_ROUNDING,
    terrain::{TerrainView, index::Piece},
};

/// A disc on its path through a time step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// The velocity of the straight path, m/s.
    pub velocity: DVec2,
    /// The acceleration of all discs, m/s².
    pub gravity: DVec2,
    /// The acceleration of the parabola whose mean is the straight path, m/s²: gravity, or less if something holds the
    /// disc.
    pub acceleration: DVec2,
    /// An additional velocity at the end of the step, m/s, from small bounces.
    pub residual: DVec2,
}

impl Flight {
    /// A disc whose true velocity at the end of a step of `h` seconds is `velocity` if it hits nothing.
    pub fn ending_with(velocity: DVec2, acceleration: DVec2, h: f64) -> Self {
        let velocity = velocity - acceleration * (0.5 * h);
        Self { velocity, gravity: acceleration, acceleration, residual: DVec2::ZERO }
    }

    /// The true velocity at the end of the step.
    pub fn end(&self, h: f64) -> DVec2 {
        self.velocity + self.acceleration * (0.5 * h) + self.residual
    }

    /// The difference between the true velocity and the velocity of the path at time `t` of a step of `h` seconds.
    pub fn ahead(&self, [t, h]: [f64; 2]) -> DVec2 {
        self.acceleration * (t - 0.5 * h)
    }

    /// Bounces off a fixed object at time `t` of a step of `h` seconds. `away` is the direction away from it (of any
    /// length), and `restitution` depends on the speed of approach. `None` if it was not a hit.
    pub fn bounce(&mut self, away: DVec2, [t, h]: [f64; 2], restitution: impl Fn(f64) -> f64) -> Option<Bounce> {
        let squared = away.length_squared();
        let inward = -self.velocity.dot(away);
        if !(inward > 0.0) {
            return None;
        }
        let length = squared.sqrt();
        if self.gravity == DVec2::ZERO {
            let approach = inward / length;
            let e = restitution(approach);
            self.velocity += away * bounce_share(inward, squared, e);
            return Some(Bounce { approach, e });
        }
        let n = away / length;
        let since_middle = t - 0.5 * h;
        let (mut along, mut acceleration) = (-inward / length, self.acceleration.dot(n));
        let mut speed = along + acceleration * since_middle;
        let hit = (speed < 0.0).then(|| Bounce { approach: -speed, e: restitution(-speed) });
        let leaving = hit.map_or(speed, |hit| hit.e * hit.approach);
        if self.leaves_support(n * (leaving - speed), [t, h]) {
            (along, acceleration) = (self.velocity.dot(n), self.acceleration.dot(n));
            speed = along + acceleration * since_middle;
        }
        let then = leaving - acceleration * since_middle;
        if then >= 0.0 {
            self.velocity += n * (then - along);
            return hit;
        }
        if self.acceleration == self.gravity {
            self.velocity -= n * along;
            self.acceleration -= n * acceleration;
        } else {
            self.change_support(n, [t, h], hit.is_none_or(|hit| hit.e < 1.0));
        }
        // The velocity may be small compared with the terms added to it and subtracted, whose rounding would look like
        // an approach.
        let inward = -self.velocity.dot(n);
        if inward > 0.5 * SPEED_ROUNDING * (self.velocity.x.abs() + self.velocity.y.abs()) {
            self.velocity += n * inward;
        }
        // The straight path is slightly above or below the parabola there.
        let true_speed = (speed * speed + acceleration * acceleration * t * (h - t)).sqrt();
        if true_speed <= SLOW * acceleration.abs() * h {
            return None;
        }
        let hit =
            hit.or_else(|| (acceleration < 0.0).then(|| Bounce { approach: true_speed, e: restitution(true_speed) }));
        let e = hit.map_or(1.0, |hit| hit.e);
        let first = if speed < 0.0 { e * true_speed } else { true_speed };
        let residual = if acceleration < 0.0 { after_bounces(first, e, -acceleration, h - t) } else { first };
        self.residual += n * residual;
        hit
    }

    /// Bounces off a surface at time `t` of a step of `h` seconds, with the friction of `answer` and a restitution that
    /// depends on the speed of approach (kick included). Both modes use it wherever a disc without spin hits terrain, a
    /// kinematic disc or a disc at rest. Exceptions are discs held by other discs, and discs pushed out at their
    /// position ([`bounce_in_place`](crate::collision::hit::bounce_in_place)).
    pub fn bounce_off(
        &mut self,
        surface: &Surface,
        answer: &Answer,
        [t, h]: [f64; 2],
        restitution: impl Fn(f64) -> f64,
    ) -> SurfaceBounce {
        let &Surface { away, velocity: moves, leaves_at, slides_below, .. } = surface;
        let is_moving = moves != DVec2::ZERO;
        if is_moving {
            self.velocity -= moves;
        }
        let before = *self;
        let hit = self.bounce(away, [t, h], restitution);
        let ahead = self.ahead([t, h]);
        if slides_below > 0.0 {
            hop(before.velocity, &mut self.velocity, ahead, surface);
        }
        let rubs = answer.friction > 0.0;
        let carries = if rubs { answer.carries(away) } else { DVec2::ZERO };
        if rubs {
            self.velocity -= carries;
            self.rub(&before, away, [t, h], f64::from(answer.friction));
            self.velocity += carries;
        }
        if is_moving {
            if leaves_at > 0.0 && slides_below == 0.0 {
                hop(before.velocity, &mut self.velocity, ahead, surface);
            }
            self.velocity += moves;
        }
        SurfaceBounce {
            before: before.velocity,
            hit,
            is_damped: answer.restitution < 1.0 || rubs,
            is_driven: is_moving || answer.kick > 0.0 || carries != DVec2::ZERO,
        }
    }

    /// Releases a held disc that is about to change its velocity by `change`, if that moves it away fast enough: it
    /// feels all of gravity again. Returns whether it is released. The energy by which the straight path differs from
    /// the parabola, `½ acceleration² t (h - t)`, is taken from the speed at which it leaves.
    fn leaves_support(&mut self, change: DVec2, [t, h]: [f64; 2]) -> bool {
        if self.acceleration == self.gravity {
            return false;
        }
        let support = (self.acceleration - self.gravity).normalize_or_zero();
        let since_middle = t - 0.5 * h;
        let leaving = (self.velocity + self.acceleration * since_middle + change).dot(support);
        let [after, before] = [self.gravity, self.acceleration].map(|acceleration| acceleration.dot(support));
        let price = (after * after - before * before) * t * (h - t);
        if !(leaving > SLOW * self.gravity.length() * h && leaving * leaving >= price) {
            return false;
        }
        let paid = (leaving * leaving - price).sqrt() - leaving;
        self.velocity += (self.acceleration - self.gravity) * since_middle + support * paid;
        self.acceleration = self.gravity;
        true
    }

    /// Changes the support of a held disc to `n`: neither velocity nor acceleration have a component there. Gravity
    /// then acts along that surface. Between two supports the disc comes to rest if it is slow and the impact is
    /// `damped`.
    fn change_support(&mut self, n: DVec2, [t, h]: [f64; 2], damped: bool) {
        let (support, since_middle) = (self.acceleration - self.gravity, t - 0.5 * h);
        let [before, gravity, velocity] =
            [self.acceleration, self.gravity, self.velocity].map(|vector| vector - n * vector.dot(n));
        let velocity = velocity + before * since_middle;
        let speed = velocity.length();
        let slow = SLOW * self.gravity.length() * h;
        if gravity.dot(support) < 0.0 && (speed <= slow || damped && speed < gravity.length() * h) {
            (self.velocity, self.acceleration) = (DVec2::ZERO, DVec2::ZERO);
            return;
        }
        let squared = |acceleration: DVec2| {
            speed * speed + (before.length_squared() - acceleration.length_squared()) * t * (h - t)
        };
        // Without the speed for the change, it feels no gravity until the end of the step.
        let acceleration = if squared(gravity) >= 0.0 { gravity } else { DVec2::ZERO };
        self.velocity = velocity.normalize_or_zero() * squared(acceleration).sqrt() - acceleration * since_middle;
        self.acceleration = acceleration;
    }
}

/// The factor for the velocity at the end of the step of a disc that terrain has held. Its path was above or below its
/// parabola, and between several pieces its bounces, each correct by itself, do not add up. `work` is that of gravity,
/// per mass. Without a loss the disc conserves its energy to rounding; with a loss it gains none. `None` if an elastic
/// disc is higher than its energy allows: it then turns around at its start of the step, which also conserves its
/// energy.
pub fn energy_share([began, ends]: [DVec2; 2], work: f64, damped: bool) -> Option<f64> {
    let (most, is) = (began.length_squared() + 2.0 * work, ends.length_squared());
    if !damped && most < 0.0 {
        return None;
    }
    Some(if is > most.max(0.0) || !damped && is > 0.0 { (most.max(0.0) / is).sqrt() } else { 1.0 })
}

/// The speed that corresponds to a rounding error of a position in a step of `h` seconds, m/s. Under gravity, anything
/// slower has not hit anything.
pub fn rounding_speed(at: DVec2, radius: f64, h: f64) -> f64 {
    f64::from(f32::EPSILON) * 2.0 * (at.abs().max_element() + radius) / h
}

/// The data of a bounce off a surface, besides the new flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceBounce {
    /// The velocity of the straight path before the bounce, relative to the surface, m/s.
    pub before: DVec2,
    /// The hit, if it was one.
    pub hit: Option<Bounce>,
    /// Whether it may have removed energy from the disc.
    pub is_damped: bool,
    /// Whether the surface may have done work on the disc: it moves, kicks, or is a conveyor.
    pub is_driven: bool,
}

/// A hit: its speed along the normal, m/s, and its coefficient of restitution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounce {
    pub approach: f64,
    pub e: f64,
}

/// Below this share of the speed that gravity adds in a step, a disc is at rest.
const SLOW: f64 = 1e-6;

/// The speed that remains of `speed` after bouncing with restitution `e` under `gravity` for `time` seconds. The series
/// of bounces ends after `2 speed / (gravity (1 - e))`.
fn after_bounces(speed: f64, e: f64, gravity: f64, time: f64) -> f64 {
    if e >= 1.0 {
        return speed;
    }
    if 2.0 * speed <= gravity * (1.0 - e) * time {
        return 0.0;
    }
    // A lower bound, as the bounces get shorter; the series ends all the same.
    let mut bounces = (gravity * time / (2.0 * speed)) as u32;
    let (mut left, mut power) = (speed, e);
    while bounces > 0 {
        if bounces % 2 == 1 {
            left *= power;
        }
        power *= power;
        bounces /= 2;
    }
    left
}

/// The first of these pieces that a disc on a straight path touches, and when, in seconds from now. At equal times the
/// first in order counts. `None` if that is later than `rest`.
pub fn first_touch<'a>(
    pieces: impl Iterator<Item = &'a Piece>,
    fixed: &TerrainView,
    way: [DVec2; 2],
    radius: f64,
    rest: f64,
) -> Option<(f64, Piece)> {
    let mut first: Option<(f64, Piece)> = None;
    for &piece in pieces {
        let time = fixed.time_of_impact(piece, way, radius);
        if time <= rest && first.is_none_or(|first| (time, piece) < first) {
            first = Some((time, piece));
        }
    }
    first
}

/// The motion of a sliding object in `time` seconds, from a speed, an acceleration along its path, and a deceleration
/// by friction. Returns the distance and the final speed. It stops if friction holds it.
fn slide(speed: f64, acceleration: f64, friction: f64, time: f64) -> [f64; 2] {
    let moved = |from: f64, rate: f64, time: f64| [from * time + 0.5 * rate * time * time, from + rate * time];
    let rate = acceleration - friction.copysign(speed);
    let stops = if speed == 0.0 { 0.0 } else { -speed / rate };
    if !(0.0..time).contains(&stops) {
        return moved(speed, rate, time);
    }
    let way = 0.5 * speed * stops;
    if acceleration.abs() <= friction {
        return [way, 0.0];
    }
    let [farther, then] = moved(0.0, acceleration - friction.copysign(acceleration), time - stops);
    [way + farther, then]
}

impl Flight {
    /// Applies the friction of a surface to a disc at time `t` of a step of `h` seconds. The disc has just bounced off
    /// it, or the surface holds it until the end of the step. `before` is the flight before the bounce; both are
    /// relative to the surface.
    pub fn rub(&mut self, before: &Self, away: DVec2, [t, h]: [f64; 2], friction: f64) {
        if !(friction > 0.0) {
            return;
        }
        let n = away / away.length_squared().sqrt();
        let then = |flight: &Self| flight.velocity + flight.acceleration * (t - 0.5 * h);
        let blow = (then(self) - then(before)).dot(n).max(0.0);
        let change = rubbed(then(self), n, friction * blow);
        self.velocity += change;
        let left = h - t;
        let press = (self.gravity - self.acceleration).dot(-n);
        if !(press > 0.0 && left > 0.0) {
            return;
        }
        // A surface that holds it presses on it until the end of the step.
        let tangent = n.perp();
        let (speed, acceleration) = (then(self).dot(tangent), self.acceleration.dot(tangent));
        let [way, ends] = slide(speed, acceleration, friction * press, left);
        let path = self.velocity.dot(tangent);
        let end = path + acceleration * 0.5 * h;
        let mean = way / left;
        self.velocity += tangent * (mean - path);
        self.residual += tangent * (ends - end - (mean - path));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_slides_stops_where_friction_holds_it_and_else_goes_on() {
        assert_eq!(slide(2.0, 0.0, 1.0, 1.0), [1.5, 1.0]);
        assert_eq!(slide(2.0, 0.0, 1.0, 4.0), [2.0, 0.0], "v² / 2a, and there it stays");
        assert_eq!(slide(-2.0, 0.0, 1.0, 4.0), [-2.0, 0.0]);
        assert_eq!(slide(0.0, 0.5, 1.0, 3.0), [0.0, 0.0], "friction holds it");
        assert_eq!(slide(0.0, 3.0, 1.0, 1.0), [1.0, 2.0], "it does not");
        assert_eq!(slide(-1.0, 3.0, 1.0, 1.25), [0.875, 2.0], "up a slope, and down again");
    }

    const UP: DVec2 = DVec2::Y;
    const G: DVec2 = DVec2::new(0.0, -10.0);

    /// Energy at the end and at the start of such a step, kinetic plus potential, per mass.
    fn energy_after(height: f64, speed: f64, t: f64, h: f64, e: f64) -> (f64, f64) {
        let mut flight = Flight::ending_with(DVec2::new(0.0, speed) + G * h, G, h);
        let at = height + flight.velocity.y * t;
        flight.bounce(UP * 3.0, [t, h], |_| e);
        let end = at + flight.velocity.y * (h - t);
        (0.5 * flight.end(h).length_squared() - G.y * end, 0.5 * speed * speed - G.y * height)
    }

    #[test]
    fn a_bounce_at_any_time_of_the_step_keeps_the_energy_of_height_and_motion() {
        for h in [1e-3, 1.0 / 60.0, 0.3] {
            for t in [0.0, 0.1, 0.5, 0.9, 1.0] {
                for speed in [-30.0, -3.0, -0.5, -0.01, 0.0, 0.01] {
                    let (after, before) = energy_after(2.0, speed, t * h, h, 1.0);
                    assert!(
                        (after - before).abs() < 1e-12 * (1.0 + before),
                        "{h} {t} {speed}: {before} J to {after} J"
                    );
                    let (damped, _) = energy_after(2.0, speed, t * h, h, 0.5);
                    assert!(damped < before + 1e-12 * (1.0 + before));
                }
            }
        }
    }

    #[test]
    fn a_train_of_bounces_ends_when_it_should() {
        // 1 m/s under 10 m/s² at e = 0.5: the rest of the series takes 0.4 s.
        assert_eq!(after_bounces(1.0, 0.5, 10.0, 0.41), 0.0);
        assert!(after_bounces(1.0, 0.5, 10.0, 0.39) > 0.0);
        assert_eq!(after_bounces(1.0, 1.0, 10.0, 1e9), 1.0);
        assert_eq!(
            [1e-9, 0.3].map(|time| after_bounces(1.0, 0.0, 10.0, time)),
            [1.0, 0.0],
            "before and after the first"
        );
    }

    #[test]
    fn what_lies_on_a_floor_stays_there_without_a_speed() {
        let h = 1.0 / 60.0;
        let mut flight = Flight::ending_with(G * h, G, h);
        assert_eq!(flight.bounce(UP, [0.0, h], |_| 0.5), None);
        assert_eq!((flight.velocity, flight.end(h)), (DVec2::ZERO, DVec2::ZERO));
    }
}
