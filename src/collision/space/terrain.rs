//! The terrain of a [`PhysicsSpace`], for filling a space yourself and for inspection.

use bevy::prelude::*;
use std::sync::Arc;

use super::PhysicsSpace;
use crate::{
    collision::{
        moving::MovingTerrain,
        periodic::Cell,
        shape::{FixedCircle, Wall},
        terrain::{
            StandingTerrain, TerrainView,
            filter::{PieceFilter, TerrainFilter},
            index::{Pieces, PlacedTerrain, TerrainArrays},
        },
    },
    components::{CollisionLayers, OneWay, Position, Rotation, Terrain},
};

impl PhysicsSpace {
    /// The walls, in the order of their pieces. Their ends are the centres of their corners.
    #[must_use]
    pub fn walls(&self) -> &[Wall] {
        &self.terrain.walls
    }

    /// The corners and bumpers, in the order of their pieces. A corner shared by several pieces has the place of the
    /// first.
    #[must_use]
    pub fn fixed_circles(&self) -> &[FixedCircle] {
        &self.terrain.fixed_circles
    }

    /// Takes over the discs and terrain of a [`Snapshot`](crate::collision::Snapshot), for inspection before the next
    /// tick.
    pub(crate) fn show(&mut self, snapshot: Self) {
        self.discs = snapshot.discs;
        let before = std::mem::replace(&mut self.terrain, snapshot.terrain);
        self.terrain.index.follow(&before.index);
        self.terrain.filter.forget_version();
        self.pockets = snapshot.pockets;
        self.moving = snapshot.moving;
        self.begin_cell();
    }

    /// Removes all terrain. Terrain from components is added again by the next `Gather`.
    pub fn clear_terrain(&mut self) {
        self.terrain.walls.clear();
        self.terrain.fixed_circles.clear();
        self.moving = MovingTerrain::default();
        self.terrain.filter = TerrainFilter::default();
        self.pockets.replace(Vec::new());
        self.finish_terrain();
    }

    /// Adds the walls and corners of one piece of terrain, with images across periodic edges if `settings` already ask
    /// for them. Call [`PhysicsSpace::finish_terrain`] after the last one.
    pub fn add_terrain(
        &mut self,
        entity: Entity,
        terrain: &Terrain,
        position: Position,
        rotation: Rotation,
        restitution: Option<f32>,
    ) {
        let cell = Cell::of(&self.laws.settings.periodic);
        let placed = PlacedTerrain::of(terrain, position, rotation, restitution).seen_across(cell);
        self.terrain.walls.extend(placed.walls(entity));
        let PlacedTerrain { points, radius, restitution, .. } = placed;
        let circle = |centre| FixedCircle { entity, centre, radius, restitution, walls: Vec::new() };
        self.terrain.fixed_circles.extend(points.into_iter().map(circle));
    }

    /// Sets the collision layers of a piece of terrain. Call it before [`PhysicsSpace::finish_terrain`].
    pub fn set_terrain_layers(&mut self, entity: Entity, layers: CollisionLayers) {
        let filter = PieceFilter { layers, ..self.terrain.filter.filter_of(entity) };
        self.terrain.filter.set(entity, filter);
    }

    /// Sets the direction in which discs pass the walls of a piece of terrain, in the frame of the world. Call it
    /// before [`PhysicsSpace::finish_terrain`].
    pub fn set_one_way(&mut self, entity: Entity, one_way: OneWay) {
        let filter = PieceFilter { one_way: Some(one_way), ..self.terrain.filter.filter_of(entity) };
        self.terrain.filter.set(entity, filter);
    }

    /// Whether a disc, by its index, can collide with a piece of terrain: their layers allow it, and neither ignores
    /// the other.
    #[must_use]
    pub fn disc_meets_terrain(&self, disc: usize, piece: Entity) -> bool {
        self.terrain.filter.disc_meets(&self.discs.filter, disc, piece)
    }

    /// Merges corners that coincide, moves the ends of walls there, and links every corner with the walls that start
    /// there or run through it.
    pub fn finish_terrain(&mut self) {
        let StandingTerrain { walls, fixed_circles, index, filter, pieces: known, .. } = &mut self.terrain;
        let mut pieces = Pieces::from_loose(walls, fixed_circles);
        pieces.weld(&mut TerrainArrays { walls, fixed_circles, index });
        filter.find(&pieces, &TerrainView { walls, fixed_circles, index });
        // Terrain without components belongs to no entities that could change.
        *known = Arc::default();
    }
}
