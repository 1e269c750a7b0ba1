//! Ticks without waiting for the clock: for programs without a window, for tests, for measurements.

use bevy::{
    app::FixedMain,
    ecs::{message::message_update_system, schedule::SingleThreadedExecutor},
    prelude::*,
};

use super::Playback;

/// Runs `ticks` ticks at once, as fast as they go, whatever the clocks say and whether or not playback is paused.
///
/// Each is a full run of Bevy's fixed schedule with `Time` standing for the fixed clock, as in the main loop, so that
/// systems of the fixed schedules notice no difference; messages live for two ticks. Nothing outside of the fixed
/// schedule runs: in particular no `Startup` system, which Bevy runs in the first `app.update()`. An app that spawns
/// its discs there calls that once before; the first update starts the clock and has no tick.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::{prelude::*, timeline::advance};
/// # let mut app = App::new();
/// app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
/// app.add_systems(Startup, |mut commands: Commands| _ = commands.spawn((Disc, Velocity(Vec2::X))));
/// app.update(); // `Startup`
/// advance(app.world_mut(), 64); // a second at Bevy's 64 Hz
/// let position = app.world_mut().query::<&Position>().single(app.world()).unwrap().0;
/// assert_eq!(position, Vec2::X);
/// ```
pub fn advance(world: &mut World, ticks: u64) {
    let step = world.resource::<Playback>().time_step(world.resource::<Time<Fixed>>());
    world.resource_mut::<Time<Fixed>>().set_timestep(step);
    let paused = std::mem::replace(&mut world.resource_mut::<Playback>().paused, false);
    let mut update_messages = IntoSystem::into_system(message_update_system);
    update_messages.initialize(world);
    world.schedule_scope(FixedMain, |world, schedule| {
        for _ in 0..ticks {
            world.resource_mut::<Time<Fixed>>().advance_by(step);
            let fixed = world.resource::<Time<Fixed>>().as_generic();
            *world.resource_mut::<Time>() = fixed;
            schedule.run(world);
            if let Err(error) = update_messages.run((), world) {
                tracing::warn!("messages were not updated: {error}");
            }
            world.check_change_ticks();
        }
    });
    let clock = world.resource::<Time<Virtual>>().as_generic();
    *world.resource_mut::<Time>() = clock;
    world.resource_mut::<Playback>().paused = paused;
}

/// Makes the systems of every fixed schedule run on one thread, in their order: for programs that only [`advance`]. The
/// steps of a tick follow each other anyway, and more threads would wait for one another longer than a thousand discs
/// take; the large stages still divide their own work.
pub fn run_in_order(app: &mut App) {
    fn in_order(schedule: &mut Schedule) {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    app.edit_schedule(FixedFirst, in_order)
        .edit_schedule(FixedPreUpdate, in_order)
        .edit_schedule(FixedUpdate, in_order)
        .edit_schedule(FixedPostUpdate, in_order)
        .edit_schedule(FixedLast, in_order);
}
