//! Pockets: when a disc on its straight path enters one, and what happens then. They act on every disc, whether it
//! spins or not.

use bevy::{math::DVec2, prelude::Entity};

use super::{particles::Partner, tick_state::TickState};
use crate::{
    collision::{
        hit::FallenDisc,
        path::table_events::TableEventKind,
        shape::{
            Bounds,
            time_of_impact::{NEVER, entry_time},
        },
        spin::Motion,
    },
    components::LIMIT,
};

impl TickState<'_> {
    /// When a disc on its straight path enters a pocket, seconds from its start: now if it is inside, never if its path
    /// passes by. A ball in the air passes over pockets until it lands.
    pub(super) fn pocket_time(&self, i: usize, pocket: u32) -> f64 {
        if self.is_above(i) {
            return NEVER;
        }
        let pocket = &self.pockets.circles()[pocket as usize];
        let particle = &self.particles[i];
        entry_time(particle.position - pocket.centre.as_dvec2(), particle.velocity, f64::from(pocket.radius))
    }

    /// Whether the centre of a disc, at the start of its path, is inside a pocket.
    pub(super) fn lies_in_pocket(&self, i: usize) -> bool {
        self.pockets.hold(self.particles[i].position.as_vec2())
    }

    /// The pocket that a disc at its current position would fall into.
    pub(super) fn pocket_below(&self, i: usize) -> Option<u32> {
        self.pockets.at(self.particles[i].position.as_vec2())
    }

    /// Calls `visit` with the pockets that overlap a box.
    #[inline(always)]
    pub(super) fn for_each_pocket(&self, bounds: Bounds, mut visit: impl FnMut(Partner)) {
        self.pockets.for_each_meeting(bounds, |at, _| visit(Partner::of_pocket(at)));
    }

    /// Drops a disc into a pocket, which takes it out of play.
    pub(super) fn fall(&mut self, i: usize, pocket: u32, time: f64) {
        let entity = self.pockets.circles()[pocket as usize].entity;
        self.take_out(i, Some(entity), TableEventKind::Potted(entity), time);
    }

    /// Takes a disc out of play at its current position: into a pocket, or off the table.
    pub(super) fn take_out(&mut self, i: usize, pocket: Option<Entity>, kind: TableEventKind, time: f64) {
        let on_path = Motion { velocity: self.particles[i].velocity, ..Motion::default() };
        let motion = self.motion_on_table(i, time).unwrap_or(on_path);
        self.record_event(i, kind, [motion, Motion::default()], time);
        self.report.fallen.push(FallenDisc {
            disc: i as u32,
            pocket,
            position: self.particles[i].position.as_vec2(),
            velocity: motion.velocity.as_vec2(),
            time: time as f32,
        });
        self.record_vertex(i as u32, time);
        let particle = &mut self.particles[i];
        particle.position = DVec2::splat(f64::from(LIMIT));
        particle.velocity = DVec2::ZERO;
        particle.radius = f64::from(1.0 / LIMIT);
        if let Some(trajectory) = self.trajectories.get_mut(i) {
            trajectory.touch_down(Motion::default(), time, 0.0);
            trajectory.end = Motion::default();
        }
    }
}
