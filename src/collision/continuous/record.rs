//! Records hits and path vertices for the messages, for drawing and for analysing paths.

use bevy::math::DVec2;

use super::tick_state::TickState;
use crate::collision::{
    hit::{HitTarget, Surface},
    path::PathVertex,
};

impl TickState<'_> {
    /// Records a turn in the path of a disc, and makes predictions for it stale.
    #[inline(always)]
    pub(super) fn record_vertex(&mut self, disc: u32, time: f64) {
        let particle = &mut self.particles[disc as usize];
        if particle.is_kinematic() {
            return;
        }
        particle.stamp = particle.stamp.wrapping_add(1);
        self.report.path_vertices.push(PathVertex { disc, time: time as f32, position: particle.position.as_vec2() });
    }

    /// Records a hit of a disc at its current position, after its impulses. `before` is its velocity relative to the
    /// other side, by their straight paths, m/s.
    #[inline(always)]
    pub(super) fn record(&mut self, i: usize, surface: &Surface, before: DVec2, approach_and_impulse: [f64; 2]) {
        let time = self.particles[i].time;
        let of_other = match surface.target {
            HitTarget::Disc(other) => self.velocity_at(other as usize, time),
            HitTarget::Wall(_) | HitTarget::FixedCircle(_) => surface.velocity,
        };
        let after = [self.velocity_at(i, time), of_other];
        let hit = surface.hit(i as u32, before, after, approach_and_impulse, time as f32);
        self.report.record(hit, &self.laws.settings);
    }
}
