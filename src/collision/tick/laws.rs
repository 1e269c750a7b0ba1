//! The laws that hold in a substep.

use bevy::prelude::*;

use super::Clock;
use crate::collision::{
    hit::answers::Answers,
    resting::state::Resting,
    settings::{CollisionSettings, SolverMode},
    spin::TablePhysics,
};

/// The laws that hold in the present substep: the settings of the tick, and what forces have set.
#[derive(Clone, Debug, Default)]
pub struct Laws {
    /// The settings of this tick, moved into their ranges.
    pub settings: CollisionSettings,
    /// The acceleration that acts on all discs, m/s²: the sum of those that [`motion::gravity`](crate::motion::gravity)
    /// was called with since the substep began, zero if it was not. That function also changes the velocities. A force
    /// that only changes velocities leaves piles without springs and awake, and bounces under it without their exact
    /// energy: `Settle`, `Integrate` and `Impacts` go by this.
    pub gravity: Vec2,
    /// What cloth, balls and cushions do to discs that spin; none unless a force has set it since the substep began. It
    /// acts where the discs move: in `Integrate` and `Impacts`, and in what they meet there.
    pub table: Option<TablePhysics>,
    /// How hits are answered.
    pub(crate) answers: Answers,
}

/// Overlaps up to this share of the smaller radius are roundings in the continuous mode, where discs touch exactly.
pub(crate) const OVERLAP_ROUNDING: f64 = 1e-4;

impl Laws {
    /// The acceleration by which paths are bent within a substep, m/s²; zero where `Settle` holds a pile, whose springs
    /// act by the velocities that they leave.
    pub(crate) fn acceleration(&self, resting: &Resting) -> Vec2 {
        if resting.acts { Vec2::ZERO } else { self.gravity }
    }

    /// What gravity adds to velocities on the present way of blocks, m/s.
    pub(crate) fn fall_speed(&self, clock: &Clock) -> f64 {
        let is_continuous = self.settings.mode == SolverMode::Continuous;
        let seconds = if is_continuous { clock.time_step } else { clock.substep(&self.settings) };
        f64::from(self.gravity.length_squared().sqrt() * seconds)
    }

    /// The share of the smaller radius up to which overlaps are left as they are.
    pub(crate) fn overlap_slop(&self) -> f32 {
        match self.settings.mode {
            SolverMode::Stepped => 0.0,
            SolverMode::Continuous => OVERLAP_ROUNDING as f32,
        }
    }
}
