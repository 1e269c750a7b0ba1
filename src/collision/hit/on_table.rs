//! Hits of discs on a table, for both modes: of two spinning discs, or of one disc and a cushion. A smooth disc has no
//! friction.

use bevy::math::{DVec2, DVec3};

use super::response::speed_changes;
use crate::collision::{
    discs::Discs,
    spin::{Body, Motion, TablePhysics, cushion, pair},
};

/// The mass of an immovable object, kg: so large that every other mass is negligible.
pub const IMMOVABLE: f64 = f64::from_bits((1023 + 100) << 52);

/// A disc that takes part in a hit.
#[derive(Clone, Copy)]
pub struct TableDisc {
    /// Its shape and mass distribution, if it spins.
    pub body: Option<Body>,
    /// Kilograms.
    pub mass: f64,
    pub motion: Motion,
    /// The sine of the elevation of the nose that it touches, seen from its centre; `None` on the cloth.
    pub nose: Option<f64>,
}

impl TableDisc {
    /// The values of a disc in the arrays.
    pub fn of(discs: &Discs, i: usize) -> Self {
        let mass = if discs.is_kinematic(i) { IMMOVABLE } else { f64::from(discs.mass[i]) };
        let radius = f64::from(discs.radius[i]);
        let spin = discs.spin_of(i);
        let angular_velocity = spin.map_or(DVec3::ZERO, |spin| spin.angular_velocity.as_dvec3());
        let motion = Motion { velocity: discs.velocity[i].as_dvec2(), angular_velocity, vertical: 0.0 };
        Self { body: spin.map(|spin| Body { mass, radius, shape: spin.shape }), mass, motion, nose: None }
    }
}

impl Discs {
    /// Sets the motion of a disc.
    pub(crate) fn set_motion(&mut self, i: usize, motion: &Motion) {
        self.velocity[i] = motion.velocity.as_vec2();
        if let Some(Some(spin)) = self.spin.get_mut(i) {
            spin.angular_velocity = motion.angular_velocity.as_vec3();
        }
    }
}

/// The result of a hit: the speed of approach along the normal, m/s, the impulse, N s, and the motions after it.
pub struct Response<T> {
    pub approach: f64,
    pub impulse: f64,
    pub after: T,
}

/// The hit of two discs along the unit vector from the first to the second; `None` if they do not approach. Where no
/// ball flies, the slate absorbs the vertical velocities.
pub fn hit_pair(
    [a, b]: [TableDisc; 2],
    normal: DVec2,
    table: &TablePhysics,
    restitution: impl Fn(f64) -> f64,
) -> Option<Response<[Motion; 2]>> {
    let approach = pair::approach(&a.motion, &b.motion, normal);
    if !(approach > 0.0) {
        return None;
    }
    let e = restitution(approach);
    if let (Some(body_a), Some(body_b)) = (a.body, b.body) {
        let hit = pair::collide([&body_a, &body_b], [&a.motion, &b.motion], normal, e, &table.balls)?;
        let after = match table.flight {
            Some(_) => [hit.a, hit.b],
            None => [hit.a, hit.b].map(Motion::on_the_cloth),
        };
        return Some(Response { approach, impulse: hit.impulse, after });
    }
    let (change_a, change_b) = speed_changes(a.mass, b.mass, approach, e);
    let moved =
        |side: TableDisc, change: f64| Motion { velocity: side.motion.velocity + normal * change, ..side.motion };
    Some(Response { approach, impulse: b.mass * change_b, after: [moved(a, change_a), moved(b, change_b)] })
}

/// The hit of two balls of which at least one is above the cloth; `None` if they do not approach. The normal is the
/// unit vector in space from the centre of the first to that of the second.
pub fn hit_pair_in_space(
    [a, b]: [TableDisc; 2],
    normal: DVec3,
    table: &TablePhysics,
    restitution: impl Fn(f64) -> f64,
) -> Option<Response<[Motion; 2]>> {
    let (bodies, motions) = ([&a.body?, &b.body?], [&a.motion, &b.motion]);
    let e = restitution(pair::approach_in_space(motions, normal));
    let hit = pair::collide_in_space(bodies, motions, normal, e, &table.balls)?;
    Some(Response { approach: hit.approach, impulse: hit.impulse, after: [hit.a, hit.b] })
}

/// The hit of a spinning disc and terrain, along the unit vector away from the terrain; `None` if it does not approach.
/// `carried` is the restitution of the disc or the terrain, if they have one.
pub fn hit_terrain(
    side: TableDisc,
    away: DVec2,
    table: &TablePhysics,
    carried: Option<f64>,
) -> Option<Response<Motion>> {
    let approach = match side.nose {
        None => cushion::approach(&side.motion, away),
        Some(sin) => cushion::approach_in_flight(&side.motion, away, sin),
    };
    if !(approach > 0.0) {
        return None;
    }
    let e = carried.unwrap_or_else(|| table.cushion.restitution.at(approach));
    let hit = match side.nose {
        None => cushion::rebound(&table.cushion, &side.body?, &side.motion, away, e)?,
        Some(sin) => cushion::rebound_in_flight(&table.cushion, &side.body?, &side.motion, away, e, sin)?,
    };
    Some(Response { approach, impulse: hit.impulse, after: hit.after })
}
