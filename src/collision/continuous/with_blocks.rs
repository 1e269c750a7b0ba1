//! Hits of discs and blocks, which have a mass and go another way afterwards; and what blocks do among themselves.

use super::tick_state::TickState;
use crate::collision::{
    answers::kicked,
    geometry::TerrainView,
    moving::{BlockImpact, DiscOnBlock, Surface, Surroundings},
    response::restitution_of,
};

impl TickState<'_> {
    fn around_blocks(&self) -> Surroundings<'_> {
        Surroundings {
            terrain: TerrainView { walls: self.walls, fixed_circles: self.fixed_circles, index: self.terrain },
            filter: self.terrain_filter,
            settings: self.settings,
            slowest: self.fall_speed(),
        }
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

    /// The impulse between a disc and a block where they are, with this restitution or their own; the speed of approach, m/s, zero if they recede.
    pub(super) fn resolve_block(&mut self, i: usize, block: u32, surface: &Surface, e: Option<f32>) -> f64 {
        let particle = self.particles[i];
        let answer = self.answer_at(i, surface, self.true_velocity(i, particle.time));
        let (carried, kick) = (answer.e, answer.kick);
        let (budget_used, slowest, settings) = (self.budget_is_used(i), self.fall_speed(), self.settings);
        let restitution = |approach: f64| match e {
            Some(e) => f64::from(e),
            None if budget_used => 0.0,
            None => match restitution_of(approach as f32, carried, settings.resting_speed) {
                e if e < 1.0 && approach < slowest => 0.0,
                e => kicked(f64::from(e), kick, approach, settings.resting_speed),
            },
        };
        let body = (particle.mass, particle.velocity);
        let hit = self.moving.hit_block(block, particle.time, surface, body, restitution);
        let Some(DiscOnBlock { velocity, approach, e: used, impulse }) = hit else { return 0.0 };
        self.particles[i].velocity = velocity;
        self.was_elastic = used >= 1.0;
        if let Some(effect) = self.gravity_effects.get_mut(i) {
            // The block does work.
            effect.has_hit_disc = true;
        }
        if e.is_none() && approach >= slowest.max(2.0 * surface.leaves_at) {
            let normal = -surface.away.normalize_or_zero();
            let relative = particle.velocity - surface.velocity;
            self.record((i, relative), surface.collider, surface.point, normal, approach, impulse);
        }
        approach
    }
}
