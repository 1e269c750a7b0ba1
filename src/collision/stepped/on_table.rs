//! Bounces of the stepped mode where discs spin on a table: the model of the cushion decides, with the motion that the disc has there.

use bevy::math::DVec2;

use super::{journey::Journey, kinematic::Mover};
use crate::collision::{
    hit::{
        Hit, Surface,
        answers::{Answers, kicked},
        hop,
        response::restitution_of,
    },
    settings::CollisionSettings,
    space::Discs,
    spin::{
        TablePhysics,
        response::{Side, hit_pair, hit_terrain},
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
        (settings, answers): (&CollisionSettings, &Answers),
        (table, trajectory): (&TablePhysics, &mut Trajectory),
    ) -> Option<Hit> {
        let i = self.disc as usize;
        let &Surface { away, point, velocity, collider, leaves_at, slides_below, .. } = surface;
        let away = away / away.length_squared().sqrt();
        let (mass, (mut motion, _)) = (f64::from(discs.mass[i]), trajectory.at(&table.cloth, self.t));
        let answer = answers.at_terrain(settings, discs.side(i), surface.piece(), || {
            let encounter = surface.encounter(motion.velocity);
            (table.cushion.restitution.at(-encounter.relative.dot(away)) as f32, encounter)
        });
        let (carried, carries) = (answer.restitution.map(f64::from), answer.carries(away));
        let velocity = if carries == DVec2::ZERO { velocity } else { velocity + carries };
        let moves = velocity != DVec2::ZERO;
        if moves {
            motion.velocity -= velocity;
        }
        let side = Side { body: trajectory.body(mass), mass, motion };
        let mut hit = hit_terrain(side, away, table, carried);
        if let Some(hit) = &mut hit {
            if answer.kick > 0.0 {
                hit.after.velocity += away * f64::from(answer.kick);
            }
            if slides_below > 0.0 {
                hop(motion.velocity, &mut hit.after.velocity, DVec2::ZERO, surface);
            }
            if moves {
                hit.after.velocity += velocity;
            }
            self.flight.velocity = trajectory.set_out(&table.cloth, self.at, hit.after, [self.t, self.h]);
        }
        let inward = if moves { velocity.dot(away) } else { 0.0 } - self.flight.velocity.dot(away);
        if inward > 0.0 {
            self.flight.velocity += away * (inward + if slides_below > 0.0 { leaves_at } else { 0.0 });
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

    /// Bounces off a kinematic disc where discs spin on a table, and rubs on it where both turn; the hit, if it was one.
    pub(super) fn bounce_off_disc_on_table(
        &mut self,
        mover: &Mover,
        discs: &Discs,
        (settings, answers): (&CollisionSettings, &Answers),
        (table, trajectory): (&TablePhysics, &mut Trajectory),
    ) -> Option<Hit> {
        let (i, j) = (self.disc as usize, mover.disc as usize);
        let away = self.away_from(mover, discs);
        let (mass, (motion, _)) = (f64::from(discs.mass[i]), trajectory.at(&table.cloth, self.t));
        let encounter = || self.encounter(away, motion.velocity - mover.velocity);
        let answer = answers.of_discs(settings, [i, j].map(|i| discs.side(i)), encounter);
        let (carried, kick) = (answer.restitution.unwrap_or(settings.restitution), answer.kick);
        let sides = [Side { body: trajectory.body(mass), mass, motion }, Side::of(discs, j)];
        let restitution = |approach: f64| {
            let e = f64::from(restitution_of(approach as f32, carried, settings.resting_speed));
            kicked(e, kick, approach, settings.resting_speed)
        };
        let hit = hit_pair(sides, -away, table, restitution);
        self.set_hit_by_kinematic();
        if let Some(hit) = &hit {
            self.flight.velocity = trajectory.set_out(&table.cloth, self.at, hit.after[0], [self.t, self.h]);
        }
        let inward = (mover.velocity - self.flight.velocity).dot(away);
        if inward > 0.0 {
            self.flight.velocity += away * inward;
        }
        let hit = hit.filter(|hit| hit.approach as f32 >= settings.resting_speed)?;
        Some(self.hit_of((mover, motion.velocity - mover.velocity), away, [hit.approach, hit.impulse]))
    }
}
