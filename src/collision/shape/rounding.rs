//! Rounding errors of positions, lengths and boxes, and the margins that follow from them.
//!
//! # One rounding
//! An operation in `f32` has an error of at most `u = 2⁻²⁴ ≈ 6e-8` of its result, one in `f64` of at most
//! `e = 2⁻⁵³ ≈ 1.1e-16`. Positions, radii and the ends of walls are stored in `f32`, and those numbers are exact by
//! definition. Only a box or a circle computed from them can be wrong, compared with the exact test that follows.
//!
//! # Errors of coordinates
//! A sum of coordinates of magnitude `X` has an error of up to `u X`, however small the result. Per side of a box these
//! add up to at most `4 u X`, so two boxes that are compared may be off by `8 u X ≈ 5e-7 X`:
//!
//! | operation | roundings |
//! |---|---|
//! | the end of a path, from `f64` to `f32` | 1 |
//! | the image across a periodic edge: product, sum | 2 |
//! | centre ± reach | 1 |
//!
//! # Errors of lengths
//! Two circles overlap if `dx² + dy² <= (r + R)²`. The left side has a relative error of up to `4 u`: the differences
//! count twice, the squares and their sum once each. The right side has one of `3 u`. Together these are `3.5 u` of the
//! length. A reach computed as `sqrt(vx² + vy²) t + r` adds `5 u`, so the total is below `10 u ≈ 6e-7`.
//!
//! [`ROUNDING`], one millionth, covers both kinds with about half of it to spare. It is the unit of the margins below.
//! Where a few more candidates cost nothing, [`PADDED`] adds a hundred times as much.
//!
//! # Which way to err
//! Most margins only widen a set of candidates, or shrink a region known to be empty. An exact test follows, so a
//! margin that is too large costs time and one that is too small would lose a hit. Neither shows in a result otherwise,
//! and such margins may be changed freely within the bounds above. Four margins do act on the result, and changing them
//! changes the hashes of `tests/golden.rs`: [`SEAM`], [`WELD_LEAST`] with [`ROUNDING`] in welding, [`GAP_ROUNDING`] and
//! [`SPEED_ROUNDING`]. The contact margins also act on it, by what they count as touching.
//!
//! # Welding
//! A corner is `position + turned point`: two products, two sums and the rounding of sine and cosine, `5 u X` in all.
//! Two pieces that share it can then be up to `10 u X` apart, again less than [`ROUNDING`]. Near the origin `X` is the
//! magnitude of the terms and not of the result, so there is a minimum of [`WELD_LEAST`]. Both ends of a wall may be
//! off by as much, hence twice as much for [`SEAM`] and for the boxes in which corners are looked up.
//!
//! # In `f64`
//! The position of an impact, `x + v t`, has an error of about `4 e X`. For coordinates of up to a million radii this
//! is below [`GAP_ROUNDING`] of a radius. A speed after an impact results from about thirty operations on the speeds
//! before it: less than half of [`SPEED_ROUNDING`].
//!
//! # Contacts
//! A disc that was stopped or pushed out is at a rounded position, off by `u X`. Up to ten thousand radii from the
//! origin this is less than [`CONTACT_MARGIN`] of the radius. Farther out, [`precision`](crate::collision::precision)
//! warns.

use bevy::math::Vec2;

/// More than the rounding errors of a box or a circle, as a share of coordinates and of lengths: 17 roundings.
pub const ROUNDING_F64: f64 = 1e-6;

/// [`ROUNDING_F64`] for `f32`.
pub const ROUNDING: f32 = ROUNDING_F64 as f32;

/// The factor for a length that may be generous: a hundred times [`ROUNDING`], at 0.02 % more area of a circle.
pub const PADDED_F64: f64 = 1.0001;

/// [`PADDED_F64`] for `f32`.
pub const PADDED: f32 = PADDED_F64 as f32;

/// A disc this close to terrain, as a share of its radius, may touch it.
pub const CONTACT_MARGIN_F64: f64 = 1e-3;

/// [`CONTACT_MARGIN_F64`] for `f32`.
pub const CONTACT_MARGIN: f32 = CONTACT_MARGIN_F64 as f32;

/// A disc counts as pushed out of another up to an overlap of this share of the radius. Rounded positions are that
/// exact up to 160 radii from the origin; farther out, the push is repeated without effect, a bounded number of times.
pub const PUSHED_OUT: f32 = 1e-5;

/// The share of its coordinates, and of the radius, by which a wall acts beyond its ends, so that nothing slips through
/// between two adjacent walls. It is twice the distance up to which corners are welded.
pub const SEAM: f64 = 2.0 * ROUNDING_F64;

/// Corners are welded up to this distance, metres, even where [`ROUNDING`] of their coordinates is less.
pub const WELD_LEAST_F64: f64 = 1e-9;

/// [`WELD_LEAST_F64`] for `f32`.
pub const WELD_LEAST: f32 = WELD_LEAST_F64 as f32;

/// The square of [`WELD_LEAST`], m²; as a product in `f32` it would be off by a rounding.
pub const WELD_LEAST_SQUARED: f32 = 1e-18;

/// The square of a length below this, metres, may underflow in `f32`, whose smallest positive number is 1e-45.
pub const SQUARES_VANISH: f32 = 1e-18;

/// If the gap between two shapes is below this share of a length, they touch as far as `f64` can resolve.
pub const GAP_ROUNDING: f64 = 1e-9;

/// The rounding error of a speed in `f64`, as a share of the speeds it was computed from. After a hit, two discs with
/// the same speed along their line of centres may still seem to approach by that much.
pub const SPEED_ROUNDING: f64 = 1e-14;

/// The side of a grid cell over the largest diameter in it. The extra width keeps two touching discs in neighbouring
/// cells, despite the rounding of cell numbers.
pub const CELL_PADDED: f64 = PADDED_F64;

/// The same for a disc added after the grid was filled: it may use half of what [`CELL_PADDED`] adds, and the other
/// half covers the rounding.
pub const HALF_CELL_PADDED: f64 = 1.00005;

/// Half the side of a cell plus rounding: the greatest distance of a centre from the middle of its cell, in sides.
pub const HALF_CELL: f64 = 0.5001;

/// Slightly less than half the side of a cell, in sides: a point within it is in the cell, despite rounding.
pub const INSIDE_CELL: f64 = 0.499;

/// Half the side of a square inside a circle over the radius of the circle: slightly less than `1/√2`.
pub const SQUARE_IN_CIRCLE: f32 = 0.7;

/// The radius of a circle around `centre` that contains a circle of radius `reach`, despite the rounding of both,
/// metres.
///
/// The continuous mode counts discs as touching up to a gap of 1e-5 radii and 4e-7 of the coordinates (`CONTACT_GAP`).
/// [`PADDED`] and [`ROUNDING`] cover that in addition to the rounding.
#[inline(always)]
pub fn padded(reach: f32, centre: Vec2) -> f32 {
    reach * PADDED + (centre.x.abs() + centre.y.abs()) * ROUNDING
}
