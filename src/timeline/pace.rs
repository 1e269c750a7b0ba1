//! The real speed of simulated time, for machines that cannot keep up with the requested speed.

use bevy::prelude::*;
use std::time::Duration;

use super::Playback;
use crate::collision::PhysicsSpace;

/// The length of a measurement, in real time.
const SPAN: Duration = Duration::from_secs(1);

/// Less than this share of the requested speed counts as slower.
const SLOWER: f64 = 0.9;

/// Simulated seconds per real second over the last second. It counts ticks, so it includes every cause of delay.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct RealPace {
    attained: Option<f64>,
    simulated: f64,
    requested: f64,
    real: Duration,
    tick: u64,
}

impl RealPace {
    /// Simulated seconds per real second if clearly fewer than requested. `None` at normal speed, while paused, and in
    /// the first second.
    #[must_use]
    pub fn behind(&self) -> Option<f64> {
        self.attained
    }

    /// Records a frame of `real` time, after which the discs are at `tick`. `asked`: the requested simulated seconds
    /// per real second in this frame. It may change during a measurement, as when a slider is dragged.
    fn take(&mut self, real: Duration, tick: u64, time_step: f64, asked: f64) {
        if tick < self.tick {
            *self = Self::default();
        }
        self.simulated += (tick - self.tick) as f64 * time_step;
        self.requested += asked * real.as_secs_f64();
        self.real += real;
        self.tick = tick;
        if self.real >= SPAN {
            let attained = self.simulated / self.real.as_secs_f64();
            // A tick due in the next frame is not a delay.
            let slower = self.simulated + time_step < SLOWER * self.requested;
            self.attained = slower.then_some(attained);
            (self.simulated, self.requested, self.real) = (0.0, 0.0, Duration::ZERO);
        }
    }
}

pub(super) fn measure(
    mut pace: ResMut<RealPace>,
    (playback, space): (Res<Playback>, Option<Res<PhysicsSpace>>),
    (clock, fixed, real): (Res<Time<Virtual>>, Res<Time<Fixed>>, Res<Time<Real>>),
) {
    let Some(space) = space else { return };
    if playback.paused || clock.is_paused() {
        pace.set_if_neq(RealPace { tick: space.clock.tick, ..RealPace::default() });
        return;
    }
    let time_step = playback.time_step(&fixed).as_secs_f64();
    pace.take(real.delta(), space.clock.tick, time_step, clock.effective_speed_f64());
}

#[cfg(test)]
mod tests {
    use bevy::time::TimeUpdateStrategy;

    use super::*;
    use crate::PhysicsPlugins;

    const FRAME: Duration = Duration::from_millis(100);

    #[test]
    fn what_keeps_up_is_not_spoken_of() {
        let mut pace = RealPace::default();
        for frame in 1..=50 {
            pace.take(FRAME, frame * 6, 1.0 / 60.0, 1.0);
        }
        assert_eq!(pace.behind(), None);
    }

    #[test]
    fn half_the_ticks_are_half_the_pace_until_they_come_again() {
        let mut pace = RealPace::default();
        for frame in 1..=10 {
            pace.take(FRAME, frame * 3, 1.0 / 60.0, 1.0);
        }
        assert!(pace.behind().is_some_and(|pace| (pace - 0.5).abs() < 1e-6), "{pace:?}");
        for frame in 1..=10 {
            pace.take(FRAME, 30 + frame * 6, 1.0 / 60.0, 1.0);
        }
        assert_eq!(pace.behind(), None);
    }

    #[test]
    fn a_speed_raised_during_the_measurement_is_no_delay() {
        let mut pace = RealPace::default();
        // Six frames at a hundredth of the speed, then four at full speed.
        for (frame, asked) in [0.01; 6].into_iter().chain([1.0; 4]).enumerate() {
            pace.take(FRAME, 6 * frame.saturating_sub(5) as u64, 1.0 / 60.0, asked);
        }
        assert_eq!(pace.behind(), None);
    }

    #[test]
    fn a_time_scale_that_is_dragged_up_is_no_delay() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default()))
            .insert_resource(TimeUpdateStrategy::ManualDuration(FRAME));
        // Two seconds slowly, one second of dragging, two seconds at full speed.
        for frame in 0..50 {
            let scale = 0.1 + 0.9 * ((frame as f32 - 20.0) / 10.0).clamp(0.0, 1.0);
            app.world_mut().resource_mut::<Playback>().time_scale = Some(scale);
            app.update();
            assert_eq!(app.world().resource::<RealPace>().behind(), None, "frame {frame}");
        }
    }

    #[test]
    fn ticks_that_take_longer_than_a_second_are_no_delay() {
        let mut pace = RealPace::default();
        for frame in 1..=35 {
            pace.take(FRAME, frame / 15, 1.5, 1.0);
        }
        assert_eq!(pace.behind(), None);
    }
}
