//! Solves all rods and ropes of a group together, by Newton's method. Ropes that would push become inactive, and ropes
//! that get too long become active, until there are neither.

use bevy::math::DVec2;

use super::{Group, JointBody, Link, lengths::end_of};

/// Errors below this share of the length squared, or of the fastest speed, dimensionless, count as solved: thousands of
/// rounding errors of an `f64`.
const SOLVED: f64 = 1e-12;

/// Errors below this share, dimensionless, count as solved if another iteration does not halve them: the rest is
/// rounding.
const SOLVED_TO_ROUNDING: f64 = 1e-8;

/// Errors of the implicit method below this share, dimensionless, are accepted after the last iteration, because the
/// small steps cannot get smaller. The following steps correct them.
const ACCEPTED_ERROR: f64 = 1e-2;

/// The largest number of iterations. Newton's method takes three or four; finding the ropes that pull takes more.
const MAX_ITERATIONS: usize = 24;

/// The largest number of iterations of the implicit method. Collinear discs between joints halve their error in each.
const MAX_IMPLICIT_ITERATIONS: usize = 96;

/// A redundant joint is solved if its length agrees with the other lengths within this share, dimensionless. Lengths
/// are given in `f32`.
const REDUNDANT_TOLERANCE: f64 = 1e-5;

/// The largest relative movement of the ends of a joint in one iteration, as a share of its length, dimensionless. It
/// keeps Newton's method from overshooting.
const MAX_MOVE: f64 = 0.5;

/// The direction in which rods and ropes pull within a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pull {
    /// Their direction at its start: RATTLE, which conserves energy.
    AtBegin,
    /// Their direction at its end: an implicit method, which damps oscillations too fast for the step.
    AtEnd,
}

/// Decides whether a series of errors has converged.
struct Convergence {
    last: f64,
}

impl Convergence {
    fn is_reached(&mut self, worst: f64) -> bool {
        let is_stuck = worst <= SOLVED_TO_ROUNDING && worst >= 0.5 * self.last;
        self.last = worst;
        worst <= SOLVED || is_stuck
    }
}

impl Group {
    /// As [`Group::reach_lengths`]; returns whether it has converged.
    pub(super) fn reach_directly(&mut self, h: f64, pull: Pull) -> bool {
        let mut convergence = Convergence { last: f64::INFINITY };
        let most = if pull == Pull::AtEnd { MAX_IMPLICIT_ITERATIONS } else { MAX_ITERATIONS };
        self.links.iter_mut().for_each(|link| link.redundant = false);
        for _ in 0..most {
            let Self { bodies, links, wanted, .. } = self;
            let mut worst = 0.0_f64;
            for (link, wanted) in links.iter_mut().zip(&mut *wanted) {
                (link.active, *wanted) = (false, 0.0);
                let (Some([a, b]), true) = (link.ends(bodies), link.has_length()) else { continue };
                let way = end_of(&b, h) - end_of(&a, h);
                let squared = link.target * link.target;
                let excess = way.length_squared() - squared;
                if link.is_rope() && link.given == 0.0 && excess <= SOLVED * squared {
                    continue;
                }
                (link.active, link.way, *wanted) = (true, way, -0.5 * excess / h);
                link.toward = if pull == Pull::AtBegin { link.from } else { way };
                worst = worst.max(link.counted(excess.abs() / squared));
            }
            if !worst.is_finite() {
                return false;
            }
            if convergence.is_reached(worst) {
                return true;
            }
            if !self.give_wanted() {
                return false;
            }
            self.shorten_iteration(h);
            self.release_pushing_ropes();
        }
        pull == Pull::AtEnd && convergence.last <= ACCEPTED_ERROR
    }

    /// Shortens the last iteration so that it moves no joint by more than [`MAX_MOVE`].
    fn shorten_iteration(&mut self, h: f64) {
        let Self { bodies, links, wanted, .. } = self;
        let mut farthest = 0.0_f64;
        for link in links.iter().filter(|link| link.active) {
            let Some([a, b]) = link.ends(bodies) else { continue };
            let moved = end_of(&b, h) - end_of(&a, h) - link.way;
            farthest = farthest.max(moved.length_squared().sqrt() / link.target);
        }
        if farthest > MAX_MOVE {
            for (link, &given) in links.iter_mut().zip(&*wanted).filter(|(link, _)| link.active) {
                link.give(bodies, given * (MAX_MOVE / farthest - 1.0));
            }
        }
    }

    /// As [`Group::keep_lengths`], if the fastest disc has this speed (m/s); returns whether it has converged.
    pub(super) fn stop_directly(&mut self, fastest: f64) -> bool {
        for link in &mut self.links {
            (link.active, link.redundant) = (false, false);
            if let (Some([a, b]), true) = (link.ends(&self.bodies), link.has_length()) {
                link.way = b.at - a.at;
                link.toward = link.way;
                link.taut = link.is_taut(&a, &b);
                link.active = link.taut && !link.is_rope();
            } else {
                link.taut = false;
            }
        }
        let mut convergence = Convergence { last: f64::INFINITY };
        for _ in 0..MAX_ITERATIONS {
            let Self { bodies, links, wanted, .. } = self;
            let mut worst = 0.0_f64;
            for (link, wanted) in links.iter_mut().zip(&mut *wanted) {
                *wanted = 0.0;
                if !link.taut {
                    continue;
                }
                let [a, b] = link.ends.map(|end| bodies[end].velocity);
                let distance = link.way.length_squared().sqrt();
                let parting = link.way.dot(b - a) + link.rebound * distance;
                let error = parting / (distance * fastest);
                if link.is_rope() && link.given == 0.0 && !(error > SOLVED) {
                    link.active = false;
                    continue;
                }
                (link.active, *wanted) = (true, -parting);
                worst = worst.max(link.counted(error.abs()));
            }
            if convergence.is_reached(worst) {
                return true;
            }
            if !worst.is_finite() || !self.give_wanted() {
                return false;
            }
            self.release_pushing_ropes();
        }
        false
    }

    /// Applies the impulses that change each active joint by the required amount; returns false without a matrix.
    fn give_wanted(&mut self) -> bool {
        let Self { bodies, links, wanted, matrix: Some(matrix), .. } = self else { return false };
        matrix.factor(links, bodies);
        matrix.solve(wanted);
        for (k, (link, &given)) in links.iter_mut().zip(&*wanted).enumerate() {
            link.redundant = link.active && matrix.is_redundant(k);
            if link.active && given != 0.0 {
                link.give(bodies, given);
            }
        }
        true
    }

    /// Removes the impulses of ropes that push.
    fn release_pushing_ropes(&mut self) {
        let Self { bodies, links, .. } = self;
        for link in links.iter_mut().filter(|link| link.active && link.is_rope() && link.given > 0.0) {
            let back = -link.impulse;
            link.part(bodies, back);
            link.forget();
        }
    }
}

impl Link {
    /// The error that counts, a share: zero for a redundant joint that agrees with the others.
    fn counted(&self, error: f64) -> f64 {
        if self.redundant && error <= REDUNDANT_TOLERANCE { 0.0 } else { error }
    }

    fn give(&mut self, bodies: &mut [JointBody], given: f64) {
        let impulse = self.toward * given;
        self.given += given;
        self.impulse += impulse;
        self.part(bodies, impulse);
    }

    /// Resets its impulse.
    pub(super) fn forget(&mut self) {
        self.given = 0.0;
        self.impulse = DVec2::ZERO;
    }
}
