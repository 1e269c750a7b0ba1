//! Keys that act once when they are pressed, and go on while they are held.

use bevy::math::ops;

use super::{Control, Inputs};

/// How long a key has to be held until it repeats, seconds.
const DELAY: f32 = 0.35;
/// How often it does then, 1/s.
const RATE: f32 = 30.0;
/// After how many seconds it does four times as often, so that half a turn of a shot takes some three seconds.
const FASTER_AFTER: f32 = 0.8;

/// How long one of a set of keys has been held, seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Repeat(f32);

impl Repeat {
    /// How many steps each of these controls makes in a frame of `seconds`: one when it is pressed, and parts of steps while it is held.
    pub(crate) fn steps<const N: usize>(&mut self, inputs: &Inputs, controls: [Control; N], seconds: f32) -> [f32; N] {
        let is_held = controls.iter().any(|&control| inputs.held(control));
        self.0 = if is_held { self.0 + seconds } else { 0.0 };
        let pace = ops::powf(4.0, (self.0 / FASTER_AFTER).floor().clamp(0.0, 4.0));
        let repeated = if self.0 > DELAY { seconds * RATE * pace } else { 0.0 };
        controls.map(|control| {
            if inputs.started(control) {
                1.0
            } else if inputs.held(control) {
                repeated
            } else {
                0.0
            }
        })
    }
}
