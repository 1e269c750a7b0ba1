//! What acts on single discs in another way than on all: their gravity, drag and friction. A list beside the arrays, empty where nobody has any.

use bevy::{math::DVec2, prelude::*};

use super::{Discs, Space};
use crate::collision::spin::trajectory::Trajectory;

/// How a disc moves, where that differs from the others: its [`GravityScale`](crate::disc::GravityScale), [`LinearDamping`](crate::disc::LinearDamping) and
/// [`ClothFriction`](crate::disc::ClothFriction).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnMotion {
    /// The disc, as an index into [`Discs`].
    pub disc: u32,
    /// By so much more than others it feels gravity.
    pub gravity_scale: f32,
    /// Its own drag, 1/s, if it has one.
    pub drag: Option<f32>,
    /// The deceleration that the cloth gives it, m/s², if it has its own.
    pub friction: Option<f32>,
}

impl Discs {
    /// What of a disc differs from the others.
    #[must_use]
    pub fn own_motion_of(&self, i: usize) -> Option<&OwnMotion> {
        let found = self.own_motion.binary_search_by_key(&(i as u32), |own| own.disc);
        found.ok().map(|at| &self.own_motion[at])
    }

    /// By how much more than others a disc feels gravity.
    #[inline(always)]
    pub(in crate::collision) fn gravity_scale(&self, i: usize) -> f32 {
        if self.own_motion.is_empty() { 1.0 } else { self.own_motion_of(i).map_or(1.0, |own| own.gravity_scale) }
    }

    /// Calls `change` with the velocity of every disc, and what of it differs from the others.
    pub(crate) fn for_each_velocity(&mut self, mut change: impl FnMut(&mut Vec2, Option<&OwnMotion>)) {
        let mut own = self.own_motion.iter().peekable();
        for (velocity, disc) in self.velocity.iter_mut().zip(0..) {
            change(velocity, own.next_if(|own| own.disc == disc));
        }
    }
}

impl Space {
    /// The acceleration that bends the path of a disc within a substep, m/s². `acceleration` is the one of most discs.
    ///
    /// The path of a disc that spins on a table is not bent: gravity changes its velocity where the substep begins.
    pub(in crate::collision) fn own_acceleration(&self, i: usize, acceleration: DVec2) -> DVec2 {
        match Trajectory::of_spinning(&self.trajectories, i) {
            Some(_) => DVec2::ZERO,
            None => acceleration * f64::from(self.discs.gravity_scale(i)),
        }
    }

    /// Changes the velocities of discs with an acceleration other than this one, so that straight paths bent by this
    /// one end where theirs do. Returns the velocities before.
    pub(in crate::collision) fn bend_own_paths(&mut self, acceleration: Vec2) -> Vec<(usize, Vec2)> {
        let mut before = Vec::new();
        if acceleration == Vec2::ZERO {
            return before;
        }
        let half = 0.5 * self.substep();
        let Self { discs: Discs { own_motion, velocity, .. }, trajectories, .. } = self;
        let spins = |i: usize| Trajectory::of_spinning(trajectories, i).is_some();
        let own = own_motion.iter().map(|own| (own.disc as usize, own.gravity_scale));
        let own = own.filter(|&(i, scale)| scale != 1.0 && !spins(i));
        let spinning = (0..trajectories.len()).filter(|&i| spins(i)).map(|i| (i, 0.0));
        for (i, scale) in own.chain(spinning) {
            if let Some(velocity) = velocity.get_mut(i) {
                before.push((i, *velocity));
                *velocity += acceleration * ((1.0 - scale) * half);
            }
        }
        before
    }
}
