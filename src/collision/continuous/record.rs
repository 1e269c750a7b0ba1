//! Records hits and path vertices for the messages, for drawing and for analysing paths.

use bevy::math::DVec2;

use super::tick_state::TickState;
use crate::collision::{hit::Surface, path::PathVertex};

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

    /// Records a hit of a disc at its current position; `before` is its velocity relative to what it hits, by their
    /// straight paths, m/s.
    #[inline(always)]
    pub(super) fn record(&mut self, i: usize, surface: &Surface, before: DVec2, approach_and_impulse: [f64; 2]) {
        let hit = surface.hit(i as u32, before, approach_and_impulse, self.particles[i].time as f32);
        self.report.record(hit, &self.laws.settings);
    }
}
