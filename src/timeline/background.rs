//! A long prediction without a long frame: a little of it at once, the rest on a task, and shown as it comes.

use bevy::tasks::{AsyncComputeTaskPool, Task, futures::check_ready};
use std::time::Duration;

use super::{
    Prediction,
    slices::{SLICE, next_slice},
};

/// How long the first look takes, on the thread that asks for it.
const FIRST_TIME: Duration = Duration::from_millis(2);

/// A [`Prediction`] that goes on by itself: two milliseconds at once, and then on a task.
#[derive(Debug)]
pub struct BackgroundPrediction(State);

#[derive(Debug)]
enum State {
    /// Somebody may look at it.
    Here(Box<Prediction>),
    Away(Task<Box<Prediction>>),
    /// All has been seen, and shown.
    Done,
}

impl BackgroundPrediction {
    /// Looks as far as two milliseconds go.
    #[must_use]
    pub fn begin(mut prediction: Prediction) -> Self {
        prediction.run_for(FIRST_TIME);
        Self(State::Here(Box::new(prediction)))
    }

    /// Shows the prediction if more of it has been seen since the last time, and sends it on its way again. For every
    /// frame.
    ///
    /// # Panics
    /// Without a pool of tasks: add Bevy's `TaskPoolPlugin`, which is in `MinimalPlugins`.
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
