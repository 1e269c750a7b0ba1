//! Neighbour lists of terrain: the terrain near each disc, and how far the disc may move before the list must be
//! updated.
//!
//! Each disc has a box without terrain, and a list of all terrain around some place. So a disc far from terrain costs
//! one comparison, whatever moves it. Only terrain that the disc touches acts on it, in the order of the pieces, so the
//! state of these lists never affects a result.

use bevy::prelude::*;

pub use crate::collision::shape::rounding::CONTACT_MARGIN;
use crate::collision::{
    shape::{
        Bounds,
        rounding::{PADDED, ROUNDING, ROUNDING_F64, SQUARE_IN_CIRCLE},
    },
    simd::{
        SimdWidth,
        kernels::{WIDE, any_of_two, halves},
        max, min,
    },
    terrain::{
        TerrainView,
        index::{Piece, TerrainIndex},
    },
};

/// The lists, by disc index. An entry is a statement about places, and holds for any disc with that index.
#[derive(Clone, Debug, Default)]
pub struct TerrainNeighbours {
    /// The version of the terrain.
    version: u64,
    /// The lower left corner of a box without terrain, metres; infinite if none is known.
    low: Vec<Vec2>,
    /// Its upper right corner.
    high: Vec<Vec2>,
    /// The place around which terrain is listed, metres.
    place: Vec<Vec2>,
    /// The distance within which all terrain is listed, metres; negative if none is.
    list_radius: Vec<f32>,
    /// The start and end of the list in `pieces`.
    list: Vec<[u32; 2]>,
    pieces: Vec<Piece>,
    /// The discs that `PushApart` moved and that are outside the common box without terrain; possibly twice.
    pub pushed: Vec<u32>,
    /// The discs that may have touched terrain in this substep, in order.
    pub touching: Vec<u32>,
}

/// A longer list is reduced to the pieces that are really near, as each costs a test per substep. Chosen by hand; no
/// measurement was kept.
const LONG_LIST: usize = 24;

impl TerrainNeighbours {
    /// Makes room for `count` discs, and discards everything if the terrain has changed.
    pub fn prepare(&mut self, count: usize, TerrainView { walls, fixed_circles, index }: &TerrainView) {
        let Self { version, low, high, place, list_radius, list, pieces, .. } = self;
        if *version != index.version() || pieces.len() > 16 * count + 4096 {
            *version = index.version();
            low.clear();
            high.clear();
            list_radius.clear();
            pieces.clear();
        }
        // Without any terrain, nothing is near.
        let unknown = if walls.is_empty() && fixed_circles.is_empty() { f32::NEG_INFINITY } else { f32::INFINITY };
        low.resize(count, Vec2::splat(unknown));
        high.resize(count, Vec2::splat(-unknown));
        place.resize(count, Vec2::ZERO);
        list_radius.resize(count, -1.0);
        list.resize(count, [0; 2]);
    }

    /// The common box without terrain: its lower left and upper right corner, each eight times.
    pub fn clear_box(index: &TerrainIndex) -> [[f32; WIDE]; 2] {
        let Bounds { low, high } = clear_box(index);
        let eight = |corner: Vec2| pulp::cast([corner; WIDE / 2]);
        [eight(low), eight(high)]
    }

    /// The lower left and upper right corners of boxes without terrain: within its box, a disc cannot touch terrain.
    pub fn boxes(&self) -> (&[Vec2], &[Vec2]) {
        (&self.low, &self.high)
    }

    /// Whether a disc with this radius may touch terrain at its current position.
    pub fn is_near(&self, i: usize, at: Vec2, radius: f32) -> bool {
        let margin = radius * (1.0 + CONTACT_MARGIN);
        !((at - margin).cmpge(self.low[i]).all() && (at + margin).cmple(self.high[i]).all())
    }

    /// All terrain that a disc may touch on a path of up to `way` metres, and some more, in order; `None` if it cannot
    /// touch any.
    pub fn near(&mut self, i: usize, fixed: &TerrainView, centre: Vec2, radius: f32, way: f32) -> Option<&[Piece]> {
        let reach = (radius + way) * PADDED;
        if !self.lists(i, centre, reach) {
            self.query(i, fixed, centre, reach, radius);
        }
        let [start, end] = self.list[i].map(|at| at as usize);
        let (from, least) = (centre.as_dvec2(), f64::from(reach) * (1.0 + ROUNDING_F64) + ROUNDING_F64 * far(centre));
        let pieces = &self.pieces[start..end];
        if pieces.iter().any(|&piece| !fixed.is_beyond(piece, from, least)) {
            return Some(&self.pieces[start..end]);
        }
        // The list for a circle is complete in a square inside it.
        let half = (self.list_radius[i] - self.place[i].distance(centre) * (1.0 + ROUNDING)) * SQUARE_IN_CIRCLE;
        Bounds { low: self.low[i], high: self.high[i] } = free_box(fixed, pieces, centre, reach, half);
        if half < 2.0 * reach {
            // The known region ends here.
            self.list_radius[i] = -1.0;
        }
        None
    }

    /// All pieces that overlap the circle of `reach` metres around `centre`, and some more, in order.
    pub fn list(&mut self, i: usize, fixed: &TerrainView, centre: Vec2, reach: f32, radius: f32) -> &[Piece] {
        if !self.lists(i, centre, reach) {
            self.query(i, fixed, centre, reach, radius);
        }
        let [start, end] = self.list[i];
        &self.pieces[start as usize..end as usize]
    }

    /// Whether the list of a disc contains all pieces that overlap the circle of `reach` metres around `centre`.
    fn lists(&self, i: usize, centre: Vec2, reach: f32) -> bool {
        let left = self.list_radius[i] * (1.0 - ROUNDING) - reach;
        left >= 0.0 && self.place[i].distance_squared(centre) <= left * left * (1.0 - ROUNDING)
    }

    /// Lists the terrain around a disc again, at least within `reach`.
    fn query(&mut self, i: usize, fixed: &TerrainView, centre: Vec2, reach: f32, radius: f32) {
        let Self { place, list_radius, list, pieces, .. } = self;
        let start = pieces.len();
        let mut extent = reach + 8.0 * radius;
        fixed.index.for_each_overlapping(Bounds::around(centre, extent), |piece| pieces.push(piece));
        if pieces.len() - start > LONG_LIST {
            // Nothing is known beyond the request.
            extent = extent.min(1.5 * reach);
            let from = centre.as_dvec2();
            let mut kept = start;
            for at in start..pieces.len() {
                if fixed.closest(pieces[at], from).distance <= f64::from(extent) {
                    pieces[kept] = pieces[at];
                    kept += 1;
                }
            }
            pieces.truncate(kept);
        }
        pieces[start..].sort_unstable();
        place[i] = centre;
        list_radius[i] = extent;
        list[i] = [start as u32, pieces.len() as u32];
    }
}

/// A box around a point without terrain. `pieces` are all pieces within `half` metres of it along either axis, and none
/// is within `reach` metres. It is slightly smaller than the free space, so that no rounding exceeds it.
fn free_box(fixed: &TerrainView, pieces: &[Piece], centre: Vec2, reach: f32, half: f32) -> Bounds {
    let rounding = 2.0 * ROUNDING * far(centre) as f32;
    let clear_box = clear_box(fixed.index);
    if is_clear(clear_box, centre, reach) {
        return clear_box;
    }
    let (mut low, mut high) = (centre - half, centre + half);
    for &piece in pieces {
        let Bounds { low: from, high: to } = fixed.bounds(piece);
        if !(from.cmplt(high).all() && low.cmplt(to).all()) {
            continue;
        }
        // The side with the most space.
        let left = [from.x - centre.x, centre.x - to.x, from.y - centre.y, centre.y - to.y];
        let most = (0..4).fold(0, |best, side| if left[side] > left[best] { side } else { best });
        if left[most] > 0.0 {
            match most {
                0 => high.x = min(high.x, from.x),
                1 => low.x = max(low.x, to.x),
                2 => high.y = min(high.y, from.y),
                _ => low.y = max(low.y, to.y),
            }
        } else {
            let half = SQUARE_IN_CIRCLE * fixed.closest(piece, centre.as_dvec2()).distance.max(0.0) as f32;
            (low, high) = (low.max(centre - half), high.min(centre + half));
        }
    }
    Bounds::new(low + rounding, high - rounding)
}

/// A common box without terrain, slightly reduced.
pub fn clear_box(index: &TerrainIndex) -> Bounds {
    let Bounds { low, high } = index.empty_box();
    Bounds::new(low + low.abs() * (2.0 * ROUNDING), high - high.abs() * (2.0 * ROUNDING))
}

/// Whether a circle is inside a box without terrain.
pub fn is_clear(clear: Bounds, centre: Vec2, radius: f32) -> bool {
    Bounds::around(centre, radius).is_strictly_within(clear)
}

/// The larger magnitude of the coordinates of a point, metres.
fn far(at: Vec2) -> f64 {
    f64::from(at.abs().max_element())
}

/// The discs that may touch terrain on their paths, as bits. Their straight path from `from` to `to` is neither in the
/// common box without terrain, which is tested first, nor in their own.
#[inline(always)]
pub fn touching<W: SimdWidth>(
    simd: W,
    [from, to]: [&[Vec2; WIDE]; 2],
    radius: &[f32; WIDE],
    [low, high]: [&[Vec2; WIDE]; 2],
    clearance: &[[f32; WIDE]; 2],
) -> u32 {
    let margin = simd.twice(simd.mul(simd.load(radius), simd.splat(1.0 + CONTACT_MARGIN)));
    let (from, to) = (halves(from), halves(to));
    let (clear_low, clear_high) = (simd.load(&clearance[0]), simd.load(&clearance[1]));
    let (from, to) = ([simd.load(&from[0]), simd.load(&from[1])], [simd.load(&to[0]), simd.load(&to[1])]);
    // If either coordinate is NaN, `min` and `max` return the coordinate of `to`.
    let least = [simd.sub(simd.min(to[0], from[0]), margin[0]), simd.sub(simd.min(to[1], from[1]), margin[1])];
    let most = [simd.add(simd.max(to[0], from[0]), margin[0]), simd.add(simd.max(to[1], from[1]), margin[1])];
    let clear = [0, 1].map(|half| simd.is_at_most(clear_low, least[half]) & simd.is_at_most(most[half], clear_high));
    if clear[0] & clear[1] == 0xffff {
        return 0;
    }
    let (low, high) = (halves(low), halves(high));
    let (low, high) = ([simd.load(&low[0]), simd.load(&low[1])], [simd.load(&high[0]), simd.load(&high[1])]);
    let first = simd.is_at_most(low[0], least[0]) & simd.is_at_most(most[0], high[0]);
    let second = simd.is_at_most(low[1], least[1]) & simd.is_at_most(most[1], high[1]);
    let outside = !(first | second << WIDE);
    // A disc in its own clear box touches nothing, wherever the other discs are.
    if outside == 0 { 0 } else { any_of_two(outside) & any_of_two(!(clear[0] | clear[1] << WIDE)) }
}
