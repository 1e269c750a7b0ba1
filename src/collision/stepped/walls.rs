//! Walls: pushes discs out of kinematic discs. Then it corrects discs that were pushed into straight walls, or hit
//! toward one that they touch. `integrate` handles contacts on the path of a disc, through `flight`. A wall has
//! infinite mass. It removes the whole overlap, and reverses the normal component of the velocity, times the
//! restitution.
//!
//! A wall acts only if the closest point is between its ends; the ends belong to `FixedCircles`.

use crate::collision::overlap::{
    Crowd,
    kinematic::push_out,
    moving::push_out_of_moving,
    terrain::{Contacts, add_pushed, find_wall, resolve_touching},
};

/// Pushes discs out of kinematic ones, and resolves those that touch walls.
pub(crate) fn walls(crowd: &mut Crowd) {
    push_out(crowd);
    // Static terrain comes last.
    push_out_of_moving(crowd, f64::from(crowd.clock.now), Contacts::Bounce);
    if crowd.terrain.is_empty() {
        crowd.terrain_neighbours.touching.clear();
        return;
    }
    add_pushed(crowd.discs, crowd.terrain, crowd.terrain_neighbours);
    resolve_touching(crowd, find_wall);
}
