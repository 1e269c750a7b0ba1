//! The joints of a [`PhysicsSpace`]: when they act, and how gravity acts meanwhile.

use bevy::{math::DVec2, prelude::*};

use super::{ForceStep, PhysicsSpace};
use crate::collision::{
    joints::{Fall, Joints},
    settings::{CollisionSettings, SolverMode},
};

impl PhysicsSpace {
    /// Sets the joints of the tick.
    pub(crate) fn set_joints(&mut self, joints: Joints) {
        self.joints = joints;
        let held = self.joints.held_closer_than_they_have_room(&self.discs.radius);
        if self.discs.filter.hold(held) {
            // The earlier candidate pairs used the earlier filters.
            self.broad_phase.candidates.forget();
        }
    }

    /// Whether there are any joints.
    pub(crate) fn has_joints(&self) -> bool {
        !self.joints.is_empty()
    }

    /// The duration of one movement of the discs, seconds.
    fn step(&self) -> f64 {
        match self.laws.settings.mode {
            SolverMode::Stepped => f64::from(self.clock.time_step) / f64::from(self.laws.settings.substeps),
            SolverMode::Continuous => f64::from(self.clock.time_step),
        }
    }

    /// How gravity acts in the next step.
    fn gravity_of_step(&self, h: f64) -> Fall {
        let gravity = self.laws.gravity.as_dvec2();
        match self.laws.settings.mode {
            SolverMode::Continuous => Fall { gravity, before: 0.5 * h, after: 0.5 * h, lag: 0.0 },
            // The velocity is the one at the end of the step, so the path ends short of it.
            SolverMode::Stepped if self.laws.table.is_none() && self.acceleration() != Vec2::ZERO => {
                Fall { gravity, before: h, after: 0.0, lag: 0.5 * h * h }
            }
            SolverMode::Stepped => Fall { gravity: DVec2::ZERO, before: 0.0, after: 0.0, lag: 0.0 },
        }
    }

    /// Applies the joints before the discs move.
    pub(crate) fn begin_joints(&mut self) {
        if self.joints.is_empty() {
            return;
        }
        let h = self.step();
        let fall = self.gravity_of_step(h);
        self.joints.begin(&mut self.discs, self.cell, h, fall);
    }

    /// Applies the joints after the discs have moved, and after the second half of the forces.
    pub(crate) fn end_joints(&mut self) {
        if self.joints.is_empty() || self.clock.force_step == ForceStep::FirstHalf {
            return;
        }
        self.discs.keep_kinematic_velocities();
        let CollisionSettings { restitution, terrain_restitution, resting_speed, .. } = self.laws.settings;
        let are_elastic = restitution >= 1.0 && terrain_restitution >= 1.0 && resting_speed == 0.0;
        let (h, after_half) = (self.step(), self.clock.force_step == ForceStep::SecondHalf);
        self.joints.end(&mut self.discs, self.cell, h, after_half, are_elastic);
    }
}
