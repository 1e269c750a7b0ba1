//! The table and the balls of a match as a scene.

use bevy::{
    ecs::{entity::EntityHashMap, entity_disabling::Disabled},
    prelude::*,
};

use super::shot::Seen;
use crate::{
    billiards::tables::{Hole, Part, ShippedTable},
    collision::spin::Shape,
    components::{AngularVelocity, Disc, Height, InPocket, OffTable, Pocket, Position, StableId, Terrain, Velocity},
    games::{
        matches::Match,
        rules::{BallId, BallPlace, CushionId, GameTable, Layout, PocketId, Region},
        simulator::Simulator,
    },
    motion::MotionSettings,
    scene::{
        self, DiscEntry, DrawnTable, OwnRespot, Pace, PocketEntry, SceneFile, SceneSource, Shootable, Surroundings,
        TerrainEntry,
    },
    timeline::Playback,
};

/// A ball or stone of the match.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Component, Debug, PartialEq)]
#[component(immutable)]
pub struct GameBall(#[reflect(ignore, default = "first")] pub BallId);

/// The entities of a match.
#[derive(Debug, Default)]
pub(super) struct Things {
    pub(super) balls: Vec<Entity>,
    pub(super) pockets: Vec<Entity>,
    pub(super) cushions: EntityHashMap<CushionId>,
}

impl Seen for Things {
    fn ball(&self, entity: Entity) -> Option<BallId> {
        self.balls.iter().position(|&ball| ball == entity).map(|index| BallId(index as u8))
    }

    fn cushion(&self, entity: Entity) -> Option<CushionId> {
        self.cushions.get(&entity).copied()
    }

    fn pocket(&self, entity: Entity) -> Option<PocketId> {
        self.pockets.iter().position(|&pocket| pocket == entity).map(|index| PocketId(index as u8))
    }
}

fn first() -> BallId {
    BallId(0)
}

/// The source of a match's scene: neither a file nor one of the program's scenes.
pub const MATCH_SCENE: SceneSource = SceneSource::Shipped("match");

/// The scene of a match: the pieces of its table, and its balls, each somewhere on it.
#[must_use]
pub fn scene_of(game: &Match) -> SceneFile {
    let table = game.table();
    let (spec, built) = (&table.spec, &table.built);
    let hole = |hole: &Hole| PocketEntry::new(hole.centre.as_vec2(), hole.radius as f32);
    let is_flat = spec.ball.shape == Shape::Flat;
    // A ball that is not on the table yet still needs a position until it is put aside.
    let mut layout = game.layout().clone();
    let discs = game.rules().balls().iter().zip(0..).map(|(&name, index)| {
        let ball = BallId(index);
        let place = layout[ball].on_table().or_else(|| Region::Anywhere.any_place(table, &layout, ball));
        let position = place.unwrap_or_default();
        layout[ball] = BallPlace::Table(position);
        DiscEntry {
            ball: !is_flat,
            angular_velocity: is_flat.then_some(Vec3::ZERO),
            ..DiscEntry::of_ball(name, position, spec)
        }
    });
    let discs = discs.collect();
    let mut names = [game.spec().table.as_str()].into_iter().chain(game.game().tables.first().copied());
    let shipped = names.find_map(|name| ShippedTable::named(name).ok());
    let shipped = shipped.filter(|shipped| shipped.spec().is_ok_and(|of_name| of_name == *spec));
    SceneFile {
        title: game.game().title.to_owned(),
        surroundings: Surroundings::Table,
        pace: Pace { tick_rate: SceneFile::TABLE_TICK_RATE, ..Pace::default() },
        collision: Simulator::settings(table),
        table: Some(table.physics()),
        furniture: shipped.map(|shipped| shipped.name.to_owned()),
        terrain: built.pieces.iter().map(TerrainEntry::of_piece).collect(),
        pockets: built.holes.iter().map(hole).collect(),
        discs,
        ..SceneFile::default()
    }
}

/// Makes the table of a match the scene.
///
/// # Errors
/// The table has a value that cannot be simulated.
pub(super) fn lay(world: &mut World, game: &Match) -> Result<Things, String> {
    scene::spawn(world, MATCH_SCENE, scene_of(game)).map_err(|error| error.to_string())?;
    if !world.contains_resource::<DrawnTable>() {
        let table = game.table();
        let name = game.spec().table.clone();
        world.insert_resource(DrawnTable { name, spec: table.spec.clone(), built: table.built.clone() });
    }
    Ok(collect(world, game))
}

/// Finds the entities of a match after its scene was spawned, which numbers them in order.
pub(super) fn collect(world: &mut World, game: &Match) -> Things {
    fn in_order<T: Component>(world: &mut World) -> Vec<Entity> {
        let mut all: Vec<_> =
            world.query_filtered::<(&StableId, Entity), With<T>>().iter(world).map(|(id, e)| (*id, e)).collect();
        all.sort_unstable();
        all.into_iter().map(|(_, entity)| entity).collect()
    }
    let pieces = in_order::<Terrain>(world);
    let cushions = pieces
        .into_iter()
        .zip(&game.table().built.pieces)
        .filter(|(_, piece)| piece.part != Part::Liner)
        .map(|(entity, piece)| (entity, CushionId(piece.index as u8)))
        .collect();
    let things = Things { balls: in_order::<Disc>(world), pockets: in_order::<Pocket>(world), cushions };
    for (&ball, index) in things.balls.iter().zip(0..) {
        world.entity_mut(ball).insert((GameBall(BallId(index)), OwnRespot));
    }
    lay_out(world, &things, game.layout());
    things
}

/// Puts all balls at rest as in a layout. A ball that is neither on the table nor in a pocket is removed from play, and
/// drawn among the fallen balls if it is there already.
pub(super) fn lay_out(world: &mut World, things: &Things, layout: &Layout) {
    for (&entity, ball) in things.balls.iter().zip(layout.balls()) {
        let Ok(mut disc) = world.get_entity_mut(entity) else { continue };
        disc.insert((Velocity::default(), AngularVelocity::default()));
        disc.remove::<Height>();
        match layout[ball] {
            BallPlace::Table(place) => {
                if disc.get::<Position>() != Some(&Position(place)) {
                    disc.insert(Position(place));
                }
                disc.remove::<(Disabled, InPocket, OffTable)>();
            }
            BallPlace::Pocket(pocket) => {
                disc.remove::<(Disabled, OffTable)>();
                if let Some(&pocket) = things.pockets.get(usize::from(pocket.0))
                    && disc.get::<InPocket>().is_none_or(|inside| inside.pocket != pocket)
                {
                    disc.insert(InPocket { pocket });
                }
            }
            BallPlace::Hand if disc.contains::<InPocket>() => {}
            BallPlace::Hand | BallPlace::Off if disc.contains::<OffTable>() => {}
            BallPlace::Hand | BallPlace::Off => {
                disc.insert(Disabled);
            }
        }
    }
}

/// Makes this ball the only one that people can shoot.
pub(super) fn mark_shootable(world: &mut World, things: &Things, next: Option<BallId>) {
    for (&entity, index) in things.balls.iter().zip(0..) {
        let Ok(mut disc) = world.get_entity_mut(entity) else { continue };
        if next == Some(BallId(index)) {
            disc.insert_if_new(Shootable);
        } else {
            disc.remove::<Shootable>();
        }
    }
}

/// Releases the balls from the match, and despawns those that were put aside.
pub(super) fn release(world: &mut World, things: &Things) {
    for &entity in &things.balls {
        let Ok(mut disc) = world.get_entity_mut(entity) else { continue };
        if disc.contains::<Disabled>() {
            disc.despawn();
        } else {
            disc.remove::<(GameBall, OwnRespot)>();
        }
    }
}

/// Restores the physics settings of the table after any change.
pub(super) fn restore_physics(world: &mut World, table: &GameTable) {
    fn put<R: Resource + PartialEq>(world: &mut World, wanted: R) {
        if world.get_resource::<R>() != Some(&wanted) {
            world.insert_resource(wanted);
        }
    }
    put(world, Simulator::settings(table));
    put(world, table.physics());
    put(world, MotionSettings::default());
    let mut playback = world.resource_mut::<Playback>();
    if playback.tick_rate != Some(SceneFile::TABLE_TICK_RATE) {
        playback.tick_rate = Some(SceneFile::TABLE_TICK_RATE);
        // The clock may already have followed the changed setting in this frame.
        let playback = playback.clone();
        if let Some(mut clock) = world.get_resource_mut::<Time<Fixed>>() {
            playback.set_timestep(&mut clock);
        }
    }
}
