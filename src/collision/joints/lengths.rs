//! Rods and ropes: their lengths where a step ends, and no speed along those that are taut.

use bevy::math::DVec2;

use super::{Body, Group, Link};
use crate::joint::JointKind;

/// Joints that hang together are swept over until none changes anything by more than this share.
const TOLERANCE: f64 = 1e-11;

/// Or so often: a chain of twenty rods takes some hundreds.
const MAX_SWEEPS: usize = 2000;

/// In large groups only so often that no more joints than this are visited; what is not right by then comes right in the steps that follow.
const MAX_VISITS: usize = 200_000;

/// What is left of a length that is wrong, after a step.
const KEPT_ERROR: f64 = 0.875;

/// A rope is taut if it is no more than this share of its length and its coordinates from being so: some roundings of f32.
const TAUT: f64 = 4e-7;

impl Group {
    /// Makes velocities with which rods and ropes have their lengths after `h` seconds, where discs get less far than their velocities say by `lag`.
    pub(super) fn reach_lengths(&mut self, h: f64, lag: DVec2) {
        let Self { bodies, links } = self;
        for link in &mut *links {
            link.begin(bodies);
        }
        sweep(links, |link| link.reach_length(bodies, h, lag));
    }

    /// Stops the speed along rods, and along ropes that are taut.
    pub(super) fn keep_lengths(&mut self) {
        let Self { bodies, links } = self;
        let fastest = bodies.iter().map(|body| body.velocity.length_squared()).fold(0.0, f64::max).sqrt();
        for link in &mut *links {
            link.given = 0.0;
        }
        if fastest > 0.0 {
            sweep(links, |link| link.stop_along(bodies) / fastest);
        }
    }
}

/// Goes over rods and ropes to and fro, until none changes anything.
fn sweep(links: &mut [Link], mut solve: impl FnMut(&mut Link) -> f64) {
    let sweeps = (MAX_VISITS / links.len().max(1)).clamp(16, MAX_SWEEPS);
    for sweep in 0..sweeps {
        let mut most = 0.0_f64;
        let mut visit = |link: &mut Link| most = most.max(solve(link));
        if sweep % 2 == 0 {
            links.iter_mut().for_each(&mut visit);
        } else {
            links.iter_mut().rev().for_each(&mut visit);
        }
        if !(most > TOLERANCE) {
            break;
        }
    }
}

/// Where a body is after `h` seconds.
fn end_of(body: &Body, h: f64, lag: DVec2) -> DVec2 {
    body.at + body.velocity * h - if body.per_mass > 0.0 { lag } else { DVec2::ZERO }
}

impl Link {
    /// Takes over how its ends lie where a step begins.
    fn begin(&mut self, bodies: &[Body]) {
        (self.given, self.rebound) = (0.0, 0.0);
        let Some([a, b]) = self.ends(bodies) else { return };
        self.from = b.at - a.at;
        if let JointKind::Rope { length, restitution } = self.kind
            && restitution > 0.0
            && !self.is_taut(&a, &b)
        {
            // Where it gets taut: what angular momentum does not hold of the speed is along it.
            let (length, relative) = (f64::from(length), b.velocity - a.velocity);
            let across = self.from.perp_dot(relative) / length;
            let along = (relative.length_squared() - across * across).max(0.0).sqrt();
            self.rebound = f64::from(restitution) * along;
        }
    }

    fn is_taut(&self, a: &Body, b: &Body) -> bool {
        let JointKind::Rope { length, .. } = self.kind else { return true };
        let length = f64::from(length);
        let scale = length + a.at.abs().max_element() + b.at.abs().max_element();
        let slack = length - TAUT * scale;
        (b.at - a.at).length_squared() >= slack.max(0.0) * slack
    }

    /// Gives an impulse along the joint with which it has its length where the step ends; what it changes, as a share of the length.
    fn reach_length(&mut self, bodies: &mut [Body], h: f64, lag: DVec2) -> f64 {
        let is_rope = match self.kind {
            JointKind::Spring { .. } => return 0.0,
            JointKind::Rod { .. } => false,
            JointKind::Rope { .. } => true,
        };
        let Some([a, b]) = self.ends(bodies) else { return 0.0 };
        if !(h > 0.0) {
            return 0.0;
        }
        let (length, squared) = (f64::from(self.kind.length()), self.from.length_squared());
        let error = squared.sqrt() - length;
        let target = length + KEPT_ERROR * if is_rope { error.max(0.0) } else { error };
        let way = end_of(&b, h, lag) - end_of(&a, h, lag);
        let excess = way.length_squared() - target * target;
        if is_rope && self.given == 0.0 && excess <= 0.0 {
            return 0.0;
        }
        let per_impulse = h * (a.per_mass + b.per_mass);
        let along = self.from.dot(way);
        if along * along <= 0.01 * squared * way.length_squared() || along <= 0.0 {
            return self.shorten(bodies, way, target, per_impulse);
        }
        // |way + s from| = target, by the root next to zero; where the joint has turned too far for any, as near as it gets.
        let root = (along * along - squared * excess).max(0.0).sqrt();
        let wanted = self.given - excess / ((along + root) * per_impulse);
        let given = if is_rope { wanted.min(0.0) } else { wanted };
        let change = given - self.given;
        self.given = given;
        self.part(bodies, self.from * change);
        (change * per_impulse).abs() * squared.sqrt() / target
    }

    /// As [`Self::reach_length`], for a joint that has turned by a quarter or more within the step: an impulse along where it ends, if it is too long.
    fn shorten(&self, bodies: &mut [Body], way: DVec2, target: f64, per_impulse: f64) -> f64 {
        let distance = way.length_squared().sqrt();
        if !(distance > target) {
            return 0.0;
        }
        let change = target / distance - 1.0;
        self.part(bodies, way * (change / per_impulse));
        change.abs()
    }

    /// Gives an impulse that stops the speed along the joint; the speed that it changes, m/s.
    fn stop_along(&mut self, bodies: &mut [Body]) -> f64 {
        let is_rope = match self.kind {
            JointKind::Spring { .. } => return 0.0,
            JointKind::Rod { .. } => false,
            JointKind::Rope { .. } => true,
        };
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
