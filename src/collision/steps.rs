//! The steps of a tick in order, each a plain function over [`PhysicsSpace`]. The systems of the schedule call them,
//! and so do predictions, tests and benches.
//!
//! A step that uses only a part of the space takes that part; those functions are defined here. Three use nearly all of
//! it: the broad phase, and the main loops of the two modes, [`integrate`] and [`impacts`]. Besides the discs and the
//! report, steps leave data for other steps:
//!
//! | from | to | what |
//! |---|---|---|
//! | `settle` | `push_apart`, `impulse` | discs held by springs (`resting`) |
//! | `integrate` | `walls`, `fixed_circles`, the next `settle` | discs near terrain (`TerrainNeighbours::touching`) |
//! | `push_apart` | `impulse` | the contacts |
//! | `push_apart`, `walls` | `walls` | discs pushed toward terrain (`TerrainNeighbours::pushed`) |
//! | `walls` | `fixed_circles` | discs pushed by moving terrain (`MovingTerrain::pushed`) |

pub use super::{continuous::impacts, space::broad_phase, stepped::integrate::integrate};

use super::{
    overlap::push_apart,
    settle::{self, Pile},
    space::PhysicsSpace,
    stepped,
};

/// Brings piles to rest, if the settings ask for it.
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

/// Separates overlapping discs, weighted by mass, and records their contacts.
pub fn push_apart(space: &mut PhysicsSpace) {
    let compute = space.compute;
    let (mut crowd, contacts, scratch) = space.crowd();
    push_apart::push_apart(&mut crowd, contacts, scratch.get(), compute);
}

/// Resolves approaching contacts with their restitution.
pub fn impulse(space: &mut PhysicsSpace) {
    let PhysicsSpace { discs, contacts, resting, laws, clock, report, .. } = space;
    stepped::impulse::impulse(discs, contacts, resting, laws, clock.now, report);
}

/// Corrects discs that were pushed into kinematic discs and into walls.
pub fn walls(space: &mut PhysicsSpace) {
    stepped::walls::walls(&mut space.crowd().0);
}

/// Corrects discs that were pushed into corners and bumpers.
pub fn fixed_circles(space: &mut PhysicsSpace) {
    stepped::fixed_circles::fixed_circles(&mut space.crowd().0);
}
