//! Runs a long prediction without a long frame: first a short part at once, then the rest on a task, shown as it
//! proceeds.

use bevy::tasks::{AsyncComputeTaskPool, Task, futures::check_ready};
use std::time::Duration;

use super::{
    Prediction,
    slices::{SLICE, next_slice},
};

/// How long the first part takes on the calling thread.
const FIRST_TIME: Duration = Duration::from_millis(2);

/// A [`Prediction`] that runs in the background: two milliseconds at once, then on a task.
#[derive(Debug)]
pub struct BackgroundPrediction(State);

#[derive(Debug)]
enum State {
    /// Ready to be shown.
    Here(Box<Prediction>),
    Away(Task<Box<Prediction>>),
    /// Finished and shown.
    Done,
}

impl BackgroundPrediction {
    /// Runs the prediction for two milliseconds.
    #[must_use]
    pub fn begin(mut prediction: Prediction) -> Self {
        prediction.run_for(FIRST_TIME);
        Self(State::Here(Box::new(prediction)))
    }

    /// Calls `show` if the prediction has advanced since the last call, and resumes it. Call it in every frame.
    ///
    /// # Panics
    /// Without a task pool. Add Bevy's `TaskPoolPlugin`, which is part of `MinimalPlugins`.
    pub fn poll<T>(&mut self, show: impl FnOnce(&Prediction) -> T) -> Option<T> {
        let prediction = match std::mem::replace(&mut self.0, State::Done) {
            State::Here(prediction) => prediction,
            State::Away(mut task) => {
                let Some(prediction) = check_ready(&mut task) else {
                    self.0 = State::Away(task);
                    return None;
                };
                prediction
            }
            State::Done => return None,
        };
        let shown = show(&prediction);
        if !prediction.is_done() {
            self.0 = State::Away(AsyncComputeTaskPool::get().spawn(async move {
                next_slice().await;
                let mut prediction = prediction;
                prediction.run_for(SLICE);
                prediction
            }));
        }
        Some(shown)
    }
}
