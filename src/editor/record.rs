//! Records edits. Deleting and adding entities are commands. All other edits are found by comparing values before and
//! after, so tools and panel sections need not know the history.

use bevy::prelude::*;
use tr::tr;

use super::{
    ChosenTerrain, EditHistory,
    edit::{Covered, Edit, EditCommand, select},
    history::{PanelHold, record},
    park::{is_there, park},
    property::Recording,
};
use crate::{
    components::{Disc, Joint, Terrain},
    input::Selection,
};

/// Deletes discs and terrain as one edit. Without an [`EditHistory`] they are despawned.
pub fn delete(world: &mut World, entities: &[Entity]) {
    let entities: Vec<Entity> = entities.iter().copied().filter(|&entity| is_there(world, entity)).collect();
    if !world.contains_resource::<EditHistory>() {
        for entity in entities {
            world.despawn(entity);
        }
        return;
    }
    let edit = Edit::of_presence(tr!("delete {}", what(world, &entities)), &entities, false);
    for &entity in &entities {
        park(world, entity);
    }
    select(world, &[]);
    record(world, edit, None);
}

/// Records that these entities were added, as one edit: "add a disc". Undoing it also puts back the discs that they
/// pushed aside, unless these have moved since.
pub fn record_spawn(world: &mut World, entities: &[Entity]) {
    let mut edit = Edit::of_presence(tr!("add {}", what(world, entities)), entities, true);
    edit.commands.extend(Covered::by(world, entities).into_iter().map(EditCommand::PushAside));
    record(world, edit, None);
}

/// Lets `act` change components of these entities, as one edit with this name. It covers the components of
/// [`UndoAppExt`](super::UndoAppExt).
pub fn change<T>(
    world: &mut World,
    words: impl Into<String>,
    entities: &[Entity],
    act: impl FnOnce(&mut World) -> T,
) -> T {
    let mut recording = Recording::of_entities(world, entities);
    let response = act(world);
    recording.end(world);
    record(world, Edit::of_values(Some(words.into()), recording), None);
    response
}

/// Shows a panel, and records its changes of settings and of the selection as an edit. Changes during one hold are one
/// edit. Without a hold nothing is changed or compared.
pub fn watch<T>(world: &mut World, hold: Option<PanelHold>, show: impl FnOnce(&mut World) -> T) -> T {
    let Some(mut history) = world.get_resource_mut::<EditHistory>() else { return show(world) };
    let history = history.bypass_change_detection();
    let held = hold.map(PanelHold::held);
    if history.open != held || hold == Some(PanelHold::Pointer { pressed: true }) {
        history.open = None;
    }
    if hold.is_none() {
        return show(world);
    }
    let mut chosen = world.get_resource::<Selection>().map(|selection| selection.0.clone()).unwrap_or_default();
    chosen.extend(world.get_resource::<ChosenTerrain>().and_then(|chosen| chosen.0));
    let mut recording = Recording::of_settings(world);
    recording.extend(Recording::of_entities(world, &chosen));
    world.resource_mut::<EditHistory>().bypass_change_detection().watched = Some(recording);
    let response = show(world);
    let watched = world.resource_mut::<EditHistory>().bypass_change_detection().watched.take();
    // If an edit was undone meanwhile, the recording is gone, since undo is not an edit.
    if let Some(mut recording) = watched {
        recording.end(world);
        record(world, Edit::of_values(None, recording), held);
    }
    response
}

/// Makes [`watch`] also compare these entities from now on, for a panel that is about to change entities outside the
/// selection.
pub fn watch_also(world: &mut World, entities: &[Entity]) {
    let more = Recording::of_entities(world, entities);
    if let Some(mut history) = world.get_resource_mut::<EditHistory>()
        && let Some(watched) = &mut history.bypass_change_detection().watched
    {
        watched.extend(more);
    }
}

/// A description of discs and terrain: "a disc", "3 discs", "a wall".
pub(super) fn what(world: &World, entities: &[Entity]) -> String {
    let name = |&entity: &Entity| match world.get::<Terrain>(entity) {
        _ if world.get::<Disc>(entity).is_some() => "disc",
        Some(Terrain::Segment { .. }) => "wall",
        Some(Terrain::Circle { .. }) => "bumper",
        Some(Terrain::Block { .. }) => "block",
        Some(Terrain::Polygon { .. }) => "polygon",
        Some(Terrain::Polyline { .. }) => "chain of walls",
        Some(Terrain::Arena { .. }) => "arena",
        Some(Terrain::Arc { .. }) => "arc",
        None if world.get::<Joint>(entity).is_some() => "joint",
        None => "piece",
    };
    let Some(first) = entities.first().map(name) else { return tr!("nothing") };
    let count = entities.len();
    match if entities.iter().all(|entity| name(entity) == first) { first } else { "piece" } {
        "disc" => tr!("a disc" | "{n} discs" % count),
        "wall" => tr!("a wall" | "{n} walls" % count),
        "bumper" => tr!("a bumper" | "{n} bumpers" % count),
        "block" => tr!("a block" | "{n} blocks" % count),
        "polygon" => tr!("a polygon" | "{n} polygons" % count),
        "chain of walls" => tr!("a chain of walls" | "{n} chains of walls" % count),
        "arena" => tr!("an arena" | "{n} arenas" % count),
        "joint" => tr!("a joint" | "{n} joints" % count),
        "arc" => tr!("an arc" | "{n} arcs" % count),
        _ => tr!("a piece" | "{n} pieces" % count),
    }
}
