//! Bounces of the stepped mode where discs spin on a table: the model of the cushion decides, with the motion that the disc has there.

use super::journey::Journey;
use crate::collision::{
    bridge::report::Hit,
    broad_phase::terrain_index::Piece,
    geometry::{TerrainView, away_from},
    settings::{CollisionSettings, carried_restitution},
    space::Discs,
    spin::{
        TablePhysics,
        response::{Side, hit_terrain},
        trajectory::Trajectory,
    },
};

impl Journey {
    /// Bounces off a piece of terrain where discs spin on a table; the hit, if it was one. If it approaches by its straight way alone,
    /// that way goes along the terrain.
    pub(super) fn bounce_on_table(
        &mut self,
        piece: Piece,
        fixed: &TerrainView,
        discs: &Discs,
        settings: &CollisionSettings,
        (table, trajectory): (&TablePhysics, &mut Trajectory),
    ) -> Option<Hit> {
        let i = self.disc as usize;
        let (away, point) = away_from(piece, fixed, self.at, self.flight.velocity);
        let away = away / away.length_squared().sqrt();
        let (collider, carried) = fixed.collider(piece);
        let carried = carried_restitution(discs.restitution[i], carried).map(f64::from);
        let (mass, (motion, _)) = (f64::from(discs.mass[i]), trajectory.at(&table.cloth, self.t));
        let side = Side { body: trajectory.body(mass), mass, motion };
        let hit = hit_terrain(side, away, table, carried);
        if let Some(hit) = &hit {
            self.flight.velocity = trajectory.set_out(&table.cloth, self.at, hit.after, [self.t, self.h]);
        }
        let inward = -self.flight.velocity.dot(away);
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
