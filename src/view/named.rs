//! Names of widgets, for screen readers and for tests.

use bevy_egui::egui::Response;

/// Names widgets for those who do not see them.
pub trait Named {
    /// Gives a widget the name that a screen reader says and a test finds it by, where what is written on it says too little.
    #[expect(clippy::return_self_not_must_use, reason = "the name is given at once; what comes back may be dropped")]
    fn named(self, name: impl AsRef<str>) -> Self;
}

impl Named for Response {
    fn named(self, name: impl AsRef<str>) -> Self {
        self.ctx.accesskit_node_builder(self.id, |node| node.set_label(name.as_ref()));
        self
    }
}
