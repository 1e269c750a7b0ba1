//! Opens a run: makes its changes the future of the history.

use std::collections::{BTreeMap, BTreeSet};

use bevy::prelude::*;

use super::{
    Divergence, Expected, RunError, compare_at,
    kinds::{Entities, Form, Kinds},
};
use crate::{
    collision::PhysicsSpace,
    components::StableId,
    ron_text::{did_you_mean, nearest_name},
    scene::{Change, DiscLook, RonValue, RunFile, SceneEntity, Values},
    timeline::history::{Edit, Edits, History, Recorder, begin_with, hide},
};

/// Makes a run the future of this world, in which its scene has just started. Playing then repeats it, and
/// [`Divergence`] tells the first state that differs.
///
/// # Errors
/// If the app lacks the [`RunFilePlugin`](super::RunFilePlugin) or the history, or if a change cannot be read. The
/// scene then has no future.
pub fn seed(world: &mut World, run: &RunFile) -> Result<(), RunError> {
    if !world.contains_resource::<History>() || !world.contains_resource::<Recorder>() {
        return Err(RunError::NoHistory);
    }
    let mut entities: Entities =
        world.query::<(Entity, &StableId)>().iter(world).map(|(entity, id)| (id.0, entity)).collect();
    let there: BTreeSet<u64> = entities.keys().copied().collect();
    let mut hidden = Vec::new();
    for &id in run.changes.iter().flat_map(|change| &change.appear) {
        entities.entry(id).or_insert_with(|| {
            let mut entity = world.spawn(SceneEntity);
            if let Some(look) = run.looks.get(&id) {
                entity.insert(DiscLook::from(look.clone()));
            }
            hidden.push(entity.id());
            entity.id()
        });
    }
    let edits = match read_changes(world, run, &entities, there) {
        Ok(edits) => edits,
        Err(error) => {
            for entity in hidden {
                world.despawn(entity);
            }
            return Err(error);
        }
    };
    for entity in hidden {
        hide(world, entity);
    }
    let first = world.resource::<PhysicsSpace>().clock.tick;
    world.remove_resource::<Divergence>();
    let track = world.resource::<History>().current_track();
    world.insert_resource(Expected { track, first, hashes: run.hashes().collect() });
    // Before the first changes.
    compare_at(world, first);
    begin_with(world, run.ticks(), edits);
    let track = world.resource::<History>().current_track();
    world.resource_mut::<Expected>().track = track;
    Ok(())
}

/// Reads all changes. `there` are the ids of what is there at the start.
fn read_changes(
    world: &World,
    run: &RunFile,
    entities: &Entities,
    mut there: BTreeSet<u64>,
) -> Result<Vec<(u64, Edits)>, RunError> {
    let kinds = Kinds::of(world);
    let mut read = Vec::with_capacity(run.changes.len());
    for (index, change) in run.changes.iter().enumerate() {
        there.extend(&change.appear);
        let edits = read_change(&kinds, change, entities, &there).map_err(|(place, problem)| RunError::Change {
            index,
            place,
            problem,
        })?;
        for id in &change.disappear {
            there.remove(id);
        }
        read.push((change.tick, edits));
    }
    Ok(read)
}

/// The place of a mistake, and what is wrong there.
type Mistake = (String, String);

fn read_change(kinds: &Kinds, change: &Change, entities: &Entities, there: &BTreeSet<u64>) -> Result<Edits, Mistake> {
    let find = |place: &str, id: &u64| {
        let problem = || {
            (
                place.to_owned(),
                format!("no entity has the id {id} then; the file was changed, or another carom has written it"),
            )
        };
        entities.get(id).copied().filter(|_| there.contains(id)).ok_or_else(problem)
    };
    let mut edits = Edits {
        appeared: change.appear.iter().map(|id| find("appear", id)).collect::<Result<_, _>>()?,
        disappeared: change.disappear.iter().map(|id| find("disappear", id)).collect::<Result<_, _>>()?,
        ..Edits::default()
    };
    let mut by_name: BTreeMap<&str, Values<&RonValue>> = BTreeMap::new();
    for (name, values) in &change.set {
        let list = by_name.entry(name).or_default();
        for (id, value) in values {
            list.push((find(&format!("set.{name}"), id)?, Some(value)));
        }
    }
    for (name, ids) in &change.remove {
        let list = by_name.entry(name).or_default();
        for id in ids {
            list.push((find(&format!("remove.{name}"), id)?, None));
        }
    }
    for (name, values) in by_name {
        let Some((index, Form::Component(form))) = kinds.named(name).map(|kind| (kind.index, &kind.form)) else {
            return Err((format!("set.{name}"), unknown(kinds, name, false)));
        };
        let edit = form.read(values, entities).map_err(|problem| (format!("set.{name}"), problem))?;
        edits.values.push((index, edit));
    }
    for (name, value) in &change.settings {
        let place = || format!("settings.{name}");
        let Some((index, Form::Setting { read, .. })) = kinds.named(name).map(|kind| (kind.index, &kind.form)) else {
            return Err((place(), unknown(kinds, name, true)));
        };
        let edit: Edit = read(value).map_err(|problem| (place(), problem))?;
        edits.values.push((index, edit));
    }
    // In the order of the history.
    edits.values.sort_by_key(|(index, _)| *index);
    Ok(edits)
}

fn unknown(kinds: &Kinds, name: &str, of_settings: bool) -> String {
    let known: Vec<&str> = kinds.names(of_settings).collect();
    format!("there is no such field{}; the fields are {}", did_you_mean(nearest_name(name, &known)), known.join(", "))
}
