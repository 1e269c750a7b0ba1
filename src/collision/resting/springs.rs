//! Springs and dampers in the contacts of a pile.

use bevy::prelude::*;

use crate::collision::{
    resting::{
        pairs::RestingPairs,
        pile::{Pile, RestingContact, magnitude},
    },
    simd::{
        Kernel, SimdWidth,
        kernels::{WIDE, each_bit, filled},
    },
};

/// Finds the contacts at rest and lets their springs and dampers act.
///
/// All springs see the discs as they were before, so that many can be computed at once.
pub(in crate::collision) struct Springs<'a> {
    pub(in crate::collision) pile: &'a mut Pile,
    pub(in crate::collision) velocity: &'a mut [Vec2],
    pub(in crate::collision) stiffness: f32,
}

impl Kernel for Springs<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: SimdWidth>(self, simd: W) {
        let Self { pile, velocity, stiffness } = self;
        let Pile { candidates, contacts, impacting, before, resting_squared, .. } = pile;
        let RestingPairs { lower_upper, sum, loaded, lower_share, upper_share } = candidates;
        contacts.clear();
        impacting.clear();
        let constants = sum.chunks(WIDE).zip(loaded.chunks(WIDE));
        let shares = lower_share.chunks(WIDE).zip(upper_share.chunks(WIDE));
        let (mut below, mut pushed_down) = (0, Vec2::ZERO);
        for ((lower_upper, (sum, loaded)), (lower_share, upper_share)) in
            lower_upper.chunks(WIDE).zip(constants).zip(shares)
        {
            // The position and the velocity of the upper disc relative to the lower one.
            let mut relative = [[0.0_f32; 4]; WIDE];
            for (relative, &[lower, upper]) in relative.iter_mut().zip(lower_upper) {
                let (from, to) = (before[lower as usize], before[upper as usize]);
                for k in 0..4 {
                    relative[k] = to[k] - from[k];
                }
            }
            let there = u32::MAX >> (32 - lower_upper.len());
            let (sum, loaded) = (simd.load(&filled(sum)), simd.load(&filled(loaded)));
            let [x, y, vx, vy] = simd.columns(&relative);
            let zero = simd.splat(0.0);
            let squared = simd.add(simd.mul(x, x), simd.mul(y, y));
            let distance = simd.sqrt(squared);
            let per_distance = simd.div(simd.splat(1.0), distance);
            let overlap = simd.sub(sum, distance);
            let (away_x, away_y) = (simd.mul(x, per_distance), simd.mul(y, per_distance));
            let parting = simd.add(simd.mul(vx, away_x), simd.mul(vy, away_y));
            let spring = simd.mul(simd.splat(stiffness), simd.min(overlap, loaded));
            let push = simd.max(simd.sub(spring, simd.mul(simd.splat(DAMPING), parting)), zero);
            let excess = simd.sub(overlap, loaded);
            let speed_squared = simd.add(simd.mul(vx, vx), simd.mul(vy, vy));
            let apart = simd.is_less(zero, squared);
            let deep = simd.is_less(zero, excess) & apart;
            let touch = simd.is_less(zero, overlap) & apart;
            let same_centre = simd.is_at_most(simd.max(magnitude(simd, x), magnitude(simd, y)), zero);
            let slow = simd.is_less(speed_squared, simd.splat(*resting_squared));
            each_bit((deep | !slow | same_centre) & there, |k| {
                let [lower, upper] = lower_upper[k as usize];
                impacting.push([lower.min(upper), lower.max(upper)]);
            });
            let (away_x, away_y, excess) = (simd.store(away_x), simd.store(away_y), simd.store(excess));
            let down = simd.store(simd.mul(push, simd.load(&filled(lower_share))));
            let up = simd.store(simd.mul(push, simd.load(&filled(upper_share))));
            each_bit(touch & there, |k| {
                let k = k as usize;
                let [lower, upper] = lower_upper[k];
                let away = Vec2::new(away_x[k], away_y[k]);
                // The contacts of one lower disc come one behind the other.
                if lower != below {
                    velocity[below as usize] += pushed_down;
                    (below, pushed_down) = (lower, Vec2::ZERO);
                }
                pushed_down -= away * down[k];
                velocity[upper as usize] += away * up[k];
                contacts.push(RestingContact { lower, upper, away, excess: excess[k] });
            });
        }
        if let Some(velocity) = velocity.get_mut(below as usize) {
            *velocity += pushed_down;
        }
    }
}

/// The square of (angular frequency of a contact times length of a substep). For six neighbours the explicit integration of
/// spring and damper is stable as long as `6 DAMPING + 3 STIFFNESS < 4`.
pub(in crate::collision) const STIFFNESS: f32 = 0.6;

/// The share of the relative speed along the normal that the damper takes in a substep.
pub(in crate::collision) const DAMPING: f32 = 0.3;
