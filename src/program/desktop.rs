//! Whether the desktop asks for less motion, so that nobody has to set it twice: Linux through its settings portal,
//! Windows, macOS and browsers through their own calls, also while the program runs. Elsewhere *Motion* in the section
//! *View* has to be set by hand.

use std::sync::mpsc::{Receiver, channel};

use bevy::prelude::*;
use mundy::{Interest, Preferences, Subscription};

use crate::view::ViewSettings;

/// What the desktop says, whenever it says something new.
struct Desktop {
    wants_less_motion: Receiver<bool>,
    /// It is told nothing more once this is dropped.
    _subscription: Subscription,
}

/// Asks the desktop, without waiting for it.
pub(super) fn plugin(app: &mut App) {
    let (sender, wants_less_motion) = channel();
    let subscription = Preferences::subscribe(Interest::ReducedMotion, move |preferences| {
        // A program that ends no longer wants to know.
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
