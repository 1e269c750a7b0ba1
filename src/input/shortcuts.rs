//! Fixes shortcuts that are pressed within one slow frame in text fields of the panel.
//!
//! `bevy_egui` reads all keys of a frame with the modifiers held at its end. If Ctrl + A goes down and up within the
//! frame, only an `a` remains and would be typed. Here, such keys keep the modifiers with which they were pressed. For
//! the table, the action map does the same.

use bevy::{
    input::keyboard::{Key, KeyboardInput},
    prelude::*,
};
use bevy_egui::{EguiInputSet, input::ModifierKeysState};

/// Passes complete shortcuts to egui, if it is there.
pub(super) fn plugin(app: &mut App) {
    app.add_message::<KeyboardInput>().init_resource::<Held>().add_systems(
        PreUpdate,
        (
            hold_modifiers.after(EguiInputSet::InitReading).before(EguiInputSet::ReadBevyMessages),
            restore_modifiers.after(EguiInputSet::ReadBevyMessages).before(EguiInputSet::WriteEguiEvents),
        )
            .run_if(resource_exists::<ModifierKeysState>),
    );
}

/// Ctrl, Alt, Shift and the window key at the end of the last frame.
#[derive(Resource, Clone, Copy, Default)]
struct Held([bool; 4]);

impl Held {
    fn of(state: ModifierKeysState) -> Self {
        Self([state.ctrl, state.alt, state.shift, state.win])
    }

    fn write(self, state: &mut ModifierKeysState) {
        [state.ctrl, state.alt, state.shift, state.win] = self.0;
    }
}

fn hold_modifiers(
    mut strokes: MessageReader<KeyboardInput>,
    mut state: ResMut<ModifierKeysState>,
    mut held: ResMut<Held>,
) {
    let mut now = *held;
    // The modifiers common to all keys of this frame, so that text typed before a shortcut stays text.
    let mut with: Option<[bool; 4]> = None;
    for stroke in strokes.read() {
        let is_down = stroke.state.is_pressed();
        match stroke.logical_key {
            Key::Control => now.0[0] = is_down,
            Key::Alt => now.0[1] = is_down,
            Key::Shift => now.0[2] = is_down,
            Key::Super | Key::Meta => now.0[3] = is_down,
            _ if is_down => {
                let with = with.get_or_insert(now.0);
                with.iter_mut().zip(now.0).for_each(|(with, now)| *with &= now);
            }
            _ => {}
        }
    }
    *held = Held::of(*state);
    if let Some(with) = with {
        Held(std::array::from_fn(|key| held.0[key] || with[key])).write(&mut state);
    }
}

fn restore_modifiers(mut state: ResMut<ModifierKeysState>, held: Res<Held>) {
    held.write(&mut state);
}

#[cfg(test)]
mod tests {
    use bevy::input::{ButtonState, keyboard::KeyboardFocusLost};
    use bevy_egui::input::write_modifiers_keys_state_system;

    use super::*;

    #[derive(Resource, Default)]
    struct Seen(bool);

    fn app() -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, plugin))
            .init_resource::<ModifierKeysState>()
            .init_resource::<Seen>()
            .add_message::<KeyboardFocusLost>()
            .configure_sets(
                PreUpdate,
                (EguiInputSet::InitReading, EguiInputSet::ReadBevyMessages, EguiInputSet::WriteEguiEvents).chain(),
            )
            .add_systems(PreUpdate, write_modifiers_keys_state_system.in_set(EguiInputSet::InitReading))
            .add_systems(
                PreUpdate,
                (|state: Res<ModifierKeysState>, mut seen: ResMut<Seen>| seen.0 = state.ctrl)
                    .in_set(EguiInputSet::ReadBevyMessages),
            );
        app
    }

    /// Runs a frame with these key events. Returns whether egui reads them with Ctrl, and whether Ctrl is held
    /// afterwards.
    fn frame(app: &mut App, strokes: &[(Key, bool)]) -> (bool, bool) {
        for (key, is_down) in strokes {
            app.world_mut().write_message(KeyboardInput {
                key_code: KeyCode::KeyA,
                logical_key: key.clone(),
                state: if *is_down { ButtonState::Pressed } else { ButtonState::Released },
                text: None,
                repeat: false,
                window: Entity::PLACEHOLDER,
            });
        }
        app.update();
        (app.world().resource::<Seen>().0, app.world().resource::<ModifierKeysState>().ctrl)
    }

    #[test]
    fn a_shortcut_within_one_frame_is_no_letter() {
        let mut app = app();
        let a = || Key::Character("a".into());
        let quick = [(Key::Control, true), (a(), true), (a(), false), (Key::Control, false)];
        assert_eq!(frame(&mut app, &quick), (true, false));
        assert_eq!(frame(&mut app, &[(a(), true), (a(), false)]), (false, false), "a letter is a letter again");
        assert_eq!(frame(&mut app, &[(Key::Control, true)]), (true, true));
        assert_eq!(frame(&mut app, &[(a(), true), (a(), false), (Key::Control, false)]), (true, false));
        let after_a_letter = [(a(), true), (a(), false), (Key::Control, true), (a(), true), (Key::Control, false)];
        assert_eq!(
            frame(&mut app, &after_a_letter),
            (false, false),
            "what was typed before is not taken for a shortcut"
        );
    }
}
