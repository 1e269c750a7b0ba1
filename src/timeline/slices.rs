//! Splits long work on a task into slices, with turns for other tasks between them.
//!
//! With threads, the tasks run beside the window, and a turn is a plain yield. A browser has one thread for everything.
//! There, all tasks together get a share of each frame after the work of the frame, and the rest waits for the next
//! frame.

use std::time::Duration;

/// The approximate longest time of a slice.
pub(crate) const SLICE: Duration = Duration::from_millis(if cfg!(target_arch = "wasm32") { 2 } else { 30 });

/// The number of shots on a billiard table that are simulated in one slice. Natively it is small enough that other
/// tasks do not wait for long, in a browser about as many as fit into [`SLICE`].
#[cfg(feature = "games")]
pub(crate) const SHOTS: u32 = if cfg!(target_arch = "wasm32") { 4 } else { 256 };

/// Yields to other tasks, and continues at its next turn. Call it from tasks.
pub(crate) async fn next_slice() {
    #[cfg(not(target_arch = "wasm32"))]
    bevy::tasks::futures_lite::future::yield_now().await;
    #[cfg(target_arch = "wasm32")]
    std::future::poll_fn(|context| share::lock().poll(context.waker(), bevy::platform::time::Instant::now())).await;
}

#[cfg(any(test, target_arch = "wasm32"))]
mod share {
    use bevy::platform::time::Instant;
    use std::{
        task::{Poll, Waker},
        time::Duration,
    };

    /// The time per frame for all tasks together: what the simulation and drawing leave at 60 frames per second.
    pub const SHARE: Duration = Duration::from_millis(6);

    /// The rest of the share of this frame, and the tasks that wait for the next frame.
    #[derive(Debug, Default)]
    pub struct Share {
        /// The time at which the share is used up; `None` before the first frame, when no task has to wait.
        until: Option<Instant>,
        waiting: Vec<Waker>,
    }

    impl Share {
        pub const fn new() -> Self {
            Self { until: None, waiting: Vec::new() }
        }

        /// Whether a task may continue now. If not, it is woken in the next frame; the longest wait comes first.
        pub fn poll(&mut self, waker: &Waker, now: Instant) -> Poll<()> {
            if self.until.is_some_and(|until| now >= until) {
                self.waiting.push(waker.clone());
                return Poll::Pending;
            }
            Poll::Ready(())
        }

        /// Called after the work of a frame. Returns the tasks to wake.
        pub fn begin(&mut self, now: Instant) -> Vec<Waker> {
            self.until = Some(now + SHARE);
            std::mem::take(&mut self.waiting)
        }
    }

    /// The share of the page, which has one thread.
    #[cfg(target_arch = "wasm32")]
    pub fn lock() -> std::sync::MutexGuard<'static, Share> {
        static SHARED: std::sync::Mutex<Share> = std::sync::Mutex::new(Share::new());
        SHARED.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// Resumes the tasks after the work of a frame.
#[cfg(target_arch = "wasm32")]
pub(super) fn share_out() {
    let waiting = share::lock().begin(bevy::platform::time::Instant::now());
    waiting.into_iter().for_each(std::task::Waker::wake);
}

#[cfg(test)]
mod tests {
    use bevy::platform::time::Instant;
    use std::{
        sync::{
            Arc,
            atomic::{AtomicU32, Ordering},
        },
        task::{Poll, Wake, Waker},
    };

    use super::share::{SHARE, Share};

    /// Counts its wake-ups.
    #[derive(Default)]
    struct Count(AtomicU32);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn tasks_share_a_part_of_each_frame_and_nobody_is_forgotten() {
        let (mut share, start, count) = (Share::new(), Instant::now(), Arc::new(Count::default()));
        let waker = Waker::from(Arc::clone(&count));
        assert_eq!(share.poll(&waker, start), Poll::Ready(()), "without frames nobody is held up");
        assert!(share.begin(start).is_empty());
        assert_eq!(share.poll(&waker, start + SHARE / 2), Poll::Ready(()));
        for _ in 0..3 {
            assert_eq!(share.poll(&waker, start + SHARE), Poll::Pending);
        }
        assert_eq!(count.0.load(Ordering::Relaxed), 0);
        let next = start + 3 * SHARE;
        share.begin(next).into_iter().for_each(Waker::wake);
        assert_eq!(count.0.load(Ordering::Relaxed), 3);
        assert_eq!(share.poll(&waker, next), Poll::Ready(()), "there is a new share");
        assert!(share.begin(next).is_empty(), "each is woken once");
    }
}
