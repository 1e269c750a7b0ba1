//! Opening and saving in a browser, which has dialogs of its own: a file is chosen in its dialog, and comes as one that is dropped; what is saved is downloaded.

use std::path::PathBuf;

use bevy::prelude::*;

use super::Ask;
use crate::scene::{SceneCommand, files::pick};

/// Does what is asked for. `name` is that of the file that the scene came from, or would have.
pub(super) fn obey(world: &mut World, ask: Ask, name: Option<String>) {
    match ask {
        Ask::Open => pick(),
        Ask::Save | Ask::SaveAs => {
            let name = name.unwrap_or_else(|| "scene.ron".to_owned());
            world.write_message(SceneCommand::SaveAs(PathBuf::from(name)));
        }
    }
}
