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
//! | [`gesture`] | [`PointerPlugin`] | press, drag and release as a state machine |
//! | [`aim`], [`cue`], [`preview`], [`aim_line`] | [`AimPlugin`] | pulling back from a disc and releasing shoots it; keys and numbers do too; what the shot will do is computed and drawn |
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
    prelude::*,
};

use crate::view::Canvas;

pub mod actions;
pub mod aim;
pub mod aim_line;
pub mod camera_keys;
pub mod cue;
pub mod gesture;
pub mod keys;
pub(crate) mod pad;
pub mod pick;
pub mod pointer;
pub mod preview;
mod respot;
pub mod select;
mod shortcuts;
pub mod touch;

pub use crate::scene::Shootable;
pub use aim::{AimPlugin, Strength};
pub use camera_keys::CameraKeysPlugin;
pub use cue::{Aim, AimedShot, ByNumbers, CueSettings, ShotTaken};
pub use gesture::{Gesture, Gestured, Handles, LongPress};
pub use keys::{PlaybackKeysPlugin, SceneKeysPlugin};
pub use pointer::{Attention, Controls, EditLock, PointedView, PointedViewMut, Pointer, PointerPlugin, PointingDevice};
pub use preview::{Preview, PreviewLength, PreviewSettings};
pub use respot::RespotPlugin;
pub use select::{SelectPlugin, Selection};
pub use touch::TouchPlugin;

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

/// Whether there is something to draw on.
fn can_draw(canvas: Option<Res<Canvas>>) -> bool {
    canvas.is_some()
}
