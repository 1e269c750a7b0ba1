//! Vertex welding: which corners are one, where walls end, and which walls start at a corner or run through it.
//!
//! Corners closer than a few roundings of their coordinates are one. The rule depends on nothing but the order of the points: each is
//! welded to the first that it is near, of those that represent themselves. So a change goes from a corner to later ones only, and
//! only to those near it. Ends of walls are then put where their corners are, so that two walls that meet leave no gap as wide as a
//! rounding.

use bevy::prelude::*;

use super::{
    Piece, TerrainIndex, bounds_of,
    pieces::{NONE, Pieces, TerrainArrays},
    tree::{Bounds, Tree},
};
use crate::collision::{
    geometry::closest_point,
    space::{FixedCircle, Wall},
};

impl Pieces {
    /// Welds all points, and finds what follows from it. The walls are those of the pieces, the corners whatever they were.
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

    /// Finds the representative of every point.
    pub(super) fn weld_all(&mut self) {
        // Of points in the same place only the first can represent itself, and all the others do as it does.
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
                // Those that come later have not been asked and represent nobody.
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

    pub(super) fn is_corner(&self, i: u32) -> bool {
        self.points[i as usize].radius == 0.0
    }

    /// The box of a point in the tree of the representatives.
    pub(super) fn point_bounds(&self, i: u32) -> Bounds {
        let Vec2 { x, y } = self.points[i as usize].centre;
        [x, y, x, y]
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
        let mut first = end;
        self.tree.for_each_overlapping(expanded(bounds_of((place, place)), 1.0), |i| {
            let point = &self.points[i as usize];
            if i < first && point.representative == i && coincide(point.centre, place) {
                first = i;
            }
        });
        (first < end).then_some(first)
    }

    /// Those that are welded to a representative.
    pub(super) fn members(&self, representative: u32) -> impl Iterator<Item = u32> + '_ {
        let next = |i: u32| Some(self.points[i as usize].next).filter(|&next| next != NONE);
        std::iter::successors(next(representative), move |&i| next(i))
    }

    /// The least restitution of a representative and those that are welded to it.
    pub(super) fn restitution(&self, representative: u32) -> Option<f32> {
        let own = |i: u32| self.points[i as usize].restitution;
        self.members(representative).filter_map(own).chain(own(representative)).min_by(f32::total_cmp)
    }

    /// The ends of a wall, put where its corners are; but a wall that is all within one corner stays as it is.
    pub(super) fn snap_ends(&self, [a, b]: [Vec2; 2]) -> [Vec2; 2] {
        let at = |end| {
            self.first_representative_at(end, NONE)
                .map_or(end, |representative| self.points[representative as usize].centre)
        };
        let snapped = [at(a), at(b)];
        if snapped[0] == snapped[1] { [a, b] } else { snapped }
    }
}

/// Finds the directions along the walls that start at a corner or run through it, in their order.
pub(super) fn find_wall_directions(
    circle: &mut FixedCircle,
    walls: &[Wall],
    index: &TerrainIndex,
    found: &mut Vec<u32>,
) {
    let directions = &mut circle.walls;
    directions.clear();
    corner_directions(circle.centre, walls, index, found, |along, _| directions.push(along));
}

/// Calls `visit` with the direction along every wall that starts at a corner or runs through it, and which that is, in their order. `found` is memory.
pub(in crate::collision) fn corner_directions(
    centre: Vec2,
    walls: &[Wall],
    index: &TerrainIndex,
    found: &mut Vec<u32>,
    mut visit: impl FnMut(Vec2, u32),
) {
    found.clear();
    index.tree.for_each_overlapping(expanded(bounds_of((centre, centre)), 1.0), |number| {
        if let Piece::Wall(wall) = Piece::of_number(number)
            && coincide(closest_point(&walls[wall as usize], centre), centre)
        {
            found.push(wall);
        }
    });
    found.sort_unstable();
    for &wall in &*found {
        let at = &walls[wall as usize];
        let [onward, backward] = match at.curved() {
            Some(curved) => curved.directions_at(centre),
            None => [at.b - at.a, at.a - at.b],
        };
        if !coincide(centre, at.b) || at.a == at.b {
            visit(onward, wall);
        }
        if !coincide(centre, at.a) || at.a == at.b {
            visit(backward, wall);
        }
    }
}

/// Points closer than a few roundings of their coordinates are one.
pub(super) fn coincide(a: Vec2, b: Vec2) -> bool {
    let scale = a.abs().max_element().max(b.abs().max_element());
    a.distance_squared(b) <= (1e-6 * scale) * (1e-6 * scale) + 1e-18
}

/// A box that holds all points which are so many times as far from a point of this one as those that are one, and some more.
pub(super) fn expanded([left, bottom, right, top]: Bounds, times: f32) -> Bounds {
    let scale = left.abs().max(bottom.abs()).max(right.abs()).max(top.abs());
    let margin = times * (2e-6 * scale + 2e-9);
    [left - margin, bottom - margin, right + margin, top + margin]
}
