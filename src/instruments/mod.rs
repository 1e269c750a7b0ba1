//! Instruments of the laboratory in the window: live measurements and plots.
//!
//! Each part is a file or a folder with a function `plugin`, and a line in [`InstrumentsPlugin`]. What they calculate
//! belongs to the module [`laboratory`](crate::laboratory), which needs no window.

use bevy::prelude::*;

use crate::{collision::require_physics, laboratory::LaboratoryPlugin, panel::PanelPlugin};

/// The instruments of the laboratory. It adds the [`LaboratoryPlugin`] and the [`PanelPlugin`] unless they are there,
/// and needs [`PhysicsPlugins`](crate::PhysicsPlugins).
pub struct InstrumentsPlugin;

impl Plugin for InstrumentsPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<LaboratoryPlugin>() {
            app.add_plugins(LaboratoryPlugin);
        }
        if !app.is_plugin_added::<PanelPlugin>() {
            app.add_plugins(PanelPlugin);
        }
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
    }
}
