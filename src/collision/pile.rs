//! What lies on what: the pairs of discs of a tick from the lowest to the highest, and the springs in their contacts. The
//! data and the inner loops of `Settle`.

use bevy::prelude::*;

use super::{
    kernels::{WIDE, each_bit, filled, insertion_sort, radix_sort},
    lanes::{Job, Lanes, Sixteen, less, more},
    settle::{FEW, supporting},
    space::Bodies,
};

/// What the steps of one substep know of the pile.
#[derive(Clone, Debug, Default)]
pub(super) struct Pile {
    /// Whether discs can be at rest in this substep.
    pub(super) acts: bool,
    /// The pairs that are not at rest on each other, and so are left to `PushApart` and `Impulse`.
    pub(super) restless: Vec<[u32; 2]>,
    /// The square of the resting speed, m²/s².
    pub(super) resting_squared: f32,
    /// Against gravity.
    pub(super) up: Vec2,
    /// How much overlap the weight of a single disc may cause, metres.
    pub(super) per_layer: f32,
    /// The candidate pairs of this tick, from the lowest to the highest.
    pub(super) candidates: Candidates,
    /// The tick for which they were sorted.
    pub(super) tick: u64,
    /// How high each disc is, metres along `up`.
    pub(super) height: Vec<f32>,
    /// How high the highest disc is that may weigh on each disc, through others that touch, metres along `up`.
    pub(super) tops: Vec<f32>,
    /// Which list of pairs `candidates` was made of, and how long that was.
    pub(super) taken: (u64, usize),
    sorting: Sorting,
    /// Height, top, radius and mass of each disc.
    measures: Vec<[f32; 4]>,
    /// The contacts at rest, from the lowest to the highest.
    pub(super) contacts: Vec<Resting>,
    /// The discs that rest on terrain, and the direction away from it.
    pub(super) grounded: Vec<(u32, Vec2)>,
    /// The discs that the sweep has moved; some more than once.
    pub(super) swept: Vec<u32>,
    /// Position and velocity of each disc before the springs act.
    pub(super) before: Vec<[f32; 4]>,
    /// Below this speed discs may sleep, m/s; zero if none does.
    pub(super) sleep_speed: f32,
    /// How many substeps of this tick are over.
    pub(super) substeps: u32,
    /// Which discs stood still where the tick began; none if none may sleep.
    pub(super) still: Vec<bool>,
    /// Which discs sleep in this tick; none if none may.
    pub(super) asleep: Vec<bool>,
    /// Whether a disc was woken since `candidates` were made.
    pub(super) woken: bool,
    /// How many contacts were at rest in the first substep of this tick.
    pub(super) resting: usize,
}

/// How the pairs were sorted.
#[derive(Clone, Debug, Default)]
struct Sorting {
    /// The heights, as whole numbers in the same order, and the discs; and memory for sorting them.
    entries: [Vec<(u32, u32)>; 2],
    /// The place of each disc by height; of equal heights the lower number comes first.
    rank: Vec<u32>,
    /// The rank of the lower disc of each pair, and where the pairs of each rank begin.
    lower: Vec<u32>,
    first: Vec<u32>,
    /// From what `sorted` and the tops were made. A pile at rest need not be sorted again.
    height: Vec<f32>,
    position: Vec<Vec2>,
    radius: Vec<f32>,
    pairs: Vec<[u32; 2]>,
    sorted: Vec<[u32; 2]>,
}

/// Pairs of discs as a structure of arrays, with what does not change within a tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    /// The lower disc, then the upper one.
    pub(super) discs: Vec<[u32; 2]>,
    /// The sum of the radii, metres.
    pub(super) sum: Vec<f32>,
    /// The overlap that the weight of what may lie above explains, metres; what is deeper is pushed apart.
    pub(super) loaded: Vec<f32>,
    /// The spring's mass over that of the lower disc.
    pub(super) lower_share: Vec<f32>,
    /// The spring's mass over that of the upper disc.
    pub(super) upper_share: Vec<f32>,
}

/// A contact at rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resting {
    pub(super) lower: u32,
    pub(super) upper: u32,
    /// From the lower to the upper disc.
    pub(super) away: Vec2,
    /// How much deeper the overlap is than any load explains, metres; zero or less for most.
    pub(super) excess: f32,
}

/// The square of (angular frequency of a contact times length of a substep). For six neighbours the explicit integration of
/// spring and damper is stable as long as `6 DAMPING + 3 STIFFNESS < 4`.
pub(super) const STIFFNESS: f32 = 0.6;

/// The share of the relative speed along the normal that the damper takes in a substep.
pub(super) const DAMPING: f32 = 0.3;

/// Overlaps of so many times the weight that lies above are put down to it; arches and walls make some contacts carry more
/// than others.
pub(super) const ARCHING: f32 = 16.0;

impl Pile {
    /// The overlap, in metres, that the weight of what may lie above explains.
    pub(super) fn load_overlap(&self, position: &[Vec2], radius: &[f32], [i, j]: [usize; 2]) -> f32 {
        let lower = position[i].dot(self.up).min(position[j].dot(self.up));
        let top = |i: usize| self.tops.get(i).copied().unwrap_or(lower);
        let above = more(top(i), top(j)) - lower;
        self.per_layer * (2.0 + more(above, 0.0) / (radius[i] + radius[j]))
    }

    /// Takes over the pairs of a tick, in order, with what does not change within it.
    pub(super) fn begin_tick(&mut self, bodies: &Bodies, pairs: &[[u32; 2]], lanes: Lanes) {
        let Self { height, up, .. } = self;
        height.clear();
        height.extend(bodies.position.iter().map(|position| position.dot(*up)));
        let made = &self.sorting;
        let same = made.position == bodies.position && made.radius == bodies.radius && made.height == *height;
        if !height.is_empty() && same && made.pairs == pairs {
            self.candidates.take(&self.sorting.sorted);
        } else {
            self.sort(pairs);
            self.find_tops(bodies);
            // Only a pile in which nothing moves can be the same in the next tick.
            if !self.still.is_empty() && !self.still.contains(&false) {
                self.sorting.height.clone_from(&self.height);
                self.sorting.position.clone_from(&bodies.position);
                self.sorting.radius.clone_from(&bodies.radius);
                self.sorting.pairs.clear();
                self.sorting.pairs.extend_from_slice(pairs);
            }
        }
        self.measure(bodies, lanes);
    }

    /// Takes over pairs in the order of the height of their lower disc; where that is the same, of their numbers. Each is taken
    /// once. The order is exact, so it does not depend on what else is there.
    pub(super) fn sort(&mut self, pairs: &[[u32; 2]]) {
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
            entries.iter_mut().for_each(|(at, disc)| *at = key(height[*disc as usize]));
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
    pub(super) fn take_more(&mut self, bodies: &Bodies, pairs: &[[u32; 2]]) {
        let Self { height, tops, per_layer, candidates, asleep, sorting: Sorting { rank, .. }, .. } = self;
        let key = |[a, b]: [u32; 2]| (rank[a as usize].min(rank[b as usize]), a.min(b), a.max(b));
        for &[a, b] in pairs {
            let Err(at) = candidates.discs.binary_search_by_key(&key([a, b]), |&pair| key(pair)) else { continue };
            let (i, j) = (a as usize, b as usize);
            if !asleep.is_empty() && asleep[i] && asleep[j] {
                continue;
            }
            let (lower, upper) = if height[j] < height[i] { (j, i) } else { (i, j) };
            let sum = bodies.radius[i] + bodies.radius[j];
            let above = more(tops[i], tops[j]) - less(height[i], height[j]);
            let lighter = 0.5 * less(bodies.mass[i], bodies.mass[j]);
            candidates.discs.insert(at, [lower as u32, upper as u32]);
            candidates.sum.insert(at, sum);
            candidates.loaded.insert(at, *per_layer * (2.0 + above / sum));
            candidates.lower_share.insert(at, lighter / bodies.mass[lower]);
            candidates.upper_share.insert(at, lighter / bodies.mass[upper]);
        }
    }

    /// Takes over the pairs that came up only when everybody had moved, where they overlap by now and approached too fast to be at
    /// rest: they too are left to `PushApart`. So it makes no difference when a pair came up.
    pub(super) fn take_restless(&mut self, bodies: &Bodies, pairs: &[[u32; 2]], list: u64) {
        let Self { before, restless, resting_squared, asleep, sorting: Sorting { rank, .. }, taken, .. } = self;
        let pairs = if taken.0 == list { pairs.get(taken.1..).unwrap_or(&[]) } else { pairs };
        if before.len() != bodies.len() {
            return;
        }
        let key = |[a, b]: [u32; 2]| (rank[a as usize].min(rank[b as usize]), a, b);
        for &[a, b] in pairs {
            let (i, j) = (a as usize, b as usize);
            let sum = bodies.radius[i] + bodies.radius[j];
            if !(bodies.position[i].distance_squared(bodies.position[j]) < sum * sum) {
                continue;
            }
            let (vx, vy) = (before[j][2] - before[i][2], before[j][3] - before[i][3]);
            if vx * vx + vy * vy < *resting_squared || !asleep.is_empty() && asleep[i] && asleep[j] {
                continue;
            }
            if pairs.len() > FEW {
                restless.push([a, b]);
            } else if let Err(at) = restless.binary_search_by_key(&key([a, b]), |&pair| key(pair)) {
                restless.insert(at, [a, b]);
            }
        }
        if pairs.len() > FEW {
            restless.sort_unstable_by_key(|&pair| key(pair));
            restless.dedup();
        }
    }

    /// Finds how far up what may weigh on each disc reaches, from the highest pair to the lowest.
    fn find_tops(&mut self, bodies: &Bodies) {
        let Self { height, tops, sorting: Sorting { sorted, .. }, .. } = self;
        tops.clone_from(height);
        for &[a, b] in sorted.iter().rev() {
            let (a, b) = (a as usize, b as usize);
            let (lower, upper) = if height[b] < height[a] { (b, a) } else { (a, b) };
            if tops[upper] > tops[lower] && supporting(bodies, lower, upper) {
                tops[lower] = tops[upper];
            }
        }
    }

    /// Notes what does not change within a tick.
    pub(super) fn measure(&mut self, bodies: &Bodies, lanes: Lanes) {
        lanes.run(Measure { pile: self, bodies });
    }
}

/// Sorts the pairs of one disc: mostly two or three, whose order nobody can guess, so up to four are sorted without branches.
fn sort_few(pairs: &mut [[u32; 2]]) {
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

/// Puts the lower disc of each candidate pair in front, and notes what does not change within a tick.
struct Measure<'a> {
    pile: &'a mut Pile,
    bodies: &'a Bodies,
}

impl Job for Measure<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Sixteen>(self, lanes: L) {
        let Pile { candidates, height, per_layer, tops, measures, .. } = self.pile;
        let Candidates { discs, sum, loaded, lower_share, upper_share } = candidates;
        let Bodies { radius, mass, .. } = self.bodies;
        measures.clear();
        let columns = height.iter().zip(tops).zip(radius.iter().zip(mass));
        measures.extend(columns.map(|((height, top), (radius, mass))| [*height, *top, *radius, *mass]));
        let constants = sum.chunks_mut(WIDE).zip(loaded.chunks_mut(WIDE));
        let shares = lower_share.chunks_mut(WIDE).zip(upper_share.chunks_mut(WIDE));
        for ((discs, (sum, loaded)), (lower_share, upper_share)) in discs.chunks_mut(WIDE).zip(constants).zip(shares) {
            let mut rows = [[[1.0_f32; 4]; WIDE]; 2];
            for (k, pair) in discs.iter_mut().enumerate() {
                let mut both = [measures[pair[0] as usize], measures[pair[1] as usize]];
                if both[1][0] < both[0][0] {
                    pair.swap(0, 1);
                    both.swap(0, 1);
                }
                [rows[0][k], rows[1][k]] = both;
            }
            let [height, top_lower, radius_lower, mass_lower] = lanes.columns(&rows[0]);
            let [_, top_upper, radius_upper, mass_upper] = lanes.columns(&rows[1]);
            let radii = lanes.add(radius_lower, radius_upper);
            let above = lanes.sub(lanes.more(top_lower, top_upper), height);
            let layers = lanes.add(lanes.splat(2.0), lanes.div(above, radii));
            let deepest = lanes.mul(lanes.splat(*per_layer), layers);
            // Half of the lighter mass is the reduced mass of equal discs, and keeps a light disc among heavy ones stable.
            let lighter = lanes.mul(lanes.splat(0.5), lanes.less(mass_lower, mass_upper));
            let count = discs.len();
            sum.copy_from_slice(&lanes.store(radii)[..count]);
            loaded.copy_from_slice(&lanes.store(deepest)[..count]);
            lower_share.copy_from_slice(&lanes.store(lanes.div(lighter, mass_lower))[..count]);
            upper_share.copy_from_slice(&lanes.store(lanes.div(lighter, mass_upper))[..count]);
        }
    }
}

impl Candidates {
    /// Takes over pairs; the rest is to be measured.
    fn take(&mut self, pairs: &[[u32; 2]]) {
        self.resize(pairs.len());
        self.discs.copy_from_slice(pairs);
    }

    /// Keeps the pairs of which `stays` says so.
    pub(super) fn retain(&mut self, stays: impl Fn(u32, u32) -> bool) {
        let mut kept = 0;
        for at in 0..self.discs.len() {
            let [lower, upper] = self.discs[at];
            if stays(lower, upper) {
                self.discs[kept] = self.discs[at];
                self.sum[kept] = self.sum[at];
                self.loaded[kept] = self.loaded[at];
                self.lower_share[kept] = self.lower_share[at];
                self.upper_share[kept] = self.upper_share[at];
                kept += 1;
            }
        }
        self.resize(kept);
    }

    fn resize(&mut self, count: usize) {
        self.discs.resize(count, [0; 2]);
        for values in [&mut self.sum, &mut self.loaded, &mut self.lower_share, &mut self.upper_share] {
            values.resize(count, 0.0);
        }
    }
}

/// Finds the contacts at rest and lets their springs and dampers act.
///
/// All springs see the discs as they were before, so that many can be computed at once.
pub(super) struct Springs<'a> {
    pub(super) pile: &'a mut Pile,
    pub(super) velocity: &'a mut [Vec2],
    pub(super) stiffness: f32,
}

impl Job for Springs<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Sixteen>(self, lanes: L) {
        let Self { pile, velocity, stiffness } = self;
        let Pile { candidates, contacts, restless, before, resting_squared, .. } = pile;
        let Candidates { discs, sum, loaded, lower_share, upper_share } = candidates;
        contacts.clear();
        restless.clear();
        let constants = sum.chunks(WIDE).zip(loaded.chunks(WIDE));
        let shares = lower_share.chunks(WIDE).zip(upper_share.chunks(WIDE));
        let (mut below, mut pushed_down) = (0, Vec2::ZERO);
        for ((discs, (sum, loaded)), (lower_share, upper_share)) in discs.chunks(WIDE).zip(constants).zip(shares) {
            // The position and the velocity of the upper disc relative to the lower one.
            let mut relative = [[0.0_f32; 4]; WIDE];
            for (relative, &[lower, upper]) in relative.iter_mut().zip(discs) {
                let (from, to) = (before[lower as usize], before[upper as usize]);
                for k in 0..4 {
                    relative[k] = to[k] - from[k];
                }
            }
            let there = u32::MAX >> (32 - discs.len());
            let (sum, loaded) = (lanes.load(&filled(sum)), lanes.load(&filled(loaded)));
            let [x, y, vx, vy] = lanes.columns(&relative);
            let zero = lanes.splat(0.0);
            let squared = lanes.add(lanes.mul(x, x), lanes.mul(y, y));
            let distance = lanes.sqrt(squared);
            let per_distance = lanes.div(lanes.splat(1.0), distance);
            let overlap = lanes.sub(sum, distance);
            let (away_x, away_y) = (lanes.mul(x, per_distance), lanes.mul(y, per_distance));
            let parting = lanes.add(lanes.mul(vx, away_x), lanes.mul(vy, away_y));
            let spring = lanes.mul(lanes.splat(stiffness), lanes.less(overlap, loaded));
            let push = lanes.more(lanes.sub(spring, lanes.mul(lanes.splat(DAMPING), parting)), zero);
            let excess = lanes.sub(overlap, loaded);
            let speed_squared = lanes.add(lanes.mul(vx, vx), lanes.mul(vy, vy));
            let apart = lanes.is_less(zero, squared);
            let deep = lanes.is_less(zero, excess) & apart;
            let touch = lanes.is_less(zero, overlap) & apart;
            let same_centre = lanes.is_at_most(lanes.more(magnitude(lanes, x), magnitude(lanes, y)), zero);
            let slow = lanes.is_less(speed_squared, lanes.splat(*resting_squared));
            each_bit((deep | !slow | same_centre) & there, |k| {
                let [lower, upper] = discs[k as usize];
                restless.push([lower.min(upper), lower.max(upper)]);
            });
            let (away_x, away_y, excess) = (lanes.store(away_x), lanes.store(away_y), lanes.store(excess));
            let down = lanes.store(lanes.mul(push, lanes.load(&filled(lower_share))));
            let up = lanes.store(lanes.mul(push, lanes.load(&filled(upper_share))));
            each_bit(touch & there, |k| {
                let k = k as usize;
                let [lower, upper] = discs[k];
                let away = Vec2::new(away_x[k], away_y[k]);
                // The contacts of one lower disc come one behind the other.
                if lower != below {
                    velocity[below as usize] += pushed_down;
                    (below, pushed_down) = (lower, Vec2::ZERO);
                }
                pushed_down -= away * down[k];
                velocity[upper as usize] += away * up[k];
                contacts.push(Resting { lower, upper, away, excess: excess[k] });
            });
        }
        if let Some(velocity) = velocity.get_mut(below as usize) {
            *velocity += pushed_down;
        }
    }
}

/// The absolute values.
#[inline(always)]
fn magnitude<L: Sixteen>(lanes: L, values: L::Floats) -> L::Floats {
    lanes.more(values, lanes.sub(lanes.splat(0.0), values))
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
