//! Bindings as text: short for display, exact for files.

use bevy::prelude::*;
use bevy_enhanced_input::prelude::{Binding, ModKeys};
use tr::tr;

use crate::notice::mark;

/// The modifiers with their displayed words.
const MODIFIERS: [(ModKeys, &str); 4] =
    [(ModKeys::CONTROL, "Ctrl"), (ModKeys::ALT, "Alt"), (ModKeys::SHIFT, "Shift"), (ModKeys::SUPER, "Super")];

/// A binding for display: `A`, `Ctrl + ←`, `Shift + left button`.
#[must_use]
pub fn spoken(binding: Binding) -> String {
    let input = match binding {
        Binding::Keyboard { key, .. } => key_words(key),
        Binding::MouseButton { button, .. } => button_words(button),
        Binding::MouseMotion { .. } => tr!("mouse"),
        Binding::MouseWheel { .. } => tr!("wheel"),
        Binding::GamepadButton(button) => pad_words(button),
        Binding::GamepadAxis(axis) => axis_words(axis),
        Binding::AnyKey | Binding::Custom(_) | Binding::None => binding.to_string(),
    };
    with_modifiers(binding, &input)
}

/// The same, distinguishing the left and right of duplicate keys: `left Shift`.
#[must_use]
pub fn told_apart(binding: Binding) -> String {
    let words = spoken(binding);
    let Binding::Keyboard { key, .. } = binding else { return words };
    match key {
        KeyCode::ShiftLeft | KeyCode::ControlLeft | KeyCode::AltLeft | KeyCode::SuperLeft => tr!("left {}", words),
        KeyCode::ShiftRight | KeyCode::ControlRight | KeyCode::AltRight | KeyCode::SuperRight => tr!("right {}", words),
        _ => words,
    }
}

/// A text with a key in brackets: `Show the panel (P)`.
pub(crate) fn with_key(what: &str, key: &str) -> String {
    format!("{what} ({key})")
}

/// A key or button with its modifiers.
fn with_modifiers(binding: Binding, input: &str) -> String {
    let modifiers = MODIFIERS.iter().filter(|(modifier, _)| binding.mod_keys().contains(*modifier));
    modifiers.map(|(_, name)| *name).chain([input]).collect::<Vec<_>>().join(" + ")
}

fn key_words(key: KeyCode) -> String {
    let words = match key {
        KeyCode::ArrowLeft => "←",
        KeyCode::ArrowRight => "→",
        KeyCode::ArrowUp => "↑",
        KeyCode::ArrowDown => "↓",
        KeyCode::Escape => "Esc",
        KeyCode::PageUp => "Page Up",
        KeyCode::PageDown => "Page Down",
        KeyCode::ShiftLeft | KeyCode::ShiftRight => "Shift",
        KeyCode::ControlLeft | KeyCode::ControlRight => "Ctrl",
        KeyCode::AltLeft | KeyCode::AltRight => "Alt",
        KeyCode::SuperLeft | KeyCode::SuperRight => "Super",
        KeyCode::Period => ".",
        KeyCode::Comma => ",",
        KeyCode::BracketLeft => "[",
        KeyCode::BracketRight => "]",
        KeyCode::Backslash => "\\",
        KeyCode::Slash => "/",
        KeyCode::Semicolon => ";",
        KeyCode::Quote => "'",
        KeyCode::Backquote => "`",
        // The key has both characters, and plus is its purpose here.
        KeyCode::Equal => "+",
        KeyCode::Minus => "-",
        KeyCode::NumpadAdd => "Numpad +",
        KeyCode::NumpadSubtract => "Numpad -",
        KeyCode::NumpadMultiply => "Numpad *",
        KeyCode::NumpadDivide => "Numpad /",
        _ => {
            let name = format!("{key:?}");
            let short = name.strip_prefix("Key").or_else(|| name.strip_prefix("Digit"));
            return match (short, name.strip_prefix("Numpad")) {
                (Some(short), _) => short.to_owned(),
                (None, Some(rest)) => format!("Numpad {rest}"),
                (None, None) => name,
            };
        }
    };
    words.to_owned()
}

fn button_words(button: MouseButton) -> String {
    match button {
        MouseButton::Left => tr!("left button"),
        MouseButton::Right => tr!("right button"),
        MouseButton::Middle => tr!("middle button"),
        MouseButton::Back => tr!("back button"),
        MouseButton::Forward => tr!("forward button"),
        MouseButton::Other(number) => tr!("button {}", number),
    }
}

fn pad_words(button: GamepadButton) -> String {
    let words = match button {
        GamepadButton::South => mark("bottom button"),
        GamepadButton::East => mark("right-hand button"),
        GamepadButton::North => mark("top button"),
        GamepadButton::West => mark("left-hand button"),
        GamepadButton::LeftTrigger => mark("left shoulder"),
        GamepadButton::RightTrigger => mark("right shoulder"),
        GamepadButton::LeftTrigger2 => mark("left trigger"),
        GamepadButton::RightTrigger2 => mark("right trigger"),
        GamepadButton::LeftThumb => mark("left stick pressed"),
        GamepadButton::RightThumb => mark("right stick pressed"),
        GamepadButton::DPadLeft => mark("pad ←"),
        GamepadButton::DPadRight => mark("pad →"),
        GamepadButton::DPadUp => mark("pad ↑"),
        GamepadButton::DPadDown => mark("pad ↓"),
        GamepadButton::Start => mark("start"),
        GamepadButton::Select => mark("select"),
        _ => return format!("{button:?}"),
    };
    tr!(words)
}

fn axis_words(axis: GamepadAxis) -> String {
    let words = match axis {
        GamepadAxis::LeftStickX => mark("left stick sideways"),
        GamepadAxis::LeftStickY => mark("left stick up and down"),
        GamepadAxis::RightStickX => mark("right stick sideways"),
        GamepadAxis::RightStickY => mark("right stick up and down"),
        _ => return format!("{axis:?}"),
    };
    tr!(words)
}

/// Whether a binding belongs to a gamepad.
#[must_use]
pub fn is_of_gamepad(binding: Binding) -> bool {
    matches!(binding, Binding::GamepadButton(_) | Binding::GamepadAxis(_))
}

/// A binding for files: `Ctrl + KeyA`, `Mouse Left`, `Wheel`, `Gamepad South`, `Stick LeftStickX`. `None` if it has no
/// stable name.
#[must_use]
pub fn written(binding: Binding) -> Option<String> {
    let input = match binding {
        Binding::Keyboard { key, .. } => format!("{key:?}"),
        Binding::MouseButton { button, .. } => format!("Mouse {button:?}"),
        Binding::MouseWheel { .. } => "Wheel".to_owned(),
        Binding::GamepadButton(button) => format!("Gamepad {button:?}"),
        Binding::GamepadAxis(axis) => format!("Stick {axis:?}"),
        Binding::MouseMotion { .. } | Binding::AnyKey | Binding::Custom(_) | Binding::None => return None,
    };
    Some(with_modifiers(binding, &input))
}

/// Parses the output of [`written`]. Returns `None` for anything else.
#[must_use]
pub fn read(text: &str) -> Option<Binding> {
    let mut parts: Vec<&str> = text.split(" + ").collect();
    let input = parts.pop()?;
    let mut mod_keys = ModKeys::empty();
    for part in parts {
        mod_keys |= MODIFIERS.iter().find(|(_, name)| *name == part)?.0;
    }
    // RON uses the names of the variants.
    let binding = match input.split_once(' ') {
        None if input == "Wheel" => Binding::MouseWheel { mod_keys },
        None => Binding::Keyboard { key: ron::from_str(input).ok()?, mod_keys },
        Some(("Mouse", button)) => Binding::MouseButton { button: ron::from_str(button).ok()?, mod_keys },
        Some(("Gamepad", button)) if mod_keys.is_empty() => Binding::GamepadButton(ron::from_str(button).ok()?),
        Some(("Stick", axis)) if mod_keys.is_empty() => Binding::GamepadAxis(ron::from_str(axis).ok()?),
        Some(_) => return None,
    };
    Some(binding)
}

#[cfg(test)]
mod tests {
    use super::{super::control::CONTROLS, *};
    use crate::view::words::language::in_japanese;

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        for &binding in CONTROLS.iter().flat_map(|info| info.defaults) {
            let text = written(binding).expect("it has a name");
            assert_eq!(read(&text), Some(binding), "{text}");
        }
        let all = ModKeys::all();
        let odd = Binding::MouseButton { button: MouseButton::Other(9), mod_keys: all };
        assert_eq!(read(&written(odd).unwrap()), Some(odd));
        for text in
            ["", "KeyÄ", "Ctrl + ", "Hyper + KeyA", "Mouse", "Mouse Wheel", "Ctrl + Gamepad South", "Wheel Left"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn people_read_what_stands_on_the_keys() {
        let of = |key, mod_keys| spoken(Binding::Keyboard { key, mod_keys });
        assert_eq!(of(KeyCode::KeyA, ModKeys::empty()), "A");
        assert_eq!(of(KeyCode::Digit1, ModKeys::SHIFT), "Shift + 1");
        assert_eq!(of(KeyCode::ArrowLeft, ModKeys::CONTROL | ModKeys::SHIFT), "Ctrl + Shift + ←");
        assert_eq!(of(KeyCode::Numpad4, ModKeys::empty()), "Numpad 4");
        assert_eq!(of(KeyCode::F11, ModKeys::empty()), "F11");
        let both = [KeyCode::ShiftLeft, KeyCode::ShiftRight].map(Binding::from);
        assert_eq!(both.map(spoken), ["Shift", "Shift"]);
        assert_eq!(both.map(told_apart), ["left Shift", "right Shift"]);
        assert_eq!(told_apart(Binding::from(KeyCode::KeyA)), "A");
    }

    #[test]
    fn the_arrows_of_a_gamepad_are_translated() {
        in_japanese(|| {
            let arrows =
                [GamepadButton::DPadLeft, GamepadButton::DPadRight, GamepadButton::DPadUp, GamepadButton::DPadDown];
            let words = arrows.map(|button| spoken(Binding::GamepadButton(button)));
            assert_eq!(words, ["十字キー←", "十字キー→", "十字キー↑", "十字キー↓"]);
        });
    }
}
