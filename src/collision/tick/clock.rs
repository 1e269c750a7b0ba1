//! The time of a tick.

use crate::collision::settings::CollisionSettings;

/// The part of a tick in which forces act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ForceStep {
    /// One of the substeps of the stepped mode.
    #[default]
    Substep,
    /// The first half of a tick of the continuous mode, before the discs move.
    FirstHalf,
    /// The second half, after they have moved.
    SecondHalf,
}

/// The time of a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// The number of the current tick; the first is 1.
    pub tick: u64,
    /// The simulated time at the end of the tick, seconds since the scene started.
    pub seconds: f64,
    /// The length of the tick, seconds.
    pub time_step: f32,
    /// The part of the tick in which forces act.
    pub force_step: ForceStep,
    /// The time that has passed in the tick, seconds: until the substep starts while forces act, until it ends after
    /// `Integrate`. Used only in the stepped mode.
    pub(crate) now: f32,
}

impl Clock {
    /// The duration for which forces act at once, seconds: a substep, or half a tick in the continuous mode.
    #[must_use]
    pub fn substep(&self, settings: &CollisionSettings) -> f32 {
        match self.force_step {
            ForceStep::Substep => self.time_step / settings.substeps as f32,
            ForceStep::FirstHalf | ForceStep::SecondHalf => self.time_step / 2.0,
        }
    }

    /// The time at which forces start to act in this substep, seconds since the scene started. It is the same in a tick
    /// and in its prediction.
    #[must_use]
    pub fn elapsed(&self) -> f64 {
        let begins = match self.force_step {
            ForceStep::Substep => self.now,
            ForceStep::FirstHalf => 0.0,
            ForceStep::SecondHalf => self.time_step / 2.0,
        };
        self.seconds - f64::from(self.time_step) + f64::from(begins)
    }

    /// The shares of the tick at which the current substep starts and ends.
    pub(crate) fn shares_of_tick(&self, settings: &CollisionSettings) -> [f64; 2] {
        let (substeps, substep) = (f64::from(settings.substeps), self.substep(settings));
        let passed = if substep > 0.0 { f64::from((self.now / substep).round()) } else { substeps };
        [(passed - 1.0).max(0.0) / substeps, passed / substeps]
    }
}
