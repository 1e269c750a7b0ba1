//! Which control a button of the mouse begins, or a finger.
//!
//! A gesture needs to know where a button went down and up, also where both were in one slow frame; an action has only
//! whether it is down at the end.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_enhanced_input::prelude::{Binding, ModKeys};

use super::{Control, KeyMap};
use crate::input::fingers::Fingers;

/// The buttons of the mouse by the controls that they are bound to, and the finger that points, which is always a
/// [`Control::Pull`].
#[derive(SystemParam)]
pub(crate) struct PointerButtons<'w> {
    map: Res<'w, KeyMap>,
    buttons: Res<'w, ButtonInput<MouseButton>>,
    keys: Res<'w, ButtonInput<KeyCode>>,
    fingers: Res<'w, Fingers>,
}

/// What a gesture has begun with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// A button of the mouse.
    Button(MouseButton),
    /// A finger.
    Finger,
}

impl PointerButtons<'_> {
    /// Which of these controls a button begins that went down in this frame, and the button: where several are bound to
    /// it, the one with the most modifiers of those that are held.
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

    /// Whether a button is down, or the finger.
    pub(crate) fn pressed(&self, held: Held) -> bool {
        match held {
            Held::Button(button) => self.buttons.pressed(button),
            Held::Finger => self.fingers.pressed(),
        }
    }

    /// Whether it is a finger that points.
    pub(crate) fn is_finger(&self) -> bool {
        self.fingers.point()
    }

    /// Whether what a finger has begun is given up in this frame: a second one has come.
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

    /// The modifiers that are held.
    pub(crate) fn modifiers(&self) -> ModKeys {
        ModKeys::pressed(&self.keys)
    }

    fn are_held(&self, mod_keys: ModKeys) -> bool {
        // A quick hand lets go of Shift within the frame in which it pressed it.
        mod_keys.iter_keys().all(|keys| self.keys.any_pressed(keys) || self.keys.any_just_pressed(keys))
    }
}
