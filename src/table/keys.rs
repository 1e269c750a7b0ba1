//! The keys that are not the camera's: playback, scenes, overlays, Escape. [`CONTROLS`] lists every control there is.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiInput, PrimaryEguiContext, egui};

use super::{gesture::Gesture, pointer::Attention, preview::PreviewSettings, select::Selection};
use crate::{
    scene::{Notices, SceneCommand},
    timeline::Playback,
    view::Followed,
};

/// What lies over the table and can be shown and hidden by a key.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlays {
    /// The list of all controls. Default: hidden.
    pub help: bool,
    /// The panel. Default: shown.
    pub panel: bool,
}

impl Default for Overlays {
    fn default() -> Self {
        Self { help: false, panel: true }
    }
}

/// Every control of mouse and keyboard, in groups: what to press, and what it does.
pub const CONTROLS: [(&str, &[(&str, &str)]); 4] = [
    (
        "Discs",
        &[
            ("Press a disc, pull back, release", "shoot it: the longer the pull, the faster"),
            ("Shift or Ctrl + drag a disc", "move it"),
            ("Drag an arrow's tip (in lessons)", "change the velocity"),
            ("Click a disc", "select it and see its values in the panel"),
            ("Drag on the empty table", "select with a box; with Shift: add"),
            ("Delete or Backspace", "remove the selected discs"),
            (
                "A",
                "set up a shot by keys: ← → turn it by 0.1° (Shift: 0.01°), ↑ ↓ or Ctrl + wheel set its speed, Enter plays it",
            ),
            ("← →, while pulling", "turn the shot by 0.1°, with Shift by 0.01°"),
            ("L", "how much of the shot is shown before: off, first contact, impacts, all"),
            ("Escape or right click", "cancel the shot, clear the selection"),
        ],
    ),
    (
        "Time",
        &[
            ("Space", "pause and go on"),
            (".", "one single tick"),
            ("[  ]", "half and double speed"),
            ("S, held", "slow motion, a tenth of the speed"),
            ("R", "restart the scene"),
        ],
    ),
    (
        "View",
        &[
            ("Mouse wheel", "zoom at the pointer"),
            ("Drag with the middle button", "move the view"),
            ("F", "fit"),
            ("C", "follow the selected disc, and stop following"),
        ],
    ),
    (
        "Program",
        &[
            ("Tab, Shift + Tab", "next and previous scene"),
            ("P", "show or hide the panel"),
            ("M", "sound on and off"),
            ("F11", "full screen"),
            ("F12", "save a picture of the window"),
            ("H", "show or hide this help"),
        ],
    ),
];

/// The time scale after a press of `[` (slower) or `]` (faster), within the range that [`Playback`] takes.
#[must_use]
pub fn stepped_scale(scale: f32, faster: bool) -> f32 {
    let wanted = if faster { scale * 2.0 } else { scale / 2.0 };
    wanted.clamp(0.01, 100.0)
}

pub(super) fn keys(
    keys: Res<ButtonInput<KeyCode>>,
    attention: Res<Attention>,
    (mut playback, clock): (ResMut<Playback>, Res<Time<Virtual>>),
    (mut scenes, mut overlays): (MessageWriter<SceneCommand>, ResMut<Overlays>),
    (mut gesture, mut selection): (ResMut<Gesture>, ResMut<Selection>),
    (mut followed, mut preview): (ResMut<Followed>, ResMut<PreviewSettings>),
    mut notices: Option<ResMut<Notices>>,
) {
    if !attention.keys {
        return;
    }
    // A quick hand lets go of Shift within the frame in which it pressed it.
    let shifts = [KeyCode::ShiftLeft, KeyCode::ShiftRight];
    let shift = keys.any_pressed(shifts) || keys.any_just_pressed(shifts);
    // Ctrl, Alt and the window key make shortcuts of the system, which are not ours.
    if keys.any_pressed([
        KeyCode::ControlLeft,
        KeyCode::ControlRight,
        KeyCode::AltLeft,
        KeyCode::AltRight,
        KeyCode::SuperLeft,
        KeyCode::SuperRight,
    ]) {
        return;
    }
    for &key in keys.get_just_pressed() {
        match key {
            KeyCode::Space => playback.toggle(),
            KeyCode::Period => {
                if !playback.paused {
                    playback.paused = true;
                }
                playback.step();
            }
            KeyCode::BracketLeft | KeyCode::BracketRight => {
                let faster = key == KeyCode::BracketRight;
                playback.time_scale = Some(stepped_scale(playback.speed(&clock), faster));
            }
            KeyCode::KeyR => {
                scenes.write(SceneCommand::Restart);
            }
            KeyCode::Tab => {
                scenes.write(if shift { SceneCommand::Previous } else { SceneCommand::Next });
            }
            KeyCode::KeyL => {
                preview.length = preview.length.next();
                if let Some(notices) = &mut notices {
                    notices.info(format!("Preview: {}", preview.length.name()));
                }
            }
            KeyCode::KeyC => followed.0 = if followed.0.is_some() { None } else { selection.single() },
            KeyCode::KeyF => followed.0 = None,
            KeyCode::KeyH => overlays.help = !overlays.help,
            KeyCode::KeyP => overlays.panel = !overlays.panel,
            KeyCode::Escape => {
                if *gesture != Gesture::Idle {
                    *gesture = Gesture::Idle;
                } else if overlays.help {
                    overlays.help = false;
                } else if !selection.0.is_empty() {
                    selection.0.clear();
                }
            }
            _ => {}
        }
    }
}

/// How much slower time runs while S is held.
const SLOW_MOTION: f32 = 0.1;

/// Slow motion while S is held; the speed of before when it is let go.
pub(super) fn slow_motion(
    keys: Res<ButtonInput<KeyCode>>,
    attention: Res<Attention>,
    (mut playback, clock): (ResMut<Playback>, Res<Time<Virtual>>),
    mut before: Local<Option<f32>>,
) {
    match *before {
        None if attention.keys && keys.just_pressed(KeyCode::KeyS) => {
            let speed = playback.speed(&clock);
            *before = Some(speed);
            playback.time_scale = Some((speed * SLOW_MOTION).max(0.01));
        }
        Some(scale) if !keys.pressed(KeyCode::KeyS) => {
            playback.time_scale = Some(scale);
            *before = None;
        }
        _ => {}
    }
}

/// Takes Tab away from egui while none of its widgets has the keyboard, so that it goes to the next scene instead of
/// into the panel; and lets go of widgets that got the keyboard by a click and take no text.
pub(super) fn keep_tab(
    mut contexts: EguiContexts,
    mut inputs: Query<&mut EguiInput, With<PrimaryEguiContext>>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    if ctx.input(|input| input.pointer.any_released())
        && !ctx.text_edit_focused()
        && let Some(focused) = ctx.memory(egui::Memory::focused)
    {
        ctx.memory_mut(|memory| memory.surrender_focus(focused));
    }
    if !ctx.egui_wants_keyboard_input() {
        for mut input in &mut inputs {
            input.events.retain(|event| !matches!(event, egui::Event::Key { key: egui::Key::Tab, .. }));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slower_and_faster_stay_in_range() {
        assert!((stepped_scale(1.0, true) - 2.0).abs() < f32::EPSILON);
        assert!((stepped_scale(1.0, false) - 0.5).abs() < f32::EPSILON);
        assert!(stepped_scale(80.0, true) <= 100.0 && stepped_scale(0.01, false) >= 0.01);
    }
}
