//! What the machine may use.

use super::Clock;
use crate::collision::{broad_phase::Sought, discs::Discs, periodic::Cell, simd::SimdLevel, threads::Threads};

/// The largest number of discs that the continuous mode scans one by one; more get a grid and a queue. At most 2048
/// are scanned, whatever it says. The result does not depend on it.
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
    /// The instructions that kernels may use.
    pub simd: SimdLevel,
    /// Into how many tasks a stage may be divided.
    pub threads: Threads,
    /// How many discs are few for the continuous mode.
    pub scan_limit: ScanLimit,
}

/// More discs are never scanned, whatever the limit: two thousand in one spot have fewer pairs than the grid would list
/// in full.
const MAX_SCANNED: usize = 2048;

impl Compute {
    /// Whether the continuous mode scans this number of discs, and has no grid.
    pub(crate) fn scans(&self, discs: usize) -> bool {
        discs <= self.scan_limit.0.min(MAX_SCANNED)
    }

    /// What the broad phase looks for at a time of a tick.
    pub(crate) fn sought<'a>(&self, discs: &'a Discs, clock: &Clock, cell: Option<Cell>) -> Sought<'a> {
        let (Self { simd, threads, .. }, Clock { time_step, now, .. }) = (*self, *clock);
        Sought { discs, time_step, now, simd, threads, cell }
    }
}
