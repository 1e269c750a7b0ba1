//! Instruments of the laboratory in the window: live measurements and plots.
//!
//! Each part is a file or a folder with a function `plugin`, and a line in [`InstrumentsPlugin`]. Their calculations
//! belong to the module [`laboratory`](crate::laboratory), which needs no window.

use bevy::prelude::*;

use crate::{
    collision::require_physics,
    laboratory::{LaboratoryPlugin, RecorderPlugin},
};

mod boundary_map;
mod ledger;
mod measure;
pub(crate) mod momenta;
pub mod plots;
mod table;

/// The instruments of the laboratory. It adds the [`LaboratoryPlugin`] and the [`RecorderPlugin`] unless they are
/// there. The [`PanelPlugin`](crate::panel::PanelPlugin) shows them.
pub struct InstrumentsPlugin;

impl Plugin for InstrumentsPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<LaboratoryPlugin>() {
            app.add_plugins(LaboratoryPlugin);
        }
        if !app.is_plugin_added::<RecorderPlugin>() {
            app.add_plugins(RecorderPlugin);
        }
        measure::plugin(app);
        boundary_map::plugin(app);
        plots::plugin(app);
        table::plugin(app);
        momenta::plugin(app);
        ledger::plugin(app);
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
    }
}

#[cfg(test)]
mod test_support {
    use super::*;
    use crate::{
        PhysicsPlugins,
        input::Selection,
        scene::{self, ScenePlugin, SceneSource},
        shell::files::Files,
        view::Theme,
    };

    /// An app with a shipped scene and what the instruments read, without a window.
    pub fn started(scene: &'static str) -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin, InstrumentsPlugin))
            .init_resource::<Theme>()
            .init_resource::<Files>()
            .init_resource::<Selection>();
        let source = SceneSource::Shipped(scene);
        let file = source.load().unwrap();
        scene::spawn(app.world_mut(), source, file).unwrap();
        app
    }
}
