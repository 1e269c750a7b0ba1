//! Runs to the next hit. These are the ticks of the simulation itself, as many in a frame as there is time for, so that
//! the future is the same as without the stop.

use std::time::Duration;

use bevy::{platform::time::Instant, prelude::*};
use tr::tr;

use super::state::TimeBar;
use crate::{
    collision::PhysicsSpace,
    notice::Notices,
    timeline::{History, Playback, history::has_hit},
};

/// The time for these ticks in a frame.
const TIME_PER_FRAME: Duration = Duration::from_millis(12);

/// The most ticks in a frame. Each run of the fixed schedules costs some time even after the last tick.
const MAX_TICKS: u32 = 256;

/// When the ticks of this frame began.
#[derive(Resource, Default)]
pub(super) struct FrameStart(Option<Instant>);

/// Requests the ticks of this frame, before Bevy's fixed main loop.
pub(super) fn request_ticks(
    mut bar: ResMut<TimeBar>,
    (mut playback, mut clock, mut start): (ResMut<Playback>, ResMut<Time<Fixed>>, ResMut<FrameStart>),
    history: Res<History>,
) {
    start.0 = None;
    if bar.to_hit.is_none() || history.is_seeking() {
        return;
    }
    if !playback.paused {
        // A person who presses Pause wants to stop here.
        (bar.to_hit, playback.paused, playback.pending_steps) = (None, true, 0);
        return;
    }
    start.0 = Some(Instant::now());
    playback.pending_steps = MAX_TICKS;
    let step = clock.timestep();
    clock.accumulate_overstep(step * MAX_TICKS);
}

/// After each tick: ends the run if something was hit or nothing moves, and ends the frame if its time is used up.
pub(super) fn look_for_hit(
    mut bar: ResMut<TimeBar>,
    (mut playback, start, space): (ResMut<Playback>, Res<FrameStart>, Res<PhysicsSpace>),
    notices: Option<ResMut<Notices>>,
) {
    let (Some(run), Some(start)) = (bar.to_hit, start.0) else { return };
    let found = has_hit(&space, run.of);
    if found || !space.report.are_moving {
        (bar.to_hit, playback.pending_steps) = (None, 0);
        if let (false, Some(mut notices)) = (found, notices) {
            notices.info(tr!("Nothing moves, so there is no further collision."));
        }
    } else if start.elapsed() >= TIME_PER_FRAME {
        playback.pending_steps = 0;
    }
}

/// Removes the time of the ticks that were not needed.
pub(super) fn give_back_time(mut start: ResMut<FrameStart>, mut clock: ResMut<Time<Fixed>>) {
    if start.0.take().is_some() {
        let rest = clock.overstep();
        clock.discard_overstep(rest);
    }
}
