//! Terrain that is dragged while time runs is led: with the next tick it moves to where the hand is, and hits what is
//! on the way, as a kinematic disc does. What else moves it waits until the hand lets go.

use bevy::prelude::*;

use super::reshape::Placed;
use crate::components::{AngularVelocity, ForNow, MoveTo, Orbit, Oscillation, Rotation, TurnTo, Velocity};

/// What moves a piece when no hand does.
type Own =
    (Option<Velocity>, Option<AngularVelocity>, Option<MoveTo>, Option<TurnTo>, Option<Oscillation>, Option<Orbit>);

/// A piece of terrain is in somebody's hand.
#[derive(Component, Clone, Copy, Debug)]
#[require(ForNow)]
pub(super) struct Led(Own);

/// Leads a piece to a place, from wherever it is now.
pub(super) fn lead(world: &mut World, piece: Entity, to: &Placed) {
    let Ok(mut piece) = world.get_entity_mut(piece) else { return };
    if !piece.contains::<Led>() {
        let own = Led((
            piece.take::<Velocity>(),
            piece.take::<AngularVelocity>(),
            piece.take::<MoveTo>(),
            piece.take::<TurnTo>(),
            piece.take::<Oscillation>(),
            piece.take::<Orbit>(),
        ));
        piece.insert(own);
    }
    // By the shorter way round.
    let now = piece.get::<Rotation>().map_or(0.0, |rotation| rotation.0);
    let turns = ((to.rotation.0 - now) / std::f32::consts::TAU).round();
    piece.insert((MoveTo(to.position), TurnTo(to.rotation.0 - turns * std::f32::consts::TAU)));
}

/// The hand lets go of a piece: what moved it before moves it again.
pub(super) fn let_go(world: &mut World, piece: Entity) {
    let Ok(mut piece) = world.get_entity_mut(piece) else { return };
    let Some(Led((velocity, angular_velocity, move_to, turn_to, oscillation, orbit))) = piece.take::<Led>() else {
        return;
    };
    piece.remove::<(MoveTo, TurnTo, ForNow)>();
    put_back(&mut piece, velocity);
    put_back(&mut piece, angular_velocity);
    put_back(&mut piece, move_to);
    put_back(&mut piece, turn_to);
    put_back(&mut piece, oscillation);
    put_back(&mut piece, orbit);
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
