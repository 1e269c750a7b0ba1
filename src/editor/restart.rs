//! The history when a scene ends and starts: a restart is an edit, and another scene clears the history.

use bevy::prelude::*;
use tr::tr;

use super::{
    edit::{Edit, EditCommand},
    history::{EditHistory, forget, record, tell},
    park::park,
};
use crate::{
    input::actions::{Control, KeyMap},
    scene::{InScene, SceneEnded, SceneInstance, SceneStarted},
};

/// A scene ends: there is nothing left that its edits were about, unless it begins again.
pub(super) fn follow_end(ended: On<SceneEnded>, mut commands: Commands) {
    let is_restart = ended.restart;
    commands.queue(move |world: &mut World| if is_restart { set_aside(world) } else { clear(world, false) });
}

/// A scene begins: the first one, where there was none that could end, or one that has ended just now.
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

/// All that is in the scene, and what it is a child of.
fn contents(world: &mut World) -> Vec<Entity> {
    world.query_filtered::<Entity, Or<(InScene, With<SceneInstance>)>>().iter(world).collect()
}

/// A restart begins: what somebody has edited is parked, so that the restart can be taken back. What only ran since the
/// last restart goes.
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

/// A restart was made: what was set aside for it has given way to what is there now. Where nothing was, it takes the
/// place of the last restart.
fn record_restart(world: &mut World, leaving: &[Entity]) {
    let came = contents(world);
    let came = came.iter().map(|&entity| EditCommand::Presence { entity, after: true });
    if !leaving.is_empty() {
        let mut edit = Edit { is_restart: true, ..Edit::of_presence(tr!("restart"), leaving, false) };
        edit.commands.extend(came);
        record(world, edit, None);
        if let Some(key) = world.get_resource::<KeyMap>().and_then(|map| map.short(Control::Undo)) {
            tell(world, tr!("Restarted. {} restores the previous state.", key));
        }
        return;
    }
    let Some(mut history) = world.get_resource_mut::<EditHistory>() else { return };
    history.open = None;
    if let Some(restart) = history.done.iter_mut().rev().find(|edit| edit.is_restart) {
        restart.commands.retain(|command| matches!(command, EditCommand::Presence { after: false, .. }));
        restart.commands.extend(came);
    }
    // Those were about what came with the last one.
    let (undone, never) = std::mem::take(&mut history.undone).into_iter().partition(Edit::is_of_settings);
    history.undone = undone;
    forget(world, [Vec::new(), never]);
}

/// Forgets all edits, or all but those of settings.
fn clear(world: &mut World, keep_settings: bool) {
    let Some(mut history) = world.get_resource_mut::<EditHistory>() else { return };
    (history.open, history.leaving) = (None, None);
    let keeps = |edit: &Edit| keep_settings && edit.is_of_settings();
    let (done, old): (Vec<Edit>, Vec<Edit>) = std::mem::take(&mut history.done).into_iter().partition(keeps);
    let (undone, never) = std::mem::take(&mut history.undone).into_iter().partition(keeps);
    (history.done, history.undone) = (done.into(), undone);
    forget(world, [old, never]);
}
