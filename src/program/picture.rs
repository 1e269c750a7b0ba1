//! Pictures of the window: one that the command line asked for, and one for every press of F12.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
};

use bevy::{
    prelude::*,
    render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk},
};

use super::{REFUSED, play::PlayOptions};
use crate::scene::Notices;

/// Where the picture asked for by [`PlayOptions::screenshot`] stands.
#[derive(Default)]
pub(super) enum Picture {
    #[default]
    Due,
    Asked,
    Done,
}

pub(super) fn take_as_asked(
    mut commands: Commands,
    options: Res<PlayOptions>,
    time: Res<Time<Real>>,
    mut picture: Local<Picture>,
    mut captured: Local<Option<Arc<Mutex<bool>>>>,
    mut exit: MessageWriter<AppExit>,
) {
    let Some(path) = &options.screenshot else { return };
    match *picture {
        Picture::Due if time.elapsed_secs() >= options.after.unwrap_or(1.0) => {
            // A file from an earlier run must not pass for this picture.
            let _ = std::fs::remove_file(path);
            let done = Arc::new(Mutex::new(false));
            *captured = Some(Arc::clone(&done));
            commands.spawn(Screenshot::primary_window()).observe(save_to_disk(path.clone())).observe(
                move |_: On<ScreenshotCaptured>| {
                    if let Ok(mut done) = done.lock() {
                        *done = true;
                    }
                },
            );
            *picture = Picture::Asked;
        }
        Picture::Asked if captured.as_ref().is_some_and(|done| done.lock().is_ok_and(|done| *done)) => {
            *picture = Picture::Done;
            if path.is_file() {
                exit.write(AppExit::Success);
            } else {
                eprintln!(
                    "carom: the picture could not be written to {}; check the folder and the ending .png",
                    path.display()
                );
                exit.write(AppExit::from_code(REFUSED));
            }
        }
        _ => {}
    }
}

/// F12 saves what the window shows as `carom-1.png`, or the next number that is free, in the current folder.
pub(super) fn take_by_key(
    keys: Res<ButtonInput<KeyCode>>,
    mut commands: Commands,
    mut notices: ResMut<Notices>,
    mut last: Local<u32>,
) {
    if !keys.just_pressed(KeyCode::F12) {
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
    commands.spawn(Screenshot::primary_window()).observe(save_to_disk(path.clone())).observe(
        // Told afterwards, so that the picture does not show it.
        move |_: On<ScreenshotCaptured>, mut notices: ResMut<Notices>| {
            if path.is_file() {
                notices.info(format!("Picture: {}", path.display()));
            } else {
                notices.error(format!("{} cannot be written; start carom in a folder of yours", path.display()));
            }
        },
    );
}
