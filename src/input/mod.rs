//! Mouse, touch and keyboard: aiming and shooting, selecting discs, and controls for the camera, time and scenes.
//! Moving, drawing and deleting is in the [`editor`](crate::editor).
//!
//! Each part is a plugin, and [`InputPlugins`] is all of them. A game adds the ones that it needs:
//!
//! ```
//! # use bevy::prelude::*;
//! # use carom::{input::{AimPlugin, InputPlugins, SceneKeysPlugin}, prelude::*};
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
//! // Only pull back and shoot.
//! app.add_plugins(AimPlugin);
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
//! // All but the keys that load other scenes.
//! app.add_plugins(InputPlugins.build().disable::<SceneKeysPlugin>());
//! ```
//!
//! At run time, [`Shootable`] marks the discs that can be shot, [`Strength`] sets their speed, and [`Controls`] enables
//! mouse and keyboard controls.
//!
//! | file | plugin | contents |
//! |---|---|---|
//! | [`mod@pointer`] | [`PointerPlugin`] | the mouse position; whether the table or the panel has mouse and keyboard |
//! | [`actions`] | [`PointerPlugin`] | the controls, with their keys and buttons |
//! | [`pick`] | | the disc under a point |
//! | `hand` | | presses of the mouse or a finger, and the object there |
//! | `shootable` | | the discs that can be shot |
//! | [`gesture`] | [`PointerPlugin`] | press, drag and release as a state machine |
//! | [`shot`] | [`AimPlugin`] | shooting with a pull, with keys or with numbers; the preview of the shot |
//! | `respot` | [`RespotPlugin`] | the return of a potted cue ball |
//! | [`select`] | [`SelectPlugin`] | the selected discs |
//! | [`touch`] | [`TouchPlugin`] | touch: one finger is the mouse, two zoom and pan |
//! | [`camera_keys`] | [`CameraKeysPlugin`] | zoom, pan, fit, follow |
//! | `pad` | [`PointerPlugin`] | gamepad navigation through pages and panel |
//! | [`keys`] | [`PlaybackKeysPlugin`], [`SceneKeysPlugin`] | keys for time and for scenes |
//!
//! Each frame runs them in the order of [`ControlSystems`] in [`PreUpdate`], before the ticks of that frame, so that
//! input affects the next tick. If there is a [`Canvas`], gestures are drawn on it in
//! [`DrawView`](crate::view::DrawView). The pointer belongs to the camera under it. Presses on the panel or
//! another egui window are left to that window.

use bevy::{
    app::{PluginGroup, PluginGroupBuilder},
    input::InputSystems,
    prelude::*,
    window::{PrimaryWindow, WindowEvent},
};
use bevy_egui::{EguiPreUpdateSet, PrimaryEguiContext};

use crate::{collision::require_physics, view::Canvas};
use actions::{ActionsPlugin, Hands};
use fingers::Fingers;

pub mod actions;
pub mod camera_keys;
mod fingers;
pub mod gesture;
pub(crate) mod hand;
pub mod keys;
pub(crate) mod pad;
pub mod pick;
pub mod pointer;
mod respot;
pub mod select;
mod shootable;
mod shortcuts;
pub mod shot;
pub mod touch;

pub use crate::scene::Shootable;
pub use camera_keys::CameraKeysPlugin;
pub use gesture::{Gesture, Gestured, Handles, LongPress};
pub use keys::{PlaybackKeysPlugin, SceneKeysPlugin};
pub use pointer::{Attention, Controls, EditLock, Pointer, PointerCapture, PointingDevice};
pub use respot::RespotPlugin;
pub use select::{SelectPlugin, Selection};
pub use shot::{
    AimPlugin,
    cue::{Aim, AimSettings, AimedShot, ByNumbers, CueSettings, ShotTaken},
    preview::{Preview, PreviewLength, PreviewSettings},
    strength::Strength,
};
pub use touch::TouchPlugin;

/// [`Pointer`], [`Attention`], the [`Gesture`] of the mouse and the action map: [`actions`]. The other plugins add it.
/// A game that handles the mouse itself can add it alone. You may add it more than once.
pub struct PointerPlugin;

/// Marks that the plugin was added.
#[derive(Resource)]
struct Added;

impl Plugin for PointerPlugin {
    fn build(&self, app: &mut App) {
        if app.world().contains_resource::<Added>() {
            return;
        }
        app.insert_resource(Added).add_plugins((ActionsPlugin, shortcuts::plugin)).configure_sets(
            PreUpdate,
            (
                ControlSystems::Look.after(EguiPreUpdateSet::BeginPass),
                ControlSystems::Read,
                ControlSystems::Keys,
                ControlSystems::Gesture,
                ControlSystems::Aim,
                ControlSystems::Move,
                ControlSystems::Select,
                ControlSystems::Camera,
            )
                .chain()
                .after(InputSystems),
        );
        app.init_resource::<Pointer>()
            .init_resource::<PointingDevice>()
            .init_resource::<Attention>()
            .init_resource::<Gesture>()
            .init_resource::<gesture::Handles>()
            .init_resource::<Controls>()
            .init_resource::<PointerCapture>()
            .init_resource::<EditLock>()
            .init_resource::<Fingers>()
            .init_resource::<LongPress>()
            .init_resource::<pad::Led>()
            .register_type::<Controls>()
            .init_resource::<Selection>()
            .init_resource::<ButtonInput<KeyCode>>()
            .init_resource::<ButtonInput<MouseButton>>()
            .add_message::<Gestured>()
            .add_message::<WindowEvent>()
            .add_systems(
                PreUpdate,
                (
                    pointer::look.run_if(any_with_component::<PrimaryWindow>),
                    pointer::attend.run_if(any_with_component::<PrimaryEguiContext>),
                )
                    .chain()
                    .in_set(ControlSystems::Look),
            )
            .add_systems(
                PreUpdate,
                (pointer::let_go_of_clicked, pad::lead)
                    .chain()
                    .run_if(any_with_component::<PrimaryEguiContext>)
                    .after(InputSystems)
                    .after(EguiPreUpdateSet::ProcessInput)
                    .before(EguiPreUpdateSet::BeginPass),
            )
            .add_systems(
                PreUpdate,
                pad::lead_there
                    .run_if(any_with_component::<PrimaryEguiContext>)
                    .after(ControlSystems::Keys)
                    .before(ControlSystems::Gesture),
            )
            .add_systems(PreUpdate, (gesture::forget_handles, update_hands).in_set(ControlSystems::Look))
            .add_systems(PreUpdate, gesture::drive.in_set(ControlSystems::Gesture));
    }

    fn is_unique(&self) -> bool {
        false
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
    }
}

/// Enables a control in an app.
pub(crate) fn allow(app: &mut App, change: impl FnOnce(&mut Controls)) {
    app.add_plugins(PointerPlugin);
    change(&mut app.world_mut().resource_mut::<Controls>());
}

/// The order of a frame, in [`PreUpdate`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ControlSystems {
    /// [`Pointer`] and [`Attention`] are written.
    Look,
    /// The action map is evaluated. From here on, [`Inputs`](actions::Inputs) has the person's requests.
    Read,
    /// Keys that act directly, and the wheel.
    Keys,
    /// The [`Gesture`] advances, and [`Gestured`] reports its result.
    Gesture,
    /// Shots are set up and played.
    Aim,
    /// Held discs are moved.
    Move,
    /// Discs are selected; the editor removes them.
    Select,
    /// The view is panned.
    Camera,
}

/// All mouse, touch and keyboard input. Add it after Bevy's and egui's plugins and the physics. The view and the scenes
/// are optional. Without a window, as in a test, write [`Pointer`], [`Attention`] and the button inputs yourself.
pub struct InputPlugins;

impl PluginGroup for InputPlugins {
    fn build(self) -> PluginGroupBuilder {
        PluginGroupBuilder::start::<Self>()
            .add(PlaybackKeysPlugin)
            .add(SceneKeysPlugin)
            .add(CameraKeysPlugin)
            .add(AimPlugin)
            .add(RespotPlugin)
            .add(SelectPlugin)
            .add(TouchPlugin)
    }
}

/// Passes the current activity to the action map.
fn update_hands(gesture: Res<Gesture>, aim: Option<Res<Aim>>, mut hands: ResMut<Hands>) {
    let by_numbers = aim.is_some_and(|aim| aim.by_numbers.is_some());
    let aim = by_numbers || matches!(*gesture, Gesture::Aiming { .. });
    hands.set_if_neq(Hands { aim, hold: *gesture != Gesture::Idle });
}

/// Whether there is a canvas.
fn can_draw(canvas: Option<Res<Canvas>>) -> bool {
    canvas.is_some()
}
