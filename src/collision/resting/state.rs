//! What the step `Settle` keeps: what follows from the settings and gravity, the state of a tick and that of a substep.

use bevy::prelude::*;

use crate::collision::{
    periodic::Cell,
    resting::{order::HeightOrder, pairs::RestingPairs, sleep::Sleep},
    simd::max,
};

/// All that `Settle` keeps, and what other steps ask it.
#[derive(Clone, Debug, Default)]
pub(in crate::collision) struct Resting {
    /// Whether discs can be at rest in this substep.
    pub(in crate::collision) acts: bool,
    pub(in crate::collision) limits: RestingLimits,
    pub(in crate::collision) tick: RestingTick,
    pub(in crate::collision) substep: RestingSubstep,
    pub(in crate::collision) sleep: Sleep,
    pub(in crate::collision) order: HeightOrder,
}

/// What follows from the settings, from gravity and from the length of a substep.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::collision) struct RestingLimits {
    /// The square of the resting speed, m²/s².
    pub(in crate::collision) resting_squared: f32,
    /// Below this speed discs may sleep, m/s; zero if none does.
    pub(in crate::collision) sleep_speed: f32,
    /// Against gravity.
    pub(in crate::collision) up: Vec2,
    /// How much overlap the weight of a single disc may cause, metres.
    pub(in crate::collision) per_layer: f32,
    /// Across whose edges discs are seen.
    pub(in crate::collision) cell: Option<Cell>,
}

/// What does not change within a tick, but for pairs that are found in the middle of it.
#[derive(Clone, Debug, Default)]
pub(in crate::collision) struct RestingTick {
    /// The number of the tick.
    pub(in crate::collision) number: u64,
    /// How many substeps have begun.
    pub(in crate::collision) substeps: u32,
    /// How high each disc is where the tick begins, metres along `up`.
    pub(in crate::collision) height: Vec<f32>,
    /// How high the highest disc is that may weigh on each disc, through others that touch, metres along `up`.
    pub(in crate::collision) tops: Vec<f32>,
    /// Height, top, radius and mass of each disc.
    pub(in crate::collision) measures: Vec<[f32; 4]>,
    /// The candidate pairs, from the lowest to the highest.
    pub(in crate::collision) pairs: RestingPairs,
    /// Of which list of the broad phase they are, and how long that was.
    pub(in crate::collision) taken: TakenPairs,
    /// How many contacts were at rest in the first substep.
    pub(in crate::collision) contacts_at_rest: usize,
}

/// How much of the broad phase's list of pairs is known.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::collision) struct TakenPairs {
    pub(in crate::collision) generation: u64,
    pub(in crate::collision) count: usize,
}

/// What is found anew in every substep.
#[derive(Clone, Debug, Default)]
pub(in crate::collision) struct RestingSubstep {
    /// Position and velocity of each disc before the springs act.
    pub(in crate::collision) before: Vec<[f32; 4]>,
    /// The discs that rest on terrain or on a kinematic disc.
    pub(in crate::collision) grounded: Vec<Grounded>,
    /// Which discs are held from below: by terrain, or by a disc that is.
    pub(in crate::collision) supported: Vec<bool>,
    /// The contacts at rest, from the lowest to the highest.
    pub(in crate::collision) contacts: Vec<RestingContact>,
    /// What the springs do to each disc as the lower one of its contacts, m/s.
    pub(in crate::collision) pushed_down: Vec<Vec2>,
    /// The discs that shock propagation has moved; some more than once.
    pub(in crate::collision) lifted: Vec<u32>,
    /// The pairs that are not at rest on each other, and so are left to `PushApart` and `Impulse`.
    pub(in crate::collision) impacting: Vec<[u32; 2]>,
}

/// A disc that rests on terrain or on a kinematic disc.
#[derive(Clone, Copy, Debug)]
pub(in crate::collision) struct Grounded {
    pub(in crate::collision) disc: u32,
    /// Unit vector away from what it rests on.
    pub(in crate::collision) away: Vec2,
    /// How fast that moves that way, m/s.
    pub(in crate::collision) speed: f32,
    /// Coulomb's coefficient, and how fast the surface goes along itself, m/s.
    pub(in crate::collision) friction: f32,
    pub(in crate::collision) carries: Vec2,
}

impl Grounded {
    /// One on something without friction.
    pub(in crate::collision) fn smooth(disc: u32, away: Vec2, speed: f32) -> Self {
        Self { disc, away, speed, friction: 0.0, carries: Vec2::ZERO }
    }
}

/// A contact at rest.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::collision) struct RestingContact {
    pub(in crate::collision) lower: u32,
    pub(in crate::collision) upper: u32,
    /// From the lower to the upper disc.
    pub(in crate::collision) away: Vec2,
    /// How much deeper the overlap is than any load explains, metres; zero or less for most.
    pub(in crate::collision) excess: f32,
}

impl RestingSubstep {
    /// Whether a disc is held from below.
    #[inline(always)]
    pub(in crate::collision) fn is_supported(&self, disc: usize) -> bool {
        self.supported.get(disc).copied().unwrap_or(false)
    }
}

impl Resting {
    /// The overlap, in metres, that the weight of what may lie above two discs explains.
    #[inline(always)]
    pub(in crate::collision) fn load_overlap(&self, position: &[Vec2], radius: &[f32], discs: [usize; 2]) -> f32 {
        self.limits.load_overlap_of(&self.tick.tops, position, radius, discs)
    }
}

impl RestingLimits {
    /// The overlap, in metres, that a load explains which reaches so high above the lower one of two discs, `sum` being
    /// that of their radii.
    #[inline(always)]
    pub(in crate::collision) fn load_overlap(&self, above: f32, sum: f32) -> f32 {
        self.per_layer * (2.0 + above / sum)
    }

    /// The same for two discs where they are now.
    #[inline(always)]
    pub(in crate::collision) fn load_overlap_of(
        &self,
        tops: &[f32],
        position: &[Vec2],
        radius: &[f32],
        [i, j]: [usize; 2],
    ) -> f32 {
        let lower = position[i].dot(self.up).min(position[j].dot(self.up));
        let top = |i: usize| tops.get(i).copied().unwrap_or(lower);
        let above = max(top(i), top(j)) - lower;
        self.load_overlap(max(above, 0.0), radius[i] + radius[j])
    }
}
