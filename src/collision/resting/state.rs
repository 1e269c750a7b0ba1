//! What the step `Settle` keeps: what follows from the settings and gravity, the state of a tick and that of a substep.

use bevy::prelude::*;

use crate::collision::{
    periodic::Cell,
    resting::{order::HeightOrder, pairs::RestingPairs, sleep::Sleep},
    simd::max,
};

/// All that `Settle` keeps, and what other steps ask it.
#[derive(Clone, Debug, Default)]
pub struct Resting {
    /// Whether discs can be at rest in this substep.
    pub acts: bool,
    pub limits: RestingLimits,
    pub tick: RestingTick,
    pub substep: RestingSubstep,
    pub sleep: Sleep,
    pub order: HeightOrder,
}

/// What follows from the settings, from gravity and from the length of a substep.
#[derive(Clone, Copy, Debug, Default)]
pub struct RestingLimits {
    /// The square of the resting speed, m²/s².
    pub resting_squared: f32,
    /// Below this speed discs may sleep, m/s; zero if none does.
    pub sleep_speed: f32,
    /// Against gravity.
    pub up: Vec2,
    /// How much overlap the weight of a single disc may cause, metres.
    pub per_layer: f32,
    /// Across whose edges discs are seen.
    pub cell: Option<Cell>,
}

/// What does not change within a tick, but for pairs that are found in the middle of it.
#[derive(Clone, Debug, Default)]
pub struct RestingTick {
    /// The number of the tick.
    pub number: u64,
    /// How many substeps have begun.
    pub substeps: u32,
    /// How high each disc is where the tick begins, metres along `up`.
    pub height: Vec<f32>,
    /// How high the highest disc is that may weigh on each disc, through others that touch, metres along `up`.
    pub tops: Vec<f32>,
    /// Height, top, radius and mass of each disc.
    pub measures: Vec<[f32; 4]>,
    /// The candidate pairs, from the lowest to the highest.
    pub pairs: RestingPairs,
    /// Of which list of the broad phase they are, and how long that was.
    pub taken: TakenPairs,
    /// How many contacts were at rest in the first substep.
    pub contacts_at_rest: usize,
}

/// How much of the broad phase's list of pairs is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct TakenPairs {
    pub generation: u64,
    pub count: usize,
}

/// What is recomputed in every substep.
#[derive(Clone, Debug, Default)]
pub struct RestingSubstep {
    /// Position and velocity of each disc before the springs act.
    pub before: Vec<[f32; 4]>,
    /// The discs that rest on terrain or on a kinematic disc.
    pub grounded: Vec<Grounded>,
    /// Which discs are held from below: by terrain, or by a disc that is.
    pub supported: Vec<bool>,
    /// The contacts at rest, from the lowest to the highest.
    pub contacts: Vec<RestingContact>,
    /// What the springs do to each disc as the lower one of its contacts, m/s.
    pub pushed_down: Vec<Vec2>,
    /// The discs that shock propagation has moved; some more than once.
    pub lifted: Vec<u32>,
    /// The pairs that are not at rest on each other, and so are left to `PushApart` and `Impulse`.
    pub impacting: Vec<[u32; 2]>,
}

/// A disc that rests on terrain or on a kinematic disc.
#[derive(Clone, Copy, Debug)]
pub struct Grounded {
    pub disc: u32,
    /// Unit vector away from what it rests on.
    pub away: Vec2,
    /// How fast that moves that way, m/s.
    pub speed: f32,
    /// Coulomb's coefficient, and how fast the surface goes along itself, m/s.
    pub friction: f32,
    pub carries: Vec2,
}

impl Grounded {
    /// One on something without friction.
    pub fn smooth(disc: u32, away: Vec2, speed: f32) -> Self {
        Self { disc, away, speed, friction: 0.0, carries: Vec2::ZERO }
    }
}

/// A contact at rest.
#[derive(Clone, Copy, Debug, Default)]
pub struct RestingContact {
    pub lower: u32,
    pub upper: u32,
    /// From the lower to the upper disc.
    pub away: Vec2,
    /// How much deeper the overlap is than any load explains, metres; zero or less for most.
    pub excess: f32,
}

impl RestingSubstep {
    /// Whether a disc is held from below.
    #[inline(always)]
    pub fn is_supported(&self, disc: usize) -> bool {
        self.supported.get(disc).copied().unwrap_or(false)
    }
}

impl Resting {
    /// The overlap, in metres, that the weight of what may lie above two discs explains.
    #[inline(always)]
    pub fn load_overlap(&self, position: &[Vec2], radius: &[f32], discs: [usize; 2]) -> f32 {
        self.limits.load_overlap_of(&self.tick.tops, position, radius, discs)
    }
}

impl RestingLimits {
    /// The overlap, in metres, that a load explains which reaches so high above the lower one of two discs, `sum` being
    /// that of their radii.
    #[inline(always)]
    pub fn load_overlap(&self, above: f32, sum: f32) -> f32 {
        self.per_layer * (2.0 + above / sum)
    }

    /// The same for two discs where they are now.
    #[inline(always)]
    pub fn load_overlap_of(&self, tops: &[f32], position: &[Vec2], radius: &[f32], [i, j]: [usize; 2]) -> f32 {
        let lower = position[i].dot(self.up).min(position[j].dot(self.up));
        let top = |i: usize| tops.get(i).copied().unwrap_or(lower);
        let above = max(top(i), top(j)) - lower;
        self.load_overlap(max(above, 0.0), radius[i] + radius[j])
    }
}
