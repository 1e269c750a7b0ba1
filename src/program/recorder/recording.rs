//! The phase of a recording. It does not depend on the ECS: callers pass the time and the frames that arrive, and it
//! answers when a frame is due.

use std::sync::mpsc::Sender;

use bevy::prelude::*;

use crate::shell::{CaptureProgress, CaptureSettings};

/// The largest number of frames on their way at once. More would only fill the memory of a machine that cannot keep up.
const ON_THE_WAY: usize = 4;

/// The largest total size of the packed frames, bytes. The recording then ends.
const MEMORY: usize = 1 << 30;

/// How long to wait for the last frames, real seconds.
const PATIENCE: f64 = 5.0;

/// A recording, from its first frame until its file is written. All times are real seconds since the start of the
/// program.
pub(super) struct Recording {
    /// Its number since the start of the program.
    pub(super) number: u64,
    settings: CaptureSettings,
    began: f64,
    phase: Phase,
    /// The number of frames requested, returned and packed.
    asked: usize,
    returned: usize,
    packed: usize,
    /// The total size of the packed frames, bytes.
    memory: usize,
}

enum Phase {
    /// Frames are requested, the next at this time, and sent to the thread.
    Taking { next: f64, pictures: Sender<(f64, Image)> },
    /// No more frames are requested since this time, but some are still on their way.
    Collecting { since: f64, pictures: Sender<(f64, Image)> },
    /// The thread has received all frames, and has written this many.
    Writing { done: usize },
}

impl Recording {
    pub(super) fn new(number: u64, settings: CaptureSettings, now: f64, pictures: Sender<(f64, Image)>) -> Self {
        let phase = Phase::Taking { next: now, pictures };
        Self { number, settings, began: now, phase, asked: 0, returned: 0, packed: 0, memory: 0 }
    }

    /// Ends the requests for frames.
    pub(super) fn stop(&mut self, now: f64) {
        if let Phase::Taking { pictures, .. } = &self.phase {
            self.phase = Phase::Collecting { since: now, pictures: pictures.clone() };
        }
    }

    /// Advances to this time. If a frame is due, returns its time since the beginning of the recording.
    pub(super) fn next_picture(&mut self, now: f64) -> Option<f64> {
        let seconds = now - self.began;
        if seconds >= f64::from(self.settings.seconds) || self.memory > MEMORY {
            self.stop(now);
        }
        match &mut self.phase {
            Phase::Taking { next, .. } if now >= *next && self.asked - self.packed < ON_THE_WAY => {
                *next = (*next + 1.0 / f64::from(self.settings.rate)).max(now);
                self.asked += 1;
                Some(seconds)
            }
            // Dropping the sender makes the thread write the file.
            Phase::Collecting { since, .. } if self.returned == self.asked || now - *since > PATIENCE => {
                self.phase = Phase::Writing { done: 0 };
                None
            }
            _ => None,
        }
    }

    /// Sends a frame that has arrived to the thread. Frames that arrive too late are lost.
    pub(super) fn came_back(&mut self, seconds: f64, image: Image) {
        if let Phase::Taking { pictures, .. } | Phase::Collecting { pictures, .. } = &self.phase {
            self.returned += 1;
            let _ = pictures.send((seconds, image));
        }
    }

    pub(super) fn packed(&mut self, bytes: usize) {
        self.packed += 1;
        self.memory += bytes;
    }

    pub(super) fn written(&mut self, count: usize) {
        if let Phase::Writing { done } = &mut self.phase {
            *done = count;
        }
    }

    pub(super) fn progress(&self, now: f64) -> CaptureProgress {
        match self.phase {
            Phase::Writing { done } => CaptureProgress::Writing { done, of: self.returned },
            Phase::Taking { .. } | Phase::Collecting { .. } => {
                let of = self.settings.seconds;
                CaptureProgress::Recording { seconds: ((now - self.began) as f32).min(of), of }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver, TryRecvError};

    use super::*;

    fn recording() -> (Recording, Receiver<(f64, Image)>) {
        let (pictures, inbox) = mpsc::channel();
        let settings = CaptureSettings { seconds: 1.0, rate: 10.0, ..default() };
        (Recording::new(1, settings, 100.0, pictures), inbox)
    }

    #[test]
    fn pictures_are_taken_until_it_ends_and_it_is_written_when_the_last_is_back() {
        let (mut it, inbox) = recording();
        let mut taken = 0;
        for step in 0..100 {
            let now = 100.0 + 0.0125 * f64::from(step);
            if let Some(seconds) = it.next_picture(now) {
                taken += 1;
                it.came_back(seconds, Image::default());
                it.packed(10);
            }
        }
        assert_eq!((taken, inbox.try_iter().count()), (10, 10));
        assert_eq!(it.progress(101.5), CaptureProgress::Writing { done: 0, of: 10 });
        assert_eq!(inbox.try_recv().unwrap_err(), TryRecvError::Disconnected, "the thread hears that these are all");
        it.written(4);
        assert_eq!(it.progress(101.5), CaptureProgress::Writing { done: 4, of: 10 });
    }

    #[test]
    fn a_machine_that_cannot_keep_up_is_asked_for_no_more_and_the_last_are_not_waited_for_for_ever() {
        let (mut it, inbox) = recording();
        let asked = (0..100).filter(|step| it.next_picture(100.0 + 0.005 * f64::from(*step)).is_some()).count();
        assert_eq!(asked, ON_THE_WAY);
        it.came_back(0.0, Image::default());
        it.stop(100.5);
        assert_eq!(it.next_picture(100.6), None);
        assert!(matches!(it.progress(100.6), CaptureProgress::Recording { .. }), "three are on their way");
        it.next_picture(100.6 + PATIENCE);
        assert_eq!(it.progress(106.0), CaptureProgress::Writing { done: 0, of: 1 });
        it.came_back(0.3, Image::default());
        assert_eq!(inbox.try_iter().count(), 1, "what comes then is lost");
    }
}
