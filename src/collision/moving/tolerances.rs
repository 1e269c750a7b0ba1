//! Tolerances shared by several files of this module.

/// The depth to which a part that slides along another may get into it, as a share of its size, dimensionless. The size
/// is the radius of a disc, or that of the smaller part of two pieces. It bounds the steps of both searches for a time
/// of impact, and is less than what counts as an overlap.
pub const SLIDING_DEPTH: f64 = 2e-5;

/// The rounding of positions that are stored as `f32` between ticks, with a margin, as a share (dimensionless) of the
/// coordinates and the size. A smaller gap is a touch, so that a thin rod that lies flat on a wall stays on its side.
pub const POSITION_ROUNDING: f64 = 5e-7;

/// Blocks closer than this share of the size of their parts, dimensionless, rest on each other: two sliding depths.
pub const LYING_GAP: f64 = 4e-5;

/// Parts that overlap by more than this share of their size, dimensionless, were placed there by the game. They pass
/// through each other until they are apart.
pub const MAX_DEPTH: f64 = 1e-2;

/// Two normals whose cosine (dimensionless) is greater are equal: less than 4.5e-5 rad apart.
pub const SAME_NORMAL: f64 = 1.0 - 1e-9;
