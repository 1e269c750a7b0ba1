//! The paths of the discs of a [`PhysicsSpace`]: bent by gravity, or those of discs that spin on a table.

use bevy::{math::DVec2, prelude::*};

use super::PhysicsSpace;
use crate::collision::{discs::Discs, path::trajectory::Trajectory, tick::Laws};

impl PhysicsSpace {
    /// The acceleration that bends paths within a substep, m/s²: see [`Laws::acceleration`].
    pub(crate) fn acceleration(&self) -> Vec2 {
        self.laws.acceleration(&self.resting)
    }

    /// The acceleration that bends the path of one disc within a substep, m/s². `acceleration` is that of most discs.
    ///
    /// Paths of discs that spin on a table are not bent: gravity changes their velocities at the start of the substep.
    pub(crate) fn own_acceleration(&self, i: usize, acceleration: DVec2) -> DVec2 {
        match Trajectory::of_spinning(&self.trajectories, i) {
            Some(_) => DVec2::ZERO,
            None => acceleration * f64::from(self.discs.gravity_scale(i)),
        }
    }

    /// Changes the velocities of discs with a different acceleration, so that straight paths bent by `acceleration` end
    /// in the right places. Returns the previous velocities.
    pub(crate) fn bend_own_paths(&mut self, acceleration: Vec2) -> Vec<(usize, Vec2)> {
        let mut before = Vec::new();
        if acceleration == Vec2::ZERO {
            return before;
        }
        let half = 0.5 * self.substep();
        let Self { discs: Discs { own_motion, velocity, .. }, trajectories, .. } = self;
        let spins = |i: usize| Trajectory::of_spinning(trajectories, i).is_some();
        let own = own_motion.iter().map(|own| (own.disc as usize, own.gravity_scale));
        let own = own.filter(|&(i, scale)| scale != 1.0 && !spins(i));
        let spinning = (0..trajectories.len()).filter(|&i| spins(i)).map(|i| (i, 0.0));
        for (i, scale) in own.chain(spinning) {
            if let Some(velocity) = velocity.get_mut(i) {
                before.push((i, *velocity));
                *velocity += acceleration * ((1.0 - scale) * half);
            }
        }
        before
    }

    /// Runs a step that reads and changes the velocities of discs at the end of their paths. During it, the velocity of
    /// a spinning disc is the one at the end of its trajectory.
    pub(crate) fn with_velocities_at_end(&mut self, step: impl FnOnce(&mut Self)) {
        let mut trajectories = std::mem::take(&mut self.trajectories);
        let mut swapped = Vec::new();
        for (i, trajectory) in trajectories.iter().enumerate().filter(|(_, trajectory)| trajectory.shape.is_some()) {
            let end = trajectory.end.velocity.as_vec2();
            swapped.push((i, end, std::mem::replace(&mut self.discs.velocity[i], end)));
        }
        step(self);
        for (i, end, straight) in swapped {
            let after = std::mem::replace(&mut self.discs.velocity[i], straight);
            if after != end {
                trajectories[i].end.velocity += (after - end).as_dvec2();
            }
        }
        self.trajectories = trajectories;
    }

    /// In a tick without impacts: records the table events along the straight paths of the discs.
    pub(crate) fn record_straight_ways(&mut self, time: f64) {
        let Self { discs, trajectories, laws: Laws { table: Some(table), .. }, report, .. } = self else { return };
        if !report.record_events {
            return;
        }
        for (disc, trajectory) in trajectories.iter().enumerate() {
            let place_at = |time: f64| trajectory.place + discs.velocity[disc].as_dvec2() * time;
            report.record_way(disc as u32, trajectory, &table.cloth, [0.0, time], place_at);
        }
    }
}
