//! Begins, ends and restarts scenes in a world.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};

use super::{
    format::SceneFile,
    furniture::DrawnTable,
    look::Surroundings,
    registry::SceneRegistry,
    running,
    states::{self, SceneState},
    world_hash::departure,
};
use crate::{
    collision::{
        CollisionSettings, Discs, PhysicsSpace,
        precision::{self, TooSmall, Unresolved},
        show_components,
        spin::TablePhysics,
    },
    components::{Disc, Joint, NextStableId, Pocket, Terrain},
    laboratory::instruments::Instruments,
    notice::Notices,
    plane::form_at_once,
    scene::{
        contents::Contents,
        entities::put_entities,
        entries::Pace,
        running::{CurrentScene, OutlivesScene, SceneEnded, SceneEntity, SceneStart, SceneStarted},
        source::SceneSource,
        text::SceneError,
    },
    timeline::{
        Playback,
        history::{Absent, History},
    },
};

/// Ends the running scene and begins this one, with its settings.
///
/// All discs, all terrain and every [`SceneEntity`] are despawned, including disabled ones. The count of
/// [`StableId`](crate::components::StableId)s and [`PhysicsSpace`] are reset, so that the same scene always runs the
/// same.
///
/// [`SceneEnded`] is written for the previous scene, [`CurrentScene`] is set, and [`SceneStarted`] is written. Likely
/// mistakes in the scene become notices.
///
/// # Errors
/// If the file does not pass [`SceneFile::check`]. The running scene then continues.
pub fn spawn(world: &mut World, source: SceneSource, file: SceneFile) -> Result<(), SceneError> {
    let scene = CheckedScene::new(source, file, &SceneRegistry::of(world))?;
    spawn_checked(world, scene);
    Ok(())
}

/// A scene that may be spawned: its file and contents have been checked.
pub(crate) struct CheckedScene {
    pub(crate) source: SceneSource,
    pub(crate) file: SceneFile,
    contents: Contents,
}

impl CheckedScene {
    pub(crate) fn new(source: SceneSource, file: SceneFile, registry: &SceneRegistry) -> Result<Self, SceneError> {
        let contents = checked(&source, &file, registry)?;
        Ok(Self { source, file, contents })
    }
}

/// Like [`spawn`], for a scene that was checked before.
pub(crate) fn spawn_checked(world: &mut World, scene: CheckedScene) {
    let registry = SceneRegistry::of(world);
    let CheckedScene { source, file, mut contents } = scene;
    let mut warnings = std::mem::take(&mut contents.warnings);
    let table = file.table.clone().or(contents.table.take());
    let start = SceneStart::new(table.clone(), &contents.discs);
    send_ended(world, false);
    put_contents(world, contents, file.surroundings, &registry);
    world.insert_resource(file.collision.clone());
    world.insert_resource(file.motion.clone());
    world.insert_resource(Instruments(file.instruments.clone()));
    match table {
        Some(table) => world.insert_resource(table),
        None => {
            world.remove_resource::<TablePhysics>();
        }
    }
    // The check has found the name.
    match file.drawn_as().and_then(|name| DrawnTable::named(name).ok()) {
        Some(table) => world.insert_resource(table),
        None => {
            world.remove_resource::<DrawnTable>();
        }
    }
    let Pace { tick_rate, time_scale, paused } = file.pace;
    let playback = Playback { paused, time_scale: Some(time_scale), tick_rate: Some(tick_rate), ..Playback::default() };
    // Predictions in this frame have the ticks of the scene.
    if let Some(mut clock) = world.get_resource_mut::<Time<Fixed>>() {
        playback.set_timestep(&mut clock);
    }
    world.insert_resource(playback);
    // Removes earlier notices about this scene, which no longer apply.
    let name = source.to_string();
    if let Some(mut notices) = world.get_resource_mut::<Notices>() {
        notices.retract(&name);
    }
    for warning in &warnings {
        running::warn(world, &name, format!("{name}: {warning}"));
    }
    if let Some(departure) = departure(world, &source) {
        warnings.push(departure.to_string());
        running::warn(world, &name, departure);
    }
    world.insert_resource(CurrentScene { source, file, warnings });
    world.insert_resource(start);
    send_started(world, false);
    warn_of_precision(world);
}

/// Ends the running scene: despawns all discs, all terrain and every [`SceneEntity`], and removes [`CurrentScene`] and
/// its table. Settings keep their values. Without a running scene it does nothing.
pub fn end(world: &mut World) {
    if !world.contains_resource::<CurrentScene>() {
        return;
    }
    send_ended(world, false);
    put_contents(world, Contents::default(), Surroundings::default(), &SceneRegistry::default());
    world.remove_resource::<TablePhysics>();
    world.remove_resource::<DrawnTable>();
    world.insert_resource(Instruments::default());
    world.remove_resource::<CurrentScene>();
    world.remove_resource::<SceneStart>();
    states::enter(world, SceneState::Empty);
}

fn send_ended(world: &mut World, restart: bool) {
    let Some(scene) = world.get_resource::<CurrentScene>() else { return };
    let ended = SceneEnded { source: scene.source.clone(), restart };
    write_if_read(world, ended.clone());
    world.trigger(ended);
    world.flush();
}

fn send_started(world: &mut World, restart: bool) {
    let Some(scene) = world.get_resource::<CurrentScene>() else { return };
    let started = SceneStarted { source: scene.source.clone(), restart };
    states::enter(world, SceneState::Running);
    write_if_read(world, started.clone());
    world.trigger(started);
    world.flush();
}

/// Writes a message if the app has its type: without [`ScenePlugin`](super::ScenePlugin) a scene can be spawned, but
/// its messages do not exist.
fn write_if_read(world: &mut World, message: impl Message) {
    if let Some(mut messages) = world.get_resource_mut() {
        Messages::write(&mut messages, message);
    }
}

/// The discs of a world whose movement `f32` cannot resolve, because they are too far from the origin or too slow.
#[must_use]
pub fn unresolved(world: &mut World) -> Vec<Unresolved> {
    let discs = Discs::of(world);
    // Without Bevy's time plugin there is no clock, and the scene defines the time step.
    let clock = world.get_resource::<Time<Fixed>>().copied().unwrap_or_default();
    let time_step = world.resource::<Playback>().time_step(&clock).as_secs_f32();
    precision::unresolved(&discs, world.resource::<CollisionSettings>(), time_step)
}

/// The discs of a world whose radius `f32` cannot resolve at their coordinates or at those of terrain they touch.
#[must_use]
pub fn too_small(world: &mut World) -> Vec<TooSmall> {
    let discs = Discs::of(world);
    precision::too_small(&discs, world.resource::<PhysicsSpace>())
}

fn warn_of_precision(world: &mut World) {
    let words = [precision::in_words(&unresolved(world)), precision::in_words(&too_small(world))];
    let name = world.get_resource::<CurrentScene>().map(|scene| scene.source.to_string()).unwrap_or_default();
    for words in words.into_iter().flatten() {
        running::warn(world, &name, words);
    }
}

/// Resets the discs and terrain of the running scene to their start, and keeps the current settings. It is paused if
/// the scene starts paused. Without a running scene it does nothing.
///
/// # Errors
/// If the file does not pass [`SceneFile::check`]. [`spawn`] has checked it, so this means that [`CurrentScene`] was
/// changed since.
pub fn restart(world: &mut World) -> Result<(), SceneError> {
    let Some(CurrentScene { source, file, .. }) = world.get_resource::<CurrentScene>() else { return Ok(()) };
    if file.run.is_some() {
        // A run repeats itself with the settings of its start only.
        let (source, file) = (source.clone(), file.clone());
        return spawn(world, source, file);
    }
    let (paused, surroundings) = (file.pace.paused, file.surroundings);
    let registry = SceneRegistry::of(world);
    let contents = checked(source, file, &registry)?;
    let start = SceneStart::new(file.table.clone().or_else(|| contents.table.clone()), &contents.discs);
    send_ended(world, true);
    world.insert_resource(start);
    put_contents(world, contents, surroundings, &registry);
    let mut playback = world.get_resource_or_init::<Playback>();
    if playback.paused != paused {
        playback.toggle();
    }
    send_started(world, true);
    Ok(())
}

fn checked(source: &SceneSource, file: &SceneFile, registry: &SceneRegistry) -> Result<Contents, SceneError> {
    file.checked_contents(registry).map_err(|invalid| SceneError::value(source, invalid))
}

/// Entities of a scene: those that it has spawned, and all others that take part in the physics.
pub type InScene = Or<(With<SceneEntity>, With<Disc>, With<Terrain>, With<Pocket>, With<Joint>)>;

/// Whether an entity stays although its scene ends: it was hidden, itself or with an ancestor, and must outlive the
/// scene. One that the history has shown again does not.
fn outlives_scene(world: &World, entity: Entity) -> bool {
    world.get::<Absent>(entity).is_some_and(|absent| world.get::<OutlivesScene>(absent.root).is_some())
}

fn put_contents(world: &mut World, contents: Contents, surroundings: Surroundings, registry: &SceneRegistry) {
    let old: Vec<Entity> = world.query_filtered::<Entity, (InScene, Allow<Disabled>)>().iter(world).collect();
    let old: Vec<Entity> = old.into_iter().filter(|&entity| !outlives_scene(world, entity)).collect();
    for entity in old {
        // It may have been despawned as the child of an earlier one.
        if let Ok(entity) = world.get_entity_mut(entity) {
            entity.despawn();
        }
    }
    if let Some(mut history) = world.get_resource_mut::<History>() {
        history.clear();
    }
    world.insert_resource(NextStableId::default());
    world.insert_resource(surroundings);
    // These settings belong to the machine or the caller, not to the scene.
    let kept = world
        .get_resource::<PhysicsSpace>()
        .map(|space| (space.compute.simd, space.compute.threads, space.compute.scan_limit, space.report.record_events));
    let mut space = PhysicsSpace::default();
    (space.compute.simd, space.compute.threads, space.compute.scan_limit, space.report.record_events) =
        kept.unwrap_or_default();
    world.insert_resource(space);
    let has_tiles = !contents.tiles.is_empty();
    put_entities(world, contents, surroundings, registry);
    if has_tiles {
        form_at_once(world);
    }
    show_components(world);
}
