//! The energy of a group, in a frame in which nothing but gravity does work on it: that of the ends that others move,
//! or else that of momentum and angular momentum. Speeds within that frame may be scaled: no joint gets longer by it,
//! and momentum and angular momentum are kept.

use bevy::math::DVec2;

use super::{Body, Group, Link, small_steps::ROUNDING};
use crate::joint::JointKind;

/// A loss is given back up to this share of the energy within the frame.
const MOST_GIVEN_BACK: f64 = 0.05;

/// A frame that moves and turns: for each body the velocity that it has if nothing moves within the frame.
struct Frame {
    centre: DVec2,
    velocity: DVec2,
    /// Radians per second.
    turning: f64,
}

impl Group {
    /// The discs that joints may move.
    fn moved(&self) -> impl Iterator<Item = &Body> {
        self.bodies.iter().filter(|body| body.per_mass > 0.0 && body.is_there())
    }

    /// The velocity of the first end that others move, zero if there is none; and whether all have it.
    pub(super) fn anchor(&self) -> (DVec2, bool) {
        let mut led = self.bodies.iter().filter(|body| body.per_mass == 0.0 && body.is_there());
        let first = led.next().map_or(DVec2::ZERO, |body| body.velocity);
        (first, led.all(|body| body.velocity == first))
    }

    /// What ends that others move have done since the small step began, as seen from what moves with the velocity of
    /// the anchor, joules.
    pub(super) fn work_of_ends(&self, anchor: DVec2) -> f64 {
        let led = self.bodies.iter().filter(|body| body.per_mass == 0.0 && body.is_there());
        led.map(|body| -body.held.dot(body.velocity - anchor)).sum()
    }

    /// Kinetic, as seen from what moves with the velocity of the anchor, and that of springs, joules.
    pub(super) fn energy(&self, anchor: DVec2) -> f64 {
        let kinetic = |body: &Body| 0.5 * (body.velocity - anchor).length_squared() / body.per_mass;
        let springs = self.links.iter().map(|link| link.spring_energy(&self.bodies));
        self.moved().map(kinetic).sum::<f64>() + springs.sum::<f64>()
    }

    /// By how much more energy springs have, joules, as their discs are not where small steps have brought them.
    pub(super) fn stretched_by_hits(&self) -> f64 {
        if self.links.iter().all(Link::has_length) {
            return 0.0;
        }
        let expected: Vec<Body> = self.bodies.iter().map(|body| Body { at: body.end, ..*body }).collect();
        let gained = |link: &Link| link.spring_energy(&self.bodies) - link.spring_energy(&expected);
        self.links.iter().map(gained).sum()
    }

    /// The energy that velocity Verlet keeps in steps of `h` seconds where springs are linear, as seen from what moves
    /// with the velocity of the anchor, joules: that of motion and springs, less `h² / 8` times the sum of `F² / m`.
    /// The energy itself swings about that within a step's error.
    fn kept_energy(&mut self, h: f64, anchor: DVec2) -> f64 {
        let mut forces = std::mem::take(&mut self.velocities);
        forces.clear();
        forces.resize(self.bodies.len(), DVec2::ZERO);
        for link in &self.links {
            if let Some((way, force)) = link.push_of_spring(&self.bodies, 1.0) {
                let [a, b] = link.ends;
                forces[a] -= way * force;
                forces[b] += way * force;
            }
        }
        let squares = self.bodies.iter().zip(&forces).filter(|(body, _)| body.is_there());
        let squares: f64 = squares.map(|(body, force)| force.length_squared() * body.per_mass).sum();
        self.velocities = forces;
        self.energy(anchor) - 0.125 * h * h * squares
    }

    /// Remembers the group where a step that is taken as a whole begins.
    pub(super) fn open_account(&mut self) {
        self.bodies.iter_mut().for_each(|body| body.held = DVec2::ZERO);
        self.saved.clone_from(&self.bodies);
    }

    /// Lets dampers act for `time` seconds; the energy that they take, joules.
    pub(super) fn damp_by(&mut self, time: f64) -> f64 {
        if !self.has_dampers {
            return 0.0;
        }
        let kinetic = |group: &Self| -> f64 {
            group.moved().map(|body| 0.5 * body.velocity.length_squared() / body.per_mass).sum()
        };
        let before = kinetic(self);
        self.damp(time);
        before - kinetic(self)
    }

    /// Where its discs are where the step of `h` seconds ends, and how fast, if they are not hit.
    pub(super) fn expect(&mut self, h: f64) {
        for body in &mut self.bodies {
            // As the arrays hold it.
            body.given = body.velocity.as_vec2().as_dvec2();
            body.end = body.at + body.given * h - body.lag;
        }
    }

    /// The energy that hits have given its discs since the step began, joules, before joints act where it ends; none if
    /// there were no hits.
    pub(super) fn energy_of_hits(&self, forces_have_acted: bool) -> Option<f64> {
        let (anchor, _) = self.anchor();
        let cell = self.links.first().and_then(|link| link.cell);
        let (mut is_hit, mut gained) = (false, 0.0);
        for body in self.moved() {
            let off = body.at - body.end;
            let off = cell.map_or(off, |cell| cell.nearest_exactly(off)).abs().max_element();
            is_hit |= body.pushed && off > ROUNDING * body.at.abs().max_element();
            is_hit |= !forces_have_acted && body.velocity != body.given;
            let square = |velocity: DVec2| (velocity - anchor).length_squared();
            gained += 0.5 * (square(body.velocity) - square(body.given)) / body.per_mass;
        }
        is_hit.then_some(gained)
    }

    /// Takes the energy that joints have given in a step of `h` seconds in which hits have given `by_hits` joules;
    /// where hits are elastic, also gives back what joints have taken.
    ///
    /// What inelastic hits take does not count: a disc that a spring presses against a wall loses in every step what it
    /// has got in that step.
    pub(super) fn settle_account(&mut self, h: f64, by_hits: f64, are_elastic: bool) {
        if self.bodies.iter().zip(&self.saved).any(|(body, before)| body.is_there() != before.is_there()) {
            // One has fallen into a pocket.
            return;
        }
        let anchor = self.anchor();
        let after = self.kept_energy(h, anchor.0);
        std::mem::swap(&mut self.bodies, &mut self.saved);
        let before = self.kept_energy(h, anchor.0);
        std::mem::swap(&mut self.bodies, &mut self.saved);
        let by_hits = if are_elastic { by_hits } else { by_hits.max(0.0) };
        // What springs do where gravity bends the path.
        let bent: f64 = self.moved().map(|body| body.held.dot(body.lag)).sum::<f64>() / h;
        let gained = after - before - by_hits - bent - self.work_of_ends(anchor.0) + self.damped;
        // Rods and ropes take the speed along them that hits make, for good.
        let gives_back = are_elastic && gained.is_finite() && !self.links.iter().any(Link::has_length);
        if gained > 0.0 || gives_back {
            self.take_after_hit(gained, anchor);
        }
    }

    /// Takes so much energy (J) that a hit should not have given: from what moves within the frame and, where that is
    /// not enough, from how the group turns. Momentum is kept. Gives it, if it is less than zero, up to a small share
    /// of what there is.
    pub(super) fn take_after_hit(&mut self, energy: f64, anchor: (DVec2, bool)) {
        let taken = self.take_share(anchor, |all| energy.max(-MOST_GIVEN_BACK * all));
        let left = energy - taken;
        let is_led = |body: &Body| body.per_mass == 0.0 && body.is_there();
        if !(left > 0.0) || self.bodies.iter().any(is_led) {
            return;
        }
        let Frame { velocity, .. } = self.frame(anchor.0);
        let turning = |body: &Body| 0.5 * (body.velocity - velocity).length_squared() / body.per_mass;
        let all: f64 = self.moved().filter(|body| body.pushed).map(turning).sum();
        if all > 0.0 {
            let kept = (1.0 - left / all).max(0.0).sqrt();
            let is_moved = |body: &&mut Body| body.per_mass > 0.0 && body.is_there() && body.pushed;
            for body in self.bodies.iter_mut().filter(is_moved) {
                body.velocity = velocity + (body.velocity - velocity) * kept;
            }
        }
    }

    /// Takes so much energy (J) from what moves within its frame, or as much as there is; gives it, if it is less than
    /// zero and little.
    pub(super) fn take(&mut self, energy: f64, anchor: (DVec2, bool)) {
        self.take_share(anchor, |all| if energy >= -MOST_GIVEN_BACK * all { energy } else { 0.0 });
    }

    /// Takes so much of the energy (J) that moves within its frame as `wanted` says of all of it, or as much as there
    /// is. What it has taken.
    fn take_share(&mut self, anchor: (DVec2, bool), wanted: impl FnOnce(f64) -> f64) -> f64 {
        let mut own = std::mem::take(&mut self.velocities);
        own.clear();
        if anchor.1 {
            let frame = self.frame(anchor.0);
            own.extend(self.bodies.iter().map(|body| frame.velocity_at(body.at)));
        } else {
            self.find_led_velocities(&mut own);
        }
        let within = |(body, own): (&Body, &DVec2)| 0.5 * (body.velocity - own).length_squared() / body.per_mass;
        let is_moved = |body: &Body| body.per_mass > 0.0 && body.is_there() && body.pushed;
        let all: f64 = self.bodies.iter().zip(&own).filter(|(body, _)| is_moved(body)).map(within).sum();
        let energy = if all > 0.0 { wanted(all) } else { 0.0 };
        if energy != 0.0 {
            let left = (1.0 - energy / all).max(0.0).sqrt();
            for (body, &own) in self.bodies.iter_mut().zip(&own).filter(|(body, _)| is_moved(body)) {
                body.velocity = own + (body.velocity - own) * left;
            }
        }
        self.velocities = own;
        energy.min(all)
    }

    /// The velocities of all bodies if nothing moves within the frame, where ends are led in different ways: those of
    /// the least energy with which all joints keep their lengths. To what goes beyond, they are orthogonal.
    fn find_led_velocities(&mut self, own: &mut Vec<DVec2>) {
        let before: Vec<_> = self.bodies.iter().map(|body| (body.velocity, body.pushed)).collect();
        self.bodies.iter_mut().filter(|body| body.per_mass > 0.0).for_each(|body| body.velocity = DVec2::ZERO);
        self.links.iter_mut().for_each(|link| link.rebound = 0.0);
        self.keep_lengths();
        own.extend(self.bodies.iter().map(|body| body.velocity));
        for (body, before) in self.bodies.iter_mut().zip(before) {
            (body.velocity, body.pushed) = before;
        }
    }

    fn frame(&self, anchor: DVec2) -> Frame {
        if self.bodies.iter().any(|body| body.per_mass == 0.0 && body.is_there()) {
            return Frame { centre: DVec2::ZERO, velocity: anchor, turning: 0.0 };
        }
        let mean = |of: fn(&Body) -> DVec2| {
            let (mut sum, mut mass) = (DVec2::ZERO, 0.0);
            for body in self.moved().filter(|body| body.pushed) {
                sum += of(body) / body.per_mass;
                mass += 1.0 / body.per_mass;
            }
            if mass > 0.0 { sum / mass } else { DVec2::ZERO }
        };
        let (centre, velocity) = (mean(|body| body.at), mean(|body| body.velocity));
        // Across periodic edges it is not one rigid thing.
        let whole = self.links.iter().all(|link| link.cell.is_none());
        let (mut inertia, mut angular) = (0.0, 0.0);
        for body in self.moved().filter(|body| whole && body.pushed) {
            let arm = body.at - centre;
            inertia += arm.length_squared() / body.per_mass;
            angular += arm.perp_dot(body.velocity - velocity) / body.per_mass;
        }
        Frame { centre, velocity, turning: if inertia > 0.0 { angular / inertia } else { 0.0 } }
    }
}

impl Link {
    /// That of a spring, joules.
    fn spring_energy(&self, bodies: &[Body]) -> f64 {
        let JointKind::Spring { length, .. } = self.kind else { return 0.0 };
        let Some([a, b]) = self.ends(bodies) else { return 0.0 };
        let stretch = (b.at - a.at).length_squared().sqrt() - f64::from(length);
        0.5 * self.softness * self.stiffness() * stretch * stretch
    }
}

impl Frame {
    fn velocity_at(&self, at: DVec2) -> DVec2 {
        self.velocity + (at - self.centre).perp() * self.turning
    }
}
