//! The elevation of the cue, with keys and with a gamepad, while a shot is aimed.

use bevy::prelude::*;

use super::cue::{Aim, CueSettings, STEEPEST};
use crate::{
    input::{
        actions::{Control, Inputs, Repeat},
        pointer::Controls,
    },
    view::LONGEST_FRAME,
};

/// The step of a key press, degrees. Fine steps are a tenth of it.
const STEP: f32 = 1.0;

/// The rate of a fully deflected stick, degrees per second.
const STICK: f32 = 40.0;

/// The elevation after a change, both in degrees. `shown` is that of the cue as drawn, degrees: an obstacle may have
/// raised it, and it rises from there.
fn changed(elevation: f32, shown: f32, change: f32) -> f32 {
    let from = if change > 0.0 { elevation.max(shown) } else { elevation };
    (from + change).clamp(0.0, STEEPEST)
}

/// The change by a stick in some seconds, degrees. The same stick turns the shot, so only the larger deflection counts.
fn by_stick(up: f32, across: f32, seconds: f32) -> f32 {
    if up.abs() > across.abs() { up * up.abs() * STICK * seconds } else { 0.0 }
}

/// The keys that raise and lower the butt of the cue.
pub(super) fn keys(
    mut cue: ResMut<CueSettings>,
    (aim, controls): (Res<Aim>, Res<Controls>),
    (inputs, time): (Inputs, Res<Time<Real>>),
    mut held: Local<Repeat<2>>,
) {
    let seconds = time.delta_secs();
    let [up, down] = held.steady_steps(&inputs, [Control::RaiseCue, Control::LowerCue], seconds);
    // Only discs that spin are hit with a cue.
    let Some(shot) = aim.shot.filter(|shot| controls.shoot && shot.strike.is_some()) else { return };
    let fine = if inputs.held(Control::FineSteps) { 0.1 } else { 1.0 };
    let [stick, across] = [Control::ElevationStick, Control::TurnStick].map(|stick| inputs.value(stick));
    let change = fine * ((up - down) * STEP + by_stick(stick, across, seconds.min(LONGEST_FRAME)));
    if change != 0.0 {
        cue.elevation = changed(cue.elevation, shot.elevation, change);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cue_rises_from_where_it_is_and_stays_within_its_range() {
        assert_eq!(changed(0.0, 0.0, 1.0), 1.0);
        assert_eq!(changed(0.0, 4.5, 1.0), 5.5, "over a rail");
        assert_eq!(changed(20.0, 20.0, -0.1), 19.9);
        assert_eq!([changed(0.5, 0.5, -3.0), changed(84.5, 84.5, 3.0)], [0.0, STEEPEST]);
    }

    #[test]
    fn a_stick_that_turns_the_shot_does_not_raise_the_cue() {
        assert_eq!(by_stick(0.5, 0.9, 0.1), 0.0);
        assert!((by_stick(1.0, 0.2, 0.1) - 4.0).abs() < 1e-6);
        assert_eq!(by_stick(-1.0, 0.0, 0.1), -by_stick(1.0, 0.0, 0.1));
    }
}
