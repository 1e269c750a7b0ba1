//! Touch input: one finger acts as the mouse, two zoom and pan.
//!
//! The first finger on the table is the [`Pointer`] while it is down. Its press acts as
//! [`Control::Pull`](super::actions::Control::Pull), whatever that is bound to. A finger that stays on a disc for half
//! a second holds it, like Shift and the mouse. A second finger cancels the gesture of the first one, and from then on
//! the fingers hold the view until all are lifted. A finger that came down on the panel belongs to the panel, as egui
//! turns it into its own pointer.

use bevy::{
    input::touch::TouchInput,
    prelude::*,
    window::{PrimaryWindow, WindowEvent},
};
use bevy_egui::{EguiContexts, PrimaryEguiContext};

use super::{
    ControlSystems, PointerPlugin,
    fingers::Fingers,
    pointer::{self, Attention, Controls, Pointer, PointingDevice},
};
use crate::view::{Views, ViewsMut};

/// Touch input: pulling, selecting, moving discs after a [`LongPress`](super::LongPress), zooming and panning, as far
/// as [`Controls`] allow. You may add it more than once.
pub struct TouchPlugin;

/// Marks that the plugin was added.
#[derive(Resource)]
struct Added;

impl Plugin for TouchPlugin {
    fn build(&self, app: &mut App) {
        if app.world().contains_resource::<Added>() {
            return;
        }
        app.insert_resource(Added)
            .add_plugins(PointerPlugin)
            .add_message::<TouchInput>()
            .add_systems(
                PreUpdate,
                (
                    look.after(pointer::look).before(pointer::attend),
                    claim_by_attention.run_if(not(any_with_component::<PrimaryEguiContext>)).after(pointer::attend),
                    claim.run_if(any_with_component::<PrimaryEguiContext>).after(pointer::attend),
                )
                    .in_set(ControlSystems::Look),
            )
            .add_systems(PreUpdate, hold_view.in_set(ControlSystems::Keys));
    }

    fn is_unique(&self) -> bool {
        false
    }
}

/// Writes the pointer for the pointing finger, and no pointer after it until the mouse is used.
fn look(
    mut fingers: ResMut<Fingers>,
    (mut messages, mut waiting): (MessageReader<TouchInput>, Local<Vec<TouchInput>>),
    window: Option<Single<Entity, With<PrimaryWindow>>>,
    (mut events, buttons): (MessageReader<WindowEvent>, Res<ButtonInput<MouseButton>>),
    views: Views,
    (mut pointer, mut device): (ResMut<Pointer>, ResMut<PointingDevice>),
) {
    use WindowEvent::{CursorMoved, MouseButtonInput, MouseWheel};
    let primary = window.map(|window| *window);
    waiting.extend(messages.read().filter(|message| primary.is_none_or(|window| message.window == window)));
    let mouse = events.read().filter(|event| matches!(event, CursorMoved(_) | MouseButtonInput(_) | MouseWheel(_)));
    let (has_mouse, has_fingers) = (mouse.count() > 0, !waiting.is_empty());
    let was_mouse = *device == PointingDevice::Mouse;
    if has_fingers {
        device.set_if_neq(PointingDevice::Finger);
    } else if has_mouse && fingers.down.is_empty() {
        device.set_if_neq(PointingDevice::Mouse);
    }
    // Then no finger is down, and none was lifted in the last frame.
    if was_mouse && !has_fingers {
        return;
    }
    fingers.go_on();
    let alone = buttons.get_pressed().next().is_none();
    let taken = waiting.iter().position(|message| !fingers.take(*message, alone)).unwrap_or(waiting.len());
    waiting.drain(..taken);
    if let Some(finger) = fingers.pointing {
        if let Some(pressed) = finger.pressed {
            fingers.camera = views.at(pressed);
        }
        let view = views.get(fingers.camera);
        pointer.set_if_neq(Pointer {
            screen: Some(finger.at),
            world: view.map(|view| view.to_world(finger.at)),
            pressed: finger.pressed,
            released: finger.released,
            camera: fingers.camera,
            window: None,
        });
    } else if *device == PointingDevice::Finger {
        // Some systems move the mouse to the first finger and leave it there.
        let camera = fingers.camera.filter(|_| !fingers.down.is_empty());
        pointer.set_if_neq(Pointer { camera, ..default() });
    }
}

/// Without egui, [`Attention`] decides whom a finger belongs to.
fn claim_by_attention(mut fingers: ResMut<Fingers>, attention: Res<Attention>) {
    if fingers.down.iter().any(|finger| finger.is_new) || fingers.began() {
        fingers.keep(attention.mouse, |_| attention.mouse);
    }
}

fn claim(
    mut fingers: ResMut<Fingers>,
    attention: Res<Attention>,
    mut contexts: EguiContexts,
    (views, pointer): (Views, Res<Pointer>),
) -> Result {
    let ctx = contexts.ctx_mut()?;
    if fingers.down.iter().any(|finger| finger.is_new) || fingers.began() {
        fingers.keep(attention.mouse, |at| pointer::is_tables(ctx, views.of(pointer.camera).area, at));
    }
    Ok(())
}

/// Keeps the points of the view under two fingers. If one is lifted, the other continues to pan.
fn hold_view(fingers: Res<Fingers>, mut views: ViewsMut, (pointer, controls): (Res<Pointer>, Res<Controls>)) {
    let Some((from, to, factor)) = fingers.pinch().filter(|_| controls.camera) else { return };
    let view = views.of_mut(pointer.camera);
    if from != to {
        view.pan(to - from);
    }
    if factor != 1.0 {
        view.zoom_at(to, factor);
    }
}
