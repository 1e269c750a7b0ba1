//! Explains why no window can be opened, or nothing can be drawn.
//!
//! Bevy panics if there is no display server or no graphics adapter. The text of the panic is not used to find the
//! cause. If the app contains the resources of the display, the display was reached. The graphics adapter is requested
//! once more, separately.

use std::{
    panic::{self, AssertUnwindSafe},
    sync::{Arc, Mutex},
};

use bevy::{
    prelude::*,
    render::{renderer::initialize_renderer, settings::WgpuSettings},
    winit::EventLoopProxyWrapper,
};

/// Builds an app. On failure, it explains the cause in one line. `has_window` says whether the app needs a display.
pub(super) fn build_quietly(has_window: bool, build: impl FnOnce(&mut App)) -> Result<App, String> {
    let mut app = App::new();
    // On a web page, a panic ends the program and the page reports it.
    if cfg!(target_arch = "wasm32") {
        build(&mut app);
        return Ok(app);
    }
    let Err(panic) = quietly(|| build(&mut app)) else { return Ok(app) };
    // The plugins of the display are built before those that draw.
    let has_display = app.world().contains_resource::<EventLoopProxyWrapper>();
    Err(if has_window && !has_display {
        format!("the display cannot be reached ({panic})")
    } else if !has_adapter(&WgpuSettings::default()) {
        "there is no graphics adapter that can draw (on Linux, a Vulkan driver such as Mesa's is needed)".to_owned()
    } else {
        panic
    })
}

/// Whether there is a graphics adapter that can draw: tests only whether Bevy can initialize one.
fn has_adapter(settings: &WgpuSettings) -> bool {
    let Some(backends) = settings.backends else { return false };
    quietly(|| bevy::tasks::block_on(initialize_renderer(backends, None, settings))).is_ok()
}

/// Runs a function and returns the message of the first panic in it, without printing it.
fn quietly<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    let said = Arc::new(Mutex::new(String::new()));
    let first = Arc::clone(&said);
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if let Ok(mut first) = first.lock()
            && first.is_empty()
        {
            *first = panic.to_string();
        }
    }));
    let outcome = panic::catch_unwind(AssertUnwindSafe(run));
    panic::set_hook(usual);
    outcome.map_err(|_| said.lock().map(|said| said.clone()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use bevy::render::settings::Backends;

    use super::*;

    #[test]
    fn where_nothing_can_draw_there_is_no_adapter_whatever_is_said_of_it() {
        let nothing = |backends| WgpuSettings { backends, ..default() };
        assert!(!has_adapter(&nothing(Some(Backends::empty()))));
        assert!(!has_adapter(&nothing(None)));
    }

    #[test]
    fn a_panic_before_there_is_a_display_is_for_want_of_one() {
        let reason = build_quietly(true, |_| panic!("words that may be others in the next version")).err().unwrap();
        assert!(reason.starts_with("the display cannot be reached"), "{reason}");
        let built = build_quietly(true, |app| _ = app.init_resource::<Time>()).unwrap();
        assert!(built.world().contains_resource::<Time>());
    }
}
