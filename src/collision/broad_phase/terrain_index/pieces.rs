//! The walls and corners of pieces of terrain: which corners are one, where walls end, and which walls start at a corner or
//! run through it. All at once, or anew only for the pieces that have changed and what is near them; with the same result.
//!
//! Corners closer than a few roundings of their coordinates are one. The rule that makes them one depends on nothing but the
//! order of the pieces: each joins the first that it is near, of those that have joined none themselves. So a change goes
//! from a corner to later ones only, and only to those near it. Ends of walls are then put where their corners are, so that
//! two walls that meet leave no gap as wide as a rounding.

use bevy::prelude::*;
use std::collections::BTreeSet;

use crate::{
    collision::{
        broad_phase::terrain_index::{
            Piece, TerrainIndex, bounds_of,
            tree::{Bounds, Tree},
        },
        geometry::closest_point,
        space::{FixedCircle, Wall},
    },
    disc::{Position, StableId},
    terrain::{Rotation, Terrain},
};

/// No point.
const NONE: u32 = u32::MAX;

/// Up to so many corners come and go one by one; more are all moved to a new place once. Tests see both.
const FEW: usize = if cfg!(test) { 6 } else { 32 };

/// A piece of terrain in its place: what it is made of before its corners are joined to others.
#[derive(Clone, Debug)]
pub(in crate::collision) struct PlacedTerrain {
    /// The ends of its walls.
    pub(in crate::collision) walls: Vec<[Vec2; 2]>,
    /// Its corners, or the centre of the circle that it is.
    pub(in crate::collision) points: Vec<Vec2>,
    /// The radius of the circle, zero for corners.
    pub(in crate::collision) radius: f32,
    pub(in crate::collision) restitution: Option<f32>,
}

impl PlacedTerrain {
    pub(in crate::collision) fn of(
        terrain: &Terrain,
        position: Position,
        rotation: Rotation,
        restitution: Option<f32>,
    ) -> Self {
        if let Terrain::Circle { radius } = *terrain {
            return Self { walls: Vec::new(), points: vec![position.0], radius, restitution };
        }
        let (mut points, closed) = terrain.outline();
        for point in &mut points {
            *point = position.0 + rotation.turn(*point);
        }
        let joins = points.len() - usize::from(!closed);
        let walls = (0..joins).map(|i| [points[i], points[(i + 1) % points.len()]]);
        // A wall without length is only its corner.
        Self { walls: walls.filter(|[a, b]| a != b).collect(), points, radius: 0.0, restitution }
    }

    /// A piece that was rejected.
    pub(in crate::collision) fn empty() -> Self {
        Self { walls: Vec::new(), points: Vec::new(), radius: 0.0, restitution: None }
    }
}

/// A piece of terrain that came, changed or went.
#[derive(Clone, Debug)]
pub(in crate::collision) struct TerrainChange {
    pub(in crate::collision) key: (StableId, Entity),
    /// What it is now; nothing if it is gone.
    pub(in crate::collision) placed: Option<PlacedTerrain>,
}

/// What a piece of terrain is made of, as ranges of indices.
#[derive(Clone, Copy, Debug)]
struct PieceRange {
    key: (StableId, Entity),
    walls: [u32; 2],
    points: [u32; 2],
}

fn each([start, end]: [u32; 2]) -> std::ops::Range<usize> {
    start as usize..end as usize
}

/// A corner before it is joined to others, or a circle.
#[derive(Clone, Copy, Debug)]
struct Point {
    entity: Entity,
    centre: Vec2,
    radius: f32,
    restitution: Option<f32>,
    /// The point that it has joined, itself if it leads, or none as long as that is not known.
    representative: u32,
    /// The next of those that have joined the same.
    next: u32,
}

impl Point {
    fn circle(&self) -> FixedCircle {
        let Self { entity, centre, radius, restitution, .. } = *self;
        FixedCircle { entity, centre, radius, restitution, walls: Vec::new() }
    }
}

/// All pieces in their order. Walls lie in the order of their pieces, and so do points; there is a corner for each representative.
#[derive(Clone, Debug, Default)]
pub(in crate::collision) struct Pieces {
    /// The entities as they lay in the tables of the ECS, for noticing that one came or went.
    pub(in crate::collision) entities: Vec<Entity>,
    ranges: Vec<PieceRange>,
    /// The ends of each wall before they were put where its corners are.
    ends: Vec<[Vec2; 2]>,
    points: Vec<Point>,
    /// The point that each corner is, in ascending order.
    representatives: Vec<u32>,
    /// Where the representatives of radius zero are.
    tree: Tree,
}

/// What changes work on: the arrays of `Space`.
pub(in crate::collision) struct TerrainArrays<'a> {
    pub(in crate::collision) walls: &'a mut Vec<Wall>,
    pub(in crate::collision) fixed_circles: &'a mut Vec<FixedCircle>,
    pub(in crate::collision) index: &'a mut TerrainIndex,
}

impl Pieces {
    /// What terrain is made of whose pieces are not known: walls and corners as they were added.
    pub(in crate::collision) fn from_loose(walls: &[Wall], fixed_circles: &[FixedCircle]) -> Self {
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

    /// Takes pieces in their order instead of all that were there.
    pub(in crate::collision) fn replace(
        &mut self,
        pieces: impl IntoIterator<Item = TerrainChange>,
        arrays: &mut TerrainArrays,
    ) {
        *self = Self { entities: std::mem::take(&mut self.entities), ..Self::default() };
        arrays.walls.clear();
        for TerrainChange { key, placed } in pieces {
            let placed = placed.unwrap_or(PlacedTerrain::empty());
            self.append(key, &placed, arrays.walls);
        }
        self.weld(arrays);
    }

    /// Adds a piece at the end.
    fn append(&mut self, key: (StableId, Entity), placed: &PlacedTerrain, walls: &mut Vec<Wall>) {
        let start = [self.ends.len() as u32, self.points.len() as u32];
        let PlacedTerrain { radius, restitution, .. } = *placed;
        let entity = key.1;
        self.ends.extend_from_slice(&placed.walls);
        walls.extend(placed.walls.iter().map(|&[a, b]| Wall { entity, a, b, restitution }));
        let point = |&centre| Point { entity, centre, radius, restitution, representative: NONE, next: NONE };
        self.points.extend(placed.points.iter().map(point));
        let end = [self.ends.len() as u32, self.points.len() as u32];
        self.ranges.push(PieceRange { key, walls: [start[0], end[0]], points: [start[1], end[1]] });
    }

    /// Joins all points, and finds what follows from it. The walls are those of the pieces, the corners whatever they were.
    pub(in crate::collision) fn weld(&mut self, TerrainArrays { walls, fixed_circles, index }: &mut TerrainArrays) {
        self.weld_all();
        fixed_circles.clear();
        fixed_circles
            .extend(self.representatives.iter().map(|&representative| self.points[representative as usize].circle()));
        for (circle, &representative) in fixed_circles.iter_mut().zip(&self.representatives) {
            circle.restitution = self.restitution(representative);
        }
        for (wall, &ends) in walls.iter_mut().zip(&self.ends) {
            [wall.a, wall.b] = self.snap_ends(ends);
        }
        index.fill(walls, fixed_circles);
        let mut found = Vec::new();
        for circle in fixed_circles.iter_mut().filter(|circle| circle.radius == 0.0) {
            find_wall_directions(circle, walls, index, &mut found);
        }
    }

    /// Lets every point join another or lead.
    fn weld_all(&mut self) {
        // Of points in the same place only the first can lead, and all the others do as it does.
        let bits = |centre: Vec2| [centre.x.to_bits(), centre.y.to_bits()];
        let mut order: Vec<([u32; 2], u32)> =
            self.points.iter().map(|point| bits(point.centre)).zip(0..).filter(|&(_, i)| self.is_corner(i)).collect();
        order.sort_unstable();
        let firsts = order.chunk_by(|a, b| a.0 == b.0).map(|same| same[0].1);
        let mut boxes: Vec<(Bounds, u32)> = firsts.map(|i| (self.point_bounds(i), i)).collect();
        self.tree = Tree::new(&mut boxes);
        let mut first_there = vec![NONE; self.points.len()];
        for same in order.chunk_by(|a, b| a.0 == b.0) {
            for &(_, i) in same {
                first_there[i as usize] = same[0].1;
            }
        }
        let mut all_represent_themselves = true;
        for i in 0..self.points.len() as u32 {
            let first = first_there[i as usize];
            let representative = if first == NONE {
                i
            } else if first < i {
                self.points[first as usize].representative
            } else {
                // Those that come later have not been asked and lead nobody.
                self.first_representative_at(self.points[i as usize].centre, i).unwrap_or(i)
            };
            all_represent_themselves &= representative == i || first < i;
            self.attach(i, representative);
        }
        if !all_represent_themselves {
            boxes.retain(|&(_, i)| self.points[i as usize].representative == i);
            self.tree = Tree::new(&mut boxes);
        }
        self.representatives =
            (0..self.points.len() as u32).filter(|&i| self.points[i as usize].representative == i).collect();
    }

    fn is_corner(&self, i: u32) -> bool {
        self.points[i as usize].radius == 0.0
    }

    /// The box of a point in the tree of the representatives.
    fn point_bounds(&self, i: u32) -> Bounds {
        let Vec2 { x, y } = self.points[i as usize].centre;
        [x, y, x, y]
    }

    /// Records that a point has joined a representative, or represents itself.
    fn attach(&mut self, i: u32, representative: u32) {
        self.points[i as usize].representative = representative;
        if representative != i {
            self.points[i as usize].next = self.points[representative as usize].next;
            self.points[representative as usize].next = i;
        }
    }

    /// The first point that leads and is near a place, of those before `end`.
    fn first_representative_at(&self, place: Vec2, end: u32) -> Option<u32> {
        let mut first = end;
        self.tree.for_each_overlapping(expanded(bounds_of((place, place)), 1.0), |i| {
            let point = &self.points[i as usize];
            if i < first && point.representative == i && coincide(point.centre, place) {
                first = i;
            }
        });
        (first < end).then_some(first)
    }

    /// Those that have joined a representative.
    fn members(&self, representative: u32) -> impl Iterator<Item = u32> + '_ {
        let next = |i: u32| Some(self.points[i as usize].next).filter(|&next| next != NONE);
        std::iter::successors(next(representative), move |&i| next(i))
    }

    /// The least restitution of a representative and those that have joined it.
    fn restitution(&self, representative: u32) -> Option<f32> {
        let own = |i: u32| self.points[i as usize].restitution;
        self.members(representative).filter_map(own).chain(own(representative)).min_by(f32::total_cmp)
    }

    /// The ends of a wall, put where its corners are; but a wall that is all within one corner stays as it is.
    fn snap_ends(&self, [a, b]: [Vec2; 2]) -> [Vec2; 2] {
        let at = |end| {
            self.first_representative_at(end, NONE)
                .map_or(end, |representative| self.points[representative as usize].centre)
        };
        let snapped = [at(a), at(b)];
        if snapped[0] == snapped[1] { [a, b] } else { snapped }
    }
}

/// What has to be looked at while changes are made.
#[derive(Default)]
struct Pending {
    /// Points that are to be welded or to represent themselves.
    undecided: BTreeSet<u32>,
    /// Those of them that have done so, in ascending order.
    decided: Vec<u32>,
    /// Points that were representatives: they are still among `representatives` and have a corner, but not in the index.
    removed: Vec<u32>,
    /// Leaders whose corner may have other walls or another restitution.
    dirty: Vec<u32>,
}

impl Pieces {
    /// How many pieces there are, also those that were rejected.
    pub(in crate::collision) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// The keys of all pieces in their order.
    pub(in crate::collision) fn keys(&self) -> impl Iterator<Item = (StableId, Entity)> + '_ {
        self.ranges.iter().map(|range| range.key)
    }

    /// Whether there is such a piece.
    pub(in crate::collision) fn has(&self, key: (StableId, Entity)) -> bool {
        self.find(key).is_some()
    }

    fn find(&self, key: (StableId, Entity)) -> Option<usize> {
        self.ranges.binary_search_by_key(&key, |range| range.key).ok()
    }

    /// Makes these changes, each to another piece, in the order of their keys.
    pub(in crate::collision) fn change(&mut self, changes: &[TerrainChange], arrays: &mut TerrainArrays) {
        let mut pending = Pending::default();
        let mut same_shapes = true;
        for TerrainChange { key, placed } in changes {
            let range = self.find(*key).map(|at| self.ranges[at]);
            if let Some(range) = range {
                self.remove_piece(range, arrays, &mut pending);
            }
            same_shapes &= match (range, placed) {
                (Some(range), Some(placed)) => {
                    each(range.walls).len() == placed.walls.len() && each(range.points).len() == placed.points.len()
                }
                (None, None) => true,
                _ => false,
            };
        }
        if !same_shapes {
            self.make_room(changes, arrays, &mut pending);
        }
        let mut changed = Vec::new();
        for TerrainChange { key, placed } in changes {
            let (Some(at), Some(placed)) = (self.find(*key), placed) else { continue };
            let PieceRange { walls, points, .. } = self.ranges[at];
            let PlacedTerrain { radius, restitution, .. } = *placed;
            for (i, &centre) in each(points).zip(&placed.points) {
                self.points[i] = Point { entity: key.1, centre, radius, restitution, representative: NONE, next: NONE };
                pending.undecided.insert(i as u32);
            }
            for (i, &ends) in each(walls).zip(&placed.walls) {
                self.ends[i] = ends;
                let [a, b] = ends;
                arrays.walls[i] = Wall { entity: key.1, a, b, restitution };
            }
            changed.push(at);
        }
        let added = self.weld_undecided(arrays, &mut pending);
        self.rebuild_circles(&added, arrays, &mut pending);
        self.snap_walls(&changed, arrays, &mut pending);
        self.mend_circles(arrays, pending.dirty);
        arrays.index.finish_changes(arrays.walls, arrays.fixed_circles);
    }

    /// Takes the walls and points of a piece out of the index and the tree.
    fn remove_piece(&mut self, range: PieceRange, arrays: &mut TerrainArrays, pending: &mut Pending) {
        for i in each(range.walls) {
            self.mark_corners_near(&arrays.walls[i], pending);
            arrays.index.remove(Piece::Wall(i as u32), arrays.walls[i].bounds());
        }
        for i in range.points[0]..range.points[1] {
            self.detach(i, arrays, pending);
        }
    }

    /// Records the corners at which a wall starts or through which it runs.
    fn mark_corners_near(&self, wall: &Wall, pending: &mut Pending) {
        self.tree.for_each_overlapping(expanded(bounds_of(wall.bounds()), 1.0), |i| {
            let centre = self.points[i as usize].centre;
            if coincide(closest_point(wall, centre), centre) {
                pending.dirty.push(i);
            }
        });
    }

    /// Makes a point leave its representative; or, if it leads, leave that to others.
    fn detach(&mut self, i: u32, arrays: &mut TerrainArrays, pending: &mut Pending) {
        let representative = self.points[i as usize].representative;
        if representative == i {
            let mut next = self.points[i as usize].next;
            while next != NONE {
                pending.undecided.insert(next);
                let member = &mut self.points[next as usize];
                member.representative = NONE;
                next = std::mem::replace(&mut member.next, NONE);
            }
            if self.is_corner(i) {
                let found = self.tree.remove(self.point_bounds(i), i);
                debug_assert!(found, "leader {i} is not where it was");
            }
            if let Ok(circle) = self.representatives.binary_search(&i) {
                arrays.index.remove(Piece::FixedCircle(circle as u32), arrays.fixed_circles[circle].bounds());
            }
            pending.removed.push(i);
        } else if representative != NONE {
            let mut before = representative;
            while self.points[before as usize].next != i {
                before = self.points[before as usize].next;
            }
            self.points[before as usize].next = self.points[i as usize].next;
            pending.dirty.push(representative);
        }
        let point = &mut self.points[i as usize];
        (point.representative, point.next) = (NONE, NONE);
    }

    /// Makes room for pieces that came or have more or fewer walls and points than before, closes the room of those that are
    /// gone, and numbers everything anew. What is to be filled holds nothing in particular.
    fn make_room(&mut self, changes: &[TerrainChange], arrays: &mut TerrainArrays, pending: &mut Pending) {
        let old = std::mem::take(self);
        let old_walls = std::mem::take(arrays.walls);
        self.entities = old.entities;
        self.tree = old.tree;
        self.ends.reserve(old.ends.len());
        self.points.reserve(old.points.len());
        arrays.walls.reserve(old_walls.len());
        let mut new_wall = vec![NONE; old.ends.len()];
        let mut new_point = vec![NONE; old.points.len()];
        let mut changes = changes.iter().peekable();
        for range in &old.ranges {
            while let Some(TerrainChange { key, placed }) = changes.next_if(|change| change.key < range.key) {
                if let Some(placed) = placed {
                    self.append(*key, placed, arrays.walls);
                }
            }
            if let Some(TerrainChange { key, placed }) = changes.next_if(|change| change.key == range.key) {
                if let Some(placed) = placed {
                    self.append(*key, placed, arrays.walls);
                }
                continue;
            }
            let start = [self.ends.len() as u32, self.points.len() as u32];
            for (number, i) in (start[0]..).zip(each(range.walls)) {
                new_wall[i] = number;
            }
            for (number, i) in (start[1]..).zip(each(range.points)) {
                new_point[i] = number;
            }
            self.ends.extend_from_slice(&old.ends[each(range.walls)]);
            arrays.walls.extend_from_slice(&old_walls[each(range.walls)]);
            self.points.extend_from_slice(&old.points[each(range.points)]);
            let end = [self.ends.len() as u32, self.points.len() as u32];
            self.ranges.push(PieceRange { key: range.key, walls: [start[0], end[0]], points: [start[1], end[1]] });
        }
        for TerrainChange { key, placed } in changes {
            if let Some(placed) = placed {
                self.append(*key, placed, arrays.walls);
            }
        }
        let point = |i: u32| if i == NONE { NONE } else { new_point[i as usize] };
        for each in &mut self.points {
            (each.representative, each.next) = (point(each.representative), point(each.next));
        }
        self.tree.renumber(point);
        // All that were removed so far belong to pieces that have changed.
        pending.removed.clear();
        let new_circle = self.keep_circles(&old.representatives, point, arrays);
        arrays.index.renumber(|i| new_wall[i as usize], |i| new_circle[i as usize]);
        pending.undecided = pending.undecided.iter().map(|&i| point(i)).filter(|&i| i != NONE).collect();
        pending.dirty = pending.dirty.iter().map(|&i| point(i)).filter(|&i| i != NONE).collect();
    }

    /// Keeps the corners of representatives that have a new number, and gives the new index of each.
    fn keep_circles(
        &mut self,
        representatives: &[u32],
        point: impl Fn(u32) -> u32,
        arrays: &mut TerrainArrays,
    ) -> Vec<u32> {
        let mut new_circle = vec![NONE; representatives.len()];
        let fixed_circles = std::mem::take(arrays.fixed_circles);
        arrays.fixed_circles.reserve(fixed_circles.len());
        for ((circle, &representative), new) in fixed_circles.into_iter().zip(representatives).zip(&mut new_circle) {
            let representative = point(representative);
            if representative != NONE {
                *new = arrays.fixed_circles.len() as u32;
                self.representatives.push(representative);
                arrays.fixed_circles.push(circle);
            }
        }
        new_circle
    }

    /// Lets all undecided points be welded or represent itself, in their order, and gives those who lead.
    fn weld_undecided(&mut self, arrays: &mut TerrainArrays, pending: &mut Pending) -> Vec<u32> {
        let mut added = Vec::new();
        while let Some(i) = pending.undecided.pop_first() {
            pending.decided.push(i);
            let centre = self.points[i as usize].centre;
            if self.is_corner(i) {
                if let Some(representative) = self.first_representative_at(centre, i) {
                    self.attach(i, representative);
                    pending.dirty.push(representative);
                    continue;
                }
                self.detach_nearby(i, arrays, pending);
                self.tree.insert(self.point_bounds(i), i);
            }
            self.attach(i, i);
            added.push(i);
        }
        added
    }

    /// A point is about to lead: those near it that come later and lead, or are welded to a later one, may want to join it.
    fn detach_nearby(&mut self, i: u32, arrays: &mut TerrainArrays, pending: &mut Pending) {
        let centre = self.points[i as usize].centre;
        let mut representatives = Vec::new();
        // Whoever is near and has joined another is near that one.
        self.tree.for_each_overlapping(expanded(bounds_of((centre, centre)), 2.0), |other| {
            if other > i {
                representatives.push(other);
            }
        });
        representatives.sort_unstable();
        for representative in representatives {
            if coincide(centre, self.points[representative as usize].centre) {
                self.detach(representative, arrays, pending);
                pending.undecided.insert(representative);
                continue;
            }
            let nearby = |&member: &u32| coincide(centre, self.points[member as usize].centre);
            let nearby: Vec<u32> = self.members(representative).filter(nearby).collect();
            for member in nearby {
                self.detach(member, arrays, pending);
                pending.undecided.insert(member);
            }
        }
    }

    /// Replaces the corners of those that were removed by those of fresh representatives.
    fn rebuild_circles(&mut self, added: &[u32], arrays: &mut TerrainArrays, pending: &mut Pending) {
        pending.removed.sort_unstable();
        if pending.removed == added {
            // All corners keep their index.
        } else if pending.removed.len() + added.len() <= FEW {
            self.exchange_circles(added, &pending.removed, arrays);
        } else {
            let old_representatives = std::mem::take(&mut self.representatives);
            let old_corners = std::mem::take(arrays.fixed_circles);
            arrays.fixed_circles.reserve(old_corners.len() + added.len());
            let mut new_circle = vec![NONE; old_representatives.len()];
            let mut added = added.iter().copied().peekable();
            for ((circle, representative), new) in old_corners.into_iter().zip(old_representatives).zip(&mut new_circle)
            {
                while let Some(first) = added.next_if(|&first| first <= representative) {
                    self.representatives.push(first);
                    arrays.fixed_circles.push(self.points[first as usize].circle());
                }
                if pending.removed.binary_search(&representative).is_err() {
                    *new = arrays.fixed_circles.len() as u32;
                    self.representatives.push(representative);
                    arrays.fixed_circles.push(circle);
                }
            }
            for first in added {
                self.representatives.push(first);
                arrays.fixed_circles.push(self.points[first as usize].circle());
            }
            arrays.index.renumber(|i| i, |i| new_circle[i as usize]);
        }
        for &representative in added {
            let Ok(at) = self.representatives.binary_search(&representative) else { continue };
            arrays.fixed_circles[at] = self.points[representative as usize].circle();
            arrays.index.insert(Piece::FixedCircle(at as u32), arrays.fixed_circles[at].bounds());
            pending.dirty.push(representative);
        }
    }

    /// Makes room for the corners of a few fresh representatives, and closes that of a few that were removed, in place.
    fn exchange_circles(&mut self, added: &[u32], removed: &[u32], arrays: &mut TerrainArrays) {
        let gone: Vec<u32> =
            removed.iter().filter_map(|i| self.representatives.binary_search(i).ok()).map(|at| at as u32).collect();
        for &at in gone.iter().rev() {
            self.representatives.remove(at as usize);
            arrays.fixed_circles.remove(at as usize);
        }
        let mut come = Vec::new();
        for &representative in added {
            let at = self.representatives.partition_point(|&other| other < representative);
            self.representatives.insert(at, representative);
            arrays.fixed_circles.insert(at, self.points[representative as usize].circle());
            come.push(at as u32);
        }
        let kept = |circle: u32| circle - gone.iter().filter(|&&at| at < circle).count() as u32;
        let new_circle = |circle: u32| come.iter().fold(kept(circle), |now, &at| now + u32::from(at <= now));
        arrays.index.renumber(|i| i, new_circle);
    }

    /// Puts the walls of the changed pieces, and of those whose points have decided anew, where their corners are.
    fn snap_walls(&mut self, changed: &[usize], arrays: &mut TerrainArrays, pending: &mut Pending) {
        let mut pieces: Vec<usize> = pending.decided.iter().map(|&i| self.piece_of(i)).collect();
        pieces.extend_from_slice(changed);
        pieces.sort_unstable();
        pieces.dedup();
        for at in pieces {
            let is_new = changed.binary_search(&at).is_ok();
            for i in each(self.ranges[at].walls) {
                let [a, b] = self.snap_ends(self.ends[i]);
                let old = arrays.walls[i];
                if !is_new {
                    if [old.a, old.b] == [a, b] {
                        continue;
                    }
                    self.mark_corners_near(&old, pending);
                    arrays.index.remove(Piece::Wall(i as u32), old.bounds());
                }
                arrays.walls[i] = Wall { a, b, ..old };
                self.mark_corners_near(&arrays.walls[i], pending);
                arrays.index.insert(Piece::Wall(i as u32), arrays.walls[i].bounds());
            }
        }
    }

    /// The piece that a point belongs to.
    fn piece_of(&self, point: u32) -> usize {
        self.ranges.partition_point(|range| range.points[0] <= point) - 1
    }

    /// Finds anew what follows from walls and other points for the corners of these representatives.
    fn mend_circles(&self, arrays: &mut TerrainArrays, mut representatives: Vec<u32>) {
        representatives.sort_unstable();
        representatives.dedup();
        let mut found = Vec::new();
        for representative in representatives {
            let Ok(at) = self.representatives.binary_search(&representative) else { continue };
            let circle = &mut arrays.fixed_circles[at];
            circle.restitution = self.restitution(representative);
            if circle.radius == 0.0 {
                find_wall_directions(circle, arrays.walls, arrays.index, &mut found);
            }
        }
    }
}

/// Finds the directions along the walls that start at a corner or run through it, in their order.
fn find_wall_directions(circle: &mut FixedCircle, walls: &[Wall], index: &TerrainIndex, found: &mut Vec<u32>) {
    let centre = circle.centre;
    found.clear();
    index.tree.for_each_overlapping(expanded(bounds_of((centre, centre)), 1.0), |number| {
        if let Piece::Wall(wall) = Piece::of_number(number)
            && coincide(closest_point(&walls[wall as usize], centre), centre)
        {
            found.push(wall);
        }
    });
    found.sort_unstable();
    circle.walls.clear();
    for &wall in &*found {
        let Wall { a, b, .. } = walls[wall as usize];
        let along = b - a;
        if !coincide(centre, b) {
            circle.walls.push(along);
        }
        if !coincide(centre, a) {
            circle.walls.push(-along);
        }
    }
}

/// Points closer than a few roundings of their coordinates are one.
pub(super) fn coincide(a: Vec2, b: Vec2) -> bool {
    let scale = a.abs().max_element().max(b.abs().max_element());
    a.distance_squared(b) <= (1e-6 * scale) * (1e-6 * scale) + 1e-18
}

/// A box that holds all points which are so many times as far from a point of this one as those that are one, and some more.
fn expanded([left, bottom, right, top]: Bounds, times: f32) -> Bounds {
    let scale = left.abs().max(bottom.abs()).max(right.abs()).max(top.abs());
    let more = times * (2e-6 * scale + 2e-9);
    [left - more, bottom - more, right + more, top + more]
}
