//! Which terrain is near each disc, and how far the disc may go before that has to be asked for again.
//!
//! For every disc a box without terrain is remembered, and the list of all terrain around some place. What a disc does far from
//! terrain then costs one comparison, whoever moves it; and as only what it touches is ever acted upon, in the order of the pieces,
//! it never shows in a result what was remembered.

use bevy::{math::DVec2, prelude::*};

use super::{
    kernels::{WIDE, any_of_two, halves},
    lanes::{Sixteen, less, more},
    space::{Corner, Wall},
    terrain_index::{Piece, TerrainIndex},
};

/// What is remembered; by the index of the disc. It is a statement about places and holds for whatever disc has that index.
#[derive(Clone, Debug, Default)]
pub(super) struct NearTerrain {
    /// For which terrain it was found.
    version: u64,
    /// The lower left corner of a box without terrain, metres; infinite where nobody knows of one.
    low: Vec<Vec2>,
    /// Its upper right corner.
    high: Vec<Vec2>,
    /// Around where terrain is listed, metres.
    place: Vec<Vec2>,
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

    /// Whether a point is farther than so many metres from a piece: its distance, without roots and quotients.
    fn is_beyond(&self, piece: Piece, from: DVec2, least: f64) -> bool {
        match piece {
            Piece::Wall(wall) => {
                let Wall { a, b, .. } = self.walls[wall as usize];
                let (from, along) = (from - a.as_dvec2(), b.as_dvec2() - a.as_dvec2());
                let (part, squared) = (from.dot(along), along.length_squared());
                if part > 0.0 && part < squared {
                    let beside = along.perp_dot(from);
                    beside * beside > least * least * squared
                } else {
                    let end = if part > 0.0 { from - along } else { from };
                    end.length_squared() > least * least
                }
            }
            Piece::Corner(corner) => {
                let Corner { centre, radius, .. } = &self.corners[corner as usize];
                let least = least + f64::from(*radius);
                (from - centre.as_dvec2()).length_squared() > least * least
            }
        }
    }

    /// The lower left and the upper right corner of the box around a piece, metres.
    fn bounds(&self, piece: Piece) -> (Vec2, Vec2) {
        match piece {
            Piece::Wall(wall) => self.walls[wall as usize].bounds(),
            Piece::Corner(corner) => self.corners[corner as usize].bounds(),
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
        let Self { version, low, high, place, listed, list, pieces, .. } = self;
        if *version != index.version() || pieces.len() > 16 * count + 4096 {
            *version = index.version();
            low.clear();
            high.clear();
            listed.clear();
            pieces.clear();
        }
        // Where there is no terrain at all, nothing is near.
        let unknown = if walls.is_empty() && corners.is_empty() { f32::NEG_INFINITY } else { f32::INFINITY };
        low.resize(count, Vec2::splat(unknown));
        high.resize(count, Vec2::splat(-unknown));
        place.resize(count, Vec2::ZERO);
        listed.resize(count, -1.0);
        list.resize(count, [0; 2]);
    }

    /// The box without terrain that is the same for all discs: its lower left and its upper right corner, each eight times.
    pub(super) fn clear_box(index: &TerrainIndex) -> [[f32; WIDE]; 2] {
        let (low, high) = clear_box(index);
        let eight = |corner: Vec2| pulp::cast([corner; WIDE / 2]);
        [eight(low), eight(high)]
    }

    /// The lower left and the upper right corners of boxes without terrain; what the disc with the same index may do there unnoticed.
    pub(super) fn boxes(&self) -> (&[Vec2], &[Vec2]) {
        (&self.low, &self.high)
    }

    /// Whether a disc with this radius, where it is, may touch terrain.
    pub(super) fn is_near(&self, i: usize, at: Vec2, radius: f32) -> bool {
        let margin = radius * (1.0 + NEAR);
        !((at - margin).cmpge(self.low[i]).all() && (at + margin).cmple(self.high[i]).all())
    }

    /// All terrain that a disc which may go on for `way` metres may touch, and some more, in its order; none if it cannot touch any.
    pub(super) fn near(&mut self, i: usize, fixed: &Fixed, centre: Vec2, radius: f32, way: f32) -> Option<&[Piece]> {
        let reach = (radius + way) * 1.0001;
        if !self.lists(i, centre, reach) {
            self.ask(i, fixed, centre, reach, radius);
        }
        let [start, end] = self.list[i].map(|at| at as usize);
        let (from, least) = (centre.as_dvec2(), f64::from(reach) * (1.0 + 1e-6) + 1e-6 * far(centre));
        let pieces = &self.pieces[start..end];
        if pieces.iter().any(|&piece| !fixed.is_beyond(piece, from, least)) {
            return Some(&self.pieces[start..end]);
        }
        // What is listed for a circle is all there is in a square inside of it.
        let half = (self.listed[i] - self.place[i].distance(centre) * 1.000_001) * 0.7;
        (self.low[i], self.high[i]) = free_box(fixed, pieces, centre, [reach, half]);
        if half < 2.0 * reach {
            // What is known has come to an end here.
            self.listed[i] = -1.0;
        }
        None
    }

    /// All pieces that meet the circle of `reach` metres around `centre`, and some more, in their order.
    pub(super) fn list(&mut self, i: usize, fixed: &Fixed, centre: Vec2, reach: f32, radius: f32) -> &[Piece] {
        if !self.lists(i, centre, reach) {
            self.ask(i, fixed, centre, reach, radius);
        }
        let [start, end] = self.list[i];
        &self.pieces[start as usize..end as usize]
    }

    /// Whether the list of a disc holds all pieces that meet the circle of `reach` metres around `centre`.
    fn lists(&self, i: usize, centre: Vec2, reach: f32) -> bool {
        let left = self.listed[i] * (1.0 - 1e-6) - reach;
        left >= 0.0 && self.place[i].distance_squared(centre) <= left * left * (1.0 - 1e-6)
    }

    /// Asks anew what is around a disc, at least as far as `reach`.
    fn ask(&mut self, i: usize, fixed: &Fixed, centre: Vec2, reach: f32, radius: f32) {
        let Self { place, listed, list, pieces, .. } = self;
        let start = pieces.len();
        let mut extent = reach + 8.0 * radius;
        let [x, y] = centre.to_array();
        fixed.index.for_each_near([x - extent, y - extent, x + extent, y + extent], |piece| pieces.push(piece));
        if pieces.len() - start > LONG {
            // No more is known than was asked for.
            extent = extent.min(1.5 * reach);
            let from = centre.as_dvec2();
            let mut kept = start;
            for at in start..pieces.len() {
                if fixed.distance(pieces[at], from) <= f64::from(extent) {
                    pieces[kept] = pieces[at];
                    kept += 1;
                }
            }
            pieces.truncate(kept);
        }
        pieces[start..].sort_unstable();
        place[i] = centre;
        listed[i] = extent;
        list[i] = [start as u32, pieces.len() as u32];
    }
}

/// A box around a point that holds no terrain, `pieces` being all that there is within `half` metres of it along either axis, and none
/// within `reach` metres. It lies inside of what terrain leaves by a little, so that no rounding makes it more.
fn free_box(fixed: &Fixed, pieces: &[Piece], centre: Vec2, [reach, half]: [f32; 2]) -> (Vec2, Vec2) {
    let sure = 2e-6 * far(centre) as f32;
    let (clear_low, clear_high) = clear_box(fixed.index);
    if (centre - reach).cmpgt(clear_low).all() && (centre + reach).cmplt(clear_high).all() {
        return (clear_low, clear_high);
    }
    let (mut low, mut high) = (centre - half, centre + half);
    for &piece in pieces {
        let (from, to) = fixed.bounds(piece);
        if !(from.cmplt(high).all() && low.cmplt(to).all()) {
            continue;
        }
        // The side on which most is left.
        let left = [from.x - centre.x, centre.x - to.x, from.y - centre.y, centre.y - to.y];
        let most = (0..4).fold(0, |best, side| if left[side] > left[best] { side } else { best });
        if left[most] > 0.0 {
            match most {
                0 => high.x = less(high.x, from.x),
                1 => low.x = more(low.x, to.x),
                2 => high.y = less(high.y, from.y),
                _ => low.y = more(low.y, to.y),
            }
        } else {
            let half = 0.7 * fixed.distance(piece, centre.as_dvec2()) as f32;
            (low, high) = (low.max(centre - half), high.min(centre + half));
        }
    }
    (low + sure, high - sure)
}

/// A box without terrain, a little smaller than it is: its lower left and its upper right corner, metres.
pub(super) fn clear_box(index: &TerrainIndex) -> (Vec2, Vec2) {
    let (low, high) = index.clear_box();
    (low + low.abs() * 2e-6, high - high.abs() * 2e-6)
}

/// The larger coordinate of a point, metres.
fn far(at: Vec2) -> f64 {
    f64::from(at.abs().max_element())
}

/// Which of some discs may touch terrain on their way, as bits: those whose straight path from `from` to `to` does not lie in their
/// boxes without terrain. Nor in the one that is the same for all, which is asked first.
#[inline(always)]
pub(super) fn touching<L: Sixteen>(
    lanes: L,
    [from, to]: [&[Vec2; WIDE]; 2],
    radius: &[f32; WIDE],
    [low, high]: [&[Vec2; WIDE]; 2],
    clear: &[[f32; WIDE]; 2],
) -> u32 {
    let margin = lanes.twice(lanes.mul(lanes.load(radius), lanes.splat(1.0 + NEAR)));
    let (from, to) = (halves(from), halves(to));
    let (clear_low, clear_high) = (lanes.load(&clear[0]), lanes.load(&clear[1]));
    let (from, to) = ([lanes.load(&from[0]), lanes.load(&from[1])], [lanes.load(&to[0]), lanes.load(&to[1])]);
    // Should a coordinate be no number, it is `to`'s.
    let least = [lanes.sub(lanes.less(to[0], from[0]), margin[0]), lanes.sub(lanes.less(to[1], from[1]), margin[1])];
    let most = [lanes.add(lanes.more(to[0], from[0]), margin[0]), lanes.add(lanes.more(to[1], from[1]), margin[1])];
    let above = lanes.is_at_most(clear_low, least[0]) & lanes.is_at_most(clear_low, least[1]);
    let below = lanes.is_at_most(most[0], clear_high) & lanes.is_at_most(most[1], clear_high);
    if above & below == 0xffff {
        return 0;
    }
    let (low, high) = (halves(low), halves(high));
    let (low, high) = ([lanes.load(&low[0]), lanes.load(&low[1])], [lanes.load(&high[0]), lanes.load(&high[1])]);
    let first = lanes.is_at_most(low[0], least[0]) & lanes.is_at_most(most[0], high[0]);
    let second = lanes.is_at_most(low[1], least[1]) & lanes.is_at_most(most[1], high[1]);
    let outside = !(first | second << WIDE);
    if outside == 0 { 0 } else { any_of_two(outside) }
}
