//! The contact of a disc with terrain, and how the disc leaves it.

use bevy::{ecs::entity::Entity, math::DVec2};

use crate::collision::{
    hit::{
        HitTarget,
        answers::{Encounter, TargetSurface},
    },
    shape::{arc::SLIDES, rounding::GAP_ROUNDING},
};

/// What a disc hits: terrain, or a kinematic disc.
#[derive(Clone, Copy, Debug)]
pub struct Obstacle {
    pub target: HitTarget<u32>,
    /// The restitution of the obstacle itself, if it has one.
    pub restitution: Option<f32>,
}

/// The point where a disc touches terrain or a kinematic disc.
#[derive(Clone, Copy, Debug)]
pub struct Surface {
    /// The direction away from the terrain, of any length.
    pub away: DVec2,
    /// The closest point of it, metres.
    pub point: DVec2,
    /// Its velocity there, m/s.
    pub velocity: DVec2,
    pub target: HitTarget<u32>,
    /// The restitution of the obstacle itself, if it has one.
    pub restitution: Option<f32>,
    /// The lowest speed at which a disc leaves it, m/s, so that it does not touch it again at once: a turning surface
    /// gets faster during the tick.
    pub leaves_at: f64,
    /// Below this speed of approach a disc slides along the inside of an arc and keeps its speed, m/s; zero elsewhere.
    pub slides_below: f64,
    /// Cosine and sine of the rotation of a moving piece.
    pub turn: DVec2,
}

impl Surface {
    /// A static surface, with the direction away from it and the point of contact, metres.
    pub fn standing(away: DVec2, point: DVec2, Obstacle { target, restitution }: Obstacle) -> Self {
        Self {
            away,
            point,
            velocity: DVec2::ZERO,
            target,
            restitution,
            leaves_at: 0.0,
            slides_below: 0.0,
            turn: DVec2::X,
        }
    }

    /// The target of the hit; `entities` are the entities of the discs.
    pub fn target(&self, entities: &[Entity]) -> TargetSurface {
        let Self { target, restitution, turn, .. } = *self;
        TargetSurface { target: target.with_entity(entities), restitution, turn }
    }

    /// The contact of a disc with this velocity, m/s.
    pub fn encounter(&self, velocity: DVec2) -> Encounter {
        Encounter { point: self.point, normal: -self.away, relative: velocity - self.velocity }
    }
}

/// Makes a disc leave the surface at its lowest speed or faster. Relative to the surface, the velocity of its path was
/// `before`, and is `velocity` after the bounce. Its true velocity differs from that by `ahead`.
pub fn hop(before: DVec2, velocity: &mut DVec2, ahead: DVec2, surface: &Surface) {
    if surface.slides_below > 0.0 {
        slide(before, velocity, ahead, surface);
    } else if surface.leaves_at > 0.0 {
        let n = surface.away.normalize_or_zero();
        *velocity += n * (surface.leaves_at - velocity.dot(n)).max(0.0);
    }
}

/// Makes a disc that slides along the inside of an arc hop. Relative to the arc, the velocity of its path was `before`,
/// and its bounce has made it `after`. The true velocity, which differs by `ahead`, is rotated and keeps its length, as
/// sliding takes no speed. A fast hit keeps its bounce, and so does an elastic one that has not reached the end, unless
/// the bounce is flatter than a hop.
fn slide(before: DVec2, after: &mut DVec2, ahead: DVec2, surface: &Surface) {
    let &Surface { away, leaves_at, slides_below, .. } = surface;
    let n = away.normalize_or_zero();
    let (approach, leaving) = (-before.dot(n), after.dot(n));
    let is_slow = approach <= slides_below;
    let is_damped = leaving < approach * (1.0 - GAP_ROUNDING);
    let at_end = leaves_at * SLIDES != slides_below;
    if !(leaving < leaves_at || is_slow && (is_damped || at_end)) {
        return;
    }
    let truly = if is_slow { before } else { *after } + ahead;
    let along = (*after - n * leaving).normalize_or_zero();
    let across = leaves_at + ahead.dot(n);
    let onward = (truly.length_squared() - across * across).max(0.0).sqrt() - ahead.dot(along);
    *after = n * leaves_at + along * onward.max(0.0);
}
