//! Walls: discs that were pushed into kinematic discs come out; then discs that were pushed into straight walls, or hit
//! toward one that they touch. (What a disc meets on its own path it bounces off in `integrate`, by the way of
//! `flight`.) A wall has infinite mass: it pushes the whole overlap out and turns the normal part of the velocity
//! around, times the restitution.
//!
//! A wall acts only where the closest point lies between its ends; the ends belong to `FixedCircles`.

use crate::collision::overlap::{
    Crowd,
    kinematic::push_out,
    moving::push_out_of_moving,
    terrain::{Contacts, add_pushed, find_wall, resolve_touching},
};

/// Pushes discs out of kinematic ones, and resolves those that touch walls.
pub(crate) fn walls(crowd: &mut Crowd) {
    push_out(crowd);
    // Terrain that stands has the last word.
    push_out_of_moving(crowd, f64::from(crowd.clock.now), Contacts::Bounce);
    if crowd.terrain.is_empty() {
        crowd.terrain_neighbours.touching.clear();
        return;
    }
    add_pushed(crowd.discs, crowd.terrain, crowd.terrain_neighbours);
    resolve_touching(crowd, find_wall);
}
