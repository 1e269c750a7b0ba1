//! Pictures of the window: one that the command line asked for, and one for every press of a key.

use std::path::{Path, PathBuf};

use bevy::{
    prelude::*,
    render::view::screenshot::{Screenshot, ScreenshotCaptured},
};

use super::{
    REJECTED,
    play::PlayOptions,
    render::{Frame, png},
};
use crate::{
    input::actions::{Control, Inputs},
    scene::{Notices, write_whole},
};

/// Writes a picture as PNG.
fn write(picture: &Image, path: &Path) -> Result<(), String> {
    let picture = picture.clone().try_into_dynamic().map_err(|error| error.to_string())?.into_rgba8();
    let size = UVec2::new(picture.width(), picture.height());
    let bytes = png(&Frame { pixels: picture.into_raw(), size }).map_err(|error| error.to_string())?;
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

/// Saves what the window shows as `carom-1.png`, or the next number that is free, in the current folder.
pub(super) fn take_by_key(inputs: Inputs, mut commands: Commands, mut notices: ResMut<Notices>, mut last: Local<u32>) {
    if !inputs.started(Control::Picture) {
        return;
    }
    let name = |number: u32| PathBuf::from(format!("carom-{number}.png"));
    let Some(number) = (*last + 1..10_000).find(|&number| !name(number).exists()) else {
        notices.error("there are 9,999 pictures in this folder already; move some away");
        return;
    };
    // The file is written a few frames later, so the number counts as taken from now on.
    *last = number;
    let path = name(number);
    commands.spawn(Screenshot::primary_window()).observe(
        move |captured: On<ScreenshotCaptured>, mut notices: ResMut<Notices>| match write(&captured.image, &path) {
            Ok(()) => notices.info(format!("Picture: {}", path.display())),
            Err(reason) => notices
                .error(format!("{} cannot be written ({reason}); start carom in a folder of yours", path.display())),
        },
    );
}
