//! The overlays that keys show and hide: the help and the panel.

use bevy::prelude::*;

use crate::{
    debug::PhysicsDebug,
    input::{
        ControlSystems, PointerPlugin, PointingDevice,
        actions::{Control, Inputs, KeyMap},
    },
    notice::mark,
    view::KeyHint,
};

/// Shows and hides the help and the panel: [`Overlays`]. It also toggles a [`PhysicsDebug`] without a key.
pub struct OverlayKeysPlugin;

impl Plugin for OverlayKeysPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(PointerPlugin);
        // Escape cancels a gesture or a shot first, then the help, then the selection.
        app.init_resource::<Overlays>()
            .init_resource::<KeyHint>()
            .add_systems(PreUpdate, overlay_keys.after(ControlSystems::Aim).before(ControlSystems::Move))
            .add_systems(
                PreUpdate,
                hint.in_set(ControlSystems::Keys)
                    .run_if(resource_changed::<KeyMap>.or_eager(resource_changed::<PointingDevice>)),
            );
    }
}

/// The overlays that a key can show and hide.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlays {
    /// The list of all controls. Default: hidden.
    pub help: bool,
    /// The panel. Default: shown.
    pub panel: bool,
}

impl Default for Overlays {
    fn default() -> Self {
        Self { help: false, panel: true }
    }
}

/// Requests the start page. The owner of the page adds this message, whose presence shows that there is one.
#[derive(Message, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StartPageAsked;

fn overlay_keys(mut inputs: Inputs, mut overlays: ResMut<Overlays>, debug: Option<ResMut<PhysicsDebug>>) {
    if inputs.started(Control::Help) {
        overlays.help = !overlays.help;
    }
    if inputs.started(Control::Panel) {
        overlays.panel = !overlays.panel;
    }
    // If it has a key, it handles the key itself.
    if let Some(mut debug) = debug
        && debug.key.is_none()
        && inputs.started(Control::ShowPhysics)
    {
        debug.shown = !debug.shown;
    }
    if overlays.help && inputs.take(Control::Cancel) {
        overlays.help = false;
    }
}

/// The keys in the hint for newcomers. With touch input, the effects of two fingers.
fn hint((map, device): (Res<KeyMap>, Res<PointingDevice>), mut hint: ResMut<KeyHint>) {
    if *device == PointingDevice::Finger {
        hint.set_if_neq(KeyHint(vec![(mark("Two fingers:").to_owned(), mark("zoom, move the view"))]));
        return;
    }
    let first = [
        (Control::Pause, mark("pause")),
        (Control::Restart, mark("restart")),
        (Control::NextScene, mark("next scene")),
        (Control::Help, mark("help")),
    ];
    let words = first.iter().filter_map(|&(control, does)| Some((map.short(control)?, does)));
    hint.set_if_neq(KeyHint(words.collect()));
}
