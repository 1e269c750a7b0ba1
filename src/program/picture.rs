//! Pictures of the window: one that the command line asked for, and one for every press of a key.

use std::path::Path;

use bevy::{
    prelude::*,
    render::view::screenshot::{Screenshot, ScreenshotCaptured},
};

use super::REJECTED;
use crate::{
    input::actions::{Control, Inputs},
    program::{
        image_files::{Frame, png},
        play_options::PlayOptions,
    },
    shell::CaptureRequest,
    storage::write_whole,
};

/// Writes a picture as PNG.
fn write(picture: &Image, path: &Path) -> Result<(), String> {
    let frame = Frame::of(picture.clone(), None, false)?;
    let bytes = png(&frame).map_err(|error| error.to_string())?;
    write_whole(path, &bytes).map_err(|error| error.to_string())
}

/// Takes the picture that [`PlayOptions::screenshot`] asks for, once, and ends the program.
pub(super) fn take_as_asked(
    mut commands: Commands,
    options: Res<PlayOptions>,
    time: Res<Time<Real>>,
    mut taken: Local<bool>,
) {
    let Some(path) = options.screenshot.clone() else { return };
    if *taken || time.elapsed_secs() < options.after.unwrap_or(1.0) {
        return;
    }
    *taken = true;
    commands.spawn(Screenshot::primary_window()).observe(
        move |captured: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
            exit.write(match write(&captured.image, &path) {
                Ok(()) => AppExit::Success,
                Err(reason) => {
                    eprintln!("carom: {} cannot be written ({reason}); choose another folder or name", path.display());
                    AppExit::from_code(REJECTED)
                }
            });
        },
    );
}

/// A key asks for a picture.
pub(super) fn take_by_key(inputs: Inputs, mut capture: MessageWriter<CaptureRequest>) {
    if inputs.started(Control::Picture) {
        capture.write(CaptureRequest::Picture);
    }
}
