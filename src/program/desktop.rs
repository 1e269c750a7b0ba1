//! Follows the desktop's preference for reduced motion, also while the program runs.
//!
//! Linux reports it through the settings portal; Windows, macOS and browsers have their own calls. On other systems,
//! set *Motion* in the section *View* by hand.

use std::sync::mpsc::{Receiver, channel};

use bevy::prelude::*;
use mundy::{Interest, Preferences, Subscription};

use crate::view::ViewSettings;

/// Receives the desktop's preference at every change.
struct Desktop {
    wants_less_motion: Receiver<bool>,
    /// Dropping the subscription ends the reports.
    _subscription: Subscription,
}

/// Subscribes to the preference without waiting for the first report.
pub(super) fn plugin(app: &mut App) {
    let (sender, wants_less_motion) = channel();
    let subscription = Preferences::subscribe(Interest::ReducedMotion, move |preferences| {
        // Sending fails only while the program ends.
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
