//! Bounces of the stepped mode where discs spin on a table: the model of the cushion decides, with the motion that the disc has there.

use bevy::math::DVec2;

use super::journey::{Around, Journey};
use crate::collision::{
    hit::{Collider, Hit, Surface, hop},
    spin::{
        TablePhysics,
        response::{Response, Side, hit_pair, hit_terrain},
        trajectory::Trajectory,
    },
};

impl Journey {
    /// Bounces off what it touches where discs spin on a table, and rubs on a kinematic disc where both turn; the hit, if
    /// it was one. If it approaches by its straight way alone, that way goes along what it touches.
    pub(super) fn bounce_on_table(
        &mut self,
        surface: &Surface,
        around: &Around,
        (table, trajectory): (&TablePhysics, &mut Trajectory),
    ) -> Option<Hit> {
        let Around { discs, settings, answers, .. } = *around;
        let i = self.disc as usize;
        let &Surface { away, velocity, collider, leaves_at, slides_below, .. } = surface;
        let away = away / away.length_squared().sqrt();
        let (mass, (motion, _)) = (f64::from(discs.mass[i]), trajectory.at(&table.cloth, self.t));
        let encounter = surface.encounter(motion.velocity);
        let default = match collider {
            Collider::Disc(_) => settings.restitution,
            _ => table.cushion.restitution.at(-encounter.relative.dot(away)) as f32,
        };
        let answer = answers.of(settings, discs.side(i), surface.target(&discs.entity), default, || encounter);
        let velocity = velocity + answer.carries(away);
        let mut side = Side { body: trajectory.body(mass), mass, motion };
        let hit = if let Collider::Disc(other) = collider {
            let restitution = |approach: f64| answer.restitution_at(approach, settings.resting_speed);
            let hit = hit_pair([side, Side::of(discs, other as usize)], -away, table, restitution);
            side.motion.velocity -= velocity;
            hit.map(|Response { approach, impulse, after: [after, _] }| Response { approach, impulse, after })
        } else {
            side.motion.velocity -= velocity;
            let mut hit = hit_terrain(side, away, table, answer.carried().map(f64::from));
            if let Some(Response { after, .. }) = &mut hit {
                if answer.kick > 0.0 {
                    after.velocity += away * f64::from(answer.kick);
                }
                if slides_below > 0.0 {
                    hop(side.motion.velocity, &mut after.velocity, DVec2::ZERO, surface);
                }
                after.velocity += velocity;
            }
            hit
        };
        if let Some(hit) = &hit {
            self.flight.velocity = trajectory.set_out(&table.cloth, self.at, hit.after, [self.t, self.h]);
        }
        let inward = (velocity - self.flight.velocity).dot(away);
        if inward > 0.0 {
            self.flight.velocity += away * (inward + if slides_below > 0.0 { leaves_at } else { 0.0 });
        }
        let hit = hit.filter(|hit| hit.approach as f32 >= settings.resting_speed)?;
        Some(self.hit_of(surface, side.motion.velocity, [hit.approach, hit.impulse]))
    }
}
