//! A gas without a window, observed and controlled from outside, for example by `examples/remote/cooling.py`.
//!
//! ```sh
//! cargo run --release --no-default-features --features scene,remote --example remote
//! python3 examples/remote/cooling.py cooling.svg
//! ```

use std::time::Duration;

use bevy::{app::ScheduleRunnerPlugin, prelude::*};
use carom::{
    prelude::*,
    remote::RemoteControlPlugin,
    scene::{ScenePlugin, SceneSource, spawn},
};

/// The time between two frames of the app: a request is answered in the next one.
const FRAME: Duration = Duration::from_millis(2);

fn main() -> Result {
    let remote = RemoteControlPlugin::listening_at(RemoteControlPlugin::DEFAULT_PORT)?;
    println!("listening at 127.0.0.1:{}; end with Ctrl+C", remote.port());
    let mut app = App::new();
    app.add_plugins((MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(FRAME)), PhysicsPlugins::default()))
        .add_plugins((ScenePlugin, remote));
    let source = SceneSource::Shipped("gas");
    let file = source.load()?;
    spawn(app.world_mut(), source, file)?;
    app.run();
    Ok(())
}
