//! Notices: short lines for the person at the screen, such as why a scene could not be loaded. `view` shows the newest for
//! a while, the panel lists them.

use bevy::{platform::time::Instant, prelude::*};
use std::collections::VecDeque;

/// One line for the person at the screen.
#[derive(Clone, Debug)]
pub struct Notice {
    /// What it says.
    pub text: String,
    /// Whether something went wrong.
    pub is_error: bool,
    /// When it was written.
    pub at: Instant,
}

/// The last notices, oldest first; at most [`Notices::KEPT`].
#[derive(Resource, Clone, Debug, Default)]
pub struct Notices(VecDeque<Notice>);

impl Notices {
    /// How many notices are kept; older ones are forgotten.
    pub const KEPT: usize = 100;

    /// Says that something was done.
    pub fn info(&mut self, text: impl Into<String>) {
        let text = text.into();
        tracing::info!("{text}");
        self.push(text, false);
    }

    /// Says that something went wrong, and what to do.
    pub fn error(&mut self, text: impl Into<String>) {
        let text = text.into();
        tracing::error!("{text}");
        self.push(text, true);
    }

    /// All that are kept, oldest first.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Notice> {
        self.0.iter()
    }

    fn push(&mut self, text: String, is_error: bool) {
        if self.0.len() == Self::KEPT {
            self.0.pop_front();
        }
        self.0.push_back(Notice { text, is_error, at: Instant::now() });
    }
}
