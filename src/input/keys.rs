//! Keys for time, for scenes, and for what lies over the table.

use bevy::prelude::*;
use tr::tr;

use super::{
    ControlSystems, EditLock,
    actions::{Control, Inputs, KeyMap},
    pointer::{PointerPlugin, PointingDevice},
};
use crate::{
    debug::PhysicsDebug,
    notice::{Notices, mark},
    scene::SceneCommand,
    timeline::Playback,
    view::KeyHint,
};

/// Pause, single ticks, half and double speed, slow motion.
pub struct PlaybackKeysPlugin;

impl Plugin for PlaybackKeysPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(PointerPlugin);
        app.add_systems(PreUpdate, (playback_keys, slow_motion).chain().in_set(ControlSystems::Keys));
    }
}

/// Restart, the next scene, the one before.
pub struct SceneKeysPlugin;

impl Plugin for SceneKeysPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(PointerPlugin);
        app.add_message::<SceneCommand>().add_systems(PreUpdate, scene_keys.in_set(ControlSystems::Keys));
    }
}

/// The help and the panel are shown and hidden: [`Overlays`]; so is a [`PhysicsDebug`] without a key of its own.
pub struct OverlayKeysPlugin;

impl Plugin for OverlayKeysPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(PointerPlugin);
        // What is nearer to the hand is given up first: a gesture, a shot; then the help; then what is chosen.
        app.init_resource::<Overlays>()
            .init_resource::<KeyHint>()
            .add_systems(PreUpdate, overlay_keys.after(ControlSystems::Aim).before(ControlSystems::Move))
            .add_systems(
                PreUpdate,
                hint.in_set(ControlSystems::Keys)
                    .run_if(resource_changed::<KeyMap>.or_eager(resource_changed::<PointingDevice>)),
            );
    }
}

/// What lies over the table and can be shown and hidden by a key.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlays {
    /// The list of all controls. Default: hidden.
    pub help: bool,
    /// The panel. Default: shown.
    pub panel: bool,
    /// A page that fills the window, such as the start page; the panel is not there then. Default: none.
    pub page: bool,
}

impl Default for Overlays {
    fn default() -> Self {
        Self { help: false, panel: true, page: false }
    }
}

/// Asks for the start page. Whoever has one adds the message, and by that others know that there is one.
#[derive(Message, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StartPageAsked;

/// Half or double the time scale, within the range that [`Playback`] takes.
#[must_use]
pub fn stepped_scale(scale: f32, faster: bool) -> f32 {
    let wanted = if faster { scale * 2.0 } else { scale / 2.0 };
    wanted.clamp(0.01, 100.0)
}

fn playback_keys(inputs: Inputs, (mut playback, clock): (ResMut<Playback>, Res<Time<Virtual>>)) {
    if inputs.started(Control::Pause) {
        playback.toggle();
    }
    if inputs.started(Control::Step) {
        if !playback.paused {
            playback.paused = true;
        }
        playback.step();
    }
    for (control, faster) in [(Control::HalfSpeed, false), (Control::DoubleSpeed, true)] {
        if inputs.started(control) {
            playback.time_scale = Some(stepped_scale(playback.speed(&clock), faster));
        }
    }
}

/// Why another scene does not begin.
pub(crate) const MATCH_RUNS: &str = mark("A match runs: leave it first, by the button Match.");

fn scene_keys(
    inputs: Inputs,
    mut scenes: MessageWriter<SceneCommand>,
    (lock, notices): (Res<EditLock>, Option<ResMut<Notices>>),
) {
    // A shoulder of a gamepad is pressed all too easily, and the match would be left.
    let goes_on = [Control::NextScene, Control::PreviousScene].into_iter().any(|control| inputs.started(control));
    if lock.0.is_some() && goes_on {
        if let Some(mut notices) = notices {
            notices.info(tr!(MATCH_RUNS));
        }
        return;
    }
    let asked = [
        (Control::Restart, SceneCommand::Restart),
        (Control::NextScene, SceneCommand::Next),
        (Control::PreviousScene, SceneCommand::Previous),
    ];
    for (control, command) in asked {
        if inputs.started(control) {
            scenes.write(command);
        }
    }
}

fn overlay_keys(mut inputs: Inputs, mut overlays: ResMut<Overlays>, debug: Option<ResMut<PhysicsDebug>>) {
    if inputs.started(Control::Help) {
        overlays.help = !overlays.help;
    }
    if inputs.started(Control::Panel) {
        overlays.panel = !overlays.panel;
    }
    // With a key of its own it answers by itself.
    if let Some(mut debug) = debug
        && debug.key.is_none()
        && inputs.started(Control::ShowPhysics)
    {
        debug.shown = !debug.shown;
    }
    if overlays.help && inputs.take(Control::Cancel) {
        overlays.help = false;
    }
}

/// The keys that a newcomer needs, for the hint in the window; where fingers are used, what two of them do.
fn hint((map, device): (Res<KeyMap>, Res<PointingDevice>), mut hint: ResMut<KeyHint>) {
    if *device == PointingDevice::Finger {
        hint.set_if_neq(KeyHint(vec![(mark("Two fingers:").to_owned(), mark("zoom, move the view"))]));
        return;
    }
    let first = [
        (Control::Pause, mark("pause")),
        (Control::Restart, mark("restart")),
        (Control::NextScene, mark("next scene")),
        (Control::Help, mark("help")),
    ];
    let words = first.iter().filter_map(|&(control, does)| Some((map.short(control)?, does)));
    hint.set_if_neq(KeyHint(words.collect()));
}

/// How much slower time runs in slow motion.
const SLOW_MOTION: f32 = 0.1;

/// Slow motion while its key is held; the speed of before when it is let go, unless somebody else has set it since,
/// such as another scene.
fn slow_motion(
    inputs: Inputs,
    (mut playback, clock): (ResMut<Playback>, Res<Time<Virtual>>),
    mut before: Local<Option<SlowMotion>>,
) {
    match *before {
        None if inputs.started(Control::SlowMotion) => {
            let speed = playback.speed(&clock);
            let slow = (speed * SLOW_MOTION).max(0.01);
            *before = Some(SlowMotion { speed, slow });
            playback.time_scale = Some(slow);
        }
        Some(SlowMotion { speed, slow }) if !inputs.held(Control::SlowMotion) => {
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
