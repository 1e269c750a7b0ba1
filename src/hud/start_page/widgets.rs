//! Rows, lists and numbers of the page.

use std::ops::RangeInclusive;

use bevy_egui::egui::{self, Align, Key, Layout, Ui};
use tr::tr;

/// A text of a table, in the language of the window.
pub(in crate::hud) fn said(text: &str) -> String {
    tr!(text)
}

pub(super) fn row(ui: &mut Ui, label: &str, widget: impl FnOnce(&mut Ui)) {
    let width = (0.34 * ui.available_width()).min(130.0);
    ui.horizontal(|ui| {
        ui.allocate_ui_with_layout(egui::vec2(width, 24.0), Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(width);
            ui.add(egui::Label::new(label).truncate());
        });
        widget(ui);
    });
}

/// The change that arrow keys make to the number in the next widget of this UI, while it has the focus. A number field
/// with a slow drag ignores arrow keys by default.
pub(super) fn by_arrows(ui: &mut Ui) -> i64 {
    let field = ui.next_auto_id();
    if !ui.memory(|memory| memory.has_focus(field)) {
        return 0;
    }
    let presses = |key| ui.input_mut(|input| input.count_and_consume_key(egui::Modifiers::NONE, key)) as i64;
    presses(Key::ArrowUp) - presses(Key::ArrowDown)
}

/// A range, widened to include the current number, so that a match with such a number is shown unchanged.
pub(super) fn with<T: Copy + PartialOrd>(range: RangeInclusive<T>, number: T) -> RangeInclusive<T> {
    let (low, high) = range.into_inner();
    (if number < low { number } else { low })..=(if number > high { number } else { high })
}

/// Shows an entry of a list. Returns whether it was chosen, and then closes the list, which egui only does for mouse
/// clicks. In a newly opened list, the current choice gets the focus.
pub(super) fn entry(ui: &mut Ui, is_chosen: bool, words: String) -> bool {
    let (shown, now) = (ui.id().with(("shown", &words)), ui.ctx().cumulative_pass_nr());
    let before = ui.data_mut(|data| {
        let before = data.get_temp::<u64>(shown);
        data.insert_temp(shown, now);
        before
    });
    let response = ui.selectable_label(is_chosen, words);
    if is_chosen && before.is_none_or(|before| before + 2 < now) {
        response.request_focus();
    }
    if response.clicked() {
        ui.close();
    }
    response.clicked()
}

/// Returns the focus to a list that a key has closed, as the focused entry is gone.
pub(super) fn lead_back<T>(ui: &Ui, list: egui::InnerResponse<Option<T>>) -> egui::Response {
    let response = list.response;
    let closes = response.id.with("closed by a key");
    let by_key = ui.input(|input| [Key::Enter, Key::Space, Key::Escape].into_iter().any(|key| input.key_pressed(key)));
    if list.inner.is_some() {
        ui.data_mut(|data| data.insert_temp(closes, by_key));
    } else if ui.data_mut(|data| data.remove_temp::<bool>(closes)).unwrap_or_default() {
        response.request_focus();
    }
    response
}
