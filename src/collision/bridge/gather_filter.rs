//! Gather, for who meets whom: the components of the few that do not meet all others → the lists of [`Space`].

use bevy::{ecs::system::SystemParam, prelude::*};

use super::columns::IsDisc;
use crate::{
    collision::{
        filter::{DiscFilter, PieceFilter},
        space::{Discs, Space, Stage},
    },
    disc::{Inactive, StableId},
    filter::{CollisionLayers, IgnoredPairs},
    terrain::Terrain,
};

/// A piece of terrain that discs can meet.
pub(in crate::collision) type IsTerrain = (With<Terrain>, Without<Inactive>);

/// All that says who meets whom.
#[derive(SystemParam)]
pub(in crate::collision) struct FilterComponents<'w, 's> {
    discs: Query<'w, 's, (Entity, &'static StableId, &'static CollisionLayers), IsDisc>,
    terrain: Query<'w, 's, (Entity, &'static CollisionLayers), IsTerrain>,
    ignoring: Query<'w, 's, (Entity, &'static IgnoredPairs)>,
    ids: Query<'w, 's, (&'static StableId, Has<Terrain>), Without<Inactive>>,
}

impl FilterComponents<'_, '_> {
    /// Which of these discs do not meet all others.
    pub(in crate::collision) fn of_discs(&self, discs: &Discs) -> DiscFilter {
        let mut filter = DiscFilter::default();
        for (entity, id, layers) in &self.discs {
            if let Some(i) = discs.index_of(entity, *id) {
                filter.set_layers(i, *layers, discs.len());
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

    /// Which pieces of terrain do not meet every disc, by their entities.
    pub(in crate::collision) fn of_terrain(&self, discs: &DiscFilter) -> Vec<(Entity, PieceFilter)> {
        let mut pieces: Vec<_> =
            self.terrain.iter().map(|(entity, layers)| (entity, PieceFilter { layers: *layers })).collect();
        // A disc in few layers may not meet pieces that have none of their own.
        let ignored = discs.ignored_pieces().map(|piece| (piece, PieceFilter::default()));
        pieces.extend(ignored.filter(|(piece, _)| !self.terrain.contains(*piece)));
        pieces.sort_unstable_by_key(|piece| piece.0);
        pieces.dedup_by_key(|piece| piece.0);
        pieces
    }

    fn find(&self, entity: Entity, discs: &Discs) -> Option<Found> {
        let (id, is_terrain) = self.ids.get(entity).ok()?;
        if is_terrain { Some(Found::Terrain(entity)) } else { discs.index_of(entity, *id).map(Found::Disc) }
    }
}

/// What an entity is to a tick.
#[derive(Clone, Copy)]
enum Found {
    Disc(usize),
    Terrain(Entity),
}

pub(in crate::collision) fn gather_filter(mut space: ResMut<Space>, components: FilterComponents) {
    space.timed(Stage::Gather, |space| {
        let filter = components.of_discs(&space.discs);
        if filter != space.discs.filter {
            // The candidate pairs of before are those of who met then.
            space.candidates.forget();
            space.discs.filter = filter;
        }
        let pieces = components.of_terrain(&space.discs.filter);
        let Space { walls, fixed_circles, terrain_index, pieces: known, terrain_filter, .. } = space;
        terrain_filter.replace(pieces, known, (walls, fixed_circles, terrain_index));
        space.find_unmet();
    });
}
