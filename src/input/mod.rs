//! Mouse, fingers and keys: aiming and shooting, choosing discs, the camera, time and scenes by keys. What moves, draws
//! and deletes is the [`editor`](crate::editor).
//!
//! Each of it is a plugin of its own, and [`InputPlugins`] are all of them. A game takes those that it wants:
//!
//! ```
//! # use bevy::prelude::*;
//! # use carom::{input::{AimPlugin, InputPlugins, SceneKeysPlugin}, prelude::*};
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
//! // Pull back and shoot; nothing else of it.
//! app.add_plugins(AimPlugin);
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
//! // All but the keys that load other scenes.
//! app.add_plugins(InputPlugins.build().disable::<SceneKeysPlugin>());
//! ```
//!
//! While a game runs, [`Shootable`] says which discs can be shot, [`Strength`] how hard, and [`Controls`] what mouse
//! and keys may do.
//!
//! | file | plugin | what it does |
//! |---|---|---|
//! | [`mod@pointer`] | [`PointerPlugin`] | where the mouse is, and whether it and the keyboard are the table's or the panel's |
//! | [`actions`] | [`PointerPlugin`] | what can be asked for, and with which keys and buttons |
//! | [`pick`] | | the disc under a point |
//! | `hand` | | where the mouse or a finger presses, and what lies there |
//! | [`gesture`] | [`PointerPlugin`] | press, drag and release as a state machine |
//! | [`shot`] | [`AimPlugin`] | pulling back from a disc and releasing shoots it; keys and numbers do too; what the shot will do is computed and drawn |
//! | `respot` | [`RespotPlugin`] | a cue ball that fell comes back |
//! | [`select`] | [`SelectPlugin`] | the chosen discs |
//! | [`touch`] | [`TouchPlugin`] | fingers on a touch screen: one is the mouse, two zoom and move the view |
//! | [`camera_keys`] | [`CameraKeysPlugin`] | zoom, move, fit, follow |
//! | `pad` | [`PointerPlugin`] | a gamepad leads through pages and panel |
//! | [`keys`] | [`PlaybackKeysPlugin`], [`SceneKeysPlugin`] | keys for time and for scenes |
//!
//! Each frame runs them in the order of [`ControlSystems`] in [`PreUpdate`], before the ticks of that frame, so what a
//! person does acts on the next tick. Where there is a [`Canvas`], gestures are drawn on it in
//! [`DrawPicture`](crate::view::DrawPicture), and the pointer is at home in the camera's picture in which it is. A
//! press that the panel, or any other egui window, wants is left to it.

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
mod shortcuts;
pub mod shot;
pub mod touch;

pub use crate::scene::Shootable;
pub use camera_keys::CameraKeysPlugin;
pub use gesture::{Gesture, Gestured, Handles, LongPress};
pub use keys::{PlaybackKeysPlugin, SceneKeysPlugin};
pub use pointer::{
    Attention, Controls, EditLock, PointedView, PointedViewMut, Pointer, PointerCapture, PointingDevice,
};
pub use respot::RespotPlugin;
pub use select::{SelectPlugin, Selection};
pub use shot::{
    AimPlugin,
    cue::{Aim, AimedShot, ByNumbers, CueSettings, ShotTaken},
    preview::{Preview, PreviewLength, PreviewSettings},
    strength::Strength,
};
pub use touch::TouchPlugin;

/// [`Pointer`], [`Attention`], the [`Gesture`] of the mouse and the action map: [`actions`]. The others
/// bring it along; a game that answers the mouse itself adds it alone. To add it twice is no mistake.
pub struct PointerPlugin;

/// It was added.
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
            .add_systems(PreUpdate, (gesture::forget_handles, tell_hands).in_set(ControlSystems::Look))
            .add_systems(PreUpdate, gesture::drive.in_set(ControlSystems::Gesture));
    }

    fn is_unique(&self) -> bool {
        false
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
    }
}

/// Lets an app control one thing more.
pub(crate) fn allow(app: &mut App, change: impl FnOnce(&mut Controls)) {
    app.add_plugins(PointerPlugin);
    change(&mut app.world_mut().resource_mut::<Controls>());
}

/// The order of one frame, in [`PreUpdate`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ControlSystems {
    /// [`Pointer`] and [`Attention`] are written.
    Look,
    /// The action map is read: from here on [`Inputs`](actions::Inputs) says what a person asks for.
    Read,
    /// Keys that act by themselves, and the wheel.
    Keys,
    /// The [`Gesture`] goes on, and [`Gestured`] tells what it came to.
    Gesture,
    /// Shots are set up and played.
    Aim,
    /// Held discs are moved.
    Move,
    /// Discs are chosen; the editor removes them.
    Select,
    /// The view is pushed about.
    Camera,
}

/// All that mouse, fingers and keys do. Add it after Bevy's and egui's plugins and the physics; the view and the scenes
/// may be there or not. Where there is no window a test writes [`Pointer`], [`Attention`] and the button inputs itself.
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

/// Tells the action map what the hands are in the middle of.
fn tell_hands(gesture: Res<Gesture>, aim: Option<Res<Aim>>, mut hands: ResMut<Hands>) {
    let by_numbers = aim.is_some_and(|aim| aim.by_numbers.is_some());
    let aim = by_numbers || matches!(*gesture, Gesture::Aiming { .. });
    hands.set_if_neq(Hands { aim, hold: *gesture != Gesture::Idle });
}

/// Whether there is something to draw on.
fn can_draw(canvas: Option<Res<Canvas>>) -> bool {
    canvas.is_some()
}
