//! Scene files as assets.

use bevy::{
    asset::{AssetLoadError, AssetLoader, LoadContext, LoadState, io::Reader},
    prelude::*,
};

use super::{
    format::SceneFile,
    registry::SceneRegistry,
    text::{SceneError, text_of},
};

/// Reads scene files as assets.
///
/// It is registered for files that end in `.scene.ron`, because other assets may be RON too. Name the type to read a
/// scene file of any name: `asset_server.load::<SceneFile>("levels/1.ron")`. The shipped scenes are
/// `embedded://carom/scenes/gas.scene.ron` and so on.
#[derive(TypePath, Clone)]
pub struct SceneFileLoader {
    registry: SceneRegistry,
}

impl FromWorld for SceneFileLoader {
    fn from_world(world: &mut World) -> Self {
        Self { registry: world.get_resource_or_init::<SceneRegistry>().clone() }
    }
}

impl AssetLoader for SceneFileLoader {
    type Asset = SceneFile;
    type Settings = ();
    type Error = SceneError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        context: &mut LoadContext<'_>,
    ) -> Result<SceneFile, SceneError> {
        let name = context.path().to_string();
        let mut bytes = Vec::new();
        if let Err(error) = reader.read_to_end(&mut bytes).await {
            return Err(SceneError::Read { name, reason: error.to_string() });
        }
        SceneFile::parse_with(&text_of(bytes, &name)?, &name, &self.registry)
    }

    fn extensions(&self) -> &[&str] {
        &["scene.ron"]
    }
}

/// The scene of an asset, if it is loaded.
pub(super) fn ready(world: &World, handle: &Handle<SceneFile>) -> Result<Option<SceneFile>, String> {
    let Some(assets) = world.get_resource::<Assets<SceneFile>>() else {
        return Err("there are no assets: Bevy's AssetPlugin is missing".to_owned());
    };
    if let Some(file) = assets.get(handle) {
        return Ok(Some(file.clone()));
    }
    match world.get_resource::<AssetServer>().and_then(|server| server.get_load_state(handle)) {
        Some(LoadState::Failed(error)) => Err(reason(&error)),
        _ => Ok(None),
    }
}

/// The cause of an error, without the asset server's text around the error of a scene file.
pub(super) fn reason(error: &AssetLoadError) -> String {
    match error {
        AssetLoadError::AssetLoaderError(error) => match error.error().downcast_ref::<SceneError>() {
            Some(scene) => scene.to_string(),
            None => error.to_string(),
        },
        other => other.to_string(),
    }
}
