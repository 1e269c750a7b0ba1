//! Terrain that stands, as the steps see it: walls and fixed circles in world coordinates, who meets which, and what is near a place or a disc.
//!
//! | module | what it holds |
//! |---|---|
//! | `view` | all of it, as one looks at it |
//! | `index` | the tree of its boxes, made from the pieces and changed piece by piece |
//! | `neighbours` | for every disc a box without terrain, and what is around it |
//! | `filter` | which pieces do not meet every disc: layers, one-way walls |
//! | `local` | the few pieces near one disc, as that disc meets them |

use bevy::prelude::*;
use std::sync::Arc;

use crate::{
    collision::{
        moving::MovingTerrain,
        periodic::Cell,
        shape::{FixedCircle, Wall},
        space::Space,
        terrain::{
            filter::{PieceFilter, TerrainFilter},
            index::{Pieces, PlacedTerrain, TerrainArrays, TerrainIndex},
        },
    },
    disc::Position,
    filter::CollisionLayers,
    terrain::{OneWay, Rotation, Terrain},
};

pub(in crate::collision) mod filter;
pub(in crate::collision) mod index;
pub(in crate::collision) mod local;
pub(in crate::collision) mod neighbours;
mod view;

pub(in crate::collision) use view::{TerrainView, away_from, crosses_any};

/// The terrain that stands.
#[derive(Clone, Debug, Default)]
pub(in crate::collision) struct StandingTerrain {
    pub(in crate::collision) walls: Vec<Wall>,
    pub(in crate::collision) fixed_circles: Vec<FixedCircle>,
    /// Where they are, as of the last [`Space::finish_terrain`].
    pub(in crate::collision) index: TerrainIndex,
    /// Which of them do not meet every disc.
    pub(in crate::collision) filter: TerrainFilter,
    /// What they were made of, so that they are made anew only where a piece came, went or changed.
    pub(in crate::collision) pieces: Arc<Pieces>,
    /// The cell across whose edges they are seen.
    pub(in crate::collision) cell: Option<Cell>,
}

impl StandingTerrain {
    /// All of it, as one looks at it.
    #[inline(always)]
    pub(in crate::collision) fn view(&self) -> TerrainView<'_> {
        TerrainView { walls: &self.walls, fixed_circles: &self.fixed_circles, index: &self.index }
    }

    /// Whether there is none.
    pub(in crate::collision) fn is_empty(&self) -> bool {
        self.walls.is_empty() && self.fixed_circles.is_empty()
    }
}

impl Space {
    /// The walls, in the order of their pieces. Their ends are the centres of the corners there.
    #[must_use]
    pub fn walls(&self) -> &[Wall] {
        &self.terrain.walls
    }

    /// The corners and bumpers, in the order of their pieces; where several corners are one, it has the place of the first.
    #[must_use]
    pub fn fixed_circles(&self) -> &[FixedCircle] {
        &self.terrain.fixed_circles
    }

    /// Takes over the discs and the terrain of a [`Snapshot`](crate::collision::Snapshot), for whoever looks before the first tick.
    #[cfg(feature = "scene")]
    pub(crate) fn show(&mut self, snapshot: Self) {
        self.discs = snapshot.discs;
        (self.terrain.walls, self.terrain.fixed_circles) = (snapshot.terrain.walls, snapshot.terrain.fixed_circles);
        self.terrain.filter = snapshot.terrain.filter;
        self.terrain.filter.forget_version();
        self.pockets = snapshot.pockets;
        self.moving = snapshot.moving;
        self.begin_cell();
    }

    /// Takes all terrain out. Where terrain is components, the next `Gather` brings it back.
    pub fn clear_terrain(&mut self) {
        self.terrain.walls.clear();
        self.terrain.fixed_circles.clear();
        self.moving = MovingTerrain::default();
        self.terrain.filter = TerrainFilter::default();
        self.pockets.replace(Vec::new());
        self.finish_terrain();
    }

    /// Adds the walls and corners of one piece of terrain; across periodic edges, if `settings` say so by now. Call [`Space::finish_terrain`] after the last
    /// one.
    pub fn add_terrain(
        &mut self,
        entity: Entity,
        terrain: &Terrain,
        position: Position,
        rotation: Rotation,
        restitution: Option<f32>,
    ) {
        let cell = Cell::of(&self.settings.periodic);
        let placed = PlacedTerrain::of(terrain, position, rotation, restitution).seen_across(cell);
        self.terrain.walls.extend(placed.walls(entity));
        let PlacedTerrain { points, radius, restitution, .. } = placed;
        let circle = |centre| FixedCircle { entity, centre, radius, restitution, walls: Vec::new() };
        self.terrain.fixed_circles.extend(points.into_iter().map(circle));
    }

    /// Sets whom a piece of terrain meets. Call it before [`Space::finish_terrain`].
    pub fn set_terrain_layers(&mut self, entity: Entity, layers: CollisionLayers) {
        let filter = PieceFilter { layers, ..self.terrain.filter.filter_of(entity) };
        self.terrain.filter.set(entity, filter);
    }

    /// Sets which way discs pass the walls of a piece of terrain; a direction is one of the world. Call it before [`Space::finish_terrain`].
    pub fn set_one_way(&mut self, entity: Entity, one_way: OneWay) {
        let filter = PieceFilter { one_way: Some(one_way), ..self.terrain.filter.filter_of(entity) };
        self.terrain.filter.set(entity, filter);
    }

    /// Whether a disc, by its index, meets a piece of terrain: by their layers, and as none ignores the other.
    #[must_use]
    pub fn disc_meets_terrain(&self, disc: usize, piece: Entity) -> bool {
        self.terrain.filter.disc_meets(&self.discs.filter, disc, piece)
    }

    /// Makes one corner of those that coincide, puts the ends of walls there, and tells every corner which walls start there or
    /// run through it.
    pub fn finish_terrain(&mut self) {
        let StandingTerrain { walls, fixed_circles, index, filter, pieces: known, .. } = &mut self.terrain;
        let mut pieces = Pieces::from_loose(walls, fixed_circles);
        pieces.weld(&mut TerrainArrays { walls, fixed_circles, index });
        filter.find(&pieces, (walls, fixed_circles, index));
        // What was added by hand belongs to no entities that could change.
        *known = Arc::default();
    }
}
