//! Time as a person handles it: pause, single step, time scale, tick rate.

use bevy::{ecs::schedule::InternedScheduleLabel, prelude::*};
use std::time::Duration;

use crate::collision::{PhysicsSpace, SimulationSystems};

mod advance;
mod background;
mod pace;
mod prediction;
mod predictor;
pub(crate) mod slices;

pub use advance::{advance, run_in_order};
pub use background::BackgroundPrediction;
pub use pace::RealPace;
pub use prediction::{Horizon, Path, Prediction};
pub use predictor::Predictor;

/// The fewest and the most ticks per second that [`Playback`] asks for.
const SLOWEST: f64 = 1.0;
const FASTEST: f64 = 10_000.0;

/// How simulated time runs. Bevy's own clocks do the counting: `Time<Fixed>` the tick, `Time<Virtual>` the scale. They
/// belong to the app, and keep what it sets, except for what is asked for here; a scene asks for both.
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
    /// While true, no tick runs except those asked for by [`Playback::step`].
    pub paused: bool,
    /// Simulated seconds per real second, 0.01 to 100: with each frame it becomes the speed of `Time<Virtual>` (1 while
    /// paused, as a single step need not wait for slow motion). Default: `None`, which leaves that clock alone.
    pub time_scale: Option<f32>,
    /// Ticks per simulated second, in hertz, 1 to 10 000: with each frame it becomes the rate of `Time<Fixed>`.
    /// Default: `None`, which leaves that clock alone; Bevy sets it to 64 Hz.
    pub tick_rate: Option<f64>,
    /// How many of the ticks that [`Playback::step`] asked for are still to run. Default: 0.
    pub pending_steps: u32,
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

    /// The length of the next tick: as asked for, or as the clock has it.
    #[must_use]
    pub fn time_step(&self, clock: &Time<Fixed>) -> Duration {
        let asked = self.tick_rate.filter(|rate| rate.is_finite());
        asked.map_or(clock.timestep(), |rate| Duration::from_secs_f64(1.0 / rate.clamp(SLOWEST, FASTEST)))
    }

    /// Sets the time step of the clock to the length of the next tick. This happens in each frame; call it only where
    /// the clock must not wait for the next one.
    pub fn set_timestep(&self, clock: &mut Time<Fixed>) {
        let step = self.time_step(clock);
        if clock.timestep() != step {
            clock.set_timestep(step);
        }
    }

    /// Ticks per simulated second, in hertz: as asked for, or as the clock has it.
    #[must_use]
    pub fn rate(&self, clock: &Time<Fixed>) -> f64 {
        let asked = self.tick_rate.filter(|rate| rate.is_finite()).map(|rate| rate.clamp(SLOWEST, FASTEST));
        asked.unwrap_or_else(|| 1.0 / clock.timestep().as_secs_f64())
    }

    /// Simulated seconds per real second while not paused: as asked for, or as the clock has it.
    #[must_use]
    pub fn speed(&self, clock: &Time<Virtual>) -> f32 {
        self.time_scale
            .filter(|scale| scale.is_finite())
            .map_or(clock.relative_speed(), |scale| scale.clamp(0.01, 100.0))
    }

    /// Where between the last tick (0 = the state before it, 1 = after it) a picture taken now lies.
    #[must_use]
    pub fn interpolation(&self, time: &Time<Fixed>) -> f32 {
        if self.paused { 1.0 } else { time.overstep_fraction() }
    }
}

/// Adds [`Playback`], and holds back or lets through each run of [`SimulationSystems`].
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

/// A run condition: whether there was a tick since it was asked last. For systems after [`SimulationSystems`] that look at each tick
/// once; they would run on while playback is paused. For those before it there is [`will_tick`].
#[must_use]
pub fn ticked(space: Res<PhysicsSpace>, mut last: Local<u64>) -> bool {
    std::mem::replace(&mut *last, space.clock.tick) != space.clock.tick
}

/// A run condition: whether the tick of this run of the fixed schedule takes place, or [`Playback`] holds it back.
///
/// For systems before [`SimulationSystems`] that change velocities every time they run, such as an engine in `FixedUpdate`: that
/// schedule runs on while playback is paused, and without this condition their kicks would pile up until the next tick.
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
