//! Which moment between two ticks a frame shows.

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::timeline::Playback;

/// Whether frames lie between ticks.
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct InterpolationSettings {
    /// Off: everything is shown exactly where the last tick left it, and moves in steps where frames are more frequent
    /// than ticks. Default: on.
    pub enabled: bool,
}

impl Default for InterpolationSettings {
    fn default() -> Self {
        Self { enabled: true }
    }
}

/// The moment that a frame shows.
#[derive(SystemParam)]
pub struct Overstep<'w> {
    settings: Res<'w, InterpolationSettings>,
    playback: Res<'w, Playback>,
    fixed: Res<'w, Time<Fixed>>,
}

impl Overstep<'_> {
    /// Which share of the last tick has passed, from 0, the state before it, to 1, the state after it. It is 1 while
    /// [`Playback`] is paused and where [`InterpolationSettings`] say so.
    #[must_use]
    pub fn share(&self) -> f32 {
        if self.settings.enabled { self.playback.interpolation(&self.fixed) } else { 1.0 }
    }
}
