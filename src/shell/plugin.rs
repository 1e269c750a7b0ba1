//! The plugin of the shell.

use bevy::prelude::*;
use bevy_egui::{EguiPlugin, EguiPrimaryContextPass};

use super::{CaptureRequest, CaptureSettings, Overlays, files, go_on, help, way_back};
use crate::{
    collision::require_physics,
    input::actions::KeyMap,
    notice::Notices,
    view::{Covered, Theme},
};

/// The surroundings of the table: the help, the dialogs of scene files, and the floating buttons that start a scene and
/// return to the table. [`PanelPlugin`](crate::panel::PanelPlugin) adds it. It requires the physics. The keys that show
/// the help are in [`OverlayKeysPlugin`](super::OverlayKeysPlugin).
pub struct ShellPlugin;

/// The shell is shown, in [`EguiPrimaryContextPass`]. Systems that show something below it run before.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShellSystems;

impl Plugin for ShellPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<EguiPlugin>() {
            app.add_plugins(EguiPlugin::default());
        }
        app.init_resource::<Overlays>()
            .init_resource::<Covered>()
            .init_resource::<CaptureSettings>()
            .add_message::<CaptureRequest>()
            .register_type::<CaptureSettings>()
            .init_resource::<KeyMap>()
            .init_resource::<Theme>()
            .init_resource::<Notices>()
            .add_plugins(files::plugin)
            .add_systems(
                EguiPrimaryContextPass,
                ((way_back::show, go_on::show), help::show, files::show).chain().in_set(ShellSystems),
            );
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
    }
}
