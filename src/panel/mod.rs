//! The panel: all settings and readings, at the right side of the window.
//!
//! [`SECTIONS`] is its table of contents. Each section is a file with one function that shows it. A section reads and
//! writes the settings and components of the running world. Its changes take effect in the next tick and restart
//! nothing. A section whose settings are missing, because their plugin is, is left out. A game can add sections:
//!
//! ```
//! # use bevy::prelude::*;
//! # use carom::{bevy_egui::egui::Ui, panel::{PanelAppExt, PanelPlugin, Section}};
//! #[derive(Resource, Default)]
//! struct Wind(f32);
//!
//! fn show_wind(ui: &mut Ui, world: &mut World) {
//!     ui.label(format!("{} m/s", world.resource::<Wind>().0));
//! }
//!
//! # let mut app = App::new();
//! # app.init_resource::<Wind>();
//! app.add_panel_section(Section::new("wind", "Wind", show_wind).open().after("forces"));
//! ```

use bevy::prelude::*;
use bevy_egui::{EguiContext, EguiPrimaryContextPass, PrimaryEguiContext, egui};

use self::sections::{OpenInMatch, Sections};
use crate::{
    collision::require_physics,
    editor::{self, PanelHold},
    games::plugin::{CurrentMatch, MatchEvent},
    input::{EditLock, PointingDevice},
    laboratory::RecorderPlugin,
    shell::{ShellPlugin, ShellSystems},
    view::{Insets, Theme},
};

pub mod aim;
pub mod capture;
pub mod cue;
pub mod discs;
pub mod draw;
pub mod energy;
pub mod field;
pub mod forces;
pub mod inspector;
pub mod joints;
pub mod keys;
mod layers;
mod layout;
mod notices;
mod optional;
mod periodic;
pub mod physics;
pub mod playback;
pub mod practice;
pub mod presets;
pub mod readouts;
pub mod scenes;
mod section;
mod sections;
pub mod solvers;
pub mod sound;
mod state;
pub mod table;
mod text_size;
pub mod theme;
pub mod view;
pub mod widgets;

pub use field::Field;
pub use section::{InMatch, Place, Section};
pub use sections::{PanelAppExt, SECTIONS, is_locked};
pub use state::PanelState;

/// The panel. It adds the [`ShellPlugin`] and the [`RecorderPlugin`] unless they are there, and requires the physics.
/// Scenes, view, input and sound are optional, and it shows those that are there.
pub struct PanelPlugin;

impl Plugin for PanelPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<ShellPlugin>() {
            app.add_plugins(ShellPlugin);
        }
        if !app.is_plugin_added::<RecorderPlugin>() {
            app.add_plugins(RecorderPlugin);
        }
        app.init_resource::<PanelState>()
            .init_resource::<Sections>()
            .init_resource::<OpenInMatch>()
            .init_resource::<layout::Fold>()
            .init_resource::<energy::EnergyGraph>()
            .init_resource::<readouts::Readouts>()
            .init_resource::<solvers::Comparison>()
            .init_resource::<Insets>()
            .init_resource::<presets::Presets>()
            .init_resource::<practice::ChosenDrill>()
            .init_resource::<discs::DiscTable>()
            .init_resource::<scenes::Catalogue>()
            .add_observer(readouts::forget)
            .add_observer(solvers::forget)
            .add_systems(Update, practice::follow.run_if(resource_exists::<Messages<MatchEvent>>))
            .add_systems(Update, practice::shot::by_key)
            .add_systems(EguiPrimaryContextPass, (theme::dress, show_panel).chain().before(ShellSystems));
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
    }
}

pub(crate) fn show_panel(world: &mut World) -> Result {
    let mut contexts = world.query_filtered::<(Entity, &mut EguiContext), With<PrimaryEguiContext>>();
    let (camera, mut context) = contexts.single_mut(world)?;
    let ctx = context.get_mut().clone();
    let area = editor::watch(world, hold(&ctx), |world| {
        text_size::follow(&ctx, world);
        let area = layout::lay_out(&ctx, world);
        if lock(world).is_none() && !sections::all_locked(world) {
            discs::show(&ctx, world);
        }
        theme::show_focus(&ctx, world.resource::<Theme>());
        area
    });
    world.resource_mut::<Insets>().leave_free(camera, area);
    Ok(())
}

/// How the person holds the panel in this frame, if at all.
fn hold(ctx: &egui::Context) -> Option<PanelHold> {
    let focused = ctx.memory(egui::Memory::focused).map(|id| PanelHold::Widget(id.value()));
    ctx.input(|input| {
        let pointer = &input.pointer;
        if pointer.any_down() || pointer.any_released() {
            return Some(PanelHold::Pointer { pressed: pointer.any_pressed() });
        }
        let is_move = |event: &egui::Event| matches!(event, egui::Event::PointerMoved(_) | egui::Event::MouseMoved(_));
        focused.or((!input.events.iter().all(is_move)).then_some(PanelHold::Widget(0)))
    })
}

/// Whether the person uses touch input, without keys.
fn by_fingers(world: &World) -> bool {
    world.get_resource::<PointingDevice>().is_some_and(|device| *device == PointingDevice::Finger)
}

/// Whether a match is running.
fn in_match(world: &World) -> bool {
    world.contains_resource::<CurrentMatch>()
}

/// Why editing is locked, if it is.
fn lock(world: &World) -> Option<&'static str> {
    world.get_resource::<EditLock>().and_then(|lock| lock.0)
}

#[cfg(test)]
mod tests;
