//! Hits of discs and blocks, which change the paths of both, and impacts between blocks.

use bevy::math::DVec2;

use super::{particles::Particle, resolve::Met, tick_state::TickState};
use crate::collision::{
    hit::{Surface, answers::Answer},
    moving::{BlockImpact, DiscOnBlock, HittingDisc, Surroundings},
    path::table_events::{FAINTEST, TableEventKind},
    spin::Motion,
};

impl TickState<'_> {
    fn around_blocks(&self) -> Surroundings<'_> {
        let terrain = self.terrain_view();
        let fall = self.gravity.length_squared().sqrt() * self.end;
        Surroundings::new(terrain, &self.terrain.filter, &self.laws.settings, fall)
    }

    /// The earliest impact of a block with anything except a disc.
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

    /// Resolves the impulse between a disc and a block at their current positions.
    pub(super) fn resolve_block(&mut self, i: usize, block: u32, surface: &Surface) -> Met {
        let particle = self.particles[i];
        let before = self.motion_on_table(i, particle.time);
        let velocity = before.map_or(particle.velocity, |before| before.velocity);
        let cushion = self.laws.table.as_ref().filter(|_| before.is_some());
        let answer = self.answer_at(i, surface, self.velocity_at(i, particle.time), cushion);
        let answer = Some(&answer).filter(|_| !self.budget_is_used(i));
        let ahead = if before.is_some() { DVec2::ZERO } else { self.true_velocity(i, particle.time) - velocity };
        let Some(hit) = self.hit_block(i, block, surface, [velocity, ahead], answer) else { return Met::NOTHING };
        match (self.laws.table.as_ref(), before) {
            (Some(table), Some(before)) => {
                let after = Motion { velocity: hit.velocity, ..before };
                if hit.approach > FAINTEST {
                    self.record_event(i, TableEventKind::Hit(surface.target), [before, after], particle.time);
                }
                self.set_out(table, i, after, particle.time);
            }
            _ => self.particles[i].velocity = hit.velocity,
        }
        let time = particle.time as f32;
        if let Some(hit) = hit.at(surface, i as u32, [velocity, ahead], time) {
            self.report.record(hit, &self.laws.settings);
        }
        Met { approach: hit.approach, is_elastic: hit.e >= 1.0 }
    }

    /// Removes the speed of approach of a disc to a block, which it pushes; returns that speed, m/s.
    pub(super) fn stop_at_block(&mut self, i: usize, block: u32, surface: &Surface) -> f64 {
        let Particle { velocity, time, .. } = self.particles[i];
        let ahead = self.true_velocity(i, time) - velocity;
        let Some(hit) = self.hit_block(i, block, surface, [velocity, ahead], None) else { return 0.0 };
        self.particles[i].velocity = hit.velocity;
        hit.approach
    }

    fn hit_block(
        &mut self,
        i: usize,
        block: u32,
        surface: &Surface,
        [velocity, ahead]: [DVec2; 2],
        answer: Option<&Answer>,
    ) -> Option<DiscOnBlock> {
        let Particle { mass, time, .. } = self.particles[i];
        let disc = HittingDisc { mass, velocity, ahead, gravity_scale: self.gravity_scale_of(i), held: &[] };
        let mut moving = std::mem::take(self.moving);
        let hit = moving.hit_block(block, time, surface, disc, &self.around_blocks(), answer);
        *self.moving = moving;
        let hit = hit?;
        if let Some(effect) = self.gravity_effects.get_mut(i) {
            // The block does work.
            effect.has_hit_disc = true;
        }
        Some(hit)
    }
}
