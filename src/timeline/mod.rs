//! Control of simulated time: pause, single step, time scale, tick rate, prediction and history.

use bevy::{ecs::schedule::InternedScheduleLabel, prelude::*};
use std::{ops::RangeInclusive, time::Duration};

use crate::collision::{PhysicsSpace, SimulationSystems};

mod advance;
mod arcs;
mod background;
pub mod history;
mod pace;
mod prediction;
mod predictor;
pub(crate) mod slices;

pub use advance::{advance, run_in_order};
pub use arcs::{Arc, arcs};
pub use background::BackgroundPrediction;
pub use history::{
    Absent, History, HistoryAppExt, HistoryPlugin, HistorySystems, SeekError, TrackId, TrackInfo, hide, seek, show,
};
pub use pace::RealPace;
pub use prediction::{Horizon, Path, Prediction};
pub use predictor::Predictor;

/// How simulated time runs. Bevy's clocks do the counting: `Time<Fixed>` holds the tick, `Time<Virtual>` the time
/// scale. Both belong to the app, and keep their settings unless you set a value here. Scenes set both values.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// # let mut app = App::new();
/// app.insert_resource(Playback { tick_rate: Some(120.0), ..default() });
/// ```
#[derive(Resource, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct Playback {
    /// While true, only the ticks requested by [`Playback::step`] run.
    pub paused: bool,
    /// Simulated seconds per real second, 0.01 to 100. It is written to the speed of `Time<Virtual>` in every frame (1
    /// while paused, so that single steps are not slowed down). Default: `None`, which leaves that clock alone.
    pub time_scale: Option<f32>,
    /// Ticks per simulated second, in hertz, 1 to 10 000. It is written to the rate of `Time<Fixed>` in every frame.
    /// Default: `None`, which leaves that clock alone; Bevy's default is 64 Hz.
    pub tick_rate: Option<f64>,
    /// The number of ticks requested by [`Playback::step`] that have not run yet. Default: 0.
    pub pending_steps: u32,
}

impl Playback {
    /// The simulated seconds per real second that can be asked for.
    pub const TIME_SCALES: RangeInclusive<f32> = 0.01..=100.0;
    /// The ticks per simulated second that can be asked for, hertz.
    pub const TICK_RATES: RangeInclusive<f64> = 1.0..=10_000.0;

    /// Requests one tick while paused. It runs in the next fixed step.
    pub fn step(&mut self) {
        self.pending_steps = self.pending_steps.saturating_add(1);
    }

    /// Pauses or resumes.
    pub fn toggle(&mut self) {
        self.paused = !self.paused;
        self.pending_steps = 0;
    }

    /// The length of the next tick: from this resource if set, otherwise from the clock.
    #[must_use]
    pub fn time_step(&self, clock: &Time<Fixed>) -> Duration {
        self.asked_rate().map_or(clock.timestep(), |rate| Duration::from_secs_f64(1.0 / rate))
    }

    /// Sets the time step of the clock to the length of the next tick. This happens in each frame; call it only where
    /// the clock must not wait for the next one.
    pub fn set_timestep(&self, clock: &mut Time<Fixed>) {
        let step = self.time_step(clock);
        if clock.timestep() != step {
            clock.set_timestep(step);
        }
    }

    /// Ticks per simulated second, in hertz: from this resource if set, otherwise from the clock.
    #[must_use]
    pub fn rate(&self, clock: &Time<Fixed>) -> f64 {
        self.asked_rate().unwrap_or_else(|| 1.0 / clock.timestep().as_secs_f64())
    }

    fn asked_rate(&self) -> Option<f64> {
        let (slowest, fastest) = (*Self::TICK_RATES.start(), *Self::TICK_RATES.end());
        self.tick_rate.filter(|rate| rate.is_finite()).map(|rate| rate.clamp(slowest, fastest))
    }

    /// Simulated seconds per real second while not paused: from this resource if set, otherwise from the clock.
    #[must_use]
    pub fn speed(&self, clock: &Time<Virtual>) -> f32 {
        self.time_scale.filter(|scale| scale.is_finite()).map_or(clock.relative_speed(), Self::clamp_time_scale)
    }

    /// The nearest of the [`Self::TIME_SCALES`].
    #[must_use]
    pub(crate) fn clamp_time_scale(scale: f32) -> f32 {
        scale.clamp(*Self::TIME_SCALES.start(), *Self::TIME_SCALES.end())
    }

    /// The position of the current frame within the last tick: 0 is the state before the tick, 1 the state after it.
    #[must_use]
    pub fn interpolation(&self, time: &Time<Fixed>) -> f32 {
        if self.paused { 1.0 } else { time.overstep_fraction() }
    }
}

/// Adds [`Playback`], which decides whether each run of [`SimulationSystems`] takes place.
pub struct TimelinePlugin {
    /// The schedule that the tick runs in.
    pub schedule: InternedScheduleLabel,
}

impl Plugin for TimelinePlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<Playback>()
            .init_resource::<Playback>()
            .init_resource::<RealPace>()
            .configure_sets(self.schedule, SimulationSystems.run_if(will_tick))
            .add_systems(self.schedule, count_step.after(SimulationSystems))
            .add_systems(
                Last,
                pace::measure.run_if(resource_exists::<Time<Real>>.and_then(resource_exists::<Time<Virtual>>)),
            )
            .add_systems(
                First,
                follow_playback.before(bevy::time::TimeSystems).before(bevy::ecs::message::MessageUpdateSystems),
            );
        #[cfg(target_arch = "wasm32")]
        app.add_systems(Last, slices::share_out);
    }
}

/// A run condition: whether a tick has run since the condition was last evaluated. Use it for systems after
/// [`SimulationSystems`] that process each tick once; without it they would also run while playback is paused. For
/// systems before the tick, use [`will_tick`].
#[must_use]
pub fn ticked(space: Res<PhysicsSpace>, mut last: Local<u64>) -> bool {
    std::mem::replace(&mut *last, space.clock.tick) != space.clock.tick
}

/// A run condition: whether the tick of this run of the fixed schedule takes place, or [`Playback`] holds it back.
///
/// Use it for systems before [`SimulationSystems`] that change velocities in every run, such as an engine in
/// `FixedUpdate`. That schedule also runs while playback is paused; without this condition the changes would accumulate
/// until the next tick.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn accelerate(mut discs: Query<&mut Velocity>, time: Res<Time>) {
///     for mut velocity in &mut discs {
///         velocity.x += 2.0 * time.delta_secs();
///     }
/// }
/// # let mut app = App::new();
/// app.add_systems(FixedUpdate, accelerate.run_if(will_tick));
/// ```
#[must_use]
pub fn will_tick(playback: Res<Playback>) -> bool {
    !playback.paused || playback.pending_steps > 0
}

fn count_step(mut playback: ResMut<Playback>) {
    if playback.pending_steps > 0 {
        playback.pending_steps -= 1;
    }
}

fn follow_playback(mut playback: ResMut<Playback>, mut fixed: ResMut<Time<Fixed>>, mut clock: ResMut<Time<Virtual>>) {
    if let Some(scale) = playback.time_scale.filter(|scale| !scale.is_finite()) {
        warn(&"time scale", &scale);
        playback.time_scale = None;
    }
    if let Some(rate) = playback.tick_rate.filter(|rate| !rate.is_finite()) {
        warn(&"tick rate", &rate);
        playback.tick_rate = None;
    }
    playback.set_timestep(&mut fixed);
    let speed = if playback.paused && playback.time_scale.is_some() { 1.0 } else { playback.speed(&clock) };
    if clock.relative_speed() != speed {
        clock.set_relative_speed(speed);
    }
}

fn warn(what: &dyn std::fmt::Display, value: &dyn std::fmt::Display) {
    tracing::warn!("the {what} was set to {value}; the clock stays as it is, set it to a finite number");
}
