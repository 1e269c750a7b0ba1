//! Walls: discs that were pushed into kinematic discs come out; then discs that were pushed into straight walls, or hit
//! toward one that they touch. (What a disc meets on its own path it bounces off in `integrate`, by the way of
//! `flight`.) A wall has infinite mass: it pushes the whole overlap out and turns the normal part of the velocity
//! around, times the restitution.
//!
//! A wall acts only where the closest point lies between its ends; the ends belong to `FixedCircles`.

use crate::collision::{
    overlap::{
        kinematic::push_out,
        moving::push_out_of_moving,
        terrain::{Contacts, add_pushed, find_wall, resolve_terrain_contacts},
    },
    space::Space,
};

/// Pushes discs out of kinematic ones, and resolves those that touch walls.
pub fn walls(space: &mut Space) {
    push_out(space);
    // Terrain that stands has the last word.
    push_out_of_moving(space, f64::from(space.now), Contacts::Bounce);
    if space.terrain.is_empty() {
        space.terrain_neighbours.touching.clear();
        return;
    }
    add_pushed(space);
    resolve_terrain_contacts(space, find_wall, Contacts::Bounce);
}
