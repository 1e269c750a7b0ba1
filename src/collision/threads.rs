//! Threads: runs a stage of a tick as several parallel tasks, on Bevy's pool of compute threads.
//!
//! The number of tasks never affects the result: each task reads shared data and writes only its own, and the results
//! are combined in the order of the tasks.

use bevy::tasks::{ComputeTaskPool, available_parallelism};
use core::ops::Range;
use std::sync::LazyLock;

/// The number of tasks that a stage may be divided into. The result is the same for all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// One per compute thread, plus one for the thread that waits for them. With few discs only one, as waking a thread
    /// would take longer than the work.
    #[default]
    Auto,
    /// This many, however few the discs.
    Tasks(usize),
}

/// The shortest task that is worth a thread, nanoseconds. Waking a thread takes up to 100 µs.
const MIN_TASK: usize = 120_000;

/// The number of threads of the machine, cached because the query takes longer than a small stage.
static CORES: LazyLock<usize> = LazyLock::new(available_parallelism);

impl Threads {
    /// The number of tasks for `count` discs, each of which takes about `nanoseconds`.
    pub(super) fn tasks(self, count: usize, nanoseconds: usize) -> usize {
        let worth = count * nanoseconds / MIN_TASK;
        match self {
            Self::Auto if worth < 2 => 1,
            Self::Auto => {
                let threads = ComputeTaskPool::try_get().map_or(1, |pool| pool.thread_num() + 1);
                threads.min(*CORES).min(worth)
            }
            Self::Tasks(tasks) => tasks.max(1),
        }
    }

    /// Divides `0..count` discs into consecutive ranges.
    pub(crate) fn divide(self, count: usize, nanoseconds: usize) -> Vec<Range<usize>> {
        parts(count, self.tasks(count, nanoseconds))
    }
}

/// Divides `0..count` into at most `tasks` consecutive ranges, at least one.
pub(super) fn parts(count: usize, tasks: usize) -> Vec<Range<usize>> {
    let each = count.div_ceil(tasks).max(1);
    (0..count.div_ceil(each).max(1)).map(|task| each * task..count.min(each * (task + 1))).collect()
}

/// Runs all tasks, in parallel if there is a pool, and returns their results in the order of the tasks.
pub(crate) fn run<R: Send + 'static, T: FnOnce() -> R + Send>(tasks: Vec<T>) -> Vec<R> {
    match ComputeTaskPool::try_get() {
        Some(pool) if tasks.len() > 1 => pool.scope(|scope| {
            for task in tasks {
                scope.spawn(async move { task() });
            }
        }),
        _ => tasks.into_iter().map(|task| task()).collect(),
    }
}

/// Splits a slice at the `ranges` of [`parts`].
pub(crate) fn cut<'a, T>(mut values: &'a mut [T], ranges: &[Range<usize>]) -> Vec<&'a mut [T]> {
    ranges.iter().map(|range| take(&mut values, range.len())).collect()
}

/// Takes the first `count` values off a slice.
///
/// # Panics
/// If the slice is too short.
#[expect(clippy::mut_mut, reason = "the slice itself grows shorter")]
pub(crate) fn take<'a, T>(values: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (taken, rest) = std::mem::take(values).split_at_mut(count);
    *values = rest;
    taken
}
