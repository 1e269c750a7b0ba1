//! A Bevy app without a window, for the two engines that run in one.

use bevy::{
    app::Plugins,
    ecs::schedule::{Schedules, SingleThreadedExecutor},
    prelude::*,
    tasks::{ComputeTaskPool, TaskPoolBuilder},
};

/// An app with these plugins, ready to run. Bevy's compute pool gets this many threads, once in a process; with one
/// thread the systems run one after another, as in a Bevy without its feature `multi_threaded`.
pub fn app<M>(plugins: impl Plugins<M>, threads: usize) -> App {
    ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(threads).build());
    let mut app = App::new();
    app.add_plugins(MinimalPlugins).add_plugins(plugins);
    app.finish();
    app.cleanup();
    if threads == 1 {
        one_after_another(&mut app);
    }
    app
}

/// Makes the systems of every schedule run in order on one thread.
pub fn one_after_another(app: &mut App) {
    for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
}
