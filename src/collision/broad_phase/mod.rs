//! Broad phase: which discs may touch each other within the tick.
//!
//! A [`Grid`](grid::Grid) is built once per tick, from the positions of the discs after the first substep. Each disc
//! reaches as far as its radius. With several substeps it also reaches as far as its current speed takes it in the rest
//! of the tick, but at most one radius farther. A disc that leaves that circle is searched again (see `candidates`).
//! Terrain is searched disc by disc, when a disc leaves the place around which its terrain is listed (see `terrain`).

pub(crate) mod candidate_pairs;
pub(crate) mod circles;
pub(crate) mod grid;

pub(crate) use candidate_pairs::{BroadPhase, Sought};

/// Two discs of a pile support each other up to this distance, in sums of their radii. The 2 % bridge the gaps between
/// discs that rest on each other with little load. Chosen by hand; no measurement was kept.
pub(crate) const SUPPORTING: f32 = 1.02;
