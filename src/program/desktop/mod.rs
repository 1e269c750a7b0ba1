//! What the desktop says about motion, so that nobody has to say it twice: whether it wants less of it.
//!
//! On Linux and the BSDs that is asked of the desktop's settings portal, over D-Bus, once when the program starts:
//! `reduced-motion` of `org.freedesktop.appearance`, and where the portal does not know that, GNOME's
//! `enable-animations`. Windows and macOS tell a program only through calls that need `unsafe` code or a library for
//! them alone; there *Motion* in the section *View* has to be set by hand. A browser is asked by the media query
//! `prefers-reduced-motion`.

use bevy::prelude::*;

#[cfg(any(
    target_os = "linux",
    target_os = "freebsd",
    target_os = "dragonfly",
    target_os = "netbsd",
    target_os = "openbsd"
))]
mod portal;

/// Asks the desktop, without waiting for it.
pub(super) fn plugin(app: &mut App) {
    #[cfg(any(
        target_os = "linux",
        target_os = "freebsd",
        target_os = "dragonfly",
        target_os = "netbsd",
        target_os = "openbsd"
    ))]
    portal::plugin(app);
    #[cfg(target_arch = "wasm32")]
    app.add_systems(Startup, ask_browser);
    let _ = app;
}

#[cfg(target_arch = "wasm32")]
fn ask_browser(mut view: ResMut<crate::view::ViewSettings>) {
    let query = web_sys::window().and_then(|window| window.match_media("(prefers-reduced-motion: reduce)").ok()?);
    view.desktop_reduces_motion = query.is_some_and(|query| query.matches());
}
