//! Crossings: a disc that reaches a periodic edge is moved to the other side and continues.

use super::{particles::Crossing, tick_state::TickState};
use crate::collision::path::PathVertex;

/// The most edges that a disc crosses within a tick. After that it waits for the next tick, with its velocity. A
/// kinematic disc continues, and hits nothing more.
const MOST_CROSSINGS: u32 = 1024;

impl TickState<'_> {
    /// Whether a disc may cross one more edge.
    pub(super) fn may_cross(&self, i: usize) -> bool {
        self.budgets.crossings.get(i).is_none_or(|&crossings| crossings < MOST_CROSSINGS)
    }

    /// Moves a disc across an edge. Predictions for it become stale.
    pub(super) fn cross_edge(&mut self, i: usize, Crossing { axis, step }: Crossing, time: f64) {
        let Some([_, period]) = self.cell.and_then(|cell| cell.axis(axis)) else { return };
        self.advance(i, time);
        self.record_edge(i, time);
        let particle = &mut self.particles[i];
        particle.position[axis] -= period * f64::from(step);
        particle.stamp = particle.stamp.wrapping_add(1);
        self.record_edge(i, time);
        if self.budgets.crossings.is_empty() {
            self.budgets.crossings.resize(self.particles.len(), 0);
        }
        self.budgets.crossings[i] += 1;
        if !self.may_cross(i) && !self.is_kinematic(i) {
            self.wait(i);
            self.report.stopped += 1;
        }
    }

    /// Records where the path of a disc ends at one edge and continues at the other.
    fn record_edge(&mut self, i: usize, time: f64) {
        let particle = &self.particles[i];
        if !particle.is_kinematic() {
            let (disc, position) = (i as u32, particle.position.as_vec2());
            // Spinning discs do not cross edges, and only balls fly.
            self.report.path_vertices.push(PathVertex { disc, time: time as f32, position, height: 0.0 });
        }
    }
}
