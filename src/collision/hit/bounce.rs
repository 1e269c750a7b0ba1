//! What a hit makes of the motions of discs: a disc that bounces off a cushion where it spins on a table and two smooth
//! discs that rub on each other, in both modes; and a disc that bounces off what it was pushed out of, in the stepped
//! mode.

use bevy::math::DVec2;

use super::{
    Hit, HitTarget, Obstacle, Surface,
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
    /// How fast the surface moves, with what carries along it, m/s.
    pub surface_velocity: DVec2,
    /// The velocity of the disc before, relative to the surface as if nothing carried along it, m/s.
    pub before: DVec2,
    /// Its motion after, in the world; none where it does not approach.
    pub response: Option<Response<Motion>>,
}

/// Lets a disc on a table bounce off terrain by the model of the cushion, as `answer` says.
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

/// Lets a disc bounce off a surface that it touches where it is; the hit, at `time` seconds of the tick, if it
/// approaches.
///
/// The normal need not have length 1: `v - (1 + e) away (v · away) / (away · away)` (corner reflection) saves a root,
/// and its rounding errors differ from bounce to bounce instead of adding up.
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
    Some(surface.hit(i as u32, before, [approach, impulse], time))
}

impl Surface {
    /// A kinematic disc, or one that stands still, as a disc with its centre at `at` touches it: `normal` is the unit
    /// vector from that to the other, `velocity` (m/s) and `restitution` are those of the other.
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

    /// What approaches more slowly has not hit it, m/s: it slides, or hops at the speed at which it is sent off.
    pub fn slowest_hit(&self) -> f64 {
        (2.0 * self.leaves_at).max(self.slides_below)
    }

    /// The straight path of a disc gives way where it leads into the surface although its motion does not: it leaves a
    /// surface with this unit normal and velocity at least at `leaves_at`, m/s.
    pub fn give_way(path: &mut DVec2, away: DVec2, velocity: DVec2, leaves_at: f64) {
        let inward = (velocity - *path).dot(away);
        if inward > 0.0 {
            *path += away * (inward + leaves_at);
        }
    }

    /// The hit of a disc here, with its velocity relative to the surface before, by its straight path (m/s), the speed
    /// of approach (m/s) and the impulse (N s), at `time` seconds of the tick.
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
        };
        hit.lower_first()
    }
}

/// The impulse (N s) by which two smooth discs rub on each other that press with `most` N s along the unit vector `n`:
/// the first gets it, the second the opposite. `relative` is the velocity of the first relative to the second, m/s, and
/// `lightness` one over the mass of each, 1/kg, zero for one that nothing moves.
pub fn rub_pair(relative: DVec2, n: DVec2, most: f64, lightness: [f64; 2]) -> DVec2 {
    let together = lightness[0] + lightness[1];
    if together > 0.0 { rubbed(relative, n, most * together) / together } else { DVec2::ZERO }
}
