//! What discs bounce off, as the steps see it: walls and fixed circles in world coordinates.

use bevy::prelude::*;
use std::sync::Arc;

use crate::{
    collision::{
        broad_phase::terrain_index::{Pieces, PlacedTerrain, TerrainArrays},
        curved::Curve,
        filter::{PieceFilter, TerrainFilter},
        moving::MovingTerrain,
        periodic::Cell,
        space::Space,
    },
    disc::Position,
    filter::CollisionLayers,
    terrain::{OneWay, Rotation, Terrain},
};

impl Space {
    /// The walls, in the order of their pieces. Their ends are the centres of the corners there.
    #[must_use]
    pub fn walls(&self) -> &[Wall] {
        &self.walls
    }

    /// The corners and bumpers, in the order of their pieces; where several corners are one, it has the place of the first.
    #[must_use]
    pub fn fixed_circles(&self) -> &[FixedCircle] {
        &self.fixed_circles
    }

    /// Takes over the discs and the terrain of a [`Snapshot`](crate::collision::Snapshot), for whoever looks before the first tick.
    #[cfg(feature = "scene")]
    pub(crate) fn show(&mut self, snapshot: Self) {
        (self.discs, self.walls, self.fixed_circles) = (snapshot.discs, snapshot.walls, snapshot.fixed_circles);
        self.terrain_filter = snapshot.terrain_filter;
        self.terrain_filter.forget_version();
        self.pockets = snapshot.pockets;
        self.moving = snapshot.moving;
        self.begin_cell();
    }

    /// Takes all terrain out. Where terrain is components, the next `Gather` brings it back.
    pub fn clear_terrain(&mut self) {
        self.walls.clear();
        self.fixed_circles.clear();
        self.moving = MovingTerrain::default();
        self.terrain_filter = TerrainFilter::default();
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
        self.walls.extend(placed.walls(entity));
        let PlacedTerrain { points, radius, restitution, .. } = placed;
        let circle = |centre| FixedCircle { entity, centre, radius, restitution, walls: Vec::new() };
        self.fixed_circles.extend(points.into_iter().map(circle));
    }

    /// Sets whom a piece of terrain meets. Call it before [`Space::finish_terrain`].
    pub fn set_terrain_layers(&mut self, entity: Entity, layers: CollisionLayers) {
        let filter = PieceFilter { layers, ..self.terrain_filter.filter_of(entity) };
        self.terrain_filter.set(entity, filter);
    }

    /// Sets which way discs pass the walls of a piece of terrain; a direction is one of the world. Call it before [`Space::finish_terrain`].
    pub fn set_one_way(&mut self, entity: Entity, one_way: OneWay) {
        let filter = PieceFilter { one_way: Some(one_way), ..self.terrain_filter.filter_of(entity) };
        self.terrain_filter.set(entity, filter);
    }

    /// Whether a disc, by its index, meets a piece of terrain: by their layers, and as none ignores the other.
    #[must_use]
    pub fn disc_meets_terrain(&self, disc: usize, piece: Entity) -> bool {
        self.terrain_filter.disc_meets(&self.discs.filter, disc, piece)
    }

    /// Makes one corner of those that coincide, puts the ends of walls there, and tells every corner which walls start there or
    /// run through it.
    pub fn finish_terrain(&mut self) {
        let Self { walls, fixed_circles, terrain_index, terrain_filter, .. } = self;
        let mut pieces = Pieces::from_loose(walls, fixed_circles);
        pieces.weld(&mut TerrainArrays { walls, fixed_circles, index: terrain_index });
        terrain_filter.find(&pieces, (walls, fixed_circles, terrain_index));
        // What was added by hand belongs to no entities that could change.
        self.pieces = Arc::default();
    }
}

/// A wall between two points, in world coordinates (metres): straight, or along an arc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// The piece of terrain that it belongs to.
    pub entity: Entity,
    /// One end.
    pub a: Vec2,
    /// The other end.
    pub b: Vec2,
    /// The circle that it follows from `a` to `b`; none if it is straight.
    pub curve: Option<Curve>,
    /// Its own coefficient of restitution, if it has one.
    pub restitution: Option<f32>,
}

impl Wall {
    /// The ends of the straight pieces that it consists of, metres: itself, or short ones along a curve.
    #[must_use]
    pub fn pieces(&self) -> Vec<[Vec2; 2]> {
        match self.curved() {
            Some(curved) => curved.pieces(),
            None => vec![[self.a, self.b]],
        }
    }

    /// The lower left and the upper right corner of the box around it, metres.
    pub(in crate::collision) fn bounds(&self) -> (Vec2, Vec2) {
        match self.curved() {
            Some(curved) => curved.bounds(self),
            None => (self.a.min(self.b), self.a.max(self.b)),
        }
    }
}

/// A fixed circle in world coordinates (metres): a bumper, or, with radius zero, a corner.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedCircle {
    /// The piece of terrain that it belongs to; where several meet, the first of them.
    pub entity: Entity,
    /// Its centre.
    pub centre: Vec2,
    /// Its radius.
    pub radius: f32,
    /// Its own coefficient of restitution, if it has one.
    pub restitution: Option<f32>,
    /// Directions from the corner along every wall that starts here or runs through it. A disc touches the corner, and
    /// not one of those walls, only where its centre lies behind the start of all of them.
    /// Of the walls that run through it without an end there, the first 32 count.
    pub walls: Vec<Vec2>,
}

impl FixedCircle {
    /// The lower left and the upper right corner of the box around it, metres.
    pub(in crate::collision) fn bounds(&self) -> (Vec2, Vec2) {
        (self.centre - self.radius, self.centre + self.radius)
    }

    /// Whether a disc whose centre lies `away` from the corner's touches it, `sum` being that of both radii; and not one of
    /// the walls that start here.
    pub(in crate::collision) fn is_touched(&self, away: Vec2, sum: f32) -> bool {
        away.length_squared() < sum * sum && !self.walls.iter().any(|along| away.dot(*along) > 0.0)
    }
}
