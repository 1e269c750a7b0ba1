//! Plays a mixer on the system's audio for as long as it is held.
//!
//! On Linux and the BSDs it talks to the sound server over its socket (`pulse.rs`), with nothing to link or load;
//! elsewhere it opens the default device (`device.rs`).

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

/// How far an output has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// The system has not answered yet.
    #[default]
    Opening,
    /// It plays.
    Playing {
        /// The sampling rate, Hz.
        rate: u32,
        /// How far ahead of the ear it is mixed, as the system tells it; zero if the system does not tell.
        latency: Duration,
    },
    /// It does not play, or no longer does. It stays so; drop the output and open another to try again.
    Failed(Reason),
}

/// Why nothing is played, and what can be done about it, in one line of English; in its two parts for those who
/// translate it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// What is the matter, with `{}` where the system's own words stand.
    pub template: &'static str,
    /// What the system says; empty where it says nothing.
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

/// What is the matter where the system gives no thread.
#[cfg(not(target_arch = "wasm32"))]
const NO_THREAD: &str = mark("no thread could be started for sound ({}); close other programs");

/// Where a backend writes its status.
#[derive(Clone, Debug, Default)]
struct Report(Arc<Mutex<Status>>);

impl Report {
    /// What is going on, for the first time or as news. The first failure stays.
    fn set(&self, news: Status) {
        let mut status = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*status, Status::Failed(_)) {
            return;
        }
        match &news {
            Status::Opening => {}
            Status::Playing { rate, latency } => {
                tracing::info!("sound plays at {rate} Hz with a latency of {latency:?}")
            }
            Status::Failed(why) => tracing::warn!("no sound: {why}"),
        }
        *status = news;
    }

    fn get(&self) -> Status {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A mixer that plays until this is dropped.
#[derive(Debug)]
pub struct Output {
    report: Report,
    _player: Player,
}

impl Output {
    /// Begins to play what arrives at `inbox`, under this `name` in the system's own volume control. Returns at once:
    /// the system is waited for on a thread of its own, and [`status`](Self::status) tells what came of it.
    ///
    /// In a browser there is no such thread, and no sound before the page was touched: open it on a click or a key.
    #[must_use]
    pub fn open(name: &str, inbox: Inbox) -> Self {
        let report = Report::default();
        Self { _player: Player::open(name, inbox, report.clone()), report }
    }

    /// How far it has come.
    #[must_use]
    pub fn status(&self) -> Status {
        self.report.get()
    }
}

/// Fills buffers from a mixer, for a system that may fall asleep between two of them.
#[derive(Debug)]
struct Tap {
    mixer: Mixer,
    #[cfg(not(target_arch = "wasm32"))]
    filled: Instant,
}

/// After a pause this long, strikes that waited through it are not heard.
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
