//! What a panel changes becomes edits: settings and the components of what is selected are compared before and after it
//! is shown, so that none of its sections need to know of the history.

use bevy::prelude::*;

use super::{
    ChosenTerrain, EditHistory,
    history::{Edit, Grip, record_held},
    property::Values,
};
use crate::input::Selection;

/// Shows a panel, and remembers what it changed as an edit. Where nothing holds the panel, nothing is changed by it,
/// and nothing is compared.
pub fn watch<T>(world: &mut World, grip: Option<Grip>, show: impl FnOnce(&mut World) -> T) -> T {
    let held = grip.map(Grip::held);
    if let Some(mut history) = world.get_resource_mut::<EditHistory>() {
        history.bypass_change_detection().hold(held, grip == Some(Grip::Pointer { pressed: true }));
    } else {
        return show(world);
    }
    if grip.is_none() {
        return show(world);
    }
    let mut chosen = world.get_resource::<Selection>().map(|selection| selection.0.clone()).unwrap_or_default();
    chosen.extend(world.get_resource::<ChosenTerrain>().and_then(|chosen| chosen.0));
    let travels = |world: &World| world.resource::<EditHistory>().travels();
    let set_out = travels(world);
    let before = Values::of_settings(world).and(Values::of_entities(world, &chosen));
    world.resource_mut::<EditHistory>().bypass_change_detection().watched = before;
    let response = show(world);
    let before = std::mem::take(&mut world.resource_mut::<EditHistory>().bypass_change_detection().watched);
    // To take an edit back is none.
    if travels(world) == set_out {
        let after = before.again(world);
        record_held(world, Edit::between(None, before, after), held);
    }
    response
}

/// Lets [`watch`] compare these entities too, from now on: for a panel that is about to change what is not selected.
pub fn watch_also(world: &mut World, entities: &[Entity]) {
    let more = Values::of_entities(world, entities);
    if let Some(mut history) = world.get_resource_mut::<EditHistory>() {
        let history = history.bypass_change_detection();
        history.watched = std::mem::take(&mut history.watched).and(more);
    }
}
