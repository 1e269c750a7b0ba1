//! Fixed circles: corrects discs that were pushed into corners and bumpers, or hit toward one that they touch (corner
//! reflection). A corner is a fixed circle of radius zero, a bumper one with a radius. Contacts on the path of a disc
//! are handled in `integrate`.
//!
//! A corner where walls start acts only on a disc whose centre is beyond the start of all of them. Elsewhere the
//! closest point is on a wall, and `Walls` has already resolved it.

use crate::collision::overlap::{
    Crowd,
    kinematic::push_out_wedged,
    moving::stop_pinned,
    terrain::{Contacts, find_circle, resolve_touching},
};

/// Resolves the discs that touch corners and bumpers. Then discs that terrain has pushed back into kinematic discs find
/// a way out, if there is one.
pub(crate) fn fixed_circles(crowd: &mut Crowd) {
    resolve_touching(crowd, find_circle);
    stop_pinned(crowd, f64::from(crowd.clock.now), Contacts::Bounce);
    push_out_wedged(crowd);
}
