//! Bounces: the change of motion by a hit. In both modes: a disc that spins on a table and hits a cushion, and friction
//! between two smooth discs. In the stepped mode: a disc that bounces off what it was pushed out of.

use bevy::math::DVec2;

use super::{
    Hit, HitTarget, Obstacle, Surface, VelocityChange,
    answers::{Answer, Answers, rubbed},
    hop, relative_velocity,
    response::bounce,
};
use crate::collision::{
    discs::Discs,
    hit::on_table::{Response, TableDisc, hit_terrain},
    settings::CollisionSettings,
    spin::{Motion, TablePhysics},
};

/// The bounce of a disc off a cushion.
pub struct CushionBounce {
    /// The velocity of the surface, including its conveyor speed, m/s.
    pub surface_velocity: DVec2,
    /// The velocity of the disc before the bounce, relative to the surface without its conveyor speed, m/s.
    pub before: DVec2,
    /// The motion after the bounce, in the frame of the world; `None` if the disc does not approach.
    pub response: Option<Response<Motion>>,
}

/// Bounces a disc on a table off terrain by the model of the cushion, with this `answer`.
pub fn bounce_off_cushion(
    mut side: TableDisc,
    surface: &Surface,
    table: &TablePhysics,
    answer: &Answer,
) -> CushionBounce {
    let away = surface.away / surface.away.length_squared().sqrt();
    let surface_velocity = surface.velocity + answer.carries(away);
    let before = side.motion.velocity - surface.velocity;
    side.motion.velocity -= surface_velocity;
    let seen = side.motion.velocity;
    let mut response = hit_terrain(side, away, table, answer.carried().map(f64::from));
    if let Some(Response { after, .. }) = &mut response {
        if answer.kick > 0.0 {
            after.velocity += away * f64::from(answer.kick);
        }
        if surface.slides_below > 0.0 {
            hop(seen, &mut after.velocity, DVec2::ZERO, surface);
        }
        after.velocity += surface_velocity;
    }
    CushionBounce { surface_velocity, before, response }
}

/// Bounces a disc off a surface at its current position. Returns the hit, at `time` seconds of the tick, if the disc
/// approaches.
///
/// The normal need not have length 1: `v - (1 + e) away (v · away) / (away · away)` (corner reflection) avoids a square
/// root, and its rounding errors differ from bounce to bounce instead of adding up.
pub fn bounce_in_place(
    discs: &mut Discs,
    i: usize,
    surface: &Surface,
    settings: &CollisionSettings,
    answers: &Answers,
    table: Option<&TablePhysics>,
    time: f32,
) -> Option<Hit> {
    let (away, moves) = (surface.away.as_vec2(), surface.velocity.as_vec2());
    let inward = (moves - discs.velocity[i]).dot(away);
    if inward <= 0.0 {
        return None;
    }
    let table = table.filter(|_| discs.spin_of(i).is_some());
    let velocity = discs.velocity[i].as_dvec2();
    let answer = answers.at_surface(settings, table, discs.side(i), surface, &discs.entity, velocity);
    let (before, approach, impulse) = if let Some(table) = table {
        let CushionBounce { before, response, .. } =
            bounce_off_cushion(TableDisc::of(discs, i), surface, table, &answer);
        let Response { approach, impulse, after } = response?;
        discs.set_motion(i, &after);
        (before, approach, impulse)
    } else {
        let before = discs.velocity[i] - moves;
        let approach = inward / away.length_squared().sqrt();
        let e = answer.restitution_at(f64::from(approach), settings.resting_speed) as f32;
        let mut after = bounce(before, away, e);
        if answer.friction > 0.0 {
            let (n, carries) = (surface.away.normalize_or_zero(), answer.carries(surface.away));
            let pressed = f64::from(answer.friction * (1.0 + e) * approach);
            after += rubbed(after.as_dvec2() - carries, n, pressed).as_vec2();
        }
        discs.velocity[i] = after + moves;
        (before.as_dvec2(), f64::from(approach), f64::from((1.0 + e) * approach * discs.mass[i]))
    };
    let hit = surface.hit(i as u32, before, [approach, impulse], time);
    Some(hit.with_velocity(i as u32, [velocity, discs.velocity[i].as_dvec2()]))
}

impl Surface {
    /// The surface of a kinematic disc, or of a disc at rest, for a disc with its centre at `at` that touches it.
    /// `normal` is the unit vector from that disc to the other; `velocity` (m/s) and `restitution` belong to the other.
    pub fn of_disc(
        other: u32,
        at: DVec2,
        radius: f64,
        normal: DVec2,
        velocity: DVec2,
        restitution: Option<f32>,
    ) -> Self {
        let surface =
            Self::standing(-normal, at + normal * radius, Obstacle { target: HitTarget::Disc(other), restitution });
        Self { velocity, ..surface }
    }

    /// The lowest speed of approach that counts as a hit, m/s. A slower disc slides, or hops at the speed at which the
    /// surface releases it.
    pub fn slowest_hit(&self) -> f64 {
        (2.0 * self.leaves_at).max(self.slides_below)
    }

    /// Corrects a straight path that leads into the surface although the motion does not. A disc leaves a surface with
    /// this unit normal and velocity at a speed of at least `leaves_at`, m/s.
    pub fn give_way(path: &mut DVec2, away: DVec2, velocity: DVec2, leaves_at: f64) {
        let inward = (velocity - *path).dot(away);
        if inward > 0.0 {
            *path += away * (inward + leaves_at);
        }
    }

    /// The hit of a disc on this surface. `before` is its relative velocity along the straight path before the hit
    /// (m/s). Then follow the speed of approach (m/s), the impulse (N s), and the time in seconds of the tick. If the
    /// surface is a disc, the hit does not change its velocity. The caller adds those of the disc that hits it.
    pub fn hit(&self, disc: u32, before: DVec2, [approach, impulse]: [f64; 2], time: f32) -> Hit {
        let normal = -self.away.normalize_or_zero();
        let hit = Hit {
            disc,
            target: self.target,
            point: self.point.as_vec2(),
            normal: normal.as_vec2(),
            approach_speed: approach as f32,
            relative_velocity: relative_velocity(before, normal, approach),
            impulse: impulse as f32,
            time,
            velocity: VelocityChange::default(),
            other_velocity: match self.target {
                HitTarget::Disc(_) => Some(VelocityChange::new([self.velocity; 2])),
                HitTarget::Wall(_) | HitTarget::FixedCircle(_) => None,
            },
        };
        hit.lower_first()
    }
}

/// The friction impulse (N s) between two smooth discs that press with up to `most` N s along the unit vector `n`. The
/// first disc gets it, the second the opposite. `relative` is the velocity of the first relative to the second, m/s.
/// `lightness` is the inverse of each mass, 1/kg, zero for an immovable disc.
pub fn rub_pair(relative: DVec2, n: DVec2, most: f64, lightness: [f64; 2]) -> DVec2 {
    let together = lightness[0] + lightness[1];
    if together > 0.0 { rubbed(relative, n, most * together) / together } else { DVec2::ZERO }
}
