//! The events on a table, in order and with the motions before and after: for rules, for comparison with other
//! programs, and for analysing a shot. They are recorded only in the continuous mode, and if
//! [`Report::record_events`](crate::collision::Report::record_events) is set.

use bevy::{math::DVec2, prelude::*};

use super::trajectory::Trajectory;
use crate::collision::{
    hit::HitTarget,
    spin::{BallState, Cloth, Motion, Shape, cloth::sliding_time},
};

/// Hits with a slower approach, m/s, are not recorded: a wedged ball has a hundred thousand of them.
pub const FAINTEST: f64 = 1e-9;

/// An event of a spinning disc, or of a disc that such a disc hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableEvent {
    /// The time, seconds since the start of the tick.
    pub time: f64,
    /// The disc, as an index into [`Discs`](crate::collision::Discs). A hit of two discs is two events, the lower index
    /// first.
    pub disc: u32,
    /// The kind of event.
    pub kind: TableEventKind,
    /// The position of its centre, metres, on its straight path within the tick (see [`spin`](crate::collision::spin)).
    pub position: DVec2,
    /// The height of its lowest point above the cloth, metres.
    pub height: f64,
    /// Its motion before the event.
    pub before: Motion,
    /// Its motion after the event.
    pub after: Motion,
}

/// The kind of a [`TableEvent`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableEventKind {
    /// It hit something.
    Hit(HitTarget<u32>),
    /// It fell into a pocket.
    Potted(Entity),
    /// It changed from sliding to rolling.
    Rolls,
    /// It stopped.
    Rests,
    /// It landed on the cloth, or a hit pushed it into the slate.
    Lands,
    /// It left the table over a rail, or came to rest on one.
    LeavesTable,
    /// The solver stopped it against what it touches, as its impacts within the tick would not end: see
    /// [`Report::stopped`](crate::collision::Report::stopped).
    Stopped,
}

impl Trajectory {
    /// Visits the changes of its motion between two times, without contact with anything else.
    pub(crate) fn for_each_change(
        &self,
        cloth: &Cloth,
        [after, until]: [f64; 2],
        mut visit: impl FnMut(f64, TableEventKind, Motion),
    ) {
        let Some(shape) = self.shape.filter(|_| !self.is_kept && !self.flies()) else { return };
        let mut at = |time: f64, kind: TableEventKind| {
            if time > after && time <= until {
                visit(time, kind, self.at(cloth, time).0);
            }
        };
        let slides = match shape {
            Shape::Ball => sliding_time(&self.motion, self.radius, cloth),
            Shape::Flat => 0.0,
        };
        let begins = BallState::of(&self.motion, self.radius);
        if begins == BallState::Sliding && shape == Shape::Ball {
            at(self.began + slides, TableEventKind::Rolls);
        }
        if self.motion.is_rest() || !self.at(cloth, until).0.is_rest() {
            return;
        }
        // It is at rest by then; this finds the first such time.
        let (mut moves, mut rests) = (self.began, until);
        for _ in 0..60 {
            let middle = 0.5 * (moves + rests);
            if self.at(cloth, middle).0.is_rest() { rests = middle } else { moves = middle }
        }
        at(rests, TableEventKind::Rests);
    }
}
