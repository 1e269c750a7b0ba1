//! Vertex welding: which corners are one, where walls end, and which walls start at a corner or run through it.
//!
//! Corners closer than a few roundings of their coordinates are one. The rule depends only on the order of the points:
//! each is welded to the first near point that represents itself. So a change affects only later corners near it. The
//! ends of walls are then moved to their corners, so that two adjacent walls leave no gap, not even of a rounding
//! error.

use bevy::prelude::*;

use super::{
    Piece, TerrainIndex,
    corner_tree::CornerTree,
    pieces::{NONE, Pieces, TerrainArrays},
};
use crate::collision::shape::{
    Bounds, FixedCircle, Tree, Wall,
    rounding::{ROUNDING, WELD_LEAST, WELD_LEAST_SQUARED},
    wall::closest_point,
};

impl Pieces {
    /// Welds all points and derives everything from that. The walls are those of the pieces; the corners are replaced.
    pub fn weld(&mut self, TerrainArrays { walls, fixed_circles, index }: &mut TerrainArrays) {
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
        let corners = 0..fixed_circles.len() as u32;
        find_wall_directions(corners, fixed_circles, walls, index);
    }

    /// Finds the representative of every point.
    pub(super) fn weld_all(&mut self) {
        // Of points at the same place only the first can represent itself, and the others follow it.
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
        let (mut all_represent_themselves, mut looked_at, mut grows) = (true, 0, false);
        for i in 0..self.points.len() as u32 {
            let first = first_there[i as usize];
            let representative = if first == NONE {
                i
            } else if first < i {
                self.points[first as usize].representative
            } else {
                // Later points represent none yet.
                let found = self.first_representative_near(self.points[i as usize].centre, i, &mut looked_at);
                if grows && found.is_none() {
                    self.tree.insert(self.point_bounds(i), i);
                }
                found.unwrap_or(i)
            };
            all_represent_themselves &= representative == i || first < i;
            self.attach(i, representative);
            if !grows && looked_at > LOOKUPS * self.points.len() {
                // Many points are near each other, and few represent themselves. From now on the tree holds only these.
                let earlier = |&&(_, other): &&(Bounds, u32)| self.points[other as usize].representative == other;
                self.tree = Tree::new(&mut boxes.iter().filter(earlier).copied().collect::<Vec<_>>());
                grows = true;
            }
        }
        if grows || !all_represent_themselves {
            boxes.retain(|&(_, i)| self.points[i as usize].representative == i);
            self.tree = Tree::new(&mut boxes);
        }
        self.representatives =
            (0..self.points.len() as u32).filter(|&i| self.points[i as usize].representative == i).collect();
    }

    pub(super) fn is_corner(&self, i: u32) -> bool {
        self.points[i as usize].radius == 0.0
    }

    /// The box of a point in the tree of the representatives.
    pub(super) fn point_bounds(&self, i: u32) -> Bounds {
        Bounds::around(self.points[i as usize].centre, 0.0)
    }

    /// Records that a point has joined a representative, or represents itself.
    pub(super) fn attach(&mut self, i: u32, representative: u32) {
        self.points[i as usize].representative = representative;
        if representative != i {
            self.points[i as usize].next = self.points[representative as usize].next;
            self.points[representative as usize].next = i;
        }
    }

    /// The first point before `end` that represents itself and is near a place.
    pub(super) fn first_representative_at(&self, place: Vec2, end: u32) -> Option<u32> {
        self.first_representative_near(place, end, &mut 0)
    }

    /// The same; also adds the number of points examined to `looked_at`.
    fn first_representative_near(&self, place: Vec2, end: u32, looked_at: &mut usize) -> Option<u32> {
        let mut first = end;
        self.tree.for_each_overlapping(expanded(Bounds::around(place, 0.0), 1.0), |i| {
            *looked_at += 1;
            let point = &self.points[i as usize];
            if i < first && point.representative == i && coincide(point.centre, place) {
                first = i;
            }
        });
        (first < end).then_some(first)
    }

    /// The points welded to a representative.
    pub(super) fn members(&self, representative: u32) -> impl Iterator<Item = u32> + '_ {
        let next = |i: u32| Some(self.points[i as usize].next).filter(|&next| next != NONE);
        std::iter::successors(next(representative), move |&i| next(i))
    }

    /// The smallest restitution of a representative and the points welded to it.
    pub(super) fn restitution(&self, representative: u32) -> Option<f32> {
        let own = |i: u32| self.points[i as usize].restitution;
        self.members(representative).filter_map(own).chain(own(representative)).min_by(f32::total_cmp)
    }

    /// The ends of a wall, moved to its corners. A wall within a single corner stays unchanged.
    pub(super) fn snap_ends(&self, [a, b]: [Vec2; 2]) -> [Vec2; 2] {
        let at = |end| {
            self.first_representative_at(end, NONE)
                .map_or(end, |representative| self.points[representative as usize].centre)
        };
        let snapped = [at(a), at(b)];
        if snapped[0] == snapped[1] { [a, b] } else { snapped }
    }
}

/// The largest number of walls through a corner, without an end there, that count: the first ones, in order.
///
/// Without a limit, overlapping long walls would need memory for every corner of every other wall. Walls that end at a
/// corner always count, as each has only two ends.
pub(super) const MOST_THROUGH: usize = 32;

/// The largest number of boxes per wall and corner that are examined to find the surroundings of each corner or wall.
///
/// Where long walls cross, the box of each overlaps most of the others. Beyond this limit a slower start pays off: see
/// [`corner_directions_by_wall`] and [`Pieces::weld_all`]. The result is the same. Tests cover both ways.
pub(super) const LOOKUPS: usize = if cfg!(test) { 1 } else { 16 };

/// Finds the directions along the walls that start at some corners or run through them. Fixed circles with a radius are
/// skipped.
pub(super) fn find_wall_directions(
    of: impl IntoIterator<Item = u32>,
    fixed_circles: &mut [FixedCircle],
    walls: &[Wall],
    index: &TerrainIndex,
) {
    let corners: Vec<(u32, Vec2)> = corners_among(of, fixed_circles).collect();
    for &(corner, _) in &corners {
        fixed_circles[corner as usize].walls.clear();
    }
    corner_directions(&corners, walls, index, |corner, along, _| fixed_circles[corner as usize].walls.push(along));
}

/// The corners among some fixed circles, with their positions.
pub fn corners_among(
    of: impl IntoIterator<Item = u32>,
    fixed_circles: &[FixedCircle],
) -> impl Iterator<Item = (u32, Vec2)> {
    let corner = |circle: u32| (circle, &fixed_circles[circle as usize]);
    of.into_iter().map(corner).filter(|(_, circle)| circle.radius == 0.0).map(|(i, circle)| (i, circle.centre))
}

/// Finds the directions along the walls that start at some corners or run through them.
///
/// Calls `visit` with the corner, the direction and the wall. The walls of one corner come in order, with at most
/// [`MOST_THROUGH`] that run through it. Returns the number of boxes examined.
pub fn corner_directions(
    corners: &[(u32, Vec2)],
    walls: &[Wall],
    index: &TerrainIndex,
    mut visit: impl FnMut(u32, Vec2, u32),
) -> usize {
    let most = LOOKUPS * (walls.len() + corners.len());
    let (mut looked_at, mut found) = (0, Vec::new());
    for (at, &(corner, centre)) in corners.iter().enumerate() {
        if looked_at > most {
            return looked_at + corner_directions_by_wall(&corners[at..], walls, visit);
        }
        found.clear();
        index.tree.for_each_overlapping(expanded(Bounds::around(centre, 0.0), 1.0), |number| {
            if let Piece::Wall(wall) = Piece::of_number(number) {
                looked_at += 1;
                if coincide(closest_point(&walls[wall as usize], centre), centre) {
                    found.push(wall);
                }
            }
        });
        found.sort_unstable();
        let mut through = 0;
        for &wall in &found {
            add_directions(centre, &walls[wall as usize], &mut through, |along| visit(corner, along, wall));
        }
    }
    looked_at
}

/// The same wall by wall: each wall searches for its corners in a [`CornerTree`].
pub(super) fn corner_directions_by_wall(
    corners: &[(u32, Vec2)],
    walls: &[Wall],
    mut visit: impl FnMut(u32, Vec2, u32),
) -> usize {
    let mut boxes: Vec<(Bounds, u32)> = corners.iter().map(|&(_, at)| Bounds::around(at, 0.0)).zip(0..).collect();
    let all = Tree::new(&mut boxes);
    // A corner is closed when the limit of walls runs through it.
    let mut open = CornerTree::new(corners.iter().map(|(_, centre)| centre.as_dvec2()).collect());
    let mut through = vec![0; corners.len()];
    let (mut looked_at, mut found) = (0, Vec::new());
    for (wall, number) in walls.iter().zip(0..) {
        found.clear();
        for end in [wall.a, wall.b] {
            all.for_each_overlapping(expanded(Bounds::around(end, 0.0), 1.0), |at| found.push(at));
        }
        open.for_each_near(wall, &mut looked_at, &mut |at| found.push(at));
        looked_at += found.len();
        found.retain(|&at| {
            let centre = corners[at as usize].1;
            coincide(closest_point(wall, centre), centre)
        });
        found.sort_unstable();
        found.dedup();
        for &at in &found {
            let ((corner, centre), through) = (corners[at as usize], &mut through[at as usize]);
            let before = *through;
            add_directions(centre, wall, through, |along| visit(corner, along, number));
            if before < MOST_THROUGH && *through == MOST_THROUGH {
                open.close(at);
            }
        }
    }
    looked_at
}

/// Calls `visit` with the directions along a wall from a corner on it. `through` counts the walls that run through the
/// corner.
fn add_directions(centre: Vec2, wall: &Wall, through: &mut usize, mut visit: impl FnMut(Vec2)) {
    let [starts, ends] = [wall.a, wall.b].map(|end| coincide(centre, end));
    if !(starts || ends) {
        if *through == MOST_THROUGH {
            return;
        }
        *through += 1;
    }
    let [onward, backward] = match wall.curved() {
        Some(curved) => curved.directions_at(centre),
        None => [wall.b - wall.a, wall.a - wall.b],
    };
    if !ends || wall.a == wall.b {
        visit(onward);
    }
    if !starts || wall.a == wall.b {
        visit(backward);
    }
}

/// Points closer than a few roundings of their coordinates are one.
pub(super) fn coincide(a: Vec2, b: Vec2) -> bool {
    let scale = a.abs().max_element().max(b.abs().max_element());
    a.distance_squared(b) <= (ROUNDING * scale) * (ROUNDING * scale) + WELD_LEAST_SQUARED
}

/// The box expanded on all sides by `times` the welding distance.
pub(super) fn expanded(bounds: Bounds, times: f32) -> Bounds {
    bounds.expanded(times * (2.0 * ROUNDING * bounds.farthest() + 2.0 * WELD_LEAST))
}
