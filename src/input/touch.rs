//! Fingers on a touch screen: one does what the mouse does, two zoom and move the view.
//!
//! The first finger on the table is the [`Pointer`] for as long as it is there, and its press is that of
//! [`Control::Pull`](super::actions::Control::Pull) wherever that is bound; one that stays on a disc for half a second
//! holds it, as Shift and the mouse do. A second one gives up what the first has begun, and from then on the fingers
//! hold the picture, until all are lifted. A finger that came down on the panel is the panel's, as egui makes a pointer
//! of its own of it.

use bevy::{
    input::touch::{TouchInput, TouchPhase},
    prelude::*,
    window::{PrimaryWindow, WindowEvent},
};
use bevy_egui::{EguiContexts, PrimaryEguiContext};

use super::{
    ControlSystems, PointerPlugin,
    pointer::{self, Attention, Controls, PointedView, PointedViewMut, Pointer, PointingDevice},
};
use crate::view::Views;

/// Fingers pull, choose, move discs after a [`LongPress`](super::LongPress), zoom and push the view about, as far as
/// [`Controls`] allow it. To add it twice is no mistake.
pub struct TouchPlugin;

/// It was added.
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
            .add_systems(PreUpdate, hold_picture.in_set(ControlSystems::Keys));
    }

    fn is_unique(&self) -> bool {
        false
    }
}

/// A press within this many logical pixels takes hold: half of what a finger covers.
pub const FINGER_REACH: f32 = 20.0;

/// A finger that moves no farther than this many logical pixels taps.
pub const FINGER_SLACK: f32 = 10.0;

/// The fingers on the table.
#[derive(Resource, Clone, Debug, Default)]
pub(super) struct Fingers {
    /// As they came down.
    down: Vec<Finger>,
    pointing: Option<Pointing>,
    /// In whose picture the first came down.
    camera: Option<Entity>,
    given_up: bool,
}

#[derive(Clone, Copy, Debug)]
struct Finger {
    id: u64,
    /// Where it was in the last frame, logical pixels.
    last: Vec2,
    /// Where it is.
    at: Vec2,
    /// Whether it came in this frame, and nobody knows yet whether it is the table's.
    is_new: bool,
}

/// The finger that is the pointer.
#[derive(Clone, Copy, Debug)]
struct Pointing {
    id: u64,
    at: Vec2,
    /// Where it came down in this frame, and where it was lifted.
    pressed: Option<Vec2>,
    released: Option<Vec2>,
}

impl Fingers {
    /// Whether one of them is the pointer.
    pub(super) fn point(&self) -> bool {
        self.pointing.is_some()
    }

    /// Whether that came down in this frame.
    pub(super) fn began(&self) -> bool {
        self.pointing.is_some_and(|finger| finger.pressed.is_some())
    }

    /// Whether it is down at the end of this frame.
    pub(super) fn pressed(&self) -> bool {
        self.pointing.is_some_and(|finger| finger.released.is_none())
    }

    /// Whether what it has begun is given up in this frame.
    pub(super) fn given_up(&self) -> bool {
        self.given_up
    }

    /// Forgets what was true of the last frame only.
    fn go_on(&mut self) {
        self.given_up = false;
        self.pointing = self.pointing.filter(|finger| finger.released.is_none());
        if let Some(finger) = &mut self.pointing {
            finger.pressed = None;
        }
        for finger in &mut self.down {
            finger.last = finger.at;
        }
    }

    /// Takes in what a finger does, unless that has to wait for the next frame: in one there is one press. `alone`: no
    /// button of the mouse is held.
    fn take(&mut self, TouchInput { phase, position: at, id, .. }: TouchInput, alone: bool) -> bool {
        match phase {
            TouchPhase::Started => {
                if self.pointing.is_some_and(|finger| finger.released.is_some()) {
                    return false;
                }
                // One whose end was never heard of.
                self.down.retain(|finger| finger.id != id);
                if self.down.is_empty() && alone {
                    self.pointing = Some(Pointing { id, at, pressed: Some(at), released: None });
                }
                if self.point() || !self.down.is_empty() {
                    self.down.push(Finger { id, last: at, at, is_new: true });
                }
            }
            TouchPhase::Moved => {
                for finger in self.down.iter_mut().filter(|finger| finger.id == id) {
                    finger.at = at;
                }
                if let Some(finger) = self.pointing.as_mut().filter(|finger| finger.id == id) {
                    finger.at = at;
                }
            }
            TouchPhase::Ended | TouchPhase::Canceled => {
                self.down.retain(|finger| finger.id != id);
                if let Some(finger) = self.pointing.as_mut().filter(|finger| finger.id == id) {
                    (finger.at, finger.released) = (at, Some(at));
                    if phase == TouchPhase::Canceled {
                        (self.pointing, self.given_up) = (None, true);
                    }
                }
            }
        }
        true
    }

    /// Keeps of those that are new what is the table's, and of one that points and another the picture between them.
    fn keep(&mut self, first_is_tables: bool, mut is_tables: impl FnMut(Vec2) -> bool) {
        if self.began() && !first_is_tables {
            let first = self.pointing.take().map(|finger| finger.id);
            self.down.retain(|finger| Some(finger.id) != first);
        }
        let first = self.pointing.map(|finger| finger.id);
        self.down.retain(|finger| !finger.is_new || Some(finger.id) == first || is_tables(finger.last));
        for finger in &mut self.down {
            finger.is_new = false;
        }
        if self.point() && self.down.len() > 1 {
            (self.pointing, self.given_up) = (None, true);
        }
    }

    /// How the fingers move the picture that they hold in this frame: from one point of the window to another, logical
    /// pixels, and the factor by which they come apart.
    fn pinch(&self) -> Option<(Vec2, Vec2, f32)> {
        /// Fingers are never so close to each other, logical pixels.
        const LEAST: f32 = 10.0;
        match self.down[..] {
            [one] if !self.point() => Some((one.last, one.at, 1.0)),
            [a, b, ..] => {
                let [before, now] = [a.last.distance(b.last), a.at.distance(b.at)].map(|apart| apart.max(LEAST));
                Some((a.last.midpoint(b.last), a.at.midpoint(b.at), now / before))
            }
            _ => None,
        }
    }
}

/// Writes the pointer for the finger that points, and none after it until the mouse is used.
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
        let view = fingers.camera.and_then(|camera| views.get(camera));
        let view = view.or(views.main().map(|(_, main)| main));
        pointer.set_if_neq(Pointer {
            screen: Some(finger.at),
            world: view.map(|view| view.to_world(finger.at)),
            pressed: finger.pressed,
            released: finger.released,
            camera: fingers.camera,
            window: None,
        });
    } else if *device == PointingDevice::Finger {
        // Some systems send the mouse after the first finger, and leave it there.
        let camera = fingers.camera.filter(|_| !fingers.down.is_empty());
        pointer.set_if_neq(Pointer { camera, ..default() });
    }
}

/// Where there is no egui, [`Attention`] says whose a finger is.
fn claim_by_attention(mut fingers: ResMut<Fingers>, attention: Res<Attention>) {
    if fingers.down.iter().any(|finger| finger.is_new) || fingers.began() {
        fingers.keep(attention.mouse, |_| attention.mouse);
    }
}

fn claim(
    mut fingers: ResMut<Fingers>,
    attention: Res<Attention>,
    mut contexts: EguiContexts,
    view: PointedView,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    if fingers.down.iter().any(|finger| finger.is_new) || fingers.began() {
        fingers.keep(attention.mouse, |at| pointer::is_tables(ctx, view.area, at));
    }
    Ok(())
}

/// Keeps what two fingers hold of the picture under them; one that is left of them goes on pushing it.
fn hold_picture(fingers: Res<Fingers>, mut view: PointedViewMut, controls: Res<Controls>) {
    let Some((from, to, factor)) = fingers.pinch().filter(|_| controls.camera) else { return };
    if from != to {
        view.pan(to - from);
    }
    if factor != 1.0 {
        view.zoom_at(to, factor);
    }
}
