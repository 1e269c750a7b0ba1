//! Fixed circles: discs that were pushed into corners and bumpers (corner reflection), or hit toward one that they
//! touch. A corner is a fixed circle of radius zero, a bumper one with a radius. What a disc meets on its own path it
//! bounces off in `integrate`.
//!
//! A corner where walls start acts only on a disc whose centre lies beyond the start of all of them: elsewhere the
//! closest point is on a wall, and `Walls` has resolved already.

use crate::collision::overlap::{
    Crowd,
    kinematic::push_out_wedged,
    moving::stop_pinned,
    terrain::{Contacts, find_circle, resolve_touching},
};

/// Resolves the discs that touch corners and bumpers. Then whom terrain has pushed back into kinematic discs finds a
/// way out, if there is one.
pub(crate) fn fixed_circles(crowd: &mut Crowd) {
    resolve_touching(crowd, find_circle);
    stop_pinned(crowd, f64::from(crowd.clock.now), Contacts::Bounce);
    push_out_wedged(crowd);
}
