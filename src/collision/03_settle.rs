//! Settle: piles come to rest. It acts only where the settings have a resting speed and a force has named the direction of
//! gravity ([`Space::gravity`]); without either it does nothing at all, so elastic scenes never notice it.
//!
//! Discs that touch more slowly than the resting speed are at rest on each other, and are left to three means:
//! - A **spring** in every contact, as stiff as the substep allows, and a damper beside it. Its overlap is where the load of
//!   a contact is remembered, so a pile at rest needs no further state and no iterations, and its forces are those of
//!   frictionless discs: equal and opposite, also sideways.
//! - **Terrain** stops what rests on it.
//! - A **sweep** upward from the ground takes from each supported disc half of the speed with which it sinks into what
//!   supports it. Springs alone would let a tall pile swing like jelly; the sweep reaches its top in one go (shock
//!   propagation: Guendelman, Bridson and Fedkiw, "Nonconvex rigid bodies with stacking", 2003). In a pile at rest it finds
//!   nothing to do.

use bevy::prelude::*;

use super::{
    lanes::{Job, Sixteen, less, more},
    space::{Bodies, Space},
    walls::touch,
};

/// What the steps of one substep know of the pile.
#[derive(Clone, Debug, Default)]
pub(super) struct Pile {
    /// Whether discs can be at rest in this substep.
    pub(super) acts: bool,
    /// The pairs that are not at rest on each other, and so are left to `PushApart` and `Impulse`.
    pub(super) restless: Vec<[u32; 2]>,
    /// The square of the resting speed, m²/s².
    resting_squared: f32,
    /// Against gravity.
    up: Vec2,
    /// How high the highest disc is, metres along `up`.
    top: f32,
    /// How much overlap the weight of a single disc may cause, metres.
    per_layer: f32,
    /// The candidate pairs of this tick, from the lowest to the highest.
    candidates: Candidates,
    /// The tick for which they were sorted.
    tick: u64,
    /// How high each disc is, metres along `up`.
    height: Vec<f32>,
    /// Where the pairs of each height begin.
    first: Vec<u32>,
    /// The contacts at rest, from the lowest to the highest.
    contacts: Vec<Resting>,
    /// The discs that rest on terrain, and the direction away from it.
    grounded: Vec<(u32, Vec2)>,
    /// Position and velocity of each disc before the springs act.
    before: Vec<[f32; 4]>,
}

/// Pairs of discs as a structure of arrays, with what does not change within a tick.
#[derive(Clone, Debug, Default)]
struct Candidates {
    /// The lower disc, then the upper one.
    discs: Vec<[u32; 2]>,
    /// The sum of the radii, metres.
    sum: Vec<f32>,
    /// The overlap that the weight of what may lie above explains, metres; what is deeper is pushed apart.
    loaded: Vec<f32>,
    /// The spring's mass over that of the lower disc.
    lower_share: Vec<f32>,
    /// The spring's mass over that of the upper disc.
    upper_share: Vec<f32>,
}

/// A contact at rest.
#[derive(Clone, Copy, Debug)]
struct Resting {
    lower: u32,
    upper: u32,
    /// From the lower to the upper disc.
    away: Vec2,
    /// How much deeper the overlap is than any load explains, metres; zero or less for most.
    excess: f32,
}

/// The square of (angular frequency of a contact times length of a substep). For six neighbours the explicit integration of
/// spring and damper is stable as long as `6 DAMPING + 3 STIFFNESS < 4`.
const STIFFNESS: f32 = 0.6;

/// The share of the relative speed along the normal that the damper takes in a substep.
const DAMPING: f32 = 0.3;

/// The share of a supported disc's sinking speed that the sweep takes in a substep.
const SWEEP: f32 = 0.5;

/// Overlaps of so many times the weight that lies above are put down to it; arches and walls make some contacts carry more
/// than others.
const ARCHING: f32 = 16.0;

/// A disc that is this close to terrain, as a share of its radius, touches it.
const NEAR: f32 = 1e-3;

/// Holds what is at rest.
pub fn settle(space: &mut Space) {
    let substep = space.substep();
    let Space { bodies, pairs, settings, gravity, pile, tick, .. } = space;
    pile.acts = settings.resting_speed > 0.0 && *gravity != Vec2::ZERO;
    if !pile.acts {
        return;
    }
    pile.resting_squared = settings.resting_speed * settings.resting_speed;
    pile.up = -gravity.normalize();
    pile.per_layer = ARCHING * gravity.length() * substep * substep / STIFFNESS;
    if pile.tick != *tick {
        pile.tick = *tick;
        pile.sort(bodies, pairs);
    }
    pile.before.clear();
    let states = bodies.position.iter().zip(&bodies.velocity);
    pile.before.extend(states.map(|(position, velocity)| [position.x, position.y, velocity.x, velocity.y]));
    space.note_what_lies_on_terrain();
    let Space { bodies, pile, lanes, .. } = space;
    lanes.run(Springs { pile, velocity: &mut bodies.velocity, stiffness: STIFFNESS / substep });
    for &(disc, away) in &pile.grounded {
        let inward = -bodies.velocity[disc as usize].dot(away);
        bodies.velocity[disc as usize] += away * inward.max(0.0);
    }
    pile.sweep(bodies);
}

impl Space {
    /// How many contacts of discs the last substep left to `Settle`, because they were at rest or nearly so.
    #[must_use]
    pub fn contacts_at_rest(&self) -> usize {
        if self.pile.acts { self.pile.contacts.len() } else { 0 }
    }

    fn note_what_lies_on_terrain(&mut self) {
        let Self { bodies, walls, corners, wall_reach, corner_reach, pile, .. } = self;
        bodies.supported.fill(false);
        pile.grounded.clear();
        let mut note = |disc: u32, away: Vec2| {
            bodies.supported[disc as usize] |= away.dot(pile.up) > 0.0;
            let inward = -bodies.velocity[disc as usize].dot(away);
            if inward * inward < pile.resting_squared || inward < 0.0 {
                pile.grounded.push((disc, away));
            }
        };
        for reach in wall_reach.iter() {
            let i = reach.disc as usize;
            let (centre, radius) = (bodies.position[i], bodies.radius[i] * (1.0 + NEAR));
            if let Some(touch) = touch(&walls[reach.piece as usize], centre, centre, radius) {
                note(reach.disc, touch.away.normalize());
            }
        }
        for reach in corner_reach.iter() {
            let (i, corner) = (reach.disc as usize, &corners[reach.piece as usize]);
            let away = bodies.position[i] - corner.centre;
            let sum = bodies.radius[i] * (1.0 + NEAR) + corner.radius;
            if away.length_squared() < sum * sum && !corner.walls.iter().any(|along| away.dot(*along) > 0.0) {
                note(reach.disc, away.normalize_or(pile.up));
            }
        }
    }
}

impl Pile {
    /// The overlap, in metres, that the weight of what may lie above explains.
    pub(super) fn load_overlap(&self, bodies: &Bodies, [i, j]: [usize; 2]) -> f32 {
        let lower = bodies.position[i].dot(self.up).min(bodies.position[j].dot(self.up));
        self.per_layer * (2.0 + (self.top - lower) / (bodies.radius[i] + bodies.radius[j]))
    }

    /// Orders pairs by the height of their lower disc, to within a fraction of a disc (a counting sort, so that equals keep
    /// their order).
    fn sort(&mut self, bodies: &Bodies, pairs: &[[u32; 2]]) {
        let Self { height, first, candidates, per_layer, top, up, .. } = self;
        height.clear();
        height.extend(bodies.position.iter().map(|position| position.dot(*up)));
        let (mut lowest, mut highest) = (f32::INFINITY, f32::NEG_INFINITY);
        for &height in &*height {
            (lowest, highest) = (less(lowest, height), more(highest, height));
        }
        *top = highest;
        let lower_first = |[a, b]: [u32; 2]| {
            if height[b as usize] < height[a as usize] { [b, a] } else { [a, b] }
        };
        let steps = pairs.len();
        let per_metre = (steps as f32 - 1.0) / more(highest - lowest, f32::MIN_POSITIVE);
        let step = |lower: u32| (((height[lower as usize] - lowest) * per_metre) as usize).min(steps);
        first.clear();
        first.resize(steps + 1, 0);
        for &pair in pairs {
            first[step(lower_first(pair)[0])] += 1;
        }
        let mut next = 0;
        for first in &mut *first {
            (*first, next) = (next, next + *first);
        }
        candidates.resize(pairs.len());
        for &pair in pairs {
            let [lower, upper] = lower_first(pair);
            let slot = &mut first[step(lower)];
            let at = *slot as usize;
            *slot += 1;
            let (i, j) = (lower as usize, upper as usize);
            let sum = bodies.radius[i] + bodies.radius[j];
            // Half of the lighter mass is the reduced mass of equal discs, and keeps a light disc among heavy ones stable.
            let mass = 0.5 * less(bodies.mass[i], bodies.mass[j]);
            candidates.discs[at] = [lower, upper];
            candidates.sum[at] = sum;
            candidates.loaded[at] = *per_layer * (2.0 + (*top - height[i]) / sum);
            candidates.lower_share[at] = mass / bodies.mass[i];
            candidates.upper_share[at] = mass / bodies.mass[j];
        }
    }

    /// Goes upward from the ground, and holds what is supported.
    fn sweep(&self, bodies: &mut Bodies) {
        for &Resting { lower, upper, away, excess } in &self.contacts {
            let (lower, upper) = (lower as usize, upper as usize);
            if !bodies.supported[lower] {
                continue;
            }
            bodies.supported[upper] = true;
            // A disc that rises does not carry up what lies on it without feeling it. So the sweep only ever takes energy away.
            let floor = bodies.velocity[lower].dot(away).min(0.0);
            let sinking = (floor - bodies.velocity[upper].dot(away)).max(0.0);
            if excess > 0.0 {
                // Too heavy for the spring: a large disc on a small one.
                bodies.velocity[upper] += away * sinking;
                // Another contact may have lifted it in the meantime.
                let distance = bodies.position[lower].distance(bodies.position[upper]);
                let overlap = bodies.radius[lower] + bodies.radius[upper] - distance;
                let deep = overlap - self.load_overlap(bodies, [lower, upper]);
                bodies.position[upper] += away * deep.max(0.0);
            } else if sinking * sinking < self.resting_squared {
                bodies.velocity[upper] += away * (sinking * SWEEP);
            }
        }
    }
}

impl Candidates {
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
struct Springs<'a> {
    pile: &'a mut Pile,
    velocity: &'a mut [Vec2],
    stiffness: f32,
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
                    velocity[lower as usize] -= away * change[0][k];
                    velocity[upper as usize] += away * change[1][k];
                    contacts.push(Resting { lower, upper, away, excess });
                }
            }
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
