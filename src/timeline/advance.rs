//! Ticks without waiting for real time: for programs without a window, for tests and for measurements.

use bevy::{
    app::FixedMain,
    ecs::{message::message_update_system, schedule::SingleThreadedExecutor},
    prelude::*,
};

use super::Playback;
use crate::collision::PhysicsSpace;

/// The number of ticks after which removed components are forgotten. Systems of a frame should still see them.
const FORGET_AFTER: u64 = 1024;

/// Runs `ticks` ticks as fast as possible, whatever the clocks say and whether or not playback is paused.
///
/// Each tick is a full run of Bevy's fixed schedule. As in the main loop, `Time` is the fixed clock, so systems in
/// fixed schedules notice no difference; messages live for two ticks. Nothing outside the fixed schedule runs. In
/// particular no `Startup` system runs: Bevy runs those in the first `app.update()`. If your app spawns its discs
/// there, call `app.update()` once before; the first update starts the clock and runs no tick.
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
    let paused = std::mem::replace(&mut world.resource_mut::<Playback>().paused, false);
    let mut update_messages = IntoSystem::into_system(message_update_system);
    update_messages.initialize(world);
    world.schedule_scope(FixedMain, |world, schedule| {
        for _ in 0..ticks {
            // A tick may change the length of the next one.
            let step = world.resource::<Playback>().time_step(world.resource::<Time<Fixed>>());
            let mut clock = world.resource_mut::<Time<Fixed>>();
            clock.set_timestep(step);
            clock.advance_by(step);
            let fixed = world.resource::<Time<Fixed>>().as_generic();
            *world.resource_mut::<Time>() = fixed;
            schedule.run(world);
            if let Err(error) = update_messages.run((), world) {
                tracing::warn!("messages were not updated: {error}");
            }
            world.check_change_ticks();
            if world.resource::<PhysicsSpace>().clock.tick.is_multiple_of(FORGET_AFTER) {
                // `App::update` does this in every frame. Bevy else keeps a list of all components ever removed.
                world.clear_trackers();
            }
        }
    });
    let clock = world.resource::<Time<Virtual>>().as_generic();
    *world.resource_mut::<Time>() = clock;
    world.resource_mut::<Playback>().paused = paused;
}

/// Makes the systems of every fixed schedule run in order on one thread, for programs that only [`advance`]. The steps
/// of a tick run one after the other anyway, and for a thousand discs, synchronizing threads takes longer than the
/// work. Large stages still divide their own work.
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
