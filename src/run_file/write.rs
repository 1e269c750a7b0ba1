//! Makes a run of what the history has recorded.

use std::collections::{BTreeMap, BTreeSet};

use bevy::{
    ecs::entity::{EntityHashMap, EntityHashSet},
    prelude::*,
    time::TimePlugin,
};

use super::{
    RunError,
    kinds::{Form, Kinds, Names},
};
use crate::{
    PhysicsPlugins,
    collision::PhysicsSpace,
    components::StableId,
    link::{Link, LinkKind},
    scene::{
        self, Change, DiscLook, Hash, Look, RonValue, RunFile, SceneFile, SceneRegistry, SceneSource, Start, StartOf,
        world_hash,
    },
    timeline::history::{Edits, History, Recorder, visit_ticks},
};

/// The largest number of states whose hashes are stored.
const MOST_HASHES: usize = 64;

/// The same for a link, in which each takes 14 letters.
const MOST_HASHES_IN_LINK: usize = 8;

/// The run so far: from the first tick that the [`History`] holds to the end of the current track. The world visits the
/// states that are hashed, and returns to where it was.
///
/// # Errors
/// - [`RunError::NoHistory`] and [`RunError::NoTick`]
/// - [`RunError::Start`] if the scene cannot be written, or would not start in the same state
/// - [`RunError::NoForm`] if a component or a value of a game was changed that scene files do not know
pub fn record(world: &mut World) -> Result<RunFile, RunError> {
    let history = world.get_resource::<History>().ok_or(RunError::NoHistory)?;
    let (first, end) = (history.start(), history.end());
    if history.tick() != world.resource::<PhysicsSpace>().clock.tick || first >= end {
        return Err(RunError::NoTick);
    }
    let ticks = hashed_ticks(history.keyframe_ticks(), first, end);
    let mut hashes = BTreeMap::new();
    let mut start = None;
    visit_ticks(world, &ticks, |world, tick| {
        if tick == first {
            start = Some(Beginning::of(world));
        }
        hashes.insert(tick - first, Hash(world_hash(world)));
    });
    let Some(start) = start else { return Err(RunError::NoTick) };
    let Beginning { scene, names } = start.map_err(RunError::Start)?;
    let ids: BTreeSet<u64> = names.values().copied().collect();
    if ids.len() < names.len() {
        return Err(RunError::Start("two entities have the same StableId; give each its own".to_owned()));
    }
    check_start(world, &scene, &hashes, &ids).map_err(RunError::Start)?;
    let (changes, names) = changes(world, first, names)?;
    let mut run = RunFile::new(scene, end - first, hashes, changes);
    run.looks = looks(world, &names, &ids);
    run.check().map_err(|invalid| RunError::TooLarge(invalid.to_string()))?;
    Ok(run)
}

/// The run so far as a link, from its `#` on. It holds fewer hashes than a file.
///
/// # Errors
/// As for [`record`], and if the run is too large for a link.
pub fn link(world: &mut World) -> Result<String, RunError> {
    let mut run = record(world)?;
    let start = run.hashes.first_key_value().map_or(0, |(_, hash)| hash.0);
    let kept = spread(&run.hashes.keys().copied().collect::<Vec<_>>(), MOST_HASHES_IN_LINK);
    run.hashes.retain(|tick, _| kept.contains(tick));
    let text = run.to_line().map_err(|error| RunError::TooLarge(error.to_string()))?;
    Link::new(LinkKind::Run, start, text).write().map_err(|error| RunError::TooLarge(error.to_string()))
}

/// The ticks whose states are hashed: the first, the last, and some of the keyframes between.
fn hashed_ticks(keyframes: Vec<u64>, first: u64, end: u64) -> Vec<u64> {
    let mut ticks: Vec<u64> = keyframes.into_iter().filter(|tick| (first..end).contains(tick)).collect();
    ticks.push(end);
    spread(&ticks, MOST_HASHES)
}

/// At most this many of some ticks, with the first and the last.
fn spread(ticks: &[u64], most: usize) -> Vec<u64> {
    if ticks.len() <= most {
        return ticks.to_vec();
    }
    (0..most).map(|i| ticks[i * (ticks.len() - 1) / (most - 1)]).collect()
}

/// The state at the start of a run.
struct Beginning {
    scene: RonValue,
    names: EntityHashMap<u64>,
}

impl Beginning {
    fn of(world: &mut World) -> Result<Self, String> {
        let Start { text, is_name, .. } = scene::start(world, StartOf::Run)?;
        let scene = if is_name { RonValue::of(&text) } else { RonValue::new(&text) }?;
        let names = world.query::<(Entity, &StableId)>().iter(world).map(|(entity, id)| (entity, id.0)).collect();
        Ok(Self { scene, names })
    }
}

/// Checks that a scene starts in the state with the first hash, and with these ids.
fn check_start(
    world: &World,
    scene: &RonValue,
    hashes: &BTreeMap<u64, Hash>,
    ids: &BTreeSet<u64>,
) -> Result<(), String> {
    let registry = SceneRegistry::of(world);
    let file: SceneFile = RunFile::new(scene.clone(), 0, BTreeMap::new(), Vec::new())
        .scene_file("the start", &registry)
        .map_err(|error| error.to_string())?;
    let mut app = App::new();
    app.add_plugins((TimePlugin, PhysicsPlugins::default())).insert_resource(registry);
    scene::spawn(app.world_mut(), SceneSource::default(), file).map_err(|error| error.to_string())?;
    let world = app.world_mut();
    let opened: BTreeSet<u64> = world.query::<&StableId>().iter(world).map(|id| id.0).collect();
    if opened != *ids {
        return Err("its entities get other ids in a file: joints or tiles were numbered before others; restart the \
                    scene, and save the run from there"
            .to_owned());
    }
    if hashes.get(&0).is_some_and(|hash| hash.0 != world_hash(world)) {
        return Err("the scene would start in another state; restart it, and save the run from there".to_owned());
    }
    Ok(())
}

/// The recorded changes, and the names of all entities in them.
fn changes(world: &World, first: u64, names: EntityHashMap<u64>) -> Result<(Vec<Change>, Names<'_>), RunError> {
    let kinds = Kinds::of(world);
    let recorder = world.resource::<Recorder>();
    let mut names = Names::new(recorder, names);
    let mut there: BTreeMap<u64, Entity> = names.iter().map(|(entity, id)| (id, entity)).collect();
    let mut changes = Vec::new();
    let history = world.resource::<History>();
    for (tick, edits) in history.recorded_edits().filter(|(tick, _)| *tick > first) {
        let tick = tick - first;
        let failed = |what: &str, problem: String| RunError::NoForm { tick, what: what.to_owned(), problem };
        let ids: EntityHashMap<u64> = stable_ids(edits).collect();
        let mut new = EntityHashSet::default();
        for &entity in &edits.appeared {
            let name = names.get(entity).or_else(|| ids.get(&entity).copied());
            let name = name.ok_or_else(|| failed("an entity", "it has no StableId; give it one".to_owned()))?;
            let now = recorder.now(entity);
            if there.insert(name, now).is_some_and(|other| other != now) {
                let problem = format!("two entities have the StableId {name}; give each its own");
                return Err(failed("the list of entities", problem));
            }
            if names.insert(entity, name).is_none() {
                new.insert(entity);
            }
        }
        let mut change = Change { tick, ..Change::default() };
        change.appear = edits.appeared.iter().filter_map(|&entity| names.get(entity)).collect();
        change.disappear = edits.disappeared.iter().filter_map(|&entity| names.get(entity)).collect();
        for name in &change.disappear {
            there.remove(name);
        }
        for (index, edit) in &edits.values {
            let Some(kind) = kinds.at(*index) else {
                if !recorder.changes(*index, edit, &new) {
                    continue;
                }
                let problem = "it has no form in a file; register it with add_scene_component, or do not track it";
                return Err(failed(recorder.name(*index), problem.to_owned()));
            };
            match &kind.form {
                Form::Setting { write, .. } => {
                    let value = write(edit).map_err(|problem| failed(&kind.name, problem))?;
                    change.settings.insert(kind.name.clone(), value);
                }
                Form::Component(form) => {
                    let values = form.write(edit, &names).map_err(|problem| failed(&kind.name, problem))?;
                    for (entity, value) in values {
                        match (names.get(entity), value) {
                            (Some(name), Some(value)) => {
                                change.set.entry(kind.name.clone()).or_default().insert(name, value);
                            }
                            // What it never had cannot be removed.
                            (Some(name), None) if !new.contains(&entity) => {
                                change.remove.entry(kind.name.clone()).or_default().push(name);
                            }
                            (None, Some(_)) => {
                                let problem = "its entity has no StableId; give it one".to_owned();
                                return Err(failed(&kind.name, problem));
                            }
                            (_, None) => {}
                        }
                    }
                }
            }
        }
        changes.push(change);
    }
    Ok((changes, names))
}

/// The ids in an edit.
fn stable_ids(edits: &Edits) -> impl Iterator<Item = (Entity, u64)> {
    let values = edits.values.iter().filter_map(|(_, edit)| edit.components::<StableId>()).flatten();
    values.filter_map(|(entity, id)| Some((*entity, id.as_ref()?.0)))
}

/// How discs look that were not there at the start.
fn looks(world: &World, names: &Names, start: &BTreeSet<u64>) -> BTreeMap<u64, Look> {
    let new = names.iter().filter(|(_, name)| !start.contains(name));
    let look = |entity: Entity| world.get::<DiscLook>(entity).cloned().map(Look::from);
    new.filter_map(|(entity, name)| Some((name, look(entity)?))).filter(|(_, look)| *look != Look::default()).collect()
}
