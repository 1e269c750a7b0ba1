//! Rods and ropes: their lengths at the end of a step (SHAKE), and zero speed along taut ones (RATTLE).

use bevy::math::DVec2;

use super::{End, Group, JointBody, Link, POSITION_ROUNDING, direct::Pull};
use crate::components::JointKind;

/// Sweeps end when no joint changes by more than this share of its length or of the fastest speed, dimensionless. It is
/// far above the rounding of an `f64`.
const SWEPT: f64 = 1e-11;

/// The largest number of sweeps of a small group.
const MAX_SWEEPS: usize = 2000;

/// The largest number of visits of joints in all sweeps of a large group. It bounds the time of a step. The following
/// steps correct the rest, but there are at least [`MIN_SWEEPS`].
const MAX_VISITS: usize = 200_000;

/// The smallest number of sweeps of a group. It applies to groups of more than 12,500 joints, and after
/// [`MAX_FAILED_SWEEPS`].
const MIN_SWEEPS: usize = 16;

/// The largest number of sweeps in a step that may fail before the lengths count as contradictory.
pub(super) const MAX_FAILED_SWEEPS: u32 = 20;

/// The share of the error of a length that remains after a step, dimensionless. Correcting an eighth avoids jerks.
pub(super) const KEPT_ERROR: f64 = 0.875;

/// The smallest cosine squared of the angle by which a joint turns within a step, dimensionless, for impulses along its
/// initial direction. Beyond 84°, these would be very large.
const MIN_COSINE_SQUARED: f64 = 0.01;

impl Group {
    /// Sets velocities at which rods and ropes have their lengths after `h` seconds, except for the share `kept_error`
    /// of the current error. Returns whether all lengths are reached.
    pub(super) fn reach_lengths(&mut self, h: f64, kept_error: f64, pull: Pull) -> bool {
        for link in &mut self.links {
            link.begin(&self.bodies, kept_error);
        }
        if self.matrix.is_some() {
            let Self { bodies, velocities, .. } = self;
            velocities.clear();
            velocities.extend(bodies.iter().map(|body| body.velocity));
            if self.reach_directly(h, pull) {
                return true;
            }
            for (body, &velocity) in self.bodies.iter_mut().zip(&self.velocities) {
                body.velocity = velocity;
            }
            self.links.iter_mut().for_each(Link::forget);
        }
        self.sweep(|link, bodies| link.reach_length(bodies, h))
    }

    /// Stops the speed along rods and taut ropes.
    pub(super) fn keep_lengths(&mut self) {
        let fastest = self.bodies.iter().map(|body| body.velocity.length_squared()).fold(0.0, f64::max).sqrt();
        self.links.iter_mut().for_each(Link::forget);
        if !(fastest > 0.0) || self.matrix.is_some() && self.stop_directly(fastest) {
            return;
        }
        for link in &mut self.links {
            link.given *= link.way.length_squared().sqrt();
        }
        self.sweep(|link, bodies| link.stop_along(bodies) / fastest);
    }

    /// Solves rods and ropes one after the other, forward and backward in turn, until none changes; returns whether
    /// that was reached.
    fn sweep(&mut self, mut solve: impl FnMut(&mut Link, &mut [JointBody]) -> f64) -> bool {
        let Self { bodies, links, .. } = self;
        let most_sweeps = if self.failed_sweeps < MAX_FAILED_SWEEPS { MAX_VISITS / links.len().max(1) } else { 0 };
        for sweep in 0..most_sweeps.clamp(MIN_SWEEPS, MAX_SWEEPS) {
            let mut most = 0.0_f64;
            let mut visit = |link: &mut Link| most = most.max(solve(link, bodies));
            if sweep % 2 == 0 {
                links.iter_mut().for_each(&mut visit);
            } else {
                links.iter_mut().rev().for_each(&mut visit);
            }
            if !(most > SWEPT) {
                return true;
            }
        }
        self.failed_sweeps += u32::from(self.matrix.is_some());
        false
    }
}

/// The position of an end of a joint after `h` seconds, metres.
pub(super) fn end_of(body: &End, h: f64) -> DVec2 {
    body.at + body.velocity * h - body.lag
}

impl Link {
    /// Whether it is a rod or a rope.
    pub(super) fn has_length(&self) -> bool {
        !matches!(self.kind, JointKind::Spring { .. })
    }

    pub(super) fn is_rope(&self) -> bool {
        matches!(self.kind, JointKind::Rope { .. })
    }

    /// Prepares it for a step, from the positions of its ends.
    fn begin(&mut self, bodies: &[JointBody], kept_error: f64) {
        self.forget();
        self.rebound = 0.0;
        let Some([a, b]) = self.ends(bodies) else { return };
        self.from = b.at - a.at;
        self.slack = !self.is_taut(&a, &b);
        let length = f64::from(self.kind.length());
        let error = self.from.length_squared().sqrt() - length;
        self.target = length + kept_error * if self.is_rope() { error.max(0.0) } else { error };
        if let JointKind::Rope { length, restitution } = self.kind
            && restitution > 0.0
            && self.slack
        {
            // The speed along it when it becomes taut: all of the speed that angular momentum does not hold.
            let (length, relative) = (f64::from(length), b.velocity - a.velocity);
            let across = self.from.perp_dot(relative) / length;
            let along = (relative.length_squared() - across * across).max(0.0).sqrt();
            self.rebound = f64::from(restitution) * along;
        }
    }

    /// Whether a rope has its full length, up to rounding. Rods and springs always count as taut.
    pub(super) fn is_taut(&self, a: &End, b: &End) -> bool {
        let JointKind::Rope { length, .. } = self.kind else { return true };
        let length = f64::from(length);
        let scale = length + a.at.abs().max_element() + b.at.abs().max_element();
        let slack = length - POSITION_ROUNDING * scale;
        (b.at - a.at).length_squared() >= slack.max(0.0) * slack
    }

    /// Applies an impulse along the joint with which it has its length at the end of the step. Returns the change as a
    /// share of the length.
    fn reach_length(&mut self, bodies: &mut [JointBody], h: f64) -> f64 {
        let (is_rope, target, squared) = (self.is_rope(), self.target, self.from.length_squared());
        let Some([a, b]) = self.ends(bodies) else { return 0.0 };
        if !(h > 0.0) || !self.has_length() {
            return 0.0;
        }
        let way = end_of(&b, h) - end_of(&a, h);
        let excess = way.length_squared() - target * target;
        if is_rope && self.given == 0.0 && excess <= 0.0 {
            return 0.0;
        }
        let per_impulse = h * (a.per_mass + b.per_mass);
        let along = self.from.dot(way);
        if along * along <= MIN_COSINE_SQUARED * squared * way.length_squared() || along <= 0.0 {
            return self.shorten(bodies, way, target, per_impulse);
        }
        // The root closest to zero of |way + s from| = target. If there is none, the joint gets as close as possible.
        let root = (along * along - squared * excess).max(0.0).sqrt();
        let wanted = self.given - excess / ((along + root) * per_impulse);
        let given = if is_rope { wanted.min(0.0) } else { wanted };
        let change = given - self.given;
        self.given = given;
        self.part(bodies, self.from * change);
        (change * per_impulse).abs() * squared.sqrt() / target
    }

    /// As [`Self::reach_length`] for a joint that turns by about a quarter or more within the step: an impulse along
    /// its direction at the end, if it is too long.
    fn shorten(&self, bodies: &mut [JointBody], way: DVec2, target: f64, per_impulse: f64) -> f64 {
        let distance = way.length_squared().sqrt();
        if !(distance > target) {
            return 0.0;
        }
        let change = target / distance - 1.0;
        self.part(bodies, way * (change / per_impulse));
        change.abs()
    }

    /// Applies an impulse that stops the speed along the joint. Returns the change of that speed, m/s.
    fn stop_along(&mut self, bodies: &mut [JointBody]) -> f64 {
        if !self.has_length() {
            return 0.0;
        }
        let is_rope = self.is_rope();
        let Some([a, b]) = self.ends(bodies) else { return 0.0 };
        let way = b.at - a.at;
        let distance = way.length_squared().sqrt();
        if !(distance > 0.0) || !self.is_taut(&a, &b) {
            return 0.0;
        }
        let (normal, per_mass) = (way / distance, a.per_mass + b.per_mass);
        let parting = (b.velocity - a.velocity).dot(normal) + self.rebound;
        let wanted = self.given - parting / per_mass;
        let given = if is_rope { wanted.min(0.0) } else { wanted };
        let change = given - self.given;
        self.given = given;
        self.part(bodies, normal * change);
        (change * per_mass).abs()
    }
}
