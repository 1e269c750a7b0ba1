//! Requests for screenshots and recordings of the window. [`CaptureRequest`] asks for one. The code that can take them,
//! such as the program, responds with [`CaptureProgress`].

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// Requests a screenshot or a recording of the window, according to [`CaptureSettings`]. Without a [`CaptureProgress`]
/// resource it has no effect.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureRequest {
    /// Take a screenshot now.
    Screenshot,
    /// Start a recording now, unless one is running.
    Record,
    /// End the running recording, and write it.
    Stop,
}

/// The format of a recording.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AnimationFormat {
    /// GIF: 256 colours per frame; plays everywhere.
    #[default]
    Gif,
    /// Animated PNG: all colours, and larger files.
    Apng,
}

impl AnimationFormat {
    /// Both formats, with their displayed words.
    pub const ALL: [(Self, &str); 2] =
        [(Self::Gif, crate::notice::mark("GIF")), (Self::Apng, crate::notice::mark("animated PNG"))];
}

/// The settings of screenshots and recordings.
#[derive(Resource, Reflect, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Resource, Default)]
#[serde(default)]
pub struct CaptureSettings {
    /// The format of a recording. Default: GIF.
    pub format: AnimationFormat,
    /// The length of a recording, real seconds, 1 to 60. Default: 5.
    pub seconds: f32,
    /// The frames per second, 2 to 50. Default: 20. A machine that cannot keep up records fewer, and each keeps its
    /// true duration.
    pub rate: f32,
    /// Whether screenshots and recordings include the panel. Default: yes.
    pub panel: bool,
    /// Whether recordings have half of the width and height. Default: no.
    pub half_size: bool,
}

impl Default for CaptureSettings {
    fn default() -> Self {
        Self { format: AnimationFormat::Gif, seconds: 5.0, rate: 20.0, panel: true, half_size: false }
    }
}

impl CaptureSettings {
    /// These settings with all values clamped to their ranges. NaN becomes the default.
    #[must_use]
    pub fn in_range(&self) -> Self {
        let default = Self::default();
        let within = |value: f32, range: std::ops::RangeInclusive<f32>, default: f32| {
            if value.is_finite() { value.clamp(*range.start(), *range.end()) } else { default }
        };
        Self {
            seconds: within(self.seconds, Self::SECONDS, default.seconds),
            rate: within(self.rate, Self::RATE, default.rate),
            ..self.clone()
        }
    }

    /// The range of lengths, real seconds.
    pub const SECONDS: std::ops::RangeInclusive<f32> = 1.0..=60.0;

    /// The range of frames per second.
    pub const RATE: std::ops::RangeInclusive<f32> = 2.0..=50.0;
}

/// The progress of a recording. The code that takes recordings inserts it as a resource.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub enum CaptureProgress {
    /// There is no recording.
    #[default]
    Idle,
    /// A recording is running.
    Recording {
        /// The time since its start, real seconds.
        seconds: f32,
        /// Its total length, real seconds.
        of: f32,
    },
    /// The file is being written.
    Writing {
        /// The number of frames written.
        done: usize,
        /// The number of frames in total.
        of: usize,
    },
}
