//! Periodic edges: a disc that leaves on one side enters on the opposite side, and entities near an edge interact
//! across it. Discs are not copied: positions are wrapped into the cell at the end of a step, and the difference of two
//! positions is taken to the nearest image, `d - L round(d / L)`.
//!
//! | what | where |
//! |---|---|
//! | the setting, the cell, differences, images | here |
//! | whether the discs fit into the cell; wrapping of positions | `space` |
//! | candidate pairs across the edges, stepped mode | [`broad_phase`](super::broad_phase), `across` |
//! | impacts across the edges, continuous mode | [`continuous`](super::continuous), `cell_scheduler` |
//! | terrain across the edges: it includes its images | [`PlacedTerrain::seen_across`](super::terrain::index::PlacedTerrain) |
//! | rays and cast discs | `query::across` |
//!
//! A disc can touch only one image of each other disc, as the cell is at least [`MIN_PERIOD`] times as long as the
//! largest diameter.

use bevy::{math::DVec2, prelude::*};

use super::{settings::Periodic, shape::Bounds, simd::SimdWidth};

/// The smallest period of an axis, in diameters of the largest disc. With two diameters, two discs touch in one way
/// only; the rest leaves room for their paths.
pub const MIN_PERIOD: f32 = 2.5;

/// The longest path of a disc in a substep of the stepped mode, in periods. It stays within the half period around the
/// cell in which terrain has images.
const MAX_PATH: f32 = 0.25;

/// The largest number of images of a piece of terrain along an axis. It limits work and memory; a piece longer than
/// this many periods is missing in places.
const MAX_IMAGES: i32 = 16;

/// The cell of a periodic space, as used by the steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    low: Vec2,
    /// Zero along an axis that is not periodic.
    size: Vec2,
    /// One over the size; zero along an axis that is not periodic.
    per_metre: Vec2,
}

impl Cell {
    /// The cell of a setting; `None` if no axis is periodic.
    pub(crate) fn of(periodic: &Periodic) -> Option<Self> {
        let Periodic { x, y } = periodic.in_range();
        let axis =
            |ends: Option<(f32, f32)>| ends.map_or([0.0; 3], |(low, high)| [low, high - low, 1.0 / (high - low)]);
        let ([x_low, width, per_x], [y_low, height, per_y]) = (axis(x), axis(y));
        (x.is_some() || y.is_some()).then_some(Self {
            low: Vec2::new(x_low, y_low),
            size: Vec2::new(width, height),
            per_metre: Vec2::new(per_x, per_y),
        })
    }

    /// The lower end of an axis and its period, metres; `None` if it is not periodic.
    pub fn axis(&self, axis: usize) -> Option<[f64; 2]> {
        (self.size[axis] > 0.0).then(|| [f64::from(self.low[axis]), f64::from(self.size[axis])])
    }

    /// The shortest period, metres.
    pub fn shortest(&self) -> f32 {
        let period = |axis: usize| if self.size[axis] > 0.0 { self.size[axis] } else { f32::INFINITY };
        period(0).min(period(1))
    }

    /// The difference of two positions, to the nearest image.
    #[inline(always)]
    pub(crate) fn nearest(&self, line: Vec2) -> Vec2 {
        line - self.size * (line * self.per_metre).round()
    }

    /// The same in f64.
    #[inline(always)]
    pub fn nearest_exactly(&self, line: DVec2) -> DVec2 {
        line - self.size.as_dvec2() * (line * self.per_metre.as_dvec2()).round()
    }

    /// The same for many, with x and y separate.
    #[inline(always)]
    pub fn nearest_of_many<W: SimdWidth>(&self, simd: W, lines: [W::Floats; 2]) -> [W::Floats; 2] {
        let [mut x, mut y] = lines.map(|values| simd.store(values));
        for (x, y) in x.iter_mut().zip(&mut y) {
            [*x, *y] = self.nearest(Vec2::new(*x, *y)).to_array();
        }
        [simd.load(&x), simd.load(&y)]
    }

    /// Whether an acceleration has no component along a periodic axis.
    pub fn is_level(&self, acceleration: Vec2) -> bool {
        acceleration * self.size == Vec2::ZERO
    }

    /// Wraps a position into the cell. A position that is already inside keeps its bits, and so does NaN.
    pub(crate) fn wrapped(&self, at: Vec2) -> Vec2 {
        Vec2::new(self.wrapped_along(0, at.x), self.wrapped_along(1, at.y))
    }

    /// The same in f64.
    pub fn wrapped_exactly(&self, at: DVec2) -> DVec2 {
        let along = |axis: usize| match self.axis(axis) {
            Some([low, size]) if !(at[axis] >= low && at[axis] < low + size) => {
                at[axis] - size * ((at[axis] - low) / size).floor()
            }
            _ => at[axis],
        };
        DVec2::new(along(0), along(1))
    }

    /// The distance after which a straight path leaves the cell, metres, and the shift to the opposite side.
    pub fn leaving(&self, from: DVec2, direction: DVec2) -> (f64, DVec2) {
        let (mut first, mut shift) = (f64::INFINITY, DVec2::ZERO);
        for axis in 0..2 {
            let Some([low, size]) = self.axis(axis).filter(|_| direction[axis] != 0.0) else { continue };
            let (edge, back) = if direction[axis] > 0.0 { (low + size, -size) } else { (low, size) };
            let distance = ((edge - from[axis]) / direction[axis]).max(0.0);
            if distance < first {
                (first, shift) = (distance, DVec2::ZERO);
                shift[axis] = back;
            }
        }
        (first, shift)
    }

    fn wrapped_along(&self, axis: usize, at: f32) -> f32 {
        let (low, size) = (self.low[axis], self.size[axis]);
        if size == 0.0 || !at.is_finite() || (at >= low && at < low + size) {
            return at;
        }
        let back = at - size * ((at - low) / size).floor();
        // A value rounded onto the far edge becomes the near one.
        if back >= low && back < low + size { back } else { low }
    }

    /// The longest path of a disc in a substep of the stepped mode, metres.
    pub fn most_way(&self) -> f64 {
        f64::from(MAX_PATH * self.shortest())
    }

    /// The part of a step for which a disc moves, seconds, so that it moves by at most [`MAX_PATH`] of the period.
    #[inline(always)]
    pub fn time_within_reach(&self, velocity: Vec2, step: f32) -> f32 {
        let (most, way) = (MAX_PATH * self.shortest(), velocity.length() * step);
        if way <= most { step } else { step * (most / way) }
    }

    /// The share of a period by which a box extends beyond the cell on one side, at least zero.
    pub fn share_outside(&self, [low, high]: [Vec2; 2]) -> f32 {
        let out = (self.low - low).max(high - self.low - self.size) * self.per_metre;
        out.max_element().max(0.0)
    }

    /// The shifts that move a box, by its low and high corner, so that it touches another.
    pub fn shifts_onto(&self, moved: Bounds, other: Bounds) -> impl Iterator<Item = Vec2> + use<> {
        shifts(self.size, moved, other)
    }

    /// The shifts that move a box into contact with the cell or the half period around it.
    pub fn images(&self, bounds: Bounds) -> impl Iterator<Item = Vec2> + use<> {
        self.shifts(bounds, 0.5)
    }

    /// The same for the cell and this share of a period around it.
    pub fn shifts(&self, bounds: Bounds, margin: f32) -> impl Iterator<Item = Vec2> + use<> {
        let around = self.size * margin;
        shifts(self.size, bounds, Bounds::new(self.low - around, self.low + self.size + around))
    }
}

/// The multiples of periods that move a box so that it touches another; zero along an axis without a period.
fn shifts(
    size: Vec2,
    Bounds { low, high }: Bounds,
    Bounds { low: other_low, high: other_high }: Bounds,
) -> impl Iterator<Item = Vec2> + use<> {
    let range = move |axis: usize| {
        if size[axis] == 0.0 {
            return 0..=0;
        }
        let first = ((other_low[axis] - high[axis]) / size[axis]).ceil() as i32;
        let last = ((other_high[axis] - low[axis]) / size[axis]).floor() as i32;
        first..=last.min(first.saturating_add(MAX_IMAGES - 1))
    };
    range(0).flat_map(move |column| range(1).map(move |row| size * Vec2::new(column as f32, row as f32)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(x: (f32, f32), y: Option<(f32, f32)>) -> Cell {
        Cell::of(&Periodic { x: Some(x), y }).unwrap()
    }

    #[test]
    fn a_place_is_taken_into_the_cell_and_what_is_there_keeps_its_bits() {
        let cell = cell((-1.0, 1.0), None);
        for (at, expected) in
            [(0.3, 0.3), (-1.0, -1.0), (1.0, -1.0), (1.25, -0.75), (-1.25, 0.75), (7.5, -0.5), (-4.5, -0.5)]
        {
            assert_eq!(cell.wrapped(Vec2::new(at, 9.0)), Vec2::new(expected, 9.0), "{at}");
        }
        // Below the edge by less than a rounding error of the other edge.
        let just_below = (-1.0_f32).next_down();
        let back = cell.wrapped(Vec2::new(just_below, 0.0)).x;
        assert!((-1.0..1.0).contains(&back), "{back}");
        assert!(cell.wrapped(Vec2::NAN).is_nan());
        for at in [1e12, -1e12, 3.4e38] {
            assert!((-1.0..=1.0).contains(&cell.wrapped(Vec2::splat(at)).x), "{at}");
        }
    }

    #[test]
    fn a_difference_is_that_to_the_nearest_image() {
        let cell = cell((0.0, 2.0), Some((0.0, 1.0)));
        assert_eq!(cell.nearest(Vec2::new(1.75, -0.75)), Vec2::new(-0.25, 0.25));
        assert_eq!(cell.nearest(Vec2::new(0.75, 0.25)), Vec2::new(0.75, 0.25));
        assert_eq!(cell.nearest_exactly(DVec2::new(5.75, -7.25)), DVec2::new(-0.25, -0.25));
    }

    #[test]
    fn images_are_those_in_the_cell_and_near_it() {
        let cell = cell((-1.0, 1.0), None);
        let shifts = |low: f32, high: f32| -> Vec<f32> {
            cell.shifts(Bounds::new(Vec2::new(low, 0.0), Vec2::new(high, 0.0)), 0.25).map(|shift| shift.x).collect()
        };
        assert_eq!(shifts(-0.1, 0.1), [0.0], "in the middle");
        assert_eq!(shifts(0.8, 0.9), [-2.0, 0.0], "at the right edge");
        assert_eq!(shifts(10.8, 10.9), [-12.0, -10.0], "outside the cell");
        assert_eq!(shifts(-1.0, 1.0), [-2.0, 0.0, 2.0], "from edge to edge");
        assert!(shifts(-1e12, 1e12).len() <= 16);
    }

    #[test]
    fn ends_that_are_none_are_named_and_leave_the_axis_open() {
        for (ends, value) in [
            ((1.0, 1.0), "(1, 1)"),
            ((1.0, -1.0), "(1, -1)"),
            ((0.0, f32::NAN), "NaN"),
            ((0.0, 1e13), "10000000000000"),
        ] {
            let periodic = Periodic { x: None, y: Some(ends) };
            let error = periodic.check().unwrap_err().to_string();
            assert!(error.starts_with("periodic.y is ") && error.contains("the first below the second"), "{error}");
            assert!(value == "NaN" || error.contains(value), "{error}");
            assert_eq!(Cell::of(&periodic), None);
        }
    }
}
