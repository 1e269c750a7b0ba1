//! The fingers on the table, one of which may act as the pointer.

use bevy::{
    input::touch::{TouchInput, TouchPhase},
    prelude::*,
};

/// The reach of a finger press, logical pixels: half of what a finger covers.
pub const FINGER_REACH: f32 = 20.0;

/// A finger that moves less than this is a tap, logical pixels.
pub const FINGER_SLACK: f32 = 10.0;

/// The fingers on the table.
#[derive(Resource, Clone, Debug, Default)]
pub(super) struct Fingers {
    /// In the order in which they came down.
    pub(super) down: Vec<Finger>,
    pub(super) pointing: Option<Pointing>,
    /// The camera in whose area the first one came down.
    pub(super) camera: Option<Entity>,
    pub(super) given_up: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Finger {
    pub(super) id: u64,
    /// Its position in the last frame, logical pixels.
    pub(super) last: Vec2,
    /// Its current position.
    pub(super) at: Vec2,
    /// Whether it came down in this frame and may still belong to the panel.
    pub(super) is_new: bool,
}

/// The finger that acts as the pointer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pointing {
    pub(super) id: u64,
    pub(super) at: Vec2,
    /// The positions at which it came down and was lifted in this frame.
    pub(super) pressed: Option<Vec2>,
    pub(super) released: Option<Vec2>,
}

impl Fingers {
    /// Whether a finger acts as the pointer.
    pub(super) fn point(&self) -> bool {
        self.pointing.is_some()
    }

    /// Whether the pointing finger came down in this frame.
    pub(super) fn began(&self) -> bool {
        self.pointing.is_some_and(|finger| finger.pressed.is_some())
    }

    /// Whether the pointing finger is down at the end of this frame.
    pub(super) fn pressed(&self) -> bool {
        self.pointing.is_some_and(|finger| finger.released.is_none())
    }

    /// Whether its gesture is cancelled in this frame.
    pub(super) fn given_up(&self) -> bool {
        self.given_up
    }

    /// Resets the state of the last frame.
    pub(super) fn go_on(&mut self) {
        self.given_up = false;
        self.pointing = self.pointing.filter(|finger| finger.released.is_none());
        if let Some(finger) = &mut self.pointing {
            finger.pressed = None;
        }
        for finger in &mut self.down {
            finger.last = finger.at;
        }
    }

    /// Processes a touch event. Returns `false` if it has to wait for the next frame, as a frame can contain only one
    /// press. `alone`: no mouse button is held.
    pub(super) fn take(&mut self, TouchInput { phase, position: at, id, .. }: TouchInput, alone: bool) -> bool {
        match phase {
            TouchPhase::Started => {
                if self.pointing.is_some_and(|finger| finger.released.is_some()) {
                    return false;
                }
                // A finger whose end was never reported.
                self.down.retain(|finger| finger.id != id);
                if self.down.is_empty() && alone {
                    self.pointing = Some(Pointing { id, at, pressed: Some(at), released: None });
                }
                if self.point() || !self.down.is_empty() {
                    self.down.push(Finger { id, last: at, at, is_new: true });
                }
            }
            TouchPhase::Moved => {
                for finger in self.down.iter_mut().filter(|finger| finger.id == id) {
                    finger.at = at;
                }
                if let Some(finger) = self.pointing.as_mut().filter(|finger| finger.id == id) {
                    finger.at = at;
                }
            }
            TouchPhase::Ended | TouchPhase::Canceled => {
                self.down.retain(|finger| finger.id != id);
                if let Some(finger) = self.pointing.as_mut().filter(|finger| finger.id == id) {
                    (finger.at, finger.released) = (at, Some(at));
                    if phase == TouchPhase::Canceled {
                        (self.pointing, self.given_up) = (None, true);
                    }
                }
            }
        }
        true
    }

    /// Drops new fingers that do not belong to the table. With a second finger, the first one stops pointing, and both
    /// hold the view.
    pub(super) fn keep(&mut self, first_is_tables: bool, mut is_tables: impl FnMut(Vec2) -> bool) {
        if self.began() && !first_is_tables {
            let first = self.pointing.take().map(|finger| finger.id);
            self.down.retain(|finger| Some(finger.id) != first);
        }
        let first = self.pointing.map(|finger| finger.id);
        self.down.retain(|finger| !finger.is_new || Some(finger.id) == first || is_tables(finger.last));
        for finger in &mut self.down {
            finger.is_new = false;
        }
        if self.point() && self.down.len() > 1 {
            (self.pointing, self.given_up) = (None, true);
        }
    }

    /// The pinch of this frame: the old and the new centre in the window, logical pixels, and the factor of spreading.
    pub(super) fn pinch(&self) -> Option<(Vec2, Vec2, f32)> {
        /// The smallest distance between fingers, logical pixels.
        const LEAST: f32 = 10.0;
        match self.down[..] {
            [one] if !self.point() => Some((one.last, one.at, 1.0)),
            [a, b, ..] => {
                let [before, now] = [a.last.distance(b.last), a.at.distance(b.at)].map(|apart| apart.max(LEAST));
                Some((a.last.midpoint(b.last), a.at.midpoint(b.at), now / before))
            }
            _ => None,
        }
    }
}
