//! How large the panel and all that is written are: egui's zoom, as a setting that is remembered. Ctrl with plus, minus
//! and 0 changes the same.

use bevy::prelude::*;
use bevy_egui::egui::{self, Ui};
use tr::tr;

use super::{
    field::Field,
    state::{self, PanelState},
};

/// The sizes that are offered, percent.
const OFFERED: [u32; 8] = [75, 100, 125, 150, 175, 200, 250, 300];

/// The size that egui had with the last picture; none before the first.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Shown(Option<f32>);

/// Keeps egui and the setting in step: whichever has changed, the other follows.
pub(super) fn follow(ctx: &egui::Context, world: &mut World) {
    let (zoom, most) = (ctx.zoom_factor(), largest(ctx));
    let wanted = world.resource::<PanelState>().text_size.min(most);
    let shown = world.get_resource_or_init::<Shown>().0;
    if shown != Some(wanted) {
        // It holds from the next picture on.
        ctx.set_zoom_factor(wanted);
        world.insert_resource(Shown(Some(wanted)));
    } else if zoom != wanted {
        let zoom = zoom.min(most);
        ctx.set_zoom_factor(zoom);
        state::change(world, |state| state.text_size = zoom);
        world.insert_resource(Shown(Some(zoom)));
    }
}

/// The largest size with which the narrowest panel is in the window as a whole, and with it the way back; not below the
/// common one.
fn largest(ctx: &egui::Context) -> f32 {
    // Points are rounded, and the size shall not waver with that.
    let pixels = (ctx.viewport_rect().width() * ctx.zoom_factor()).round();
    (pixels / state::LEAST_WINDOW * 20.0).floor().max(20.0) / 20.0
}

fn percent(size: f32) -> u32 {
    (size * 100.0).round() as u32
}

/// The row that chooses it.
pub(super) fn show_row(ui: &mut Ui, world: &mut World) {
    let now = percent(world.resource::<PanelState>().text_size);
    let most = percent(largest(ui.ctx()));
    let mut sizes = OFFERED.to_vec();
    sizes.retain(|size| *size <= most);
    // By keys it can be any.
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

    /// Shows a picture; returns the zoom with which it was shown.
    fn picture(ctx: &egui::Context, world: &mut World, keys: &[egui::Event]) -> f32 {
        picture_in(ctx, world, keys, 10_000.0)
    }

    /// The same in a window of this width, logical pixels.
    fn picture_in(ctx: &egui::Context, world: &mut World, keys: &[egui::Event], width: f32) -> f32 {
        let mut zoom = 0.0;
        // egui counts in the points of the coming picture.
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
        // A narrower window shows less of it, and the wide one what was chosen.
        for (width, shown) in [(640.0, 1.95), (200.0, 1.0), (1280.0, 3.95)] {
            for _ in 0..3 {
                picture_in(&ctx, &mut world, &[], width);
            }
            assert_eq!(picture_in(&ctx, &mut world, &[], width), shown, "in {width}");
            assert_eq!(world.resource::<PanelState>().text_size, 3.95);
        }
    }
}
