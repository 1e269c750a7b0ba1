//! Bounces of the stepped mode where discs spin on a table. They use the model of the cushion, with the motion of the
//! disc at the contact.

use super::journey::{Around, Journey};
use crate::collision::{
    hit::{
        CushionBounce, Hit, HitTarget, Surface, bounce_off_cushion,
        on_table::{Response, TableDisc, hit_pair},
    },
    path::trajectory::Trajectory,
    spin::TablePhysics,
};

impl Journey {
    /// Bounces off a contact where discs spin on a table, with friction on a kinematic disc if both turn; returns the
    /// hit, if it was one. If it approaches only along its straight path, that path is turned along the surface.
    pub(super) fn bounce_on_table(
        &mut self,
        surface: &Surface,
        around: &Around,
        table: &TablePhysics,
        trajectory: &mut Trajectory,
    ) -> Option<Hit> {
        let Around { discs, settings, answers, .. } = *around;
        let i = self.disc as usize;
        let &Surface { away, target, leaves_at, slides_below, .. } = surface;
        let away = away / away.length_squared().sqrt();
        let (mass, (motion, _)) = (f64::from(discs.mass[i]), trajectory.at(&table.cloth, self.t));
        let answer = answers.at_surface(settings, Some(table), discs.side(i), surface, &discs.entity, motion.velocity);
        let side = TableDisc { body: trajectory.body(mass), mass, motion, nose: None };
        let (velocity, before, hit) = if let HitTarget::Disc(other) = target {
            let restitution = |approach: f64| answer.restitution_at(approach, settings.resting_speed);
            let hit = hit_pair([side, TableDisc::of(discs, other as usize)], -away, table, restitution);
            let hit =
                hit.map(|Response { approach, impulse, after: [after, _] }| Response { approach, impulse, after });
            (surface.velocity, motion.velocity - surface.velocity, hit)
        } else {
            let CushionBounce { surface_velocity, before, response } =
                bounce_off_cushion(side, surface, table, &answer);
            (surface_velocity, before, response)
        };
        if let Some(hit) = &hit {
            let after = hit.after.on_the_cloth();
            self.flight.velocity = trajectory.set_out(&table.cloth, self.at, after, [self.t, self.h]);
        }
        let leaves_at = if slides_below > 0.0 { leaves_at } else { 0.0 };
        Surface::give_way(&mut self.flight.velocity, away, velocity, leaves_at);
        let hit = hit.filter(|hit| hit.approach as f32 >= settings.resting_speed)?;
        let seen = surface.hit(self.disc, before, [hit.approach, hit.impulse], self.start + self.t as f32);
        Some(seen.with_velocity(self.disc, [motion.velocity, hit.after.velocity]))
    }
}
