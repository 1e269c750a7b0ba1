//! Pause, single step, tick rate and time scale.

use bevy::{prelude::*, time::TimeUpdateStrategy};
use carom::prelude::*;
use std::time::Duration;

use crate::support;

#[test]
fn paused_nothing_moves_and_a_step_is_one_tick() {
    let mut app = support::app();
    let disc = support::disc(&mut app, Vec2::ZERO, Vec2::new(6.0, 0.0));
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
fn kicks_in_fixed_update_wait_for_the_tick_where_they_are_told_to_and_pile_up_where_not() {
    fn kick(mut discs: Query<&mut Velocity>) {
        for mut velocity in &mut discs {
            velocity.x += 1.0;
        }
    }
    for (waits, expected) in [(true, 7.0), (false, 15.0)] {
        let mut app = support::app();
        if waits {
            app.add_systems(FixedUpdate, kick.run_if(will_tick));
        } else {
            app.add_systems(FixedUpdate, kick);
        }
        let disc = support::disc(&mut app, Vec2::ZERO, Vec2::ZERO);
        support::ticks(&mut app, 3);
        assert_eq!(support::velocity(&app, disc).x, 3.0, "with every tick, also the first");
        app.world_mut().resource_mut::<Playback>().toggle();
        support::ticks(&mut app, 6);
        app.world_mut().resource_mut::<Playback>().step();
        support::ticks(&mut app, 3);
        app.world_mut().resource_mut::<Playback>().toggle();
        support::ticks(&mut app, 3);
        assert_eq!(support::velocity(&app, disc).x, expected);
    }
}

fn frames_of_20_ms(app: &mut App) {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(20)));
}

/// Runs for a real second. Returns the number of ticks and the distance of a disc at 1 m/s.
fn a_second(app: &mut App) -> (u64, f32) {
    let disc = support::disc(app, Vec2::ZERO, Vec2::X);
    app.update();
    let (start, before) = (support::position(app, disc).x, app.world().resource::<PhysicsSpace>().clock.tick);
    support::ticks(app, 50);
    (app.world().resource::<PhysicsSpace>().clock.tick - before, support::position(app, disc).x - start)
}

#[test]
fn tick_rate_and_time_scale_do_what_they_say() {
    for (rate, scale) in [(60.0, 1.0), (240.0, 1.0), (100.0, 0.5), (120.0, 2.0)] {
        let mut app = support::app();
        frames_of_20_ms(&mut app);
        let mut playback = app.world_mut().resource_mut::<Playback>();
        playback.tick_rate = Some(rate);
        playback.time_scale = Some(scale);
        let (ran, moved) = a_second(&mut app);
        // Within one partial tick at either end.
        assert!((ran as f64 - rate * f64::from(scale)).abs() <= 2.0, "{rate} Hz x {scale}: {ran} ticks");
        assert!((moved - ran as f32 / rate as f32).abs() < 1e-4, "{rate} Hz x {scale}: {moved} m");
    }
}

#[test]
fn the_clocks_of_an_app_that_asks_for_nothing_stay_its_own() {
    let longest = Duration::from_millis(400);
    let mut app = support::app();
    frames_of_20_ms(&mut app);
    app.insert_resource(Time::<Fixed>::from_hz(50.0));
    app.world_mut().resource_mut::<Time<Virtual>>().set_relative_speed(0.5);
    app.world_mut().resource_mut::<Time<Virtual>>().set_max_delta(longest);
    let unchanged = |app: &App| {
        let (fixed, clock) = (app.world().resource::<Time<Fixed>>(), app.world().resource::<Time<Virtual>>());
        assert_eq!(fixed.timestep(), Duration::from_millis(20));
        assert_eq!((clock.relative_speed(), clock.max_delta()), (0.5, longest));
    };
    let (ran, moved) = a_second(&mut app);
    assert!((24..=26).contains(&ran), "{ran} ticks");
    assert!((moved - ran as f32 / 50.0).abs() < 1e-5, "{moved} m");
    unchanged(&app);
    // Pause, single step and advance do not change another clock either.
    app.world_mut().resource_mut::<Playback>().toggle();
    app.world_mut().resource_mut::<Playback>().step();
    support::ticks(&mut app, 5);
    carom::timeline::advance(app.world_mut(), 3);
    assert_eq!(app.world().resource::<PhysicsSpace>().clock.time_step, 0.02);
    unchanged(&app);
    // The requested setting is applied, and no other.
    app.world_mut().resource_mut::<Playback>().tick_rate = Some(100.0);
    app.update();
    let (playback, clock) = (app.world().resource::<Playback>(), app.world().resource::<Time<Fixed>>());
    assert_eq!((clock.timestep(), playback.rate(clock)), (Duration::from_millis(10), 100.0));
    assert_eq!(app.world().resource::<Time<Virtual>>().relative_speed(), 0.5);
}

#[test]
fn nonsense_is_mended_and_time_goes_on() {
    let mut app = support::app();
    let mut playback = app.world_mut().resource_mut::<Playback>();
    playback.time_scale = Some(f32::NAN);
    playback.tick_rate = Some(f64::NAN);
    let disc = support::disc(&mut app, Vec2::ZERO, Vec2::X);
    carom::timeline::advance(app.world_mut(), 1);
    support::ticks(&mut app, 3);
    assert!((support::position(&app, disc).x - 4.0 / 60.0).abs() < 1e-6);
    let playback = app.world().resource::<Playback>();
    assert!((playback.rate(app.world().resource()) - 60.0).abs() < 1e-5, "as the clock has it");
    assert_eq!((playback.time_scale, playback.tick_rate), (None, None));
}
