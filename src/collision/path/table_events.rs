//! What happens on a table, in order and with the motions before and after: for rules, for comparing with other
//! programs, for whoever studies a shot. Recorded only where
//! [`Report::record_events`](crate::collision::Report::record_events) asks for it, and in the continuous mode.

use bevy::{math::DVec2, prelude::*};

use super::trajectory::Trajectory;
use crate::collision::{
    hit::HitTarget,
    spin::{BallState, Cloth, Motion, Shape, cloth::sliding_time},
};

/// Hits with a slower approach, m/s, are no events: a ball that wedges has a hundred thousand of them.
pub const FAINTEST: f64 = 1e-9;

/// Something that happened to a disc that spins, or to one that such a disc met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableEvent {
    /// When, seconds since the tick began.
    pub time: f64,
    /// The disc, as an index into [`Discs`](crate::collision::Discs). A hit of two discs is two events, the lower index
    /// first.
    pub disc: u32,
    /// What.
    pub kind: TableEventKind,
    /// Where its centre was, metres: on the straight path that it takes within the tick (see
    /// [`spin`](crate::collision::spin)).
    pub position: DVec2,
    /// Its motion before.
    pub before: Motion,
    /// Its motion after.
    pub after: Motion,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableEventKind {
    /// It hit something.
    Hit(HitTarget<u32>),
    /// It fell into a pocket.
    Potted(Entity),
    /// It slid, and rolls now.
    Rolls,
    /// It stands still now.
    Rests,
    /// The solver stopped it against what it touches, since its impacts within the tick would not end: see
    /// [`Report::stopped`](crate::collision::Report::stopped).
    Stopped,
}

impl Trajectory {
    /// Visits what becomes of its motion after one time and until another, with nobody else taking part.
    pub(crate) fn for_each_change(
        &self,
        cloth: &Cloth,
        [after, until]: [f64; 2],
        mut visit: impl FnMut(f64, TableEventKind, Motion),
    ) {
        let Some(shape) = self.shape.filter(|_| !self.is_kept) else { return };
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
        if self.motion == Motion::default() || self.at(cloth, until).0 != Motion::default() {
            return;
        }
        // It stands still by then: when it first did, between two times.
        let (mut moves, mut rests) = (self.began, until);
        for _ in 0..60 {
            let middle = 0.5 * (moves + rests);
            if self.at(cloth, middle).0 == Motion::default() { rests = middle } else { moves = middle }
        }
        at(rests, TableEventKind::Rests);
    }
}
