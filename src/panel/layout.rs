//! The layout of the panel: at the right side of the window, with a width that can be dragged. If the window is too
//! narrow for both panel and table, it folds into a handle.

use bevy::prelude::*;
use bevy_egui::egui::{self, Ui, UiBuilder};
use tr::tr;

use super::state::{LEAST_BESIDE, WIDTHS};
use super::{
    sections,
    state::{self, PanelState},
    theme,
    widgets::tip,
};
use crate::{
    input::actions::Control,
    shell::{Overlays, handle_place, widgets::floating_button},
    view::{Covered, Named, Points, Theme},
};

/// The width of the content of the narrowest panel, without its frame and the scroll bar, points.
#[cfg(test)]
pub(super) const LEAST_CONTENT: f32 = *WIDTHS.start() - 22.0 - 6.0;

/// In windows narrower than this, points, the panel folds into its handle until requested.
const NARROW: f32 = 520.0;

/// The same during a match, whose scoreboard and buttons need room beside the table.
const NARROW_IN_MATCH: f32 = 1000.0;

/// Whether the window is too narrow for the table and the panel, and whether the panel has folded because of it.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fold {
    narrow: bool,
    folded: bool,
    /// During a match: whether the panel was wanted before.
    before_match: Option<bool>,
}

impl Fold {
    /// Follows the width of the window, points. Returns whether the panel is visible, and whether it is wanted if there
    /// is room. P requests a folded panel.
    fn follow(&mut self, width: f32, in_match: bool, mut wanted: bool) -> (bool, bool) {
        let narrow = width < if in_match { NARROW_IN_MATCH } else { NARROW };
        if in_match && self.before_match.is_none() {
            // If P had requested a folded panel before the match, it folds again now.
            (self.before_match, self.narrow) = (Some(wanted), false);
        } else if !in_match && let Some(before) = self.before_match.take() {
            (wanted, self.narrow) = (before, false);
        }
        if narrow != self.narrow {
            (self.narrow, self.folded) = (narrow, narrow && wanted);
        } else if self.folded && !wanted {
            self.folded = false;
            return (true, true);
        }
        (wanted && !self.folded, wanted)
    }
}

/// Shows the panel or its handle, and returns the rest of the window, logical pixels.
pub(super) fn lay_out(ctx: &egui::Context, world: &mut World) -> Rect {
    let whole = ctx.viewport_rect();
    if world.resource::<Covered>().0 {
        return Points::of(ctx).pixels(whole);
    }
    let mut background =
        Ui::new(ctx.clone(), "viewport".into(), UiBuilder::new().layer_id(egui::LayerId::background()).max_rect(whole));
    let wanted = world.resource::<Overlays>().panel;
    let mut fold = *world.resource::<Fold>();
    let (seen, mut wanted) = fold.follow(whole.width(), super::in_match(world), wanted);
    let mut is_open = seen;
    // The width is the one that was dragged, even after the window was too small for it.
    let panel = egui::Panel::right("panel");
    let is_dragged = ctx.read_response(egui::Id::new("panel").with("__resize")).is_some_and(|edge| edge.dragged());
    let most = (whole.width() - LEAST_BESIDE).max(1.0);
    let width = world.resource::<PanelState>().width.clamp(*WIDTHS.start(), *WIDTHS.end()).min(most);
    let range = if is_dragged { WIDTHS.start().min(most)..=WIDTHS.end().min(most) } else { width..=width };
    let panel = panel
        .resizable(true)
        .default_size(width)
        .size_range(range)
        .frame(theme::panel_frame(world.resource::<Theme>()));
    let mut is_dismissed = false;
    let shown = if fold.folded {
        None
    } else {
        panel.show_collapsible(&mut background, &mut is_open, |ui| {
            // It hides most of the table, and touch input has no key for it.
            if fold.narrow {
                is_dismissed = ui.button(tr!("Hide the panel")).clicked();
            }
            // Under the help all widgets are disabled: an open tooltip closes, and Tab finds nothing.
            if world.resource::<Overlays>().help {
                ui.disable();
            }
            sections::show(ui, world);
        })
    };
    if let Some(shown) = shown
        && is_open
        && is_dragged
    {
        let width = shown.response.rect.width().round();
        state::change(world, |state| state.width = width);
    } else if !is_open && show_handle(ctx, world) {
        is_open = true;
    }
    is_open &= !is_dismissed;
    if is_open != seen {
        (wanted, fold.folded) = (is_open, false);
    }
    if *world.resource::<Fold>() != fold {
        *world.resource_mut::<Fold>() = fold;
    }
    if world.resource::<Overlays>().panel != wanted {
        world.resource_mut::<Overlays>().panel = wanted;
    }
    state::change(world, |state| state.shown = fold.before_match.unwrap_or(wanted));
    Points::of(ctx).pixels(background.available_rect_before_wrap())
}

/// The handle of a hidden panel: a button that shows it. Returns whether it was pressed.
fn show_handle(ctx: &egui::Context, world: &World) -> bool {
    let tip = tip(world, &tr!("Show the panel"), Control::Panel);
    floating_button(ctx, "panel handle", (handle_place(ctx), egui::Align2::RIGHT_CENTER), |ui| {
        ui.button("◀").named(tr!("Show the panel")).on_hover_text(tip)
    })
}

#[cfg(test)]
mod tests {
    use egui_kittest::{Harness, kittest::Queryable};

    use super::{super::tests::app, *};

    #[test]
    fn no_tooltip_of_the_panel_stays_above_the_help() {
        let show = |ui: &mut Ui, app: &mut App| _ = lay_out(ui.ctx(), app.world_mut());
        let mut harness = Harness::builder().with_size([1000.0, 700.0]).build_ui_state(show, app());
        let tooltips = |harness: &Harness<App>| {
            let is_one = |layer: &egui::LayerId| layer.order == egui::Order::Tooltip;
            harness.ctx.memory(|memory| memory.areas().visible_layer_ids().iter().any(is_one))
        };
        let at = harness.get_by_label("Restart").rect().center();
        harness.hover_at(at);
        harness.run_steps(40);
        assert!(tooltips(&harness));
        harness.state_mut().world_mut().resource_mut::<Overlays>().help = true;
        harness.run_steps(4);
        assert!(!tooltips(&harness));
    }

    /// Shows the panel for some frames in a window of this size, logical pixels, with egui zoomed. Returns the free
    /// area.
    fn lay_out_in(ctx: &egui::Context, world: &mut World, window: Vec2, zoom: f32) -> Rect {
        ctx.set_zoom_factor(zoom);
        let size = egui::vec2(window.x, window.y) / zoom;
        let mut area = Rect::default();
        for frame in 0..20 {
            let input = egui::RawInput {
                screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size)),
                time: Some(f64::from(frame)),
                ..default()
            };
            ctx.run_ui(input, |ui| area = lay_out(ui.ctx(), world)).textures_delta.clear();
        }
        area
    }

    #[test]
    fn the_free_area_is_in_logical_pixels_at_any_zoom() {
        for zoom in [0.75, 1.0, 1.5, 2.0] {
            let mut app = app();
            let area = lay_out_in(&egui::Context::default(), app.world_mut(), vec2(1600.0, 1000.0), zoom);
            // Points are rounded to a 32nd.
            assert!(area.min == Vec2::ZERO && (area.max.y - 1000.0).abs() < 0.05, "at {zoom}: {area:?}");
            assert!((area.max.x - (1600.0 - 360.0 * zoom)).abs() < 2.0, "at {zoom}: {area:?}");
        }
    }

    #[test]
    fn a_narrow_window_folds_the_panel_and_a_small_one_changes_no_width() {
        let (mut app, ctx) = (app(), egui::Context::default());
        let world = app.world_mut();
        world.resource_mut::<PanelState>().width = 540.0;
        let free = |ctx: &egui::Context, world: &mut World, width: f32| {
            width - lay_out_in(ctx, world, vec2(width, 240.0), 1.0).max.x
        };
        assert_eq!(free(&ctx, world, 1280.0), 540.0);
        assert_eq!(free(&ctx, world, 530.0), 506.0, "it leaves a strip of the table");
        assert_eq!(world.resource::<PanelState>().width, 540.0);
        assert_eq!(free(&ctx, world, 320.0), 0.0, "it is folded");
        assert!(world.resource::<PanelState>().shown && world.resource::<Overlays>().panel, "but still wanted");
        assert_eq!(free(&ctx, world, 1280.0), 540.0, "it comes back as it was");
        assert_eq!(free(&ctx, world, 320.0), 0.0);
        // P, as the key handling does it.
        world.resource_mut::<Overlays>().panel = false;
        assert!(free(&ctx, world, 320.0) > 290.0, "it is there when it is asked for");
        let show = |ui: &mut Ui, app: &mut App| _ = lay_out(ui.ctx(), app.world_mut());
        let mut harness = Harness::builder().with_size([320.0, 240.0]).build_ui_state(show, app);
        harness.run_steps(2);
        assert!(harness.query_by_label("Show the panel").is_none());
        harness.get_by_label("Hide the panel").click();
        harness.run_steps(20);
        assert!(harness.query_by_label("Show the panel").is_some(), "the button hides it as the key does");
        harness.get_by_label("Show the panel").click();
        harness.run_steps(20);
        let world = harness.state_mut().world_mut();
        world.resource_mut::<Overlays>().panel = false;
        assert_eq!(free(&ctx, world, 320.0), 0.0);
        assert!(!world.resource::<PanelState>().shown);
    }

    #[test]
    fn in_a_match_the_panel_leaves_a_window_to_the_table_and_afterwards_it_is_as_it_was() {
        for (width, narrow) in [(800.0, true), (1280.0, false)] {
            let (mut fold, mut wanted) = (Fold::default(), true);
            let mut seen = |in_match, wanted: &mut bool| {
                let seen;
                (seen, *wanted) = fold.follow(width, in_match, *wanted);
                seen
            };
            assert!(seen(false, &mut wanted));
            assert_eq!(seen(true, &mut wanted), !narrow);
            assert_eq!(seen(true, &mut wanted), !narrow);
            // P.
            wanted = !wanted;
            assert_eq!(seen(true, &mut wanted), narrow, "it is there when it is asked for, or is hidden");
            assert!(seen(false, &mut wanted) && wanted, "as it was");
            wanted = false;
            assert!(!seen(false, &mut wanted));
            assert!(!seen(true, &mut wanted), "nobody wants it");
            wanted = true;
            assert!(seen(true, &mut wanted), "P shows it");
            assert!(!seen(false, &mut wanted) && !wanted);
        }
    }
}
