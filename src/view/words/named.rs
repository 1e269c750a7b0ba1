//! Names of widgets, for screen readers and for tests.

use bevy_egui::egui::{self, Response, Ui};

/// Names widgets for those who do not see them.
pub trait Named {
    /// Gives a widget the name that a screen reader says and a test finds it by, where what is written on it says too
    /// little.
    #[expect(clippy::return_self_not_must_use, reason = "the name is given at once; what comes back may be dropped")]
    fn named(self, name: impl AsRef<str>) -> Self;
}

impl Named for Response {
    fn named(self, name: impl AsRef<str>) -> Self {
        self.ctx.accesskit_node_builder(self.id, |node| node.set_label(name.as_ref()));
        self
    }
}

/// Scrolls to the widget that Tab has reached. Call it at the end of what a scroll area shows.
pub fn keep_focus_in_sight(ui: &Ui) {
    let focused = ui.memory(egui::Memory::focused);
    let id = ui.id().with("focused before");
    let before = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default::<Option<egui::Id>>(id), focused));
    if focused == before {
        return;
    }
    let response = focused.and_then(|focused| ui.ctx().read_response(focused));
    // What is seen of a widget of the area lies within it; of one beside it, such as a button below, it does not.
    let is_within = |response: &Response| {
        let seen = response.interact_rect;
        response.layer_id == ui.layer_id() && (!seen.is_positive() || ui.clip_rect().contains_rect(seen))
    };
    if let Some(response) = response.filter(is_within) {
        ui.scroll_to_rect(response.rect, None);
    }
}
