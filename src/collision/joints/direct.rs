//! All rods and ropes of a group at once, by Newton's method. Ropes that would push are let go, and those that get too
//! long are taken in, until neither is left.

use super::{Body, Group, Link, lengths::end_of};

/// Lengths are right within this share.
const RIGHT: f64 = 1e-12;

/// Or within this share, where another iteration makes them no better: roundings.
const NEARLY_RIGHT: f64 = 1e-8;

/// Where steps get no smaller, this share too.
const BEARABLE: f64 = 1e-2;

/// Newton's method takes three or four; which ropes pull may take more.
const MAX_ITERATIONS: usize = 24;

/// Discs that lie in line between joints come right by a half of the error each.
const MAX_IMPLICIT_ITERATIONS: usize = 96;

/// A superfluous joint is right if its length agrees with those of the others within this share: they are given in f32.
const AGREES: f64 = 1e-5;

/// An iteration moves the ends of no joint by more than this share of its length against each other.
const FARTHEST: f64 = 0.5;

/// In which direction rods and ropes pull within a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pull {
    /// As they lie where it begins: RATTLE, which keeps energy.
    AsItBegins,
    /// As they lie where it ends: as an implicit method, which stills what swings too fast for the step.
    AsItEnds,
}

/// Whether a series of errors is done.
struct Convergence {
    last: f64,
}

impl Convergence {
    fn is_reached(&mut self, worst: f64) -> bool {
        let stands = worst <= NEARLY_RIGHT && worst >= 0.5 * self.last;
        self.last = worst;
        worst <= RIGHT || stands
    }
}

impl Group {
    /// As [`Group::reach_lengths`]; whether it has worked.
    pub(super) fn reach_directly(&mut self, h: f64, pull: Pull) -> bool {
        let mut convergence = Convergence { last: f64::INFINITY };
        let most = if pull == Pull::AsItEnds { MAX_IMPLICIT_ITERATIONS } else { MAX_ITERATIONS };
        self.links.iter_mut().for_each(|link| link.superfluous = false);
        for _ in 0..most {
            let Self { bodies, links, wanted, .. } = self;
            let mut worst = 0.0_f64;
            for (link, wanted) in links.iter_mut().zip(&mut *wanted) {
                (link.active, *wanted) = (false, 0.0);
                let (Some([a, b]), true) = (link.ends(bodies), link.has_length()) else { continue };
                let way = end_of(&b, h) - end_of(&a, h);
                let squared = link.target * link.target;
                let excess = way.length_squared() - squared;
                if link.is_rope() && link.given == 0.0 && excess <= RIGHT * squared {
                    continue;
                }
                (link.active, link.way, *wanted) = (true, way, -0.5 * excess / h);
                link.toward = if pull == Pull::AsItBegins { link.from } else { way };
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
            self.let_go();
        }
        pull == Pull::AsItEnds && convergence.last <= BEARABLE
    }

    /// Takes back so much of the last iteration that it moves nothing too far.
    fn shorten_iteration(&mut self, h: f64) {
        let Self { bodies, links, wanted, .. } = self;
        let mut farthest = 0.0_f64;
        for link in links.iter().filter(|link| link.active) {
            let Some([a, b]) = link.ends(bodies) else { continue };
            let moved = end_of(&b, h) - end_of(&a, h) - link.way;
            farthest = farthest.max(moved.length_squared().sqrt() / link.target);
        }
        if farthest > FARTHEST {
            for (link, &given) in links.iter_mut().zip(&*wanted).filter(|(link, _)| link.active) {
                link.give(bodies, given * (FARTHEST / farthest - 1.0));
            }
        }
    }

    /// As [`Group::keep_lengths`], where the fastest disc has this speed; whether it has worked.
    pub(super) fn stop_directly(&mut self, fastest: f64) -> bool {
        for link in &mut self.links {
            (link.active, link.superfluous) = (false, false);
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
                if link.is_rope() && link.given == 0.0 && !(error > RIGHT) {
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
            self.let_go();
        }
        false
    }

    /// Gives those that are active impulses that do what is wanted of each.
    fn give_wanted(&mut self) -> bool {
        let Self { bodies, links, wanted, matrix: Some(matrix), .. } = self else { return false };
        matrix.factor(links, bodies);
        matrix.solve(wanted);
        for (k, (link, &given)) in links.iter_mut().zip(&*wanted).enumerate() {
            link.superfluous = link.active && matrix.is_superfluous(k);
            if link.active && given != 0.0 {
                link.give(bodies, given);
            }
        }
        true
    }

    /// Lets go the ropes that push.
    fn let_go(&mut self) {
        let Self { bodies, links, .. } = self;
        for link in links.iter_mut().filter(|link| link.active && link.is_rope() && link.given > 0.0) {
            let back = -link.impulse;
            link.part(bodies, back);
            link.forget();
        }
    }
}

impl Link {
    /// The error that counts of this one, a share.
    fn counted(&self, error: f64) -> f64 {
        if self.superfluous && error <= AGREES { 0.0 } else { error }
    }

    fn give(&mut self, bodies: &mut [Body], given: f64) {
        let impulse = self.toward * given;
        self.given += given;
        self.impulse += impulse;
        self.part(bodies, impulse);
    }

    /// Forgets what it has given.
    pub(super) fn forget(&mut self) {
        self.given = 0.0;
        self.impulse = bevy::math::DVec2::ZERO;
    }
}
