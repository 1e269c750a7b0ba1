//! Kicks: what throws back what hits it, by a speed of its own besides the restitution.

use bevy::prelude::*;

use crate::collision::{bridge::report::Collider, settings::LIMIT};

/// The entities that kick, in order, with their speeds, m/s; empty where none does.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::collision) struct Kicks(Vec<(Entity, f32)>);

impl Kicks {
    /// Takes these; a speed that is no number from 0 to [`LIMIT`] is none.
    pub(in crate::collision) fn of(speeds: impl Iterator<Item = (Entity, f32)>) -> Self {
        let mut kicks: Vec<_> = speeds.filter(|(_, speed)| *speed > 0.0 && *speed <= LIMIT).collect();
        kicks.sort_unstable_by_key(|kick| kick.0);
        Self(kicks)
    }

    /// With which speed, m/s, two that hit each other are thrown apart besides.
    #[inline(always)]
    pub(in crate::collision) fn between(&self, a: Entity, b: Entity) -> f32 {
        if self.0.is_empty() { 0.0 } else { self.speed(a) + self.speed(b) }
    }

    /// The same for a disc and terrain.
    #[inline(always)]
    pub(in crate::collision) fn at_terrain(&self, disc: Entity, collider: Collider<u32>) -> f32 {
        match collider {
            Collider::Wall(piece) | Collider::FixedCircle(piece) => self.between(disc, piece),
            Collider::Disc(_) => 0.0,
        }
    }

    fn speed(&self, entity: Entity) -> f32 {
        self.0.binary_search_by_key(&entity, |kick| kick.0).map_or(0.0, |at| self.0[at].1)
    }
}

/// The restitution that parts two by `kick` (m/s) more than `e` does, if they approach fast enough for a hit.
#[inline(always)]
pub(in crate::collision) fn kicked(e: f64, kick: f32, approach: f64, resting_speed: f32) -> f64 {
    if kick > 0.0 && approach > 0.0 && approach >= f64::from(resting_speed) {
        e + f64::from(kick) / approach
    } else {
        e
    }
}
