//! The moment between two ticks that a frame shows.

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::timeline::Playback;

/// Settings of the interpolation between ticks.
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct InterpolationSettings {
    /// Whether to interpolate. If off, everything appears exactly where the last tick left it. Motion then looks jerky
    /// if frames are more frequent than ticks. Default: on.
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
    /// The fraction of the last tick that has passed: 0 is the state before it, 1 the state after it. It is 1 while
    /// [`Playback`] is paused, and if [`InterpolationSettings`] are off.
    #[must_use]
    pub fn share(&self) -> f32 {
        if self.settings.enabled { self.playback.interpolation(&self.fixed) } else { 1.0 }
    }
}
