//! Captures the current state of a world as a scene file.

use bevy::prelude::*;

use super::{
    entries::{DiscEntry, Pace, PocketEntry, TerrainEntry, TileEntry},
    format::SceneFile,
    furniture::DrawnTable,
    ignored, joints,
    look::{CueBall, DiscLook, Hex, OwnLook, TerrainLook},
    optional::{EntryKind, OptionalComponents},
    registry::SceneRegistry,
    running::CurrentScene,
};
use crate::{
    billiards::tables::ShippedTable,
    collision::{CollisionSettings, spin::TablePhysics},
    components::{
        AngularVelocity, Ball, Disc, InPocket, Kinematic, LockedAxes, Mass, MomentOfInertia, MoveTo, Pocket, Position,
        Radius, Rotation, StableId, Terrain, Velocity, is_driven,
    },
    laboratory::instruments::Instruments,
    motion::MotionSettings,
    plane::{TableEdge, TableRect, Tile},
    timeline::Playback,
};

type DiscItem<'a> = (
    (&'a StableId, EntityRef<'a>),
    (&'a Position, &'a Velocity, &'a Radius, &'a Mass),
    (Option<&'a DiscLook>, Has<OwnLook>, Has<CueBall>),
    (Option<&'a AngularVelocity>, Has<Ball>, Option<&'a InPocket>),
);

type PocketItem<'a> = (&'a StableId, Entity, &'a Position, &'a Pocket);

type TerrainItem<'a> = (
    (&'a StableId, EntityRef<'a>),
    (&'a Terrain, &'a Position, &'a Rotation),
    (Option<&'a Velocity>, Option<&'a AngularVelocity>, Option<&'a Mass>),
    (Option<&'a TerrainLook>, Has<OwnLook>),
);

/// The current terrain piece by piece, in any order, each with its sort key.
pub(super) fn capture_terrain(world: &mut World) -> Vec<((StableId, Entity), TerrainEntry)> {
    world
        .query_filtered::<TerrainItem, Without<TableEdge>>()
        .iter(world)
        .map(|((id, entity), (shape, position, rotation), (velocity, angular_velocity, mass), (look, own_look))| {
            let mut optional = OptionalComponents::capture(EntryKind::Terrain, entity);
            // The game moves it, so that its mass means nothing, and an Arc in a file has none.
            let is_arc = matches!(shape, Terrain::Arc { .. });
            let mass = mass.filter(|_| !(is_arc && is_driven(|component| entity.contains_type_id(component))));
            if mass.is_none() {
                // These have no effect on terrain without a mass.
                optional.remove::<MomentOfInertia>();
                optional.remove::<LockedAxes>();
            }
            let entry = TerrainEntry {
                id: Some(id.0),
                position: position.0,
                rotation: rotation.0,
                velocity: velocity.map(|velocity| velocity.0),
                angular_velocity: angular_velocity.map(|angular_velocity| angular_velocity.z),
                mass: mass.map(|mass| mass.0),
                colour: look.and_then(|look| look.colour).map(Hex::from),
                own_look,
                optional,
                ..TerrainEntry::new(shape.clone())
            };
            ((*id, entity.id()), entry.placed())
        })
        .collect()
}

impl SceneFile {
    /// The current state of the world as a scene: its discs and terrain one by one, and its settings. Title, look and
    /// other fields come from [`CurrentScene`]. A run of this scene continues exactly as the world does.
    ///
    /// Discs made by generators are listed one by one. The generators themselves are not included, nor are comments of
    /// the original file.
    ///
    /// The scene also contains discs that the solver rejects, which [`SceneFile::check`] reports. A state that is saved
    /// or shared as a link contains none.
    pub fn capture(world: &mut World) -> Self {
        let mut file = Self::capture_with_ids(world);
        file.leave_out_obvious_ids();
        file
    }

    /// The current state of the world as a valid scene, and a line for each thing that was left out because the solver
    /// rejects it.
    pub(super) fn capture_sound(world: &mut World) -> (Self, Vec<String>) {
        let mut file = Self::capture_with_ids(world);
        let left_out = file.leave_out_rejected();
        file.leave_out_obvious_ids();
        (file, left_out)
    }

    /// Like [`SceneFile::capture`], but every piece of terrain, disc and pocket has its id.
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
            .map(|((id, entity), (position, velocity, radius, mass), (look, own_look, cue), (spin, ball, fallen))| {
                let look = look.cloned().unwrap_or_default();
                let mut optional = OptionalComponents::capture(EntryKind::Disc, entity);
                if !entity.contains::<Kinematic>() {
                    optional.remove::<MoveTo>();
                }
                let entry = DiscEntry {
                    id: Some(id.0),
                    position: position.0,
                    velocity: velocity.0,
                    radius: radius.0,
                    mass: Some(mass.0),
                    density: None,
                    ball,
                    angular_velocity: spin.map(|spin| spin.0).filter(|spin| !ball || *spin != Vec3::ZERO),
                    pocket: fallen
                        .and_then(|fallen| pockets.iter().position(|((_, entity), _)| *entity == fallen.pocket)),
                    colour: look.colour.map(Hex::from),
                    ball_colour: look.ball_colour,
                    number: look.number,
                    striped: look.striped,
                    arrow: look.arrow,
                    label: look.label,
                    own_look,
                    cue,
                    optional,
                    ..DiscEntry::default()
                };
                ((*id, entity.id()), entry.placed())
            })
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
        ignored::capture(world, &terrain, &mut discs);
        terrain.sort_by_key(|(key, _)| *key);
        discs.sort_by_key(|(key, _)| *key);
        let mut tiles: Vec<_> = world
            .query_filtered::<(&StableId, Entity, &TableRect), With<Tile>>()
            .iter(world)
            .map(|(id, entity, rect)| ((*id, entity), TileEntry { min: rect.min, max: rect.max }))
            .collect();
        tiles.sort_by_key(|(key, _)| *key);
        let mut file = world.get_resource::<CurrentScene>().map(|scene| scene.file.clone()).unwrap_or_default();
        (file.generate, file.run) = (Vec::new(), None);
        // A custom table of a game cannot be found by its name.
        let is_shipped = |name: &String| ShippedTable::named(name).is_ok();
        file.furniture = world.get_resource::<DrawnTable>().map(|table| table.name.clone()).filter(is_shipped);
        file.terrain = terrain.into_iter().map(|(_, entry)| entry).collect();
        file.discs = discs.into_iter().map(|(_, entry)| entry).collect();
        file.pockets = pockets.into_iter().map(|(_, entry)| entry).collect();
        file.tiles = tiles.into_iter().map(|(_, entry)| entry).collect();
        file.joints = joints::capture(world);
        file.instruments =
            world.get_resource::<Instruments>().map(|instruments| instruments.0.clone()).unwrap_or_default();
        file.table = world.get_resource::<TablePhysics>().cloned();
        if let Some(settings) = world.get_resource::<CollisionSettings>() {
            file.collision = settings.clone();
        }
        if let Some(settings) = world.get_resource::<MotionSettings>() {
            file.motion = settings.clone();
        }
        if let Some(playback) = world.get_resource::<Playback>() {
            // Without Bevy's time plugin there are no clocks, and the values of the scene apply.
            let (rate, speed) = (world.get_resource(), world.get_resource());
            file.pace = Pace {
                tick_rate: rate.map_or(file.pace.tick_rate, |clock| playback.rate(clock)),
                time_scale: speed.map_or(file.pace.time_scale, |clock| playback.speed(clock)),
                paused: playback.paused,
            };
        }
        file
    }

    /// Removes ids that equal those given when the scene is spawned: counted from zero, terrain first.
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
