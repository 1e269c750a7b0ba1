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
    /// The square of the resting speed, m²/s².
    resting_squared: f32,
    /// Against gravity.
    up: Vec2,
    /// How high the highest disc is, metres along `up`.
    top: f32,
    /// How much overlap the weight of a single disc may cause, metres.
    per_layer: f32,
    /// The candidate pairs of this tick, from the lowest to the highest.
    pairs: Vec<[u32; 2]>,
    /// The tick for which they were sorted.
    tick: u64,
    /// Where the pairs of each height begin.
    first: Vec<u32>,
    /// How high the lower disc of each pair lies.
    height: Vec<f32>,
    /// The contacts at rest, from the lowest to the highest.
    contacts: Vec<Resting>,
    /// The discs that rest on terrain, and the direction away from it.
    grounded: Vec<(u32, Vec2)>,
    /// The velocities before the springs act, m/s.
    velocity: Vec<Vec2>,
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
    pile.top = bodies.position.iter().fold(f32::NEG_INFINITY, |top, position| top.max(position.dot(pile.up)));
    pile.per_layer = ARCHING * gravity.length() * substep * substep / STIFFNESS;
    if pile.tick != *tick {
        pile.tick = *tick;
        pile.sort(bodies, pairs);
    }
    space.note_what_lies_on_terrain();
    let Space { bodies, pile, lanes, .. } = space;
    lanes.run(Springs { pile, bodies, stiffness: STIFFNESS / substep });
    for &(disc, away) in &pile.grounded {
        let inward = -bodies.velocity[disc as usize].dot(away);
        bodies.velocity[disc as usize] += away * inward.max(0.0);
    }
    pile.sweep(bodies);
}

impl Space {
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
    /// Whether two discs that overlap are at rest on each other, so that nothing is left for `PushApart` and `Impulse`.
    #[inline]
    pub(super) fn holds(&self, bodies: &Bodies, [i, j]: [usize; 2], squared: f32) -> bool {
        let relative = bodies.velocity[j] - bodies.velocity[i];
        let shortest = bodies.radius[i] + bodies.radius[j] - self.load_overlap(bodies, [i, j]);
        relative.length_squared() < self.resting_squared && shortest > 0.0 && squared >= shortest * shortest
    }

    /// The overlap, in metres, that the weight of what may lie above explains.
    #[inline]
    pub(super) fn load_overlap(&self, bodies: &Bodies, [i, j]: [usize; 2]) -> f32 {
        let lower = bodies.position[i].dot(self.up).min(bodies.position[j].dot(self.up));
        self.per_layer * (2.0 + (self.top - lower) / (bodies.radius[i] + bodies.radius[j]))
    }

    /// Orders pairs by the height of their lower disc, to within a fraction of a disc (a counting sort, so that equals keep
    /// their order).
    fn sort(&mut self, bodies: &Bodies, pairs: &[[u32; 2]]) {
        let height = |disc: u32| bodies.position[disc as usize].dot(self.up);
        self.height.clear();
        self.height.extend(pairs.iter().map(|&[a, b]| height(a).min(height(b))));
        let (mut lowest, mut highest) = (f32::INFINITY, f32::NEG_INFINITY);
        for &height in &self.height {
            (lowest, highest) = (lowest.min(height), highest.max(height));
        }
        let steps = pairs.len();
        let per_metre = (steps as f32 - 1.0) / (highest - lowest).max(f32::MIN_POSITIVE);
        let step = |height: f32| (((height - lowest) * per_metre) as usize).min(steps);
        self.first.clear();
        self.first.resize(steps + 1, 0);
        for &height in &self.height {
            self.first[step(height)] += 1;
        }
        let mut next = 0;
        for first in &mut self.first {
            (*first, next) = (next, next + *first);
        }
        self.pairs.resize(pairs.len(), [0; 2]);
        for (pair, &height) in pairs.iter().zip(&self.height) {
            let slot = &mut self.first[step(height)];
            self.pairs[*slot as usize] = *pair;
            *slot += 1;
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
                bodies.position[upper] += away * excess;
            } else if sinking * sinking < self.resting_squared {
                bodies.velocity[upper] += away * (sinking * SWEEP);
            }
        }
    }
}

/// Finds the contacts at rest and lets their springs and dampers act.
///
/// All springs see the discs as they were before, so that many can be computed at once.
struct Springs<'a> {
    pile: &'a mut Pile,
    bodies: &'a mut Bodies,
    stiffness: f32,
}

/// So many contacts are computed side by side.
const WIDE: usize = 16;

impl Job for Springs<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Sixteen>(self, _: L) {
        let Self { pile, bodies, stiffness } = self;
        let Pile { pairs, contacts, velocity, up, top, per_layer, .. } = pile;
        contacts.clear();
        velocity.clone_from(&bodies.velocity);
        let Bodies { position, radius, mass, velocity: pushed, .. } = bodies;
        for block in pairs.chunks(WIDE) {
            let mut line = [[0.0_f32; WIDE]; 2];
            let mut relative = [[0.0_f32; WIDE]; 2];
            let mut height = [[0.0_f32; WIDE]; 2];
            let mut sum = [0.0_f32; WIDE];
            let mut masses = [[1.0_f32; WIDE]; 2];
            for (k, &[a, b]) in block.iter().enumerate() {
                let (a, b) = (a as usize, b as usize);
                let (from, to) = (position[a], position[b]);
                (line[0][k], line[1][k]) = (to.x - from.x, to.y - from.y);
                (relative[0][k], relative[1][k]) = (velocity[b].x - velocity[a].x, velocity[b].y - velocity[a].y);
                (height[0][k], height[1][k]) = (from.dot(*up), to.dot(*up));
                sum[k] = radius[a] + radius[b];
                (masses[0][k], masses[1][k]) = (mass[a], mass[b]);
            }
            let mut overlap = [0.0_f32; WIDE];
            let mut normal = [[0.0_f32; WIDE]; 2];
            let mut excess = [0.0_f32; WIDE];
            let mut change = [[0.0_f32; WIDE]; 2];
            for k in 0..WIDE {
                let squared = line[0][k] * line[0][k] + line[1][k] * line[1][k];
                let distance = squared.sqrt();
                overlap[k] = if squared > 0.0 { sum[k] - distance } else { 0.0 };
                (normal[0][k], normal[1][k]) = (line[0][k] / distance, line[1][k] / distance);
                let lower = less(height[0][k], height[1][k]);
                // The overlap that the weight of what may lie above explains; what is deeper is pushed apart.
                let loaded = *per_layer * (2.0 + (*top - lower) / sum[k]);
                excess[k] = overlap[k] - loaded;
                let parting = relative[0][k] * normal[0][k] + relative[1][k] * normal[1][k];
                // Half of the lighter mass is the reduced mass of equal discs, and keeps a light disc among heavy ones stable.
                let reduced = 0.5 * less(masses[0][k], masses[1][k]);
                let push = reduced * more(stiffness * less(overlap[k], loaded) - DAMPING * parting, 0.0);
                (change[0][k], change[1][k]) = (push / masses[0][k], push / masses[1][k]);
            }
            for (k, &[a, b]) in block.iter().enumerate() {
                if !(overlap[k] > 0.0) {
                    continue;
                }
                let normal = Vec2::new(normal[0][k], normal[1][k]);
                pushed[a as usize] -= normal * change[0][k];
                pushed[b as usize] += normal * change[1][k];
                let b_is_lower = height[1][k] < height[0][k];
                contacts.push(if b_is_lower {
                    Resting { lower: b, upper: a, away: -normal, excess: excess[k] }
                } else {
                    Resting { lower: a, upper: b, away: normal, excess: excess[k] }
                });
            }
        }
    }
}
