//! Which terrain is near each disc, and how far the disc may go before that has to be asked for again.
//!
//! For every disc a place is remembered, the distance from there within which there is no terrain at all, and the list of all
//! terrain within a larger distance. What a disc does far from terrain then costs one comparison, whoever moves it; and as only
//! what it touches is ever acted upon, in the order of the pieces, it never shows in a result what was remembered.

use bevy::{math::DVec2, prelude::*};

use super::{
    kernels::{WIDE, distances_squared, negative},
    lanes::more,
    space::{Corner, Wall},
    terrain_index::{Piece, TerrainIndex},
};

/// What is remembered; by the index of the disc. It is a statement about places and holds for whatever disc has that index.
#[derive(Clone, Debug, Default)]
pub(super) struct NearTerrain {
    /// For which terrain it was found.
    version: u64,
    place: Vec<Vec2>,
    /// How far the nearest terrain is from there, at least, metres; negative where nobody knows.
    clear: Vec<f32>,
    /// How far from there all terrain is listed, metres; negative where none is.
    listed: Vec<f32>,
    /// Where the list begins and ends in `pieces`.
    list: Vec<[u32; 2]>,
    pieces: Vec<Piece>,
    /// The discs that may have touched terrain in this substep, in their order.
    pub(super) touching: Vec<u32>,
}

/// All terrain, as one looks at it.
#[derive(Clone, Copy)]
pub(super) struct Fixed<'a> {
    pub(super) walls: &'a [Wall],
    pub(super) corners: &'a [Corner],
    pub(super) index: &'a TerrainIndex,
}

impl Fixed<'_> {
    /// How far a point is from a piece, metres.
    fn distance(&self, piece: Piece, from: DVec2) -> f64 {
        match piece {
            Piece::Wall(wall) => {
                let Wall { a, b, .. } = self.walls[wall as usize];
                let (a, along) = (a.as_dvec2(), b.as_dvec2() - a.as_dvec2());
                let share = ((from - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
                (from - a - along * share).length_squared().sqrt()
            }
            Piece::Corner(corner) => {
                let Corner { centre, radius, .. } = &self.corners[corner as usize];
                ((from - centre.as_dvec2()).length_squared().sqrt() - f64::from(*radius)).max(0.0)
            }
        }
    }
}

/// A disc that is this close to terrain, as a share of its radius, may touch it.
pub(super) const NEAR: f32 = 1e-3;

/// A longer list than this is cut down to what is really near.
const LONG: usize = 24;

impl NearTerrain {
    /// Makes room for `count` discs, and forgets everything if the terrain has changed.
    pub(super) fn prepare(&mut self, count: usize, Fixed { walls, corners, index }: &Fixed) {
        let Self { version, place, clear, listed, list, pieces, .. } = self;
        if *version != index.version() || pieces.len() > 16 * count + 4096 {
            *version = index.version();
            clear.clear();
            listed.clear();
            pieces.clear();
        }
        place.resize(count, Vec2::ZERO);
        // Where there is no terrain at all, nothing is near.
        clear.resize(count, if walls.is_empty() && corners.is_empty() { f32::INFINITY } else { -1.0 });
        listed.resize(count, -1.0);
        list.resize(count, [0; 2]);
    }

    /// Places, and how far from there nothing is; what the disc with the same index may do there unnoticed.
    pub(super) fn circles(&self) -> (&[Vec2], &[f32]) {
        (&self.place, &self.clear)
    }

    /// Whether a disc with this radius, where it is, may touch terrain.
    pub(super) fn is_near(&self, i: usize, at: Vec2, radius: f32) -> bool {
        let free = self.clear[i] - radius * (1.0 + NEAR);
        !(free > 0.0 && at.distance_squared(self.place[i]) < free * free)
    }

    /// Looks how far the nearest terrain is from a disc, which may go on for `way` metres, and says whether it may touch any.
    pub(super) fn may_touch(&mut self, i: usize, fixed: &Fixed, centre: Vec2, radius: f32, way: f32) -> bool {
        let reach = (radius + way) * 1.0001;
        let moved = self.place[i].distance(centre);
        if (moved + reach) * 1.000_001 <= self.listed[i] {
            // What is listed for a circle is all there is in one inside of it.
            let extent = self.listed[i] - moved * 1.000_001;
            let [start, end] = self.list[i];
            let from = centre.as_dvec2();
            let pieces = &self.pieces[start as usize..end as usize];
            let nearest = pieces.iter().map(|&piece| fixed.distance(piece, from)).fold(f64::from(extent), f64::min);
            (self.place[i], self.listed[i]) = (centre, extent);
            self.clear[i] = sure(nearest, centre);
        } else {
            self.ask(i, fixed, centre, reach, radius);
        }
        !(reach < self.clear[i])
    }

    /// All pieces that meet the circle of `reach` metres around `centre`, and some more, in their order.
    pub(super) fn list(&mut self, i: usize, fixed: &Fixed, centre: Vec2, reach: f32, radius: f32) -> &[Piece] {
        let way = self.place[i].distance(centre);
        if !((way + reach) * 1.000_001 <= self.listed[i]) {
            self.ask(i, fixed, centre, reach, radius);
        }
        let [start, end] = self.list[i];
        &self.pieces[start as usize..end as usize]
    }

    /// Asks anew what is around a disc, at least as far as `reach`.
    fn ask(&mut self, i: usize, fixed: &Fixed, centre: Vec2, reach: f32, radius: f32) {
        let Self { place, clear, listed, list, pieces, .. } = self;
        let start = pieces.len();
        let mut extent = reach + 8.0 * radius;
        let [x, y] = centre.to_array();
        fixed.index.for_each_near([x - extent, y - extent, x + extent, y + extent], |piece| pieces.push(piece));
        let from = centre.as_dvec2();
        if pieces.len() - start > LONG {
            // No more is known than was asked for.
            extent = extent.min(1.5 * reach);
        }
        let (mut nearest, mut kept) = (f64::INFINITY, start);
        for at in start..pieces.len() {
            let distance = fixed.distance(pieces[at], from);
            nearest = nearest.min(distance);
            if distance <= f64::from(extent) {
                pieces[kept] = pieces[at];
                kept += 1;
            }
        }
        pieces.truncate(kept);
        pieces[start..].sort_unstable();
        let known = f64::from(reach + 8.0 * radius).max(within(fixed.index.clearing(), centre));
        place[i] = centre;
        clear[i] = sure(nearest.min(known), centre);
        listed[i] = extent;
        list[i] = [start as u32, pieces.len() as u32];
    }
}

/// A little less than a distance from a point, so that no rounding makes it more.
fn sure(distance: f64, from: Vec2) -> f32 {
    let rounding = 1e-6 * f64::from(from.abs().max_element());
    (distance * (1.0 - 1e-6) - rounding).max(-1.0) as f32
}

/// How far a point in a box is from its sides; negative outside of it.
fn within([left, bottom, right, top]: [f32; 4], at: Vec2) -> f64 {
    let [x, y] = at.to_array().map(f64::from);
    let least = (x - f64::from(left)).min(f64::from(right) - x).min(y - f64::from(bottom)).min(f64::from(top) - y);
    least.min(1e12)
}

/// Which of some discs may touch terrain on their way, as bits; `points` are where they were, where they are, and the places for
/// which one knows how far the nearest terrain is, `circles` their radii and those distances.
#[inline(always)]
pub(super) fn touching([from, to, place]: [&[Vec2; WIDE]; 3], circles: [&[f32; WIDE]; 2]) -> u32 {
    let ways = [distances_squared(place, from), distances_squared(place, to)];
    let mut left = [0.0; WIDE];
    for k in 0..WIDE {
        let free = circles[1][k] - circles[0][k] * (1.0 + NEAR);
        // A straight path with both ends in the circle lies in it.
        left[k] = free * free.abs() - more(ways[0][k], ways[1][k]);
    }
    negative(&left)
}
