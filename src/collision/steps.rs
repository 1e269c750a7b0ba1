//! The steps of a tick, in their order, each a plain function over [`PhysicsSpace`]: what the systems of the schedule call,
//! and predictions, tests and benches.
//!
//! A step that reads and changes a part of the space gets that part alone; those functions stand here. Three have
//! nearly all of it in their hands: the broad phase, and the loops of the two modes, [`integrate`] and [`impacts`].
//! What one step leaves for others, apart from the discs and the report:
//!
//! | from | to | what |
//! |---|---|---|
//! | `settle` | `push_apart`, `impulse` | whom springs hold (`resting`) |
//! | `integrate` | `walls`, `fixed_circles`, the next `settle` | who came near terrain (`TerrainNeighbours::touching`) |
//! | `push_apart` | `impulse` | the contacts |
//! | `push_apart`, `walls` | `walls` | whom they pushed toward terrain (`TerrainNeighbours::pushed`) |
//! | `walls` | `fixed_circles` | whom moving terrain pushed (`MovingTerrain::pushed`) |

pub use super::{continuous::impacts, space::broad_phase, stepped::integrate::integrate};

use super::{
    overlap::push_apart,
    settle::{self, Pile},
    space::PhysicsSpace,
    stepped,
};

/// Piles come to rest, where the settings ask for it.
pub fn settle(space: &mut PhysicsSpace) {
    let PhysicsSpace { discs, resting, terrain, terrain_neighbours, moving, broad_phase, cell, laws, clock, .. } =
        space;
    let (cell, compute) = (*cell, space.compute);
    settle::settle(Pile {
        discs,
        resting,
        terrain,
        terrain_neighbours,
        moving,
        broad_phase,
        cell,
        laws,
        clock,
        compute,
    });
}

/// Overlapping discs part, weighted by mass; their contacts are recorded.
pub fn push_apart(space: &mut PhysicsSpace) {
    let compute = space.compute;
    let (mut crowd, contacts, scratch) = space.crowd();
    push_apart::push_apart(&mut crowd, contacts, scratch.get(), compute);
}

/// Contacts that approach are resolved with their restitution.
pub fn impulse(space: &mut PhysicsSpace) {
    let PhysicsSpace { discs, contacts, resting, laws, clock, report, .. } = space;
    stepped::impulse::impulse(discs, contacts, resting, laws, clock.now, report);
}

/// Discs that were pushed into kinematic ones, and into walls.
pub fn walls(space: &mut PhysicsSpace) {
    stepped::walls::walls(&mut space.crowd().0);
}

/// Discs that were pushed into corners and bumpers.
pub fn fixed_circles(space: &mut PhysicsSpace) {
    stepped::fixed_circles::fixed_circles(&mut space.crowd().0);
}
