//! What lies on what: the pairs of discs of a tick from the lowest to the highest, and the springs in their contacts. The
//! data and the inner loops of `Settle`.

use bevy::prelude::*;

use super::{
    kernels::{WIDE, filled, radix_sort},
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
    pub(super) fn load_overlap(&self, bodies: &Bodies, [i, j]: [usize; 2]) -> f32 {
        let lower = bodies.position[i].dot(self.up).min(bodies.position[j].dot(self.up));
        let top = |i: usize| self.tops.get(i).copied().unwrap_or(lower);
        let above = more(top(i), top(j)) - lower;
        self.per_layer * (2.0 + more(above, 0.0) / (bodies.radius[i] + bodies.radius[j]))
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
            self.sorting.height.clone_from(&self.height);
            self.sorting.position.clone_from(&bodies.position);
            self.sorting.radius.clone_from(&bodies.radius);
            self.sorting.pairs.clear();
            self.sorting.pairs.extend_from_slice(pairs);
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
        entries.clear();
        entries.extend(height.iter().zip(0..).map(|(height, disc)| {
            let bits = height.to_bits();
            // Negative numbers are in the opposite order, and before the others.
            (if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }, disc)
        }));
        radix_sort(entries, spare, 32);
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
            if end - start > 1 {
                sorted[start..end].sort_unstable();
            }
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
            let [vx, vy] = [2, 3].map(|k| before[j][k] - before[i][k]);
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

/// Puts the lower disc of each candidate pair in front, and notes what does not change within a tick.
struct Measure<'a> {
    pile: &'a mut Pile,
    bodies: &'a Bodies,
}

impl Job for Measure<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Sixteen>(self, _: L) {
        let Pile { candidates, height, per_layer, tops, .. } = self.pile;
        let Candidates { discs, sum, loaded, lower_share, upper_share } = candidates;
        let (radius, mass) = (&self.bodies.radius, &self.bodies.mass);
        let constants = sum.chunks_mut(WIDE).zip(loaded.chunks_mut(WIDE));
        let shares = lower_share.chunks_mut(WIDE).zip(upper_share.chunks_mut(WIDE));
        for ((discs, (sum, loaded)), (lower_share, upper_share)) in discs.chunks_mut(WIDE).zip(constants).zip(shares) {
            let mut radii = [1.0_f32; WIDE];
            let mut above = [0.0_f32; WIDE];
            let mut masses = [[1.0_f32; WIDE]; 2];
            for (k, pair) in discs.iter_mut().enumerate() {
                let [a, b] = pair.map(|disc| height[disc as usize]);
                if b < a {
                    pair.swap(0, 1);
                }
                let [lower, upper] = pair.map(|disc| disc as usize);
                above[k] = more(tops[lower], tops[upper]) - less(a, b);
                radii[k] = radius[lower] + radius[upper];
                (masses[0][k], masses[1][k]) = (mass[lower], mass[upper]);
            }
            let mut deepest = [0.0_f32; WIDE];
            let mut share = [[0.0_f32; WIDE]; 2];
            for k in 0..WIDE {
                deepest[k] = *per_layer * (2.0 + above[k] / radii[k]);
                // Half of the lighter mass is the reduced mass of equal discs, and keeps a light disc among heavy ones
                // stable.
                let lighter = 0.5 * less(masses[0][k], masses[1][k]);
                (share[0][k], share[1][k]) = (lighter / masses[0][k], lighter / masses[1][k]);
            }
            let count = discs.len();
            sum.copy_from_slice(&radii[..count]);
            loaded.copy_from_slice(&deepest[..count]);
            lower_share.copy_from_slice(&share[0][..count]);
            upper_share.copy_from_slice(&share[1][..count]);
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
    fn run<L: Sixteen>(self, _: L) {
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
                *relative = std::array::from_fn(|k| to[k] - from[k]);
            }
            let (sum, loaded) = (filled(sum), filled(loaded));
            let (lower_share, upper_share) = (filled(lower_share), filled(upper_share));
            let mut overlap = [0.0_f32; WIDE];
            let mut away = [[0.0_f32; WIDE]; 2];
            let mut change = [[0.0_f32; WIDE]; 2];
            let mut speed_squared = [0.0_f32; WIDE];
            for k in 0..WIDE {
                let [x, y, vx, vy] = relative[k];
                let squared = x * x + y * y;
                let distance = squared.sqrt();
                let per_distance = 1.0 / distance;
                overlap[k] = if squared > 0.0 { sum[k] - distance } else { 0.0 };
                (away[0][k], away[1][k]) = (x * per_distance, y * per_distance);
                let parting = vx * away[0][k] + vy * away[1][k];
                let push = more(stiffness * less(overlap[k], loaded[k]) - DAMPING * parting, 0.0);
                (change[0][k], change[1][k]) = (push * lower_share[k], push * upper_share[k]);
                speed_squared[k] = vx * vx + vy * vy;
            }
            for (k, &[lower, upper]) in discs.iter().enumerate() {
                let excess = overlap[k] - loaded[k];
                if excess > 0.0
                    || !(speed_squared[k] < *resting_squared)
                    || relative[k][0] == 0.0 && relative[k][1] == 0.0
                {
                    restless.push([lower.min(upper), lower.max(upper)]);
                }
                if overlap[k] > 0.0 {
                    let away = Vec2::new(away[0][k], away[1][k]);
                    // The contacts of one lower disc come one behind the other.
                    if lower != below {
                        velocity[below as usize] += pushed_down;
                        (below, pushed_down) = (lower, Vec2::ZERO);
                    }
                    pushed_down -= away * change[0][k];
                    velocity[upper as usize] += away * change[1][k];
                    contacts.push(Resting { lower, upper, away, excess });
                }
            }
        }
        if let Some(velocity) = velocity.get_mut(below as usize) {
            *velocity += pushed_down;
        }
    }
}
