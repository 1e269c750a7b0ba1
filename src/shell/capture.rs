//! Pictures and recordings of the window, as they are asked for: [`CaptureRequest`] asks, whoever can take them (the
//! program does) answers with [`CaptureProgress`].

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// Asks for a picture or a recording of the window, as [`CaptureSettings`] has it. Where there is no
/// [`CaptureProgress`] nobody hears it.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureRequest {
    /// A picture, now.
    Picture,
    /// A recording that begins now, unless one runs already.
    Record,
    /// The end of the recording that runs: what there is of it is written.
    Stop,
}

/// What a recording is written as.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AnimationFormat {
    /// GIF: 256 colours a picture; plays everywhere.
    #[default]
    Gif,
    /// Animated PNG: all colours, and larger files.
    Apng,
}

impl AnimationFormat {
    /// Both, with the words that people read.
    pub const ALL: [(Self, &str); 2] =
        [(Self::Gif, crate::notice::mark("GIF")), (Self::Apng, crate::notice::mark("animated PNG"))];
}

/// How pictures and recordings are taken.
#[derive(Resource, Reflect, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Resource, Default)]
#[serde(default)]
pub struct CaptureSettings {
    /// What a recording is written as. Default: GIF.
    pub format: AnimationFormat,
    /// How long it is, real seconds, 1 to 60. Default: 5.
    pub seconds: f32,
    /// How many pictures a second it has, 2 to 50. Default: 20. A machine that cannot keep up takes fewer; they are
    /// shown as long as they were seen.
    pub rate: f32,
    /// Whether the panel is in pictures and recordings. Default: yes.
    pub panel: bool,
    /// Whether recordings have half the width and height. Default: no.
    pub half_size: bool,
}

impl Default for CaptureSettings {
    fn default() -> Self {
        Self { format: AnimationFormat::Gif, seconds: 5.0, rate: 20.0, panel: true, half_size: false }
    }
}

impl CaptureSettings {
    /// These settings with every value that is out of range moved into it; what is no number becomes the default.
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

    /// How long a recording may be, real seconds.
    pub const SECONDS: std::ops::RangeInclusive<f32> = 1.0..=60.0;

    /// How many pictures a second it may have.
    pub const RATE: std::ops::RangeInclusive<f32> = 2.0..=50.0;
}

/// How far a recording has come. Whoever takes pictures puts it into the world.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub enum CaptureProgress {
    /// Nothing is recorded.
    #[default]
    Idle,
    /// Pictures are taken.
    Recording {
        /// Since the beginning, real seconds.
        seconds: f32,
        /// How long it will be, real seconds.
        of: f32,
    },
    /// The file is being written.
    Writing {
        /// How many pictures are in it.
        done: usize,
        /// How many there will be.
        of: usize,
    },
}
