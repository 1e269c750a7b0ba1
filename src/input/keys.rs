//! Keys for time, for scenes, and for what lies over the table. [`CONTROLS`] lists every control there is.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiInput, EguiPreUpdateSet, PrimaryEguiContext, egui};

use super::{
    ControlSystems,
    pointer::{Attention, PointerPlugin},
};
use crate::{scene::SceneCommand, timeline::Playback};

/// Space pauses, the period makes a tick, brackets change the time scale, S held is slow motion.
pub struct PlaybackKeysPlugin;

impl Plugin for PlaybackKeysPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(PointerPlugin);
        app.add_systems(PreUpdate, (playback_keys, slow_motion).chain().in_set(ControlSystems::Keys));
    }
}

/// R, Tab and Shift + Tab ask for scenes.
pub struct SceneKeysPlugin;

impl Plugin for SceneKeysPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(PointerPlugin);
        app.add_message::<SceneCommand>().add_systems(PreUpdate, scene_keys.in_set(ControlSystems::Keys)).add_systems(
            PreUpdate,
            keep_tab
                .run_if(any_with_component::<PrimaryEguiContext>)
                .after(EguiPreUpdateSet::ProcessInput)
                .before(EguiPreUpdateSet::BeginPass),
        );
    }
}

/// H and P show and hide what lies over the table: [`Overlays`].
pub struct OverlayKeysPlugin;

impl Plugin for OverlayKeysPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(PointerPlugin);
        // What is nearer to the hand is given up first: a gesture, a shot; then the help; then what is chosen.
        app.init_resource::<Overlays>()
            .add_systems(PreUpdate, overlay_keys.after(ControlSystems::Aim).before(ControlSystems::Move));
    }
}

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
            ("Ctrl + Z, Ctrl + Y", "take the last edit back, make it again"),
            ("Click terrain", "select it: drag it or its handles; Shift: steps of 15°; Delete removes it"),
            ("Draw, in the panel", "tools for discs, terrain, lengths and angles; Escape comes back to the hand"),
            (
                "A",
                "set up a shot by keys: Left and Right turn it by 0.1° (Shift: 0.01°; held: faster and faster), Up and Down or Ctrl + wheel set its speed, Enter plays it",
            ),
            ("Left, Right, while pulling", "turn the shot by 0.1°, with Shift by 0.01°"),
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

/// Whether Ctrl, Alt or the window key is held: that makes shortcuts of the system, which are not ours.
#[must_use]
pub fn is_shortcut(keys: &ButtonInput<KeyCode>) -> bool {
    keys.any_pressed([
        KeyCode::ControlLeft,
        KeyCode::ControlRight,
        KeyCode::AltLeft,
        KeyCode::AltRight,
        KeyCode::SuperLeft,
        KeyCode::SuperRight,
    ])
}

/// The keys that went down in this frame and are ours.
fn pressed<'a>(keys: &'a ButtonInput<KeyCode>, attention: &Attention) -> impl Iterator<Item = KeyCode> + 'a {
    let ours = attention.keys && !is_shortcut(keys);
    keys.get_just_pressed().copied().filter(move |_| ours)
}

fn playback_keys(
    keys: Res<ButtonInput<KeyCode>>,
    attention: Res<Attention>,
    (mut playback, clock): (ResMut<Playback>, Res<Time<Virtual>>),
) {
    for key in pressed(&keys, &attention) {
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
            _ => {}
        }
    }
}

fn scene_keys(keys: Res<ButtonInput<KeyCode>>, attention: Res<Attention>, mut scenes: MessageWriter<SceneCommand>) {
    // A quick hand lets go of Shift within the frame in which it pressed it.
    let shifts = [KeyCode::ShiftLeft, KeyCode::ShiftRight];
    let shift = keys.any_pressed(shifts) || keys.any_just_pressed(shifts);
    for key in pressed(&keys, &attention) {
        match key {
            KeyCode::KeyR => {
                scenes.write(SceneCommand::Restart);
            }
            KeyCode::Tab => {
                scenes.write(if shift { SceneCommand::Previous } else { SceneCommand::Next });
            }
            _ => {}
        }
    }
}

fn overlay_keys(mut keys: ResMut<ButtonInput<KeyCode>>, attention: Res<Attention>, mut overlays: ResMut<Overlays>) {
    for key in pressed(&keys, &attention) {
        match key {
            KeyCode::KeyH => overlays.help = !overlays.help,
            KeyCode::KeyP => overlays.panel = !overlays.panel,
            _ => {}
        }
    }
    if attention.keys && overlays.help && keys.clear_just_pressed(KeyCode::Escape) {
        overlays.help = false;
    }
}

/// How much slower time runs while S is held.
const SLOW_MOTION: f32 = 0.1;

/// Slow motion while S is held; the speed of before when it is let go, unless somebody else has set it since, such as another scene.
fn slow_motion(
    keys: Res<ButtonInput<KeyCode>>,
    attention: Res<Attention>,
    (mut playback, clock): (ResMut<Playback>, Res<Time<Virtual>>),
    mut before: Local<Option<SlowMotion>>,
) {
    match *before {
        None if attention.keys && keys.just_pressed(KeyCode::KeyS) && !is_shortcut(&keys) => {
            let speed = playback.speed(&clock);
            let slow = (speed * SLOW_MOTION).max(0.01);
            *before = Some(SlowMotion { speed, slow });
            playback.time_scale = Some(slow);
        }
        Some(SlowMotion { speed, slow }) if !keys.pressed(KeyCode::KeyS) => {
            if playback.time_scale == Some(slow) {
                playback.time_scale = Some(speed);
            }
            *before = None;
        }
        _ => {}
    }
}

/// The time scales before and during slow motion.
struct SlowMotion {
    speed: f32,
    slow: f32,
}

/// Takes Tab away from egui while none of its widgets has the keyboard, so that it goes to the next scene instead of
/// into the panel; and lets go of widgets that got the keyboard by a click and take no text.
fn keep_tab(mut contexts: EguiContexts, mut inputs: Query<&mut EguiInput, With<PrimaryEguiContext>>) -> Result {
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
