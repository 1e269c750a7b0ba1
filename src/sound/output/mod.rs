//! Plays a mixer on the system's audio while it is held.
//!
//! On Linux and the BSDs it uses the sound server's socket (`pulse.rs`), with nothing to link or load. On other systems
//! it opens the default device (`device.rs`).

#[cfg_attr(
    any(
        target_os = "linux",
        target_os = "freebsd",
        target_os = "dragonfly",
        target_os = "netbsd",
        target_os = "openbsd"
    ),
    path = "pulse.rs"
)]
#[cfg_attr(
    not(any(
        target_os = "linux",
        target_os = "freebsd",
        target_os = "dragonfly",
        target_os = "netbsd",
        target_os = "openbsd"
    )),
    path = "device.rs"
)]
mod player;

#[cfg(not(target_arch = "wasm32"))]
use std::time::Instant;
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use self::player::Player;
use super::mixer::{Inbox, Mixer};

/// The state of an output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// The system has not answered yet.
    #[default]
    Opening,
    /// It plays.
    Playing {
        /// The sampling rate, Hz.
        rate: u32,
        /// The time between mixing and hearing, as the system reports it, or zero if it does not.
        latency: Duration,
    },
    /// It does not play, or has stopped. This state is final; drop the output and open another one to retry.
    Failed(Reason),
}

/// The reason for silence and a remedy, in one line of English. It has two parts for translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The reason, with `{}` for the system's message.
    pub template: &'static str,
    /// The system's message, or empty if there is none.
    pub system: String,
}

impl Reason {
    fn new(template: &'static str, system: impl std::fmt::Display) -> Self {
        Self { template, system: system.to_string() }
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.template.replacen("{}", &self.system, 1))
    }
}

/// Marks an English text that is translated where it is shown.
const fn mark(text: &'static str) -> &'static str {
    text
}

/// The message if the system cannot start a thread.
#[cfg(not(target_arch = "wasm32"))]
const NO_THREAD: &str = mark("no thread could be started for sound ({}); close other programs");

/// Where a backend writes its status.
#[derive(Clone, Debug, Default)]
struct Report(Arc<Mutex<Status>>);

impl Report {
    /// Sets the status. The first failure stays.
    fn set(&self, news: Status) {
        let mut status = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*status, Status::Failed(_)) {
            return;
        }
        match &news {
            Status::Opening => {}
            Status::Playing { rate, latency } => {
                tracing::info!("sound plays at {rate} Hz with a latency of {latency:?}");
            }
            Status::Failed(why) => tracing::warn!("no sound: {why}"),
        }
        *status = news;
    }

    fn get(&self) -> Status {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A mixer that plays until dropped.
#[derive(Debug)]
pub struct Output {
    report: Report,
    _player: Player,
}

impl Output {
    /// Starts to play strikes that arrive at `inbox`, under this `name` in the system's volume control. It returns at
    /// once. A separate thread waits for the system, and [`status`](Self::status) reports the result.
    ///
    /// A browser has no such thread, and no sound before a click or a key press on the page. Call it then.
    #[must_use]
    pub fn open(name: &str, inbox: Inbox) -> Self {
        let report = Report::default();
        Self { _player: Player::open(name, inbox, report.clone()), report }
    }

    /// The state of the output.
    #[must_use]
    pub fn status(&self) -> Status {
        self.report.get()
    }
}

/// Fills buffers from a mixer, for a system that may suspend between two of them.
#[derive(Debug)]
struct Tap {
    mixer: Mixer,
    #[cfg(not(target_arch = "wasm32"))]
    filled: Instant,
}

/// After a pause this long, strikes that waited through it are discarded.
#[cfg(not(target_arch = "wasm32"))]
const ASLEEP: Duration = Duration::from_secs(1);

impl Tap {
    fn new(mixer: Mixer) -> Self {
        Self {
            mixer,
            #[cfg(not(target_arch = "wasm32"))]
            filled: Instant::now(),
        }
    }

    fn fill(&mut self, out: &mut [f32]) {
        #[cfg(not(target_arch = "wasm32"))]
        {
            let now = Instant::now();
            if now.duration_since(self.filled) > ASLEEP {
                self.mixer.skip();
            }
            self.filled = now;
        }
        self.mixer.fill(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_failure_stays() {
        let report = Report::default();
        assert_eq!(report.get(), Status::Opening);
        let playing = Status::Playing { rate: 48_000, latency: Duration::ZERO };
        report.set(playing.clone());
        assert_eq!(report.get(), playing);
        let failed = |why: &str| Status::Failed(Reason::new(NO_THREAD, why));
        report.set(failed("gone"));
        report.set(playing);
        report.set(failed("again"));
        assert_eq!(report.get(), failed("gone"));
        let Status::Failed(reason) = report.get() else { panic!() };
        assert_eq!(reason.to_string(), "no thread could be started for sound (gone); close other programs");
    }

    #[test]
    fn an_output_can_be_a_resource() {
        const fn shared<T: Send + Sync + 'static>() {}
        shared::<Output>();
    }
}
