//! The record of the events of a tick.

use bevy::math::DVec2;
use std::time::Duration;

use super::{Clock, Stage};
use crate::collision::{
    hit::{FallenDisc, Hit, LandedBall},
    path::{PathVertex, table_events::TableEvent, trajectory::Trajectory},
    settings::CollisionSettings,
    spin::Cloth,
};

/// The events of the current tick, and counts since the scene started.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The hits of the current tick at or above `report_above`, in order.
    pub hits: Vec<Hit>,
    /// The discs that fell into pockets or off the table in the current tick, in order. From then on their positions in
    /// the arrays are NaN.
    pub fallen: Vec<FallenDisc>,
    /// The balls that landed on the cloth in the current tick, in order; only in the continuous mode.
    pub landed: Vec<LandedBall>,
    /// Whether to record [`Report::events`]. Default: no.
    pub record_events: bool,
    /// The events of discs on a table in the current tick, by time. They are recorded only in the continuous mode, and
    /// if [`Report::record_events`] is set.
    pub events: Vec<TableEvent>,
    /// The points at which paths turned in the current tick, by time; in the stepped mode only at periodic edges.
    pub path_vertices: Vec<PathVertex>,
    /// The number of hits since the scene started. Hits below the resting speed or within rounding do not count.
    pub collisions: u64,
    /// How often discs were stopped for the rest of a tick or substep since the scene started, because their impacts
    /// would not end. If impacts lose energy, the disc comes to rest; otherwise it waits with its velocity.
    pub stopped: u64,
    /// Whether anything dynamic moved at the end of the last tick.
    pub(crate) are_moving: bool,
    /// The duration of each [`Stage`] of the last tick, by `Stage as usize`, summed over its substeps.
    pub stage_times: [Duration; Stage::ALL.len()],
}

/// What a tick leaves in [`PhysicsSpace`](crate::collision::PhysicsSpace) for the next one, besides the components.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Moment {
    /// See [`Clock::tick`].
    pub tick: u64,
    /// See [`Report::collisions`].
    pub collisions: u64,
    /// See [`Clock::seconds`].
    pub seconds: f64,
    stopped: u64,
    are_moving: bool,
}

impl Moment {
    pub fn of(clock: &Clock, report: &Report) -> Self {
        let Report { collisions, stopped, are_moving, .. } = *report;
        Self { tick: clock.tick, seconds: clock.seconds, collisions, stopped, are_moving }
    }

    pub fn restore(self, clock: &mut Clock, report: &mut Report) {
        (clock.tick, clock.seconds) = (self.tick, self.seconds);
        report.begin_tick();
        (report.collisions, report.stopped, report.are_moving) = (self.collisions, self.stopped, self.are_moving);
    }
}

impl Report {
    /// Clears the events of the last tick and keeps the counts.
    pub(crate) fn begin_tick(&mut self) {
        self.hits.clear();
        self.path_vertices.clear();
        self.fallen.clear();
        self.landed.clear();
        self.events.clear();
    }

    /// Counts a hit, and keeps it for the messages if it is fast enough. A resting contact does not count.
    pub(crate) fn record(&mut self, hit: Hit, settings: &CollisionSettings) {
        if hit.approach_speed < settings.resting_speed {
            return;
        }
        self.collisions += 1;
        if hit.approach_speed >= settings.report_above {
            self.hits.push(hit);
        }
    }

    /// Adds the changes in the motion of a disc between two times, at its positions on a straight path.
    pub(crate) fn record_way(
        &mut self,
        disc: u32,
        trajectory: &Trajectory,
        cloth: &Cloth,
        between: [f64; 2],
        place_at: impl Fn(f64) -> DVec2,
    ) {
        trajectory.for_each_change(cloth, between, |time, kind, motion| {
            let position = place_at(time);
            self.events.push(TableEvent {
                time,
                disc,
                kind,
                position,
                height: trajectory.level,
                before: motion,
                after: motion,
            });
        });
    }

    /// Sorts the table events of a tick.
    pub(crate) fn sort_events(&mut self) {
        // A stable sort: simultaneous events stay in the order in which they were resolved.
        self.events.sort_by(|a, b| a.time.total_cmp(&b.time));
    }
}
