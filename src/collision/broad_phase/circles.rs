//! A flat list of circles, tested sixteen at a time. It holds the circles outside the grid, and in a small scene all of
//! them.

use bevy::math::Vec2;

use crate::collision::{
    shape::{Bounds, rounding::padded},
    simd::SimdWidth,
};

/// Upper bound of the radius of a circle, metres. Such a circle contains every valid position (within 1e12 m), and the
/// square of twice its radius is still finite in `f32`.
const MAX_REACH: f32 = 1e18;

/// For each disc a circle around its path until the end of the tick, padded to a multiple of sixteen with circles that
/// overlap nothing.
#[derive(Clone, Debug, Default)]
pub struct Circles {
    x: Vec<f32>,
    y: Vec<f32>,
    reach: Vec<f32>,
}

impl Circles {
    pub fn clear(&mut self, count: usize) {
        let count = count.next_multiple_of(16);
        for (values, nothing) in [(&mut self.x, f32::INFINITY), (&mut self.y, f32::INFINITY), (&mut self.reach, 0.0)] {
            values.clear();
            values.resize(count, nothing);
        }
    }

    /// Sets the circle of a disc at `x`, `y` with this radius that moves by at most `path`, metres. The circle is
    /// slightly larger, so that rounding loses no pair.
    #[inline(always)]
    pub fn set(&mut self, i: usize, [x, y]: [f32; 2], radius: f32, path: f32) {
        (self.x[i], self.y[i]) = (x, y);
        self.reach[i] = padded(radius + path, Vec2::new(x, y)).min(MAX_REACH);
    }

    /// Appends a circle, or replaces another.
    pub fn put(&mut self, at: usize, centre: Vec2, reach: f32) {
        if at >= self.x.len() {
            self.x.resize(self.x.len() + 16, f32::INFINITY);
            self.y.resize(self.y.len() + 16, f32::INFINITY);
            self.reach.resize(self.reach.len() + 16, 0.0);
        }
        (self.x[at], self.y[at], self.reach[at]) = (centre.x, centre.y, reach);
    }

    /// The smallest box around a circle.
    #[inline(always)]
    pub fn bounds(&self, i: usize) -> Bounds {
        Bounds::around(Vec2::new(self.x[i], self.y[i]), self.reach[i])
    }

    /// The circles of group `group` of sixteen that overlap the one around `x`, `y`, as bits.
    #[inline(always)]
    pub fn overlap_mask<W: SimdWidth>(&self, simd: W, [x, y]: [f32; 2], reach: f32, group: usize) -> u32 {
        let (xs, ys, reaches) =
            (&self.x.as_chunks().0[group], &self.y.as_chunks().0[group], &self.reach.as_chunks().0[group]);
        let (dx, dy) = (simd.sub(simd.load(xs), simd.splat(x)), simd.sub(simd.load(ys), simd.splat(y)));
        let sum = simd.add(simd.load(reaches), simd.splat(reach));
        simd.is_at_most(simd.add(simd.mul(dx, dx), simd.mul(dy, dy)), simd.mul(sum, sum))
    }

    /// Calls `visit` with every circle that overlaps the one around `centre`, in order.
    #[inline(always)]
    pub fn for_each_overlapping<W: SimdWidth>(&self, simd: W, centre: Vec2, reach: f32, mut visit: impl FnMut(usize)) {
        for group in 0..self.x.len() / 16 {
            let mut mask = self.overlap_mask(simd, centre.to_array(), reach, group);
            while mask != 0 {
                visit(16 * group + mask.trailing_zeros() as usize);
                mask &= mask - 1;
            }
        }
    }

    /// Calls `visit` with every other circle that overlaps circle `i`, in order.
    #[inline(always)]
    pub fn for_each_overlapping_circle<W: SimdWidth>(&self, simd: W, i: usize, mut visit: impl FnMut(usize)) {
        self.for_each_overlapping(simd, Vec2::new(self.x[i], self.y[i]), self.reach[i], |j| {
            if j != i {
                visit(j);
            }
        });
    }

    /// Whether any other circle overlaps circle `i`.
    #[inline(always)]
    pub fn is_met<W: SimdWidth>(&self, simd: W, i: usize) -> bool {
        // A loop, as a closure would not be compiled for the SIMD level.
        for group in 0..self.x.len() / 16 {
            let itself = if i / 16 == group { 1 << (i % 16) } else { 0 };
            if self.overlap_mask(simd, [self.x[i], self.y[i]], self.reach[i], group) & !itself != 0 {
                return true;
            }
        }
        false
    }
}
