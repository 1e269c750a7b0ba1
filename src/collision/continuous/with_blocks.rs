//! Hits of discs and blocks, which have a mass and go another way afterwards; and what blocks do among themselves.

use bevy::math::DVec2;

use super::tick_state::TickState;
use crate::collision::{
    hit::Surface,
    moving::{BlockImpact, DiscOnBlock, HittingDisc, Surroundings},
    path::table_events::{FAINTEST, TableEventKind},
    spin::Motion,
};

impl TickState<'_> {
    fn around_blocks(&self) -> Surroundings<'_> {
        let terrain = self.terrain_view();
        let fall = self.gravity.length_squared().sqrt() * self.end;
        Surroundings::new(terrain, &self.terrain.filter, self.settings, fall)
    }

    /// The earliest impact of a block that is not with a disc.
    pub(super) fn next_block_impact(&mut self) -> Option<BlockImpact> {
        let mut moving = std::mem::take(self.moving);
        let next = moving.next_block_impact(&self.around_blocks());
        *self.moving = moving;
        next
    }

    pub(super) fn resolve_block_impact(&mut self, impact: BlockImpact) {
        let mut moving = std::mem::take(self.moving);
        moving.resolve_block_impact(impact, &self.around_blocks());
        *self.moving = moving;
    }

    /// The impulse between a disc and a block where they are, with this restitution or their own; the speed of
    /// approach, m/s, zero if they recede.
    pub(super) fn resolve_block(&mut self, i: usize, block: u32, surface: &Surface, e: Option<f32>) -> f64 {
        let particle = self.particles[i];
        let before = self.motion_on_table(i, particle.time).filter(|_| e.is_none());
        let velocity = before.map_or(particle.velocity, |before| before.velocity);
        let cushion = self.table.filter(|_| before.is_some());
        let answer = self.answer_at(i, surface, self.velocity_at(i, particle.time), cushion);
        let mut moving = std::mem::take(self.moving);
        let around = self.around_blocks();
        let weight = moving.weight_of(block).max(self.gravity_scale_of(i).abs());
        let (budget_used, slowest) = (self.budget_is_used(i), around.slowest * weight);
        let restitution = |approach: f64| match e {
            Some(e) => f64::from(e),
            None if budget_used => 0.0,
            None => answer.restitution_above(slowest, approach, self.settings.resting_speed),
        };
        let ahead = if before.is_some() { DVec2::ZERO } else { self.true_velocity(i, particle.time) - velocity };
        let disc = HittingDisc { mass: particle.mass, velocity, ahead, held: &[] };
        let hit = moving.hit_block(block, particle.time, surface, disc, &around, restitution);
        *self.moving = moving;
        let Some(DiscOnBlock { velocity, approach, e: used, impulse }) = hit else { return 0.0 };
        match (self.table, before) {
            (Some(table), Some(before)) => {
                let after = Motion { velocity, ..before };
                if approach > FAINTEST {
                    self.record_event(i, TableEventKind::Hit(surface.collider), (before, after), particle.time);
                }
                self.set_out(table, i, after, particle.time);
            }
            _ => self.particles[i].velocity = velocity,
        }
        self.was_elastic = used >= 1.0;
        if let Some(effect) = self.gravity_effects.get_mut(i) {
            // The block does work.
            effect.has_hit_disc = true;
        }
        if e.is_none() && approach >= slowest.max(2.0 * surface.leaves_at) {
            self.record(i, surface, disc.velocity - surface.velocity, [approach, impulse]);
        }
        approach
    }
}
