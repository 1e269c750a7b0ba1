//! Incremental changes of terrain: walls and corners are updated only for the pieces that were added, changed or
//! removed, and for their surroundings. The result equals a complete rebuild.

use bevy::prelude::*;
use std::collections::BTreeSet;

use super::{
    Piece,
    pieces::{NONE, PieceRange, Pieces, PlacedTerrain, Point, TerrainArrays, TerrainChange, each},
    weld::{LOOKUPS, coincide, expanded, find_wall_directions},
};
use crate::collision::shape::{Bounds, Wall, wall::closest_point};

/// The largest number of corners that are added and removed one by one, each at the cost of moving all after it. Beyond
/// it, all are moved once. Lower in tests, so that they cover both ways.
const MAX_EXCHANGED: usize = if cfg!(test) { 6 } else { 32 };

/// What must be updated while changes are made.
#[derive(Default)]
struct Pending {
    /// Points that must be welded or represent themselves.
    undecided: BTreeSet<u32>,
    /// Those already decided, in ascending order.
    decided: Vec<u32>,
    /// Points that were representatives: they are still in `representatives` and have a corner, but are not in the
    /// index.
    removed: Vec<u32>,
    /// Representatives whose corner may have other walls or another restitution.
    dirty: Vec<u32>,
    /// The number of corners examined to find those on changed walls.
    looked_at: usize,
    /// Whether all representatives count as dirty, because too many corners were examined.
    all_dirty: bool,
}

impl Pieces {
    /// Makes these changes, each to another piece, in the order of their keys.
    pub fn change(&mut self, changes: &[TerrainChange], arrays: &mut TerrainArrays) {
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
            for (i, wall) in each(walls).zip(placed.walls(key.1)) {
                self.ends[i] = [wall.a, wall.b];
                arrays.walls[i] = wall;
            }
            changed.push(at);
        }
        let added = self.weld_undecided(arrays, &mut pending);
        self.rebuild_circles(&added, arrays, &mut pending);
        self.snap_walls(&changed, arrays, &mut pending);
        let dirty = if pending.all_dirty { self.representatives.clone() } else { pending.dirty };
        self.update_circles(arrays, dirty);
        arrays.index.finish_changes(arrays.walls, arrays.fixed_circles);
    }

    /// Removes the walls and points of a piece from the index and the tree.
    fn remove_piece(&mut self, range: PieceRange, arrays: &mut TerrainArrays, pending: &mut Pending) {
        for i in each(range.walls) {
            self.mark_corners_near(&arrays.walls[i], pending);
            arrays.index.remove(Piece::Wall(i as u32), arrays.walls[i].bounds());
        }
        for i in range.points[0]..range.points[1] {
            self.detach(i, arrays, pending);
        }
    }

    /// Records the corners where a wall starts or that it runs through.
    fn mark_corners_near(&self, wall: &Wall, pending: &mut Pending) {
        if pending.all_dirty {
            return;
        }
        self.tree.for_each_overlapping(expanded(wall.bounds(), 1.0), |i| {
            pending.looked_at += 1;
            let centre = self.points[i as usize].centre;
            if coincide(closest_point(wall, centre), centre) {
                pending.dirty.push(i);
            }
        });
        // Finding the walls of every corner once costs less than continuing.
        pending.all_dirty = pending.looked_at > LOOKUPS * (self.ends.len() + self.points.len());
    }

    /// Removes a point from its representative. If it represents itself, the points welded to it become undecided.
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
                debug_assert!(found, "representative {i} is not where it was");
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

    /// Makes room for pieces that are new or have a different number of walls and points, closes the room of removed
    /// ones, and renumbers everything. The new entries hold placeholders.
    fn make_room(&mut self, changes: &[TerrainChange], arrays: &mut TerrainArrays, pending: &mut Pending) {
        let mut old = std::mem::take(self);
        let old_walls = std::mem::take(arrays.walls);
        self.tables = std::mem::take(&mut old.tables);
        self.tree = std::mem::take(&mut old.tree);
        self.ends.reserve(old.ends.len());
        self.points.reserve(old.points.len());
        arrays.walls.reserve(old_walls.len());
        let mut new_wall = vec![NONE; old.ends.len()];
        let mut new_point = vec![NONE; old.points.len()];
        // Both are in the order of their keys.
        let mut changes = changes.iter().peekable();
        for range in &old.ranges {
            while let Some(change) = changes.next_if(|change| change.key < range.key) {
                self.append_changed(change, arrays.walls);
            }
            if let Some(change) = changes.next_if(|change| change.key == range.key) {
                self.append_changed(change, arrays.walls);
                continue;
            }
            let [first_wall, first_point] = self.append_kept(range, &old, &old_walls, arrays.walls);
            for (number, i) in (first_wall..).zip(each(range.walls)) {
                new_wall[i] = number;
            }
            for (number, i) in (first_point..).zip(each(range.points)) {
                new_point[i] = number;
            }
        }
        for change in changes {
            self.append_changed(change, arrays.walls);
        }
        let point = |i: u32| if i == NONE { NONE } else { new_point[i as usize] };
        for each in &mut self.points {
            (each.representative, each.next) = (point(each.representative), point(each.next));
        }
        self.tree.renumber(point);
        // All that were removed so far belong to changed pieces.
        pending.removed.clear();
        let new_circle = self.keep_circles(&old.representatives, point, arrays);
        arrays.index.renumber(|i| new_wall[i as usize], |i| new_circle[i as usize]);
        pending.undecided = pending.undecided.iter().map(|&i| point(i)).filter(|&i| i != NONE).collect();
        pending.dirty = pending.dirty.iter().map(|&i| point(i)).filter(|&i| i != NONE).collect();
    }

    /// Adds room for a new or changed piece; `None` for a removed one.
    fn append_changed(&mut self, TerrainChange { key, placed }: &TerrainChange, walls: &mut Vec<Wall>) {
        if let Some(placed) = placed {
            self.append(*key, placed, walls);
        }
    }

    /// Adds an unchanged piece, and returns the new numbers of its first wall and its first point.
    fn append_kept(&mut self, range: &PieceRange, old: &Self, old_walls: &[Wall], walls: &mut Vec<Wall>) -> [u32; 2] {
        let start = [self.ends.len() as u32, self.points.len() as u32];
        self.ends.extend_from_slice(&old.ends[each(range.walls)]);
        walls.extend_from_slice(&old_walls[each(range.walls)]);
        self.points.extend_from_slice(&old.points[each(range.points)]);
        let end = [self.ends.len() as u32, self.points.len() as u32];
        self.ranges.push(PieceRange { key: range.key, walls: [start[0], end[0]], points: [start[1], end[1]] });
        start
    }

    /// Keeps the circles of representatives that have a new number, and returns the new index of each.
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

    /// Finds the representatives of all undecided points, in order, and returns those that represent themselves.
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

    /// Prepares a point to represent itself: later points near it that represent themselves, or are welded to a later
    /// one, may be welded to it.
    fn detach_nearby(&mut self, i: u32, arrays: &mut TerrainArrays, pending: &mut Pending) {
        let centre = self.points[i as usize].centre;
        let mut representatives = Vec::new();
        // A point near it that is welded to another is near that one.
        self.tree.for_each_overlapping(expanded(Bounds::around(centre, 0.0), 2.0), |other| {
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

    /// Replaces the corners of removed representatives by those of new ones.
    fn rebuild_circles(&mut self, added: &[u32], arrays: &mut TerrainArrays, pending: &mut Pending) {
        pending.removed.sort_unstable();
        if pending.removed == added {
            // All corners keep their index.
        } else if pending.removed.len() + added.len() <= MAX_EXCHANGED {
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

    /// Makes room for the corners of a few new representatives, and closes that of a few removed ones, in place.
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

    /// Moves the ends of walls of changed pieces, and of walls whose points have a new representative, to their
    /// corners.
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

    /// Updates the restitution and the walls of the corners of these representatives.
    fn update_circles(&self, arrays: &mut TerrainArrays, mut representatives: Vec<u32>) {
        representatives.sort_unstable();
        representatives.dedup();
        let mut changed = Vec::new();
        for representative in representatives {
            let Ok(at) = self.representatives.binary_search(&representative) else { continue };
            arrays.fixed_circles[at].restitution = self.restitution(representative);
            changed.push(at as u32);
        }
        find_wall_directions(changed, arrays.fixed_circles, arrays.walls, arrays.index);
    }
}
