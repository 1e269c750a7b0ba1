//! Screenshots of the window: one that the command line asked for, and one for every press of a key.

use bevy::{
    prelude::*,
    render::view::screenshot::{Screenshot, ScreenshotCaptured},
};

use super::{REJECTED, say};
use crate::{
    input::actions::{Control, Inputs},
    program::{
        image_files::{Frame, png},
        output::Output,
        play_options::PlayOptions,
    },
    shell::CaptureRequest,
};

/// Takes the screenshot of [`PlayOptions::screenshot`] once, then ends the program.
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
            let frame = Frame::of(captured.image.clone(), None, false);
            let output = Output::unprobed("--screenshot", &path);
            let written = output.and_then(|output| output.write(png(&frame?).map_err(|error| output.failed(&error))?));
            exit.write(match written {
                Ok(()) => AppExit::Success,
                Err(reason) => {
                    say(&reason);
                    AppExit::from_code(REJECTED)
                }
            });
        },
    );
}

/// Requests a screenshot when its key is pressed.
pub(super) fn take_by_key(inputs: Inputs, mut capture: MessageWriter<CaptureRequest>) {
    if inputs.started(Control::Screenshot) {
        capture.write(CaptureRequest::Screenshot);
    }
}
