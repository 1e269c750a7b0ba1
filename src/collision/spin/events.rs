//! What happens on a table, in order and with the motions before and after: for rules, for comparing with other programs, for whoever
//! studies a shot. Recorded only where [`Space::record_events`] asks for it, and in the continuous mode.

use bevy::{math::DVec2, prelude::*};

use super::{BallState, Cloth, Motion, Shape, cloth::sliding_time, trajectory::Trajectory};
use crate::collision::{Collider, Space};

/// Something that happened to a disc that spins, or to one that such a disc met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableEvent {
    /// When, seconds since the tick began.
    pub time: f64,
    /// The disc, as an index into [`Discs`](crate::collision::Discs). A hit of two discs is two events, the lower index first.
    pub disc: u32,
    /// What.
    pub kind: TableEventKind,
    /// Where its centre was, metres.
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
    Hit(Collider<u32>),
    /// It fell into a pocket.
    Potted(Entity),
    /// It slid, and rolls now.
    Rolls,
    /// It stands still now.
    Rests,
}

impl Trajectory {
    /// Visits what happens on the way until a time, with nobody else taking part.
    fn for_each_event(&self, disc: u32, cloth: &Cloth, until: f64, mut visit: impl FnMut(TableEvent)) {
        let Some(shape) = self.shape else { return };
        let mut at = |time: f64, kind: TableEventKind| {
            let (motion, way) = self.at(cloth, time);
            visit(TableEvent { time, disc, kind, position: self.place + way, before: motion, after: motion });
        };
        let slides = match shape {
            Shape::Ball => sliding_time(&self.motion, self.radius, cloth),
            Shape::Flat => 0.0,
        };
        let begins = BallState::of(&self.motion, self.radius);
        if begins == BallState::Sliding && shape == Shape::Ball && self.began + slides <= until {
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

/// Adds what happens to a disc on its way until a time.
pub(in crate::collision) fn record_way(
    events: &mut Vec<TableEvent>,
    disc: u32,
    trajectory: &Trajectory,
    cloth: &Cloth,
    until: f64,
) {
    trajectory.for_each_event(disc, cloth, until, |event| events.push(event));
}

impl Space {
    /// After the discs have moved: adds what happens on the last part of their ways, and puts all events in order.
    pub(in crate::collision) fn finish_events(&mut self, time: f64) {
        let Self { events, record_events: true, trajectories, table: Some(table), .. } = self else { return };
        for (disc, trajectory) in trajectories.iter().enumerate() {
            record_way(events, disc as u32, trajectory, &table.cloth, time);
        }
        // Stable: what happens at the same time stays in the order in which it was resolved.
        events.sort_by(|a, b| a.time.total_cmp(&b.time));
    }
}
