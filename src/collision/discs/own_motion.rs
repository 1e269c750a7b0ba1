//! What acts on single discs in another way than on all: their gravity, drag, friction and speed limit. A list beside
//! the arrays, empty where nobody has any.

use bevy::prelude::*;

use super::{
    Discs,
    lists::{OfDisc, entry_of},
};

/// How the motion of a disc differs from the others: its [`GravityScale`](crate::components::GravityScale),
/// [`LinearDamping`](crate::components::LinearDamping), [`ClothFriction`](crate::components::ClothFriction) and
/// [`SpeedLimit`](crate::components::SpeedLimit).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnMotion {
    /// The disc, as an index into [`Discs`].
    pub disc: u32,
    /// The factor for gravity.
    pub gravity_scale: f32,
    /// Its drag, 1/s, if it differs.
    pub drag: Option<f32>,
    /// Its deceleration by the cloth, m/s², if it differs.
    pub friction: Option<f32>,
    /// The highest speed that forces leave it, m/s, if it has one.
    pub speed_limit: Option<f32>,
}

impl OfDisc for OwnMotion {
    fn disc(&self) -> u32 {
        self.disc
    }
}

impl Discs {
    /// The individual motion of a disc, if any.
    #[must_use]
    pub fn own_motion_of(&self, i: usize) -> Option<&OwnMotion> {
        entry_of(&self.own_motion, i)
    }

    /// The factor by which gravity acts on a disc.
    #[inline(always)]
    pub(crate) fn gravity_scale(&self, i: usize) -> f32 {
        if self.own_motion.is_empty() { 1.0 } else { self.own_motion_of(i).map_or(1.0, |own| own.gravity_scale) }
    }

    /// Calls `change` with the velocity of every disc and its individual motion, if any.
    pub(crate) fn for_each_velocity(&mut self, mut change: impl FnMut(&mut Vec2, Option<&OwnMotion>)) {
        let mut own = self.own_motion.iter().peekable();
        for (velocity, disc) in self.velocity.iter_mut().zip(0..) {
            change(velocity, own.next_if(|own| own.disc == disc));
        }
    }
}
