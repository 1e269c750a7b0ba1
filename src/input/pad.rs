//! Gamepad navigation through pages and panel. While egui has the keyboard, gamepad buttons act as keys of egui.
//!
//! The D-pad and the left stick move between widgets. The shoulder buttons move to the next and the previous one, the
//! bottom button presses, and the right button closes or returns to the table. [`Control::ToButtons`] moves the focus
//! there from the table, with a keyboard too. None of this is in the action map: like Tab, it is fixed.

use bevy::{input::gamepad::Gamepad, prelude::*};
use bevy_egui::{
    EguiContext, EguiInput, PrimaryEguiContext,
    egui::{self, Key, Modifiers},
};

use super::actions::{Control, Inputs, Rebinding};
use crate::view::Covered;

/// The deflection at which a stick counts as pushed, and the one below which it must return before it counts again.
const PUSHED: (f32, f32) = (0.6, 0.3);

/// Whether to focus egui's first widget in the next frame.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Led(bool);

/// To the next and to the previous widget.
const NEXT: (Key, Modifiers) = (Key::Tab, Modifiers::NONE);
const BEFORE: (Key, Modifiers) = (Key::Tab, Modifiers::SHIFT);

/// The egui key of a button while egui has the keyboard. `types`: the focus is on text or a number, in which left and
/// right move the cursor. `lists`: a list is open, so navigation stays in it.
pub(crate) fn key(button: GamepadButton, (types, lists): (bool, bool)) -> Option<(Key, Modifiers)> {
    let (next, before) = (NEXT, BEFORE);
    Some(match button {
        GamepadButton::DPadUp if lists => before,
        GamepadButton::DPadDown if lists => next,
        GamepadButton::DPadLeft if types => before,
        GamepadButton::DPadRight if types => next,
        GamepadButton::DPadLeft => (Key::ArrowLeft, Modifiers::NONE),
        GamepadButton::DPadRight => (Key::ArrowRight, Modifiers::NONE),
        GamepadButton::DPadUp => (Key::ArrowUp, Modifiers::NONE),
        GamepadButton::DPadDown => (Key::ArrowDown, Modifiers::NONE),
        GamepadButton::LeftTrigger => before,
        GamepadButton::RightTrigger => next,
        GamepadButton::South => (Key::Enter, Modifiers::NONE),
        GamepadButton::East => (Key::Escape, Modifiers::NONE),
        _ => return None,
    })
}

/// The events of pressing and releasing a key in egui.
pub(crate) fn strike((key, modifiers): (Key, Modifiers)) -> [egui::Event; 2] {
    [true, false].map(|pressed| egui::Event::Key { key, physical_key: None, pressed, repeat: false, modifiers })
}

/// Turns up and down into navigation through the open list. By default egui moves to the nearest widget on the screen,
/// even beneath the list.
fn go_through_list(event: &mut egui::Event) {
    let egui::Event::Key { key, modifiers, .. } = event else { return };
    (*key, *modifiers) = match (*key, modifiers.is_none()) {
        (Key::ArrowDown, true) => NEXT,
        (Key::ArrowUp, true) => BEFORE,
        _ => return,
    };
}

/// The direction in which a gamepad's left stick was just pushed.
fn pushed(gamepad: &Gamepad, is_pushed: &mut bool) -> Option<GamepadButton> {
    let at = gamepad.left_stick();
    let far = at.abs().max_element();
    if *is_pushed || far < PUSHED.0 {
        *is_pushed &= far >= PUSHED.1;
        return None;
    }
    *is_pushed = true;
    Some(match (at.x.abs() > at.y.abs(), at.x > 0.0, at.y > 0.0) {
        (true, true, _) => GamepadButton::DPadRight,
        (true, false, _) => GamepadButton::DPadLeft,
        (false, _, true) => GamepadButton::DPadUp,
        (false, _, false) => GamepadButton::DPadDown,
    })
}

/// Passes gamepad buttons to egui while it has the keyboard. Runs after egui's input is gathered and before its pass
/// begins.
pub(super) fn lead(
    mut contexts: Query<(&mut EguiContext, &mut EguiInput), With<PrimaryEguiContext>>,
    (gamepads, covered, rebinding): (Query<(Entity, &Gamepad)>, Option<Res<Covered>>, Res<Rebinding>),
    mut led: ResMut<Led>,
    mut sticks: Local<Vec<Entity>>,
) {
    let Ok((mut context, mut input)) = contexts.single_mut() else { return };
    let ctx = context.get_mut();
    let to_first = std::mem::take(&mut led.bypass_change_detection().0);
    if to_first {
        input.events.extend(strike((Key::Tab, Modifiers::NONE)));
    }
    if ctx.any_popup_open() {
        for event in &mut input.events {
            go_through_list(event);
        }
    }
    sticks.retain(|&pad| gamepads.contains(pad));
    let page = covered.is_some_and(|covered| covered.0);
    let (focused, popup) = (ctx.egui_wants_keyboard_input(), ctx.any_popup_open());
    let types = ctx.text_edit_focused();
    for (pad, gamepad) in &gamepads {
        let mut is_pushed = sticks.contains(&pad);
        let stick = pushed(gamepad, &mut is_pushed);
        sticks.retain(|&other| other != pad);
        sticks.extend(is_pushed.then_some(pad));
        if !(page || focused || popup) || rebinding.0.is_some() {
            continue;
        }
        for button in gamepad.get_just_pressed().copied().chain(stick) {
            let Some(mut struck) = key(button, (types, popup)) else { continue };
            let is_back = struck.0 == Key::Escape;
            if !(focused || popup || is_back) {
                // Without a focus, arrow keys lead nowhere.
                struck = (Key::Tab, Modifiers::NONE);
            }
            // Repeatedly pressing back must not leave a page.
            if !(is_back && page && !popup) {
                input.events.extend(strike(struck));
            }
        }
    }
}

/// Focuses the first widget, unless a page or a game focuses one itself.
pub(super) fn lead_there(mut inputs: Inputs, mut led: ResMut<Led>) {
    if inputs.take(Control::ToButtons) {
        led.0 = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world(page: bool) -> (App, Entity) {
        let mut app = App::new();
        app.insert_resource(Covered(page))
            .init_resource::<Rebinding>()
            .init_resource::<Led>()
            .add_systems(Update, lead);
        app.world_mut().spawn(PrimaryEguiContext);
        let pad = app.world_mut().spawn(Gamepad::default()).id();
        (app, pad)
    }

    /// The keys that egui gets in a frame.
    fn keys(app: &mut App) -> Vec<(Key, bool)> {
        app.update();
        let mut inputs = app.world_mut().query::<&mut EguiInput>();
        let events = std::mem::take(&mut inputs.single_mut(app.world_mut()).unwrap().events);
        let struck = events.into_iter().filter_map(|event| match event {
            egui::Event::Key { key, pressed: true, modifiers, .. } => Some((key, modifiers.shift)),
            _ => None,
        });
        struck.collect()
    }

    fn press(app: &mut App, pad: Entity, button: GamepadButton) {
        let mut gamepads = app.world_mut().query::<&mut Gamepad>();
        let mut gamepad = gamepads.get_mut(app.world_mut(), pad).unwrap();
        gamepad.digital_mut().press(button);
    }

    fn clear(app: &mut App, pad: Entity) {
        let mut gamepads = app.world_mut().query::<&mut Gamepad>();
        let mut gamepad = gamepads.get_mut(app.world_mut(), pad).unwrap();
        gamepad.digital_mut().reset_all();
    }

    #[test]
    fn on_a_page_the_first_press_leads_in_and_others_lead_on() {
        let (mut app, pad) = world(true);
        press(&mut app, pad, GamepadButton::DPadDown);
        assert_eq!(keys(&mut app), [(Key::Tab, false)]);
        clear(&mut app, pad);
        assert_eq!(keys(&mut app), []);
        let mut contexts = app.world_mut().query::<&mut EguiContext>();
        let mut context = contexts.single_mut(app.world_mut()).unwrap();
        context.get_mut().memory_mut(|memory| memory.request_focus(egui::Id::new("a button")));
        press(&mut app, pad, GamepadButton::DPadDown);
        press(&mut app, pad, GamepadButton::LeftTrigger);
        let mut struck = keys(&mut app);
        struck.sort_by_key(|&(_, shift)| shift);
        assert_eq!(struck, [(Key::ArrowDown, false), (Key::Tab, true)]);
        clear(&mut app, pad);
        press(&mut app, pad, GamepadButton::East);
        assert_eq!(keys(&mut app), [], "nobody leaves a page by pressing back");
    }

    #[test]
    fn a_stick_that_is_pushed_is_one_step_until_it_has_come_back() {
        let (mut app, pad) = world(true);
        let push = |app: &mut App, at: f32| {
            let mut gamepads = app.world_mut().query::<&mut Gamepad>();
            gamepads.get_mut(app.world_mut(), pad).unwrap().analog_mut().set(GamepadAxis::LeftStickY, at);
            keys(app).len()
        };
        assert_eq!([0.2, 0.8, 1.0, 0.5, 0.9, 0.1, -0.9, -1.0].map(|at| push(&mut app, at)), [0, 1, 0, 0, 0, 0, 1, 0]);
    }

    #[test]
    fn in_a_list_arrows_and_the_cross_go_from_entry_to_entry() {
        let mut events = strike((Key::ArrowUp, Modifiers::NONE));
        events.iter_mut().for_each(go_through_list);
        assert_eq!(events, strike(BEFORE));
        assert_eq!(key(GamepadButton::DPadDown, (false, true)), Some(NEXT));
        assert_eq!(key(GamepadButton::DPadDown, (false, false)), Some((Key::ArrowDown, Modifiers::NONE)));
    }

    #[test]
    fn at_the_table_a_gamepad_is_the_tables() {
        let (mut app, pad) = world(false);
        press(&mut app, pad, GamepadButton::South);
        assert_eq!(keys(&mut app), []);
        app.insert_resource(Led(true));
        clear(&mut app, pad);
        assert_eq!(keys(&mut app), [(Key::Tab, false)]);
    }
}
