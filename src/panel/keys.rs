//! Keys: the bindings of every control, and rebinding with a click and a key press.

use bevy::prelude::*;
use bevy_egui::egui::{self, RichText, Ui};
use bevy_enhanced_input::prelude::{Binding, ModKeys};
use tr::tr;

use super::field::reset_name;
use crate::{
    input::actions::{
        CONTROLS, ControlInfo, Group, KeyMap, Rebinding,
        rebind::RebindTarget,
        words::{is_of_gamepad, told_apart},
    },
    view::Named,
};

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let (mut map, mut rebinding) = (world.resource::<KeyMap>().clone(), *world.resource::<Rebinding>());
    ui.weak(tr!("Click a key, then press a new one. A second click removes the key. Escape cancels."));
    for group in Group::ALL {
        ui.add_space(4.0);
        let title = group.title();
        ui.label(RichText::new(tr!(title)).strong());
        for info in CONTROLS.iter().filter(|info| info.group == group) {
            show_control(ui, info, &mut map, &mut rebinding);
        }
    }
    let is_changed = CONTROLS.iter().any(|info| map.is_changed(info.control));
    if is_changed
        && ui.button(tr!("Reset all keys")).on_hover_text(tr!("Restores the default keys of all controls")).clicked()
    {
        map = KeyMap::default();
    }
    world.resource_mut::<KeyMap>().set_if_neq(map);
    world.resource_mut::<Rebinding>().set_if_neq(rebinding);
}

/// Whether this program can receive it. Gamepads need the feature `gamepad`.
fn can_be_pressed(binding: Binding) -> bool {
    cfg!(feature = "gamepad") || !is_of_gamepad(binding)
}

/// Whether it also moves the focus into the panel.
fn leads_into_the_panel(binding: Binding) -> bool {
    let moves = |mod_keys: ModKeys| ModKeys::SHIFT.contains(mod_keys);
    matches!(binding, Binding::Keyboard { key: KeyCode::Tab, mod_keys } if moves(mod_keys))
}

fn show_control(ui: &mut Ui, info: &ControlInfo, map: &mut KeyMap, rebinding: &mut Rebinding) {
    let ControlInfo { control, label, help, .. } = *info;
    let (label, help) = (&tr!(label), tr!(help));
    ui.horizontal_wrapped(|ui| {
        ui.label(label).on_hover_text(help);
        let bindings = map.of(control).to_vec();
        for (place, &binding) in bindings.iter().enumerate().filter(|(_, binding)| can_be_pressed(**binding)) {
            let waits = rebinding.0 == Some(RebindTarget { control, place });
            let words = told_apart(binding);
            let others = map.conflicts(control, binding);
            let mut text = RichText::new(if waits { "…" } else { &words });
            let is_tab = leads_into_the_panel(binding);
            if !others.is_empty() || is_tab {
                text = text.color(ui.visuals().warn_fg_color);
            }
            let tip = match others.first() {
                Some(other) => {
                    let other = other.info().label;
                    tr!("Click, then press another key. This key also does: {}", tr!(other))
                }
                None if is_tab => tr!("Click, then press another key. Tab also moves into the panel"),
                None => tr!("Click, then press another key"),
            };
            let button = ui.add(egui::Button::new(text).selected(waits)).named(format!("{label}: {words} ({place})"));
            if button.on_hover_text(tip).clicked() {
                *rebinding =
                    if waits { Rebinding::default() } else { Rebinding(Some(RebindTarget { control, place })) };
                if waits {
                    let rest = bindings.iter().enumerate().filter(|(other, _)| *other != place);
                    map.set(control, rest.map(|(_, &binding)| binding).collect());
                }
            }
        }
        let wanted = RebindTarget { control, place: bindings.len() };
        let waits = rebinding.0 == Some(wanted);
        let add = ui.add(egui::Button::new(if waits { "…" } else { "+" }).small().selected(waits));
        if add.named(tr!("Add a key: {}", label)).on_hover_text(tr!("Click, then press an additional key")).clicked() {
            *rebinding = Rebinding((!waits).then_some(wanted));
        }
        if map.is_changed(control) {
            let reset = ui.small_button("↺").named(reset_name(label));
            if reset.on_hover_text(tr!("Restores the default keys")).clicked() {
                map.reset(control);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tab_leads_into_the_panel_and_gamepads_are_there_where_they_are_heard() {
        let tab = |mod_keys| Binding::Keyboard { key: KeyCode::Tab, mod_keys };
        assert!(leads_into_the_panel(tab(ModKeys::empty())) && leads_into_the_panel(tab(ModKeys::SHIFT)));
        assert!(!leads_into_the_panel(tab(ModKeys::CONTROL)) && !leads_into_the_panel(Binding::from(KeyCode::KeyA)));
        assert!(can_be_pressed(Binding::from(KeyCode::KeyA)));
        assert_eq!(can_be_pressed(Binding::GamepadButton(GamepadButton::South)), cfg!(feature = "gamepad"));
    }
}
