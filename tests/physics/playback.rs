//! Pause, single step, tick rate and time scale.

use bevy::{prelude::*, time::TimeUpdateStrategy};
use carom::prelude::*;
use std::time::Duration;

use crate::support;

#[test]
fn paused_nothing_moves_and_a_step_is_one_tick() {
    let mut app = support::app();
    let disc = support::ball(&mut app, Vec2::ZERO, Vec2::new(6.0, 0.0));
    app.world_mut().resource_mut::<Playback>().toggle();
    support::ticks(&mut app, 10);
    assert_eq!(support::position(&app, disc), Vec2::ZERO);
    app.world_mut().resource_mut::<Playback>().step();
    support::ticks(&mut app, 10);
    assert!((support::position(&app, disc).x - 0.1).abs() < 1e-6);
    app.world_mut().resource_mut::<Playback>().toggle();
    support::ticks(&mut app, 10);
    assert!((support::position(&app, disc).x - 1.1).abs() < 1e-5);
}

#[test]
fn tick_rate_and_time_scale_do_what_they_say() {
    for (rate, scale) in [(60.0, 1.0), (240.0, 1.0), (100.0, 0.5), (120.0, 2.0)] {
        let mut app = support::app();
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(20)));
        let mut playback = app.world_mut().resource_mut::<Playback>();
        playback.tick_rate = rate;
        playback.time_scale = scale;
        let disc = support::ball(&mut app, Vec2::ZERO, Vec2::X);
        app.update();
        let (start, ticks) = (support::position(&app, disc).x, app.world().resource::<Space>().tick);
        support::ticks(&mut app, 50);
        let ran = app.world().resource::<Space>().tick - ticks;
        // One real second, to within the tick that is under way at either end.
        assert!((ran as f64 - rate * f64::from(scale)).abs() <= 2.0, "{rate} Hz x {scale}: {ran} ticks");
        let moved = support::position(&app, disc).x - start;
        assert!((moved - ran as f32 / rate as f32).abs() < 1e-4, "{rate} Hz x {scale}: {moved} m");
    }
}

#[test]
fn nonsense_is_mended_and_time_goes_on() {
    let mut app = support::app();
    let mut playback = app.world_mut().resource_mut::<Playback>();
    playback.time_scale = f32::NAN;
    playback.tick_rate = f64::INFINITY;
    let disc = support::ball(&mut app, Vec2::ZERO, Vec2::X);
    support::ticks(&mut app, 3);
    assert!(support::position(&app, disc).x > 0.0);
}
