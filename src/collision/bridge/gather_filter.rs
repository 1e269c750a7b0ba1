//! Gathers collision filtering: the components of the few entities that do not collide with all others → the lists of
//! [`PhysicsSpace`].

use bevy::{
    ecs::system::{SystemParam, SystemParamItem},
    prelude::*,
};

use super::gather::{Gather, GatherRare, ValueLog};
use crate::{
    collision::{
        discs::{DiscFilter, Discs},
        space::PhysicsSpace,
        terrain::{StandingTerrain, TerrainView, filter::PieceFilter},
    },
    components::{CollisionLayers, Disc, IgnoredPairs, Inactive, OneWay, Rotation, Sensor, StableId, Terrain},
};

/// The components that decide which entities can collide.
#[derive(SystemParam)]
pub struct FilterComponents<'w, 's> {
    discs: Query<'w, 's, (Entity, &'static StableId, &'static CollisionLayers), With<Disc>>,
    sensors: Query<'w, 's, (Entity, &'static StableId), (With<Sensor>, With<Disc>)>,
    terrain: Query<'w, 's, FilteredTerrain, IsFiltered>,
    ignoring: Query<'w, 's, (Entity, &'static IgnoredPairs)>,
    ids: Query<'w, 's, (&'static StableId, Has<Terrain>, Has<Inactive>)>,
}

impl FilterComponents<'_, '_> {
    /// The filter for the discs that do not collide with all others.
    fn of_discs(&self, discs: &Discs) -> DiscFilter {
        let mut filter = DiscFilter::default();
        for (entity, id, layers) in &self.discs {
            if let Some(i) = discs.index_of(entity, *id) {
                filter.set_layers(i, *layers, discs.len());
            }
        }
        // A sensor collides with nothing.
        for (entity, id) in &self.sensors {
            if let Some(i) = discs.index_of(entity, *id) {
                filter.set_layers(i, CollisionLayers::NONE, discs.len());
            }
        }
        for (entity, IgnoredPairs(others)) in &self.ignoring {
            let Some(one) = self.find(entity, discs) else { continue };
            for &other in others {
                match (one, self.find(other, discs)) {
                    (Found::Disc(i), Some(Found::Disc(j))) => filter.ignore(i, j),
                    (Found::Disc(i), Some(Found::Terrain(piece))) | (Found::Terrain(piece), Some(Found::Disc(i))) => {
                        filter.ignore_terrain(i, piece);
                    }
                    _ => {}
                }
            }
        }
        filter
    }

    /// The filters of the pieces of terrain that do not collide with every disc, by entity.
    fn of_terrain(&self, discs: &DiscFilter) -> Vec<(Entity, PieceFilter)> {
        let mut pieces: Vec<_> = self.terrain.iter().map(filter_of_piece).collect();
        let ignored = discs.ignored_pieces().map(|piece| (piece, PieceFilter::default()));
        pieces.extend(ignored);
        // The stable sort keeps the more specific one of two entries.
        pieces.sort_by_key(|piece| piece.0);
        pieces.dedup_by_key(|piece| piece.0);
        pieces
    }

    fn find(&self, entity: Entity, discs: &Discs) -> Option<Found> {
        let (id, is_terrain, is_inactive) = self.ids.get(entity).ok()?;
        if is_terrain {
            return (!is_inactive).then_some(Found::Terrain(entity));
        }
        discs.index_of(entity, *id).map(Found::Disc)
    }
}

/// The components that filter the collisions of a piece of terrain.
type FilteredTerrain =
    (Entity, Option<&'static CollisionLayers>, Option<&'static OneWay>, &'static Rotation, Has<Sensor>);

/// Active terrain that does not collide with every disc.
type IsFiltered = (With<Terrain>, Without<Inactive>, Or<(With<CollisionLayers>, With<OneWay>, With<Sensor>)>);

/// The filter of a piece. A moving sensor collides with nothing; a static one is not part of the terrain.
fn filter_of_piece(
    (entity, layers, one_way, rotation, is_sensor): (
        Entity,
        Option<&CollisionLayers>,
        Option<&OneWay>,
        &Rotation,
        bool,
    ),
) -> (Entity, PieceFilter) {
    let layers = if is_sensor { CollisionLayers::NONE } else { layers.copied().unwrap_or_default() };
    (entity, PieceFilter { layers, one_way: one_way.map(|one_way| one_way.turned(*rotation)) })
}

/// The kind of an entity in a tick.
#[derive(Clone, Copy)]
enum Found {
    Disc(usize),
    Terrain(Entity),
}

impl Gather for DiscFilter {
    type Components = FilterComponents<'static, 'static>;

    fn gather(components: &SystemParamItem<Self::Components>, space: &mut PhysicsSpace, _: &mut ValueLog) {
        let mut filter = components.of_discs(&space.discs);
        let held = space.discs.filter.held().to_vec();
        filter.hold(held);
        if filter != space.discs.filter {
            // The earlier candidate pairs used the earlier filters.
            space.broad_phase.candidates.forget();
            space.discs.filter = filter;
        }
        let pieces = components.of_terrain(&space.discs.filter);
        let StandingTerrain { walls, fixed_circles, index, pieces: known, filter, .. } = &mut space.terrain;
        filter.replace(pieces, known, &TerrainView { walls, fixed_circles, index });
        space.find_unmet();
    }
}

impl GatherRare for DiscFilter {
    type Has = Or<(With<CollisionLayers>, With<IgnoredPairs>, With<OneWay>, With<Sensor>)>;

    fn is_in(space: &PhysicsSpace) -> bool {
        !(space.discs.filter.is_empty() && space.terrain.filter.is_empty())
    }
}
