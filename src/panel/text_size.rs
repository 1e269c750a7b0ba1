//! How large the panel and all that is written are: egui's zoom, as a setting that is remembered. Ctrl with plus, minus and 0 changes the same.

use bevy::prelude::*;
use bevy_egui::egui::{self, Ui};
use tr::tr;

use super::{
    state::{self, PanelState},
    widgets::Row,
};

/// The sizes that are offered, percent.
const OFFERED: [u32; 8] = [75, 100, 125, 150, 175, 200, 250, 300];

/// The size that egui had with the last picture; none before the first.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Shown(Option<f32>);

/// Keeps egui and the setting in step: whichever has changed, the other follows.
pub(super) fn follow(ctx: &egui::Context, world: &mut World) {
    let (wanted, zoom) = (world.resource::<PanelState>().text_size, ctx.zoom_factor());
    let shown = world.get_resource_or_init::<Shown>().0;
    if shown != Some(wanted) {
        // It holds from the next picture on.
        ctx.set_zoom_factor(wanted);
        world.insert_resource(Shown(Some(wanted)));
    } else if zoom != wanted {
        state::change(world, |state| state.text_size = zoom);
        world.insert_resource(Shown(Some(zoom)));
    }
}

fn percent(size: f32) -> u32 {
    (size * 100.0).round() as u32
}

/// The row that chooses it.
pub(super) fn show_row(ui: &mut Ui, world: &mut World) {
    let now = percent(world.resource::<PanelState>().text_size);
    let mut sizes = OFFERED.to_vec();
    // By keys it can be any.
    if let Err(place) = sizes.binary_search(&now) {
        sizes.insert(place, now);
    }
    let names: Vec<String> = sizes.iter().map(|size| format!("{size} %")).collect();
    let choices: Vec<(u32, &str)> = sizes.iter().copied().zip(names.iter().map(String::as_str)).collect();
    let mut chosen = now;
    Row {
        label: &tr!("Text size"),
        help: &tr!("How large the panel and all that is written are. Also by Ctrl with plus, minus and 0."),
    }
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
        let mut zoom = 0.0;
        let input = egui::RawInput { events: keys.to_vec(), ..default() };
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
}
