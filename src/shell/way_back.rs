//! A button that returns to the table after it was moved out of sight. With touch input, which has no key for it, it
//! appears whenever the view was moved.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{self, Align2},
};
use tr::tr;

use crate::{
    input::{
        PointingDevice,
        actions::{Control, KeyMap},
    },
    shell::{Overlays, widgets::floating_button},
    view::{Covered, Points, ViewsMut},
};

/// The vertical position of the panel's handle in a tall window, as a fraction of its height: just above the button of
/// the page (`web/page.css`).
const UPRIGHT_HANDLE: f32 = 0.745;
/// The distance above the handle of the panel, logical pixels between their centres.
const ABOVE_HANDLE: f32 = 44.0;

/// Shows the button in the middle of the free area when nothing else is visible. With touch input, it appears earlier,
/// at the side.
pub(crate) fn show(
    mut contexts: EguiContexts,
    mut views: ViewsMut,
    (overlays, covered): (Res<Overlays>, Res<Covered>),
    (keys, device): (Res<KeyMap>, Option<Res<PointingDevice>>),
) -> Result {
    let by_fingers = device.is_some_and(|device| *device == PointingDevice::Finger);
    let view = views.of(None);
    let is_lost = view.is_out_of_sight();
    // The panel has a button for it.
    let is_wanted = is_lost || by_fingers && view.is_moved() && !overlays.panel;
    if covered.0 || overlays.help || !is_wanted {
        return Ok(());
    }
    let what = if is_lost { tr!("Back to the table") } else { tr!("Fit the view") };
    let words = if by_fingers { what } else { keys.tip(&what, Control::Fit) };
    let ctx = contexts.ctx_mut()?;
    let place = if is_lost {
        (Points::of(ctx).place(view.area.center()), Align2::CENTER_CENTER)
    } else {
        (handle_place(ctx) - egui::vec2(0.0, ABOVE_HANDLE), Align2::RIGHT_CENTER)
    };
    if floating_button(ctx, "way back", place, |ui| ui.button(words)) {
        views.of_mut(None).request_fit();
    }
    Ok(())
}

/// The middle of the right edge of the panel's handle: in a tall window beside a table and above the button of the page
/// (`web/page.css`).
pub(crate) fn handle_place(ctx: &egui::Context) -> egui::Pos2 {
    let window = ctx.viewport_rect();
    let down = if window.height() > window.width() { UPRIGHT_HANDLE } else { 0.5 };
    egui::pos2(window.max.x - 6.0, window.min.y + down * window.height())
}

#[cfg(test)]
mod tests {
    use bevy_egui::PrimaryEguiContext;
    use egui_kittest::{Harness, kittest::Queryable};

    use super::*;
    use crate::view::{View2d, ViewCamera};

    const WINDOW: [f32; 2] = [800.0, 600.0];

    /// The text and the position of the button over a view of a table, after `change`.
    fn shown(device: PointingDevice, change: fn(&mut View2d)) -> Option<(String, egui::Pos2)> {
        let mut app = App::new();
        app.init_resource::<bevy_egui::EguiUserTextures>()
            .init_resource::<KeyMap>()
            .insert_resource(device)
            .insert_resource(Overlays { panel: false, ..default() })
            .init_resource::<Covered>();
        let mut view = View2d::default();
        view.set_frame(Rect::from_corners(Vec2::ZERO, WINDOW.into()));
        view.fit(Rect::new(-1.0, -0.5, 1.0, 0.5));
        change(&mut view);
        let mut context = bevy_egui::EguiContext::default();
        let ctx = context.get_mut().clone();
        app.world_mut().spawn((ViewCamera, view));
        app.world_mut().spawn((context, PrimaryEguiContext));
        let mut frame = || {
            let rect = egui::Rect::from_min_size(egui::Pos2::ZERO, WINDOW.into());
            let input = egui::RawInput { screen_rect: Some(rect), ..default() };
            let mut output = ctx.run_ui(input, |_| app.world_mut().run_system_cached::<(), _, _>(show).unwrap());
            output.textures_delta.clear();
            output.shapes.iter().find_map(|clipped| match &clipped.shape {
                egui::Shape::Text(text) => Some((text.galley.text().to_owned(), text.visual_bounding_rect().center())),
                _ => None,
            })
        };
        // In its first frame an egui area only measures its size.
        frame();
        frame()
    }

    #[test]
    fn it_leads_back_from_where_nothing_is_seen() {
        for device in [PointingDevice::Mouse, PointingDevice::Finger] {
            assert_eq!(shown(device, |_| ()), None);
            let (words, at) = shown(device, |view| view.pan(vec2(5000.0, 0.0))).unwrap();
            assert!(words.starts_with("Back to the table"), "{words}");
            assert!(at.distance(egui::pos2(400.0, 300.0)) < 5.0, "{at}");
            // In the middle of the area that a panel leaves free.
            let beside_panel = |view: &mut View2d| {
                view.lay_out(view.frame(), Rect::new(0.0, 0.0, 500.0, 600.0));
                view.pan(vec2(5000.0, 0.0));
            };
            let (_, at) = shown(device, beside_panel).unwrap();
            assert!(at.distance(egui::pos2(250.0, 300.0)) < 5.0, "{at}");
        }
    }

    #[test]
    fn fingers_have_it_wherever_the_view_was_moved() {
        assert_eq!(shown(PointingDevice::Mouse, |view| view.pan(vec2(30.0, 0.0))), None);
        let (words, at) = shown(PointingDevice::Finger, |view| view.pan(vec2(30.0, 0.0))).unwrap();
        assert_eq!(words, "Fit the view");
        assert!(at.x > 650.0 && at.y < 290.0, "{at}");
    }

    #[test]
    fn it_says_when_it_is_pressed() {
        let show = |ui: &mut egui::Ui, pressed: &mut bool| {
            let place = (egui::pos2(250.0, 300.0), Align2::CENTER_CENTER);
            *pressed |= floating_button(ui.ctx(), "way back", place, |ui| ui.button("Back"));
        };
        let mut harness = Harness::builder().with_size(WINDOW).build_ui_state(show, false);
        harness.run_steps(2);
        harness.get_by_label("Back").click();
        harness.run_steps(2);
        assert!(*harness.state());
    }
}
