//! The time bar at the bottom of the window: go back to any moment of a run, step by tick or by collision, change
//! something there, and compare what would have been with what is.
//!
//! | file | contents |
//! |---|---|
//! | `state` | [`TimeBar`]: what is shown and compared; bookmarks |
//! | `keys` | its keys; the rewind |
//! | `to_hit` | the run to the next hit |
//! | `marks` | marks of edits |
//! | `show` | the bar |
//! | `ghosts` | [`Ghosts`]: the discs of the other track |
//! | `compare` | the section *Compare* of the panel |
//!
//! The bar is shown while the panel is wanted, unless its key says otherwise, and never in a match. All of it rests on
//! [`History`].

use bevy::prelude::*;
use bevy_egui::{EguiPrimaryContextPass, PrimaryEguiContext};

use crate::{
    input::ControlSystems,
    notice::mark,
    panel::{PanelAppExt, Section, show_panel},
    scene::SceneStarted,
    shell::ShellSystems,
    timeline::{History, HistoryPlugin, HistorySystems, ticked},
    view::{Canvas, DrawView, Insets, sees_layer_0},
};

mod compare;
mod ghosts;
mod keys;
mod marks;
mod show;
mod state;
mod to_hit;

pub use compare::Comparison;
pub use ghosts::Ghosts;
pub use state::{TimeBar, TimeBookmark};

#[cfg(test)]
mod tests;

/// The time bar, its keys, the ghosts, and the section *Compare*. It adds the [`HistoryPlugin`] unless it is there,
/// and needs [`ViewPlugin`](crate::view::ViewPlugin) and [`PanelPlugin`](crate::panel::PanelPlugin).
pub struct TimeBarPlugin;

impl Plugin for TimeBarPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<HistoryPlugin>() {
            app.add_plugins(HistoryPlugin::default());
        }
        app.init_resource::<TimeBar>()
            .init_resource::<Insets>()
            .init_resource::<Ghosts>()
            .init_resource::<Comparison>()
            .init_resource::<to_hit::FrameStart>()
            .add_observer(forget)
            .add_systems(PreUpdate, keys::keys.in_set(ControlSystems::Keys))
            .add_systems(
                RunFixedMainLoop,
                (
                    to_hit::request_ticks
                        .after(HistorySystems::Seek)
                        .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
                    to_hit::give_back_time.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
                ),
            )
            .add_systems(FixedLast, to_hit::look_for_hit.run_if(ticked))
            .add_systems(Update, (state::follow_tracks, ghosts::follow).chain())
            .add_systems(DrawView, ghosts::draw.run_if(sees_layer_0.and_then(resource_exists::<Canvas>)))
            .add_systems(
                EguiPrimaryContextPass,
                show::show.after(show_panel).before(ShellSystems).run_if(any_with_component::<PrimaryEguiContext>),
            )
            .add_panel_section(
                Section::new("compare", mark("Compare"), compare::show).applies(compare::applies).after("readouts"),
            );
    }
}

/// Another scene begins another history.
fn forget(_: On<SceneStarted>, mut history: ResMut<History>, mut bar: ResMut<TimeBar>) {
    history.clear();
    bar.forget();
}
