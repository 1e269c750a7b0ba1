//! Shots: pull back from a disc and release to shoot it the opposite way. A longer pull gives a faster shot.
//!
//! | file | contents |
//! |---|---|
//! | [`strength`] | the speed of a pull |
//! | [`cue`] | the cue: aiming with mouse, keys and numbers; the effect of a stroke |
//! | `elevation` | the keys of its elevation |
//! | [`preview`] | computing the preview of a shot |
//! | [`aim_line`] | drawing it |
//! | `side_view` | a shot in the air, seen from the side |

use bevy::prelude::*;
use bevy_egui::EguiPrimaryContextPass;

use super::{ControlSystems, allow, can_draw};
use crate::{
    collision::require_physics,
    view::{DrawView, ViewSystems, sees_layer_0, words::overlay::is_covered},
};
use cue::{Aim, AimSettings, CueSettings};
use preview::{Preview, PreviewSettings};
use strength::Strength;

pub mod aim_line;
pub mod cue;
mod elevation;
pub mod preview;
pub(crate) mod side_view;
pub mod strength;

/// Shoots discs that are pulled back, with the mouse, with keys or with numbers. It computes a preview of the shot, and
/// draws it if there is a [`Canvas`](crate::view::Canvas).
///
/// What a disc gets is written to its [`Velocity`](crate::components::Velocity), and to its
/// [`AngularVelocity`](crate::components::AngularVelocity) on a billiard table. A ball that leaves the cloth gets a
/// [`Height`](crate::components::Height). [`ShotTaken`](crate::input::ShotTaken)
/// reports it. Adding the plugin twice is fine.
pub struct AimPlugin;

/// It was added.
#[derive(Resource)]
struct Added;

impl Plugin for AimPlugin {
    fn build(&self, app: &mut App) {
        if app.world().contains_resource::<Added>() {
            return;
        }
        app.insert_resource(Added);
        allow(app, |controls| controls.shoot = true);
        app.init_resource::<Preview>()
            .init_resource::<Aim>()
            .init_resource::<AimSettings>()
            .init_resource::<CueSettings>()
            .init_resource::<PreviewSettings>()
            .register_type::<AimSettings>()
            .register_type::<CueSettings>()
            .register_type::<PreviewSettings>()
            .register_type::<Strength>()
            .add_message::<cue::ShotTaken>()
            .add_systems(
                PreUpdate,
                (preview::keys, cue::keys, elevation::keys, cue::shoot, cue::set_up)
                    .chain()
                    .in_set(ControlSystems::Aim),
            )
            .add_systems(PostUpdate, preview::predict.before(ViewSystems::Draw))
            .add_systems(DrawView, aim_line::draw.run_if(sees_layer_0))
            .add_systems(
                EguiPrimaryContextPass,
                (aim_line::write_numbers, side_view::show.run_if(not(is_covered)), aim_line::write_strength)
                    .chain()
                    .run_if(can_draw),
            );
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
    }

    fn is_unique(&self) -> bool {
        false
    }
}
