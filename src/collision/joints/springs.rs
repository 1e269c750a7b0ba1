//! Springs and their dampers, each for half a step. Stiffness beyond the limit of the step is reduced.

use bevy::math::DVec2;

use super::{Group, JointBody, Link};
use crate::components::JointKind;

/// The largest square of the phase, rad², by which the springs of a disc together make it oscillate in a step. Verlet
/// is stable up to 4; at 1 a period has six steps.
const MAX_PHASE_SQUARED: f64 = 1.0;

impl Group {
    /// Sets the share of their stiffness that springs keep in steps of `h` seconds. The square of the greatest angular
    /// frequency of a net is bounded by the sum of stiffness / mass over the springs at a disc, for the worst disc.
    /// Springs whose other end moves too count twice (Gershgorin's circles).
    pub(super) fn soften(&mut self, h: f64) {
        let mut rates = vec![0.0; self.bodies.len()];
        for link in &self.links {
            let both_move = link.ends.iter().all(|&end| self.bodies[end].per_mass > 0.0);
            for &end in &link.ends {
                rates[end] += link.stiffness() * if both_move { 2.0 } else { 1.0 } * self.bodies[end].per_mass;
            }
        }
        let softness = |end: usize| (MAX_PHASE_SQUARED / (rates[end] * h * h)).min(1.0);
        for link in &mut self.links {
            let [a, b] = link.ends;
            link.softness = softness(a).min(softness(b));
        }
    }

    /// Applies springs for `time` seconds at the current positions of the discs.
    pub(super) fn pull(&mut self, time: f64) {
        for link in &self.links {
            if let Some((way, force)) = link.push_of_spring(&self.bodies, time) {
                link.part(&mut self.bodies, way * force);
            }
        }
    }

    /// Applies dampers for `time` seconds, one after the other, forward and backward. Each damps the speed along it as
    /// if its two ends were alone. Forward and backward together are a symmetric contraction, so the springs of a net
    /// stay stable. In one direction only, strong dampers would drive it.
    pub(super) fn damp(&mut self, time: f64) {
        let count = self.links.len();
        for k in (0..count).chain((0..count).rev()) {
            self.damp_link(k, 0.5 * time);
        }
    }

    fn damp_link(&mut self, k: usize, time: f64) {
        let link = self.links[k];
        let (Some([a, b]), JointKind::Spring { damping, .. }) = (link.ends(&self.bodies), link.kind) else { return };
        let way = b.at - a.at;
        let squared = way.length_squared();
        if damping > 0.0 && squared > 0.0 {
            let per_mass = a.per_mass + b.per_mass;
            let taken = -libm::expm1(-f64::from(damping) * per_mass * time);
            let parting = (b.velocity - a.velocity).dot(way) / squared;
            link.part(&mut self.bodies, -way * (parting * taken / per_mass));
        }
    }
}

impl Link {
    /// The vector from the first to the second end of a spring, metres, and the impulse within `time` seconds that
    /// separates them as a multiple of that, N s/m.
    pub(super) fn push_of_spring(&self, bodies: &[JointBody], time: f64) -> Option<(DVec2, f64)> {
        let (Some([a, b]), JointKind::Spring { length, .. }) = (self.ends(bodies), self.kind) else { return None };
        let way = b.at - a.at;
        let distance = way.length_squared().sqrt();
        let force = self.softness * self.stiffness() * (f64::from(length) - distance);
        // Two ends at one place have no direction.
        (distance > 0.0).then(|| (way, force * time / distance))
    }

    /// Its stiffness, N/m; zero for rods and ropes.
    pub(super) fn stiffness(&self) -> f64 {
        match self.kind {
            JointKind::Spring { stiffness, .. } => f64::from(stiffness),
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::joints::{Place, PlacedJoint};

    /// A row of discs of 1 kg with springs of 1 N/m between them.
    fn row(count: usize) -> Group {
        let place = |disc: usize| Place::Disc(disc as u32);
        let spring = JointKind::Spring { length: 1.0, stiffness: 1.0, damping: 0.0 };
        let joints: Vec<_> =
            (1..count).map(|disc| PlacedJoint { ends: [place(disc - 1), place(disc)], kind: spring }).collect();
        let mut group = Group::of(&joints, |_| true);
        group.bodies.iter_mut().for_each(|body| body.per_mass = 1.0);
        group
    }

    #[test]
    fn springs_are_softened_only_where_the_step_cannot_carry_them() {
        let mut group = row(3);
        group.soften(0.5);
        assert!(group.links.iter().all(|link| link.softness == 1.0), "4 N/m per kg at the middle, times h² is 1");
        group.soften(1.0);
        assert!(group.links.iter().all(|link| (link.softness - 0.25).abs() < 1e-15));
    }
}
