//! Independent jobs on several threads.

use std::sync::{
    OnceLock,
    atomic::{AtomicUsize, Ordering},
};

/// Calls `job` with every number below `count`, on this many threads, or one per core if none. The results are in the
/// order of the numbers.
///
/// # Errors
/// The first error in that order. After an error, no further job starts.
pub(super) fn run<R: Send + Sync>(
    count: usize,
    threads: Option<usize>,
    job: impl Fn(usize) -> Result<R, String> + Sync,
) -> Result<Vec<R>, String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.unwrap_or(cores).clamp(1, count.max(1));
    let next = AtomicUsize::new(0);
    let results: Vec<OnceLock<Result<R, String>>> = (0..count).map(|_| OnceLock::new()).collect();
    let work = || {
        while let Some((number, result)) = results.iter().enumerate().nth(next.fetch_add(1, Ordering::Relaxed)) {
            let done = job(number);
            if done.is_err() {
                // Keeps the remaining jobs from starting.
                next.store(count, Ordering::Relaxed);
            }
            // Each job is done once.
            let _ = result.set(done);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    results.into_iter().filter_map(OnceLock::into_inner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_for_any_number_of_threads_and_an_error_ends_the_work() {
        for threads in [None, Some(1), Some(3), Some(100)] {
            assert_eq!(run(20, threads, |number| Ok(number * number)), Ok((0..20).map(|n| n * n).collect::<Vec<_>>()));
            let begun = AtomicUsize::new(0);
            let failed = run(10_000, threads, |number| {
                begun.fetch_add(1, Ordering::Relaxed);
                if number < 3 { Ok(()) } else { Err(format!("job {number}")) }
            });
            assert_eq!(failed, Err("job 3".to_owned()));
            assert!(begun.into_inner() < 10_000);
        }
        assert_eq!(run(0, None, |_| Ok(())), Ok(Vec::new()));
    }
}
