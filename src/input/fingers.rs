//! The fingers on the table, and which of them is the pointer.

use bevy::{
    input::touch::{TouchInput, TouchPhase},
    prelude::*,
};

/// A press within this many logical pixels takes hold: half of what a finger covers.
pub const FINGER_REACH: f32 = 20.0;

/// A finger that moves no farther than this many logical pixels taps.
pub const FINGER_SLACK: f32 = 10.0;

/// The fingers on the table.
#[derive(Resource, Clone, Debug, Default)]
pub(super) struct Fingers {
    /// As they came down.
    pub(super) down: Vec<Finger>,
    pub(super) pointing: Option<Pointing>,
    /// In whose picture the first came down.
    pub(super) camera: Option<Entity>,
    pub(super) given_up: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Finger {
    pub(super) id: u64,
    /// Where it was in the last frame, logical pixels.
    pub(super) last: Vec2,
    /// Where it is.
    pub(super) at: Vec2,
    /// Whether it came in this frame, and nobody knows yet whether it is the table's.
    pub(super) is_new: bool,
}

/// The finger that is the pointer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pointing {
    pub(super) id: u64,
    pub(super) at: Vec2,
    /// Where it came down in this frame, and where it was lifted.
    pub(super) pressed: Option<Vec2>,
    pub(super) released: Option<Vec2>,
}

impl Fingers {
    /// Whether one of them is the pointer.
    pub(super) fn point(&self) -> bool {
        self.pointing.is_some()
    }

    /// Whether that came down in this frame.
    pub(super) fn began(&self) -> bool {
        self.pointing.is_some_and(|finger| finger.pressed.is_some())
    }

    /// Whether it is down at the end of this frame.
    pub(super) fn pressed(&self) -> bool {
        self.pointing.is_some_and(|finger| finger.released.is_none())
    }

    /// Whether what it has begun is given up in this frame.
    pub(super) fn given_up(&self) -> bool {
        self.given_up
    }

    /// Forgets what was true of the last frame only.
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

    /// Takes in what a finger does, unless that has to wait for the next frame: in one there is one press. `alone`: no
    /// button of the mouse is held.
    pub(super) fn take(&mut self, TouchInput { phase, position: at, id, .. }: TouchInput, alone: bool) -> bool {
        match phase {
            TouchPhase::Started => {
                if self.pointing.is_some_and(|finger| finger.released.is_some()) {
                    return false;
                }
                // One whose end was never heard of.
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

    /// Keeps of those that are new what is the table's, and of one that points and another the picture between them.
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

    /// How the fingers move the picture that they hold in this frame: from one point of the window to another, logical
    /// pixels, and the factor by which they come apart.
    pub(super) fn pinch(&self) -> Option<(Vec2, Vec2, f32)> {
        /// Fingers are never so close to each other, logical pixels.
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
