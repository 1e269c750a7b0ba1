//! What lies on what: the pairs of discs of a tick from the lowest to the highest, and the springs in their contacts. The
//! data and the inner loops of `Settle`.

use bevy::prelude::*;

use super::{
    lanes::{Job, Lanes, Sixteen, less, more},
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
    /// How high the highest disc is, metres along `up`.
    pub(super) top: f32,
    /// How much overlap the weight of a single disc may cause, metres.
    pub(super) per_layer: f32,
    /// The candidate pairs of this tick, from the lowest to the highest.
    pub(super) candidates: Candidates,
    /// The tick for which they were sorted.
    pub(super) tick: u64,
    /// How high each disc is, metres along `up`.
    pub(super) height: Vec<f32>,
    /// The step of the sort to which each pair belongs, and where the pairs of each step begin.
    pub(super) steps: Vec<u32>,
    pub(super) first: Vec<u32>,
    /// The contacts at rest, from the lowest to the highest.
    pub(super) contacts: Vec<Resting>,
    /// The discs that rest on terrain, and the direction away from it.
    pub(super) grounded: Vec<(u32, Vec2)>,
    /// Position and velocity of each disc before the springs act.
    pub(super) before: Vec<[f32; 4]>,
    /// Below this speed discs may sleep, m/s; zero if none does.
    pub(super) sleep_speed: f32,
    /// How many substeps of this tick are over.
    pub(super) substeps: u32,
    /// Which discs stood still where the tick began; none if none may sleep.
    pub(super) still: Vec<bool>,
    /// Whether all of them did.
    pub(super) quiet: bool,
    /// Which discs sleep in this tick; none if none may.
    pub(super) asleep: Vec<bool>,
    /// How many contacts were at rest in the first substep of this tick.
    pub(super) resting: usize,
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
        self.per_layer * (2.0 + (self.top - lower) / (bodies.radius[i] + bodies.radius[j]))
    }

    /// Notes how high the discs are.
    pub(super) fn measure_heights(&mut self, bodies: &Bodies) {
        let Self { height, top, up, .. } = self;
        height.clear();
        height.extend(bodies.position.iter().map(|position| position.dot(*up)));
        *top = height.iter().copied().fold(f32::NEG_INFINITY, more);
    }

    /// Takes over pairs in the order of the height of their lower disc, to within a fraction of a disc (a counting sort, so
    /// that equals keep their order).
    pub(super) fn sort(&mut self, bodies: &Bodies, pairs: &[[u32; 2]], lanes: Lanes) {
        let Self { height, first, candidates, top, steps, .. } = self;
        let lowest = height.iter().copied().fold(f32::INFINITY, less);
        let per_metre = (pairs.len() as f32 - 1.0) / more(*top - lowest, f32::MIN_POSITIVE);
        first.clear();
        first.resize(pairs.len() + 1, 0);
        steps.clear();
        steps.extend(pairs.iter().map(|&[a, b]| {
            let lower = less(height[a as usize], height[b as usize]);
            let step = (((lower - lowest) * per_metre) as u32).min(pairs.len() as u32);
            first[step as usize] += 1;
            step
        }));
        let mut next = 0;
        for first in &mut *first {
            (*first, next) = (next, next + *first);
        }
        candidates.resize(pairs.len());
        for (&pair, &step) in pairs.iter().zip(&*steps) {
            let slot = &mut first[step as usize];
            candidates.discs[*slot as usize] = pair;
            *slot += 1;
        }
        lanes.run(Measure { pile: self, bodies });
    }

    /// Takes over pairs in the order in which they are.
    pub(super) fn take(&mut self, bodies: &Bodies, pairs: &[[u32; 2]], lanes: Lanes) {
        self.candidates.resize(pairs.len());
        self.candidates.discs.copy_from_slice(pairs);
        lanes.run(Measure { pile: self, bodies });
    }

    /// Orders what [`Pile::take`] took over.
    pub(super) fn restore_order(&mut self, bodies: &Bodies, lanes: Lanes) {
        let left = self.candidates.discs.clone();
        self.sort(bodies, &left, lanes);
        let height = |contact: &Resting| self.height[contact.lower as usize];
        self.contacts.sort_by(|a, b| height(a).total_cmp(&height(b)));
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
        let Pile { candidates, height, per_layer, top, .. } = self.pile;
        let Candidates { discs, sum, loaded, lower_share, upper_share } = candidates;
        let (radius, mass) = (&self.bodies.radius, &self.bodies.mass);
        let constants = sum.chunks_mut(WIDE).zip(loaded.chunks_mut(WIDE));
        let shares = lower_share.chunks_mut(WIDE).zip(upper_share.chunks_mut(WIDE));
        for ((discs, (sum, loaded)), (lower_share, upper_share)) in discs.chunks_mut(WIDE).zip(constants).zip(shares) {
            let mut radii = [1.0_f32; WIDE];
            let mut lowers = [0.0_f32; WIDE];
            let mut masses = [[1.0_f32; WIDE]; 2];
            for (k, pair) in discs.iter_mut().enumerate() {
                let [a, b] = pair.map(|disc| height[disc as usize]);
                if b < a {
                    pair.swap(0, 1);
                }
                lowers[k] = less(a, b);
                let [lower, upper] = pair.map(|disc| disc as usize);
                radii[k] = radius[lower] + radius[upper];
                (masses[0][k], masses[1][k]) = (mass[lower], mass[upper]);
            }
            let mut deepest = [0.0_f32; WIDE];
            let mut share = [[0.0_f32; WIDE]; 2];
            for k in 0..WIDE {
                deepest[k] = *per_layer * (2.0 + (*top - lowers[k]) / radii[k]);
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

/// So many contacts are computed side by side.
const WIDE: usize = 16;

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

/// Up to sixteen values, filled up with the first.
#[inline(always)]
fn filled(values: &[f32]) -> [f32; WIDE] {
    match values.first_chunk() {
        Some(all) => *all,
        None => std::array::from_fn(|k| *values.get(k).unwrap_or(&values[0])),
    }
}
