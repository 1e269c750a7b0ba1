//! Broad phase: which discs may touch which discs within the tick.
//!
//! A [`Grid`], made once a tick from where the discs will be after the first substep. Each disc reaches as far as its radius
//! and, with several substeps, as far as its present speed takes it in the rest of the tick, but no more than one radius. What
//! leaves that circle is asked for again when it has (see `candidates`). Terrain is asked for disc by disc, where a disc has left
//! the place around which it knows all terrain (see `terrain`).

pub(in crate::collision) mod candidate_pairs;
pub(in crate::collision) mod circles;
pub(in crate::collision) mod grid;

use super::space::Space;
use grid::Grid;

impl Space {
    /// The grid of the last broad phase, for looking at.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }
}

/// In a pile, discs this close hold each other up, as a share of the sum of their radii.
pub(in crate::collision) const SUPPORTING: f32 = 1.02;

/// Finds the candidates of this tick.
pub fn broad_phase(space: &mut Space) {
    space.record_stillness();
    space.candidates.begin_tick(&space.settings);
    if space.settings.resting_speed > 0.0 {
        // Piles are looked at before anything moves.
        space.find_pairs_of_piles();
    } else {
        space.find_pairs(space.substep(), 1.0);
    }
}
