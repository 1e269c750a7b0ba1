//! The walls and corners of pieces of terrain: which corners are one, where walls end, and which walls start at a corner or
//! run through it. All at once, or anew only for the pieces that have changed and what is near them; with the same result.
//!
//! Corners closer than a few roundings of their coordinates are one. The rule that makes them one depends on nothing but the
//! order of the pieces: each joins the first that it is near, of those that have joined none themselves. So a change goes
//! from a corner to later ones only, and only to those near it. Ends of walls are then put where their corners are, so that
//! two walls that meet leave no gap as wide as a rounding.

use std::collections::BTreeSet;

use bevy::prelude::*;

use super::{
    Piece, TerrainIndex, bounds_of,
    tree::{Bounds, Tree},
};
use crate::{
    body::{Position, StableId},
    collision::space::{Corner, Wall},
    terrain::{Rotation, Terrain},
};

/// No point.
const NONE: u32 = u32::MAX;

/// Up to so many corners come and go one by one; more are all moved to a new place once. Tests see both.
const FEW: usize = if cfg!(test) { 6 } else { 32 };

/// A piece of terrain in its place: what it is made of before its corners are joined to others.
#[derive(Clone, Debug)]
pub(in crate::collision) struct Placed {
    /// The ends of its walls.
    pub(in crate::collision) walls: Vec<[Vec2; 2]>,
    /// Its corners, or the centre of the circle that it is.
    pub(in crate::collision) points: Vec<Vec2>,
    /// The radius of the circle, zero for corners.
    pub(in crate::collision) radius: f32,
    pub(in crate::collision) restitution: Option<f32>,
}

impl Placed {
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

    /// A piece that was refused.
    pub(in crate::collision) fn nothing() -> Self {
        Self { walls: Vec::new(), points: Vec::new(), radius: 0.0, restitution: None }
    }
}

/// A piece of terrain that came, changed or went.
#[derive(Clone, Debug)]
pub(in crate::collision) struct Change {
    pub(in crate::collision) key: (StableId, Entity),
    /// What it is now; nothing if it is gone.
    pub(in crate::collision) placed: Option<Placed>,
}

/// What a piece of terrain is made of, as ranges of indices.
#[derive(Clone, Copy, Debug)]
struct Record {
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
    leader: u32,
    /// The next of those that have joined the same.
    next: u32,
}

impl Point {
    fn corner(&self) -> Corner {
        let Self { entity, centre, radius, restitution, .. } = *self;
        Corner { entity, centre, radius, restitution, walls: Vec::new() }
    }
}

/// All pieces in their order. Walls lie in the order of their pieces, and so do points; there is a corner for each leader.
#[derive(Clone, Debug, Default)]
pub(in crate::collision) struct Pieces {
    /// The entities as they lay in the tables of the ECS, for noticing that one came or went.
    pub(in crate::collision) entities: Vec<Entity>,
    records: Vec<Record>,
    /// The ends of each wall before they were put where its corners are.
    ends: Vec<[Vec2; 2]>,
    points: Vec<Point>,
    /// The point that each corner is, in ascending order.
    leaders: Vec<u32>,
    /// Where the leaders of radius zero are.
    tree: Tree,
}

/// What changes work on: the arrays of `Space`.
pub(in crate::collision) struct Arrays<'a> {
    pub(in crate::collision) walls: &'a mut Vec<Wall>,
    pub(in crate::collision) corners: &'a mut Vec<Corner>,
    pub(in crate::collision) index: &'a mut TerrainIndex,
}

impl Pieces {
    /// What terrain is made of whose pieces are not known: walls and corners as they were added.
    pub(in crate::collision) fn loose(walls: &[Wall], corners: &[Corner]) -> Self {
        let points = corners.iter().map(|&Corner { entity, centre, radius, restitution, .. }| Point {
            entity,
            centre,
            radius,
            restitution,
            leader: NONE,
            next: NONE,
        });
        Self { ends: walls.iter().map(|wall| [wall.a, wall.b]).collect(), points: points.collect(), ..Self::default() }
    }

    /// Takes pieces in their order instead of all that were there.
    pub(in crate::collision) fn replace(&mut self, pieces: impl IntoIterator<Item = Change>, arrays: &mut Arrays) {
        *self = Self { entities: std::mem::take(&mut self.entities), ..Self::default() };
        arrays.walls.clear();
        for Change { key, placed } in pieces {
            let placed = placed.unwrap_or(Placed::nothing());
            self.append(key, &placed, arrays.walls);
        }
        self.join(arrays);
    }

    /// Adds a piece at the end.
    fn append(&mut self, key: (StableId, Entity), placed: &Placed, walls: &mut Vec<Wall>) {
        let start = [self.ends.len() as u32, self.points.len() as u32];
        let Placed { radius, restitution, .. } = *placed;
        let entity = key.1;
        self.ends.extend_from_slice(&placed.walls);
        walls.extend(placed.walls.iter().map(|&[a, b]| Wall { entity, a, b, restitution }));
        let point = |&centre| Point { entity, centre, radius, restitution, leader: NONE, next: NONE };
        self.points.extend(placed.points.iter().map(point));
        let end = [self.ends.len() as u32, self.points.len() as u32];
        self.records.push(Record { key, walls: [start[0], end[0]], points: [start[1], end[1]] });
    }

    /// Joins all points, and finds what follows from it. The walls are those of the pieces, the corners whatever they were.
    pub(in crate::collision) fn join(&mut self, Arrays { walls, corners, index }: &mut Arrays) {
        self.elect_all();
        corners.clear();
        corners.extend(self.leaders.iter().map(|&leader| self.points[leader as usize].corner()));
        for (corner, &leader) in corners.iter_mut().zip(&self.leaders) {
            corner.restitution = self.restitution(leader);
        }
        for (wall, &ends) in walls.iter_mut().zip(&self.ends) {
            [wall.a, wall.b] = self.put(ends);
        }
        index.fill(walls, corners);
        let mut near = Vec::new();
        for corner in corners.iter_mut().filter(|corner| corner.radius == 0.0) {
            find_directions(corner, walls, index, &mut near);
        }
    }

    /// Lets every point join another or lead.
    fn elect_all(&mut self) {
        // Of points in the same place only the first can lead, and all the others do as it does.
        let bits = |centre: Vec2| [centre.x.to_bits(), centre.y.to_bits()];
        let mut order: Vec<([u32; 2], u32)> =
            self.points.iter().map(|point| bits(point.centre)).zip(0..).filter(|&(_, i)| self.is_corner(i)).collect();
        order.sort_unstable();
        let firsts = order.chunk_by(|a, b| a.0 == b.0).map(|same| same[0].1);
        let mut boxes: Vec<(Bounds, u32)> = firsts.map(|i| (self.spot(i), i)).collect();
        self.tree = Tree::new(&mut boxes);
        let mut first_there = vec![NONE; self.points.len()];
        for same in order.chunk_by(|a, b| a.0 == b.0) {
            for &(_, i) in same {
                first_there[i as usize] = same[0].1;
            }
        }
        let mut all_lead = true;
        for i in 0..self.points.len() as u32 {
            let first = first_there[i as usize];
            let leader = if first == NONE {
                i
            } else if first < i {
                self.points[first as usize].leader
            } else {
                // Those that come later have not been asked and lead nobody.
                self.first_leader_near(self.points[i as usize].centre, i).unwrap_or(i)
            };
            all_lead &= leader == i || first < i;
            self.follow(i, leader);
        }
        if !all_lead {
            boxes.retain(|&(_, i)| self.points[i as usize].leader == i);
            self.tree = Tree::new(&mut boxes);
        }
        self.leaders = (0..self.points.len() as u32).filter(|&i| self.points[i as usize].leader == i).collect();
    }

    fn is_corner(&self, i: u32) -> bool {
        self.points[i as usize].radius == 0.0
    }

    /// The box of a point in the tree of the leaders.
    fn spot(&self, i: u32) -> Bounds {
        let Vec2 { x, y } = self.points[i as usize].centre;
        [x, y, x, y]
    }

    /// Notes that a point has joined a leader, or leads if that is itself.
    fn follow(&mut self, i: u32, leader: u32) {
        self.points[i as usize].leader = leader;
        if leader != i {
            self.points[i as usize].next = self.points[leader as usize].next;
            self.points[leader as usize].next = i;
        }
    }

    /// The first point that leads and is near a place, of those before `end`.
    fn first_leader_near(&self, place: Vec2, end: u32) -> Option<u32> {
        let mut first = end;
        self.tree.for_each_meeting(grown(bounds_of((place, place)), 1.0), |i| {
            let point = &self.points[i as usize];
            if i < first && point.leader == i && near(point.centre, place) {
                first = i;
            }
        });
        (first < end).then_some(first)
    }

    /// Those that have joined a leader.
    fn followers(&self, leader: u32) -> impl Iterator<Item = u32> + '_ {
        let next = |i: u32| Some(self.points[i as usize].next).filter(|&next| next != NONE);
        std::iter::successors(next(leader), move |&i| next(i))
    }

    /// The least restitution of a leader and those that have joined it.
    fn restitution(&self, leader: u32) -> Option<f32> {
        let own = |i: u32| self.points[i as usize].restitution;
        self.followers(leader).filter_map(own).chain(own(leader)).min_by(f32::total_cmp)
    }

    /// The ends of a wall, put where its corners are; but a wall that is all within one corner stays as it is.
    fn put(&self, [a, b]: [Vec2; 2]) -> [Vec2; 2] {
        let at = |end| self.first_leader_near(end, NONE).map_or(end, |leader| self.points[leader as usize].centre);
        let put = [at(a), at(b)];
        if put[0] == put[1] { [a, b] } else { put }
    }
}

/// What has to be looked at while changes are made.
#[derive(Default)]
struct Work {
    /// Points that are to join or to lead.
    undecided: BTreeSet<u32>,
    /// Those of them that have done so, in ascending order.
    decided: Vec<u32>,
    /// Points that were leaders: they are still among `leaders` and have a corner, but not in the index.
    deposed: Vec<u32>,
    /// Leaders whose corner may have other walls or another restitution.
    doubtful: Vec<u32>,
}

impl Pieces {
    /// How many pieces there are, also those that were refused.
    pub(in crate::collision) fn len(&self) -> usize {
        self.records.len()
    }

    /// The keys of all pieces in their order.
    pub(in crate::collision) fn keys(&self) -> impl Iterator<Item = (StableId, Entity)> + '_ {
        self.records.iter().map(|record| record.key)
    }

    /// Whether there is such a piece.
    pub(in crate::collision) fn has(&self, key: (StableId, Entity)) -> bool {
        self.find(key).is_some()
    }

    fn find(&self, key: (StableId, Entity)) -> Option<usize> {
        self.records.binary_search_by_key(&key, |record| record.key).ok()
    }

    /// Makes these changes, each to another piece, in the order of their keys.
    pub(in crate::collision) fn change(&mut self, changes: &[Change], arrays: &mut Arrays) {
        let mut work = Work::default();
        let mut same_shapes = true;
        for Change { key, placed } in changes {
            let record = self.find(*key).map(|at| self.records[at]);
            if let Some(record) = record {
                self.take_out(record, arrays, &mut work);
            }
            same_shapes &= match (record, placed) {
                (Some(record), Some(placed)) => {
                    each(record.walls).len() == placed.walls.len() && each(record.points).len() == placed.points.len()
                }
                (None, None) => true,
                _ => false,
            };
        }
        if !same_shapes {
            self.make_room(changes, arrays, &mut work);
        }
        let mut changed = Vec::new();
        for Change { key, placed } in changes {
            let (Some(at), Some(placed)) = (self.find(*key), placed) else { continue };
            let Record { walls, points, .. } = self.records[at];
            let Placed { radius, restitution, .. } = *placed;
            for (i, &centre) in each(points).zip(&placed.points) {
                self.points[i] = Point { entity: key.1, centre, radius, restitution, leader: NONE, next: NONE };
                work.undecided.insert(i as u32);
            }
            for (i, &ends) in each(walls).zip(&placed.walls) {
                self.ends[i] = ends;
                let [a, b] = ends;
                arrays.walls[i] = Wall { entity: key.1, a, b, restitution };
            }
            changed.push(at);
        }
        let fresh = self.elect(arrays, &mut work);
        self.make_corners(&fresh, arrays, &mut work);
        self.put_walls(&changed, arrays, &mut work);
        self.mend_corners(arrays, work.doubtful);
        arrays.index.finish_changes(arrays.walls, arrays.corners);
    }

    /// Takes the walls and points of a piece out of the index and the tree.
    fn take_out(&mut self, record: Record, arrays: &mut Arrays, work: &mut Work) {
        for i in each(record.walls) {
            self.doubt_corners_of(&arrays.walls[i], work);
            arrays.index.remove(Piece::Wall(i as u32), arrays.walls[i].bounds());
        }
        for i in record.points[0]..record.points[1] {
            self.leave(i, arrays, work);
        }
    }

    /// Notes the corners at which a wall starts or through which it runs.
    fn doubt_corners_of(&self, wall: &Wall, work: &mut Work) {
        self.tree.for_each_meeting(grown(bounds_of(wall.bounds()), 1.0), |i| {
            let centre = self.points[i as usize].centre;
            if near(closest(wall, centre), centre) {
                work.doubtful.push(i);
            }
        });
    }

    /// Makes a point leave its leader; or, if it leads, leave that to others.
    fn leave(&mut self, i: u32, arrays: &mut Arrays, work: &mut Work) {
        let leader = self.points[i as usize].leader;
        if leader == i {
            let mut next = self.points[i as usize].next;
            while next != NONE {
                work.undecided.insert(next);
                let follower = &mut self.points[next as usize];
                follower.leader = NONE;
                next = std::mem::replace(&mut follower.next, NONE);
            }
            if self.is_corner(i) {
                let found = self.tree.remove(self.spot(i), i);
                debug_assert!(found, "leader {i} is not where it was");
            }
            if let Ok(corner) = self.leaders.binary_search(&i) {
                arrays.index.remove(Piece::Corner(corner as u32), arrays.corners[corner].bounds());
            }
            work.deposed.push(i);
        } else if leader != NONE {
            let mut before = leader;
            while self.points[before as usize].next != i {
                before = self.points[before as usize].next;
            }
            self.points[before as usize].next = self.points[i as usize].next;
            work.doubtful.push(leader);
        }
        let point = &mut self.points[i as usize];
        (point.leader, point.next) = (NONE, NONE);
    }

    /// Makes room for pieces that came or have more or fewer walls and points than before, closes the room of those that are
    /// gone, and numbers everything anew. What is to be filled holds nothing in particular.
    fn make_room(&mut self, changes: &[Change], arrays: &mut Arrays, work: &mut Work) {
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
        for record in &old.records {
            while let Some(Change { key, placed }) = changes.next_if(|change| change.key < record.key) {
                if let Some(placed) = placed {
                    self.append(*key, placed, arrays.walls);
                }
            }
            if let Some(Change { key, placed }) = changes.next_if(|change| change.key == record.key) {
                if let Some(placed) = placed {
                    self.append(*key, placed, arrays.walls);
                }
                continue;
            }
            let start = [self.ends.len() as u32, self.points.len() as u32];
            for (number, i) in (start[0]..).zip(each(record.walls)) {
                new_wall[i] = number;
            }
            for (number, i) in (start[1]..).zip(each(record.points)) {
                new_point[i] = number;
            }
            self.ends.extend_from_slice(&old.ends[each(record.walls)]);
            arrays.walls.extend_from_slice(&old_walls[each(record.walls)]);
            self.points.extend_from_slice(&old.points[each(record.points)]);
            let end = [self.ends.len() as u32, self.points.len() as u32];
            self.records.push(Record { key: record.key, walls: [start[0], end[0]], points: [start[1], end[1]] });
        }
        for Change { key, placed } in changes {
            if let Some(placed) = placed {
                self.append(*key, placed, arrays.walls);
            }
        }
        let point = |i: u32| if i == NONE { NONE } else { new_point[i as usize] };
        for each in &mut self.points {
            (each.leader, each.next) = (point(each.leader), point(each.next));
        }
        self.tree.renumber(point);
        // All who were deposed so far belong to pieces that have changed.
        work.deposed.clear();
        let new_corner = self.keep_corners(&old.leaders, point, arrays);
        arrays.index.renumber(|i| new_wall[i as usize], |i| new_corner[i as usize]);
        work.undecided = work.undecided.iter().map(|&i| point(i)).filter(|&i| i != NONE).collect();
        work.doubtful = work.doubtful.iter().map(|&i| point(i)).filter(|&i| i != NONE).collect();
    }

    /// Keeps the corners of leaders that have a new number, and gives the new index of each.
    fn keep_corners(&mut self, leaders: &[u32], point: impl Fn(u32) -> u32, arrays: &mut Arrays) -> Vec<u32> {
        let mut new_corner = vec![NONE; leaders.len()];
        let corners = std::mem::take(arrays.corners);
        arrays.corners.reserve(corners.len());
        for ((corner, &leader), new) in corners.into_iter().zip(leaders).zip(&mut new_corner) {
            let leader = point(leader);
            if leader != NONE {
                *new = arrays.corners.len() as u32;
                self.leaders.push(leader);
                arrays.corners.push(corner);
            }
        }
        new_corner
    }

    /// Lets all undecided points join or lead, in their order, and gives those who lead.
    fn elect(&mut self, arrays: &mut Arrays, work: &mut Work) -> Vec<u32> {
        let mut fresh = Vec::new();
        while let Some(i) = work.undecided.pop_first() {
            work.decided.push(i);
            let centre = self.points[i as usize].centre;
            if self.is_corner(i) {
                if let Some(leader) = self.first_leader_near(centre, i) {
                    self.follow(i, leader);
                    work.doubtful.push(leader);
                    continue;
                }
                self.call_followers(i, arrays, work);
                self.tree.insert(self.spot(i), i);
            }
            self.follow(i, i);
            fresh.push(i);
        }
        fresh
    }

    /// A point is about to lead: those near it that come later and lead, or follow somebody later, may want to join it.
    fn call_followers(&mut self, i: u32, arrays: &mut Arrays, work: &mut Work) {
        let centre = self.points[i as usize].centre;
        let mut leaders = Vec::new();
        // Whoever is near and has joined another is near that one.
        self.tree.for_each_meeting(grown(bounds_of((centre, centre)), 2.0), |other| {
            if other > i {
                leaders.push(other);
            }
        });
        leaders.sort_unstable();
        for leader in leaders {
            if near(centre, self.points[leader as usize].centre) {
                self.leave(leader, arrays, work);
                work.undecided.insert(leader);
                continue;
            }
            let called = |&follower: &u32| near(centre, self.points[follower as usize].centre);
            let called: Vec<u32> = self.followers(leader).filter(called).collect();
            for follower in called {
                self.leave(follower, arrays, work);
                work.undecided.insert(follower);
            }
        }
    }

    /// Replaces the corners of those who were deposed by those of fresh leaders.
    fn make_corners(&mut self, fresh: &[u32], arrays: &mut Arrays, work: &mut Work) {
        work.deposed.sort_unstable();
        if work.deposed == fresh {
            // All corners keep their index.
        } else if work.deposed.len() + fresh.len() <= FEW {
            self.exchange_corners(fresh, &work.deposed, arrays);
        } else {
            let old_leaders = std::mem::take(&mut self.leaders);
            let old_corners = std::mem::take(arrays.corners);
            arrays.corners.reserve(old_corners.len() + fresh.len());
            let mut new_corner = vec![NONE; old_leaders.len()];
            let mut fresh = fresh.iter().copied().peekable();
            for ((corner, leader), new) in old_corners.into_iter().zip(old_leaders).zip(&mut new_corner) {
                while let Some(first) = fresh.next_if(|&first| first <= leader) {
                    self.leaders.push(first);
                    arrays.corners.push(self.points[first as usize].corner());
                }
                if work.deposed.binary_search(&leader).is_err() {
                    *new = arrays.corners.len() as u32;
                    self.leaders.push(leader);
                    arrays.corners.push(corner);
                }
            }
            for first in fresh {
                self.leaders.push(first);
                arrays.corners.push(self.points[first as usize].corner());
            }
            arrays.index.renumber(|i| i, |i| new_corner[i as usize]);
        }
        for &leader in fresh {
            let Ok(at) = self.leaders.binary_search(&leader) else { continue };
            arrays.corners[at] = self.points[leader as usize].corner();
            arrays.index.insert(Piece::Corner(at as u32), arrays.corners[at].bounds());
            work.doubtful.push(leader);
        }
    }

    /// Makes room for the corners of a few fresh leaders, and closes that of a few who were deposed, in place.
    fn exchange_corners(&mut self, fresh: &[u32], deposed: &[u32], arrays: &mut Arrays) {
        let gone: Vec<u32> =
            deposed.iter().filter_map(|i| self.leaders.binary_search(i).ok()).map(|at| at as u32).collect();
        for &at in gone.iter().rev() {
            self.leaders.remove(at as usize);
            arrays.corners.remove(at as usize);
        }
        let mut come = Vec::new();
        for &leader in fresh {
            let at = self.leaders.partition_point(|&other| other < leader);
            self.leaders.insert(at, leader);
            arrays.corners.insert(at, self.points[leader as usize].corner());
            come.push(at as u32);
        }
        let kept = |corner: u32| corner - gone.iter().filter(|&&at| at < corner).count() as u32;
        let new_corner = |corner: u32| come.iter().fold(kept(corner), |now, &at| now + u32::from(at <= now));
        arrays.index.renumber(|i| i, new_corner);
    }

    /// Puts the walls of the changed pieces, and of those whose points have decided anew, where their corners are.
    fn put_walls(&mut self, changed: &[usize], arrays: &mut Arrays, work: &mut Work) {
        let mut pieces: Vec<usize> = work.decided.iter().map(|&i| self.piece_of(i)).collect();
        pieces.extend_from_slice(changed);
        pieces.sort_unstable();
        pieces.dedup();
        for at in pieces {
            let is_new = changed.binary_search(&at).is_ok();
            for i in each(self.records[at].walls) {
                let [a, b] = self.put(self.ends[i]);
                let old = arrays.walls[i];
                if !is_new {
                    if [old.a, old.b] == [a, b] {
                        continue;
                    }
                    self.doubt_corners_of(&old, work);
                    arrays.index.remove(Piece::Wall(i as u32), old.bounds());
                }
                arrays.walls[i] = Wall { a, b, ..old };
                self.doubt_corners_of(&arrays.walls[i], work);
                arrays.index.insert(Piece::Wall(i as u32), arrays.walls[i].bounds());
            }
        }
    }

    /// The piece that a point belongs to.
    fn piece_of(&self, point: u32) -> usize {
        self.records.partition_point(|record| record.points[0] <= point) - 1
    }

    /// Finds anew what follows from walls and other points for the corners of these leaders.
    fn mend_corners(&self, arrays: &mut Arrays, mut leaders: Vec<u32>) {
        leaders.sort_unstable();
        leaders.dedup();
        let mut near = Vec::new();
        for leader in leaders {
            let Ok(at) = self.leaders.binary_search(&leader) else { continue };
            let corner = &mut arrays.corners[at];
            corner.restitution = self.restitution(leader);
            if corner.radius == 0.0 {
                find_directions(corner, arrays.walls, arrays.index, &mut near);
            }
        }
    }
}

/// Finds the directions along the walls that start at a corner or run through it, in their order.
fn find_directions(corner: &mut Corner, walls: &[Wall], index: &TerrainIndex, found: &mut Vec<u32>) {
    let centre = corner.centre;
    found.clear();
    index.tree.for_each_meeting(grown(bounds_of((centre, centre)), 1.0), |number| {
        if let Piece::Wall(wall) = Piece::of_number(number)
            && near(closest(&walls[wall as usize], centre), centre)
        {
            found.push(wall);
        }
    });
    found.sort_unstable();
    corner.walls.clear();
    for &wall in &*found {
        let Wall { a, b, .. } = walls[wall as usize];
        let along = b - a;
        if !near(centre, b) {
            corner.walls.push(along);
        }
        if !near(centre, a) {
            corner.walls.push(-along);
        }
    }
}

/// The point of a wall that is closest to another. In f64: a rounding of a long wall is more than that of a place near it.
pub(super) fn closest(wall: &Wall, point: Vec2) -> Vec2 {
    let (a, b) = (wall.a.as_dvec2(), wall.b.as_dvec2());
    let along = b - a;
    let share = (point.as_dvec2() - a).dot(along) / along.length_squared();
    if share >= 1.0 {
        wall.b
    } else if share > 0.0 {
        // Within the box of the wall, whatever was rounded.
        (a + along * share).as_vec2().clamp(wall.a.min(wall.b), wall.a.max(wall.b))
    } else {
        wall.a
    }
}

/// Points closer than a few roundings of their coordinates are one.
pub(super) fn near(a: Vec2, b: Vec2) -> bool {
    let scale = a.abs().max_element().max(b.abs().max_element());
    a.distance_squared(b) <= (1e-6 * scale) * (1e-6 * scale) + 1e-18
}

/// A box that holds all points which are so many times as far from a point of this one as those that are one, and some more.
fn grown([left, bottom, right, top]: Bounds, times: f32) -> Bounds {
    let scale = left.abs().max(bottom.abs()).max(right.abs()).max(top.abs());
    let more = times * (2e-6 * scale + 2e-9);
    [left - more, bottom - more, right + more, top + more]
}
