//! Names of widgets, for screen readers and for tests.

use bevy_egui::egui::{self, Response, Ui};

/// Names widgets for screen readers.
pub trait Named {
    /// Sets the name of a widget for screen readers and tests, if its text is not descriptive enough.
    #[expect(clippy::return_self_not_must_use, reason = "the name is given at once; what comes back may be dropped")]
    fn named(self, name: impl AsRef<str>) -> Self;
}

impl Named for Response {
    fn named(self, name: impl AsRef<str>) -> Self {
        self.ctx.accesskit_node_builder(self.id, |node| node.set_label(name.as_ref()));
        self
    }
}

/// Scrolls to the widget that Tab has reached. Call it at the end of a scroll area's content.
pub fn keep_focus_in_sight(ui: &Ui) {
    let focused = ui.memory(egui::Memory::focused);
    let id = ui.id().with("focused before");
    let before = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default::<Option<egui::Id>>(id), focused));
    if focused == before {
        return;
    }
    let response = focused.and_then(|focused| ui.ctx().read_response(focused));
    // The visible rectangle of a widget inside the area is within the area. That is not so for a widget outside, such
    // as a button below.
    let is_within = |response: &Response| {
        let seen = response.interact_rect;
        response.layer_id == ui.layer_id() && (!seen.is_positive() || ui.clip_rect().contains_rect(seen))
    };
    if let Some(response) = response.filter(is_within) {
        ui.scroll_to_rect(response.rect, None);
    }
}
