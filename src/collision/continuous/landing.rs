//! Balls that land on the cloth, and balls that a hit lifts off it or pushes into the slate. Discs and terrain act as
//! columns of infinite height: a ball hits them at any height.

use super::tick_state::TickState;
use crate::collision::{
    path::{table_events::TableEventKind, trajectory::Trajectory},
    shape::time_of_impact::NEVER,
    spin::{Motion, Shape, TablePhysics, slate},
};

impl TickState<'_> {
    /// Whether a disc is a ball above the cloth, or about to leave it.
    #[inline(always)]
    pub(super) fn flies(&self, i: usize) -> bool {
        self.trajectories.get(i).is_some_and(Trajectory::flies)
    }

    /// When a disc lands on the cloth, seconds from the start of the tick; never if it does not fly.
    pub(super) fn landing_time(&self, i: usize) -> f64 {
        let Some(table) = &self.laws.table else { return NEVER };
        self.trajectories.get(i).map_or(NEVER, |trajectory| trajectory.lands_at(&table.cloth))
    }

    /// Resolves the landing of a ball that has been moved to its place. Over a pocket it falls.
    pub(super) fn land(&mut self, i: usize, time: f64) {
        if let Some(pocket) = self.pocket_below(i) {
            self.fall(i, pocket, time);
            return;
        }
        let Some(table) = self.laws.table.as_ref() else { return };
        let trajectory = &mut self.trajectories[i];
        let (before, _) = trajectory.at(&table.cloth, time);
        trajectory.touch_down(before, time);
        let body = trajectory.body(self.particles[i].mass);
        let landing =
            table.flight.zip(body).and_then(|(flight, body)| slate::land(&flight, &table.cloth, &body, &before));
        let after = landing.map_or_else(|| before.on_the_cloth(), |landing| landing.after);
        self.record_event(i, TableEventKind::Lands, [before, after], time);
        self.set_out(table, i, after, time);
        self.record_vertex(i as u32, time);
    }

    /// The motion of a ball after a hit: on the cloth, the slate pushes back what the hit pushes into it.
    pub(super) fn held_by_the_slate(&mut self, table: &TablePhysics, i: usize, motion: Motion, time: f64) -> Motion {
        let trajectory = &self.trajectories[i];
        let (Some(flight), Some(body)) = (&table.flight, trajectory.body(self.particles[i].mass)) else {
            return motion;
        };
        if motion.vertical == 0.0 || trajectory.flies() || body.shape != Shape::Ball || self.is_immovable(i) {
            return motion;
        }
        let after = slate::held(flight, &table.cloth, &body, &motion);
        if flight.takes_off(-motion.vertical) {
            self.record_event(i, TableEventKind::Lands, [motion, after], time);
        }
        after
    }
}
