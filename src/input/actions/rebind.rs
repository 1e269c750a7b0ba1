//! Rebinding: the next key press becomes the new key of a control.

use bevy::{input::mouse::AccumulatedMouseScroll, prelude::*};
use bevy_enhanced_input::prelude::{Binding, ModKeys};

use super::{Control, KeyMap};
use crate::input::Attention;

/// The control that is waiting for a key. Meanwhile, input has no other effect; Escape cancels.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rebinding(pub Option<RebindTarget>);

/// A binding of a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RebindTarget {
    /// The control.
    pub control: Control,
    /// The index of the binding to replace. An index past the last one adds a binding.
    pub place: usize,
}

/// Whether a binding suits a control. Its first default determines the required kind of input.
fn fits(control: Control, binding: Binding) -> bool {
    match control.info().defaults.first() {
        Some(Binding::MouseWheel { .. }) => matches!(binding, Binding::MouseWheel { .. }),
        Some(Binding::MouseButton { .. }) => matches!(binding, Binding::MouseButton { .. }),
        Some(Binding::GamepadAxis(_)) => matches!(binding, Binding::GamepadAxis(_)),
        // With the plain left button, the next click would trigger it.
        _ => !matches!(
            binding,
            Binding::MouseWheel { .. }
                | Binding::GamepadAxis(_)
                | Binding::MouseButton { button: MouseButton::Left, .. }
        ),
    }
}

/// Binds the next input to the waiting control.
pub(super) fn rebind(
    mut rebinding: ResMut<Rebinding>,
    mut map: ResMut<KeyMap>,
    mut attention: ResMut<Attention>,
    (keys, buttons): (Res<ButtonInput<KeyCode>>, Res<ButtonInput<MouseButton>>),
    (scroll, gamepads): (Option<Res<AccumulatedMouseScroll>>, Query<&Gamepad>),
    mut before: Local<Option<Attention>>,
) {
    let nothing = Attention { mouse: false, keys: false };
    let Some(RebindTarget { control, place }) = rebinding.0 else {
        // With a panel, `Attention` has already been updated.
        if let Some(before) = before.take().filter(|_| *attention == nothing) {
            *attention = before;
        }
        return;
    };
    let mouse = if *attention == nothing { before.is_some_and(|before| before.mouse) } else { attention.mouse };
    if *attention != nothing {
        *before = Some(*attention);
        *attention = nothing;
    }
    if keys.just_pressed(KeyCode::Escape) {
        rebinding.0 = None;
        return;
    }
    let mod_keys = ModKeys::pressed(&keys);
    let is_modifier = |key: &&KeyCode| !ModKeys::from(**key).is_empty();
    let key = keys.get_just_pressed().find(|key| !is_modifier(key));
    // A modifier counts as a key if it is released without another key.
    let alone = keys.get_just_released().find(is_modifier).filter(|_| mod_keys.is_empty());
    let pressed = buttons.get_just_pressed().filter(|_| mouse);
    let wheel = scroll.filter(|scroll| mouse && scroll.delta.y != 0.0);
    let pad = gamepads.iter().flat_map(Gamepad::get_just_pressed);
    let pushed =
        |axis: &GamepadAxis| gamepads.iter().any(|gamepad| gamepad.get(*axis).is_some_and(|at| at.abs() > 0.6));
    let sticks = [GamepadAxis::LeftStickX, GamepadAxis::LeftStickY, GamepadAxis::RightStickX, GamepadAxis::RightStickY];
    let found = key
        .map(|&key| Binding::Keyboard { key, mod_keys })
        .into_iter()
        .chain(alone.map(|&key| Binding::Keyboard { key, mod_keys }))
        .chain(pressed.map(|&button| Binding::MouseButton { button, mod_keys }))
        .chain(wheel.map(|_| Binding::MouseWheel { mod_keys }))
        .chain(pad.map(|&button| Binding::GamepadButton(button)))
        .chain(sticks.into_iter().filter(pushed).map(Binding::GamepadAxis))
        .find(|&binding| fits(control, binding));
    let Some(binding) = found else { return };
    rebinding.0 = None;
    let mut bindings = map.of(control).to_vec();
    if bindings.contains(&binding) {
        return;
    }
    match bindings.get_mut(place) {
        Some(old) => *old = binding,
        None => bindings.push(binding),
    }
    map.set(control, bindings);
}
