//! The resources for computing a tick.

use super::Clock;
use crate::collision::{broad_phase::Sought, discs::Discs, periodic::Cell, simd::SimdLevel, threads::Threads};

/// The largest number of discs that the continuous mode scans one by one. Larger scenes get a grid and a queue. The
/// limit is at most 2048, whatever its value. The result does not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanLimit(pub usize);

impl Default for ScanLimit {
    fn default() -> Self {
        Self(64)
    }
}

/// How a tick is computed. No result depends on it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compute {
    /// The instructions that kernels use.
    pub simd: SimdLevel,
    /// The number of tasks that a stage may be divided into.
    pub threads: Threads,
    /// The largest number of discs that the continuous mode scans.
    pub scan_limit: ScanLimit,
}

/// The upper bound of the limit: two thousand discs in one spot have fewer pairs than the grid lists in full.
const MAX_SCANNED: usize = 2048;

impl Compute {
    /// Whether the continuous mode scans this number of discs without a grid.
    pub(crate) fn scans(&self, discs: usize) -> bool {
        discs <= self.scan_limit.0.min(MAX_SCANNED)
    }

    /// The input of the search of the broad phase at a time of the tick.
    pub(crate) fn sought<'a>(&self, discs: &'a Discs, clock: &Clock, cell: Option<Cell>) -> Sought<'a> {
        let (Self { simd, threads, .. }, Clock { time_step, now, .. }) = (*self, *clock);
        Sought { discs, time_step, now, simd, threads, cell }
    }
}
