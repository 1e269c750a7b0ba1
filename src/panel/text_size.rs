//! The size of the panel and all text: egui's zoom as a saved setting. Ctrl with plus, minus and 0 changes the same
//! value.

use bevy::prelude::*;
use bevy_egui::egui::{self, Ui};
use tr::tr;

use super::{
    field::Field,
    state::{self, PanelState},
};

/// The offered sizes, percent.
const OFFERED: [u32; 8] = [75, 100, 125, 150, 175, 200, 250, 300];

/// The egui zoom of the last frame, or `None` before the first.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Shown(Option<f32>);

/// Synchronises egui and the setting: the one that has not changed follows the other.
pub(super) fn follow(ctx: &egui::Context, world: &mut World) {
    let (zoom, most) = (ctx.zoom_factor(), largest(ctx));
    let wanted = world.resource::<PanelState>().text_size.min(most);
    let shown = world.get_resource_or_init::<Shown>().0;
    if shown != Some(wanted) {
        // It takes effect in the next frame.
        ctx.set_zoom_factor(wanted);
        world.insert_resource(Shown(Some(wanted)));
    } else if zoom != wanted {
        let zoom = zoom.min(most);
        ctx.set_zoom_factor(zoom);
        state::change(world, |state| state.text_size = zoom);
        world.insert_resource(Shown(Some(zoom)));
    }
}

/// The largest zoom at which the narrowest panel fits into the window, at least 1. The way back thus stays accessible.
fn largest(ctx: &egui::Context) -> f32 {
    // Points are rounded, which must not make the size fluctuate.
    let pixels = (ctx.viewport_rect().width() * ctx.zoom_factor()).round();
    (pixels / state::LEAST_WINDOW * 20.0).floor().max(20.0) / 20.0
}

fn percent(size: f32) -> u32 {
    (size * 100.0).round() as u32
}

/// The row that chooses the size.
pub(super) fn show_row(ui: &mut Ui, world: &mut World) {
    let now = percent(world.resource::<PanelState>().text_size);
    let most = percent(largest(ui.ctx()));
    let mut sizes = OFFERED.to_vec();
    sizes.retain(|size| *size <= most);
    // Keys can set any size.
    if let Err(place) = sizes.binary_search(&now) {
        sizes.insert(place, now);
    }
    let names: Vec<String> = sizes.iter().map(|size| format!("{size} %")).collect();
    let choices: Vec<(u32, &str)> = sizes.iter().copied().zip(names.iter().map(String::as_str)).collect();
    let mut chosen = now;
    Field::new(
        tr!("Text size"),
        tr!("Size of the panel and all text, limited by the room for the panel. Also Ctrl with plus, minus or 0."),
    )
    .choice(ui, &mut chosen, &choices, percent(PanelState::default().text_size));
    if chosen != now {
        state::change(world, |state| state.text_size = chosen as f32 / 100.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shows a frame, and returns its zoom.
    fn picture(ctx: &egui::Context, world: &mut World, keys: &[egui::Event]) -> f32 {
        picture_in(ctx, world, keys, 10_000.0)
    }

    /// The same in a window of this width, logical pixels.
    fn picture_in(ctx: &egui::Context, world: &mut World, keys: &[egui::Event], width: f32) -> f32 {
        let mut zoom = 0.0;
        // egui measures in the points of the coming frame.
        let size = egui::vec2(width, 800.0) / ctx.zoom_factor();
        let screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size));
        let input = egui::RawInput { events: keys.to_vec(), screen_rect, ..default() };
        let mut output = ctx.run_ui(input, |ui| {
            zoom = ui.ctx().zoom_factor();
            follow(ui.ctx(), world);
        });
        output.textures_delta.clear();
        zoom
    }

    #[test]
    fn the_setting_and_the_keys_change_the_same_size() {
        let (ctx, mut world) = (egui::Context::default(), World::new());
        world.insert_resource(PanelState { text_size: 1.5, ..default() });
        for _ in 0..2 {
            picture(&ctx, &mut world, &[]);
        }
        assert_eq!(picture(&ctx, &mut world, &[]), 1.5, "as it was left");
        let plus = egui::Event::Key {
            key: egui::Key::Plus,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: egui::Modifiers::COMMAND,
        };
        picture(&ctx, &mut world, &[egui::Event::ModifiersChanged(egui::Modifiers::COMMAND), plus]);
        for _ in 0..2 {
            picture(&ctx, &mut world, &[]);
        }
        assert_eq!(world.resource::<PanelState>().text_size, 1.6, "the setting follows the keys");
        world.resource_mut::<PanelState>().text_size = 2.0;
        for _ in 0..2 {
            picture(&ctx, &mut world, &[]);
        }
        assert_eq!(picture(&ctx, &mut world, &[]), 2.0, "egui follows the setting");
    }
    #[test]
    fn the_size_ends_where_the_panel_would_not_fit_any_more() {
        let (ctx, mut world) = (egui::Context::default(), World::new());
        world.insert_resource(PanelState::default());
        let plus = egui::Event::Key {
            key: egui::Key::Plus,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: egui::Modifiers::COMMAND,
        };
        for _ in 0..60 {
            picture_in(
                &ctx,
                &mut world,
                &[egui::Event::ModifiersChanged(egui::Modifiers::COMMAND), plus.clone()],
                1280.0,
            );
            picture_in(&ctx, &mut world, &[], 1280.0);
        }
        assert_eq!(world.resource::<PanelState>().text_size, 3.95);
        // A narrower window shows a smaller size, and the wide one the chosen size.
        for (width, shown) in [(640.0, 1.95), (200.0, 1.0), (1280.0, 3.95)] {
            for _ in 0..3 {
                picture_in(&ctx, &mut world, &[], width);
            }
            assert_eq!(picture_in(&ctx, &mut world, &[], width), shown, "in {width}");
            assert_eq!(world.resource::<PanelState>().text_size, 3.95);
        }
    }
}
