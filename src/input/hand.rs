//! The hand on the table, with a mouse or a finger: presses, the objects there, cancelling, and the [`Drag`] of
//! something other than a disc. Gestures and tools read it too.

use bevy::{ecs::system::SystemParam, prelude::*};

use super::{
    actions::{Control, Held, Inputs, PointerButtons},
    fingers::{FINGER_REACH, FINGER_SLACK},
    pick,
    pointer::{Attention, Controls, Pointer},
};
use crate::{
    components::{InPlay, Position, Radius},
    view::{Drawn, ShownTo, View2d, Views, camera::current_view::ShownToItem},
};

/// The reach of a press beyond a rim, and the longest drag that is a click, logical pixels.
pub const SLACK: f32 = 5.0;

/// The pointer with its buttons, and the discs under it.
#[derive(SystemParam)]
pub(crate) struct Hand<'w, 's> {
    pub(crate) pointer: Res<'w, Pointer>,
    pub(crate) attention: Res<'w, Attention>,
    pub(crate) controls: Res<'w, Controls>,
    pub(crate) views: Views<'w, 's>,
    pub(crate) buttons: PointerButtons<'w>,
    discs: Query<'w, 's, (Entity, &'static Position, &'static Radius, Option<&'static Drawn>, ShownTo), InPlay>,
}

/// A disc that is visible to the camera.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VisibleDisc {
    pub(crate) disc: Entity,
    /// Its centre, metres.
    pub(crate) centre: Vec2,
    /// Its centre as it is drawn, metres.
    pub(crate) drawn: Vec2,
    pub(crate) radius: f32,
}

/// The input that cancels something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cancelled {
    /// A mouse button or a second finger, which undoes the last step.
    ByPointer,
    /// A key, which cancels everything.
    ByKey,
}

/// A drag of something other than a disc, from its press to its release. The discs have the
/// [`Gesture`](super::Gesture).
#[derive(Clone, Debug)]
pub(crate) struct Drag<T> {
    /// What is dragged.
    pub(crate) held: T,
    /// The point of the press, metres.
    pub(crate) from: Vec2,
    by: Held,
    /// Whether the pointer has gone farther than a click.
    dragged: bool,
}

/// What happens to a [`Drag`] in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum DragStep {
    /// It is cancelled: whatever it changed goes back.
    Cancelled,
    /// It follows the pointer.
    Follows {
        /// The point of the pointer, metres. `None` outside the window, and while the press may still be a click.
        to: Option<Vec2>,
        /// Whether it was released there.
        released: bool,
    },
}

impl<T> Drag<T> {
    /// Starts a drag with the button or the finger that [`Hand::begun`] returned.
    pub(crate) fn new(held: T, from: Vec2, by: Held) -> Self {
        Self { held, from, by, dragged: false }
    }

    /// What happens in this frame, which may be the frame of the press.
    pub(crate) fn step(&mut self, hand: &Hand, inputs: &mut Inputs) -> DragStep {
        if hand.cancelled(inputs).is_some() {
            return DragStep::Cancelled;
        }
        let to = hand.released_at();
        self.dragged |= to.is_some_and(|to| to.distance(self.from) > hand.slack());
        // This tests "not pressed", so that a release outside the window ends the drag too.
        DragStep::Follows { to: to.filter(|_| self.dragged), released: !hand.buttons.pressed(self.by) }
    }

    /// Whether it is more than a click.
    pub(crate) fn is_dragged(&self) -> bool {
        self.dragged
    }
}

impl Hand<'_, '_> {
    /// The control and the button, among these controls, that started on the table in this frame.
    pub(crate) fn begun(&self, controls: &[Control]) -> Option<(Control, Held)> {
        self.buttons.begun(controls).filter(|_| self.attention.mouse)
    }

    /// The point of the press, or else the current position, logical pixels.
    pub(crate) fn pressed_on_screen(&self) -> Option<Vec2> {
        self.pointer.pressed.or(self.pointer.screen)
    }

    /// The view under the pointer.
    pub(crate) fn view(&self) -> &View2d {
        self.views.of(self.pointer.camera)
    }

    /// Whether a disc or a piece of terrain is visible in that view. Hidden ones cannot be grabbed.
    pub(crate) fn shows(&self, it: &ShownToItem) -> bool {
        self.views.shows(self.pointer.camera, it)
    }

    /// The point of the release, or else the current position, logical pixels.
    pub(crate) fn released_on_screen(&self) -> Option<Vec2> {
        self.pointer.released.or(self.pointer.screen)
    }

    /// The point of the press, or else the current position, metres.
    pub(crate) fn pressed_at(&self) -> Option<Vec2> {
        self.pressed_on_screen().map(|at| self.view().to_world(at))
    }

    /// The point of the release, or else the current position, metres.
    pub(crate) fn released_at(&self) -> Option<Vec2> {
        self.released_on_screen().map(|at| self.view().to_world(at))
    }

    /// The reach of a press, metres: this many logical pixels with the mouse, and half of what a finger covers with a
    /// finger.
    pub(crate) fn reach(&self, pixels: f32) -> f32 {
        self.view().px(if self.buttons.is_finger() { FINGER_REACH } else { pixels })
    }

    /// The drag beyond which a press is more than a click, metres.
    pub(crate) fn slack(&self) -> f32 {
        self.view().px(if self.buttons.is_finger() { FINGER_SLACK } else { SLACK })
    }

    /// Whether something is cancelled in this frame, and how. It hides the input from later systems.
    pub(crate) fn cancelled(&self, inputs: &mut Inputs) -> Option<Cancelled> {
        let by_pointer = self.buttons.finger_gives_up() || self.buttons.begun(&[Control::Cancel]).is_some();
        let is_cancelled = inputs.take(Control::Cancel) || self.buttons.finger_gives_up();
        is_cancelled.then_some(if by_pointer { Cancelled::ByPointer } else { Cancelled::ByKey })
    }

    /// The discs that are visible to the camera.
    pub(crate) fn seen_discs(&self) -> impl Iterator<Item = VisibleDisc> {
        self.discs.iter().filter(|(.., shown)| self.shows(shown)).map(|(disc, position, radius, drawn, _)| {
            VisibleDisc { disc, centre: position.0, drawn: Drawn::or(drawn, position), radius: radius.0 }
        })
    }

    /// The disc drawn at a point, or within `slack` of it; all in metres.
    pub(crate) fn disc_at(&self, point: Vec2, slack: f32) -> Option<VisibleDisc> {
        self.pick(point, slack, |seen| seen.drawn)
    }

    /// The disc whose actual position covers a point, metres.
    pub(crate) fn lying_at(&self, point: Vec2) -> Option<VisibleDisc> {
        self.pick(point, 0.0, |seen| seen.centre)
    }

    fn pick(&self, point: Vec2, slack: f32, place: impl Fn(&VisibleDisc) -> Vec2) -> Option<VisibleDisc> {
        let places = self.seen_discs().map(|seen| (seen.disc, place(&seen), seen.radius));
        let disc = pick::disc_at(point, slack, places)?;
        self.seen_discs().find(|seen| seen.disc == disc)
    }

    /// The drawn position of a disc, metres, or `None` if it is not in play.
    pub(crate) fn drawn_at(&self, disc: Entity) -> Option<Vec2> {
        let (_, position, _, drawn, _) = self.discs.get(disc).ok()?;
        Some(Drawn::or(drawn, position))
    }
}
