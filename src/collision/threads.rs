//! Threads: one stage of a tick as several tasks side by side, on Bevy's pool of compute threads.
//!
//! How many tasks there are never shows in the result: each reads what is shared, writes what is its own, and what they
//! wrote is put together in their order.

use bevy::tasks::{ComputeTaskPool, available_parallelism};
use core::ops::Range;
use std::sync::LazyLock;

/// Into how many tasks a stage may be divided. The result is the same for all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// As many as there are compute threads, and one for the thread that waits for them; one for few discs, where
    /// waking a thread takes longer than the work.
    #[default]
    Auto,
    /// This many, however few the discs.
    Tasks(usize),
}

/// The shortest task that is worth a thread, nanoseconds. Waking a thread takes up to 100 µs.
const MIN_TASK: usize = 120_000;

/// How many threads the machine runs at once; to ask it takes longer than a small stage.
static CORES: LazyLock<usize> = LazyLock::new(available_parallelism);

impl Threads {
    /// Into how many tasks the work on `count` discs is divided, each of which takes about `nanoseconds`.
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

    /// Divides `0..count` discs into ranges that follow each other.
    pub(crate) fn divide(self, count: usize, nanoseconds: usize) -> Vec<Range<usize>> {
        parts(count, self.tasks(count, nanoseconds))
    }
}

/// Divides `0..count` into at most `tasks` ranges that follow each other, at least one.
pub(super) fn parts(count: usize, tasks: usize) -> Vec<Range<usize>> {
    let each = count.div_ceil(tasks).max(1);
    (0..count.div_ceil(each).max(1)).map(|task| each * task..count.min(each * (task + 1))).collect()
}

/// Runs all tasks, side by side if there is a pool, and gives their results in the order of the tasks.
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

/// Cuts a slice into the pieces that `ranges` of [`parts`] name.
pub(crate) fn cut<'a, T>(mut values: &'a mut [T], ranges: &[Range<usize>]) -> Vec<&'a mut [T]> {
    ranges.iter().map(|range| take(&mut values, range.len())).collect()
}

/// Takes the first `count` values off a slice.
///
/// # Panics
/// If the slice is shorter.
#[expect(clippy::mut_mut, reason = "the slice itself grows shorter")]
pub(crate) fn take<'a, T>(values: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (taken, rest) = std::mem::take(values).split_at_mut(count);
    *values = rest;
    taken
}
