//! Where a disc touches terrain, and how it leaves it.

use bevy::{ecs::entity::Entity, math::DVec2};

use crate::collision::{
    hit::{
        HitTarget,
        answers::{Encounter, Target},
    },
    shape::{arc::SLIDES, rounding::GAP_ROUNDING},
};

/// What a disc hits: a piece of terrain, or a kinematic disc.
#[derive(Clone, Copy, Debug)]
pub struct Obstacle {
    pub target: HitTarget<u32>,
    /// Its own coefficient of restitution, if it has one.
    pub restitution: Option<f32>,
}

/// The place where a disc touches terrain, or a kinematic disc.
#[derive(Clone, Copy, Debug)]
pub struct Surface {
    /// The direction away from the terrain, of any length.
    pub away: DVec2,
    /// The closest point of it, metres.
    pub point: DVec2,
    /// How fast it moves there, m/s.
    pub velocity: DVec2,
    pub target: HitTarget<u32>,
    /// Its own coefficient of restitution, if it has one.
    pub restitution: Option<f32>,
    /// What it pushes along leaves it at least at this speed, m/s, and does not touch it again at once: where the
    /// surface gets faster in the course of the tick, as it turns.
    pub leaves_at: f64,
    /// What approaches the inside of an arc more slowly slides along it and keeps its speed, m/s; zero elsewhere.
    pub slides_below: f64,
    /// Cosine and sine of the angle of the frame of a piece that moves.
    pub turn: DVec2,
}

impl Surface {
    /// A static one, with the direction away from it and the point that is touched, metres.
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

    /// What is hit there, `entities` being those of the discs.
    pub fn target(&self, entities: &[Entity]) -> Target {
        let Self { target, restitution, turn, .. } = *self;
        Target { target: target.with_entity(entities), restitution, turn }
    }

    /// How a disc with this velocity meets it, m/s.
    pub fn encounter(&self, velocity: DVec2) -> Encounter {
        Encounter { point: self.point, normal: -self.away, relative: velocity - self.velocity }
    }
}

/// Lets a disc whose path had the velocity `before`, seen from the surface, and has `velocity` after a bounce, leave it
/// at least at a certain speed. Its true velocity is `ahead` of that.
pub fn hop(before: DVec2, velocity: &mut DVec2, ahead: DVec2, surface: &Surface) {
    if surface.slides_below > 0.0 {
        slide(before, velocity, ahead, surface);
    } else if surface.leaves_at > 0.0 {
        let n = surface.away.normalize_or_zero();
        *velocity += n * (surface.leaves_at - velocity.dot(n)).max(0.0);
    }
}

/// Lets a disc that slides along the inside of an arc hop: the velocity of its path, seen from there, was `before`, and
/// its bounce has made it `after`. Its true velocity, which is `ahead` of that, is turned and keeps its length, as to
/// slide takes no speed. What hits fast, or is elastic and has not come to the end, keeps its bounce, if that is no
/// flatter than a hop.
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
