//! Setup for the tests of mouse, keys and touch: a world without a window, and its frames.
// Each test uses a part of it.
#![allow(dead_code)]

use bevy::{app::Plugins, prelude::*};
use carom::{
    editor::EditorPlugins,
    input::{InputPlugins, Pointer},
    notice::Notices,
    prelude::*,
    scene::SceneCommand,
    shell::OverlayKeysPlugin,
    view::{View2d, main_view},
};

/// A paused world with mouse, keys and a view of 100 pixels per metre, before its first frame.
pub fn app() -> App {
    app_with((InputPlugins, EditorPlugins, OverlayKeysPlugin))
}

/// The same with these plugins.
pub fn app_with<M>(plugins: impl Plugins<M>) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default()))
        .init_resource::<ButtonInput<KeyCode>>()
        .init_resource::<ButtonInput<MouseButton>>()
        .init_resource::<Notices>()
        .add_message::<SceneCommand>()
        .add_plugins(plugins);
    app.world_mut().spawn(View2d::default());
    app.world_mut().resource_mut::<Playback>().paused = true;
    // As `App::run` does first.
    app.finish();
    app.cleanup();
    app
}

/// Runs a frame, then clears what was just pressed or released.
pub fn frame(app: &mut App) {
    app.update();
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().clear();
    app.world_mut().resource_mut::<ButtonInput<MouseButton>>().clear();
}

/// Moves the mouse pointer to a point of the world, metres.
pub fn point(app: &mut App, world: Vec2) {
    let screen = main_view(app.world_mut()).unwrap().to_screen(world);
    app.insert_resource(Pointer { screen: Some(screen), world: Some(world), ..default() });
}

/// Presses a key in one frame and releases it in the next.
pub fn strike(app: &mut App, key: KeyCode) {
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(key);
    frame(app);
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().release(key);
    frame(app);
}
