//! The candidate pairs of a pile from the lowest to the highest, with what does not change within a tick.

use bevy::prelude::*;

use crate::collision::{
    resting::{
        FEW,
        pile::{Pile, sort_few},
        supporting,
    },
    simd::{
        Kernel, SimdLevel, SimdWidth,
        kernels::{WIDE, insertion_sort, radix_sort},
        max, min,
    },
    space::Discs,
};

/// How the pairs were sorted.
#[derive(Clone, Debug, Default)]
pub(in crate::collision) struct Sorting {
    /// The heights, as whole numbers in the same order, and the discs; and memory for sorting them.
    pub(in crate::collision) entries: [Vec<(u32, u32)>; 2],
    /// The place of each disc by height; of equal heights the lower number comes first.
    pub(in crate::collision) rank: Vec<u32>,
    /// The rank of the lower disc of each pair, and where the pairs of each rank begin.
    pub(in crate::collision) lower: Vec<u32>,
    pub(in crate::collision) first: Vec<u32>,
    /// From what `sorted` and the tops were made. A pile at rest need not be sorted again.
    pub(in crate::collision) height: Vec<f32>,
    pub(in crate::collision) position: Vec<Vec2>,
    pub(in crate::collision) radius: Vec<f32>,
    pub(in crate::collision) pairs: Vec<[u32; 2]>,
    pub(in crate::collision) sorted: Vec<[u32; 2]>,
}

/// Pairs of discs as a structure of arrays, with what does not change within a tick.
#[derive(Clone, Debug, Default)]
pub(in crate::collision) struct RestingPairs {
    /// The lower disc, then the upper one.
    pub(in crate::collision) lower_upper: Vec<[u32; 2]>,
    /// The sum of the radii, metres.
    pub(in crate::collision) sum: Vec<f32>,
    /// The overlap that the weight of what may lie above explains, metres; what is deeper is pushed apart.
    pub(in crate::collision) loaded: Vec<f32>,
    /// The spring's mass over that of the lower disc.
    pub(in crate::collision) lower_share: Vec<f32>,
    /// The spring's mass over that of the upper disc.
    pub(in crate::collision) upper_share: Vec<f32>,
}

impl Pile {
    /// Takes over the pairs of a tick, in order, with what does not change within it.
    pub(in crate::collision) fn begin_tick(&mut self, discs: &Discs, pairs: &[[u32; 2]], simd: SimdLevel) {
        let Self { height, up, .. } = self;
        height.clear();
        height.extend(discs.position.iter().map(|position| position.dot(*up)));
        let made = &self.sorting;
        let same = made.position == discs.position && made.radius == discs.radius && made.height == *height;
        if !height.is_empty() && same && made.pairs == pairs {
            self.candidates.take(&self.sorting.sorted);
        } else {
            self.sort(pairs);
            self.find_tops(discs);
            // Only a pile in which nothing moves can be the same in the next tick.
            if !self.still.is_empty() && !self.still.contains(&false) {
                self.sorting.height.clone_from(&self.height);
                self.sorting.position.clone_from(&discs.position);
                self.sorting.radius.clone_from(&discs.radius);
                self.sorting.pairs.clear();
                self.sorting.pairs.extend_from_slice(pairs);
            }
        }
        self.measure(discs, simd);
    }

    /// Takes over pairs in the order of the height of their lower disc; where that is the same, of their numbers. Each is taken
    /// once. The order is exact, so it does not depend on what else is there.
    pub(in crate::collision) fn sort(&mut self, pairs: &[[u32; 2]]) {
        let Self { height, candidates, sorting, .. } = self;
        // It is made from no tick's beginning, until `begin_tick` says so.
        sorting.height.clear();
        sorting.pairs.clear();
        let Sorting { entries: [entries, spare], rank, lower, first, sorted, .. } = sorting;
        let key = |height: f32| {
            let bits = height.to_bits();
            // Negative numbers are in the opposite order, and before the others.
            if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
        };
        // Few discs change places from tick to tick.
        let again = entries.len() == height.len() && {
            for (at, disc) in entries.iter_mut() {
                *at = key(height[*disc as usize]);
            }
            insertion_sort(entries, 4 * height.len())
        };
        if !again {
            entries.clear();
            entries.extend(height.iter().zip(0..).map(|(height, disc)| (key(*height), disc)));
            radix_sort(entries, spare, 32);
        }
        rank.resize(entries.len(), 0);
        for (&(_, disc), place) in entries.iter().zip(0..) {
            rank[disc as usize] = place;
        }
        // The pairs by the rank of their lower disc, by counting.
        first.clear();
        first.resize(rank.len() + 1, 0);
        lower.clear();
        lower.extend(pairs.iter().map(|&[a, b]| {
            let lower = rank[a as usize].min(rank[b as usize]);
            first[lower as usize + 1] += 1;
            lower
        }));
        let mut before = 0;
        for first in &mut *first {
            before += *first;
            *first = before;
        }
        sorted.resize(pairs.len(), [0; 2]);
        for (&pair, &lower) in pairs.iter().zip(&*lower) {
            let slot = &mut first[lower as usize];
            sorted[*slot as usize] = pair;
            *slot += 1;
        }
        // Each slot has moved to where the pairs of its disc end.
        let mut start = 0;
        for &end in &first[..rank.len()] {
            let end = end as usize;
            sort_few(&mut sorted[start..end]);
            start = end;
        }
        sorted.dedup();
        candidates.take(sorted);
    }

    /// Takes over a few more pairs in the middle of a tick, each to its place.
    pub(in crate::collision) fn take_more(&mut self, discs: &Discs, pairs: &[[u32; 2]]) {
        let Self { height, tops, per_layer, candidates, asleep, sorting: Sorting { rank, .. }, .. } = self;
        let key = |[a, b]: [u32; 2]| (rank[a as usize].min(rank[b as usize]), a.min(b), a.max(b));
        for &[a, b] in pairs {
            let Err(at) = candidates.lower_upper.binary_search_by_key(&key([a, b]), |&pair| key(pair)) else {
                continue;
            };
            let (i, j) = (a as usize, b as usize);
            if !asleep.is_empty() && asleep[i] && asleep[j] {
                continue;
            }
            let (lower, upper) = if height[j] < height[i] { (j, i) } else { (i, j) };
            let sum = discs.radius[i] + discs.radius[j];
            let above = max(tops[i], tops[j]) - min(height[i], height[j]);
            let lighter = 0.5 * min(discs.mass[i], discs.mass[j]);
            candidates.lower_upper.insert(at, [lower as u32, upper as u32]);
            candidates.sum.insert(at, sum);
            candidates.loaded.insert(at, *per_layer * (2.0 + above / sum));
            candidates.lower_share.insert(at, lighter / discs.mass[lower]);
            candidates.upper_share.insert(at, lighter / discs.mass[upper]);
        }
    }

    /// Takes over the pairs that came up only when everybody had moved, where they overlap by now and approached too fast to be at
    /// rest: they too are left to `PushApart`. So it makes no difference when a pair came up.
    pub(in crate::collision) fn take_impacting(&mut self, discs: &Discs, pairs: &[[u32; 2]], list: u64) {
        let Self { before, impacting, resting_squared, asleep, sorting: Sorting { rank, .. }, taken, .. } = self;
        let pairs = if taken.0 == list { pairs.get(taken.1..).unwrap_or(&[]) } else { pairs };
        if before.len() != discs.len() {
            return;
        }
        let key = |[a, b]: [u32; 2]| (rank[a as usize].min(rank[b as usize]), a, b);
        for &[a, b] in pairs {
            let (i, j) = (a as usize, b as usize);
            let sum = discs.radius[i] + discs.radius[j];
            if !(discs.position[i].distance_squared(discs.position[j]) < sum * sum) {
                continue;
            }
            let (vx, vy) = (before[j][2] - before[i][2], before[j][3] - before[i][3]);
            if vx * vx + vy * vy < *resting_squared || !asleep.is_empty() && asleep[i] && asleep[j] {
                continue;
            }
            if pairs.len() > FEW {
                impacting.push([a, b]);
            } else if let Err(at) = impacting.binary_search_by_key(&key([a, b]), |&pair| key(pair)) {
                impacting.insert(at, [a, b]);
            }
        }
        if pairs.len() > FEW {
            impacting.sort_unstable_by_key(|&pair| key(pair));
            impacting.dedup();
        }
    }

    /// Finds how far up what may weigh on each disc reaches, from the highest pair to the lowest.
    pub(in crate::collision) fn find_tops(&mut self, discs: &Discs) {
        let Self { height, tops, sorting: Sorting { sorted, .. }, .. } = self;
        tops.clone_from(height);
        for &[a, b] in sorted.iter().rev() {
            let (a, b) = (a as usize, b as usize);
            let (lower, upper) = if height[b] < height[a] { (b, a) } else { (a, b) };
            if tops[upper] > tops[lower] && supporting(discs, lower, upper) {
                tops[lower] = tops[upper];
            }
        }
    }

    /// Records what does not change within a tick.
    pub(in crate::collision) fn measure(&mut self, discs: &Discs, simd: SimdLevel) {
        simd.run(Measure { pile: self, discs });
    }
}

/// Puts the lower disc of each candidate pair in front, and records what does not change within a tick.
pub(in crate::collision) struct Measure<'a> {
    pile: &'a mut Pile,
    discs: &'a Discs,
}

impl Kernel for Measure<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: SimdWidth>(self, simd: W) {
        let Pile { candidates, height, per_layer, tops, measures, .. } = self.pile;
        let RestingPairs { lower_upper, sum, loaded, lower_share, upper_share } = candidates;
        let Discs { radius, mass, .. } = self.discs;
        measures.clear();
        let columns = height.iter().zip(tops).zip(radius.iter().zip(mass));
        measures.extend(columns.map(|((height, top), (radius, mass))| [*height, *top, *radius, *mass]));
        let constants = sum.chunks_mut(WIDE).zip(loaded.chunks_mut(WIDE));
        let shares = lower_share.chunks_mut(WIDE).zip(upper_share.chunks_mut(WIDE));
        for ((lower_upper, (sum, loaded)), (lower_share, upper_share)) in
            lower_upper.chunks_mut(WIDE).zip(constants).zip(shares)
        {
            let mut rows = [[[1.0_f32; 4]; WIDE]; 2];
            for (k, pair) in lower_upper.iter_mut().enumerate() {
                let mut both = [measures[pair[0] as usize], measures[pair[1] as usize]];
                if both[1][0] < both[0][0] {
                    pair.swap(0, 1);
                    both.swap(0, 1);
                }
                [rows[0][k], rows[1][k]] = both;
            }
            let [height, top_lower, radius_lower, mass_lower] = simd.columns(&rows[0]);
            let [_, top_upper, radius_upper, mass_upper] = simd.columns(&rows[1]);
            let radii = simd.add(radius_lower, radius_upper);
            let above = simd.sub(simd.max(top_lower, top_upper), height);
            let layers = simd.add(simd.splat(2.0), simd.div(above, radii));
            let deepest = simd.mul(simd.splat(*per_layer), layers);
            // Half of the lighter mass is the reduced mass of equal discs, and keeps a light disc among heavy ones stable.
            let lighter = simd.mul(simd.splat(0.5), simd.min(mass_lower, mass_upper));
            let count = lower_upper.len();
            sum.copy_from_slice(&simd.store(radii)[..count]);
            loaded.copy_from_slice(&simd.store(deepest)[..count]);
            lower_share.copy_from_slice(&simd.store(simd.div(lighter, mass_lower))[..count]);
            upper_share.copy_from_slice(&simd.store(simd.div(lighter, mass_upper))[..count]);
        }
    }
}

impl RestingPairs {
    /// Takes over pairs; the rest is to be measured.
    pub(in crate::collision) fn take(&mut self, pairs: &[[u32; 2]]) {
        self.resize(pairs.len());
        self.lower_upper.copy_from_slice(pairs);
    }

    /// Keeps the pairs of which `stays` says so.
    pub(in crate::collision) fn retain(&mut self, stays: impl Fn(u32, u32) -> bool) {
        let mut kept = 0;
        for at in 0..self.lower_upper.len() {
            let [lower, upper] = self.lower_upper[at];
            if stays(lower, upper) {
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

    pub(in crate::collision) fn resize(&mut self, count: usize) {
        self.lower_upper.resize(count, [0; 2]);
        for values in [&mut self.sum, &mut self.loaded, &mut self.lower_share, &mut self.upper_share] {
            values.resize(count, 0.0);
        }
    }
}
