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
//!
//! With a sleep speed, a disc that stands still where a tick begins, with nothing moving in its reach, is left as it is if the
//! first substep finds the forces on it in balance. That the velocity is zero is all that it needs to remember.

use bevy::prelude::*;

use super::{
    lanes::{Job, Lanes, Sixteen, less, more},
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
    /// The step of the sort to which each pair belongs, and where the pairs of each step begin.
    steps: Vec<u32>,
    first: Vec<u32>,
    /// The contacts at rest, from the lowest to the highest.
    contacts: Vec<Resting>,
    /// The discs that rest on terrain, and the direction away from it.
    grounded: Vec<(u32, Vec2)>,
    /// Position and velocity of each disc before the springs act.
    before: Vec<[f32; 4]>,
    /// Below this speed discs may sleep, m/s; zero if none does.
    sleep_speed: f32,
    /// How many substeps of this tick are over.
    substeps: u32,
    /// Which discs stood still where the tick began; none if none may sleep.
    still: Vec<bool>,
    /// Whether all of them did.
    quiet: bool,
    /// Which discs sleep in this tick; none if none may.
    asleep: Vec<bool>,
    /// How many contacts were at rest in the first substep of this tick.
    resting: usize,
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
    let Space { bodies, pairs, settings, gravity, pile, tick, lanes, .. } = space;
    pile.acts = settings.resting_speed > 0.0 && *gravity != Vec2::ZERO;
    if !pile.acts {
        return;
    }
    pile.resting_squared = settings.resting_speed * settings.resting_speed;
    pile.up = -gravity.normalize();
    pile.per_layer = ARCHING * gravity.length() * substep * substep / STIFFNESS;
    if pile.tick != *tick {
        pile.tick = *tick;
        pile.substeps = 0;
        pile.measure_heights(bodies);
        // If everything sleeps, nothing is left that needs an order.
        pile.quiet = !pile.still.is_empty() && pile.still.iter().all(|&still| still);
        if pile.quiet {
            pile.take(bodies, pairs, *lanes);
        } else {
            pile.sort(bodies, pairs, *lanes);
        }
        pile.find_undisturbed();
    }
    pile.substeps += 1;
    pile.before.clear();
    let states = bodies.position.iter().zip(&bodies.velocity);
    pile.before.extend(states.map(|(position, velocity)| [position.x, position.y, velocity.x, velocity.y]));
    space.note_what_lies_on_terrain();
    let Space { bodies, pile, lanes, settings, .. } = space;
    lanes.run(Springs { pile, velocity: &mut bodies.velocity, stiffness: STIFFNESS / substep });
    for &(disc, away) in &pile.grounded {
        let inward = -bodies.velocity[disc as usize].dot(away);
        bodies.velocity[disc as usize] += away * inward.max(0.0);
    }
    if pile.substeps == 1 {
        pile.resting = pile.contacts.len();
        pile.keep_asleep(bodies, settings.substeps, *lanes);
    }
    pile.sweep(bodies);
    pile.stop(bodies, pile.substeps == settings.substeps);
}

impl Space {
    /// How many contacts of discs the last substep left to `Settle`, because they were at rest or nearly so.
    #[must_use]
    pub fn contacts_at_rest(&self) -> usize {
        if self.pile.acts { self.pile.resting } else { 0 }
    }

    /// How many discs slept in the last tick.
    #[must_use]
    pub fn sleeping(&self) -> usize {
        if self.pile.acts { self.pile.asleep.iter().filter(|&&asleep| asleep).count() } else { 0 }
    }

    /// Notes which discs stand still where the tick begins, before any force has acted.
    pub(super) fn note_stillness(&mut self) {
        let Self { bodies, settings, pile, .. } = self;
        pile.sleep_speed = settings.sleep_speed;
        pile.still.clear();
        if pile.sleep_speed > 0.0 && settings.resting_speed > 0.0 {
            pile.still.extend(bodies.velocity.iter().map(|velocity| *velocity == Vec2::ZERO));
        }
    }

    fn note_what_lies_on_terrain(&mut self) {
        let Self { bodies, walls, corners, wall_reach, corner_reach, pile, .. } = self;
        bodies.supported.fill(false);
        if pile.substeps > 1 {
            // What sleeps was held in the first substep.
            for (supported, &asleep) in bodies.supported.iter_mut().zip(&pile.asleep) {
                *supported = asleep;
            }
        }
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

    /// Notes how high the discs are.
    fn measure_heights(&mut self, bodies: &Bodies) {
        let Self { height, top, up, .. } = self;
        height.clear();
        height.extend(bodies.position.iter().map(|position| position.dot(*up)));
        *top = height.iter().copied().fold(f32::NEG_INFINITY, more);
    }

    /// Takes over pairs in the order of the height of their lower disc, to within a fraction of a disc (a counting sort, so
    /// that equals keep their order).
    fn sort(&mut self, bodies: &Bodies, pairs: &[[u32; 2]], lanes: Lanes) {
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
    fn take(&mut self, bodies: &Bodies, pairs: &[[u32; 2]], lanes: Lanes) {
        self.candidates.resize(pairs.len());
        self.candidates.discs.copy_from_slice(pairs);
        lanes.run(Measure { pile: self, bodies });
    }

    /// Finds the discs that stand still and have nothing that moves within reach.
    fn find_undisturbed(&mut self) {
        let Self { still, asleep, candidates, .. } = self;
        asleep.clone_from(still);
        if still.is_empty() {
            return;
        }
        for &[lower, upper] in &candidates.discs {
            let (lower, upper) = (lower as usize, upper as usize);
            asleep[lower] &= still[upper];
            asleep[upper] &= still[lower];
        }
    }

    /// Of the undisturbed discs, those sleep on whose forces are in balance; pairs of them need no more looking at in this
    /// tick.
    fn keep_asleep(&mut self, bodies: &Bodies, substeps: u32, lanes: Lanes) {
        let Self { asleep, candidates, contacts, sleep_speed, .. } = self;
        if asleep.is_empty() {
            return;
        }
        let most = *sleep_speed / substeps as f32;
        for (asleep, velocity) in asleep.iter_mut().zip(&bodies.velocity) {
            *asleep &= velocity.length_squared() < most * most;
        }
        if !asleep.contains(&true) {
            if self.quiet {
                self.restore_order(bodies, lanes);
            }
            return;
        }
        let stays = |lower: u32, upper: u32| !(asleep[lower as usize] && asleep[upper as usize]);
        candidates.retain(stays);
        contacts.retain(|contact| stays(contact.lower, contact.upper));
        if self.quiet && !self.candidates.discs.is_empty() {
            self.restore_order(bodies, lanes);
        }
    }

    /// Orders what [`Pile::take`] took over.
    fn restore_order(&mut self, bodies: &Bodies, lanes: Lanes) {
        let left = self.candidates.discs.clone();
        self.sort(bodies, &left, lanes);
        let height = |contact: &Resting| self.height[contact.lower as usize];
        self.contacts.sort_by(|a, b| height(a).total_cmp(&height(b)));
    }

    /// Stops what sleeps and, where a tick ends, what is supported and slow enough to fall asleep.
    fn stop(&self, bodies: &mut Bodies, tick_ends: bool) {
        let Bodies { velocity, supported, .. } = bodies;
        for ((velocity, &supported), &asleep) in velocity.iter_mut().zip(&*supported).zip(&self.asleep) {
            let slow = velocity.length_squared() < self.sleep_speed * self.sleep_speed;
            if asleep || (tick_ends && supported && slow) {
                *velocity = Vec2::ZERO;
            }
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
    fn retain(&mut self, stays: impl Fn(u32, u32) -> bool) {
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
