//! Threads: one stage of a tick as several jobs side by side, on Bevy's pool of compute threads.
//!
//! How many jobs there are never shows in the result: each reads what is shared, writes what is its own, and what they wrote
//! is put together in their order.

use bevy::tasks::{ComputeTaskPool, available_parallelism};
use core::ops::Range;
use std::sync::LazyLock;

/// Into how many jobs a stage may be divided. The result is the same for all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// As many as there are compute threads, and one for the thread that waits for them; one for few discs, where waking a
    /// thread takes longer than the work.
    #[default]
    Auto,
    /// So many, however few the discs.
    Jobs(usize),
}

/// A job that takes less than so many nanoseconds is not worth a thread: to wake one takes up to a tenth of a millisecond.
const MIN: usize = 120_000;

/// How many threads the machine runs at once; to ask it takes longer than a small stage.
static CORES: LazyLock<usize> = LazyLock::new(available_parallelism);

impl Threads {
    /// Into how many jobs the work on `count` discs is divided, each of which takes about `nanoseconds`.
    pub(super) fn jobs(self, count: usize, nanoseconds: usize) -> usize {
        let worth = count * nanoseconds / MIN;
        match self {
            Self::Auto if worth < 2 => 1,
            Self::Auto => {
                let threads = ComputeTaskPool::try_get().map_or(1, |pool| pool.thread_num() + 1);
                threads.min(*CORES).min(worth)
            }
            Self::Jobs(jobs) => jobs.max(1),
        }
    }

    /// Divides `0..count` discs into ranges that follow each other.
    pub(crate) fn divide(self, count: usize, nanoseconds: usize) -> Vec<Range<usize>> {
        parts(count, self.jobs(count, nanoseconds))
    }
}

/// Divides `0..count` into at most `jobs` ranges that follow each other, at least one.
pub(super) fn parts(count: usize, jobs: usize) -> Vec<Range<usize>> {
    let each = count.div_ceil(jobs).max(1);
    (0..count.div_ceil(each).max(1)).map(|job| each * job..count.min(each * (job + 1))).collect()
}

/// Runs all jobs, side by side if there is a pool, and gives their results in the order of the jobs.
pub(crate) fn run<R: Send + 'static, J: FnOnce() -> R + Send>(jobs: Vec<J>) -> Vec<R> {
    match ComputeTaskPool::try_get() {
        Some(pool) if jobs.len() > 1 => pool.scope(|scope| {
            for job in jobs {
                scope.spawn(async move { job() });
            }
        }),
        _ => jobs.into_iter().map(|job| job()).collect(),
    }
}

/// Cuts a slice into the pieces that `ranges` of [`parts`] name.
pub(crate) fn cut<'a, T>(mut values: &'a mut [T], ranges: &[Range<usize>]) -> Vec<&'a mut [T]> {
    ranges.iter().map(|range| take(&mut values, range.len())).collect()
}

/// Takes the first `count` values off a slice.
///
/// # Panics
/// If there are not so many.
#[expect(clippy::mut_mut, reason = "the slice itself grows shorter")]
pub(crate) fn take<'a, T>(values: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (taken, rest) = std::mem::take(values).split_at_mut(count);
    *values = rest;
    taken
}
