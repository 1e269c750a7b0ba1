//! The state of a pile within a substep, and how deep an overlap the load of a contact explains. The contacts themselves are found in
//! `springs`, those with terrain in the step itself.

use bevy::prelude::*;

use crate::collision::{
    resting::pairs::{RestingPairs, Sorting},
    simd::{SimdWidth, max},
};

/// What the steps of one substep know of the pile.
#[derive(Clone, Debug, Default)]
pub(in crate::collision) struct Pile {
    /// Whether discs can be at rest in this substep.
    pub(in crate::collision) acts: bool,
    /// The pairs that are not at rest on each other, and so are left to `PushApart` and `Impulse`.
    pub(in crate::collision) impacting: Vec<[u32; 2]>,
    /// The square of the resting speed, m²/s².
    pub(in crate::collision) resting_squared: f32,
    /// Against gravity.
    pub(in crate::collision) up: Vec2,
    /// How much overlap the weight of a single disc may cause, metres.
    pub(in crate::collision) per_layer: f32,
    /// The candidate pairs of this tick, from the lowest to the highest.
    pub(in crate::collision) candidates: RestingPairs,
    /// The tick for which they were sorted.
    pub(in crate::collision) tick: u64,
    /// How high each disc is, metres along `up`.
    pub(in crate::collision) height: Vec<f32>,
    /// How high the highest disc is that may weigh on each disc, through others that touch, metres along `up`.
    pub(in crate::collision) tops: Vec<f32>,
    /// Which list of pairs `candidates` was made of, and how long that was.
    pub(in crate::collision) taken: (u64, usize),
    pub(in crate::collision) sorting: Sorting,
    /// Height, top, radius and mass of each disc.
    pub(in crate::collision) measures: Vec<[f32; 4]>,
    /// The contacts at rest, from the lowest to the highest.
    pub(in crate::collision) contacts: Vec<RestingContact>,
    /// The discs that rest on terrain, and the direction away from it.
    pub(in crate::collision) grounded: Vec<(u32, Vec2)>,
    /// The discs that the sweep has moved; some more than once.
    pub(in crate::collision) lifted: Vec<u32>,
    /// Position and velocity of each disc before the springs act.
    pub(in crate::collision) before: Vec<[f32; 4]>,
    /// Below this speed discs may sleep, m/s; zero if none does.
    pub(in crate::collision) sleep_speed: f32,
    /// How many substeps of this tick are over.
    pub(in crate::collision) substeps: u32,
    /// Which discs stood still where the tick began; none if none may sleep.
    pub(in crate::collision) still: Vec<bool>,
    /// Which discs sleep in this tick; none if none may.
    pub(in crate::collision) asleep: Vec<bool>,
    /// Whether a disc was woken since `candidates` were made.
    pub(in crate::collision) woken: bool,
    /// How many contacts were at rest in the first substep of this tick.
    pub(in crate::collision) resting: usize,
}

/// A contact at rest.
#[derive(Clone, Copy, Debug)]
pub(in crate::collision) struct RestingContact {
    pub(in crate::collision) lower: u32,
    pub(in crate::collision) upper: u32,
    /// From the lower to the upper disc.
    pub(in crate::collision) away: Vec2,
    /// How much deeper the overlap is than any load explains, metres; zero or less for most.
    pub(in crate::collision) excess: f32,
}

/// Overlaps of so many times the weight that lies above are put down to it; arches and walls make some contacts carry more
/// than others.
pub(in crate::collision) const ARCHING: f32 = 16.0;

impl Pile {
    /// The overlap, in metres, that the weight of what may lie above explains.
    pub(in crate::collision) fn load_overlap(&self, position: &[Vec2], radius: &[f32], [i, j]: [usize; 2]) -> f32 {
        let lower = position[i].dot(self.up).min(position[j].dot(self.up));
        let top = |i: usize| self.tops.get(i).copied().unwrap_or(lower);
        let above = max(top(i), top(j)) - lower;
        self.per_layer * (2.0 + max(above, 0.0) / (radius[i] + radius[j]))
    }
}

/// Sorts the pairs of one disc: mostly two or three, whose order nobody can guess, so up to four are sorted without branches.
pub(in crate::collision) fn sort_few(pairs: &mut [[u32; 2]]) {
    let order = |pairs: &mut [[u32; 2]], i: usize, j: usize| {
        let key = |[a, b]: [u32; 2]| u64::from(a) << 32 | u64::from(b);
        let pair = |key: u64| [(key >> 32) as u32, key as u32];
        let (a, b) = (key(pairs[i]), key(pairs[j]));
        (pairs[i], pairs[j]) = (pair(a.min(b)), pair(a.max(b)));
    };
    match pairs {
        [] | [_] => {}
        [_, _] => order(pairs, 0, 1),
        [_, _, _] => {
            order(pairs, 0, 1);
            order(pairs, 1, 2);
            order(pairs, 0, 1);
        }
        [_, _, _, _] => {
            order(pairs, 0, 1);
            order(pairs, 2, 3);
            order(pairs, 0, 2);
            order(pairs, 1, 3);
            order(pairs, 1, 2);
        }
        _ => pairs.sort_unstable_by_key(|&[a, b]| u64::from(a) << 32 | u64::from(b)),
    }
}

/// The absolute values.
#[inline(always)]
pub(in crate::collision) fn magnitude<W: SimdWidth>(simd: W, values: W::Floats) -> W::Floats {
    simd.max(values, simd.sub(simd.splat(0.0), values))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_pairs_are_sorted_like_many() {
        for count in 0..7_u32 {
            for turn in 0..5040_u32 {
                let pair = |k: u32| [(k * 7 + turn) % 5, (k * 11 + turn / 7) % 6];
                let mut pairs: Vec<[u32; 2]> = (0..count).map(pair).collect();
                let mut expected = pairs.clone();
                expected.sort_unstable();
                sort_few(&mut pairs);
                assert_eq!(pairs, expected);
            }
        }
    }
}
