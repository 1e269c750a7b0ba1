//! Corrects which keys and buttons count as held for the controls. Actions only see the state at the end of a frame.
//!
//! Bevy's [`ButtonInput`]s are only read, because they belong to the game. Where a control has to see something else,
//! the [`Binding`] of its action is replaced for that frame. [`Binding::None`] stands for a key that does not count as
//! held, and a [`CustomInput`] that is always active for a key that does.

use bevy::prelude::*;
use bevy_enhanced_input::prelude::*;

use crate::input::pointer::Attention;

/// The binding of an action, before corrections.
#[derive(Component)]
pub(super) struct Bound(pub(super) Binding);

/// What the corrections remember between frames.
#[derive(Resource, Default)]
pub(super) struct Corrections {
    /// Keys pressed in a text field of the panel. They do not count as held for the table until they are pressed again.
    suppressed: Vec<KeyCode>,
    /// Each key or button that has counted as held, with the input that replaces it. Two contexts with the same key
    /// share it, so that one can consume it.
    active: Vec<(Binding, CustomInput)>,
}

impl Corrections {
    fn suppress(&mut self, keys: &ButtonInput<KeyCode>, table_has_keys: bool) {
        if table_has_keys {
            self.suppressed.retain(|&key| keys.pressed(key) && !keys.just_pressed(key));
        } else {
            self.suppressed.extend(keys.get_just_pressed().filter(|&&key| !is_modifier(key)));
        }
    }

    /// The input that replaces this binding of a key or a button.
    fn active(&mut self, binding: Binding, inputs: &mut CustomInputs) -> Binding {
        let button = binding.without_mod_keys();
        let known = self.active.iter().find(|(of, _)| *of == button).map(|(_, input)| *input);
        let input = known.unwrap_or_else(|| {
            let input = inputs.register_input();
            inputs.insert(input, true.into());
            self.active.push((button, input));
            input
        });
        Binding::Custom(input)
    }
}

fn is_modifier(key: KeyCode) -> bool {
    !ModKeys::from(key).is_empty()
}

/// The keys and buttons of a frame, and the keys that a text field has taken.
struct Frame<'a> {
    keys: &'a ButtonInput<KeyCode>,
    buttons: &'a ButtonInput<MouseButton>,
    sources: &'a ActionSources,
    suppressed: &'a [KeyCode],
}

impl Frame<'_> {
    /// Whether a key went down and up within this frame. Then a modifier may also have gone up before the key that it
    /// modifies was evaluated.
    fn has_tap(&self) -> bool {
        self.keys.get_just_pressed().any(|&key| !self.keys.pressed(key))
    }

    /// Whether a key counts as held: also if it was pressed in this frame, and not if a text field has taken it.
    fn counts(&self, key: KeyCode) -> bool {
        let went_up = is_modifier(key) && self.keys.just_released(key) && self.has_tap();
        let is_down = self.keys.pressed(key) || self.keys.just_pressed(key) || went_up;
        is_down && !self.suppressed.contains(&key)
    }

    /// Whether modifiers count as held.
    fn count(&self, mod_keys: ModKeys) -> bool {
        mod_keys.is_empty()
            || self.sources.keyboard
                && mod_keys.iter_keys().all(|keys| keys.map(|key| self.counts(key)).contains(&true))
    }

    /// Whether the binding of a key or a button is active: for Bevy, and for the controls. `None` for anything else.
    fn is_active(&self, binding: Binding) -> Option<(bool, bool)> {
        let held = ModKeys::pressed(self.keys).contains(binding.mod_keys());
        match binding {
            Binding::Keyboard { key, mod_keys } => {
                let counts = self.sources.keyboard && self.counts(key) && self.count(mod_keys);
                Some((self.keys.pressed(key) && held, counts))
            }
            Binding::MouseButton { button, mod_keys } => {
                let is_down = self.buttons.pressed(button) || self.buttons.just_pressed(button);
                let counts = self.sources.mouse_buttons && is_down && self.count(mod_keys);
                Some((self.buttons.pressed(button) && held, counts))
            }
            _ => None,
        }
    }
}

/// Corrects the bindings: everything pressed in this frame is held, except keys pressed in a text field of the panel.
pub(super) fn correct(
    mut commands: Commands,
    (keys, buttons): (Res<ButtonInput<KeyCode>>, Res<ButtonInput<MouseButton>>),
    (attention, sources): (Res<Attention>, Res<ActionSources>),
    (mut corrections, mut inputs): (ResMut<Corrections>, ResMut<CustomInputs>),
    bindings: Query<(Entity, &Bound, &Binding)>,
) {
    corrections.suppress(&keys, attention.keys);
    for (entity, &Bound(bound), &now) in &bindings {
        let suppressed = if attention.keys { &corrections.suppressed[..] } else { &[] };
        let frame = Frame { keys: &keys, buttons: &buttons, sources: &sources, suppressed };
        let corrected = match frame.is_active(bound) {
            Some((false, true)) => corrections.active(bound, &mut inputs),
            Some((true, false)) => Binding::None,
            _ => bound,
        };
        if corrected != now {
            commands.entity(entity).insert(corrected);
        }
    }
}
