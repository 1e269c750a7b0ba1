//! Springs and dampers in the contacts of a pile.

use bevy::prelude::*;

use crate::collision::{
    discs::Discs,
    resting::{
        pairs::RestingPairs,
        state::{Resting, RestingContact, RestingLimits, RestingSubstep},
    },
    simd::{
        Kernel, SimdLevel, SimdWidth,
        kernels::{WIDE, each_bit},
    },
};

/// The stiffness of a contact, as the square of its angular frequency times the length of a substep; dimensionless.
/// With six neighbours, the explicit integration of spring and damper is stable while `6 DAMPING + 3 STIFFNESS < 4`.
/// These two make 3.6.
pub const STIFFNESS: f32 = 0.6;

/// The share of the relative speed along the normal that the damper removes in a substep; see [`STIFFNESS`].
const DAMPING: f32 = 0.3;

/// Finds the contacts at rest and applies their springs and dampers.
pub fn act_by_springs(discs: &mut Discs, resting: &mut Resting, substep: f32, simd: SimdLevel) {
    let stiffness = STIFFNESS / substep;
    let (position, velocity) = (&discs.position, &mut discs.velocity);
    let before = &mut resting.substep.before;
    before.clear();
    before.extend(position.iter().zip(&*velocity).map(|(position, velocity)| {
        let ([x, y], [vx, vy]) = (position.to_array(), velocity.to_array());
        [x, y, vx, vy]
    }));
    let (pairs, limits, substep) = (&resting.tick.pairs, resting.limits, &mut resting.substep);
    simd.run(Springs { pairs, limits, substep, velocity, stiffness });
}

/// All springs use the state before any of them acts, so that many can be computed at once.
struct Springs<'a> {
    pairs: &'a RestingPairs,
    limits: RestingLimits,
    substep: &'a mut RestingSubstep,
    velocity: &'a mut [Vec2],
    stiffness: f32,
}

impl Kernel for Springs<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: SimdWidth>(self, simd: W) {
        let Self { pairs, limits, substep, velocity, stiffness } = self;
        let RestingSubstep { contacts, impacting, before, pushed_down, .. } = substep;
        impacting.clear();
        // Adding this changes nothing, not even the sign of a zero.
        pushed_down.clear();
        pushed_down.resize(velocity.len(), Vec2::splat(-0.0));
        contacts.resize(pairs.lower_upper().len(), RestingContact::default());
        let mut count = 0;
        let (slots, pushed_down) = (&mut contacts[..], &mut pushed_down[..velocity.len()]);
        for at in 0..pairs.block_count() {
            let block = pairs.block(at);
            // The position and the velocity of the upper disc relative to the lower one.
            let from = simd.rows::<0>(before, block.lower_upper);
            let to = simd.rows::<1>(before, block.lower_upper);
            let [x, y, vx, vy] = simd.columns([
                simd.sub(to[0], from[0]),
                simd.sub(to[1], from[1]),
                simd.sub(to[2], from[2]),
                simd.sub(to[3], from[3]),
            ]);
            let [x, y] = limits.cell.map_or([x, y], |cell| cell.nearest_of_many(simd, [x, y]));
            let (sum, loaded) = (simd.load(block.sum), simd.load(block.loaded));
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
            let slow = simd.is_less(speed_squared, simd.splat(limits.resting_squared));
            each_bit((deep | !slow | same_centre) & block.there, |k| {
                let [lower, upper] = block.lower_upper[k as usize];
                impacting.push([lower.min(upper), lower.max(upper)]);
            });
            let down = simd.mul(push, simd.load(block.lower_share));
            let up = simd.mul(push, simd.load(block.upper_share));
            let down = simd.points(simd.mul(away_x, down), simd.mul(away_y, down));
            let up = simd.points(simd.mul(away_x, up), simd.mul(away_y, up));
            let (away, excess) = (simd.points(away_x, away_y), simd.store(excess));
            let mut touching = touch & block.there;
            while touching != 0 {
                let k = touching.trailing_zeros() as usize % WIDE;
                touching &= touching - 1;
                let [lower, upper] = block.lower_upper[k];
                // Each disc is pushed up by all lower ones before it is pushed down itself, so the sums may be kept
                // separate.
                pushed_down[lower as usize] -= down[k];
                velocity[upper as usize] += up[k];
                slots[count] = RestingContact { lower, upper, away: away[k], excess: excess[k] };
                count += 1;
            }
        }
        contacts.truncate(count);
        for (velocity, &pushed_down) in velocity.iter_mut().zip(&*pushed_down) {
            *velocity += pushed_down;
        }
    }
}

/// The absolute values.
#[inline(always)]
fn magnitude<W: SimdWidth>(simd: W, values: W::Floats) -> W::Floats {
    simd.max(values, simd.sub(simd.splat(0.0), values))
}
