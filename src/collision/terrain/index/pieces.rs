//! The pieces of terrain in order: what each consists of, and which of their points are one corner (`weld`). They are
//! rebuilt all at once, or updated where some have changed (`changes`), with the same result.

use bevy::prelude::*;

use super::TerrainIndex;
use crate::{
    collision::{
        periodic::Cell,
        shape::{Bounds, FixedCircle, Tree, Wall, arc::Curve},
    },
    components::{Position, Rotation, StableId, Terrain, is_whole, on_circle},
};

/// The index for no point, wall or circle.
pub(super) const NONE: u32 = u32::MAX;

/// A piece of terrain at its place, before its corners are welded to others.
#[derive(Clone, Debug)]
pub struct PlacedTerrain {
    /// The ends of its walls.
    pub walls: Vec<[Vec2; 2]>,
    /// Its corners, or the centre of its circle.
    pub points: Vec<Vec2>,
    /// The radius of its circle; zero for corners.
    pub radius: f32,
    /// The circles that its walls follow, one per wall; empty if they are straight.
    curves: Vec<Curve>,
    pub restitution: Option<f32>,
}

impl PlacedTerrain {
    pub fn of(terrain: &Terrain, position: Position, rotation: Rotation, restitution: Option<f32>) -> Self {
        if let Terrain::Circle { radius } = *terrain {
            return Self { walls: Vec::new(), points: vec![position.0], radius, curves: Vec::new(), restitution };
        }
        if let Terrain::Arc { radius, start, extent } = *terrain {
            return Self::arc(
                Curve { centre: position.0, radius, extent, inside_only: false },
                start + rotation.0,
                restitution,
            );
        }
        let (mut points, closed) = terrain.outline();
        for point in &mut points {
            *point = position.0 + rotation.turn(*point);
        }
        let joins = points.len() - usize::from(!closed);
        let walls = (0..joins).map(|i| [points[i], points[(i + 1) % points.len()]]);
        // A wall of length zero is only its corner.
        Self { walls: walls.filter(|[a, b]| a != b).collect(), points, radius: 0.0, curves: Vec::new(), restitution }
    }

    fn arc(curve: Curve, start: f32, restitution: Option<f32>) -> Self {
        let Curve { centre, radius, extent, .. } = curve;
        let [a, b] = [0.0, f64::from(extent)].map(|angle| on_circle(centre, radius, start, angle));
        let (walls, points, curves) = (Vec::new(), Vec::new(), vec![curve]);
        let none = Self { walls, points, radius: 0.0, curves, restitution };
        match (is_whole(extent), a == b) {
            (true, _) => Self { walls: vec![[a, a]], ..none },
            // An arc of length zero is only its corner.
            (false, true) => Self { points: vec![a], ..none },
            (false, false) => Self { walls: vec![[a, b]], points: vec![a, b], ..none },
        }
    }

    /// The same with its images across periodic edges, as far as they reach into the cell or the half period around it.
    pub fn seen_across(self, cell: Option<Cell>) -> Self {
        let Some(cell) = cell else { return self };
        // For an arc, its full circle.
        let circles =
            || self.curves.iter().flat_map(|curve| [-1.0, 1.0].map(|side| curve.centre + side * curve.radius));
        let corners = || self.walls.as_flattened().iter().chain(&self.points).copied().chain(circles());
        let bounds = corners().map(|corner| Bounds::around(corner, self.radius)).reduce(Bounds::union);
        let shifts: Vec<Vec2> = cell.images(bounds.unwrap_or_default()).collect();
        let walls = shifts.iter().flat_map(|&shift| self.walls.iter().map(move |&[a, b]| [a + shift, b + shift]));
        let points = shifts.iter().flat_map(|&shift| self.points.iter().map(move |&point| point + shift));
        let curve = |curve: &Curve, shift: Vec2| Curve { centre: curve.centre + shift, ..*curve };
        let curves = shifts.iter().flat_map(|&shift| self.curves.iter().map(move |of| curve(of, shift)));
        Self { walls: walls.collect(), points: points.collect(), curves: curves.collect(), ..self }
    }

    /// A rejected piece.
    pub fn empty() -> Self {
        Self { walls: Vec::new(), points: Vec::new(), radius: 0.0, curves: Vec::new(), restitution: None }
    }

    /// Its walls, for an entity.
    pub fn walls(&self, entity: Entity) -> impl Iterator<Item = Wall> + '_ {
        let restitution = self.restitution;
        let curve = |k: usize| self.curves.get(k).copied();
        self.walls.iter().enumerate().map(move |(k, &[a, b])| Wall { entity, a, b, curve: curve(k), restitution })
    }
}

/// A piece of terrain that was added, changed or removed.
#[derive(Clone, Debug)]
pub struct TerrainChange {
    pub key: (StableId, Entity),
    /// Its new state; `None` if it was removed.
    pub placed: Option<PlacedTerrain>,
}

/// The parts of a piece of terrain, as ranges of indices.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceRange {
    pub(super) key: (StableId, Entity),
    pub(super) walls: [u32; 2],
    pub(super) points: [u32; 2],
}

pub(super) fn each([start, end]: [u32; 2]) -> std::ops::Range<usize> {
    start as usize..end as usize
}

/// A corner before it is welded to others, or the centre of a circle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) entity: Entity,
    pub(super) centre: Vec2,
    pub(super) radius: f32,
    pub(super) restitution: Option<f32>,
    /// The point that represents it and those welded to it, often itself; [`NONE`] while that is unknown.
    pub(super) representative: u32,
    /// The next point with the same representative.
    pub(super) next: u32,
}

impl Point {
    pub(super) fn circle(&self) -> FixedCircle {
        let Self { entity, centre, radius, restitution, .. } = *self;
        FixedCircle { entity, centre, radius, restitution, walls: Vec::new() }
    }
}

/// All pieces in order. Walls are in the order of their pieces, and so are points; there is a corner for each
/// representative.
#[derive(Clone, Debug, Default)]
pub struct Pieces {
    /// The entities as they were in the tables of the ECS, for detecting additions, removals, and lost restitutions.
    pub tables: TerrainTables,
    pub(super) ranges: Vec<PieceRange>,
    /// The ends of each wall before they were moved to its corners.
    pub(super) ends: Vec<[Vec2; 2]>,
    pub(super) points: Vec<Point>,
    /// The point that each corner is, in ascending order.
    pub(super) representatives: Vec<u32>,
    /// The positions of the representatives of radius zero.
    pub(super) tree: Tree,
}

/// The entities of static terrain as they were in the tables of the ECS.
///
/// A removed component leaves no trace in the entity. A message about it lasts for two updates only, while the next
/// tick may be far off if the game is paused. So each table records whether its entities have the optional component.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TerrainTables {
    entities: Vec<Entity>,
    /// The number of entities in each table that is not empty, and whether they have a restitution.
    tables: Vec<(usize, bool)>,
}

impl TerrainTables {
    /// Adds a table.
    pub fn push(&mut self, entities: &[Entity], have_restitution: bool) {
        if !entities.is_empty() {
            self.entities.extend_from_slice(entities);
            self.tables.push((entities.len(), have_restitution));
        }
    }

    /// Whether they are exactly these tables, each with the same entities and the same presence of restitutions.
    pub fn are<'a>(&self, tables: impl IntoIterator<Item = (&'a [Entity], bool)>) -> bool {
        let (mut rest, mut known) = (&self.entities[..], self.tables.iter());
        for (entities, have_restitution) in tables.into_iter().filter(|(entities, _)| !entities.is_empty()) {
            let Some(after) = rest.strip_prefix(entities) else { return false };
            if known.next() != Some(&(entities.len(), have_restitution)) {
                return false;
            }
            rest = after;
        }
        rest.is_empty()
    }

    /// The entities that have lost the restitution that they had in `before`.
    pub fn lost_restitutions(&self, before: &Self) -> Vec<Entity> {
        let mut had: Vec<Entity> = before.with_restitution(true).collect();
        if had.is_empty() {
            return had;
        }
        had.sort_unstable();
        self.with_restitution(false).filter(|entity| had.binary_search(entity).is_ok()).collect()
    }

    /// The entities of the tables with restitutions, or of those without.
    fn with_restitution(&self, have: bool) -> impl Iterator<Item = Entity> + '_ {
        let mut end = 0;
        let tables = self.tables.iter().map(move |&(count, have_restitution)| {
            end += count;
            (end - count..end, have_restitution)
        });
        tables.filter(move |(_, has)| *has == have).flat_map(|(rows, _)| self.entities[rows].iter().copied())
    }
}

/// The arrays of `PhysicsSpace` that changes work on.
pub struct TerrainArrays<'a> {
    pub walls: &'a mut Vec<Wall>,
    pub fixed_circles: &'a mut Vec<FixedCircle>,
    pub index: &'a mut TerrainIndex,
}

impl Pieces {
    /// Terrain from walls and corners that were added without pieces.
    pub fn from_loose(walls: &[Wall], fixed_circles: &[FixedCircle]) -> Self {
        let points = fixed_circles.iter().map(|&FixedCircle { entity, centre, radius, restitution, .. }| Point {
            entity,
            centre,
            radius,
            restitution,
            representative: NONE,
            next: NONE,
        });
        Self { ends: walls.iter().map(|wall| [wall.a, wall.b]).collect(), points: points.collect(), ..Self::default() }
    }

    /// Replaces all pieces by these, in order.
    pub fn replace(&mut self, pieces: impl IntoIterator<Item = TerrainChange>, arrays: &mut TerrainArrays) {
        *self = Self { tables: std::mem::take(&mut self.tables), ..Self::default() };
        arrays.walls.clear();
        for TerrainChange { key, placed } in pieces {
            let placed = placed.unwrap_or(PlacedTerrain::empty());
            self.append(key, &placed, arrays.walls);
        }
        self.weld(arrays);
    }

    /// Adds a piece at the end.
    pub(super) fn append(&mut self, key: (StableId, Entity), placed: &PlacedTerrain, walls: &mut Vec<Wall>) {
        let start = [self.ends.len() as u32, self.points.len() as u32];
        let PlacedTerrain { radius, restitution, .. } = *placed;
        let entity = key.1;
        self.ends.extend_from_slice(&placed.walls);
        walls.extend(placed.walls(entity));
        let point = |&centre| Point { entity, centre, radius, restitution, representative: NONE, next: NONE };
        self.points.extend(placed.points.iter().map(point));
        let end = [self.ends.len() as u32, self.points.len() as u32];
        self.ranges.push(PieceRange { key, walls: [start[0], end[0]], points: [start[1], end[1]] });
    }
}

impl Pieces {
    /// The number of pieces, including rejected ones.
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// The keys of all pieces, in order.
    pub fn keys(&self) -> impl Iterator<Item = (StableId, Entity)> + '_ {
        self.ranges.iter().map(|range| range.key)
    }

    /// Whether a piece exists.
    pub fn has(&self, key: (StableId, Entity)) -> bool {
        self.find(key).is_some()
    }

    pub(super) fn find(&self, key: (StableId, Entity)) -> Option<usize> {
        self.ranges.binary_search_by_key(&key, |range| range.key).ok()
    }

    /// The pieces that a corner or a bumper belongs to, in order, each with its restitution; some several times.
    pub fn members_of(&self, circle: usize) -> Vec<(Entity, Option<f32>)> {
        let Some(&representative) = self.representatives.get(circle) else { return Vec::new() };
        let mut points: Vec<u32> = self.members(representative).chain([representative]).collect();
        points.sort_unstable();
        points.iter().map(|&i| &self.points[i as usize]).map(|point| (point.entity, point.restitution)).collect()
    }

    /// The piece that a point belongs to.
    pub(super) fn piece_of(&self, point: u32) -> usize {
        self.ranges.partition_point(|range| range.points[0] <= point) - 1
    }
}
