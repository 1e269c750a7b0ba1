//! The energy of a group in a frame in which only gravity does work on it. It is the frame of its driven ends, or
//! otherwise that of its momentum and angular momentum. Scaling the speeds within that frame changes no length of a
//! joint, and conserves momentum and angular momentum.

use bevy::math::DVec2;

use super::{Group, JointBody, Link, POSITION_ROUNDING};
use crate::components::JointKind;

/// The largest share of the energy within the frame, dimensionless, that is returned after a loss. A larger loss is
/// probably not an error of the step.
const MAX_RETURNED_SHARE: f64 = 0.05;

/// The motion of the driven ends of a group, which are ends that joints do not move.
#[derive(Clone, Copy)]
pub(super) struct Anchor {
    /// The velocity of the first one, m/s; zero if there are none.
    pub velocity: DVec2,
    /// Whether all of them have that velocity.
    is_shared: bool,
}

/// A frame that moves and turns.
struct Frame {
    /// Metres.
    centre: DVec2,
    /// Metres per second.
    velocity: DVec2,
    /// Radians per second.
    turning: f64,
}

impl Group {
    /// The discs that joints may move.
    fn moved(&self) -> impl Iterator<Item = &JointBody> {
        self.bodies.iter().filter(|body| body.per_mass > 0.0 && body.is_there())
    }

    /// The driven ends.
    fn driven(&self) -> impl Iterator<Item = &JointBody> {
        self.bodies.iter().filter(|body| body.per_mass == 0.0 && body.is_there())
    }

    pub(super) fn anchor(&self) -> Anchor {
        let mut driven = self.driven();
        let velocity = driven.next().map_or(DVec2::ZERO, |body| body.velocity);
        Anchor { velocity, is_shared: driven.all(|body| body.velocity == velocity) }
    }

    /// The work of driven ends since the start of the small step, relative to the velocity of the anchor, joules.
    pub(super) fn work_of_ends(&self, anchor: DVec2) -> f64 {
        self.driven().map(|body| -body.held.dot(body.velocity - anchor)).sum()
    }

    /// The kinetic energy, relative to the velocity of the anchor, plus that of springs, joules.
    pub(super) fn energy(&self, anchor: DVec2) -> f64 {
        let kinetic = |body: &JointBody| 0.5 * (body.velocity - anchor).length_squared() / body.per_mass;
        let springs = self.links.iter().map(|link| link.spring_energy(&self.bodies));
        self.moved().map(kinetic).sum::<f64>() + springs.sum::<f64>()
    }

    /// The energy of springs, joules, minus its value if no hit had moved their discs since the small steps.
    pub(super) fn stretched_by_hits(&self) -> f64 {
        if self.links.iter().all(Link::has_length) {
            return 0.0;
        }
        let expected: Vec<JointBody> = self.bodies.iter().map(|body| JointBody { at: body.end, ..*body }).collect();
        let gained = |link: &Link| link.spring_energy(&self.bodies) - link.spring_energy(&expected);
        self.links.iter().map(gained).sum()
    }

    /// The energy that velocity Verlet conserves in steps of `h` seconds for linear springs, relative to the velocity
    /// of the anchor, joules. It is the energy of motion and springs, minus `h² / 8` times the sum of `F² / m`. The
    /// energy itself oscillates about that by the error of a step.
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

    /// Saves the group at the start of a step that is taken as a whole.
    pub(super) fn open_account(&mut self) {
        self.bodies.iter_mut().for_each(|body| body.held = DVec2::ZERO);
        self.saved.clone_from(&self.bodies);
    }

    /// Applies dampers for `time` seconds; returns the energy that they remove, joules.
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

    /// Predicts the positions and velocities of its discs at the end of the step of `h` seconds, if they are not hit.
    pub(super) fn expect(&mut self, h: f64) {
        for body in &mut self.bodies {
            // Rounded as in the arrays.
            body.given = body.velocity.as_vec2().as_dvec2();
            body.end = body.at + body.given * h - body.lag;
        }
    }

    /// The energy that hits have added to its discs since the start of the step, joules; `None` if there were no hits.
    /// It must be called before joints act at the end of the step.
    pub(super) fn energy_of_hits(&self, forces_have_acted: bool) -> Option<f64> {
        let anchor = self.anchor().velocity;
        let cell = self.links.first().and_then(|link| link.cell);
        let (mut is_hit, mut gained) = (false, 0.0);
        for body in self.moved() {
            let off = body.at - body.end;
            let off = cell.map_or(off, |cell| cell.nearest_exactly(off)).abs().max_element();
            is_hit |= body.pushed && off > POSITION_ROUNDING * body.at.abs().max_element();
            is_hit |= !forces_have_acted && body.velocity != body.given;
            let square = |velocity: DVec2| (velocity - anchor).length_squared();
            gained += 0.5 * (square(body.velocity) - square(body.given)) / body.per_mass;
        }
        is_hit.then_some(gained)
    }

    /// Removes the energy that joints have added in a step of `h` seconds in which hits have added `by_hits` joules. If
    /// hits are elastic, it also returns energy that joints have removed.
    ///
    /// Losses of inelastic hits do not count: a disc that a spring presses against a wall loses in every step what it
    /// gained in that step.
    pub(super) fn settle_account(&mut self, h: f64, by_hits: f64, are_elastic: bool) {
        if self.bodies.iter().zip(&self.saved).any(|(body, before)| body.is_there() != before.is_there()) {
            // A disc has fallen into a pocket.
            return;
        }
        let anchor = self.anchor();
        let after = self.kept_energy(h, anchor.velocity);
        std::mem::swap(&mut self.bodies, &mut self.saved);
        let before = self.kept_energy(h, anchor.velocity);
        std::mem::swap(&mut self.bodies, &mut self.saved);
        let by_hits = if are_elastic { by_hits } else { by_hits.max(0.0) };
        // The work of springs along the part of the path that gravity bends.
        let bent: f64 = self.moved().map(|body| body.held.dot(body.lag)).sum::<f64>() / h;
        let gained = after - before - by_hits - bent - self.work_of_ends(anchor.velocity) + self.damped;
        // Rods and ropes remove the speed along them that hits cause, and do not return it.
        let gives_back = are_elastic && gained.is_finite() && !self.links.iter().any(Link::has_length);
        if gained > 0.0 || gives_back {
            self.take_after_hit(gained, anchor);
        }
    }

    /// Removes energy (J) that a hit should not have added: from the motion within the frame and, if that is not
    /// enough, from the rotation of the group. Momentum is conserved. Negative energy is added, up to
    /// [`MAX_RETURNED_SHARE`].
    pub(super) fn take_after_hit(&mut self, energy: f64, anchor: Anchor) {
        let taken = self.take_share(anchor, |all| energy.max(-MAX_RETURNED_SHARE * all));
        let left = energy - taken;
        if !(left > 0.0) || self.driven().next().is_some() {
            return;
        }
        let Frame { velocity, .. } = self.frame(anchor.velocity);
        let turning = |body: &JointBody| 0.5 * (body.velocity - velocity).length_squared() / body.per_mass;
        let all: f64 = self.moved().filter(|body| body.pushed).map(turning).sum();
        if all > 0.0 {
            let kept = (1.0 - left / all).max(0.0).sqrt();
            let is_moved = |body: &&mut JointBody| body.per_mass > 0.0 && body.is_there() && body.pushed;
            for body in self.bodies.iter_mut().filter(is_moved) {
                body.velocity = velocity + (body.velocity - velocity) * kept;
            }
        }
    }

    /// Removes energy (J) from the motion within its frame, at most all of it. Negative energy is added, up to
    /// [`MAX_RETURNED_SHARE`].
    pub(super) fn take(&mut self, energy: f64, anchor: Anchor) {
        self.take_share(anchor, |all| if energy >= -MAX_RETURNED_SHARE * all { energy } else { 0.0 });
    }

    /// Removes energy (J) from the motion within its frame, at most all of it; `wanted` computes the amount from the
    /// whole. Returns the amount removed.
    fn take_share(&mut self, anchor: Anchor, wanted: impl FnOnce(f64) -> f64) -> f64 {
        let mut own = std::mem::take(&mut self.velocities);
        own.clear();
        if anchor.is_shared {
            let frame = self.frame(anchor.velocity);
            own.extend(self.bodies.iter().map(|body| frame.velocity_at(body.at)));
        } else {
            self.find_driven_velocities(&mut own);
        }
        let within = |(body, own): (&JointBody, &DVec2)| 0.5 * (body.velocity - own).length_squared() / body.per_mass;
        let is_moved = |body: &JointBody| body.per_mass > 0.0 && body.is_there() && body.pushed;
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

    /// The velocities of all bodies if nothing moves within the frame, for driven ends with different velocities: those
    /// of the smallest energy at which all joints keep their lengths. The remaining motion is orthogonal to them.
    fn find_driven_velocities(&mut self, own: &mut Vec<DVec2>) {
        let before: Vec<_> = self.bodies.iter().map(|body| (body.velocity, body.pushed)).collect();
        self.bodies.iter_mut().filter(|body| body.per_mass > 0.0).for_each(|body| body.velocity = DVec2::ZERO);
        self.links.iter_mut().for_each(|link| link.rebound = 0.0);
        self.keep_lengths();
        own.extend(self.bodies.iter().map(|body| body.velocity));
        for (body, before) in self.bodies.iter_mut().zip(before) {
            (body.velocity, body.pushed) = before;
        }
    }

    /// The frame of the driven ends, or otherwise the frame of momentum and angular momentum.
    fn frame(&self, anchor: DVec2) -> Frame {
        if self.driven().next().is_some() {
            return Frame { centre: DVec2::ZERO, velocity: anchor, turning: 0.0 };
        }
        let mean = |of: fn(&JointBody) -> DVec2| {
            let (mut sum, mut mass) = (DVec2::ZERO, 0.0);
            for body in self.moved().filter(|body| body.pushed) {
                sum += of(body) / body.per_mass;
                mass += 1.0 / body.per_mass;
            }
            if mass > 0.0 { sum / mass } else { DVec2::ZERO }
        };
        let (centre, velocity) = (mean(|body| body.at), mean(|body| body.velocity));
        // A group across periodic edges is not one rigid body.
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
    /// The energy of a spring, joules; zero for rods and ropes.
    fn spring_energy(&self, bodies: &[JointBody]) -> f64 {
        let JointKind::Spring { length, .. } = self.kind else { return 0.0 };
        let Some([a, b]) = self.ends(bodies) else { return 0.0 };
        let stretch = (b.at - a.at).length_squared().sqrt() - f64::from(length);
        0.5 * self.softness * self.stiffness() * stretch * stretch
    }
}

impl Frame {
    /// The velocity of a place at rest in it, m/s.
    fn velocity_at(&self, at: DVec2) -> DVec2 {
        self.velocity + (at - self.centre).perp() * self.turning
    }
}
