//! The history when a scene ends or starts: a restart is an edit, and another scene clears the history.

use bevy::prelude::*;
use tr::tr;

use super::{
    edit::{Edit, EditCommand},
    history::{EditHistory, forget, notify, record},
    park::park,
};
use crate::{
    input::actions::{Control, KeyMap},
    scene::{InScene, SceneEnded, SceneInstance, SceneStarted},
};

/// Handles the end of a scene. Unless it restarts, its edits have become meaningless.
pub(super) fn follow_end(ended: On<SceneEnded>, mut commands: Commands) {
    let is_restart = ended.restart;
    commands.queue(move |world: &mut World| if is_restart { set_aside(world) } else { clear(world, false) });
}

/// Handles the start of a scene: the first one, or one whose predecessor has just ended.
pub(super) fn follow_start(started: On<SceneStarted>, mut commands: Commands) {
    let is_restart = started.restart;
    commands.queue(move |world: &mut World| {
        let leaving = world.get_resource_mut::<EditHistory>().and_then(|mut history| history.leaving.take());
        match leaving.filter(|_| is_restart) {
            Some(leaving) => record_restart(world, &leaving),
            None => clear(world, is_restart),
        }
    });
}

/// All entities of the scene, and their root.
fn contents(world: &mut World) -> Vec<Entity> {
    world.query_filtered::<Entity, Or<(InScene, With<SceneInstance>)>>().iter(world).collect()
}

/// Before a restart: parks the entities if there were edits, so that the restart can be undone. Otherwise they are
/// dropped.
fn set_aside(world: &mut World) {
    let Some(history) = world.get_resource::<EditHistory>() else { return };
    let mut since = history.done.iter().rev().take_while(|edit| !edit.is_restart);
    let leaving = if since.any(|edit| !edit.is_of_settings()) {
        contents(world)
    } else if history.done.iter().any(|edit| edit.is_restart) {
        Vec::new()
    } else {
        return clear(world, true);
    };
    for &entity in &leaving {
        park(world, entity);
    }
    world.resource_mut::<EditHistory>().leaving = Some(leaving);
}

/// After a restart: records it, with the entities set aside and the new ones. If nothing was set aside, it replaces the
/// last restart.
fn record_restart(world: &mut World, leaving: &[Entity]) {
    let came = contents(world);
    let came = came.iter().map(|&entity| EditCommand::Presence { entity, after: true });
    if !leaving.is_empty() {
        let mut edit = Edit { is_restart: true, ..Edit::of_presence(tr!("restart"), leaving, false) };
        edit.commands.extend(came);
        record(world, edit, None);
        if let Some(key) = world.get_resource::<KeyMap>().and_then(|map| map.short(Control::Undo)) {
            notify(world, tr!("Restarted. {} restores the previous state.", key));
        }
        return;
    }
    let Some(mut history) = world.get_resource_mut::<EditHistory>() else { return };
    history.open = None;
    if let Some(restart) = history.done.iter_mut().rev().find(|edit| edit.is_restart) {
        restart.commands.retain(|command| matches!(command, EditCommand::Presence { after: false, .. }));
        restart.commands.extend(came);
    }
    // The undone edits concerned the entities of the last restart.
    let (undone, never) = std::mem::take(&mut history.undone).into_iter().partition(Edit::is_of_settings);
    history.undone = undone;
    forget(world, [Vec::new(), never]);
}

/// Drops all edits, or all except those of settings.
fn clear(world: &mut World, keep_settings: bool) {
    let Some(mut history) = world.get_resource_mut::<EditHistory>() else { return };
    (history.open, history.leaving) = (None, None);
    let keeps = |edit: &Edit| keep_settings && edit.is_of_settings();
    let (done, old): (Vec<Edit>, Vec<Edit>) = std::mem::take(&mut history.done).into_iter().partition(keeps);
    let (undone, never) = std::mem::take(&mut history.undone).into_iter().partition(keeps);
    (history.done, history.undone) = (done.into(), undone);
    forget(world, [old, never]);
}
