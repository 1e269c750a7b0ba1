//! Queries whether the desktop prefers reduced motion, so that people set it only once. It uses the settings portal on
//! Linux, and system calls on Windows, macOS and browsers, and follows changes. On other systems, *Motion* in the
//! section *View* has to be set by hand.

use std::sync::mpsc::{Receiver, channel};

use bevy::prelude::*;
use mundy::{Interest, Preferences, Subscription};

use crate::view::ViewSettings;

/// The desktop's preference, as it changes.
struct Desktop {
    wants_less_motion: Receiver<bool>,
    /// Dropping it ends the notifications.
    _subscription: Subscription,
}

/// Starts the query without blocking.
pub(super) fn plugin(app: &mut App) {
    let (sender, wants_less_motion) = channel();
    let subscription = Preferences::subscribe(Interest::ReducedMotion, move |preferences| {
        // Fails when the program is exiting.
        let _ = sender.send(preferences.reduced_motion.is_reduce());
    });
    app.insert_non_send(Desktop { wants_less_motion, _subscription: subscription }).add_systems(Update, follow);
}

fn follow(desktop: NonSend<Desktop>, mut view: ResMut<ViewSettings>) {
    if let Some(less) = desktop.wants_less_motion.try_iter().last()
        && view.desktop_reduces_motion != less
    {
        view.desktop_reduces_motion = less;
    }
}
