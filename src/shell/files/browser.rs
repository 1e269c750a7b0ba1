//! Opening and saving in a browser. The browser's dialog chooses a file, which arrives like a dropped file. Saving
//! downloads the file.

use std::path::PathBuf;

use bevy::prelude::*;

use super::{Ask, Files, write_to};
use crate::{
    run_file::SaveRun,
    scene::{CurrentScene, SceneCommand, SceneSource},
    storage::pick,
};

/// Carries out a request.
pub(super) fn obey(world: &mut World, files: &Files, ask: Ask) {
    match ask {
        Ask::Export => {
            if let Some(export) = &files.export {
                write_to(world, files, PathBuf::from(&export.name));
            }
        }
        Ask::Open => pick(),
        Ask::SaveRun => _ = world.write_message(SaveRun(PathBuf::from("run.ron"))),
        Ask::Save | Ask::SaveAs => {
            let name = match world.get_resource::<CurrentScene>().map(|scene| &scene.source) {
                Some(SceneSource::Path(path)) => path.clone(),
                Some(SceneSource::Shipped(name)) => PathBuf::from(format!("{name}.ron")),
                _ => PathBuf::from("scene.ron"),
            };
            world.write_message(SceneCommand::SaveAs(name));
        }
    }
}
