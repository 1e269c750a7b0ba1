//! The laws of a substep.

use bevy::prelude::*;

use super::Clock;
use crate::collision::{
    hit::answers::Answers,
    resting::state::Resting,
    settings::{CollisionSettings, SolverMode},
    spin::TablePhysics,
};

/// The laws of the current substep: the settings of the tick, and the values that forces have set.
#[derive(Clone, Debug, Default)]
pub struct Laws {
    /// The settings of this tick, clamped to their ranges.
    pub settings: CollisionSettings,
    /// The acceleration of all discs, m/s²: the sum of the arguments of [`motion::gravity`](crate::motion::gravity)
    /// since the substep started, or zero. That function also changes the velocities. `Settle`, `Integrate` and
    /// `Impacts` use this value. Under a force that only changes velocities, piles get no springs and stay awake, and
    /// bounces do not conserve energy exactly.
    pub gravity: Vec2,
    /// How cloth, balls and cushions act on spinning discs; `None` unless a force has set it since the substep started.
    /// It acts in `Integrate` and `Impacts`, where the discs move and hit things.
    pub table: Option<TablePhysics>,
    /// How hits are answered.
    pub(crate) answers: Answers,
}

/// In the continuous mode discs touch exactly, so overlaps up to this share of the smaller radius are rounding errors.
pub(crate) const OVERLAP_ROUNDING: f64 = 1e-4;

impl Laws {
    /// The acceleration that bends paths within a substep, m/s². It is zero where `Settle` supports a pile, as its
    /// springs act by the velocities that they set.
    pub(crate) fn acceleration(&self, resting: &Resting) -> Vec2 {
        if resting.acts { Vec2::ZERO } else { self.gravity }
    }

    /// The change of velocity by gravity on the current path of blocks, m/s.
    pub(crate) fn fall_speed(&self, clock: &Clock) -> f64 {
        let is_continuous = self.settings.mode == SolverMode::Continuous;
        let seconds = if is_continuous { clock.time_step } else { clock.substep(&self.settings) };
        f64::from(self.gravity.length_squared().sqrt() * seconds)
    }

    /// Whether balls leave the cloth: in the continuous mode, on a table with a flight.
    pub(crate) fn balls_fly(&self) -> bool {
        let flies = |table: &TablePhysics| table.flight.is_some();
        self.settings.mode == SolverMode::Continuous && self.table.as_ref().is_some_and(flies)
    }

    /// The share of the smaller radius up to which overlaps are ignored.
    pub(crate) fn overlap_slop(&self) -> f32 {
        match self.settings.mode {
            SolverMode::Stepped => 0.0,
            SolverMode::Continuous => OVERLAP_ROUNDING as f32,
        }
    }
}
