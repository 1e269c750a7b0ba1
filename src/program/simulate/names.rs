//! Names of discs, pockets and cushions in the JSON summary and in the table of events. The summary for people names
//! discs by their ids.
//!
//! | what | its name |
//! |---|---|
//! | disc | `cue ball`; `ball 3` if it has a number; else `disc 17` by its id |
//! | pocket | on a billiard table `top left corner`, `top side` etc.; else `pocket 2`, counted from 0 by their ids |
//! | cushion, or jaw at its end | on a billiard table `top left cushion` etc.; else `terrain 5` by its id |
//! | liner behind a pocket | the name of the pocket |

use bevy::{
    ecs::entity::{EntityHashMap, EntityHashSet},
    prelude::*,
};

use crate::{
    billiards::tables::Part,
    components::{Disc, Pocket, Position, Rotation, StableId, Terrain},
    scene::{CueBall, DiscLook, DrawnTable},
};

/// All names in a world, by entity.
#[derive(Resource, Default)]
pub(super) struct Names {
    all: EntityHashMap<String>,
    jaws: EntityHashSet,
    /// The pockets of a billiard table, whose names are not numbers.
    holes: EntityHashSet,
}

impl Names {
    pub(super) fn of(world: &mut World) -> Self {
        let mut found = Self::default();
        let table = world.get_resource::<DrawnTable>().cloned();
        for (entity, id, look, cue) in
            world.query_filtered::<(Entity, &StableId, Option<&DiscLook>, Has<CueBall>), With<Disc>>().iter(world)
        {
            let name = match look.and_then(|look| look.number) {
                _ if cue => "cue ball".to_owned(),
                Some(number) => format!("ball {number}"),
                None => format!("disc {}", id.0),
            };
            found.all.insert(entity, name);
        }
        for (index, (entity, position, pocket)) in pockets(world).into_iter().enumerate() {
            let hole = table.as_ref().and_then(|table| Some(table.built.holes[table.hole_of(pocket, position)?].name));
            if hole.is_some() {
                found.holes.insert(entity);
            }
            found.all.insert(entity, hole.map_or_else(|| format!("pocket {index}"), str::to_owned));
        }
        let mut terrain = world.query::<(Entity, &StableId, &Terrain, &Position, &Rotation)>();
        for (entity, id, shape, position, rotation) in terrain.iter(world) {
            let piece = table.as_ref().and_then(|table| Some((table, table.piece_of(shape, position.0, *rotation)?)));
            let (name, is_jaw) = match piece {
                Some((table, piece)) if piece.part == Part::Liner => {
                    (table.built.holes[piece.index].name.to_owned(), true)
                }
                Some((table, piece)) => (table.built.cushions[piece.index].name.to_owned(), piece.part != Part::Nose),
                None => (format!("terrain {}", id.0), matches!(shape, Terrain::Circle { radius } if *radius > 0.0)),
            };
            found.all.insert(entity, name);
            if is_jaw {
                found.jaws.insert(entity);
            }
        }
        found
    }

    /// The name of an entity, empty if it did not exist yet.
    pub(super) fn get(&self, entity: Entity) -> &str {
        self.all.get(&entity).map_or("", String::as_str)
    }

    /// Whether a pocket has a name other than its number.
    pub(super) fn is_hole(&self, pocket: Entity) -> bool {
        self.holes.contains(&pocket)
    }

    /// Whether a piece of terrain belongs to the mouth of a pocket instead of a cushion.
    pub(super) fn is_jaw(&self, entity: Entity) -> bool {
        self.jaws.contains(&entity)
    }
}

/// The pockets in the order in which they are counted.
pub(super) fn pockets(world: &mut World) -> Vec<(Entity, Vec2, Pocket)> {
    let mut pockets: Vec<_> = world.query::<(&StableId, Entity, &Position, &Pocket)>().iter(world).collect();
    pockets.sort_unstable_by_key(|&(id, entity, ..)| (*id, entity));
    pockets.into_iter().map(|(_, entity, position, pocket)| (entity, position.0, *pocket)).collect()
}
