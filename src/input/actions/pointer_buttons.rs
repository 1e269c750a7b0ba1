//! The controls that mouse buttons and a finger start.
//!
//! A gesture needs the places where a button went down and up, even within one slow frame. An action only knows whether
//! it is down at the end.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_enhanced_input::prelude::{Binding, ModKeys};

use super::{Control, KeyMap};
use crate::input::fingers::Fingers;

/// The mouse buttons with their controls, and the pointing finger, which always acts as [`Control::Pull`].
#[derive(SystemParam)]
pub(crate) struct PointerButtons<'w> {
    map: Res<'w, KeyMap>,
    buttons: Res<'w, ButtonInput<MouseButton>>,
    keys: Res<'w, ButtonInput<KeyCode>>,
    fingers: Res<'w, Fingers>,
}

/// The input that started a gesture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// A button of the mouse.
    Button(MouseButton),
    /// A finger.
    Finger,
}

impl PointerButtons<'_> {
    /// The control and the button, among these controls, that started in this frame. If a button serves several of
    /// them, the one with the most held modifiers counts.
    pub(crate) fn begun(&self, controls: &[Control]) -> Option<(Control, Held)> {
        if self.fingers.began() && controls.contains(&Control::Pull) {
            return Some((Control::Pull, Held::Finger));
        }
        let bound = controls.iter().flat_map(|&control| self.map.of(control).iter().map(move |&at| (control, at)));
        bound
            .filter_map(|(control, binding)| match binding {
                Binding::MouseButton { button, mod_keys } => Some((control, button, mod_keys)),
                _ => None,
            })
            .filter(|&(_, button, mod_keys)| self.buttons.just_pressed(button) && self.are_held(mod_keys))
            .max_by_key(|&(.., mod_keys)| mod_keys.iter_names().count())
            .map(|(control, button, _)| (control, Held::Button(button)))
    }

    /// Whether the button or the finger is down.
    pub(crate) fn pressed(&self, held: Held) -> bool {
        match held {
            Held::Button(button) => self.buttons.pressed(button),
            Held::Finger => self.fingers.pressed(),
        }
    }

    /// Whether a finger is pointing.
    pub(crate) fn is_finger(&self) -> bool {
        self.fingers.point()
    }

    /// Whether a second finger cancels the gesture of the first in this frame.
    pub(crate) fn finger_gives_up(&self) -> bool {
        self.fingers.given_up()
    }

    /// Whether a button of one of these controls is down, or the finger if it serves one.
    pub(crate) fn any_pressed(&self, controls: &[Control]) -> bool {
        if self.fingers.pressed() && controls.contains(&Control::Pull) {
            return true;
        }
        let bound = controls.iter().flat_map(|&control| self.map.of(control));
        bound.into_iter().any(|binding| match *binding {
            Binding::MouseButton { button, .. } => self.buttons.pressed(button),
            _ => false,
        })
    }

    /// The held modifiers.
    pub(crate) fn modifiers(&self) -> ModKeys {
        ModKeys::pressed(&self.keys)
    }

    fn are_held(&self, mod_keys: ModKeys) -> bool {
        // A fast hand releases Shift within the same frame.
        mod_keys.iter_keys().all(|keys| self.keys.any_pressed(keys) || self.keys.any_just_pressed(keys))
    }
}
