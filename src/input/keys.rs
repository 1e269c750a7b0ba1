//! Keys for time and for scenes.

use bevy::prelude::*;
use tr::tr;

use super::{
    ControlSystems, EditLock,
    actions::{Control, Inputs},
};
use crate::{
    input::PointerPlugin,
    notice::{Notices, mark},
    scene::SceneCommand,
    timeline::Playback,
};

/// Pause, single ticks, half and double speed, slow motion.
pub struct PlaybackKeysPlugin;

impl Plugin for PlaybackKeysPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(PointerPlugin);
        app.add_systems(PreUpdate, (playback_keys, slow_motion).chain().in_set(ControlSystems::Keys));
    }
}

/// Restart, next scene, previous scene.
pub struct SceneKeysPlugin;

impl Plugin for SceneKeysPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(PointerPlugin);
        app.add_message::<SceneCommand>().add_systems(PreUpdate, scene_keys.in_set(ControlSystems::Keys));
    }
}

/// Half or double the time scale, within the range of [`Playback`].
#[must_use]
pub fn stepped_scale(scale: f32, faster: bool) -> f32 {
    Playback::clamp_time_scale(if faster { scale * 2.0 } else { scale / 2.0 })
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

/// The reason why another scene does not start.
pub(crate) const MATCH_RUNS: &str = mark("A match is in progress. Leave it first with the Match button.");

fn scene_keys(
    inputs: Inputs,
    mut scenes: MessageWriter<SceneCommand>,
    (lock, notices): (Res<EditLock>, Option<ResMut<Notices>>),
) {
    // A gamepad's shoulder button is easily pressed by accident, which would leave the match.
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

/// The factor of slow motion.
const SLOW_MOTION: f32 = 0.1;

/// Slow motion while its key is held. On release, the previous speed returns, unless something else has changed it,
/// such as another scene.
fn slow_motion(
    inputs: Inputs,
    (mut playback, clock): (ResMut<Playback>, Res<Time<Virtual>>),
    mut before: Local<Option<SlowMotion>>,
) {
    match *before {
        None if inputs.started(Control::SlowMotion) => {
            let speed = playback.speed(&clock);
            let slow = Playback::clamp_time_scale(speed * SLOW_MOTION);
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
