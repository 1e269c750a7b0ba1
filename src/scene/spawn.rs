//! From a scene to entities, and back.

use std::collections::BTreeMap;

use bevy::{
    ecs::{entity_disabling::Disabled, system::SystemState},
    prelude::*,
};

use super::{
    contact, filter,
    format::{DiscEntry, Pace, PocketEntry, SceneFile, TerrainEntry, TileEntry},
    furniture::DrawnTable,
    generate::Contents,
    instance::InstanceEntities,
    joints, link,
    load::{SceneError, SceneSource},
    look::{CueBall, DiscLook, Surroundings, TerrainLook},
    registry::{RonValue, SceneRegistry},
    states::{self, SceneState},
};
use crate::{
    billiards::tables::ShippedTable,
    collision::{
        CollisionSettings, Discs, Snapshot, Space,
        precision::{self, TooSmall, Unresolved},
        spin::TablePhysics,
    },
    components::{
        AngularVelocity, Ball, BlockComponents, Disc, InPocket, Inactive, Joint, Kinematic, LockedAxes, Mass,
        MomentOfInertia, MoveTo, NextStableId, Orientation, Oscillation, Pocket, Position, Radius, Restitution,
        Rotation, StableId, Terrain, TurnTo, Velocity,
    },
    motion::MotionSettings,
    notice::{NoticeText, Notices},
    plane::{SettledRect, TableEdge, TableRect, Tile, form_at_once},
    random::Random,
    timeline::Playback,
};

/// The scene that is running.
#[derive(Resource, Clone, Debug)]
pub struct CurrentScene {
    /// Where it came from.
    pub source: SceneSource,
    /// What it was when it was loaded, or saved since: [`restart`] goes back to it.
    pub file: SceneFile,
    /// What is odd about it although it can be run, in words for people.
    pub warnings: Vec<String>,
}

/// What a reset goes back to of the running scene, also where a generator has made it. It is kept when the scene
/// begins, since running the generators again takes as long as loading the scene.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct SceneStart {
    /// The physics of its table, if it has one.
    pub table: Option<TablePhysics>,
    /// Where its cue ball is, metres; `None` if it has none.
    pub cue_ball: Option<Vec2>,
}

impl SceneStart {
    pub(super) fn new(table: Option<TablePhysics>, discs: &[DiscEntry]) -> Self {
        Self { table, cue_ball: discs.iter().find(|disc| disc.cue).map(|disc| disc.position) }
    }
}

/// Put this on an entity that shall go with the scene: the next scene despawns it.
#[derive(Component, Reflect, Clone, Copy, Debug, Default)]
#[reflect(Component, Default)]
pub struct SceneEntity;

/// Put this on a disabled entity that must outlive the scene, as an edit does that can be taken back. The one who puts
/// it there despawns the entity.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct OutlivesScene;

/// A scene has begun, and all that it brings is there. It is written as a message and triggered for observers, which
/// run at once:
///
/// ```
/// # use bevy::prelude::*;
/// use carom::{prelude::*, scene::{SceneCommand, SceneEnded, ScenePlugin, SceneSource, SceneStarted}};
///
/// #[derive(Resource, Default)]
/// struct Score(u32);
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin)).init_resource::<Score>();
/// app.add_observer(|started: On<SceneStarted>, mut score: ResMut<Score>| {
///     println!("{} begins{}", started.source, if started.restart { " again" } else { "" });
///     score.0 = 0;
/// });
/// app.add_observer(|ended: On<SceneEnded>, discs: Query<&Disc>| {
///     println!("{} ends with {} discs", ended.source, discs.iter().count());
/// });
/// app.world_mut().write_message(SceneCommand::Load(SceneSource::default()));
/// app.world_mut().resource_mut::<Score>().0 = 147;
/// app.update();
/// assert_eq!(app.world().resource::<Score>().0, 0);
/// ```
#[derive(Message, Event, Clone, Debug, PartialEq, Eq)]
pub struct SceneStarted {
    /// Which scene: that of [`CurrentScene`].
    pub source: SceneSource,
    /// Whether it is the running scene from its start again, by
    /// [`SceneCommand::Restart`](super::SceneCommand::Restart).
    pub restart: bool,
}

/// A scene ends. It is written as a message, and triggered for observers while all that is in the scene is still there.
#[derive(Message, Event, Clone, Debug, PartialEq, Eq)]
pub struct SceneEnded {
    /// Which scene.
    pub source: SceneSource,
    /// Whether it begins again, by [`SceneCommand::Restart`](super::SceneCommand::Restart).
    pub restart: bool,
}

/// Ends the running scene and begins this one, with its settings.
///
/// All discs, all terrain and every [`SceneEntity`] go, disabled ones too; the count of [`StableId`]s and [`Space`]
/// begin anew, so that the same scene always runs the same. [`SceneEnded`] is written of the scene before,
/// [`CurrentScene`] is set and [`SceneStarted`] written; what is odd about the scene becomes a notice.
///
/// # Errors
/// The file does not pass [`SceneFile::check`]; the running scene then stays.
pub fn spawn(world: &mut World, source: SceneSource, file: SceneFile) -> Result<(), SceneError> {
    let registry = SceneRegistry::of(world);
    let mut contents = checked(&source, &file, &registry)?;
    let mut warnings = std::mem::take(&mut contents.warnings);
    let table = file.table.clone().or(contents.table.take());
    let start = SceneStart::new(table.clone(), &contents.discs);
    tell_end(world, false);
    put_contents(world, contents, file.surroundings, &registry);
    world.insert_resource(file.collision.clone());
    world.insert_resource(file.motion.clone());
    match table {
        Some(table) => world.insert_resource(table),
        None => {
            world.remove_resource::<TablePhysics>();
        }
    }
    // Its name has been checked.
    match file.drawn_as().and_then(|name| DrawnTable::named(name).ok()) {
        Some(table) => world.insert_resource(table),
        None => {
            world.remove_resource::<DrawnTable>();
        }
    }
    let Pace { tick_rate, time_scale, paused } = file.pace;
    world.insert_resource(Playback {
        paused,
        time_scale: Some(time_scale),
        tick_rate: Some(tick_rate),
        ..Playback::default()
    });
    // What was wrong with it before is mended.
    let name = source.to_string();
    if let Some(mut notices) = world.get_resource_mut::<Notices>() {
        notices.settle(&name);
    }
    for warning in &warnings {
        warn(world, &name, format!("{name}: {warning}"));
    }
    if let Some(departure) = link::departure(world, &source) {
        warnings.push(departure.to_string());
        warn(world, &name, departure);
    }
    world.insert_resource(CurrentScene { source, file, warnings });
    world.insert_resource(start);
    tell_start(world, false);
    warn_of_precision(world);
    Ok(())
}

/// Ends the running scene: all discs, all terrain and every [`SceneEntity`] go, and so do [`CurrentScene`] and its
/// table. Settings stay as they are. Without a running scene it does nothing.
pub fn end(world: &mut World) {
    if !world.contains_resource::<CurrentScene>() {
        return;
    }
    tell_end(world, false);
    put_contents(world, Contents::default(), Surroundings::default(), &SceneRegistry::default());
    world.remove_resource::<TablePhysics>();
    world.remove_resource::<DrawnTable>();
    world.remove_resource::<CurrentScene>();
    world.remove_resource::<SceneStart>();
    states::enter(world, SceneState::Empty);
}

fn tell_end(world: &mut World, restart: bool) {
    let Some(scene) = world.get_resource::<CurrentScene>() else { return };
    let ended = SceneEnded { source: scene.source.clone(), restart };
    write_if_read(world, ended.clone());
    world.trigger(ended);
    world.flush();
}

fn tell_start(world: &mut World, restart: bool) {
    let Some(scene) = world.get_resource::<CurrentScene>() else { return };
    let started = SceneStarted { source: scene.source.clone(), restart };
    states::enter(world, SceneState::Running);
    write_if_read(world, started.clone());
    world.trigger(started);
    world.flush();
}

/// Writes a message where an app reads such: a scene may also be spawned where there is no
/// [`ScenePlugin`](super::ScenePlugin).
fn write_if_read(world: &mut World, message: impl Message) {
    if let Some(mut messages) = world.get_resource_mut() {
        Messages::write(&mut messages, message);
    }
}

/// The discs of a world that are so far from the origin, or so slow, that the numbers cannot carry their movement.
#[must_use]
pub fn unresolved(world: &mut World) -> Vec<Unresolved> {
    let discs = Discs::of(world);
    // Without Bevy's time plugin there is no clock, and the scene says how long a tick is.
    let clock = world.get_resource::<Time<Fixed>>().copied().unwrap_or_default();
    let time_step = world.resource::<Playback>().time_step(&clock).as_secs_f32();
    precision::unresolved(&discs, world.resource::<CollisionSettings>(), time_step)
}

/// The discs of a world whose radius the numbers do not tell from nothing where they are, or where they meet terrain.
#[must_use]
pub fn too_small(world: &mut World) -> Vec<TooSmall> {
    let discs = Discs::of(world);
    precision::too_small(&discs, world.resource::<Space>())
}

fn warn_of_precision(world: &mut World) {
    let words = [precision::in_words(&unresolved(world)), precision::in_words(&too_small(world))];
    let name = world.get_resource::<CurrentScene>().map(|scene| scene.source.to_string()).unwrap_or_default();
    for words in words.into_iter().flatten() {
        warn(world, &name, words);
    }
}

/// Says what is odd about a scene.
pub(super) fn warn(world: &mut World, scene: &str, words: impl Into<NoticeText>) {
    let words = words.into();
    if let Some(mut notices) = world.get_resource_mut::<Notices>() {
        notices.error_about(scene, words);
    } else {
        tracing::warn!("{words}");
    }
}

/// Puts the discs and terrain of the running scene back to their start, and keeps the settings as they are now; whether
/// it is paused is as at the start. Without a running scene it does nothing.
///
/// # Errors
/// The file does not pass [`SceneFile::check`], which [`spawn`] has seen to unless somebody changed it since.
pub fn restart(world: &mut World) -> Result<(), SceneError> {
    let Some(CurrentScene { source, file, .. }) = world.get_resource::<CurrentScene>() else { return Ok(()) };
    let (paused, surroundings) = (file.pace.paused, file.surroundings);
    let registry = SceneRegistry::of(world);
    let contents = checked(source, file, &registry)?;
    let start = SceneStart::new(file.table.clone().or_else(|| contents.table.clone()), &contents.discs);
    tell_end(world, true);
    world.insert_resource(start);
    put_contents(world, contents, surroundings, &registry);
    let mut playback = world.get_resource_or_init::<Playback>();
    if playback.paused != paused {
        playback.toggle();
    }
    tell_start(world, true);
    Ok(())
}

fn checked(source: &SceneSource, file: &SceneFile, registry: &SceneRegistry) -> Result<Contents, SceneError> {
    let error = |problem| SceneError::Value { name: source.to_string(), problem };
    file.check_settings(registry).map_err(error)?;
    file.expand_with(registry).map_err(error)
}

/// What a scene leaves behind for the next one to take away. A disabled entity is a part of it like any other.
type OfScene = (
    Or<(With<SceneEntity>, With<Disc>, With<Terrain>, With<Pocket>, With<Joint>)>,
    Without<OutlivesScene>,
    Allow<Disabled>,
);

fn put_contents(world: &mut World, contents: Contents, surroundings: Surroundings, registry: &SceneRegistry) {
    let old: Vec<Entity> = world.query_filtered::<Entity, OfScene>().iter(world).collect();
    for entity in old {
        // It may have gone as the child of one before it.
        if let Ok(entity) = world.get_entity_mut(entity) {
            entity.despawn();
        }
    }
    world.insert_resource(NextStableId::default());
    world.insert_resource(surroundings);
    // What the machine may use is no part of a scene.
    let kept = world
        .get_resource::<Space>()
        .map(|space| (space.compute.simd, space.compute.threads, space.compute.scan_limit, space.report.record_events));
    let mut space = Space::default();
    (space.compute.simd, space.compute.threads, space.compute.scan_limit, space.report.record_events) =
        kept.unwrap_or_default();
    world.insert_resource(space);
    let has_tiles = !contents.tiles.is_empty();
    put_entities(world, contents, surroundings, registry);
    if has_tiles {
        form_at_once(world);
    }
    show_before_the_first_tick(world);
}

/// Spawns all that is in a scene; what becomes of each piece, pocket and disc, in their order.
pub(super) fn put_entities(
    world: &mut World,
    contents: Contents,
    surroundings: Surroundings,
    registry: &SceneRegistry,
) -> InstanceEntities {
    let numbers = contents.numbers();
    let mut put = InstanceEntities::default();
    let mut entities = BTreeMap::new();
    for (piece, id) in contents.terrain.into_iter().zip(numbers.terrain) {
        let entity = spawn_terrain(world, piece, StableId(id), registry);
        entities.insert(id, entity);
        put.terrain.push(entity);
    }
    for (pocket, id) in contents.pockets.iter().zip(numbers.pockets) {
        put.pockets.push(spawn_pocket(world, pocket, StableId(id), registry));
    }
    let mut ignoring = Vec::new();
    for (disc, id) in contents.discs.into_iter().zip(numbers.discs) {
        let entity = spawn_disc(world, &disc, StableId(id), (surroundings, registry), &put.pockets);
        entities.insert(id, entity);
        if !disc.ignores.is_empty() {
            ignoring.push((entity, disc.ignores));
        }
        put.discs.push(entity);
    }
    for (TileEntry { min, max }, id) in contents.tiles.into_iter().zip(numbers.tiles) {
        let rect = Rect { min, max };
        world.spawn((SceneEntity, Tile, TableRect(rect), SettledRect { rect, before: rect }, StableId(id)));
    }
    filter::insert_ignored(world, &ignoring, &entities);
    put.joints = joints::spawn(world, &contents.joints, &numbers.joints, &entities);
    put
}

/// Lets whoever reads [`Space`] see the discs and the terrain also before the first tick gathers them.
fn show_before_the_first_tick(world: &mut World) {
    let Some(periodic) = world.get_resource::<CollisionSettings>().map(|settings| settings.periodic) else { return };
    let Some(mut space) = world.get_resource_mut::<Space>() else { return };
    space.laws.settings.periodic = periodic;
    let Ok(snapshot) = SystemState::<Snapshot>::new(world).get(world).map(|snapshot| snapshot.space()) else { return };
    world.resource_mut::<Space>().show(snapshot);
}

/// Gives an entity the components of a game. They have been checked.
fn insert_components(entity: &mut EntityWorldMut, components: &BTreeMap<String, RonValue>, registry: &SceneRegistry) {
    if let Err(problem) = registry.insert_components(entity, components) {
        tracing::warn!("{problem}");
    }
}

fn spawn_terrain(world: &mut World, piece: TerrainEntry, id: StableId, registry: &SceneRegistry) -> Entity {
    let look = TerrainLook { colour: piece.colour };
    let mut entity =
        world.spawn((SceneEntity, piece.shape.clone(), Position(piece.position), Rotation(piece.rotation), look, id));
    if let Some(velocity) = piece.velocity {
        entity.insert(Velocity(velocity));
    }
    if let Some(angular_velocity) = piece.angular_velocity {
        entity.insert(AngularVelocity(Vec3::Z * angular_velocity));
    }
    if let Some(target) = piece.move_to {
        entity.insert(MoveTo(target));
    }
    if let Some(target) = piece.turn_to {
        entity.insert(TurnTo(target));
    }
    if let Some(oscillation) = piece.oscillation {
        entity.insert((oscillation, Position(oscillation.place())));
    }
    if let Some(mass) = piece.mass {
        // A block moves, if only by what hits it.
        let spin = Vec3::Z * piece.angular_velocity.unwrap_or_default();
        entity.insert((Mass(mass), Velocity(piece.velocity.unwrap_or_default()), AngularVelocity(spin)));
    }
    if let Some(inertia) = piece.moment_of_inertia {
        entity.insert(MomentOfInertia(inertia));
    }
    if piece.locked_axes != LockedAxes::default() {
        entity.insert(piece.locked_axes);
    }
    if let Some(e) = piece.restitution {
        entity.insert(Restitution(e));
    }
    filter::insert(&mut entity, piece.layers, (piece.sensor, piece.kick));
    contact::insert_terrain(&mut entity, &piece);
    if let Some(one_way) = piece.one_way {
        entity.insert(one_way);
    }
    if piece.inactive {
        entity.insert(Inactive);
    }
    insert_components(&mut entity, &piece.components, registry);
    entity.id()
}

fn spawn_pocket(world: &mut World, pocket: &PocketEntry, id: StableId, registry: &SceneRegistry) -> Entity {
    let mut entity = world.spawn((SceneEntity, Pocket { radius: pocket.radius }, Position(pocket.position), id));
    insert_components(&mut entity, &pocket.components, registry);
    entity.id()
}

/// How a ball lies on the table at first: a little askew, by its number in the scene.
fn lying(position: Vec2, id: StableId) -> Orientation {
    let mut random = Random::new(id.0);
    let axis = random.direction();
    let turn = Quat::from_axis_angle(axis.extend(0.0), random.between(0.1, 0.6));
    Orientation { turn: turn * Quat::from_rotation_z(random.between(-0.6, 0.6)), rolled_to: position }
}

fn spawn_disc(
    world: &mut World,
    disc: &DiscEntry,
    id: StableId,
    (surroundings, registry): (Surroundings, &SceneRegistry),
    pockets: &[Entity],
) -> Entity {
    let mut entity = world.spawn((
        SceneEntity,
        Disc,
        Position(disc.position),
        Velocity(disc.velocity),
        Radius(disc.radius),
        disc.mass(),
        disc.look(),
        id,
    ));
    if let Some(e) = disc.restitution {
        entity.insert(Restitution(e));
    }
    if disc.cue {
        entity.insert(CueBall);
    }
    if let Some(spin) = disc.spin() {
        entity.insert(AngularVelocity(spin.angular_velocity));
    }
    if disc.ball {
        entity.insert(Ball);
    }
    if disc.kinematic {
        entity.insert(Kinematic);
    }
    if let Some(target) = disc.move_to {
        entity.insert(MoveTo(target));
    }
    if let Some(&pocket) = disc.pocket.and_then(|pocket| pockets.get(pocket)) {
        entity.insert(InPocket { pocket });
    }
    filter::insert(&mut entity, disc.layers, (disc.sensor, disc.kick));
    contact::insert_disc(&mut entity, disc);
    if disc.inactive {
        entity.insert(Inactive);
    }
    if surroundings == Surroundings::Table {
        entity.insert(lying(disc.position, id));
    }
    insert_components(&mut entity, &disc.components, registry);
    entity.id()
}

type DiscItem<'a> = (
    (&'a StableId, Entity),
    (&'a Position, &'a Velocity, &'a Radius, &'a Mass),
    (Option<&'a Restitution>, Option<&'a DiscLook>, Has<CueBall>),
    (Option<&'a AngularVelocity>, Has<Ball>, Option<&'a InPocket>, Has<Inactive>),
    (Has<Kinematic>, Option<&'a MoveTo>),
);

type PocketItem<'a> = (&'a StableId, Entity, &'a Position, &'a Pocket);

type TerrainItem<'a> = (
    (&'a StableId, Entity),
    (&'a Terrain, &'a Position, &'a Rotation),
    (Option<&'a Restitution>, Option<&'a TerrainLook>, Has<Inactive>),
    (
        Option<&'a Velocity>,
        Option<&'a AngularVelocity>,
        Option<&'a MoveTo>,
        Option<&'a TurnTo>,
        Option<&'a Oscillation>,
    ),
    BlockComponents<'a>,
);

/// The present terrain piece by piece, in any order, each with its key.
fn capture_terrain(world: &mut World) -> Vec<((StableId, Entity), TerrainEntry)> {
    world
        .query_filtered::<TerrainItem, Without<TableEdge>>()
        .iter(world)
        .map(|(key, (shape, position, rotation), (restitution, look, inactive), motion, block)| {
            let (velocity, angular_velocity, move_to, turn_to, oscillation) = motion;
            let entry = TerrainEntry {
                id: Some(key.0.0),
                position: position.0,
                rotation: rotation.0,
                velocity: velocity.map(|velocity| velocity.0),
                angular_velocity: angular_velocity.map(|angular_velocity| angular_velocity.z),
                move_to: move_to.map(|target| target.0),
                turn_to: turn_to.map(|target| target.0),
                oscillation: oscillation.copied(),
                mass: block.0.map(|mass| mass.0),
                // They mean nothing on terrain without a mass.
                moment_of_inertia: block.1.filter(|_| block.0.is_some()).map(|inertia| inertia.0),
                locked_axes: block.2.filter(|_| block.0.is_some()).copied().unwrap_or_default(),
                restitution: restitution.map(|e| e.0),
                inactive,
                colour: look.and_then(|look| look.colour),
                ..TerrainEntry::new(shape.clone())
            };
            ((*key.0, key.1), entry)
        })
        .collect()
}

impl SceneFile {
    /// The present state of the world as a scene: its discs and terrain one by one, its settings, and what
    /// [`CurrentScene`] says about the looks. A run of it goes on just as the world does. What generators have made is
    /// in it disc by disc; the generators themselves, and comments of the file that the scene came from, are not.
    ///
    /// It holds whatever is there, also a disc that the solver rejects: [`SceneFile::check`] tells. A state that is
    /// saved or passed on as a link has none of those.
    pub fn capture(world: &mut World) -> Self {
        let mut file = Self::capture_with_ids(world);
        file.leave_out_obvious_ids();
        file
    }

    /// The present state of the world as a scene that can be read again, and what is not in it: a line for each thing
    /// that the solver leaves out as well.
    pub(super) fn capture_sound(world: &mut World) -> (Self, Vec<String>) {
        let mut file = Self::capture_with_ids(world);
        let left_out = file.leave_out_rejected();
        file.leave_out_obvious_ids();
        (file, left_out)
    }

    /// [`SceneFile::capture`], and each piece, disc and pocket has its id.
    fn capture_with_ids(world: &mut World) -> Self {
        let mut terrain = capture_terrain(world);
        let mut pockets: Vec<_> = world
            .query::<PocketItem>()
            .iter(world)
            .map(|(id, entity, position, pocket)| {
                ((*id, entity), PocketEntry { id: Some(id.0), ..PocketEntry::new(position.0, pocket.radius) })
            })
            .collect();
        pockets.sort_by_key(|(key, _)| *key);
        let mut discs: Vec<_> = world
            .query_filtered::<DiscItem, With<Disc>>()
            .iter(world)
            .map(
                |(
                    key,
                    (position, velocity, radius, mass),
                    (restitution, look, cue),
                    (spin, ball, fallen, inactive),
                    (kinematic, move_to),
                )| {
                    let look = look.cloned().unwrap_or_default();
                    let entry = DiscEntry {
                        id: Some(key.0.0),
                        position: position.0,
                        velocity: velocity.0,
                        radius: radius.0,
                        mass: Some(mass.0),
                        density: None,
                        restitution: restitution.map(|e| e.0),
                        ball,
                        angular_velocity: spin.map(|spin| spin.0).filter(|spin| !ball || *spin != Vec3::ZERO),
                        kinematic,
                        move_to: move_to.filter(|_| kinematic).map(|target| target.0),
                        pocket: fallen
                            .and_then(|fallen| pockets.iter().position(|((_, entity), _)| *entity == fallen.pocket)),
                        inactive,
                        colour: look.colour,
                        ball_colour: look.ball_colour,
                        number: look.number,
                        striped: look.striped,
                        arrow: look.arrow,
                        label: look.label,
                        cue,
                        ..DiscEntry::default()
                    };
                    ((*key.0, key.1), entry)
                },
            )
            .collect();
        let registry = SceneRegistry::of(world);
        if registry.has_components() {
            for ((_, entity), piece) in &mut terrain {
                piece.components = registry.capture_components(world.entity(*entity));
            }
            for ((_, entity), pocket) in &mut pockets {
                pocket.components = registry.capture_components(world.entity(*entity));
            }
            for ((_, entity), disc) in &mut discs {
                disc.components = registry.capture_components(world.entity(*entity));
            }
        }
        filter::capture(world, &mut terrain, &mut discs);
        contact::capture(world, &mut terrain, &mut discs);
        terrain.sort_by_key(|(key, _)| *key);
        discs.sort_by_key(|(key, _)| *key);
        let mut tiles: Vec<_> = world
            .query_filtered::<(&StableId, Entity, &TableRect), With<Tile>>()
            .iter(world)
            .map(|(id, entity, rect)| ((*id, entity), TileEntry { min: rect.min, max: rect.max }))
            .collect();
        tiles.sort_by_key(|(key, _)| *key);
        let mut file = world.get_resource::<CurrentScene>().map(|scene| scene.file.clone()).unwrap_or_default();
        file.generate = Vec::new();
        // One that a game has made cannot be found again by its name.
        let is_shipped = |name: &String| ShippedTable::named(name).is_ok();
        file.furniture = world.get_resource::<DrawnTable>().map(|table| table.name.clone()).filter(is_shipped);
        file.terrain = terrain.into_iter().map(|(_, entry)| entry).collect();
        file.discs = discs.into_iter().map(|(_, entry)| entry).collect();
        file.pockets = pockets.into_iter().map(|(_, entry)| entry).collect();
        file.tiles = tiles.into_iter().map(|(_, entry)| entry).collect();
        file.joints = joints::capture(world);
        file.table = world.get_resource::<TablePhysics>().cloned();
        if let Some(settings) = world.get_resource::<CollisionSettings>() {
            file.collision = settings.clone();
        }
        if let Some(settings) = world.get_resource::<MotionSettings>() {
            file.motion = settings.clone();
        }
        if let Some(playback) = world.get_resource::<Playback>() {
            // Without Bevy's time plugin there are no clocks, and time is what the scene said.
            let (rate, speed) = (world.get_resource(), world.get_resource());
            file.pace = Pace {
                tick_rate: rate.map_or(file.pace.tick_rate, |clock| playback.rate(clock)),
                time_scale: speed.map_or(file.pace.time_scale, |clock| playback.speed(clock)),
                paused: playback.paused,
            };
        }
        file
    }

    /// Spawning counts from zero, terrain first. Where that gives the same numbers they need not stand in the file.
    fn leave_out_obvious_ids(&mut self) {
        let ids = || {
            let terrain = self.terrain.iter().map(|piece| piece.id);
            terrain.chain(self.discs.iter().map(|disc| disc.id)).chain(self.pockets.iter().map(|pocket| pocket.id))
        };
        if ids().zip(0_u64..).all(|(id, expected)| id == Some(expected)) {
            self.terrain.iter_mut().for_each(|piece| piece.id = None);
            self.discs.iter_mut().for_each(|disc| disc.id = None);
            self.pockets.iter_mut().for_each(|pocket| pocket.id = None);
        }
    }
}
