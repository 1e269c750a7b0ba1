//! Terrain that is dragged while time runs moves kinematically. In the next tick it moves to the pointer and hits
//! anything in the way, like a kinematic disc. Its own motion pauses until it is released.

use bevy::prelude::*;

use super::reshape::Placed;
use crate::components::{AngularVelocity, HeldByHand, MoveTo, Orbit, Oscillation, Rotation, TurnTo, Velocity};

/// The components that move a piece by itself.
#[derive(Clone, Copy, Debug)]
struct OwnMotion {
    velocity: Option<Velocity>,
    angular_velocity: Option<AngularVelocity>,
    move_to: Option<MoveTo>,
    turn_to: Option<TurnTo>,
    oscillation: Option<Oscillation>,
    orbit: Option<Orbit>,
}

impl OwnMotion {
    /// Takes the components from a piece.
    fn take(piece: &mut EntityWorldMut) -> Self {
        Self {
            velocity: piece.take(),
            angular_velocity: piece.take(),
            move_to: piece.take(),
            turn_to: piece.take(),
            oscillation: piece.take(),
            orbit: piece.take(),
        }
    }

    fn put_back(self, piece: &mut EntityWorldMut) {
        let Self { velocity, angular_velocity, move_to, turn_to, oscillation, orbit } = self;
        put_back(piece, velocity);
        put_back(piece, angular_velocity);
        put_back(piece, move_to);
        put_back(piece, turn_to);
        put_back(piece, oscillation);
        put_back(piece, orbit);
    }
}

/// A piece of terrain held by the hand, with the paused components.
#[derive(Component, Clone, Copy, Debug)]
#[require(HeldByHand)]
pub(super) struct Led(OwnMotion);

/// Moves a piece kinematically to a place, from where it is now.
pub(super) fn lead(world: &mut World, piece: Entity, to: &Placed) {
    let Ok(mut piece) = world.get_entity_mut(piece) else { return };
    if !piece.contains::<Led>() {
        let own = Led(OwnMotion::take(&mut piece));
        piece.insert(own);
    }
    // The shorter way around.
    let now = piece.get::<Rotation>().map_or(0.0, |rotation| rotation.0);
    let turns = ((to.rotation.0 - now) / std::f32::consts::TAU).round();
    piece.insert((MoveTo(to.position), TurnTo(to.rotation.0 - turns * std::f32::consts::TAU)));
}

/// Releases a piece, and restores its own motion.
pub(super) fn let_go(world: &mut World, piece: Entity) {
    let Ok(mut piece) = world.get_entity_mut(piece) else { return };
    let Some(Led(own)) = piece.take::<Led>() else { return };
    piece.remove::<(MoveTo, TurnTo, HeldByHand)>();
    own.put_back(&mut piece);
}

fn put_back(piece: &mut EntityWorldMut, component: Option<impl Component>) {
    if let Some(component) = component {
        piece.insert(component);
    }
}

/// A piece has been moved from one place to another. Its target moves along, and so does the centre of its swing or
/// orbit.
pub(super) fn shift(world: &mut World, piece: Entity, from: &Placed, to: &Placed) {
    let Ok(mut piece) = world.get_entity_mut(piece) else { return };
    let way = to.position - from.position;
    if let Some(mut target) = piece.get_mut::<MoveTo>() {
        target.0 += way;
    }
    if let Some(mut target) = piece.get_mut::<TurnTo>() {
        target.0 += to.rotation.0 - from.rotation.0;
    }
    if let Some(mut oscillation) = piece.get_mut::<Oscillation>() {
        oscillation.centre += way;
    }
    if let Some(mut orbit) = piece.get_mut::<Orbit>() {
        orbit.centre += way;
    }
}
