//! Broad phase: which discs may touch which discs within the tick.
//!
//! A [`Grid`](grid::Grid), made once a tick from where the discs will be after the first substep. Each disc reaches as
//! far as its radius and, with several substeps, as far as its present speed takes it in the rest of the tick, but no
//! more than one radius. What leaves that circle is asked for again when it has (see `candidates`). Terrain is asked
//! for disc by disc, where a disc has left the place around which it knows all terrain (see `terrain`).

pub(crate) mod candidate_pairs;
pub(crate) mod circles;
pub(crate) mod grid;

pub(crate) use candidate_pairs::{BroadPhase, Sought};

/// Two discs of a pile support each other up to this distance, in sums of their radii. The 2 % bridge the gaps between
/// discs that rest on each other with little load. Chosen by hand; no measurement was kept.
pub(crate) const SUPPORTING: f32 = 1.02;
