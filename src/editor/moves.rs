//! Makes one edit of a drag of discs, a drag of a velocity arrow's tip, or a move with held keys.

use bevy::prelude::*;
use tr::tr;

use super::{edit::Edit, history::record, property::Recording, record::what};
use crate::{
    components::{MoveTo, Position},
    editor::move_disc::HeldByKeys,
    input::{Gesture, Selection},
};

/// The drag in progress.
#[derive(Resource, Default)]
pub(super) struct OpenMove(Option<Move>);

struct Move {
    entities: Vec<Entity>,
    is_arrow: bool,
    recording: Recording,
}

/// The disc being dragged or moved with keys, and whether the drag is of its arrow's tip.
fn held(gesture: Gesture, by_keys: Option<&HeldByKeys>) -> Option<(Entity, bool)> {
    match gesture {
        Gesture::Moving { disc, dragged: true, .. } => Some((disc, false)),
        Gesture::HoldingHandle { disc, .. } => Some((disc, true)),
        _ => by_keys.and_then(|held| held.0).map(|disc| (disc, false)),
    }
}

pub(super) fn is_due(gesture: Res<Gesture>, by_keys: Option<Res<HeldByKeys>>, open: Res<OpenMove>) -> bool {
    open.0.is_some() || held(*gesture, by_keys.as_deref()).is_some()
}

/// The description of a drag.
pub(super) fn words(world: &World, entities: &[Entity], is_arrow: bool) -> String {
    let what = what(world, entities);
    if is_arrow { tr!("velocity of {}", what) } else { tr!("move {}", what) }
}

/// Records the values before a drag, and completes a finished one.
pub(super) fn before(world: &mut World) {
    let held = held(*world.resource::<Gesture>(), world.get_resource());
    let is_same =
        |open: &Move| held.is_some_and(|(disc, is_arrow)| open.is_arrow == is_arrow && open.entities.contains(&disc));
    if let Some(done) = world.resource_mut::<OpenMove>().0.take_if(|open| !is_same(open)) {
        let words = words(world, &done.entities, done.is_arrow);
        record(world, Edit::of_values(Some(words), done.recording), None);
    }
    if let Some((disc, is_arrow)) = held
        && world.resource::<OpenMove>().0.is_none()
    {
        let chosen = &world.resource::<Selection>().0;
        let entities = if !is_arrow && chosen.contains(&disc) { chosen.clone() } else { vec![disc] };
        let recording = Recording::of_entities(world, &entities);
        world.resource_mut::<OpenMove>().0 = Some(Move { entities, is_arrow, recording });
    }
}

/// Records the values after the move of this frame, so that later changes are not part of the edit.
pub(super) fn after(world: &mut World) {
    let Some(mut open) = world.resource_mut::<OpenMove>().0.take() else { return };
    open.recording.end(world);
    // A kinematic disc moves to a target and stops on release. The target is not part of the edit.
    for &disc in open.entities.iter().filter(|&&disc| world.get::<MoveTo>(disc).is_some()) {
        let target = open.recording.change_mut::<MoveTo>(disc).filter(|change| change.before.is_none());
        if let Some(MoveTo(target)) = target.and_then(|change| change.after.take())
            && let Some(place) = open.recording.change_mut::<Position>(disc)
        {
            place.after = Some(Position(target));
        }
    }
    world.resource_mut::<OpenMove>().0 = Some(open);
}
