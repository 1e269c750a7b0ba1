//! Time as a person handles it: pause, single step, time scale, tick rate.

use bevy::prelude::*;
use std::time::Duration;

use crate::collision::{Space, Tick};

mod advance;
mod future;

pub use advance::{advance, run_in_order};
pub use future::{Future, Horizon, Path};

/// How simulated time runs. Bevy's own clocks do the counting: `Time<Fixed>` the tick, `Time<Virtual>` the scale.
#[derive(Resource, Reflect, Clone, Debug, PartialEq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct Playback {
    /// While true, no tick runs except those asked for by [`Playback::step`].
    pub paused: bool,
    /// Simulated seconds per real second; 0.01 to 100. Default: 1.
    pub time_scale: f32,
    /// Ticks per simulated second, in hertz; 1 to 10 000. Default: 60.
    pub tick_rate: f64,
    pending_steps: u32,
}

impl Default for Playback {
    fn default() -> Self {
        Self { paused: false, time_scale: 1.0, tick_rate: 60.0, pending_steps: 0 }
    }
}

impl Playback {
    /// Asks for one tick while paused. It runs with the next fixed step.
    pub fn step(&mut self) {
        self.pending_steps = self.pending_steps.saturating_add(1);
    }

    /// Pauses, or goes on.
    pub fn toggle(&mut self) {
        self.paused = !self.paused;
        self.pending_steps = 0;
    }

    /// Where between the last tick (0 = the state before it, 1 = after it) a picture taken now lies.
    #[must_use]
    pub fn interpolation(&self, time: &Time<Fixed>) -> f32 {
        if self.paused { 1.0 } else { time.overstep_fraction() }
    }
}

/// Adds [`Playback`], and holds back or lets through each run of [`Tick`].
pub struct TimelinePlugin;

impl Plugin for TimelinePlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<Playback>()
            .init_resource::<Playback>()
            .configure_sets(FixedUpdate, Tick.run_if(may_tick))
            .add_systems(FixedPostUpdate, count_step)
            .add_systems(
                First,
                follow_playback.before(bevy::time::TimeSystems).before(bevy::ecs::message::MessageUpdateSystems),
            );
    }
}

/// A run condition: whether there was a tick since it was asked last. For systems in [`FixedUpdate`] after [`Tick`] that look at
/// each tick once; they would run on while playback is paused.
#[must_use]
pub fn ticked(space: Res<Space>, mut last: Local<u64>) -> bool {
    std::mem::replace(&mut *last, space.tick) != space.tick
}

fn may_tick(playback: Res<Playback>) -> bool {
    !playback.paused || playback.pending_steps > 0
}

fn count_step(mut playback: ResMut<Playback>) {
    if playback.pending_steps > 0 {
        playback.pending_steps -= 1;
    }
}

/// Slow frames slow the simulation down instead of piling up ticks, so that a heavy scene stays answerable.
const LONGEST_FRAME: Duration = Duration::from_millis(100);

fn follow_playback(mut playback: ResMut<Playback>, mut fixed: ResMut<Time<Fixed>>, mut clock: ResMut<Time<Virtual>>) {
    let defaults = Playback::default();
    if !playback.time_scale.is_finite() {
        warn_once(&"time scale", &playback.time_scale);
        playback.time_scale = defaults.time_scale;
    }
    if !playback.tick_rate.is_finite() {
        warn_once(&"tick rate", &playback.tick_rate);
        playback.tick_rate = defaults.tick_rate;
    }
    let step = step_length(playback.tick_rate);
    if fixed.timestep() != step {
        fixed.set_timestep(step);
    }
    // A single step need not wait for slow motion.
    let scale = if playback.paused { 1.0 } else { playback.time_scale.clamp(0.01, 100.0) };
    if clock.relative_speed() != scale {
        clock.set_relative_speed(scale);
    }
    if clock.max_delta() != LONGEST_FRAME {
        clock.set_max_delta(LONGEST_FRAME);
    }
}

/// The length of a tick at so many ticks per second, within the range that [`Playback`] takes.
pub(crate) fn step_length(tick_rate: f64) -> Duration {
    Duration::from_secs_f64(1.0 / tick_rate.clamp(1.0, 10_000.0))
}

fn warn_once(what: &dyn std::fmt::Display, value: &dyn std::fmt::Display) {
    tracing::warn!("the {what} was set to {value}; it is back at its default, set it to a finite number");
}
