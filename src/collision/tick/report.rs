//! The record of what happened in a tick.

use bevy::math::DVec2;
use std::time::Duration;

use super::Stage;
use crate::collision::{
    hit::{Hit, PottedDisc},
    path::{PathVertex, table_events::TableEvent, trajectory::Trajectory},
    settings::CollisionSettings,
    spin::Cloth,
};

/// What happened in the current tick, and what is counted since the scene began.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The hits of the current tick that were no slower than `report_above`, in order.
    pub hits: Vec<Hit>,
    /// The discs that fell into pockets in the current tick, in order. Their places in the arrays are NaN from then on.
    pub potted: Vec<PottedDisc>,
    /// Whether [`Report::events`] are recorded. Default: no.
    pub record_events: bool,
    /// What happened to discs on a table in the current tick, by time; only in the continuous mode, and where
    /// [`Report::record_events`] asks for it.
    pub events: Vec<TableEvent>,
    /// Where paths turned in the current tick, by time; in the stepped mode only where discs crossed periodic edges.
    pub path_vertices: Vec<PathVertex>,
    /// How many hits there were since the scene began. What is slower than the resting speed, or no more than a
    /// rounding, is none.
    pub collisions: u64,
    /// How often discs were stopped for the rest of a tick or substep since the scene began, because their impacts
    /// would not end: brought to rest, where impacts take energy, else waiting with the velocity that they have.
    pub stopped: u64,
    /// Whether a disc moved at the end of the last tick.
    pub(crate) are_moving: bool,
    /// How long each [`Stage`] of the last tick took, by `Stage as usize`, summed over its substeps.
    pub stage_times: [Duration; Stage::ALL.len()],
}

impl Report {
    /// Forgets what happened in the last tick; what is counted stays.
    pub(crate) fn begin_tick(&mut self) {
        self.hits.clear();
        self.path_vertices.clear();
        self.potted.clear();
        self.events.clear();
    }

    /// Counts a hit, and keeps it for the messages if it is fast enough for them. A resting contact is no hit.
    pub(crate) fn record(&mut self, hit: Hit, settings: &CollisionSettings) {
        if hit.approach_speed < settings.resting_speed {
            return;
        }
        self.collisions += 1;
        if hit.approach_speed >= settings.report_above {
            self.hits.push(hit);
        }
    }

    /// Adds what becomes of the motion of a disc after one time and until another, at its places on a straight path.
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
            self.events.push(TableEvent { time, disc, kind, position, before: motion, after: motion });
        });
    }

    /// Puts the table's events of a tick in order.
    pub(crate) fn sort_events(&mut self) {
        // Stable: what happens at the same time stays in the order in which it was resolved.
        self.events.sort_by(|a, b| a.time.total_cmp(&b.time));
    }
}
