//! Threads: one stage of a tick as several jobs side by side, on Bevy's pool of compute threads.
//!
//! How many jobs there are never shows in the result: each reads what is shared, writes what is its own, and what they wrote
//! is put together in their order.

use bevy::tasks::ComputeTaskPool;
use core::ops::Range;

/// Into how many jobs a stage may be divided. The result is the same for all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// As many as the pool of compute threads has; one for few discs, where waking a thread takes longer than the work.
    #[default]
    Auto,
    /// So many, however few the discs.
    Jobs(usize),
}

/// A job of fewer discs is not worth a thread.
const LEAST: usize = 8192;

impl Threads {
    /// Divides `0..count` into ranges that follow each other.
    pub(super) fn divide(self, count: usize) -> Vec<Range<usize>> {
        let jobs = match self {
            Self::Auto => ComputeTaskPool::try_get().map_or(1, |pool| pool.thread_num()).min(count / LEAST),
            Self::Jobs(jobs) => jobs,
        };
        let each = count.div_ceil(jobs.max(1)).max(1);
        (0..count.div_ceil(each).max(1)).map(|job| each * job..count.min(each * (job + 1))).collect()
    }
}

/// Runs all jobs, side by side if there is a pool, and gives their results in the order of the jobs.
pub(super) fn run<R: Send + 'static, J: FnOnce() -> R + Send>(jobs: Vec<J>) -> Vec<R> {
    match ComputeTaskPool::try_get() {
        Some(pool) if jobs.len() > 1 => pool.scope(|scope| {
            for job in jobs {
                scope.spawn(async move { job() });
            }
        }),
        _ => jobs.into_iter().map(|job| job()).collect(),
    }
}

/// Cuts a slice into the pieces that `ranges` of [`Threads::divide`] name.
pub(super) fn cut<'a, T>(mut values: &'a mut [T], ranges: &[Range<usize>]) -> Vec<&'a mut [T]> {
    let mut pieces = Vec::with_capacity(ranges.len());
    for range in ranges {
        let (piece, rest) = values.split_at_mut(range.len());
        pieces.push(piece);
        values = rest;
    }
    pieces
}
