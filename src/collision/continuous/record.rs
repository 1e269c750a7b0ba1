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
        let (time_in_tick, position) = (time as f32, particle.position.as_vec2());
        let height = self.height_at(disc as usize, time);
        self.report.path_vertices.push(PathVertex { disc, time: time_in_tick, position, height });
    }

    /// Records a hit of a disc at its current position; `before` is its velocity relative to what it hits, by their
    /// straight paths, m/s.
    #[inline(always)]
    pub(super) fn record(&mut self, i: usize, surface: &Surface, before: DVec2, approach_and_impulse: [f64; 2]) {
        let hit = surface.hit(i as u32, before, approach_and_impulse, self.particles[i].time as f32);
        self.report.record(hit, &self.laws.settings);
    }

    /// The velocities of two discs at a time of the tick, m/s; zero where there is no disc.
    #[inline(always)]
    pub(super) fn velocities_at(&self, discs: [Option<usize>; 2], time: f64) -> [DVec2; 2] {
        discs.map(|disc| disc.map_or(DVec2::ZERO, |disc| self.velocity_at(disc, time)))
    }

    /// Adds the velocities just before and just after a hit to its record, if there is one: `hits` is the number of
    /// records before it. It has just been resolved, for these discs at this time.
    #[inline(always)]
    pub(super) fn complete_hit(&mut self, hits: usize, discs: [Option<usize>; 2], before: [DVec2; 2], time: f64) {
        if self.report.hits.len() == hits {
            return;
        }
        let after = self.velocities_at(discs, time);
        let hit = &mut self.report.hits[hits];
        for ((disc, before), after) in discs.into_iter().zip(before).zip(after) {
            if let Some(disc) = disc {
                *hit = hit.with_velocity(disc as u32, [before, after]);
            }
        }
    }
}
