//! Scenes as parts of a world: the discs, the terrain and the pockets of a scene as the children of an entity, at a
//! place of their own, as often as wished.
//!
//! An entry of a file has its place and its directions in the frame of its scene. `Contents::put_at` brings them into
//! the world's, and from there on nothing knows of a frame: the physics has world coordinates alone.

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

/// Spawns the discs, the terrain and the pockets of a scene as children of this entity, beside all that is there
/// already. They go when the entity does.
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
/// They are there as soon as the component is, which for `commands` is when those are applied, and for a disabled
/// entity when the first frame finds it enabled. The entity then has [`InstanceEntities`], and [`SceneInstanceReady`]
/// was triggered on it. An asset that is not loaded yet comes with the first picture that finds it there. What cannot
/// be read becomes a [`Notice`](crate::notice::Notice), and [`SceneInstanceFailed`] is triggered; nothing is spawned.
/// Inserted again, the component takes away what it has brought and brings the new; removed, it takes that away. So it
/// does when its asset changes, unless [`HotReload`] is off. A file by its path is read once.
///
/// # What
/// What the file lists, and what its generators make, with all that belongs to it: looks, components of a game, discs
/// in pockets. Everything else in it is about the world as a whole, and stays as it is: time, collisions, forces, the
/// physics of the table and its furniture, tiles, surroundings, lesson, camera and panel.
///
/// # Where
/// At [`offset`](Self::offset), turned by [`rotation`](Self::rotation). There are no transforms in the physics: all
/// positions are those of the world, and what moves the entity later moves nothing of its children. Where it has a
/// `Visibility` when they come, they are hidden with it.
///
/// # The same again
/// Each one of them has a [`StableId`](crate::components::StableId) of its own: the next free numbers, in the order of
/// the file. So a run repeats if the same instances are spawned in the same order; of assets, if they were loaded
/// before.
///
/// It is a part of the running scene, as all discs are: the entity is a [`SceneEntity`], which goes with the next scene
/// and at a restart; who spawns it when [`SceneStarted`](crate::scene::running::SceneStarted) is heard has it again. A
/// saved scene has all that is there, disc by disc, and nothing of instances.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(immutable, on_insert = begin_inserted, on_remove = clear_removed)]
#[require(SceneEntity)]
pub struct SceneInstance {
    /// Which scene.
    pub scene: InstanceScene,
    /// Where the origin of the scene lies in the world, metres; both within 1e12. Default: zero.
    pub offset: Vec2,
    /// The angle by which the scene is turned about its origin, radians, counter-clockwise; velocities, spins and
    /// terrain are turned with it. Default: 0.
    pub rotation: f32,
}

impl SceneInstance {
    /// This scene, where it stands in its file.
    #[must_use]
    pub fn new(scene: impl Into<InstanceScene>) -> Self {
        Self { scene: scene.into(), offset: Vec2::ZERO, rotation: 0.0 }
    }

    /// The same with its origin at this place of the world, metres.
    #[must_use]
    pub fn at(self, offset: Vec2) -> Self {
        Self { offset, ..self }
    }

    /// The same turned about its origin, radians, counter-clockwise.
    #[must_use]
    pub fn turned(self, rotation: f32) -> Self {
        Self { rotation, ..self }
    }

    /// What it brings, in the world's frame; none while its asset is on the way.
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
        // They are the table of the world.
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
    /// One that a game has made or read itself.
    File(Arc<SceneFile>),
}

impl InstanceScene {
    /// The asset that it is, if it is one.
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

/// What a [`SceneInstance`] brings is there: triggered on its entity, each time anew.
///
/// A scene that needs no loading is there before `commands.spawn(instance).observe(…)` comes to observe the entity:
/// write `commands.spawn_empty().observe(…).insert(instance)`, or observe all with `app.add_observer(…)`.
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

/// The entities of instances whose assets are on the way, or that are disabled, in the order in which they asked.
#[derive(Resource, Debug, Default)]
struct Waiting(Vec<Entity>);

fn begin_inserted(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    world.commands().queue(move |world: &mut World| begin(world, entity));
}

fn clear_removed(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    world.commands().queue(move |world: &mut World| clear(world, entity));
}

/// Spawns an instance, in the place of what it has brought before; or waits for its asset, or says why it cannot.
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
    // Observers may have taken some of it away again.
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
        notices.settle(name);
    }
    for warning in warnings {
        warn(world, name, format!("{name}: {warning}"));
    }
    world.trigger(SceneInstanceReady { entity: parent });
    world.flush();
}

/// Takes away what an instance has brought, but for what somebody has given to another parent.
fn clear(world: &mut World, parent: Entity) {
    let Ok(mut entity) = world.get_entity_mut(parent) else { return };
    let Some(brought) = entity.take::<InstanceEntities>() else { return };
    for entity in brought.iter() {
        if world.get::<ChildOf>(entity).is_some_and(|child| child.parent() == parent) {
            world.despawn(entity);
        }
    }
}

/// Spawns the instances that waited, if their assets have come and they are no longer disabled; those that did wait.
fn begin_those_that_waited(world: &mut World) -> Vec<Entity> {
    let waiting = world.get_resource_mut::<Waiting>().map(|mut waiting| std::mem::take(&mut waiting.0));
    let waiting = waiting.unwrap_or_default();
    for &parent in &waiting {
        begin(world, parent);
    }
    waiting
}

/// Spawns the instances that waited, where there are no assets.
pub(super) fn begin_waiting(world: &mut World) {
    begin_those_that_waited(world);
}

/// Spawns the instances whose assets have come, and those anew whose assets have changed.
pub(super) fn follow_assets(world: &mut World, mut changed: Local<MessageCursor<AssetEvent<SceneFile>>>) {
    let events: Vec<_> = changed.read(world.resource::<Messages<AssetEvent<SceneFile>>>()).copied().collect();
    let waiting = begin_those_that_waited(world);
    if events.is_empty() {
        return;
    }
    let follows = world.get_resource::<HotReload>().is_some_and(|reload| reload.0);
    let mut instances = world.query::<(Entity, &SceneInstance, Has<InstanceEntities>)>();
    let is_due = |instance: &SceneInstance, is_there: bool| {
        let Some(handle) = instance.scene.asset() else { return false };
        let has_come = |event: &AssetEvent<SceneFile>| event.is_added(handle) || event.is_modified(handle);
        // One that could not be read comes when it can.
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
    /// Brings all of it from the frame of its scene into the world's: what has a place or a direction in an entry is
    /// turned, and places are shifted.
    fn put_at(&mut self, frame: Frame) {
        let place = |position: &mut Vec2| *position = frame.place(*position);
        for piece in &mut self.terrain {
            place(&mut piece.position);
            piece.rotation += frame.angle;
            piece.velocity = piece.velocity.map(|velocity| frame.turn(velocity));
            piece.optional.put_at(frame);
        }
        for pocket in &mut self.pockets {
            place(&mut pocket.position);
        }
        for disc in &mut self.discs {
            place(&mut disc.position);
            disc.velocity = frame.turn(disc.velocity);
            disc.optional.put_at(frame);
            if let Some(spin) = &mut disc.angular_velocity {
                *spin = frame.turn(spin.truncate()).extend(spin.z);
            }
        }
        self.joints.iter_mut().for_each(|joint| joint.put_at(frame));
    }

    /// Gives everything a number from `first` on, in the order of the numbers that they have in their file.
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
