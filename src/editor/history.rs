//! The history of edits: what was done, what was taken back, and the two ways between them.

use std::collections::VecDeque;

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use tr::tr;

use super::{
    ChosenTerrain, Parked, park,
    property::{Property, Value, Values},
    reshape::Placed,
    unpark,
};
use crate::{
    components::{Disc, InPlay, InPocket, Joint, Pocket, Position, Radius, Rotation, Terrain},
    input::{
        Selection,
        actions::{Control, KeyMap},
    },
    notice::Notices,
    scene::{SceneEnded, SceneInstance, SceneStarted},
};

/// By what a person holds a panel. Changes by one hold are one edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grip {
    /// A button of the mouse is down, or came up in this frame; whether it went down in this frame.
    Pointer {
        /// Whether it went down in this frame.
        pressed: bool,
    },
    /// A widget has the keyboard: its number.
    Widget(u64),
}

impl Grip {
    /// The same without when it began.
    pub(super) fn held(self) -> Self {
        match self {
            Self::Pointer { .. } => Self::Pointer { pressed: false },
            widget @ Self::Widget(_) => widget,
        }
    }
}

/// The edits that can be taken back, and those that were and can be made again. A new edit ends the second list;
/// another scene ends both. A restart after an edit is one itself: taken back, it brings all back that was there. A
/// restart after none but edits of settings keeps those.
#[derive(Resource)]
pub struct EditHistory {
    /// How many edits are remembered; older ones are forgotten. Default: 200.
    pub limit: usize,
    done: VecDeque<Edit>,
    undone: Vec<Edit>,
    /// By what the last edit is still being made: changes by the same belong to it.
    open: Option<Grip>,
    /// What is compared when the panel has been shown.
    pub(super) watched: Values,
    /// How often an edit was taken back or made again.
    travels: u64,
    /// What a restart has set aside, while it is being made.
    leaving: Option<Vec<Entity>>,
}

impl Default for EditHistory {
    fn default() -> Self {
        Self {
            limit: 200,
            done: VecDeque::new(),
            undone: Vec::new(),
            open: None,
            watched: Values::default(),
            travels: 0,
            leaving: None,
        }
    }
}

impl EditHistory {
    /// What [`undo`] would take back, in words: "delete 3 discs".
    #[must_use]
    pub fn next_undo(&self) -> Option<String> {
        self.done.back().map(Edit::in_words)
    }

    /// What [`redo`] would make again, in words.
    #[must_use]
    pub fn next_redo(&self) -> Option<String> {
        self.undone.last().map(Edit::in_words)
    }

    /// How many edits can be taken back.
    #[must_use]
    pub fn len(&self) -> usize {
        self.done.len()
    }

    /// Whether there is none to take back.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// An edit is being taken back or made again: nothing goes on with the last one.
    fn set_out(&mut self) {
        self.open = None;
        self.travels += 1;
    }

    pub(super) fn travels(&self) -> u64 {
        self.travels
    }

    /// Tells by what the person holds the panel in this frame, and whether it was taken just now.
    pub(super) fn hold(&mut self, grip: Option<Grip>, anew: bool) {
        if anew || self.open != grip {
            self.open = None;
        }
    }
}

/// One step of the history.
#[derive(Clone)]
pub(super) struct Edit {
    /// What it did; none: what its first change says.
    words: Option<String>,
    changes: Vec<Change>,
    covered: Vec<Covered>,
    is_restart: bool,
}

/// A disc over which a piece was drawn, and where it was then (metres): the simulation pushes it aside.
#[derive(Clone)]
struct Covered {
    disc: Entity,
    place: Vec2,
    by: Entity,
}

#[derive(Clone)]
enum Change {
    /// An entity came or went.
    Presence { entity: Entity, after: bool },
    /// A value changed; of a setting the entity is a placeholder.
    Value { property: Property, entity: Entity, before: Value, after: Value },
}

impl Edit {
    /// What has changed between two times.
    pub(super) fn between(words: Option<String>, before: Values, after: Values) -> Self {
        let changes = before.changes(after).map(|(property, entity, before, after)| Change::Value {
            property,
            entity,
            before,
            after,
        });
        Self { words, changes: changes.collect(), covered: Vec::new(), is_restart: false }
    }

    fn presence(words: String, entities: &[Entity], after: bool) -> Self {
        let changes = entities.iter().map(|&entity| Change::Presence { entity, after });
        Self { words: Some(words), changes: changes.collect(), covered: Vec::new(), is_restart: false }
    }

    fn in_words(&self) -> String {
        match (&self.words, self.changes.first()) {
            (Some(words), _) => words.clone(),
            (None, Some(Change::Value { property, before, after, .. })) => property.in_words(before, after),
            _ => tr!("nothing"),
        }
    }

    fn is_of_settings(&self) -> bool {
        self.changes.iter().all(|change| matches!(change, Change::Value { property, .. } if property.is_setting()))
    }

    /// Goes one way or the other: puts everything as it was after the edit, or as it was before.
    fn apply(&self, world: &mut World, forward: bool) {
        let mut seen = Vec::new();
        // Before the piece is gone that they lie at.
        let pushed: Vec<&Covered> = self.covered.iter().filter(|disc| !forward && disc.is_at_piece(world)).collect();
        for change in &self.changes {
            match change {
                Change::Presence { entity, after } => {
                    if *after == forward {
                        unpark(world, *entity);
                        seen.push(*entity);
                    } else {
                        park(world, *entity);
                    }
                }
                Change::Value { property, entity, before, after } => {
                    property.put(world, *entity, if forward { after } else { before });
                    // A disc that has been put somewhere lies there, and in no pocket.
                    if property.name() == "position"
                        && let Ok(mut entity) = world.get_entity_mut(*entity)
                    {
                        entity.remove::<InPocket>();
                    }
                }
            }
        }
        for &Covered { disc, place, .. } in pushed {
            if let Some(mut position) = world.get_mut::<Position>(disc) {
                position.set_if_neq(Position(place));
            }
        }
        select(world, if self.is_restart { &[] } else { &seen });
    }

    /// Takes over the changes of an edit that goes on with this one.
    fn join(&mut self, later: Self) {
        for change in later.changes {
            let Change::Value { property, entity, after, .. } = &change else {
                self.changes.push(change);
                continue;
            };
            let earlier = self.changes.iter_mut().find_map(|earlier| match earlier {
                Change::Value { property: of, entity: on, after, .. } if of.is(property) && on == entity => Some(after),
                _ => None,
            });
            match earlier {
                Some(earlier) => earlier.clone_from(after),
                None => self.changes.push(change),
            }
        }
        self.changes.retain(|change| match change {
            Change::Value { property, before, after, .. } => !property.same(before, after),
            Change::Presence { .. } => true,
        });
    }

    /// Nobody will ask for it again: what is parked for it goes for good.
    fn forget(self, world: &mut World, was_done: bool) {
        for change in self.changes {
            if let Change::Presence { entity, after } = change
                && after != was_done
                && let Ok(entity) = world.get_entity_mut(entity)
                && entity.contains::<Parked>()
            {
                entity.despawn();
            }
        }
    }
}

impl Covered {
    /// The discs that these new pieces overlap.
    fn by(world: &mut World, pieces: &[Entity]) -> Vec<Self> {
        let mut discs = world.query_filtered::<(Entity, &Position, &Radius), InPlay>();
        let discs: Vec<_> = discs.iter(world).filter(|(disc, ..)| !pieces.contains(disc)).collect();
        let over = |&by: &Entity| {
            let placed = placed(world, by);
            let is_under =
                move |place: Vec2, radius: f32| placed.as_ref().is_some_and(|it| it.distance(place) < radius);
            let under = discs.iter().filter(move |(_, place, radius)| is_under(place.0, radius.0));
            under.map(move |&(disc, place, _)| Self { disc, place: place.0, by })
        };
        pieces.iter().flat_map(over).collect()
    }

    /// Whether it still lies where it was pushed to, and has not gone on from there.
    fn is_at_piece(&self, world: &World) -> bool {
        let Ok(disc) = world.get_entity(self.disc) else { return false };
        if disc.contains::<Disabled>() || disc.contains::<InPocket>() {
            return false;
        }
        let (Some(place), Some(radius)) = (disc.get::<Position>(), disc.get::<Radius>()) else { return false };
        placed(world, self.by).is_some_and(|piece| piece.distance(place.0) < 1.1 * radius.0)
    }
}

/// A piece of terrain, or a disc as one, and its place.
fn placed(world: &World, piece: Entity) -> Option<Placed> {
    let piece = world.get_entity(piece).ok()?;
    let as_circle = || piece.get::<Radius>().map(|radius| Terrain::Circle { radius: radius.0 });
    Some(Placed {
        terrain: piece.get::<Terrain>().cloned().or_else(as_circle)?,
        position: piece.get::<Position>()?.0,
        rotation: piece.get::<Rotation>().copied().unwrap_or_default(),
    })
}

/// Chooses what has come back, and nothing that is gone.
fn select(world: &mut World, seen: &[Entity]) {
    let discs: Vec<Entity> = seen.iter().copied().filter(|&entity| world.get::<Disc>(entity).is_some()).collect();
    let piece = seen.iter().copied().find(|&entity| world.get::<Terrain>(entity).is_some());
    let is_there =
        |world: &World, entity: Entity| world.get_entity(entity).is_ok_and(|entity| !entity.contains::<Disabled>());
    let mut chosen = world.get_resource::<Selection>().map(|selection| selection.0.clone()).unwrap_or_default();
    let mut terrain = world.get_resource::<ChosenTerrain>().and_then(|chosen| chosen.0);
    if !discs.is_empty() {
        (chosen, terrain) = (discs, None);
    } else if piece.is_some() {
        (chosen, terrain) = (Vec::new(), piece);
    }
    chosen.retain(|&entity| is_there(world, entity));
    let terrain = terrain.filter(|&entity| is_there(world, entity));
    if let Some(mut selection) = world.get_resource_mut::<Selection>() {
        selection.set_if_neq(Selection(chosen));
    }
    if let Some(mut now) = world.get_resource_mut::<ChosenTerrain>() {
        now.set_if_neq(ChosenTerrain(terrain));
    }
}

/// Takes the last edit back, says so in a notice, and returns what it was.
pub fn undo(world: &mut World) -> Option<String> {
    let mut history = world.get_resource_mut::<EditHistory>()?;
    let edit = history.done.pop_back()?;
    history.set_out();
    history.undone.push(edit.clone());
    edit.apply(world, false);
    let words = edit.in_words();
    tell(world, tr!("Undone: {}", words));
    Some(words)
}

/// Makes the edit again that was taken back last, says so in a notice, and returns what it was.
pub fn redo(world: &mut World) -> Option<String> {
    let mut history = world.get_resource_mut::<EditHistory>()?;
    let edit = history.undone.pop()?;
    history.set_out();
    history.done.push_back(edit.clone());
    edit.apply(world, true);
    let words = edit.in_words();
    tell(world, tr!("Done again: {}", words));
    Some(words)
}

fn tell(world: &mut World, text: String) {
    if let Some(mut notices) = world.get_resource_mut::<Notices>() {
        notices.info(text);
    }
}

/// Remembers an edit that was made.
pub(super) fn record(world: &mut World, edit: Edit) {
    record_held(world, edit, None);
}

/// Remembers an edit that may go on for as long as it is held.
pub(super) fn record_held(world: &mut World, edit: Edit, grip: Option<Grip>) {
    if edit.changes.is_empty() {
        return;
    }
    let Some(mut history) = world.get_resource_mut::<EditHistory>() else { return };
    let undone = std::mem::take(&mut history.undone);
    let goes_on = grip.is_some() && history.open == grip;
    history.open = grip;
    match history.done.back_mut() {
        Some(last) if goes_on => {
            last.join(edit);
            if last.changes.is_empty() {
                history.done.pop_back();
                history.open = None;
            }
        }
        _ => history.done.push_back(edit),
    }
    let excess = history.done.len().saturating_sub(history.limit);
    let old: Vec<Edit> = history.done.drain(..excess).collect();
    for edit in undone {
        edit.forget(world, false);
    }
    for edit in old {
        edit.forget(world, true);
    }
}

/// Removes discs and terrain, as one edit. Without an [`EditHistory`] they are despawned.
pub fn delete(world: &mut World, entities: &[Entity]) {
    let is_there = |entity: &Entity| world.get_entity(*entity).is_ok_and(|entity| !entity.contains::<Disabled>());
    let entities: Vec<Entity> = entities.iter().copied().filter(is_there).collect();
    if !world.contains_resource::<EditHistory>() {
        for entity in entities {
            world.despawn(entity);
        }
        return;
    }
    let words = tr!("delete {}", what(world, &entities));
    for &entity in &entities {
        park(world, entity);
    }
    select(world, &[]);
    record(world, Edit::presence(words, &entities, false));
}

/// Remembers that these entities were added, as one edit: "add a disc". Taken back, it also puts the discs back that
/// lay where they were put and were pushed aside, unless they have gone on from there.
pub fn record_spawn(world: &mut World, entities: &[Entity]) {
    let words = tr!("add {}", what(world, entities));
    let covered = Covered::by(world, entities);
    record(world, Edit { covered, ..Edit::presence(words, entities, true) });
}

/// Lets `act` change components of these entities, as one edit with this name. What counts are the components of
/// [`UndoApp`](super::UndoApp).
pub fn change<T>(
    world: &mut World,
    words: impl Into<String>,
    entities: &[Entity],
    act: impl FnOnce(&mut World) -> T,
) -> T {
    let before = Values::of_entities(world, entities);
    let response = act(world);
    let after = before.again(world);
    record(world, Edit::between(Some(words.into()), before, after));
    response
}

/// Discs and terrain in words: "a disc", "3 discs", "a wall".
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

/// All discs, terrain and pockets, and what they are children of.
fn contents(world: &mut World) -> Vec<Entity> {
    type Contents = Or<(With<Disc>, With<Terrain>, With<Pocket>, With<SceneInstance>)>;
    world.query_filtered::<Entity, Contents>().iter(world).collect()
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
    let came = came.iter().map(|&entity| Change::Presence { entity, after: true });
    if !leaving.is_empty() {
        let mut edit = Edit { is_restart: true, ..Edit::presence(tr!("restart"), leaving, false) };
        edit.changes.extend(came);
        record(world, edit);
        if let Some(key) = world.get_resource::<KeyMap>().and_then(|map| map.short(Control::Undo)) {
            tell(world, tr!("Restarted: {} brings back what was there before", key));
        }
        return;
    }
    let Some(mut history) = world.get_resource_mut::<EditHistory>() else { return };
    history.open = None;
    if let Some(restart) = history.done.iter_mut().rev().find(|edit| edit.is_restart) {
        restart.changes.retain(|change| matches!(change, Change::Presence { after: false, .. }));
        restart.changes.extend(came);
    }
    // Those were about what came with the last one.
    let (undone, never) = std::mem::take(&mut history.undone).into_iter().partition(Edit::is_of_settings);
    history.undone = undone;
    for edit in never {
        edit.forget(world, false);
    }
}

/// Forgets all edits, or all but those of settings.
fn clear(world: &mut World, keep_settings: bool) {
    let Some(mut history) = world.get_resource_mut::<EditHistory>() else { return };
    (history.open, history.leaving) = (None, None);
    let keeps = |edit: &Edit| keep_settings && edit.is_of_settings();
    let (done, old): (Vec<Edit>, Vec<Edit>) = std::mem::take(&mut history.done).into_iter().partition(keeps);
    let (undone, never): (Vec<Edit>, Vec<Edit>) = std::mem::take(&mut history.undone).into_iter().partition(keeps);
    (history.done, history.undone) = (done.into(), undone);
    for edit in old {
        edit.forget(world, true);
    }
    for edit in never {
        edit.forget(world, false);
    }
}
