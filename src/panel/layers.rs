//! The layers of an entity, and the layers that it can collide with: two buttons with a summary, each with a menu of
//! all thirty-two layers.

use bevy_egui::egui::{self, Ui};
use tr::tr;

use crate::{components::CollisionLayers, view::Named};

/// The number of layers in a row of the menu.
const IN_A_ROW: u32 = 8;

pub(super) fn show(ui: &mut Ui, layers: &mut CollisionLayers) {
    let CollisionLayers { memberships, filters } = layers;
    show_set(ui, memberships, (&tr!("in {}", in_words(*memberships)), &tr!("Layers it is in")));
    show_set(ui, filters, (&tr!("collides with {}", in_words(*filters)), &tr!("Layers it collides with")));
}

fn show_set(ui: &mut Ui, set: &mut u32, (text, name): (&str, &str)) {
    let menu = egui::containers::menu::MenuButton::new(text).config(
        egui::containers::menu::MenuConfig::new().close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside),
    );
    let (button, _) = menu.ui(ui, |ui| {
        ui.horizontal(|ui| {
            if ui.button(tr!("all")).clicked() {
                *set = u32::MAX;
            }
            if ui.button(tr!("none")).clicked() {
                *set = 0;
            }
        });
        egui::Grid::new(name).spacing([4.0, 4.0]).show(ui, |ui| {
            for layer in 0..u32::BITS {
                let mut is_in = *set & (1 << layer) != 0;
                if ui.toggle_value(&mut is_in, (layer + 1).to_string()).changed() {
                    *set ^= 1 << layer;
                }
                if layer % IN_A_ROW == IN_A_ROW - 1 {
                    ui.end_row();
                }
            }
        });
    });
    button.named(name).on_hover_text(name);
}

/// A set of layers in short: "all", "none", "1, 3", "all except 2", or how many.
fn in_words(set: u32) -> String {
    let listed = |set: u32| {
        let layers = (0..u32::BITS).filter(|layer| set & (1 << layer) != 0).map(|layer| (layer + 1).to_string());
        layers.collect::<Vec<_>>().join(", ")
    };
    match (set.count_ones(), set.count_zeros()) {
        (0, _) => tr!("none"),
        (_, 0) => tr!("all"),
        (1..=3, _) => listed(set),
        (_, 1..=2) => tr!("all except {}", listed(!set)),
        (count, _) => tr!("{} layers", count),
    }
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn a_set_of_layers_is_said_in_few_words() {
        for (set, words) in [
            (0, "none"),
            (u32::MAX, "all"),
            (0b101, "1, 3"),
            (!0b10, "all except 2"),
            (1 << 31, "32"),
            (0xff, "8 layers"),
        ] {
            assert_eq!(in_words(set), words);
        }
    }
}
