//! The state of the step `Settle`: values that follow from the settings and gravity, the state of a tick, and the state
//! of a substep.

use bevy::prelude::*;

use crate::collision::{
    periodic::Cell,
    resting::{order::HeightOrder, pairs::RestingPairs, sleep::Sleep},
    simd::max,
};

/// All state of `Settle`, also used by other steps.
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

/// Values that follow from the settings, gravity and the length of a substep.
#[derive(Clone, Copy, Debug, Default)]
pub struct RestingLimits {
    /// The square of the resting speed, m²/s².
    pub resting_squared: f32,
    /// Below this speed discs may sleep, m/s; zero if none may.
    pub sleep_speed: f32,
    /// The direction opposite to gravity.
    pub up: Vec2,
    /// The overlap that the weight of a single disc may cause, metres.
    pub per_layer: f32,
    /// The cell of periodic edges.
    pub cell: Option<Cell>,
}

/// Values that are constant within a tick, except for pairs that are found in the middle of it.
#[derive(Clone, Debug, Default)]
pub struct RestingTick {
    /// The number of the tick.
    pub number: u64,
    /// The number of substeps that have started.
    pub substeps: u32,
    /// The height of each disc at the start of the tick, metres along `up`.
    pub height: Vec<f32>,
    /// The height of the highest disc that may weigh on each disc, through other touching discs, metres along `up`.
    pub tops: Vec<f32>,
    /// Height, top, radius and mass of each disc.
    pub measures: Vec<[f32; 4]>,
    /// The candidate pairs, from the lowest to the highest.
    pub pairs: RestingPairs,
    /// The list of the broad phase that they come from, and its length.
    pub taken: TakenPairs,
    /// The number of contacts at rest in the first substep.
    pub contacts_at_rest: usize,
}

/// How much of the list of pairs of the broad phase is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct TakenPairs {
    pub generation: u64,
    pub count: usize,
}

/// Values that are recomputed in every substep.
#[derive(Clone, Debug, Default)]
pub struct RestingSubstep {
    /// Position and velocity of each disc before the springs act.
    pub before: Vec<[f32; 4]>,
    /// The discs that rest on terrain or on a kinematic disc.
    pub grounded: Vec<Grounded>,
    /// The discs that are supported from below: by terrain, or by a supported disc.
    pub supported: Vec<bool>,
    /// The contacts at rest, from the lowest to the highest.
    pub contacts: Vec<RestingContact>,
    /// The effect of the springs on each disc as the lower one of its contacts, m/s.
    pub pushed_down: Vec<Vec2>,
    /// The discs that shock propagation has moved; some more than once.
    pub lifted: Vec<u32>,
    /// The pairs that are not at rest on each other, which `PushApart` and `Impulse` handle.
    pub impacting: Vec<[u32; 2]>,
}

/// A disc that rests on terrain or on a kinematic disc.
#[derive(Clone, Copy, Debug)]
pub struct Grounded {
    pub disc: u32,
    /// Unit vector away from its support.
    pub away: Vec2,
    /// The speed of the support in that direction, m/s.
    pub speed: f32,
    /// The Coulomb coefficient, and the speed of the surface along itself, m/s.
    pub friction: f32,
    pub carries: Vec2,
}

impl Grounded {
    /// A disc on a support without friction.
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
    /// The overlap beyond what any load explains, metres; zero or less for most.
    pub excess: f32,
}

impl RestingSubstep {
    /// Whether a disc is supported from below.
    #[inline(always)]
    pub fn is_supported(&self, disc: usize) -> bool {
        self.supported.get(disc).copied().unwrap_or(false)
    }
}

impl Resting {
    /// The overlap that the weight of the discs above two discs may cause, metres.
    #[inline(always)]
    pub fn load_overlap(&self, position: &[Vec2], radius: &[f32], discs: [usize; 2]) -> f32 {
        self.limits.load_overlap_of(&self.tick.tops, position, radius, discs)
    }
}

impl RestingLimits {
    /// The overlap, in metres, for a load that reaches this high above the lower one of two discs; `sum` is the sum of
    /// their radii.
    #[inline(always)]
    pub fn load_overlap(&self, above: f32, sum: f32) -> f32 {
        self.per_layer * (2.0 + above / sum)
    }

    /// The same for two discs at their current positions.
    #[inline(always)]
    pub fn load_overlap_of(&self, tops: &[f32], position: &[Vec2], radius: &[f32], [i, j]: [usize; 2]) -> f32 {
        let lower = position[i].dot(self.up).min(position[j].dot(self.up));
        let top = |i: usize| tops.get(i).copied().unwrap_or(lower);
        let above = max(top(i), top(j)) - lower;
        self.load_overlap(max(above, 0.0), radius[i] + radius[j])
    }
}
