//! The game under mouse and keys: aiming and shooting, moving and choosing discs, the camera's controls.
//!
//! | file | what it does |
//! |---|---|
//! | [`mod@pointer`] | where the mouse is, and whether it and the keyboard are ours or the panel's |
//! | [`pick`] | the disc under a point |
//! | [`gesture`] | press, drag and release as a state machine |
//! | [`aim`] | pulling back from a disc and releasing shoots it |
//! | [`cue`] | where the tip hits, how far the cue is raised, and the shot that is set up |
//! | `respot` | a cue ball that fell comes back |
//! | [`preview`] | what the shot will do |
//! | [`aim_line`] | how aiming is drawn |
//! | [`move_disc`] | a held disc follows the mouse |
//! | [`select`] | the chosen discs |
//! | [`arrow_tip`] | the vector lab's velocity arrows |
//! | [`camera_keys`] | wheel, middle button and F |
//! | [`keys`] | all other keys |
//!
//! Each frame runs them in that order in [`PreUpdate`], before the ticks of that frame, so what a person does acts on the
//! next tick. Gestures are drawn in [`ViewSystems::Draw`].

use bevy::{input::InputSystems, prelude::*};
use bevy_egui::{EguiPreUpdateSet, EguiPrimaryContextPass};

use crate::view::ViewSystems;

pub mod aim;
pub mod aim_line;
pub mod arrow_tip;
pub mod camera_keys;
pub mod cue;
pub mod gesture;
pub mod keys;
pub mod move_disc;
pub mod pick;
pub mod pointer;
pub mod preview;
mod respot;
pub mod select;

pub use aim::Strength;
pub use cue::{Aim, AimedShot, ByNumbers, CueSettings};
pub use gesture::{Gesture, Gestured};
pub use keys::Overlays;
pub use pointer::{Attention, Pointer};
pub use preview::{Preview, PreviewLength, PreviewSettings};
pub use select::Selection;

/// The table's systems of one frame, in [`PreUpdate`]: first where mouse and keyboard stand, then what they do.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableSystems {
    /// [`Pointer`] and [`Attention`] are written.
    Look,
    /// They are answered.
    Act,
}

/// Mouse and keys → game. [`TablePlugin::headless`] leaves out what needs a window, for tests and recorded input.
#[derive(Default)]
pub struct TablePlugin {
    headless: bool,
}

impl TablePlugin {
    /// Without window, panel and drawing: write [`Pointer`], [`Attention`] and the button inputs yourself.
    #[must_use]
    pub fn headless() -> Self {
        Self { headless: true }
    }
}

impl Plugin for TablePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Pointer>()
            .init_resource::<Attention>()
            .init_resource::<Gesture>()
            .init_resource::<Selection>()
            .init_resource::<Overlays>()
            .init_resource::<Preview>()
            .init_resource::<Aim>()
            .init_resource::<CueSettings>()
            .register_type::<CueSettings>()
            .init_resource::<crate::view::Followed>()
            .init_resource::<PreviewSettings>()
            .register_type::<PreviewSettings>()
            .add_message::<Gestured>()
            .configure_sets(PreUpdate, (TableSystems::Look, TableSystems::Act).chain().after(InputSystems))
            .add_systems(
                PreUpdate,
                (
                    select::forget_the_gone,
                    keys::keys,
                    keys::slow_motion,
                    camera_keys::zoom,
                    camera_keys::fit,
                    gesture::drive,
                    cue::keys,
                    cue::shoot,
                    cue::set_up,
                    respot::respot,
                    move_disc::carry,
                    select::choose,
                    select::delete,
                    arrow_tip::turn,
                    camera_keys::pan,
                )
                    .chain()
                    .in_set(TableSystems::Act),
            )
            .add_systems(PostUpdate, preview::predict.before(ViewSystems::Draw));
        if self.headless {
            return;
        }
        app.configure_sets(PreUpdate, TableSystems::Look.after(EguiPreUpdateSet::BeginPass))
            .add_systems(
                PreUpdate,
                keys::keep_tab.after(EguiPreUpdateSet::ProcessInput).before(EguiPreUpdateSet::BeginPass),
            )
            .add_systems(PreUpdate, (pointer::look, pointer::attend).chain().in_set(TableSystems::Look))
            .add_systems(PostUpdate, (select::draw, aim_line::draw, arrow_tip::draw).chain().in_set(ViewSystems::Draw))
            .add_systems(EguiPrimaryContextPass, aim::write_strength);
    }
}
