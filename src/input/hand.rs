//! The hand on the table, be it the mouse or a finger: where it presses, what lies there, and when it gives up. Every
//! drag reads it: gestures, tools, handles, tiles.

use bevy::{ecs::system::SystemParam, prelude::*};

use super::{
    actions::{Control, Held, Inputs, PointerButtons},
    fingers::{FINGER_REACH, FINGER_SLACK},
    pick,
    pointer::{Attention, Controls, PointedView, Pointer},
};
use crate::{
    components::{InPlay, Position, Radius},
    view::{Drawn, ShownTo},
};

/// A press within this many logical pixels of a rim still takes hold, and a drag no longer than this is a click.
pub const SLACK: f32 = 5.0;

/// The pointer with its buttons, and the discs that it may meet.
#[derive(SystemParam)]
pub(crate) struct Hand<'w, 's> {
    pub(crate) pointer: Res<'w, Pointer>,
    pub(crate) attention: Res<'w, Attention>,
    pub(crate) controls: Res<'w, Controls>,
    pub(crate) view: PointedView<'w, 's>,
    pub(crate) buttons: PointerButtons<'w>,
    discs: Query<'w, 's, (Entity, &'static Position, &'static Radius, Option<&'static Drawn>, ShownTo), InPlay>,
}

/// A disc that the camera shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeenDisc {
    pub(crate) disc: Entity,
    /// Its centre, metres.
    pub(crate) centre: Vec2,
    /// Its centre as it is drawn, metres.
    pub(crate) drawn: Vec2,
    pub(crate) radius: f32,
}

/// By what something is cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cancelled {
    /// A button of the mouse, or a second finger: the last step is taken back.
    ByPointer,
    /// A key: it is given up.
    ByKey,
}

impl Hand<'_, '_> {
    /// Which of these controls a button begins that went down on the table in this frame, and the button.
    pub(crate) fn begun(&self, controls: &[Control]) -> Option<(Control, Held)> {
        self.buttons.begun(controls).filter(|_| self.attention.mouse)
    }

    /// Where the button went down, or is; logical pixels.
    pub(crate) fn pressed_on_screen(&self) -> Option<Vec2> {
        self.pointer.pressed.or(self.pointer.screen)
    }

    /// Where it went up, or is; logical pixels.
    pub(crate) fn released_on_screen(&self) -> Option<Vec2> {
        self.pointer.released.or(self.pointer.screen)
    }

    /// Where the button went down, or is; metres.
    pub(crate) fn pressed_at(&self) -> Option<Vec2> {
        self.pressed_on_screen().map(|at| self.view.to_world(at))
    }

    /// Where it went up, or is; metres.
    pub(crate) fn released_at(&self) -> Option<Vec2> {
        self.released_on_screen().map(|at| self.view.to_world(at))
    }

    /// How near a press must be to what it takes, metres: so many logical pixels with the mouse, half of what a finger
    /// covers with a finger.
    pub(crate) fn reach(&self, pixels: f32) -> f32 {
        self.view.px(if self.buttons.is_finger() { FINGER_REACH } else { pixels })
    }

    /// How far a press must be dragged to be more than a click, metres.
    pub(crate) fn slack(&self) -> f32 {
        self.view.px(if self.buttons.is_finger() { FINGER_SLACK } else { SLACK })
    }

    /// Whether something is cancelled in this frame, and by what. Nobody after this one hears of it.
    pub(crate) fn cancelled(&self, inputs: &mut Inputs) -> Option<Cancelled> {
        let by_pointer = self.buttons.finger_gives_up() || self.buttons.begun(&[Control::Cancel]).is_some();
        let is_cancelled = inputs.take(Control::Cancel) || self.buttons.finger_gives_up();
        is_cancelled.then_some(if by_pointer { Cancelled::ByPointer } else { Cancelled::ByKey })
    }

    /// The discs that the camera shows.
    pub(crate) fn seen_discs(&self) -> impl Iterator<Item = SeenDisc> {
        self.discs.iter().filter(|(.., shown)| self.view.shows(shown)).map(|(disc, position, radius, drawn, _)| {
            SeenDisc { disc, centre: position.0, drawn: Drawn::or(drawn, position), radius: radius.0 }
        })
    }

    /// The disc that is drawn at a point, or within `slack` of it; all in metres.
    pub(crate) fn disc_at(&self, point: Vec2, slack: f32) -> Option<SeenDisc> {
        self.pick(point, slack, |seen| seen.drawn)
    }

    /// The disc that lies at a point, metres, wherever it is drawn.
    pub(crate) fn lying_at(&self, point: Vec2) -> Option<SeenDisc> {
        self.pick(point, 0.0, |seen| seen.centre)
    }

    fn pick(&self, point: Vec2, slack: f32, place: impl Fn(&SeenDisc) -> Vec2) -> Option<SeenDisc> {
        let places = self.seen_discs().map(|seen| (seen.disc, place(&seen), seen.radius));
        let disc = pick::disc_at(point, slack, places)?;
        self.seen_discs().find(|seen| seen.disc == disc)
    }

    /// Where a disc is drawn, metres; none if it is not in play.
    pub(crate) fn drawn_at(&self, disc: Entity) -> Option<Vec2> {
        let (_, position, _, drawn, _) = self.discs.get(disc).ok()?;
        Some(Drawn::or(drawn, position))
    }
}
