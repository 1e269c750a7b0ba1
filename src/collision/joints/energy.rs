//! The energy of a group, in a frame in which nothing but gravity does work on it: that of the ends that others move, or else that of momentum and angular momentum. Speeds within that frame may be
//! scaled: no joint gets longer by it, and momentum and angular momentum are kept.

use bevy::math::DVec2;

use super::{Body, Group, Link};
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

    /// What ends that others move have done since the small step began, as seen from what moves with the velocity of the anchor, joules.
    pub(super) fn work_of_ends(&self, anchor: DVec2) -> f64 {
        let led = self.bodies.iter().filter(|body| body.per_mass == 0.0 && body.is_there());
        led.map(|body| -body.held.dot(body.velocity - anchor)).sum()
    }

    /// Kinetic, as seen from what moves with the velocity of the anchor, and that of springs, joules.
    pub(super) fn energy(&self, anchor: DVec2) -> f64 {
        let kinetic = |body: &Body| 0.5 * (body.velocity - anchor).length_squared() / body.per_mass;
        let spring = |link: &Link| {
            let JointKind::Spring { length, .. } = link.kind else { return 0.0 };
            let Some([a, b]) = link.ends(&self.bodies) else { return 0.0 };
            let stretch = (b.at - a.at).length_squared().sqrt() - f64::from(length);
            0.5 * link.softness * link.stiffness() * stretch * stretch
        };
        self.moved().map(kinetic).sum::<f64>() + self.links.iter().map(spring).sum::<f64>()
    }

    /// Takes so much energy (J) from what moves within its frame, or as much as there is; gives it, if it is less than zero and little.
    pub(super) fn take(&mut self, energy: f64, anchor: (DVec2, bool)) {
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
        if all > 0.0 && energy >= -MOST_GIVEN_BACK * all {
            let left = (1.0 - energy / all).max(0.0).sqrt();
            for (body, &own) in self.bodies.iter_mut().zip(&own).filter(|(body, _)| is_moved(body)) {
                body.velocity = own + (body.velocity - own) * left;
            }
        }
        self.velocities = own;
    }

    /// The velocities of all bodies if nothing moves within the frame, where ends are led in different ways: those of the least energy with which all joints keep their lengths. To what goes beyond, they
    /// are orthogonal.
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

impl Frame {
    fn velocity_at(&self, at: DVec2) -> DVec2 {
        self.velocity + (at - self.centre).perp() * self.turning
    }
}
