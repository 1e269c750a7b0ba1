//! Parts that several meters share.

use crate::{
    collision::{Hit, HitTarget, PhysicsSpace},
    laboratory::blocks::{Blocks, jackknife_error},
};

/// A ratio of two sums over a run, with the error from the scatter of its parts.
pub(super) struct Ratio {
    blocks: Blocks,
}

impl Default for Ratio {
    fn default() -> Self {
        Self { blocks: Blocks::new(2) }
    }
}

impl Ratio {
    /// Adds a tick to the sums.
    pub(super) fn add(&mut self, upper: f64, lower: f64) {
        let sums = self.blocks.current();
        sums[0] += upper;
        sums[1] += lower;
        self.blocks.end_tick();
    }

    /// The lower sum.
    pub(super) fn lower(&self) -> f64 {
        self.blocks.total()[1]
    }

    /// The ratio and its standard error.
    pub(super) fn value(&self) -> (f64, Option<f64>) {
        let ratio = |sums: &[f64]| sums[0] / sums[1];
        let parts: Vec<f64> = self.blocks.without_each().iter().map(|sums| ratio(sums)).collect();
        (ratio(&self.blocks.total()), jackknife_error(&parts))
    }
}

/// The hits between two discs in the last tick, by their numbers.
pub(super) fn disc_hits(space: &PhysicsSpace) -> impl Iterator<Item = [usize; 2]> + '_ {
    space.report.hits.iter().filter_map(|hit| match hit.target {
        HitTarget::Disc(other) => Some([hit.disc as usize, other as usize]),
        HitTarget::Wall(_) | HitTarget::FixedCircle(_) => None,
    })
}

/// The hits on terrain in the last tick.
pub(super) fn wall_hits(space: &PhysicsSpace) -> impl Iterator<Item = &Hit> {
    space.report.hits.iter().filter(|hit| !matches!(hit.target, HitTarget::Disc(_)))
}
