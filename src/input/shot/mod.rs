//! Shots: pull back from a disc and let go, and it is shot the opposite way, the faster the longer the pull.
//!
//! | file | what |
//! |---|---|
//! | [`strength`] | how a pull becomes a speed |
//! | [`cue`] | the cue in the hand: aiming by mouse, keys and numbers; what the cue makes of a stroke |
//! | [`preview`] | what the shot will do is computed |
//! | [`aim_line`] | and drawn |

use bevy::prelude::*;
use bevy_egui::EguiPrimaryContextPass;

use super::{ControlSystems, allow, can_draw};
use crate::{
    collision::require_physics,
    view::{DrawPicture, ViewSystems, sees_layer_0},
};
use cue::{Aim, CueSettings};
use preview::{Preview, PreviewSettings};
use strength::Strength;

pub mod aim_line;
pub mod cue;
pub mod preview;
pub mod strength;

/// Discs are pulled back and shot, by the mouse, by keys or by numbers; what the shot will do is computed, and drawn
/// where there is a [`Canvas`](crate::view::Canvas).
///
/// What a disc gets is written to its [`Velocity`](crate::components::Velocity), and to its
/// [`AngularVelocity`](crate::components::AngularVelocity) on a billiard table; [`ShotTaken`](crate::input::ShotTaken)
/// tells of it. Adding it twice is fine.
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
            .init_resource::<CueSettings>()
            .init_resource::<PreviewSettings>()
            .register_type::<CueSettings>()
            .register_type::<PreviewSettings>()
            .register_type::<Strength>()
            .add_message::<cue::ShotTaken>()
            .add_systems(
                PreUpdate,
                (preview::keys, cue::keys, cue::shoot, cue::set_up).chain().in_set(ControlSystems::Aim),
            )
            .add_systems(PostUpdate, preview::predict.before(ViewSystems::Draw))
            .add_systems(DrawPicture, aim_line::draw.run_if(sees_layer_0))
            .add_systems(
                EguiPrimaryContextPass,
                (aim_line::write_numbers, aim_line::write_strength).chain().run_if(can_draw),
            );
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
    }

    fn is_unique(&self) -> bool {
        false
    }
}
