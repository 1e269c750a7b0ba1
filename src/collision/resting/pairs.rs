//! The candidate pairs of a tick as a structure of arrays, with everything that is constant within it.

use crate::collision::{
    resting::state::RestingLimits,
    simd::{Kernel, SimdWidth, kernels::WIDE},
};

/// Pairs of discs, from the lowest to the highest. All columns are padded to whole blocks of sixteen, with pairs of a
/// disc and itself.
#[derive(Clone, Debug, Default)]
pub struct RestingPairs {
    count: usize,
    /// The lower disc, then the upper disc.
    lower_upper: Vec<[u32; 2]>,
    /// The sum of the radii, metres.
    sum: Vec<f32>,
    /// The overlap that the weight of the discs above may cause, metres; anything deeper is pushed apart.
    loaded: Vec<f32>,
    /// The mass of the spring divided by the mass of the lower disc.
    lower_share: Vec<f32>,
    /// The mass of the spring divided by the mass of the upper disc.
    upper_share: Vec<f32>,
}

/// Sixteen pairs.
pub struct PairBlock<'a> {
    /// The pairs that exist, as bits.
    pub there: u32,
    pub lower_upper: &'a [[u32; 2]; WIDE],
    pub sum: &'a [f32; WIDE],
    pub loaded: &'a [f32; WIDE],
    pub lower_share: &'a [f32; WIDE],
    pub upper_share: &'a [f32; WIDE],
}

impl RestingPairs {
    /// The pairs, the lower disc first.
    pub fn lower_upper(&self) -> &[[u32; 2]] {
        &self.lower_upper[..self.count]
    }

    /// The number of blocks of sixteen.
    pub fn block_count(&self) -> usize {
        self.lower_upper.len() / WIDE
    }

    /// The block with this number.
    #[inline(always)]
    pub fn block(&self, at: usize) -> PairBlock<'_> {
        let left = self.count - at * WIDE;
        PairBlock {
            there: if left < WIDE { (1 << left) - 1 } else { u32::MAX >> (32 - WIDE) },
            lower_upper: &self.lower_upper.as_chunks().0[at],
            sum: &self.sum.as_chunks().0[at],
            loaded: &self.loaded.as_chunks().0[at],
            lower_share: &self.lower_share.as_chunks().0[at],
            upper_share: &self.upper_share.as_chunks().0[at],
        }
    }

    /// Sets the pairs; the other columns must be measured afterwards.
    pub fn take(&mut self, pairs: &[[u32; 2]]) {
        self.resize(pairs.len());
        self.lower_upper[..pairs.len()].copy_from_slice(pairs);
    }

    /// Keeps the pairs for which `stays` returns true.
    pub fn retain(&mut self, mut stays: impl FnMut(usize, usize) -> bool) {
        let mut kept = 0;
        for at in 0..self.count {
            let [lower, upper] = self.lower_upper[at];
            if stays(lower as usize, upper as usize) {
                self.lower_upper[kept] = self.lower_upper[at];
                self.sum[kept] = self.sum[at];
                self.loaded[kept] = self.loaded[at];
                self.lower_share[kept] = self.lower_share[at];
                self.upper_share[kept] = self.upper_share[at];
                kept += 1;
            }
        }
        self.resize(kept);
    }

    /// Inserts pairs, each before the one currently at its place; the places are in order. The other columns must be
    /// measured afterwards.
    pub fn insert(&mut self, new: &[(usize, [u32; 2])]) {
        let count = self.count;
        self.resize(count + new.len());
        open(&mut self.lower_upper, count, new);
        for values in [&mut self.sum, &mut self.loaded, &mut self.lower_share, &mut self.upper_share] {
            open(values, count, new);
        }
        for (before, &(place, pair)) in new.iter().enumerate() {
            self.lower_upper[place + before] = pair;
        }
    }

    fn resize(&mut self, count: usize) {
        let whole = count.next_multiple_of(WIDE);
        self.count = count;
        self.lower_upper.truncate(count);
        self.lower_upper.resize(whole, [0; 2]);
        for values in [&mut self.sum, &mut self.loaded, &mut self.lower_share, &mut self.upper_share] {
            values.resize(whole, 0.0);
        }
    }
}

/// Moves values up to make room at some places; `count` is their number before.
fn open<T: Copy>(values: &mut [T], count: usize, new: &[(usize, [u32; 2])]) {
    let mut end = count;
    for (before, &(place, _)) in new.iter().enumerate().rev() {
        values.copy_within(place..end, place + before + 1);
        end = place;
    }
}

/// Computes the constant columns of a tick, for some blocks of pairs.
pub struct Measure<'a> {
    pub pairs: &'a mut RestingPairs,
    pub blocks: std::ops::Range<usize>,
    /// Height, top, radius and mass of each disc.
    pub measures: &'a [[f32; 4]],
    pub limits: RestingLimits,
}

impl Kernel for Measure<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: SimdWidth>(self, simd: W) {
        let Self { pairs, blocks, measures, limits } = self;
        let RestingPairs { lower_upper, sum, loaded, lower_share, upper_share, .. } = pairs;
        for at in blocks {
            let lower_upper = &lower_upper.as_chunks().0[at];
            let [height, top_lower, radius_lower, mass_lower] = simd.columns(simd.rows::<0>(measures, lower_upper));
            let [_, top_upper, radius_upper, mass_upper] = simd.columns(simd.rows::<1>(measures, lower_upper));
            let radii = simd.store(simd.add(radius_lower, radius_upper));
            let above = simd.store(simd.sub(simd.max(top_lower, top_upper), height));
            let loaded = &mut loaded.as_chunks_mut::<WIDE>().0[at];
            for k in 0..WIDE {
                loaded[k] = limits.load_overlap(above[k], radii[k]);
            }
            sum.as_chunks_mut().0[at] = radii;
            // Half of the lighter mass is the reduced mass of equal discs, and keeps a light disc among heavy ones
            // stable.
            let lighter = simd.mul(simd.splat(0.5), simd.min(mass_lower, mass_upper));
            lower_share.as_chunks_mut().0[at] = simd.store(simd.div(lighter, mass_lower));
            upper_share.as_chunks_mut().0[at] = simd.store(simd.div(lighter, mass_upper));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::simd::SimdLevel;

    fn measured(mut pairs: RestingPairs) -> RestingPairs {
        let measures: Vec<[f32; 4]> = (0..100).map(|k| [k as f32, 100.0, 1.0 + k as f32, 2.0]).collect();
        let (blocks, limits) = (0..pairs.block_count(), RestingLimits { per_layer: 1e-3, ..Default::default() });
        SimdLevel::default().run(Measure { pairs: &mut pairs, blocks, measures: &measures, limits });
        pairs
    }

    #[test]
    fn pairs_that_are_inserted_or_left_out_leave_the_others_with_what_is_theirs() {
        let all: Vec<[u32; 2]> = (0..99).map(|k| [k, k + 1]).collect();
        for every in [1, 2, 3, 17, 98, 200] {
            let is_new = |[lower, _]: &[u32; 2]| lower % every == every / 2;
            let mut pairs = RestingPairs::default();
            pairs.take(&all);
            let expected = measured(pairs.clone());
            let mut pairs = measured(pairs);
            pairs.retain(|lower, upper| !is_new(&[lower as u32, upper as u32]));
            let mut old = all.clone();
            old.retain(|pair| !is_new(pair));
            assert_eq!(pairs.lower_upper(), old);
            let new = all.iter().filter(|pair| is_new(pair)).map(|pair| (old.partition_point(|old| old < pair), *pair));
            pairs.insert(&new.collect::<Vec<_>>());
            assert_eq!(pairs.lower_upper(), all);
            for (k, pair) in all.iter().enumerate().filter(|(_, pair)| !is_new(pair)) {
                assert_eq!([pairs.sum[k], pairs.loaded[k]], [expected.sum[k], expected.loaded[k]], "{pair:?}");
            }
            let pairs = measured(pairs);
            assert_eq!((&pairs.sum, &pairs.upper_share), (&expected.sum, &expected.upper_share));
        }
    }
}
