//! Scatter: arrays → components. Writes [`Position`] and [`Velocity`] of the discs that changed, and nothing else.

use bevy::prelude::*;

use super::space::{Space, Stage};
use crate::body::{Position, Velocity};

pub(super) fn scatter(mut space: ResMut<Space>, mut discs: Query<(&mut Position, &mut Velocity)>) {
    space.timed(Stage::Scatter, |space| {
        let bodies = &space.bodies;
        for (i, &entity) in bodies.entity.iter().enumerate() {
            // A system between the steps may have despawned it.
            let Ok((mut position, mut velocity)) = discs.get_mut(entity) else { continue };
            position.set_if_neq(Position(bodies.position[i]));
            velocity.set_if_neq(Velocity(bodies.velocity[i]));
        }
    });
}
