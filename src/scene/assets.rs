//! Scenes as assets: Bevy's asset server reads them, and reads them again when they change.

use std::path::{Path, PathBuf};

use bevy::{
    asset::{AssetApp, AssetLoadFailedEvent, io::embedded::EmbeddedAssetRegistry},
    prelude::*,
};

use super::{HotReload, SceneInstance, instance, shipped::shipped, spawn::spawn};
use crate::{
    notice::Notices,
    scene::{
        format::SceneFile,
        loader::{SceneFileLoader, ready, reason},
        running::{CurrentScene, InstanceEntities},
        source::SceneSource,
    },
};

/// The scene that begins as soon as its asset is loaded.
#[derive(Resource, Default)]
struct Awaited(Option<Handle<SceneFile>>);

/// Adds the asset and its loader if there is an asset server.
pub(super) fn add_to(app: &mut App) {
    if !app.world().contains_resource::<AssetServer>() || app.world().contains_resource::<Assets<SceneFile>>() {
        return;
    }
    app.init_asset::<SceneFile>().init_asset_loader::<SceneFileLoader>().init_resource::<Awaited>().add_systems(
        PreUpdate,
        (begin_loaded, instance::follow_assets, report_failures).chain().before(crate::scene::running::ObeysCommands),
    );
    if let Some(embedded) = app.world().get_resource::<EmbeddedAssetRegistry>() {
        for scene in shipped() {
            let path = format!("carom/scenes/{}.scene.ron", scene.name);
            embedded.insert_asset(PathBuf::new(), Path::new(&path), scene.text.as_bytes());
        }
    }
}

/// Begins a scene at once if its asset is loaded, or else as soon as it is. With `reload`, the asset is read again
/// first.
pub(super) fn begin(world: &mut World, handle: Handle<SceneFile>, reload: bool) -> Result<(), String> {
    let server = world.get_resource::<AssetServer>();
    if let (true, Some(path), Some(server)) = (reload, handle.path(), server) {
        server.reload(path.clone());
    } else if let Some(file) = ready(world, &handle)? {
        return spawn(world, SceneSource::Asset(handle), file).map_err(|error| error.to_string());
    }
    world.get_resource_or_init::<Awaited>().0 = Some(handle);
    Ok(())
}

/// Cancels a scene that has not begun yet, because another one was requested.
pub(super) fn await_none(world: &mut World) {
    if let Some(mut awaited) = world.get_resource_mut::<Awaited>() {
        awaited.0 = None;
    }
}

fn begin_loaded(world: &mut World, mut changed: Local<bevy::ecs::message::MessageCursor<AssetEvent<SceneFile>>>) {
    let events: Vec<_> = changed.read(world.resource::<Messages<AssetEvent<SceneFile>>>()).copied().collect();
    let running = world.get_resource::<CurrentScene>().and_then(|scene| match &scene.source {
        SceneSource::Asset(handle) => Some(handle.clone()),
        _ => None,
    });
    let follows = world.get_resource::<HotReload>().is_some_and(|reload| reload.0);
    let awaited = world.resource::<Awaited>().0.clone();
    let is_awaited = |event: &AssetEvent<SceneFile>| {
        awaited.as_ref().is_some_and(|handle| event.is_added(handle) || event.is_modified(handle))
    };
    let has_changed =
        |event: &AssetEvent<SceneFile>| follows && running.as_ref().is_some_and(|handle| event.is_modified(handle));
    let next = if events.iter().any(is_awaited) {
        await_none(world);
        awaited.clone()
    } else {
        running.clone().filter(|_| events.iter().any(has_changed))
    };
    let Some(handle) = next else { return };
    let name = SceneSource::Asset(handle.clone()).to_string();
    if let Err(error) = begin(world, handle, false)
        && let Some(mut notices) = world.get_resource_mut::<Notices>()
    {
        notices.error_about(name, error);
    }
}

/// Reports that an awaited, running or placed scene cannot be read.
fn report_failures(
    mut failures: MessageReader<AssetLoadFailedEvent<SceneFile>>,
    mut awaited: ResMut<Awaited>,
    scene: Option<Res<CurrentScene>>,
    instances: Query<&SceneInstance, With<InstanceEntities>>,
    mut notices: ResMut<Notices>,
) {
    for failure in failures.read() {
        let is_awaited = awaited.0.as_ref().is_some_and(|handle| handle.id() == failure.id);
        let runs = scene.as_ref().is_some_and(|scene| match &scene.source {
            SceneSource::Asset(handle) => handle.id() == failure.id,
            _ => false,
        });
        let is_used =
            || instances.iter().any(|instance| instance.scene.asset().is_some_and(|it| it.id() == failure.id));
        if is_awaited || runs || is_used() {
            notices.error_about(failure.path.to_string(), reason(&failure.error));
        }
        if is_awaited {
            awaited.0 = None;
        }
    }
}
