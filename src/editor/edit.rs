//! An [`Edit`] is one step of the history: a list of [`EditCommand`]s that are applied and reverted together.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use tr::tr;

use super::{
    ChosenTerrain,
    park::{despawn_parked, is_there, park, unpark},
    property::{Recording, ValueChange},
    reshape::Placed,
};
use crate::{
    components::{Disc, InPlay, InPocket, OffTable, Position, Radius, Rotation, Terrain},
    input::Selection,
};

/// A step of the history.
#[derive(Default)]
pub(super) struct Edit {
    /// Its description, or `None` for the description of its first value change.
    pub(super) words: Option<String>,
    pub(super) commands: Vec<EditCommand>,
    pub(super) is_restart: bool,
}

/// A part of an edit that can be undone.
pub(super) enum EditCommand {
    /// An entity was added or removed.
    Presence { entity: Entity, after: bool },
    /// A property changed.
    Value(Box<dyn ValueChange>),
    /// A piece was put over a disc, which the simulation pushes aside. Undo puts the disc back.
    PushAside(Covered),
}

/// A disc under a new piece, and its place before (metres).
pub(super) struct Covered {
    disc: Entity,
    place: Vec2,
    by: Entity,
}

impl Edit {
    /// The changes in a recording.
    pub(super) fn of_values(words: Option<String>, recording: Recording) -> Self {
        let commands = recording.changes().into_iter().map(EditCommand::Value).collect();
        Self { words, commands, ..default() }
    }

    /// Entities that were added or removed.
    pub(super) fn of_presence(words: String, entities: &[Entity], after: bool) -> Self {
        let commands = entities.iter().map(|&entity| EditCommand::Presence { entity, after }).collect();
        Self { words: Some(words), commands, ..default() }
    }

    pub(super) fn in_words(&self) -> String {
        match (&self.words, self.commands.first()) {
            (Some(words), _) => words.clone(),
            (None, Some(EditCommand::Value(change))) => change.in_words(),
            _ => tr!("nothing"),
        }
    }

    pub(super) fn is_of_settings(&self) -> bool {
        self.commands.iter().all(|command| matches!(command, EditCommand::Value(change) if change.is_of_setting()))
    }

    /// Restores the state after the edit (`forward`) or before it.
    pub(super) fn apply(&self, world: &mut World, forward: bool) {
        let mut seen = Vec::new();
        for command in &self.commands {
            match command {
                EditCommand::Presence { entity, after } if *after == forward => {
                    unpark(world, *entity);
                    seen.push(*entity);
                }
                EditCommand::Presence { entity, .. } => park(world, *entity),
                EditCommand::Value(change) => change.put(world, forward),
                EditCommand::PushAside(covered) if !forward => covered.put_back(world),
                EditCommand::PushAside(_) => {}
            }
        }
        select(world, if self.is_restart { &[] } else { &seen });
    }

    /// Merges a later edit into this one. A value that both change keeps the `before` of this edit and gets the `after`
    /// of the later one.
    pub(super) fn join(&mut self, later: Self) {
        for command in later.commands {
            let joins = |earlier: &mut EditCommand| match (earlier, &command) {
                (EditCommand::Value(earlier), EditCommand::Value(later)) => earlier.join(&**later),
                _ => false,
            };
            if !self.commands.iter_mut().any(joins) {
                self.commands.push(command);
            }
        }
        self.commands.retain(|command| !matches!(command, EditCommand::Value(change) if change.is_nothing()));
    }

    /// Despawns entities that are parked for an edit that can no longer be undone or redone.
    pub(super) fn forget(self, world: &mut World, was_done: bool) {
        for command in self.commands {
            if let EditCommand::Presence { entity, after } = command
                && after != was_done
                // In the past, an entity that is deleted later is there.
                && !is_there(world, entity)
            {
                despawn_parked(world, entity);
            }
        }
    }
}

impl Covered {
    /// The discs that these new pieces overlap.
    pub(super) fn by(world: &mut World, pieces: &[Entity]) -> Vec<Self> {
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

    /// Puts the disc back, unless it has moved on from where it was pushed.
    fn put_back(&self, world: &mut World) {
        if self.is_at_piece(world)
            && let Some(mut position) = world.get_mut::<Position>(self.disc)
        {
            position.set_if_neq(Position(self.place));
        }
    }

    /// Whether it still lies where it was pushed.
    fn is_at_piece(&self, world: &World) -> bool {
        let Ok(disc) = world.get_entity(self.disc) else { return false };
        if disc.contains::<Disabled>() || disc.contains::<InPocket>() || disc.contains::<OffTable>() {
            return false;
        }
        let (Some(place), Some(radius)) = (disc.get::<Position>(), disc.get::<Radius>()) else { return false };
        placed(world, self.by).is_some_and(|piece| piece.distance(place.0) < 1.1 * radius.0)
    }
}

/// A piece of terrain, or a disc as a piece, with its place.
fn placed(world: &World, piece: Entity) -> Option<Placed> {
    let piece = world.get_entity(piece).ok()?;
    let as_circle = || piece.get::<Radius>().map(|radius| Terrain::Circle { radius: radius.0 });
    Some(Placed {
        terrain: piece.get::<Terrain>().cloned().or_else(as_circle)?,
        position: piece.get::<Position>()?.0,
        rotation: piece.get::<Rotation>().copied().unwrap_or_default(),
    })
}

/// Selects the entities that returned, and no removed ones.
pub(super) fn select(world: &mut World, seen: &[Entity]) {
    let discs: Vec<Entity> = seen.iter().copied().filter(|&entity| world.get::<Disc>(entity).is_some()).collect();
    let piece = seen.iter().copied().find(|&entity| world.get::<Terrain>(entity).is_some());
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
