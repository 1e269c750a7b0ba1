//! Fixed circles: discs that were pushed into corners and bumpers (corner reflection), or hit toward one that they
//! touch. A corner is a fixed circle of radius zero, a bumper one with a radius. What a disc meets on its own path it
//! bounces off in `integrate`.
//!
//! A corner where walls start acts only on a disc whose centre lies beyond the start of all of them: elsewhere the
//! closest point is on a wall, and `Walls` has resolved already.

use crate::collision::{
    overlap::{
        kinematic::push_out_wedged,
        moving::stop_pinned,
        terrain::{Contacts, find_circle, resolve_terrain_contacts},
    },
    space::Space,
};

/// Resolves the discs that touch corners and bumpers. Then whom terrain has pushed back into kinematic discs finds a
/// way out, if there is one.
pub fn fixed_circles(space: &mut Space) {
    resolve_terrain_contacts(space, find_circle, Contacts::Bounce);
    stop_pinned(space, f64::from(space.now), Contacts::Bounce);
    push_out_wedged(space);
}
