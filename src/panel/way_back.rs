//! A button that leads back to the table where that was moved out of sight.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{self, Align2},
};
use tr::tr;

use crate::{
    input::{
        Overlays, PointingDevice,
        actions::{Control, KeyMap},
    },
    view::{MainViewMut, Points, View2d},
};

/// Shows it in the middle of what the panel leaves free, while there is nothing else to be seen.
pub(super) fn show(
    mut contexts: EguiContexts,
    mut view: MainViewMut,
    overlays: Res<Overlays>,
    (keys, device): (Res<KeyMap>, Option<Res<PointingDevice>>),
) -> Result {
    if overlays.page || overlays.help || !view.is_out_of_sight() {
        return Ok(());
    }
    let what = tr!("Back to the table");
    let by_fingers = device.is_some_and(|device| *device == PointingDevice::Finger);
    let words = if by_fingers { what } else { keys.tip(&what, Control::Fit) };
    if lay_out(contexts.ctx_mut()?, &view, &words) {
        view.request_fit();
    }
    Ok(())
}

/// Returns whether it was pressed.
fn lay_out(ctx: &egui::Context, view: &View2d, words: &str) -> bool {
    let middle = Points::of(ctx).place(view.area.center());
    let area = egui::Area::new(egui::Id::new("way back")).fixed_pos(middle).pivot(Align2::CENTER_CENTER);
    area.show(ctx, |ui| ui.button(words).clicked()).inner
}

#[cfg(test)]
mod tests {
    use egui_kittest::{Harness, kittest::Queryable};

    use super::*;

    #[test]
    fn it_stands_in_the_free_area_and_says_when_it_is_pressed() {
        let mut view = View2d::default();
        view.set_frame(Rect::new(0.0, 0.0, 800.0, 600.0));
        view.leave_free(Rect::new(0.0, 0.0, 500.0, 600.0));
        view.set_frame(Rect::new(0.0, 0.0, 800.0, 600.0));
        let show = move |ui: &mut egui::Ui, pressed: &mut bool| *pressed |= lay_out(ui.ctx(), &view, "Back");
        let mut harness = Harness::builder().with_size([800.0, 600.0]).build_ui_state(show, false);
        harness.run_steps(2);
        let button = harness.get_by_label("Back");
        assert!(button.rect().center().distance(egui::pos2(250.0, 300.0)) < 2.0, "{:?}", button.rect());
        button.click();
        harness.run_steps(2);
        assert!(*harness.state());
    }
}
