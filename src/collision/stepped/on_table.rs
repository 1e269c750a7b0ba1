//! Bounces of the stepped mode where discs spin on a table: the model of the cushion decides, with the motion that the disc has there.

use bevy::math::DVec2;

use super::journey::Journey;
use crate::collision::{
    bridge::report::Hit,
    moving::Surface,
    settings::CollisionSettings,
    space::Discs,
    spin::{
        TablePhysics,
        response::{Side, hit_terrain},
        trajectory::Trajectory,
    },
};

impl Journey {
    /// Bounces off what it touches where discs spin on a table; the hit, if it was one. If it approaches by its straight way alone,
    /// that way goes along the terrain.
    pub(super) fn bounce_on_table(
        &mut self,
        surface: &Surface,
        discs: &Discs,
        settings: &CollisionSettings,
        (table, trajectory): (&TablePhysics, &mut Trajectory),
    ) -> Option<Hit> {
        let i = self.disc as usize;
        let &Surface { away, point, velocity, collider, restitution, .. } = surface;
        let away = away / away.length_squared().sqrt();
        let carried = settings.restitution_rule.combine(discs.restitution[i], restitution).map(f64::from);
        let (mass, (mut motion, _)) = (f64::from(discs.mass[i]), trajectory.at(&table.cloth, self.t));
        let moves = velocity != DVec2::ZERO;
        if moves {
            motion.velocity -= velocity;
        }
        let side = Side { body: trajectory.body(mass), mass, motion };
        let mut hit = hit_terrain(side, away, table, carried);
        if let Some(hit) = &mut hit {
            let kick = discs.kicks.at_terrain(discs.entity[i], collider);
            if kick > 0.0 {
                hit.after.velocity += away * f64::from(kick);
            }
            if moves {
                hit.after.velocity += velocity;
            }
            self.flight.velocity = trajectory.set_out(&table.cloth, self.at, hit.after, [self.t, self.h]);
        }
        let inward = if moves { velocity.dot(away) } else { 0.0 } - self.flight.velocity.dot(away);
        if inward > 0.0 {
            self.flight.velocity += away * inward;
        }
        let hit = hit.filter(|hit| hit.approach as f32 >= settings.resting_speed)?;
        Some(Hit {
            disc: self.disc,
            collider,
            point: point.as_vec2(),
            normal: -away.as_vec2(),
            approach_speed: hit.approach as f32,
            relative_velocity: motion.velocity.as_vec2(),
            impulse: hit.impulse as f32,
            time: self.start + self.t as f32,
        })
    }
}
