//! Scenes as parts of a world. The discs, terrain and pockets of a scene are spawned as children of an entity, at any
//! place and any number of times.
//!
//! Entries of a file are in the frame of their scene. `Contents::put_at` transforms them to the world. The physics
//! knows world coordinates only.

use std::sync::Arc;

use bevy::{
    ecs::{entity_disabling::Disabled, lifecycle::HookContext, message::MessageCursor, world::DeferredWorld},
    prelude::*,
};

use super::{HotReload, Surroundings, loader};
use crate::{
    components::{Described, Frame, InvalidValue, NextStableId, Position, Rotation},
    notice::Notices,
    scene::{
        contents::Contents,
        entities::put_entities,
        format::SceneFile,
        registry::SceneRegistry,
        running::{InstanceEntities, SceneEntity, warn},
        source::SceneSource,
        text::SceneError,
    },
};

/// Spawns the discs, terrain and pockets of a scene as children of this entity, in addition to everything that exists.
/// They are despawned with the entity.
///
/// ```
/// # use bevy::prelude::*;
/// use carom::{prelude::*, scene::{InstanceEntities, SceneFile, SceneInstance, ScenePlugin, SceneSource}};
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin));
/// let trap = SceneFile::parse("(terrain: [(shape: Arena(half_size: (2, 2)))], discs: [(velocity: (3, 1))])", "trap").unwrap();
/// let world = app.world_mut();
/// let [left, right] = [-5.0, 5.0].map(|x| world.spawn(SceneInstance::new(trap.clone()).at(vec2(x, 0.0))).id());
/// world.spawn(SceneInstance::new(SceneSource::Shipped("two-discs")).at(vec2(0.0, 20.0)).turned(0.3));
/// let disc = world.get::<InstanceEntities>(right).unwrap().discs[0];
/// assert_eq!(world.get::<Position>(disc), Some(&Position(vec2(5.0, 0.0))));
/// world.despawn(left);
/// assert_eq!(world.query::<&Disc>().iter(world).count(), 3);
/// ```
///
/// # When
/// The children are spawned when the component is inserted. With `commands`, that is when they are applied. The entity
/// then has [`InstanceEntities`], and [`SceneInstanceReady`] is triggered on it.
///
/// - A disabled entity gets its children in the first frame after it is enabled.
/// - If an asset is not loaded yet, the children appear in the first frame after it is loaded.
/// - If the scene cannot be read, a [`Notice`](crate::notice::Notice) appears, [`SceneInstanceFailed`] is triggered,
///   and nothing is spawned.
/// - Inserting the component again replaces the children. Removing it despawns them.
/// - When the asset changes, the children are replaced, unless [`HotReload`] is off. A disabled entity keeps its
///   children until it is enabled. A file given by its path is read once.
///
/// # Contents
/// Everything that the file lists and its generators make is spawned, including looks, components of a game and discs
/// in pockets.
///
/// The rest of the file concerns the world as a whole and is ignored. That includes time, collisions, forces, the
/// physics of the table and its furniture, tiles, surroundings, lesson, instruments, camera and panel.
///
/// # Position
/// The scene is shifted by [`offset`](Self::offset) and turned by [`rotation`](Self::rotation). The physics has no
/// transforms: all positions are in world coordinates, so moving the entity later does not move its children. If the
/// entity has a `Visibility` when they are spawned, hiding it hides them.
///
/// # Determinism and lifetime
/// Every child gets a new [`StableId`](crate::components::StableId): the next free numbers, in the order of the file. A
/// run therefore repeats if the same instances are spawned in the same order. Assets must be loaded before.
///
/// Like all discs, an instance belongs to the running scene. The entity is a [`SceneEntity`], which the next scene and
/// a restart despawn. To have it again, spawn it in an observer of
/// [`SceneStarted`](crate::scene::running::SceneStarted). A saved scene lists the children one by one, without the
/// instance.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(immutable, on_insert = begin_inserted, on_remove = clear_removed)]
#[require(SceneEntity)]
pub struct SceneInstance {
    /// The scene.
    pub scene: InstanceScene,
    /// The position of the scene's origin in the world, metres; both components within 1e12. Default: zero.
    pub offset: Vec2,
    /// The rotation of the scene about its origin, radians, counter-clockwise. Velocities, spins and terrain turn with
    /// it. Default: 0.
    pub rotation: f32,
}

impl SceneInstance {
    /// This scene, at the position that it has in its file.
    #[must_use]
    pub fn new(scene: impl Into<InstanceScene>) -> Self {
        Self { scene: scene.into(), offset: Vec2::ZERO, rotation: 0.0 }
    }

    /// The same with its origin at this position in the world, metres.
    #[must_use]
    pub fn at(self, offset: Vec2) -> Self {
        Self { offset, ..self }
    }

    /// The same, turned about its origin, radians, counter-clockwise.
    #[must_use]
    pub fn turned(self, rotation: f32) -> Self {
        Self { rotation, ..self }
    }

    /// Its contents in world coordinates, or none while its asset is loading.
    fn contents(&self, world: &World) -> Result<Option<Contents>, String> {
        let registry = SceneRegistry::of(world);
        let file = match &self.scene {
            InstanceScene::File(file) => file.clone(),
            InstanceScene::Source(SceneSource::Asset(handle)) => match loader::ready(world, handle)? {
                Some(file) => Arc::new(file),
                None => return Ok(None),
            },
            InstanceScene::Source(source) => {
                Arc::new(source.read_at_once(&registry).map_err(|error| error.to_string())?)
            }
        };
        let invalid = |invalid| SceneError::value(&self.scene, invalid).to_string();
        self.check_place().map_err(invalid)?;
        let mut contents = file.checked_contents(&registry).map_err(invalid)?;
        // Tiles form the table of the world, which an instance does not change.
        contents.tiles.clear();
        contents.put_at(Frame { origin: self.offset, angle: self.rotation });
        Ok(Some(contents))
    }

    fn check_place(&self) -> Result<(), InvalidValue> {
        let of_instance = |field| move |invalid: InvalidValue| invalid.of(field).of("SceneInstance");
        Position(self.offset).check().map_err(of_instance("offset"))?;
        Rotation(self.rotation).check().map_err(of_instance("rotation"))
    }
}

/// The scene of a [`SceneInstance`].
#[derive(Clone, Debug, PartialEq)]
pub enum InstanceScene {
    /// A shipped scene, a file, or an asset.
    Source(SceneSource),
    /// A scene that a game has made or read itself.
    File(Arc<SceneFile>),
}

impl InstanceScene {
    /// The asset, if it is one.
    pub(super) fn asset(&self) -> Option<&Handle<SceneFile>> {
        match self {
            Self::Source(SceneSource::Asset(handle)) => Some(handle),
            _ => None,
        }
    }
}

impl std::fmt::Display for InstanceScene {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Source(source) => source.fmt(f),
            Self::File(file) if file.title.is_empty() => f.write_str("a scene without a file"),
            Self::File(file) => f.write_str(&file.title),
        }
    }
}

impl From<SceneSource> for InstanceScene {
    fn from(source: SceneSource) -> Self {
        Self::Source(source)
    }
}

impl From<Handle<SceneFile>> for InstanceScene {
    fn from(handle: Handle<SceneFile>) -> Self {
        Self::Source(handle.into())
    }
}

impl From<SceneFile> for InstanceScene {
    fn from(file: SceneFile) -> Self {
        Self::File(Arc::new(file))
    }
}

impl From<Arc<SceneFile>> for InstanceScene {
    fn from(file: Arc<SceneFile>) -> Self {
        Self::File(file)
    }
}

/// The children of a [`SceneInstance`] have been spawned. Triggered on its entity, every time.
///
/// In `commands.spawn(instance).observe(…)`, a scene that needs no loading is spawned before the observer exists. Write
/// `commands.spawn_empty().observe(…).insert(instance)`, or observe all entities with `app.add_observer(…)`.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneInstanceReady {
    /// The entity of the instance, which has its [`InstanceEntities`].
    pub entity: Entity,
}

/// Triggered on the entity of a [`SceneInstance`] that cannot be spawned: its file or its asset cannot be read, or
/// holds an invalid value. The children that the instance spawned before stay.
#[derive(EntityEvent, Clone, Debug, PartialEq, Eq)]
pub struct SceneInstanceFailed {
    /// The entity of the instance.
    pub entity: Entity,
    /// Why, in one line for people, with the name of the file and the place in it.
    pub reason: String,
}

/// The entities of instances that are disabled or whose assets are loading, in the order in which they were inserted.
#[derive(Resource, Debug, Default)]
struct Waiting(Vec<Entity>);

fn begin_inserted(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    world.commands().queue(move |world: &mut World| begin(world, entity));
}

fn clear_removed(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    world.commands().queue(move |world: &mut World| clear(world, entity));
}

/// Spawns an instance in place of its previous children, or waits for its asset, or reports an error.
fn begin(world: &mut World, parent: Entity) {
    let Some(instance) = world.get::<SceneInstance>(parent) else { return };
    if world.get::<Disabled>(parent).is_some() {
        return wait(world, parent);
    }
    let name = instance.scene.to_string();
    match instance.contents(world) {
        Ok(Some(contents)) => put(world, parent, contents, &name),
        Ok(None) => wait(world, parent),
        Err(reason) => {
            warn(world, &name, reason.clone());
            world.trigger(SceneInstanceFailed { entity: parent, reason });
            world.flush();
        }
    }
}

fn wait(world: &mut World, parent: Entity) {
    let mut waiting = world.get_resource_or_init::<Waiting>();
    if !waiting.0.contains(&parent) {
        waiting.0.push(parent);
    }
}

fn put(world: &mut World, parent: Entity, mut contents: Contents, name: &str) {
    clear(world, parent);
    contents.renumber(world.get_resource_or_init::<NextStableId>().0);
    let warnings = std::mem::take(&mut contents.warnings);
    let surroundings = world.get_resource::<Surroundings>().copied().unwrap_or_default();
    let put = put_entities(world, contents, surroundings, &SceneRegistry::of(world));
    // Observers may have despawned some of them already.
    let there: Vec<Entity> = put.iter().filter(|entity| world.get_entity(*entity).is_ok()).collect();
    let Ok(mut entity) = world.get_entity_mut(parent) else {
        for entity in there {
            let _ = world.try_despawn(entity);
        }
        return;
    };
    entity.add_children(&there).insert(put);
    #[cfg(feature = "view")]
    if entity.contains::<Visibility>() {
        world.insert_batch(there.into_iter().map(|entity| (entity, Visibility::Inherited)).collect::<Vec<_>>());
    }
    if let Some(mut notices) = world.get_resource_mut::<Notices>() {
        notices.retract(name);
    }
    for warning in warnings {
        warn(world, name, format!("{name}: {warning}"));
    }
    world.trigger(SceneInstanceReady { entity: parent });
    world.flush();
}

/// Despawns the children of an instance, except those that now have another parent.
fn clear(world: &mut World, parent: Entity) {
    let Ok(mut entity) = world.get_entity_mut(parent) else { return };
    let Some(brought) = entity.take::<InstanceEntities>() else { return };
    for entity in brought.iter() {
        if world.get::<ChildOf>(entity).is_some_and(|child| child.parent() == parent) {
            world.despawn(entity);
        }
    }
}

/// Spawns the waiting instances whose assets are loaded and that are enabled. Returns all that had been waiting.
fn begin_those_that_waited(world: &mut World) -> Vec<Entity> {
    let waiting = world.get_resource_mut::<Waiting>().map(|mut waiting| std::mem::take(&mut waiting.0));
    let waiting = waiting.unwrap_or_default();
    for &parent in &waiting {
        begin(world, parent);
    }
    waiting
}

/// Spawns waiting instances in an app without assets.
pub(super) fn begin_waiting(world: &mut World) {
    begin_those_that_waited(world);
}

/// Spawns the instances whose assets have been loaded, and respawns those whose assets have changed.
pub(super) fn follow_assets(world: &mut World, mut changed: Local<MessageCursor<AssetEvent<SceneFile>>>) {
    let events: Vec<_> = changed.read(world.resource::<Messages<AssetEvent<SceneFile>>>()).copied().collect();
    let waiting = begin_those_that_waited(world);
    if events.is_empty() {
        return;
    }
    let follows = world.get_resource::<HotReload>().is_some_and(|reload| reload.0);
    let mut instances = world.query_filtered::<(Entity, &SceneInstance, Has<InstanceEntities>), Allow<Disabled>>();
    let is_due = |instance: &SceneInstance, is_there: bool| {
        let Some(handle) = instance.scene.asset() else { return false };
        let has_come = |event: &AssetEvent<SceneFile>| event.is_added(handle) || event.is_modified(handle);
        // An instance that could not be read is spawned once it can.
        events.iter().any(has_come) && (!is_there || follows)
    };
    let mut due: Vec<Entity> = instances
        .iter(world)
        .filter(|(entity, instance, is_there)| !waiting.contains(entity) && is_due(instance, *is_there))
        .map(|(entity, ..)| entity)
        .collect();
    due.sort_unstable();
    for parent in due {
        begin(world, parent);
    }
}

impl Contents {
    /// Transforms everything from the frame of its scene to the world: turns positions and directions, and shifts
    /// positions.
    fn put_at(&mut self, frame: Frame) {
        let place = |position: &mut Vec2| *position = frame.place(*position);
        // What starts on a path starts on the transformed path, which rounds differently from its transformed start.
        for piece in &mut self.terrain {
            let starts_on_path = piece.start_path().is_some();
            place(&mut piece.position);
            piece.rotation += frame.angle;
            piece.velocity = piece.velocity.map(|velocity| frame.turn(velocity));
            piece.optional.put_at(frame);
            if let Some(path) = piece.path().filter(|_| starts_on_path) {
                piece.position = path.place();
            }
        }
        for pocket in &mut self.pockets {
            place(&mut pocket.position);
        }
        for disc in &mut self.discs {
            let starts_on_path = disc.start_path().is_some();
            place(&mut disc.position);
            disc.velocity = frame.turn(disc.velocity);
            disc.optional.put_at(frame);
            if let Some(path) = disc.path().filter(|_| starts_on_path) {
                disc.position = path.place();
            }
            if let Some(spin) = &mut disc.angular_velocity {
                *spin = frame.turn(spin.truncate()).extend(spin.z);
            }
        }
        self.joints.iter_mut().for_each(|joint| joint.put_at(frame));
    }

    /// Numbers everything from `first` on, in the order of the ids in the file.
    fn renumber(&mut self, first: u64) {
        let numbers = self.numbers();
        let mut order = [&numbers.terrain[..], &numbers.discs, &numbers.pockets].concat();
        order.sort_unstable();
        let renumbered = |old: u64| first.saturating_add(order.partition_point(|id| *id < old) as u64);
        let new = |old: u64| Some(renumbered(old));
        self.terrain.iter_mut().zip(numbers.terrain).for_each(|(piece, old)| piece.id = new(old));
        for (disc, old) in self.discs.iter_mut().zip(numbers.discs) {
            disc.id = new(old);
            disc.ignores.iter_mut().for_each(|id| *id = renumbered(*id));
        }
        self.pockets.iter_mut().zip(numbers.pockets).for_each(|(pocket, old)| pocket.id = new(old));
        self.joints.iter_mut().for_each(|joint| joint.renumber(renumbered));
    }
}
