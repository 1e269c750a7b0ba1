//! Sorts the candidate pairs by the height of their lower disc, at equal heights by the index of the lower and then of
//! the upper disc. The order is exact, so it does not depend on the rest of the scene.

use bevy::prelude::*;

use crate::collision::{
    discs::Discs,
    simd::kernels::{insertion_sort, radix_sort},
};

/// The pairs in order, their source, and memory for sorting.
#[derive(Clone, Debug, Default)]
pub struct HeightOrder {
    /// Each pair once, the lower disc first, from the lowest to the highest.
    pub pairs: Vec<[u32; 2]>,
    /// The rank of each disc by height; at equal heights the lower index comes first.
    rank: Vec<u32>,
    /// The source of the order, at the start of a tick in which nothing moved. Such a pile need not be sorted again.
    source: Source,
    /// The heights, as integers in the same order, with the discs; and memory for sorting them.
    entries: [Vec<(u32, u32)>; 2],
    /// The rank of the lower disc of each pair, and the upper disc.
    ranked: Vec<[u32; 2]>,
    /// The start of the pairs of each rank; later their end.
    first: Vec<u32>,
    /// The upper discs, by the rank of the lower disc.
    uppers: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
struct Source {
    height: Vec<f32>,
    position: Vec<Vec2>,
    radius: Vec<f32>,
    pairs: Vec<[u32; 2]>,
}

/// Up to this many discs on one disc are sorted without branches. Usually there are two or three in an unpredictable
/// order.
const MAX_BRANCH_FREE: usize = 4;

impl HeightOrder {
    /// Whether the order was made of these discs and pairs.
    pub fn is_of(&self, height: &[f32], discs: &Discs, pairs: &[[u32; 2]]) -> bool {
        let Source { height: was, position, radius, pairs: were } = &self.source;
        let same = *position == discs.position && *radius == discs.radius && was == height;
        !height.is_empty() && same && were == pairs
    }

    /// Records the source of the order.
    pub fn record_source(&mut self, height: &[f32], discs: &Discs, pairs: &[[u32; 2]]) {
        let source = &mut self.source;
        height.clone_into(&mut source.height);
        source.position.clone_from(&discs.position);
        source.radius.clone_from(&discs.radius);
        pairs.clone_into(&mut source.pairs);
    }

    /// Sorts pairs; some of them may be listed twice.
    pub fn sort(&mut self, height: &[f32], pairs: &[[u32; 2]]) {
        self.source.height.clear();
        self.source.pairs.clear();
        self.rank_discs(height);
        self.scatter_uppers(pairs);
        let Self { pairs: sorted, entries: [entries, _], first, uppers, .. } = self;
        // Values written beyond one disc are overwritten by the next.
        sorted.resize(pairs.len() + MAX_BRANCH_FREE, [0; 2]);
        let mut start = 0;
        for (&(_, lower), &end) in entries.iter().zip(&*first) {
            let end = end as usize;
            if end - start <= MAX_BRANCH_FREE {
                let few = uppers[start..].first_chunk().unwrap_or(&[0; MAX_BRANCH_FREE]);
                let [a, b, c, d] = sorted_few(*few, end - start);
                if let Some(slots) = sorted[start..].first_chunk_mut() {
                    *slots = [[lower, a], [lower, b], [lower, c], [lower, d]];
                }
            } else {
                uppers[start..end].sort_unstable();
                for (slot, &upper) in sorted[start..end].iter_mut().zip(&uppers[start..end]) {
                    *slot = [lower, upper];
                }
            }
            start = end;
        }
        sorted.truncate(pairs.len());
        if sorted.windows(2).filter(|two| two[0] == two[1]).count() > 0 {
            sorted.dedup();
        }
    }

    /// The sort key of a pair, whichever disc comes first.
    pub fn key(&self, [a, b]: [u32; 2]) -> (u32, u32, u32) {
        (self.rank[a as usize].min(self.rank[b as usize]), a.min(b), a.max(b))
    }

    fn rank_discs(&mut self, height: &[f32]) {
        let Self { entries: [entries, spare], rank, .. } = self;
        let key = |height: f32| {
            let bits = height.to_bits();
            // Negative numbers have the opposite order and come before the others.
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
    }

    /// A counting sort of the pairs by the rank of their lower disc.
    fn scatter_uppers(&mut self, pairs: &[[u32; 2]]) {
        let Self { rank, ranked, first, uppers, .. } = self;
        let rank = &rank[..];
        first.clear();
        first.resize(rank.len(), 0);
        ranked.clear();
        ranked.extend(pairs.iter().map(|&[a, b]| {
            let (rank_a, rank_b) = (rank[a as usize], rank[b as usize]);
            let (lower, upper) = if rank_a < rank_b { (rank_a, b) } else { (rank_b, a) };
            first[lower as usize] += 1;
            [lower, upper]
        }));
        let mut next = 0;
        for first in &mut *first {
            (*first, next) = (next, next + *first);
        }
        uppers.clear();
        uppers.resize(pairs.len() + MAX_BRANCH_FREE, 0);
        for &[lower, upper] in &*ranked {
            let slot = &mut first[lower as usize];
            uppers[*slot as usize] = upper;
            *slot += 1;
        }
    }
}

/// The first `count` of some numbers in order, with arbitrary values after them.
#[inline(always)]
fn sorted_few([a, b, c, d]: [u32; MAX_BRANCH_FREE], count: usize) -> [u32; MAX_BRANCH_FREE] {
    let there = |number: u32, k: usize| if k < count { number } else { u32::MAX };
    let (a, b, c, d) = (there(a, 0), there(b, 1), there(c, 2), there(d, 3));
    let (a, b, c, d) = (a.min(b), a.max(b), c.min(d), c.max(d));
    let (a, c, b, d) = (a.min(c), a.max(c), b.min(d), b.max(d));
    [a, b.min(c), b.max(c), d]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_are_sorted_like_many() {
        for turn in 0..4096_u32 {
            let all = [turn % 8, turn / 8 % 8, turn / 64 % 8, turn / 512];
            for count in 0..=MAX_BRANCH_FREE {
                let mut expected = all[..count].to_vec();
                expected.sort_unstable();
                assert_eq!(sorted_few(all, count)[..count], expected);
            }
        }
    }

    #[test]
    fn pairs_are_in_the_order_of_their_lower_discs_and_each_is_there_once() {
        let height: Vec<f32> = (0..50_u32).map(|k| ((k * 37 + 11) % 20) as f32 - 10.0).collect();
        let mut order = HeightOrder::default();
        for turn in 0..20_u32 {
            let pair = |k: u32| [(k * 7 + turn) % 50, (k * k + 3 * k + turn / 7) % 50];
            let apart = (0..turn * 12).map(pair).filter(|[a, b]| a != b);
            let pairs: Vec<[u32; 2]> = apart.map(|[a, b]| [a.min(b), a.max(b)]).collect();
            order.sort(&height, &pairs);
            let key = |&[a, b]: &[u32; 2]| {
                let lower = if height[b as usize] < height[a as usize] { b } else { a };
                (height[lower as usize] as i32, lower, a, b)
            };
            let mut expected = pairs.clone();
            expected.sort_unstable_by_key(key);
            expected.dedup();
            let sorted: Vec<[u32; 2]> = order.pairs.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
            assert_eq!(sorted, expected);
            assert!(order.pairs.iter().all(|&[lower, upper]| height[lower as usize] <= height[upper as usize]));
            assert!(order.pairs.is_sorted_by_key(|&pair| order.key(pair)));
        }
    }
}
